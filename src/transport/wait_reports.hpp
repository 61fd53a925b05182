// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sheaf::detail {

/// A call that waits in another one. Calls are named by who issued them, and a number there; 0 names none.
struct call_report {
  std::uint32_t caller = 0;
  std::uint64_t answers = 0;  ///< the call of the caller's that ends with this wait
  std::uint64_t awaits = 0;   ///< the call of this location's that the wait is for
};

/// One wait of a location; or several coroutines' that are alike.
struct wait_report {
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};

  std::string in{};                    ///< the method that waits and its caller; empty: the program
  std::string text{};                  ///< the function that waits, where it was called, and what it waits for
  std::uint32_t on = nobody;           ///< the location that it waits for
  bool on_anybody = false;             ///< any other location would do
  std::uint32_t team = nobody;         ///< the team whose members it waits for
  std::vector<std::uint32_t> those{};  ///< its members
  bool on_requests = false;            ///< and for the requests on its objects
  std::uint64_t count = 1;             ///< how many coroutines
  std::vector<call_report> calls{};    ///< the first of them
};

/// Requests from one location to another: `created` and `sent` in reports of the origin, the others of the destination.
struct link_report {
  std::uint32_t peer = 0;
  std::uint64_t created = 0, sent = 0, received = 0, executed = 0;
};

/// One team of a location.
struct team_report {
  std::uint32_t id = 0;
  std::uint32_t begun = 0;  ///< collective operations
  std::uint64_t sent = 0, executed = 0, awaited = 0;
  std::uint32_t mark = 0;  ///< of the last of `begun`; members whose marks differ have called different ones
};

/// What one location says of itself.
struct location_report {
  std::uint32_t location = 0;
  std::uint64_t asked = 0;               ///< the number of the question that this answers
  std::uint64_t activity = 0;            ///< of `location`, when it says this
  std::vector<wait_report> waits{};      ///< outermost first; none: its program runs, or polls
  std::vector<wait_report> suspended{};  ///< coroutines, in no order, and attached threads
  std::uint64_t more_suspended = 0;      ///< coroutines that are not in it
  std::vector<team_report> teams{};
  std::vector<link_report> links{};      ///< those that were used
  std::vector<std::uint32_t> stalled{};  ///< locations whose requests stand behind one that is held here
  bool passes_on = false;                ///< requests went by routes here, where links are not pairs
  std::string kept{};  ///< lines about requests whose object does not exist here, and exceptions that no fence has told
};

/// Whether each pair with requests not received has one held at its destination, behind which the others stand. Not
/// known, and false, with routes.
bool all_stand_behind_held(std::vector<location_report> const& all);

/// The page that explains what is printed here; its headings are named behind a #.
inline constexpr char const* insight_page = "docs/guide/insight.md";

/// "0, 2, 5": 16 of them at most, and how many more.
std::string listed(std::vector<std::uint32_t> const& numbers);

/// One location's waits, a line for each behind a newline, its coroutines, and what it holds. With several reports in
/// `all`, also which of them a collective waits for; `complete`: who is not there has left the job.
std::string waits_text(location_report const& one, std::vector<location_report> const& all, bool complete = true);

/// One location's answer to a signal: its waits, or that it polls, and its counts of each pair. Ends with a newline.
std::string own_state_text(location_report const& one);

/// What location 0 of a running job prints after a signal: `text_of_waits` of those that have answered, and who has
/// not. `all` is as long as the job, and default in the places of those. Ends with a newline.
std::string job_state_text(std::vector<location_report> all);

/// Who waits for whom, a cycle if there is one, and the counts of the pairs that were used, those that differ first: so
/// many as a reader can take in. Lines, each behind a newline. `all` is in the order of locations; those that have left
/// the job may be missing, and where it is not `complete` others, too.
std::string text_of_waits(std::vector<location_report> const& all, bool complete = true);

}  // namespace sheaf::detail
