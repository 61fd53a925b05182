// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"
#include "transport/wait_reports.hpp"

namespace sheaf::detail {

/// One location's part in finding out that all have stopped: because reserves are used up, or for good.
///
/// A location whose reserve is over its cap executes no requests, so that what it holds back can drain; once all wait,
/// only more reserve helps. A stopped location that finds nothing to do gives location 0 a hint. That asks all, twice;
/// each answers when it rests, with the count of what it has done. Equal counts mean that at one instant in between
/// everybody rested with nothing to do: the caps of the stopped are raised by one step (perhaps early).
///
/// The watchdog asks the same after location 0 has rested for its interval. Where nobody is stopped, all wait, nobody
/// expects anything from outside, and all have received what all have sent (where somebody waits for credit: and have
/// given back all that senders lack), that is a deadlock: location 0 asks all what they wait for, and throws deadlock.
/// Requests that stand behind held ones, whose objects are not registered, count as nothing (docs/design/watchdog.md).
///
/// Messages travel as answers, are no progress, are in no count but the entries and bytes of their pair, and never wait
/// for credit: one that finds none is offered again later, so a location that leaves the job is owed nothing.
class stall_watch {
 public:
  explicit stall_watch(location& here);

  /// Called when this location has nothing to do. Until when it may sleep; 0: any time. Throws deadlock.
  std::uint64_t rest();

  struct message {
    std::uint64_t activity;   ///< of `tell`: the number of the survey
    std::uint64_t held_back;  ///< bytes that the sender holds back if that has stopped it, else 0
    std::uint32_t requests;   ///< entries of requests sent, less those received
    std::uint32_t answers;    ///< the same of answers
    std::uint64_t unsettled;  ///< requests' entries whose credit has not come back, less those that are not consumed
    std::uint32_t what;
    std::uint32_t state;  ///< of `condition`
  };
  /// A message from the watch of another location.
  void arrived(std::uint32_t source, message const& m);
  /// What another location waits for.
  void arrived(location_report told);

  /// Times that this location has asked all, twice, whether that is a deadlock.
  [[nodiscard]] std::uint64_t looks() const { return looks_; }

 private:
  /// `wish`: that location 0 prints what all wait for.
  enum what : std::uint32_t { nothing, hint, question, answer, raise, go_on, look, tell, wish };

  /// What keeps a location that rests from standing still; and whether what it holds back for others would stop it.
  enum condition : std::uint32_t { runs = 1, expects = 2, lacks_credit = 4, owes_answers = 8, floods_others = 16 };

  /// What location 0 knows of one location, and owes it until there is credit.
  struct report {
    std::uint64_t activity = 0;
    what owed = nothing;
    std::vector<std::uint64_t> surveys;  // that it is to be asked to take part in
  };

  /// What all have been asked for, and what has come.
  struct survey {
    std::uint64_t number = 0;  // 0: none is under way
    std::vector<location_report> states;
    std::uint32_t missing = 0;
  };

  /// What few jobs ever need.
  struct surveys {
    survey judged;                          // of round 3, or whether what is under way can come
    std::vector<std::uint64_t> activities;  // of the rounds before, in the second case
    survey printed;                         // for a signal, at `print_at`; beside the rounds
    std::uint64_t begun = 0;
    std::uint64_t print_at = 0;
  };

  /// What the answers of a round add up to.
  struct sum {
    std::uint64_t most_held_back = 0;         // 0: none is stopped
    std::uint32_t holder = 0;                 // the location that does
    std::uint32_t requests = 0, answers = 0;  // under way
    std::uint64_t unsettled = 0;
    std::uint32_t state = 0;
    bool same = true;  // all that answered had done nothing since the last round
  };

  [[nodiscard]] bool due();
  void begin_round(what asked);
  void take_answer(std::uint32_t source, message const& m);
  void judge();
  [[nodiscard]] bool only_requests_can_come() const;
  [[nodiscard]] bool doubts_are_over() const;
  void wonder();
  void warn() const;
  void take_verdict(bool more);
  void take(std::uint32_t source, message const& m);
  void tell_first(what w);
  void tell_state();
  bool settle_debts();
  bool offer(std::uint32_t dest, what w, std::uint64_t of_survey = 0);
  [[nodiscard]] message say(what w);
  [[nodiscard]] std::uint64_t held_back() const { return here_.in().stopped() ? here_.out().held.excess() : 0; }
  void begin_survey(survey surveys::*which);
  [[noreturn]] void blame();
  std::uint64_t see_to_printing();

  location& here_;
  what asked_ = nothing;  // a question that is not answered
  bool hinted_ = false;   // a hint is given, and no verdict has come
  std::uint64_t quiet_until_ = 0;
  std::uint32_t owed_ = 0;                // to location 0: a bit for each `what`
  std::vector<std::uint64_t> to_answer_;  // surveys
  std::uint64_t own_sent_ = 0;            // entries of this watch
  std::uint64_t own_received_ = 0;

  // Of location 0 only.
  std::uint64_t const interval_;  // of the watchdog; 0: it is off
  std::uint64_t next_look_ = 0;
  std::uint64_t seen_activity_ = 0;
  std::uint64_t looks_ = 0;
  bool behind_held_ = false;   // what is under way stands behind held requests
  std::uint32_t strange_ = 0;  // looks in a row that found something under way, and nothing else
  std::vector<report> reports_;
  unsigned round_ = 0;                // 1 and 2 while questions are out, 3 while the states are awaited
  std::unique_ptr<surveys> surveys_;  // once there has been one
  bool wish_came_ = false;
  what round_of_ = nothing;
  bool hint_came_ = false;
  sum sum_;
  std::uint64_t unsettled_before_ = 0;  // of the first round
  std::uint32_t missing_ = 0;
  bool warned_ = false;
};

}  // namespace sheaf::detail
