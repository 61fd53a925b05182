// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/runtime/detail/sums.hpp"

#include <array>
#include <cstring>
#include <string>
#include <utility>

#include "runtime/collective.hpp"
#include "runtime/value_machines.hpp"

namespace sheaf::detail {
namespace {

std::map<sum_key, pending_sum>& sums_of(location& here) { return collectives_of(here).apart().sums; }

[[noreturn]] void throw_unawaited(sum_key const& key, std::string const& what) {
  throw wire_error("sheaf: " + what + " for sum " + std::to_string(key.number) + " of rank " +
                   std::to_string(key.origin) + " in team " + std::to_string(key.team) + ", which does not await it");
}

pending_sum& find_sum(location& here, sum_key const& key, char const* what) {
  auto& all = sums_of(here);
  auto const sum = all.find(key);
  if (sum == all.end()) throw_unawaited(key, what);
  return sum->second;
}

/// In front of a child's answer: the key, and the child's rank.
using answer_head = std::array<std::uint32_t, 4>;

struct sum_arrival : control_arrival<sum_arrival> {
  static constexpr char const* what = "part of a sum";
  static constexpr std::size_t least = sizeof(answer_head);

  static void take(location& here, location_id, std::span<std::byte const> record) {
    answer_head head;
    std::memcpy(&head, record.data(), sizeof head);
    auto const [team, origin, number, rank] = head;
    auto const bytes = record.subspan(sizeof head);
    find_sum(here, {team, origin, number}, "an answer").give(rank, encoded(bytes.begin(), bytes.end()));
  }
};

}  // namespace

pending_sum::pending_sum(location& here, team_state& team, sum_key key, std::unique_ptr<sum_owner> owner)
    : here_(here),
      team_(team),
      key_(key),
      owner_(std::move(owner)),
      tree_(team, key.origin, here.settings().tree_arity),
      theirs_(tree_.children()),
      missing_(1 + tree_.children()) {}

void pending_sum::give_own(encoded value) {
  if (own_) throw_unawaited(key_, "a second own value");
  own_ = std::move(value);
  go_on();
}

void pending_sum::give(std::uint32_t rank, encoded value) {
  std::uint32_t child = 0;
  while (child < tree_.children() && tree_.child(child) != rank) ++child;
  if (child == tree_.children() || theirs_[child]) throw_unawaited(key_, "an answer of rank " + std::to_string(rank));
  theirs_[child] = std::move(value);
  go_on();
}

void pending_sum::go_on() {
  if (--missing_ != 0) return;
  here_.in().defer([](void* self) { static_cast<pending_sum*>(self)->finish(); }, this);
}

void pending_sum::finish() {
  auto const ended = sums_of(here_).extract(key_);
  encoded_operation const op = owner_->operation();
  cyclic_sum sum;
  sum.add(std::move(*own_), team_.rank >= key_.origin, op);
  for (auto const& one : theirs_) sum.add(*one, op);
  if (tree_.is_root()) return owner_->take(sum.take(op));
  answer_head const head{key_.team, key_.origin, key_.number, team_.rank};
  send_control(here_, number(team_.members[tree_.parent()]), handler_number<sum_arrival>,
               std::as_bytes(std::span(head)), sum.to_send());
}

std::uint32_t next_sum(location& here) { return collectives_of(here).apart().sums_begun++; }

pending_sum& open_sum(location& here, team_state& team, sum_key key, sum_owner* owner) {
  std::unique_ptr<sum_owner> own(owner);
  auto const [sum, is_new] = sums_of(here).try_emplace(key, here, team, key, std::move(own));
  if (!is_new) throw_unawaited(key, "a second request");
  return sum->second;
}

pending_sum& opened_sum(location& here, sum_key key) { return find_sum(here, key, "an own value"); }

void give_own(pending_sum& sum, encoded value) { sum.give_own(std::move(value)); }

}  // namespace sheaf::detail
