// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/sim/fiber_stacks.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "sheaf/base/error.hpp"
#include "transport/host/sanitizers.hpp"

namespace sheaf::detail {
namespace {

// A frame of a build with sanitizers is several times as large.
constexpr std::size_t growth = SHEAF_HAS_ASAN || SHEAF_HAS_TSAN ? 4 : 1;

[[noreturn]] void refuse(std::uint32_t count, std::size_t stack_bytes) {
  throw option_error("sheaf: SHEAF_LOCATIONS=" + std::to_string(count) + " simulated locations with stacks of " +
                     std::to_string(stack_bytes) + " bytes cannot be mapped: " + std::strerror(errno) +
                     "; lower options::stack_bytes or SHEAF_LOCATIONS");
}

}  // namespace

fiber_stacks::fiber_stacks(std::uint32_t count, std::size_t stack_bytes) : count_(count) {
  auto const page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  guard_bytes_ = page;
  stride_ = page + (stack_bytes * growth + page - 1) / page * page;
  total_ = stride_ * count;
  void* const mapped =
      mmap(nullptr, total_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (mapped == MAP_FAILED) refuse(count, stack_bytes);
  base_ = static_cast<std::byte*>(mapped);
  madvise(base_, total_, MADV_NOHUGEPAGE);  // a touched page must not cost 2 MiB, nor touch a guard
  guarded_ = protect_guards();
}

/// False, and all pages have access: there are too many.
bool fiber_stacks::protect_guards() const {
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (mprotect(base_ + i * stride_, guard_bytes_, PROT_NONE) == 0) continue;
    mprotect(base_, total_, PROT_READ | PROT_WRITE);
    return false;
  }
  return true;
}

void fiber_stacks::check_guards() const noexcept {
  for (std::uint32_t i = 0; !guarded_ && i < count_; ++i) {
    unsigned char there = 0;
    if (mincore(base_ + i * stride_, guard_bytes_, &there) != 0 || (there & 1) == 0) continue;
    std::fprintf(stderr,
                 "sheaf: simulated location %u has used more than its stack of %zu bytes; raise "
                 "options::stack_bytes\n",
                 i, stride_ - guard_bytes_);
    std::abort();
  }
}

fiber_stacks::~fiber_stacks() {
  check_guards();
  permit(base_, total_);
  munmap(base_, total_);
}

std::span<std::byte> fiber_stacks::stack(std::uint32_t index) const noexcept {
  std::span<std::byte> const whole(base_ + index * stride_ + guard_bytes_, stride_ - guard_bytes_);
  permit(whole.data(), whole.size());
  return whole;
}

}  // namespace sheaf::detail
