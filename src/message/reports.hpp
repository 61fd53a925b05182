// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "sheaf/async/detail/task_frame.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/message/statistics.hpp"
#include "sheaf/message/team_state.hpp"
#include "transport/wait_reports.hpp"

namespace sheaf::detail {

/// Whom the futures of a location ask.
class asked_calls {
 public:
  /// As it is now.
  explicit asked_calls(open_calls const& calls);

  struct question {
    asked_of of;
    std::uint64_t call = 0;  ///< 0: none that the other side could name
  };
  /// Null: the state awaits no answer.
  [[nodiscard]] question const* find(future_state_base const& state) const;

 private:
  std::unordered_map<void const*, question> all_;  // by state
};

/// ", called at app.cpp:41,", or nothing where that is not known.
std::string place(call_site const& from);

/// What a wait is for, as the lines of reports have it.
struct awaited_text {
  std::string text{};                     ///< " for location 1's answer to …"
  std::uint32_t on = wait_site::several;  ///< the location that is waited for
  std::uint64_t call = 0;                 ///< the call whose answer it is
  /// The team whose members are waited for, in a collective operation.
  std::uint32_t team = wait_report::nobody;
};
awaited_text purpose(wait_site const& site, asked_calls const& asked);

/// The method that a coroutine is, and who called it.
std::string coroutine_text(frame_origin const& of);

/// The coroutines of the list that are suspended, those that wait alike in one line.
void report_suspended(frame_list const& list, asked_calls const& asked, location_report& to);

/// What a location says of itself. Nothing is sent.
class reports {
 public:
  explicit reports(location const& here) : here_(here), out_(here.out()), in_(here.in_) {}

  /// What it waits for, from its outermost wait inwards, and its counts per pair.
  void add_to(location_report& to) const;
  /// What it has counted. Costs a pass over its links.
  [[nodiscard]] sheaf::statistics statistics() const;
  /// Entries of requests sent from here whose credit has not come back, less those received here and not consumed.
  /// Added up over all locations it is 0 only when no credit is under way.
  [[nodiscard]] std::uint64_t unsettled_requests() const;

 private:
  void add_waits(asked_calls const& asked, location_report& to) const;
  [[nodiscard]] std::vector<outbox const*> boxes_for(std::uint32_t dest) const;
  [[nodiscard]] std::uint64_t unsent(std::uint32_t dest) const;
  [[nodiscard]] std::uint64_t unexecuted(std::uint32_t source) const;
  [[nodiscard]] std::vector<std::uint32_t> peers() const;
  [[nodiscard]] link_report link_to(std::uint32_t peer) const;

  location const& here_;
  sender& out_;
  executor const& in_;
};

}  // namespace sheaf::detail
