// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/sim/fiber.hpp"

#include <cxxabi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <boost/context/detail/fcontext.hpp>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "sheaf/base/ambient.hpp"
#include "sheaf/base/error.hpp"
#include "transport/host/sanitizers.hpp"

#if SHEAF_HAS_ASAN
#include <sanitizer/common_interface_defs.h>
#endif
#if SHEAF_HAS_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace sheaf::detail {
namespace {

namespace context = boost::context::detail;

// What __cxa_get_globals points to, as the Itanium C++ ABI (Exception Handling, 2.2.2) lays it out.
struct exception_globals {
  void* caught;
  unsigned uncaught;
};

// A frame of a build with sanitizers is several times as large.
constexpr std::size_t growth = SHEAF_HAS_ASAN || SHEAF_HAS_TSAN ? 4 : 1;

}  // namespace

void flow_state::exchange() noexcept {
  auto* const now = reinterpret_cast<exception_globals*>(abi::__cxa_get_globals());
  std::swap(now->caught, caught);
  std::swap(now->uncaught, uncaught);
  std::swap(ambient_location, ambient);
}

void fiber::prepare(std::span<std::byte> stack, function run, void* argument) noexcept {
  stack_ = stack;
  run_ = run;
  argument_ = argument;
  state_ = {};
  fake_stack_ = nullptr;
  context_ = context::make_fcontext(stack.data() + stack.size(), stack.size(), [](context::transfer_t from) {
    auto* const self = static_cast<fiber*>(from.data);
    self->resumer_ = from.fctx;
    self->enter();
    self->run_(self->argument_);
    self->leave(true);
  });
#if SHEAF_HAS_TSAN
  if (race_fiber_ == nullptr) race_fiber_ = __tsan_create_fiber(0);
#endif
}

fiber::~fiber() {
#if SHEAF_HAS_TSAN
  if (race_fiber_ != nullptr) __tsan_destroy_fiber(race_fiber_);
#endif
}

void fiber::resume() noexcept {
  state_.exchange();
#if SHEAF_HAS_ASAN
  void* fake = nullptr;
  __sanitizer_start_switch_fiber(&fake, stack_.data(), stack_.size());
#endif
#if SHEAF_HAS_TSAN
  race_resumer_ = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(race_fiber_, 0);
#endif
  context_ = context::jump_fcontext(context_, this).fctx;
#if SHEAF_HAS_ASAN
  __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
  state_.exchange();
  if (run_ == nullptr) context_ = nullptr;
}

void fiber::suspend() noexcept {
  leave(false);
  enter();
}

// On the fiber's stack, just switched to.
void fiber::enter() noexcept {
#if SHEAF_HAS_ASAN
  __sanitizer_finish_switch_fiber(fake_stack_, &resumer_stack_, &resumer_bytes_);
#endif
}

void fiber::leave(bool for_good) noexcept {
  if (for_good) run_ = nullptr;
#if SHEAF_HAS_ASAN
  __sanitizer_start_switch_fiber(for_good ? nullptr : &fake_stack_, resumer_stack_, resumer_bytes_);
#endif
#if SHEAF_HAS_TSAN
  __tsan_switch_to_fiber(race_resumer_, 0);
#endif
  resumer_ = context::jump_fcontext(resumer_, nullptr).fctx;
}

fiber_stacks::fiber_stacks(std::uint32_t count, std::size_t stack_bytes) : count_(count) {
  auto const page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  guard_bytes_ = page;
  stride_ = page + (stack_bytes * growth + page - 1) / page * page;
  total_ = stride_ * count;
  void* const mapped =
      mmap(nullptr, total_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (mapped == MAP_FAILED) {
    throw option_error("sheaf: SHEAF_LOCATIONS=" + std::to_string(count) + " simulated locations with stacks of " +
                       std::to_string(stack_bytes) + " bytes cannot be mapped: " + std::strerror(errno) +
                       "; lower options::stack_bytes or SHEAF_LOCATIONS");
  }
  base_ = static_cast<std::byte*>(mapped);
  madvise(base_, total_, MADV_NOHUGEPAGE);  // a touched page must not cost 2 MiB, nor touch a guard
  for (std::uint32_t i = 0; i < count && guarded_; ++i) {
    guarded_ = mprotect(base_ + i * stride_, guard_bytes_, PROT_NONE) == 0;
  }
  if (!guarded_) mprotect(base_, total_, PROT_READ | PROT_WRITE);  // there are too many
}

fiber_stacks::~fiber_stacks() {
  for (std::uint32_t i = 0; !guarded_ && i < count_; ++i) {
    unsigned char there = 0;
    if (mincore(base_ + i * stride_, guard_bytes_, &there) != 0 || (there & 1) == 0) continue;
    std::fprintf(stderr,
                 "sheaf: simulated location %u has used more than its stack of %zu bytes; raise options::stack_bytes\n",
                 i, stride_ - guard_bytes_);
    std::abort();
  }
  permit(base_, total_);
  munmap(base_, total_);
}

std::span<std::byte> fiber_stacks::stack(std::uint32_t index) const noexcept {
  std::span<std::byte> const whole(base_ + index * stride_ + guard_bytes_, stride_ - guard_bytes_);
  permit(whole.data(), whole.size());
  return whole;
}

}  // namespace sheaf::detail
