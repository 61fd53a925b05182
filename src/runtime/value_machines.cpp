// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "runtime/value_machines.hpp"

#include <bit>
#include <utility>

namespace sheaf::detail {
namespace {

constexpr std::uint8_t up = 0;
constexpr std::uint8_t down = 1;
constexpr std::uint8_t first_round = 2;

}  // namespace

tree_place place_from(std::uint32_t root, operation const& of) {
  team_state const& team = of.team();
  std::uint32_t const from_root = team.rank >= root ? team.rank - root : team.rank + team.size() - root;
  return {from_root, team.size(), of.form().arity};
}

std::uint32_t rank_at(std::uint32_t place, std::uint32_t root, operation const& of) {
  std::uint32_t const size = of.team().size();
  return place < size - root ? place + root : place - (size - root);
}

broadcast_machine::broadcast_machine(location& here, team_state& team, std::uint32_t root, encoded& value)
    : operation_(here, team, collective_kind::broadcast),
      root_(root),
      place_(place_from(root, operation_)),
      value_(&value) {}

broadcast_machine::broadcast_machine(location& here, team_state& team, std::uint32_t root, std::span<std::byte> value)
    : operation_(here, team, collective_kind::broadcast),
      root_(root),
      place_(place_from(root, operation_)),
      fixed_value_(value) {}

bool broadcast_machine::advance() {
  if (!place_.is_root() && !take()) return false;
  std::span<std::byte const> const value = value_ != nullptr ? std::span<std::byte const>(*value_) : fixed_value_;
  for (std::uint32_t i = 0; i < place_.children(); ++i)
    operation_.send(rank_at(place_.child(i), root_, operation_), 0, down, value);
  return true;
}

bool broadcast_machine::take() {
  if (value_ == nullptr) return operation_.take(0, down, fixed_value_);
  return operation_.take_from(rank_at(place_.parent(), root_, operation_), down, *value_);
}

reduce_machine::reduce_machine(location& here, team_state& team, encoded& value, encoded_operation op)
    : operation_(here, team, collective_kind::reduce),
      place_(team.rank, team.size(), operation_.form().arity),
      value_(value),
      op_(op),
      rank_(team.rank),
      doublers_(std::bit_floor(team.size())),
      pairs_(team.size() - doublers_) {}

bool reduce_machine::advance_tree() {
  for (; heard_ < place_.children(); ++heard_) {
    if (!operation_.take_from(place_.child(heard_), up, theirs_)) return false;
    op_.combine(op_.op, value_, theirs_);
  }
  if (!place_.is_root()) {
    if (!sent_) operation_.send(place_.parent(), 0, up, value_);
    sent_ = true;
    if (!operation_.take_from(place_.parent(), down, value_)) return false;
  }
  for (std::uint32_t i = 0; i < place_.children(); ++i) operation_.send(place_.child(i), 0, down, value_);
  return true;
}

bool reduce_machine::advance_doubling() {
  if (stage_ == stage::fold && !fold()) return false;
  if (stage_ == stage::rounds && !exchange()) return false;
  return unfold();
}

/// The odd member of a pair has the even one stand for it.
bool reduce_machine::fold() {
  stage_ = stage::rounds;
  if (rank_ >= 2 * pairs_) return true;
  if (rank_ % 2 == 1) {
    operation_.send(rank_ - 1, 0, up, value_);
    stage_ = stage::unfold;
    return true;
  }
  stage_ = stage::fold;
  if (!operation_.take_from(rank_ + 1, up, theirs_)) return false;
  add(theirs_, false);
  stage_ = stage::rounds;
  return true;
}

bool reduce_machine::exchange() {
  std::uint32_t const mine = rank_ < 2 * pairs_ ? rank_ / 2 : rank_ - pairs_;
  auto step = static_cast<std::uint8_t>(first_round + std::countr_zero(distance_));
  for (; distance_ < doublers_; distance_ *= 2, ++step) {
    std::uint32_t const other = mine ^ distance_;
    std::uint32_t const rank = other < pairs_ ? 2 * other : other + pairs_;
    if (!sent_) operation_.send(rank, 0, step, value_);
    sent_ = true;
    if (!operation_.take_from(rank, step, theirs_)) return false;
    add(theirs_, other < mine);
    sent_ = false;
  }
  stage_ = stage::unfold;
  return true;
}

bool reduce_machine::unfold() {
  if (rank_ >= 2 * pairs_) return true;
  if (rank_ % 2 == 1) return operation_.take_from(rank_ - 1, down, value_);
  operation_.send(rank_ + 1, 0, down, value_);
  return true;
}

void reduce_machine::add(encoded& theirs, bool from_below) {
  if (!from_below) return op_.combine(op_.op, value_, theirs);
  op_.combine(op_.op, theirs, value_);
  value_.swap(theirs);
}

reduce_to_one_machine::reduce_to_one_machine(location& here, team_state& team, collective_kind kind, std::uint32_t root,
                                             encoded& value, encoded_operation op)
    : operation_(here, team, kind), root_(root), place_(place_from(root, operation_)), value_(value), op_(op) {
  sum_.add(std::move(value), team.rank >= root, op);
}

bool reduce_to_one_machine::advance() {
  for (; heard_ < place_.children(); ++heard_) {
    std::uint32_t const child = rank_at(place_.child(heard_), root_, operation_);
    if (!operation_.take_from(child, up, theirs_)) return false;
    sum_.add(theirs_, op_);
  }
  if (place_.is_root()) {
    value_ = sum_.take(op_);
  } else {
    operation_.send(rank_at(place_.parent(), root_, operation_), 0, up, sum_.to_send());
  }
  return true;
}

exchange_machine::exchange_machine(location& here, team_state& team, collective_kind kind, std::vector<encoded>& values)
    : operation_(here, team, kind), values_(values) {}

/// Each begins with its neighbour, so that not all send to the same member at a time.
bool exchange_machine::advance() {
  std::uint32_t const me = operation_.team().rank, size = operation_.team().size();
  if (!sent_) {
    for (std::uint32_t i = 1; i < size; ++i) operation_.send((me + i) % size, 0, up, values_[(me + i) % size]);
    sent_ = true;
  }
  for (; next_ < size; ++next_) {
    std::uint32_t const rank = (me + size - next_) % size;
    if (!operation_.take_from(rank, up, values_[rank])) return false;
  }
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
