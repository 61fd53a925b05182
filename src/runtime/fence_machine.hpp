// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <utility>

#include "runtime/detectors.hpp"
#include "runtime/wave.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"

namespace sheaf::detail {

/// Whether split-phase collectives of the team are open here; for the world, of any team.
bool has_begun(location& here, team_state& team);

/// Asks the program for this member's value. Throws usage_error where it sends something instead.
void take_value(location& here, team_state const& team, fence_value& value);

/// One member's part of one fence, of the team or of one of its scopes.
template <class Detector>
class fence_machine {
 public:
  explicit fence_machine(collective_call const& call, fence_value* value = nullptr)
      : operation_(call),
        wave_(operation_, detector_.begin(call.how, value)),
        value_(value),
        scope_(call.scope),
        of_(operation_.team().counts_of(scope_)) {}

  /// Goes on with what has arrived; may execute requests. True: none of the team is left anywhere. Not in handlers.
  bool advance() {
    while (true) {
      if (!cut_taken_ && !take_cut()) return false;
      if (!gather() || !wave_.advance()) return false;
      if (detector_.ends(wave_.sum())) break;
      cut_taken_ = wave_begun_ = false;
    }
    of_.calm = waves_ == 1 && (wave_.sum().flags & cut_moved) == 0;
    of_.fenced_at = progress_;
    return true;
  }

  [[nodiscard]] std::uint64_t waves() const { return waves_; }

  /// Once ended: whether any member keeps an error.
  [[nodiscard]] bool error() const { return (wave_.sum().flags & cut_error) != 0; }

 private:
  /// After a wave that did not end the fence, the member whose counts change begins the next one, and the others
  /// follow; so waves do not go round while nothing happens. Where the detector repeats all begin it: with colours
  /// modulo 4 or 256 a request may count as late that was on its way for so many waves, and then no counts need change.
  bool take_cut() {
    location& here = operation_.here();
    team_state& team = operation_.team();
    all_begin_ = waves_ == 0 || detector_.repeats(wave_.sum());
    if (!all_begin_ && Detector::progress(here, of_) == progress_ && !wave_.called()) return false;
    if (!detector_.settled(here, team, of_) || (scope_ == 0 && has_begun(here, team))) return false;
    progress_ = Detector::progress(here, of_);
    if (value_ != nullptr) take_value(here, team, *value_);
    told_ = detector_.cut(here, team, of_);
    // wait_for_request must not count requests of before this fence. Those after this cut may be of the next phase.
    if (scope_ == 0) here.in().forget_requests();
    ++waves_;
    cut_taken_ = true;
    return true;
  }

  /// Whether the wave has begun here.
  bool gather() {
    cut_of const at{operation_, of_, static_cast<std::uint16_t>(waves_ - 1)};
    detector_.serve(at);
    if (wave_begun_) return true;
    if (!detector_.gather(at, told_)) return false;
    wave_.begin(told_, all_begin_);
    return wave_begun_ = true;
  }

  Detector detector_{};
  operation operation_;
  wave wave_;
  fence_value* const value_;
  std::uint32_t const scope_;
  scope_counts& of_;
  wave_sum told_{};  // by the last cut
  bool all_begin_ = true, cut_taken_ = false, wave_begun_ = false;
  std::uint64_t progress_ = 0;  // at the last cut
  std::uint64_t waves_ = 0;     // cuts taken
};

}  // namespace sheaf::detail
