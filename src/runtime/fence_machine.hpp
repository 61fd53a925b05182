// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <utility>

#include "runtime/wave.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"

namespace sheaf::detail {

/// What a cut tells beside its balance.
enum cut_flag : std::uint8_t {
  cut_late = 1,   ///< executed, since the last cut, a request that was sent after its sender's next cut
  cut_error = 2,  ///< a handler of the team threw here since the last fence
  cut_moved = 4,  ///< sent or executed something since the last fence
};

/// Whether an exception of the scope's handlers is kept here; for the world, of any team's.
bool keeps_errors(location& here, team_state& team, scope_counts& of);

/// Whether split-phase collectives of the team are open here; for the world, of any team.
bool has_begun(location& here, team_state& team);

/// Asks the program for this member's value. Throws usage_error where it sends something instead.
void take_value(location& here, team_state const& team, fence_value& value);

/// The termination detector, in the decisions that make it right; docs/internals/fence.md proves it.
struct sound_detector {
  static constexpr int most_steps = 4096;

  /// Executes what is there. Whether the member may take its cut then; if not, it steps, and may rest. Not in handlers.
  ///
  /// The first cut is taken without a look where the last fence found that nobody had done anything, and nothing has
  /// happened here since. The look has an end, since what belongs to no scope may go on for ever beside its fence.
  static bool settled(location& here, team_state& team, scope_counts& of) {
    bool const calm = std::exchange(of.calm, false) && progress(here, of) == of.fenced_at;
    if (calm && here.in().quiet(team)) return true;
    for (int left = most_steps; left != 0;) {
      while (left != 0 && here.step()) --left;
      if (here.out().empty()) break;
      here.out().flush(flush_reason::fence);
      if (!here.out().empty()) return false;  // credit must come first
    }
    return here.in().quiet(team);
  }

  /// A number that changes with whatever the next cut would tell.
  static std::uint64_t progress(location&, scope_counts const& of) { return of.sent + of.executed; }

  static wave_sum cut(location& here, team_state& team, scope_counts& of) {
    wave_sum own{of.sent - of.executed, 0};
    if (of.late) own.flags |= cut_late;
    if (keeps_errors(here, team, of)) own.flags |= cut_error;
    if (progress(here, of) != of.fenced_at) own.flags |= cut_moved;
    of.late = false;
    ++of.colour;
    here.in().look_at_held();
    return own;
  }

  static bool ends(wave_sum const& sum) { return sum.balance == 0 && (sum.flags & cut_late) == 0; }
};

/// One member's part of one fence, of the team or of one of its scopes.
template <class Detector>
class fence_machine {
 public:
  explicit fence_machine(collective_call const& call, fence_value* value = nullptr)
      : operation_(call),
        wave_(operation_, value),
        value_(value),
        scope_(call.scope),
        of_(operation_.team().counts_of(scope_)) {}

  /// Goes on with what has arrived; may execute requests. True: none of the team is left anywhere. Not in handlers.
  bool advance() {
    while (true) {
      if (!cut_taken_ && !take_cut()) return false;
      if (!wave_.advance()) return false;
      if (Detector::ends(wave_.sum())) break;
      cut_taken_ = false;
    }
    of_.calm = waves_ == 1 && (wave_.sum().flags & cut_moved) == 0;
    of_.fenced_at = progress_;
    return true;
  }

  /// Once ended: whether any member keeps an error.
  [[nodiscard]] bool error() const { return (wave_.sum().flags & cut_error) != 0; }

 private:
  /// After a wave that did not end the fence, the member whose counts change begins the next one, and the others
  /// follow; so waves do not go round while nothing happens. Where somebody was late all begin it: with colours modulo
  /// 4 or 256 a request may count as late that was on its way for so many waves, and then no counts need to change.
  bool take_cut() {
    location& here = operation_.here();
    team_state& team = operation_.team();
    bool const late = (wave_.sum().flags & cut_late) != 0;
    if (waves_ != 0 && !late && Detector::progress(here, of_) == progress_ && !wave_.called()) return false;
    if (!Detector::settled(here, team, of_) || (scope_ == 0 && has_begun(here, team))) return false;
    progress_ = Detector::progress(here, of_);
    if (value_ != nullptr) take_value(here, team, *value_);
    wave_.begin(Detector::cut(here, team, of_));
    // wait_for_request must not count requests of before this fence. Those after this cut may be of the next phase.
    if (scope_ == 0) here.in().forget_requests();
    ++waves_;
    cut_taken_ = true;
    return true;
  }

  operation operation_;
  wave wave_;
  fence_value* const value_;
  std::uint32_t const scope_;
  scope_counts& of_;
  bool cut_taken_ = false;
  std::uint64_t progress_ = 0;  // at the last cut
  std::uint64_t waves_ = 0;     // cuts taken
};

}  // namespace sheaf::detail
