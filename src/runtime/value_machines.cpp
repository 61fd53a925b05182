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

}  // namespace

// ---- tree_machine ---------------------------------------------------------------------------------------------------

tree_machine::tree_machine(collective_call const& call, tree_use use, encoded* value, std::span<std::byte> fixed_value,
                           encoded_operation op)
    : operation_(call),
      use_(use),
      tree_(operation_.team(), call.root == call.no_root ? 0 : call.root, operation_.form().arity,
            use != tree_use::broadcast),
      value_(value),
      fixed_value_(fixed_value),
      op_(op),
      doubles_(use == tree_use::all_reduce && !operation_.form().tree && tree_.speaks()),
      doublers_(std::bit_floor(tree_.places())),
      pairs_(tree_.places() - doublers_) {
  if (doubles_) tree_.keep_near();
  if (use != tree_use::broadcast) expected_ = tree_.children();
  if (use == tree_use::scan) own_ = *value;
  if (use == tree_use::reduce) sum_.add(std::move(*value), operation_.team().rank >= call.root, op);
}

tree_machine::tree_machine(collective_call const& call, tree_use use, encoded& value, encoded_operation op)
    : tree_machine(call, use, &value, {}, op) {}

tree_machine::tree_machine(collective_call const& call, std::span<std::byte> value)
    : tree_machine(call, tree_use::broadcast, nullptr, value, {}) {}

bool tree_machine::advance() {
  if (heard_ != expected_ && !gather()) return false;
  if (!(doubles_ ? advance_doubling() : ask_parent())) return false;
  if (use_ == tree_use::scan) {
    pass_sums_on();
  } else if (use_ != tree_use::reduce) {
    tree_.each_child([this](std::uint32_t rank) { send_value(rank, down); });
  } else if (tree_.is_root()) {
    *value_ = sum_.take(op_);
  }
  return true;
}

bool tree_machine::gather() {
  auto const add = [this](std::span<std::byte const> theirs) {
    if (use_ == tree_use::reduce) return sum_.add(theirs, op_);
    op_.add_behind(*value_, theirs);
    if (use_ == tree_use::scan) parts_.emplace_back(theirs.begin(), theirs.end());
  };
  for (; heard_ != expected_; ++heard_) {
    if (!operation_.use_from(tree_.child(heard_), up, add)) return false;
  }
  return true;
}

/// Gives the sum, and gets what comes down.
bool tree_machine::ask_parent() {
  if (tree_.is_root()) return true;
  std::uint32_t const parent = tree_.parent();
  if (use_ == tree_use::reduce) {
    send(parent, up, sum_.to_send());
    return true;
  }
  if (use_ != tree_use::broadcast && !std::exchange(sent_, true)) send_value(parent, up);
  return value_ != nullptr ? operation_.take_from(parent, down, *value_) : operation_.take(0, down, fixed_value_);
}

/// To each child what comes before its subtree.
void tree_machine::pass_sums_on() {
  if (parts_.empty()) return;
  encoded before = tree_.is_root() ? std::move(own_) : *value_;
  if (!tree_.is_root()) op_.add_behind(before, own_);
  for (std::uint32_t i = 0; i < tree_.children(); ++i) {
    send(tree_.child(i), down, before);
    if (i + 1 < tree_.children()) op_.add_behind(before, parts_[i]);
  }
}

bool tree_machine::advance_doubling() {
  if (stage_ == stage::fold && !fold()) return false;
  if (stage_ == stage::rounds && !exchange()) return false;
  return unfold();
}

/// The odd one of a pair has the even one stand for it.
bool tree_machine::fold() {
  stage_ = stage::rounds;
  std::uint32_t const own = tree_.place();
  if (own >= 2 * pairs_) return true;
  if (own % 2 == 1) {
    send_value(tree_.rank_at(own - 1), up);
    stage_ = stage::unfold;
    return true;
  }
  stage_ = stage::fold;
  if (!add_from(own + 1, up, false)) return false;
  stage_ = stage::rounds;
  return true;
}

bool tree_machine::exchange() {
  std::uint32_t const own = tree_.place();
  std::uint32_t const mine = own < 2 * pairs_ ? own / 2 : own - pairs_;
  auto step = static_cast<std::uint8_t>(first_round + std::countr_zero(distance_));
  for (; distance_ < doublers_; distance_ *= 2, ++step) {
    std::uint32_t const other = mine ^ distance_;
    std::uint32_t const place = other < pairs_ ? 2 * other : other + pairs_;
    if (!sent_) send_value(tree_.rank_at(place), step);
    sent_ = true;
    if (!add_from(place, step, other < mine)) return false;
    sent_ = false;
  }
  stage_ = stage::unfold;
  return true;
}

bool tree_machine::unfold() {
  std::uint32_t const own = tree_.place();
  if (own >= 2 * pairs_) return true;
  if (own % 2 == 1) return operation_.take_from(tree_.rank_at(own - 1), down, *value_);
  send_value(tree_.rank_at(own + 1), down);
  return true;
}

bool tree_machine::add_from(std::uint32_t place, std::uint8_t step, bool is_below) {
  return operation_.use_from(tree_.rank_at(place), step, [&](std::span<std::byte const> theirs) {
    is_below ? op_.add_before(*value_, theirs) : op_.add_behind(*value_, theirs);
  });
}

// ---- all_to_all, reduce_scatter ------------------------------------------------------------------------------------

exchange_machine::exchange_machine(collective_call const& call, std::vector<encoded>& values)
    : operation_(call), shape_(operation_.team().shape), values_(values) {}

bool exchange_machine::advance() {
  if (shape_.leader_count == operation_.team().size()) return advance_directly();
  if (shape_.leader != operation_.team().rank) return follow();
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
  if (!sent_) operation_.send(shape_.leader, 0, up, encode(values_));
  sent_ = true;
  encoded all;
  if (!operation_.take_from(shape_.leader, down, all)) return false;
  values_ = take_apart(shape_.leader, all, values_.size());
  return true;
}

/// What the followers give, and then on to the other processes.
bool exchange_machine::collect() {
  encoded theirs;
  if (given_.empty()) given_.push_back(std::move(values_));
  for (auto const all = shape_.followers(); given_.size() <= all.size();) {
    std::uint32_t const rank = all[given_.size() - 1];
    if (!operation_.take_from(rank, up, theirs)) return false;
    given_.push_back(take_apart(rank, theirs, operation_.team().size()));
  }
  members_.resize(shape_.leader_count);
  for (std::uint32_t rank = 0; rank < operation_.team().size(); ++rank) members_[shape_.place_of(rank)].push_back(rank);
  got_.assign(given_.size(), row(operation_.team().size()));
  send_between();
  keep_own();
  stage_ = stage::hear;
  return true;
}

void exchange_machine::send_between() {
  for (std::uint32_t i = 1; i < shape_.leader_count; ++i) {
    std::uint32_t const place = (shape_.place + i) % shape_.leader_count;
    row all;
    for (row& from : given_) {
      for (std::uint32_t const rank : members_[place]) all.push_back(std::move(from[rank]));
    }
    operation_.send(shape_.rank_of(place), 0, up, encode(all));
  }
}

void exchange_machine::keep_own() {
  auto const& own = members_[shape_.place];
  for (std::size_t from = 0; from < own.size(); ++from) {
    for (std::size_t to = 0; to < own.size(); ++to) got_[to][own[from]] = std::move(given_[from][own[to]]);
  }
}

bool exchange_machine::hear() {
  encoded theirs;
  for (; next_ < shape_.leader_count; ++next_) {
    std::uint32_t const place = (shape_.place + shape_.leader_count - next_) % shape_.leader_count;
    std::uint32_t const rank = shape_.rank_of(place);
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
  for (std::size_t i = 1; i < got_.size(); ++i) operation_.send(shape_.followers()[i - 1], 0, down, encode(got_[i]));
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
