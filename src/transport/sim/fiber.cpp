// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/sim/fiber.hpp"

#include <cxxabi.h>

#include <boost/context/detail/fcontext.hpp>
#include <cstring>
#include <utility>

#include "sheaf/base/ambient.hpp"
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

}  // namespace

void flow_state::exchange() noexcept {
  auto* const now = reinterpret_cast<exception_globals*>(abi::__cxa_get_globals());
  std::swap(now->caught, caught);
  std::swap(now->uncaught, uncaught);
  std::swap(ambient_location, ambient);
}

struct fiber::entry {
  static void start(context::transfer_t from) {
    auto* const self = static_cast<fiber*>(from.data);
    self->resumer_ = from.fctx;
    self->enter();
    self->run_(self->argument_);
    self->leave(true);
  }
};

void fiber::prepare(std::span<std::byte> stack, function run, void* argument) noexcept {
  stack_ = stack;
  run_ = run;
  argument_ = argument;
  state_ = {};
  fake_stack_ = nullptr;
  context_ = context::make_fcontext(stack.data() + stack.size(), stack.size(), &entry::start);
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

}  // namespace sheaf::detail
