// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <vector>

#include "sheaf/message/location.hpp"

namespace sheaf::detail {

/// One location's part in finding out that all have stopped.
///
/// A location whose reserve is over its cap executes no requests (except where it waits for an answer), so that what it
/// holds back can drain. When all locations wait, and those that could take what is held back are stopped themselves,
/// only more reserve helps. A stopped location that finds nothing to do gives location 0 a hint. Location 0 asks all,
/// twice; each answers when it waits and finds nothing to do, with the count of what it has done. Equal counts mean
/// that at one instant, between the two questions, everybody waited with nothing to do: then the caps of those that are
/// stopped are raised by one step. A location that computes answers when it waits again, and until then nothing is
/// raised: it may take requests soon.
///
/// What is under way counts as nothing to do, so a cap may be raised a step early; never is it left where it blocks.
/// Messages travel as answers, are no progress themselves, and never wait for credit: one that finds none is offered
/// again later, so a location that leaves the job is owed nothing.
class stall_watch {
 public:
  explicit stall_watch(location& here);

  /// To be called when this location waits and has nothing to do.
  void rest();

  struct message {
    std::uint64_t activity;
    std::uint64_t held_back;  ///< bytes in the sender's reserve if that has stopped it, else 0
    std::uint32_t what;
    std::uint32_t unused = 0;
  };
  /// A message from the watch of another location.
  void arrived(std::uint32_t source, message const& m);

  /// Times that this location has asked for more reserve everywhere.
  [[nodiscard]] std::uint64_t raises() const { return raises_; }

 private:
  enum what : std::uint32_t { nothing, hint, question, answer, raise, go_on };

  /// What location 0 knows of one location, and owes it until there is credit.
  struct report {
    std::uint64_t activity = 0;
    what owed = nothing;
  };

  void begin_round();
  void take_answer(std::uint32_t source, std::uint64_t activity, std::uint64_t held_back);
  void judge();
  void warn() const;
  void take_verdict(bool more);
  void answer_question();
  void give_hint();
  bool settle_debts();
  bool offer(std::uint32_t dest, what w);
  [[nodiscard]] std::uint64_t held_back() const { return here_.stopped() ? here_.reserve_used() : 0; }

  location& here_;
  bool asked_ = false;   // a question is not answered
  bool hinted_ = false;  // a hint is given, and no verdict has come
  std::uint64_t quiet_until_ = 0;
  what owed_hint_ = nothing;  // to location 0
  what owed_answer_ = nothing;

  // Of location 0 only.
  std::vector<report> reports_;
  unsigned round_ = 0;  // 1 and 2 while questions are out
  bool hint_came_ = false;
  bool same_ = false;                 // all that answered in round 2 had done nothing since round 1
  std::uint64_t most_held_back_ = 0;  // in round 2; 0: none is stopped
  std::uint32_t holder_ = 0;          // the location that does
  std::uint32_t missing_ = 0;
  std::uint64_t raises_ = 0;
};

}  // namespace sheaf::detail
