// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "runtime/value_machines.hpp"

namespace sheaf::detail {
namespace {

constexpr std::uint8_t up = 0;
constexpr std::uint8_t down = 1;

}  // namespace

broadcast_machine::broadcast_machine(location& here, team_state& team, std::uint32_t root, encoded& value)
    : operation_(here, team, collective_kind::broadcast),
      root_(root),
      place_((team.rank + team.size() - root) % team.size(), team.size(), operation_.form().arity),
      value_(value) {}

bool broadcast_machine::advance() {
  if (!place_.is_root() && !operation_.take_from(rank_of(place_.parent()), down, value_)) return false;
  for (std::uint32_t i = 0; i < place_.children(); ++i) operation_.send(rank_of(place_.child(i)), 0, down, value_);
  return true;
}

reduce_machine::reduce_machine(location& here, team_state& team, encoded& value, encoded_operation op)
    : operation_(here, team, collective_kind::reduce),
      place_(team.rank, team.size(), operation_.form().arity),
      value_(value),
      op_(op) {}

bool reduce_machine::advance() {
  encoded theirs;
  for (; heard_ < place_.children(); ++heard_) {
    if (!operation_.take_from(place_.child(heard_), up, theirs)) return false;
    op_.combine(op_.op, value_, theirs);
  }
  if (!place_.is_root()) {
    if (!sent_) operation_.send(place_.parent(), 0, up, value_);
    sent_ = true;
    if (!operation_.take_from(place_.parent(), down, value_)) return false;
  }
  for (std::uint32_t i = 0; i < place_.children(); ++i) operation_.send(place_.child(i), 0, down, value_);
  return true;
}

scan_machine::scan_machine(location& here, team_state& team, encoded& value, encoded_operation op)
    : operation_(here, team, collective_kind::scan),
      place_(team.rank, team.size(), operation_.form().arity),
      value_(value),
      op_(op),
      own_(value) {}

bool scan_machine::advance() {
  if (!sent_ && !gather()) return false;
  if (!place_.is_root() && !operation_.take_from(place_.parent(), down, value_)) return false;
  pass_on();
  return true;
}

/// Sums of the subtrees, upwards.
bool scan_machine::gather() {
  encoded theirs;
  while (sums_.size() < place_.children()) {
    auto const child = place_.child(static_cast<std::uint32_t>(sums_.size()));
    if (!operation_.take_from(child, up, theirs)) return false;
    op_.combine(op_.op, value_, theirs);
    sums_.push_back(std::move(theirs));
  }
  if (!place_.is_root()) operation_.send(place_.parent(), 0, up, value_);
  sent_ = true;
  return true;
}

/// To each child what comes before its subtree.
void scan_machine::pass_on() {
  encoded before = own_;
  if (!place_.is_root()) {
    before = value_;
    op_.combine(op_.op, before, own_);
  }
  for (std::uint32_t i = 0; i < place_.children(); ++i) {
    operation_.send(place_.child(i), 0, down, before);
    if (i + 1 < place_.children()) op_.combine(op_.op, before, sums_[i]);
  }
}

}  // namespace sheaf::detail
