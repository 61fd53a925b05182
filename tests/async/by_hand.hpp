// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <string>

#include "sheaf/async/detail/task_frame.hpp"
#include "sheaf/async/future.hpp"

/// What layers above do for futures and tasks, done by hand: no location, no communication.
namespace sheaf_test {

/// Continuations whose turn has not come, how often anybody waited, and the coroutines that no task owns.
struct turn {
  void (*run)(void*);
  void* context;
};
inline std::deque<turn> due;
inline int waits = 0;
inline int polls = 0;
inline void (*on_wait)() = nullptr;
inline sheaf::detail::frame_list kept;

inline void work() {
  while (!due.empty()) {
    turn const next = due.front();
    due.pop_front();
    next.run(next.context);
  }
}

inline constexpr sheaf::detail::future_services services{
    [](sheaf::detail::future_state_base&, sheaf::call_site) {
      ++waits;
      if (on_wait != nullptr) on_wait();
    },
    [] { ++polls; },
    [](void (*run)(void*), void* context, sheaf::detail::task_frame const*, std::uint64_t) {
      due.push_back({run, context});
    },
    [] { return std::uint64_t{0}; },
    [](void* context) noexcept { std::erase_if(due, [&](turn const& t) { return t.context == context; }); },
    [](sheaf::detail::task_frame& frame) { kept.add(frame); },
    [](sheaf::detail::task_frame& frame, void (*run)(void*)) {
      kept.add(frame);
      due.push_back({run, &frame});
    }};

template <class T>
struct promise {
  promise() : state(new sheaf::detail::future_state<T>) {
    state->dispose = [](sheaf::detail::future_state_base& s) noexcept {
      delete static_cast<sheaf::detail::future_state<T>*>(&s);
    };
    state->services = &services;
    state->acquire();
  }
  ~promise() { drop(state); }
  sheaf::future<T> get() { return sheaf::future<T>(state); }
  sheaf::detail::future_state<T>* state;
};

struct by_hand : testing::Test {
  by_hand() {
    due.clear();
    waits = 0;
    on_wait = nullptr;
  }
  ~by_hand() override { EXPECT_TRUE(kept.empty()); }
};

}  // namespace sheaf_test
