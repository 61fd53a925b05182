// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sheaf::detail {

class location;

/// What belongs to a flow of control besides its stack and registers: the exceptions it is handling, how many are on
/// their way, and its ambient location. Exchanged at each switch.
struct flow_state {
  void* caught = nullptr;
  unsigned uncaught = 0;
  location* ambient = nullptr;

  /// Makes this the thread's state and keeps what was the thread's.
  void exchange() noexcept;
};

/// A function that runs on its own stack and can stop in the middle. Resumed by one thread at a time; `resume` returns
/// when the function suspends or ends. A fiber that has not ended is not unwound when it is destroyed.
class fiber {
 public:
  using function = void (*)(void* argument) noexcept;

  fiber& operator=(fiber&&) = delete;
  ~fiber();

  /// Makes `run(argument)` the fiber's function, started by the next resume. The fiber must have ended or be new.
  void prepare(std::span<std::byte> stack, function run, void* argument) noexcept;

  void resume() noexcept;   ///< from outside the fiber
  void suspend() noexcept;  ///< from inside the fiber
  [[nodiscard]] bool ended() const noexcept { return context_ == nullptr; }

 private:
  void enter() noexcept;
  void leave(bool for_good) noexcept;

  void* context_ = nullptr;  // where to continue the fiber
  void* resumer_ = nullptr;  // where to continue its resumer
  function run_ = nullptr;
  void* argument_ = nullptr;
  flow_state state_;
  std::span<std::byte> stack_;
  // What the sanitizers keep for either side; unused without them.
  [[maybe_unused]] void* fake_stack_ = nullptr;
  [[maybe_unused]] void const* resumer_stack_ = nullptr;
  [[maybe_unused]] std::size_t resumer_bytes_ = 0;
  [[maybe_unused]] void* race_fiber_ = nullptr;
  [[maybe_unused]] void* race_resumer_ = nullptr;
};

/// Stacks of equal size in one mapping, a page without access below each: running off a stack is a fault. Each such
/// page takes two of vm.max_map_count; where there are more stacks, it has access, and if touched ends the process at
/// the end of the run. Pages are committed when first touched and stay so until destruction.
class fiber_stacks {
 public:
  /// Throws option_error where the machine cannot map that many.
  fiber_stacks(std::uint32_t count, std::size_t stack_bytes);
  fiber_stacks& operator=(fiber_stacks&&) = delete;
  ~fiber_stacks();  ///< ends the process where a stack was run off

  /// The `index`-th stack, lowest address first; without its guard. For a new fiber: the last one on it has ended.
  [[nodiscard]] std::span<std::byte> stack(std::uint32_t index) const noexcept;

 private:
  std::uint32_t count_ = 0;
  bool guarded_ = true;
  std::size_t guard_bytes_ = 0;
  std::size_t stride_ = 0;
  std::size_t total_ = 0;
  std::byte* base_ = nullptr;
};

}  // namespace sheaf::detail
