// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/team_state.hpp"

#include "sheaf/message/outbox.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <unordered_map>
#include <utility>

#include "sheaf/base/error.hpp"
#include "sheaf/message/sparse_table.hpp"

namespace sheaf::detail {

outbox member_boxes::unmet;

void member_boxes::put(std::uint64_t rank, outbox& box, std::uint64_t members) {
  if (members > most) return;
  if (rank >= count_) all_.resize(rank + 1, &unmet);
  all_[rank] = &box;
  first_ = all_.data();
  count_ = all_.size();
}

member_list member_list::everybody(std::uint32_t count) {
  member_list all;
  all.count_ = count;
  return all;
}

member_list::member_list(std::vector<location_id> in_order) : count_(static_cast<std::uint32_t>(in_order.size())) {
  if (in_order.empty()) return;
  first_ = number(in_order[0]);
  distance_ = count_ > 1 ? number(in_order[1]) - first_ : 1;
  for (std::uint32_t rank = 0; rank < count_; ++rank) {
    if (number(in_order[rank]) == first_ + rank * distance_) continue;
    list_ = std::move(in_order);
    return;
  }
}

std::uint32_t member_list::rank_of(location_id member) const {
  std::uint32_t rank = 0;
  if (list_.empty() && distance_ == 1) {
    rank = number(member) - first_;
  } else {
    while (rank < count_ && (*this)[rank] != member) ++rank;
  }
  return std::min(rank, count_);
}

std::vector<location_id> member_list::in_order() const {
  std::vector<location_id> all(count_);
  for (std::uint32_t rank = 0; rank < count_; ++rank) all[rank] = (*this)[rank];
  return all;
}

scope_counts::~scope_counts() { delete peers_; }

peer_counts* scope_counts::peers_of(std::uint32_t location, bool makes) {
  return makes ? &peers()[location] : peers_ == nullptr ? nullptr : peers_->find(location);
}

sparse_table<peer_counts>& scope_counts::peers() {
  if (peers_ == nullptr) peers_ = new sparse_table<peer_counts>;
  return *peers_;
}

team_shape::team_shape(member_list const& members, std::uint32_t rank, std::uint32_t lanes)
    : leader(rank), place(rank), leader_count(members.size()) {
  if (lanes == 1) return;
  std::uint32_t const own_process = number(members[rank]) / lanes;
  std::unordered_map<std::uint32_t, std::uint32_t> seen;  // by process: the place of its leader
  std::uint32_t runs = 0;                                 // of neighbours from one process
  for (std::uint32_t i = 0; i < members.size(); ++i) {
    std::uint32_t const process = number(members[i]) / lanes;
    auto const [at, leads] = seen.emplace(process, static_cast<std::uint32_t>(leaders_.size()));
    if (leads) leaders_.push_back(i);
    if (process == own_process) near_.push_back(i);
    places_.push_back(at->second);
    if (i == 0 || process != number(members[i - 1]) / lanes) ++runs;
  }
  leader = near_.front();
  place = seen.at(own_process);
  leader_count = static_cast<std::uint32_t>(leaders_.size());
  if (runs == leader_count) places_ = {};
}

std::uint32_t team_shape::place_of(std::uint32_t rank) const {
  if (all_lead()) return rank;
  if (!in_blocks()) return places_[rank];
  return static_cast<std::uint32_t>(std::upper_bound(leaders_.begin(), leaders_.end(), rank) - leaders_.begin()) - 1;
}

team_state::team_state(team_number named, member_list all, std::uint32_t own_rank, std::uint32_t lanes,
                       std::uint32_t before_it)
    : id(named.id),
      rank(own_rank),
      members(std::move(all)),
      shape(members, rank, lanes),
      next_collective(named.first_collective),
      teams_before(before_it) {}

struct team_state::scope_table {
  sparse_table<scope_counts> counts;
  // By number; no scope has number 0. Threads that send look without the gate.
  using flags = std::array<std::atomic<bool>, team_state::most_open_scopes + 1>;
  flags open{true};
  flags fenced{};
  std::array<std::atomic<std::uint32_t>, team_state::most_open_scopes + 1> ends{};
  std::uint32_t last = 0;  // that was given
};

team_state::~team_state() { delete scopes_; }

scope_counts& team_state::counts_in_scope(std::uint32_t number) {
  if (scopes_ == nullptr) scopes_ = new scope_table;
  recent_ = &scopes_->counts[number];
  recent_->of = number;
  return *recent_;
}

std::uint32_t team_state::open_scope() {
  if (scopes_ == nullptr) scopes_ = new scope_table;
  if (std::ranges::all_of(scopes_->open, std::identity())) {
    throw usage_error("sheaf: team " + std::to_string(id) + " has " + std::to_string(most_open_scopes) +
                      " open epochs, and no team has more; end some before you begin others");
  }
  do {
    scopes_->last = scopes_->last % most_open_scopes + 1;
  } while (scopes_->open[scopes_->last]);
  scopes_->open[scopes_->last] = true;
  return scopes_->last;
}

void team_state::close_scope(std::uint32_t number) {
  if (scopes_ != nullptr) scopes_->open[number] = false;  // else the job is over
}

bool team_state::is_open(std::uint32_t number) const {
  return scopes_ != nullptr && (scopes_->open[number] || scopes_->fenced[number]);
}

void team_state::count_end(std::uint32_t number) {
  if (scopes_ != nullptr) ++scopes_->ends[number];
}

std::uint32_t team_state::ends_of(std::uint32_t number) const {
  return scopes_ == nullptr ? 0 : scopes_->ends[number].load(std::memory_order_relaxed);
}

void team_state::set_fenced(std::uint32_t number, bool yes) {
  if (scopes_ != nullptr) scopes_->fenced[number] = yes;
}

bool team_state::is_fenced(std::uint32_t number) const { return scopes_ != nullptr && scopes_->fenced[number]; }

bool team_state::is_any_fenced() const {
  return scopes_ != nullptr && std::ranges::any_of(scopes_->fenced, std::identity());
}

std::vector<kept_errors const*> team_state::scope_errors() const {
  std::vector<kept_errors const*> all;
  if (scopes_ != nullptr)
    scopes_->counts.each([&](std::uint32_t, scope_counts const& each) { all.push_back(&each.errors); });
  return all;
}

void team_state::fade_object(std::uint32_t number, void* grave) {
  objects[number].object = grave;
  objects[number].fades = true;
}

void team_state::bury_faded() {
  if (is_any_fenced()) return;
  for (object_entry& each : objects) {
    if (!std::exchange(each.fades, false)) continue;
    each.object = nullptr;
    each.destroyed = true;
  }
}

void team_state::empty() {
  boxes = {};
  for (auto const& each : boxes_of_streams) *each = {};
  objects.clear();
  objects.shrink_to_fit();
  recent_ = nullptr;
  delete std::exchange(scopes_, nullptr);
}

}  // namespace sheaf::detail
