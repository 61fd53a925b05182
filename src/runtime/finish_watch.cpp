// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "runtime/finish_watch.hpp"

#include <cstdint>

namespace sheaf::detail {

void finish_watch::set(location_id l, state s) {
  std::lock_guard const lock(mutex_);
  locations_[number(l)] = s;
  if (s == state::done && limit_.count() != 0 && !timer_) timer_.emplace(limit_, [this] { time_is_up(); });
}

void finish_watch::begun(location_id l) { set(l, state::working); }
void finish_watch::done(location_id l) { set(l, state::done); }
void finish_watch::left(location_id l) { set(l, state::left); }

void finish_watch::ending(char const* what) {
  std::lock_guard const lock(mutex_);
  ending_ = what;
}

void finish_watch::time_is_up() {
  overdue_.store(true, std::memory_order_relaxed);
  late_(report());
}

std::string finish_watch::report() {
  std::lock_guard const lock(mutex_);
  std::string text;
  auto const add = [&](state which, char const* one, char const* several) {
    std::string list;
    std::uint32_t count = 0;
    for (auto const& [l, s] : locations_) {
      if (s == which) list += (count++ == 0 ? " " : ", ") + std::to_string(l);
    }
    if (count != 0) text += (count == 1 ? "location" : "locations") + list + (count == 1 ? one : several) + "; ";
  };
  add(state::working, " has not come out of the last fence", " have not come out of the last fence");
  add(state::done, " has not come out of its end in Sheaf", " have not come out of their end in Sheaf");
  bool const all_left = text.empty();
  return all_left ? std::string("all its locations have ended, and it ") + ending_ : text.substr(0, text.size() - 2);
}

}  // namespace sheaf::detail
