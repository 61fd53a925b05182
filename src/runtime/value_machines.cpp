// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "runtime/value_machines.hpp"

#include <bit>
#include <string>
#include <utility>

namespace sheaf::detail {
namespace {

constexpr std::uint8_t up = 0;
constexpr std::uint8_t down = 1;
constexpr std::uint8_t first_round = 2;  // to 33
constexpr std::uint8_t near_up = 253;    // within a process
constexpr std::uint8_t near_down = 254;

/// For others it says nothing.
std::uint32_t place_if_acting(representatives const& parts, std::uint32_t rank) {
  return parts.acts() ? parts.place_for(rank) : 0;
}

}  // namespace

tree_place place_from(std::uint32_t root, representatives const& of, std::uint32_t arity) {
  std::uint32_t const from_root = of.place() >= root ? of.place() - root : of.place() + of.count() - root;
  return {from_root, of.count(), arity};
}

std::uint32_t rank_at(std::uint32_t place, std::uint32_t root, representatives const& of) {
  std::uint32_t const count = of.count();
  return of.rank_of(place < count - root ? place + root : place - (count - root));
}

bool follower_values::collect(operation& in, representatives const& of, encoded& value, encoded_operation op,
                              std::vector<encoded>* each) {
  for (auto const all = of.followers(); heard_ != all.size(); ++heard_) {
    encoded theirs;
    if (!in.take_from(all[heard_], near_up, theirs)) return false;
    op.add_behind(value, theirs);
    if (each != nullptr) each->push_back(std::move(theirs));
  }
  return true;
}

bool follower_values::follow(operation& in, representatives const& of, encoded& value, bool wants) {
  if (!std::exchange(sent_, true)) in.send(of.leader(), 0, near_up, value);
  return !wants || in.take_from(of.leader(), near_down, value);
}

// ---- broadcast -----------------------------------------------------------------------------------------------------

broadcast_machine::broadcast_machine(collective_call const& call, encoded* value, std::span<std::byte> fixed_value)
    : operation_(call),
      parts_(operation_.team(), false),
      root_(call.root),
      root_place_(place_if_acting(parts_, root_)),
      place_(place_from(root_place_, parts_, operation_.form().arity)),
      value_(value),
      fixed_value_(fixed_value) {}

broadcast_machine::broadcast_machine(collective_call const& call, encoded& value)
    : broadcast_machine(call, &value, {}) {}

broadcast_machine::broadcast_machine(collective_call const& call, std::span<std::byte> value)
    : broadcast_machine(call, nullptr, value) {}

bool broadcast_machine::advance() {
  std::uint32_t const own = operation_.team().rank;
  if (!parts_.acts() && own == root_) {
    send(parts_.leader(), near_up);
    return true;
  }
  if (own != root_ && !take()) return false;
  if (!parts_.acts()) return true;
  for (std::uint32_t i = 0; i < place_.children(); ++i) send(rank_at(place_.child(i), root_place_, parts_), down);
  for (std::uint32_t const rank : parts_.followers()) {
    if (rank != root_) send(rank, near_down);
  }
  return true;
}

bool broadcast_machine::take() {
  if (!parts_.acts()) return take_from(parts_.leader(), near_down);
  if (place_.is_root()) return take_from(root_, near_up);
  return take_from(rank_at(place_.parent(), root_place_, parts_), down);
}

bool broadcast_machine::take_from(std::uint32_t rank, std::uint8_t step) {
  if (value_ == nullptr) return operation_.take(0, step, fixed_value_);
  return operation_.take_from(rank, step, *value_);
}

void broadcast_machine::send(std::uint32_t rank, std::uint8_t step) {
  operation_.send(rank, 0, step, value_ != nullptr ? std::span<std::byte const>(*value_) : fixed_value_);
}

// ---- all_reduce ----------------------------------------------------------------------------------------------------

reduce_machine::reduce_machine(collective_call const& call, encoded& value, encoded_operation op)
    : operation_(call),
      parts_(operation_.team(), true),
      own_(parts_.place()),
      place_(own_, parts_.count(), operation_.form().arity),
      value_(value),
      op_(op),
      doublers_(std::bit_floor(parts_.count())),
      pairs_(parts_.count() - doublers_) {}

bool reduce_machine::advance() {
  if (!parts_.acts()) return near_.follow(operation_, parts_, value_);
  if (stage_ == stage::collect && !near_.collect(operation_, parts_, value_, op_)) return false;
  if (stage_ == stage::collect) stage_ = stage::fold;
  if (!(operation_.form().tree ? advance_tree() : advance_doubling())) return false;
  for (std::uint32_t const rank : parts_.followers()) operation_.send(rank, 0, near_down, value_);
  return true;
}

bool reduce_machine::advance_tree() {
  for (; heard_ < place_.children(); ++heard_) {
    if (!add_from(place_.child(heard_), up, false)) return false;
  }
  if (!place_.is_root()) {
    if (!sent_) send_to(place_.parent(), up);
    sent_ = true;
    if (!take_from(place_.parent(), down, value_)) return false;
  }
  for (std::uint32_t i = 0; i < place_.children(); ++i) send_to(place_.child(i), down);
  return true;
}

bool reduce_machine::advance_doubling() {
  if (stage_ == stage::fold && !fold()) return false;
  if (stage_ == stage::rounds && !exchange()) return false;
  return unfold();
}

/// The odd one of a pair has the even one stand for it.
bool reduce_machine::fold() {
  stage_ = stage::rounds;
  if (own_ >= 2 * pairs_) return true;
  if (own_ % 2 == 1) {
    send_to(own_ - 1, up);
    stage_ = stage::unfold;
    return true;
  }
  stage_ = stage::fold;
  if (!add_from(own_ + 1, up, false)) return false;
  stage_ = stage::rounds;
  return true;
}

bool reduce_machine::exchange() {
  std::uint32_t const mine = own_ < 2 * pairs_ ? own_ / 2 : own_ - pairs_;
  auto step = static_cast<std::uint8_t>(first_round + std::countr_zero(distance_));
  for (; distance_ < doublers_; distance_ *= 2, ++step) {
    std::uint32_t const other = mine ^ distance_;
    std::uint32_t const place = other < pairs_ ? 2 * other : other + pairs_;
    if (!sent_) send_to(place, step);
    sent_ = true;
    if (!add_from(place, step, other < mine)) return false;
    sent_ = false;
  }
  stage_ = stage::unfold;
  return true;
}

bool reduce_machine::unfold() {
  if (own_ >= 2 * pairs_) return true;
  if (own_ % 2 == 1) return take_from(own_ - 1, down, value_);
  send_to(own_ + 1, down);
  return true;
}

bool reduce_machine::add_from(std::uint32_t place, std::uint8_t step, bool is_below) {
  return operation_.use_from(parts_.rank_of(place), step, [&](std::span<std::byte const> theirs) {
    is_below ? op_.add_before(value_, theirs) : op_.add_behind(value_, theirs);
  });
}

// ---- reduce, gather ------------------------------------------------------------------------------------------------

reduce_to_one_machine::reduce_to_one_machine(collective_call const& call, encoded& value, encoded_operation op)
    : operation_(call),
      parts_(operation_.team(), true),
      root_(call.root),
      root_place_(place_if_acting(parts_, root_)),
      place_(place_from(root_place_, parts_, operation_.form().arity)),
      value_(value),
      op_(op) {}

bool reduce_to_one_machine::advance() {
  if (!parts_.acts()) return near_.follow(operation_, parts_, value_, operation_.team().rank == root_);
  if (!sum_) {
    if (!near_.collect(operation_, parts_, value_, op_)) return false;
    sum_.emplace().add(std::move(value_), parts_.place() >= root_place_, op_);
  }
  for (; heard_ < place_.children(); ++heard_) {
    auto const add = [&](std::span<std::byte const> theirs) { sum_->add(theirs, op_); };
    if (!operation_.use_from(rank_at(place_.child(heard_), root_place_, parts_), up, add)) return false;
  }
  end();
  return true;
}

void reduce_to_one_machine::end() {
  if (!place_.is_root()) return operation_.send(rank_at(place_.parent(), root_place_, parts_), 0, up, sum_->to_send());
  value_ = sum_->take(op_);
  if (operation_.team().rank != root_) operation_.send(root_, 0, near_down, value_);
}

// ---- all_to_all, reduce_scatter ------------------------------------------------------------------------------------

exchange_machine::exchange_machine(collective_call const& call, std::vector<encoded>& values)
    : operation_(call), parts_(operation_.team(), false), values_(values) {}

bool exchange_machine::advance() {
  if (parts_.count() == operation_.team().size()) return advance_directly();
  if (!parts_.acts()) return follow();
  if (stage_ == stage::collect && !collect()) return false;
  if (!hear()) return false;
  distribute();
  return true;
}

/// Each begins with its neighbour, so that not all send to the same member at a time.
bool exchange_machine::advance_directly() {
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

bool exchange_machine::follow() {
  if (!sent_) operation_.send(parts_.leader(), 0, near_up, encode(values_));
  sent_ = true;
  encoded all;
  if (!operation_.take_from(parts_.leader(), near_down, all)) return false;
  values_ = take_apart(parts_.leader(), all, values_.size());
  return true;
}

/// What the followers give, and then on to the other processes.
bool exchange_machine::collect() {
  encoded theirs;
  if (given_.empty()) given_.push_back(std::move(values_));
  for (auto const all = parts_.followers(); given_.size() <= all.size();) {
    std::uint32_t const rank = all[given_.size() - 1];
    if (!operation_.take_from(rank, near_up, theirs)) return false;
    given_.push_back(take_apart(rank, theirs, operation_.team().size()));
  }
  members_ = parts_.members();
  got_.assign(given_.size(), row(operation_.team().size()));
  send_between();
  keep_own();
  stage_ = stage::hear;
  return true;
}

void exchange_machine::send_between() {
  for (std::uint32_t i = 1; i < parts_.count(); ++i) {
    std::uint32_t const place = (parts_.place() + i) % parts_.count();
    row all;
    for (row& from : given_) {
      for (std::uint32_t const rank : members_[place]) all.push_back(std::move(from[rank]));
    }
    operation_.send(parts_.rank_of(place), 0, up, encode(all));
  }
}

void exchange_machine::keep_own() {
  auto const& own = members_[parts_.place()];
  for (std::size_t from = 0; from < own.size(); ++from) {
    for (std::size_t to = 0; to < own.size(); ++to) got_[to][own[from]] = std::move(given_[from][own[to]]);
  }
}

bool exchange_machine::hear() {
  encoded theirs;
  for (; next_ < parts_.count(); ++next_) {
    std::uint32_t const place = (parts_.place() + parts_.count() - next_) % parts_.count();
    std::uint32_t const rank = parts_.rank_of(place);
    if (!operation_.take_from(rank, up, theirs)) return false;
    row all = take_apart(rank, theirs, members_[place].size() * got_.size());
    auto value = all.begin();
    for (std::uint32_t const from : members_[place]) {
      for (row& to : got_) to[from] = std::move(*value++);
    }
  }
  return true;
}

void exchange_machine::distribute() {
  for (std::size_t i = 1; i < got_.size(); ++i)
    operation_.send(parts_.followers()[i - 1], 0, near_down, encode(got_[i]));
  values_ = std::move(got_.front());
}

exchange_machine::row exchange_machine::take_apart(std::uint32_t rank, std::span<std::byte const> bytes,
                                                   std::size_t expected) const {
  row all = decode<row>(bytes);
  if (all.size() != expected)
    throw wire_error("sheaf: a message of a collective operation from rank " + std::to_string(rank) + " of team " +
                     std::to_string(operation_.team().id) + " has " + std::to_string(all.size()) +
                     " values instead of " + std::to_string(expected));
  return all;
}

// ---- scan ----------------------------------------------------------------------------------------------------------

scan_machine::scan_machine(collective_call const& call, encoded& value, encoded_operation op)
    : operation_(call),
      parts_(operation_.team(), true),
      place_(parts_.place(), parts_.count(), operation_.form().arity),
      value_(value),
      op_(op),
      own_(value) {}

bool scan_machine::advance() {
  if (!parts_.acts()) return near_.follow(operation_, parts_, value_);
  if (!sent_ && !gather()) return false;
  if (!place_.is_root() && !operation_.take_from(parts_.rank_of(place_.parent()), down, value_)) return false;
  pass_on();
  return true;
}

/// Sums of the process, and then of the subtrees, upwards.
bool scan_machine::gather() {
  if (!near_.collect(operation_, parts_, value_, op_, &followers_)) return false;
  if (!block_) block_ = value_;
  encoded theirs;
  while (sums_.size() < place_.children()) {
    auto const child = place_.child(static_cast<std::uint32_t>(sums_.size()));
    if (!operation_.take_from(parts_.rank_of(child), up, theirs)) return false;
    op_.add_behind(value_, theirs);
    sums_.push_back(std::move(theirs));
  }
  if (!place_.is_root()) operation_.send(parts_.rank_of(place_.parent()), 0, up, value_);
  sent_ = true;
  return true;
}

/// To each child what comes before its subtree, and to each follower what comes before it.
void scan_machine::pass_on() {
  auto const behind = [&](encoded const& part) {
    if (place_.is_root()) return part;
    encoded before = value_;
    op_.add_behind(before, part);
    return before;
  };
  encoded before = place_.children() != 0 ? behind(*block_) : encoded();
  for (std::uint32_t i = 0; i < place_.children(); ++i) {
    operation_.send(parts_.rank_of(place_.child(i)), 0, down, before);
    if (i + 1 < place_.children()) op_.add_behind(before, sums_[i]);
  }
  if (followers_.empty()) return;
  before = behind(own_);
  for (std::size_t i = 0; i < followers_.size(); ++i) {
    operation_.send(parts_.followers()[i], 0, near_down, before);
    if (i + 1 < followers_.size()) op_.add_behind(before, followers_[i]);
  }
}

// ---- cyclic_sum

using both_parts = std::pair<std::optional<encoded>, std::optional<encoded>>;

void cyclic_sum::append(std::optional<encoded>& to, encoded value, encoded_operation op) {
  if (to) {
    op.add_behind(*to, value);
  } else {
    to = std::move(value);
  }
}

void cyclic_sum::add(std::span<std::byte const> sent, encoded_operation op) {
  auto [upper, lower] = decode<both_parts>(sent);
  if (upper) append(upper_, std::move(*upper), op);
  if (lower) append(lower_, std::move(*lower), op);
}

encoded cyclic_sum::to_send() const { return encode(both_parts(upper_, lower_)); }

encoded cyclic_sum::take(encoded_operation op) {
  if (lower_ && upper_) op.add_behind(*lower_, *upper_);
  return std::move(lower_ ? *lower_ : *upper_);
}

}  // namespace sheaf::detail
