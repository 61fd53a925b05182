// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "transport/sim/scheduler.hpp"

namespace sheaf::detail {

/// Enumerates the decisions of a plain play depth first. Every run repeats the decisions of the last one up to some
/// point, where it takes the next alternative.
///
/// Sleep sets (P. Godefroid, Partial-Order Methods for the Verification of Concurrent Systems, LNCS 1032, 1996, ch. 5):
/// once all runs that continue with a step have been made, that step sleeps in the continuations by its siblings until
/// one that does not commute with it is taken, for until then taking it leads to what was seen already. A run in which
/// every possible step sleeps is played to its end by any decisions and counts as repeated.
///
/// Steps that change different locations commute. At one location these do: credits with each other and with arrivals;
/// arrivals of different classes; a credit with a run that neither was refused nor asked for a backlog. Steps that
/// concern a location that has returned do nothing and always sleep.
class explorer final : public schedule, public step_chooser {
 public:
  void start_run() noexcept;
  void finish_run() noexcept { note_effect(); }
  std::uint32_t choose(std::uint32_t alternatives) override;
  std::uint32_t choose_step(step_set const& possible) override;

  /// Moves on to the next decisions. False: there are none left.
  bool next();

  /// The last run took all decisions that it was to repeat, among the same alternatives.
  [[nodiscard]] bool repeatable() const noexcept { return repeatable_ && depth_ >= path_.size(); }
  [[nodiscard]] bool redundant() const noexcept { return redundant_; }
  /// The decisions of the last run, for replay_schedule.
  [[nodiscard]] std::string choices() const { return replay_schedule(choices_).text(); }
  [[nodiscard]] std::string describe() const override { return replay_schedule(choices_).describe(); }

 private:
  /// One decision. A decision on steps has its labels in `labels_`: from `first` on the `alternatives` possible ones,
  /// then those asleep, up to the next decision's `first`.
  struct decision {
    std::uint32_t taken = 0;
    std::uint32_t alternatives = 0;
    bool on_steps = false;
    bool watched = false;  ///< the taken step does not commute with what watched links do
    std::size_t first = 0;
  };

  std::uint32_t repeat_step(step_set const& possible);
  std::uint32_t new_step(step_set const& possible);
  std::uint32_t take(std::uint32_t taken, std::uint32_t alternatives);
  std::uint32_t take_any(std::uint32_t alternatives);
  void note_effect() noexcept;
  void put_to_sleep(step_set const& possible);
  [[nodiscard]] std::uint64_t inherited(step const& s, std::size_t end) const noexcept;
  [[nodiscard]] std::uint64_t sleeper_of(decision const& d, std::uint64_t label, std::size_t end) const noexcept;
  [[nodiscard]] std::uint32_t first_awake(decision const& d, std::uint32_t from) const noexcept;

  std::vector<decision> path_;
  std::vector<std::uint64_t> labels_;
  std::vector<std::uint32_t> choices_;  ///< of this run, where there was more than one alternative
  std::size_t depth_ = 0;
  std::size_t last_step_ = none;  ///< index in path_ of the decision on the step that was taken last
  step const* last_taken_ = nullptr;
  std::uint32_t turn_ = 0;
  bool last_watched_ = false;
  bool redundant_ = false;
  bool repeatable_ = true;

  static constexpr std::size_t none = ~std::size_t{0};
};

}  // namespace sheaf::detail
