// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sheaf/base/lease.hpp"
#include "sheaf/base/location_id.hpp"
#include "sheaf/message/detection.hpp"
#include "sheaf/message/handler.hpp"
#include "sheaf/message/run_header.hpp"

namespace sheaf::detail {

class location;

struct outbox;
template <class T>
class sparse_table;

/// The members of a team, by rank. Members at equal distances, as in the world or a row, need no list.
class member_list {
 public:
  /// Locations 0 … count−1.
  [[nodiscard]] static member_list everybody(std::uint32_t count);
  member_list(std::vector<location_id> in_order);  // NOLINT: a list in order is one

  [[nodiscard]] std::uint32_t size() const { return count_; }
  [[nodiscard]] location_id operator[](std::uint64_t rank) const {
    if (!list_.empty()) return list_[rank];
    return location_id{first_ + static_cast<std::uint32_t>(rank) * distance_};
  }
  /// The member's rank; size(): no member.
  [[nodiscard]] std::uint32_t rank_of(location_id member) const;
  [[nodiscard]] std::vector<location_id> in_order() const;

  bool operator==(member_list const&) const = default;

 private:
  member_list() = default;

  std::uint32_t first_ = 0;
  std::uint32_t distance_ = 1;  // modulo 2^32, so that it may be negative
  std::uint32_t count_ = 0;
  std::vector<location_id> list_;
};

/// The outboxes of requests to a team's members, by rank, in front of the stream's table. A rank that no member has is
/// never in it, so that looking a rank up checks it, too. It reaches to the highest rank that was used. Teams of more
/// than `most` members have none, as they may use few of many.
class member_boxes {
 public:
  static constexpr std::uint64_t most = 4096;

  /// `unmet`: the rank is not here, or no member has it.
  [[nodiscard]] outbox& at(std::uint64_t rank) const { return reaches(rank) ? (*this)[rank] : unmet; }
  [[nodiscard]] bool reaches(std::uint64_t rank) const { return rank < count_; }
  [[nodiscard]] outbox& operator[](std::uint64_t rank) const { return *first_[rank]; }
  /// Stays empty, and takes no record: so who finds that out need not compare.
  static outbox unmet;

  /// `box` is that of requests to `rank` of so many members.
  void put(std::uint64_t rank, outbox& box, std::uint64_t members);

 private:
  std::vector<outbox*> all_;
  outbox* const* first_ = nullptr;  // of `all_`, whose size is a subtraction
  std::uint64_t count_ = 0;
};

/// How a team lies over processes, as one member sees it. The first of a process, by rank, leads its members;
/// collectives go to leaders and between them. Where no transport tells near locations from far ones, all lead.
class team_shape {
 public:
  /// The first location of a process has a number that `lanes` divides.
  team_shape(member_list const& members, std::uint32_t rank, std::uint32_t lanes);

  std::uint32_t leader = 0;  ///< rank
  std::uint32_t place = 0;   ///< of the leader, among leaders
  std::uint32_t leader_count = 0;

  [[nodiscard]] bool all_lead() const { return leaders_.empty(); }
  /// The members of each process follow one another by rank.
  [[nodiscard]] bool in_blocks() const { return places_.empty(); }
  /// The ranks of this process's members, the leader's first; none where all lead.
  [[nodiscard]] std::span<std::uint32_t const> near() const { return {near_.data(), near_.size()}; }
  /// The rank of a leader.
  [[nodiscard]] std::uint32_t rank_of(std::uint32_t leader_place) const {
    return all_lead() ? leader_place : leaders_[leader_place];
  }
  /// The place of the leader of a rank.
  [[nodiscard]] std::uint32_t place_of(std::uint32_t rank) const;

 private:
  std::vector<std::uint32_t> leaders_;  // ranks in their order; empty where all lead, as the others are
  std::vector<std::uint32_t> near_;
  std::vector<std::uint32_t> places_;  // by rank; empty where members are in blocks
};

/// A new team's number, and the sequence number of its first collective, above those of the number's last team.
struct team_number {
  std::uint32_t id = 0;
  std::uint32_t first_collective = 0;
};

/// One representative registered on this location.
struct object_entry {
  void* object = nullptr;
  type_token type = nullptr;
  bool destroyed = false;
  bool fades = false;            ///< destroyed, as soon as no scope is fenced
  std::uint32_t generation = 0;  ///< of a published one
};

/// What handlers of a team, or in a scope, threw here since its last fence: the first few texts and a count.
struct kept_errors {
  static constexpr std::size_t most_texts = 4;
  std::uint64_t count = 0;
  std::vector<std::string> texts;

  void add(auto text) {
    if (count++ < most_texts) texts.push_back(text());
  }
};

/// A scope's requests to one location and from it, by generation.
struct peer_counts {
  std::array<std::uint64_t, run_scope::any_depth + 1> sent{}, executed{};
  std::array<std::uint64_t, run_scope::any_depth + 1> asked{};  ///< of those sent, how many were to be acknowledged

  /// Requests to itself that are left, be they put aside.
  [[nodiscard]] bool is_balanced() const { return sent == executed; }
};

/// This location's part of one termination detector: of a team's requests (the world's: of all), or of a scope's.
struct scope_counts : immovable<scope_counts> {
  std::uint64_t sent = 0;       ///< requests issued
  std::uint64_t executed = 0;   ///< requests finished
  std::uint8_t colour = 0;      ///< cuts that this location has taken, modulo 256
  bool late = false;            ///< executed, since our last cut, a request sent after the sender's next one
  bool calm = false;            ///< as far as known, nobody sent or executed anything between the last two fences
  std::uint32_t of = 0;         ///< the scope's number; 0: a team's
  std::uint64_t fenced_at = 0;  ///< sent + executed at the last cut of the last fence
  kept_errors errors;           ///< for the next fence

  ~scope_counts();
  void count_sent(run_scope in, std::uint32_t to, std::uint64_t requests) {
    sent += requests;
    if (in.generation() != 0) peer(to).sent[in.generation()] += requests;
  }
  void count_executed(run_scope in, std::uint32_t from, std::uint64_t requests) {
    executed += requests;
    if (in.generation() != 0) peer(from).executed[in.generation()] += requests;
  }
  /// Of scopes whose requests have generations; by location.
  [[nodiscard]] sparse_table<peer_counts>& peers();
  /// Null: there were none.
  [[nodiscard]] peer_counts const* find_peer(std::uint32_t location) { return peers_of(location, false); }

 private:
  [[nodiscard]] peer_counts& peer(std::uint32_t location) { return *peers_of(location, true); }
  [[nodiscard]] peer_counts* peers_of(std::uint32_t location, bool makes);

  sparse_table<peer_counts>* peers_ = nullptr;  // made on first use
};

/// This location's share of one team: its objects and its part of the termination detectors' counts. Objects that the
/// program keeps longer than the job keep it, so that a call of theirs is recognised.
struct team_state : scope_counts {
  team_state(team_number named, member_list all, std::uint32_t own_rank, std::uint32_t lanes,
             std::uint32_t before_it = 0);
  ~team_state();

  location* here = nullptr;  ///< whose share this is
  std::uint32_t const id;
  std::uint32_t const rank;   ///< this location's position in members
  member_list const members;  ///< in the order of the team's numbering
  team_shape const shape;
  member_boxes boxes;                           ///< of requests to the members that were used; see location::member_box
  std::vector<member_boxes*> boxes_of_streams;  ///< the same of unordered message types, which own them
  std::vector<object_entry> objects;
  std::uint32_t next_object = 1;  ///< objects are numbered in the order of their collective registration

  std::uint64_t awaited = 0;  ///< split-phase requests issued here without a reply yet, coroutines that are suspended
  std::uint64_t begun = 0;    ///< split-phase collectives that are open here; its fence waits for them, its scopes' not
  std::uint32_t next_collective;  ///< sequence number of the team's next collective operation
  std::uint32_t call_mark = 0;    ///< of the last one, and of all before it (call_history)

  std::uint32_t keepers = 1;   ///< the registry, and objects of the program
  std::uint32_t teams_before;  ///< teams that have had this memory and are over, so that their values are recognised
  bool kept_apart = false;     ///< an error of its answers may be told after its end: no later team gets its memory
  bool ended = false;          ///< the location has ended
  std::vector<detection> detections;  ///< that the program has asked for, for epochs that it begins

  static constexpr std::uint32_t most_open_scopes = 64;

  [[nodiscard]] std::uint32_t size() const { return members.size(); }

  /// The counts of a scope by its number; of 0, the team's own. They stay for who uses the number next. Inside the
  /// gate.
  [[nodiscard]] scope_counts& counts_of(std::uint32_t scope) {
    if (scope == 0) return *this;
    return recent_ != nullptr && recent_->of == scope ? *recent_ : counts_in_scope(scope);
  }
  /// A number that no open scope of this team has. They go round: members that open and close scopes in the same order
  /// get the same, and a scope's last fence may go on meanwhile (`is_fenced`). Throws usage_error where all are open.
  [[nodiscard]] std::uint32_t open_scope();
  void close_scope(std::uint32_t number);
  /// Its program may still send in it, or its last fence goes on.
  [[nodiscard]] bool is_open(std::uint32_t number) const;
  /// A scope with this number has ended here.
  void count_end(std::uint32_t number);
  /// How many with this number have ended here.
  [[nodiscard]] std::uint32_t ends_of(std::uint32_t number) const;
  /// A split-phase fence of the scope begins, or has ended.
  void set_fenced(std::uint32_t number, bool yes);
  [[nodiscard]] bool is_fenced(std::uint32_t number) const;
  [[nodiscard]] bool is_any_fenced() const;
  /// Of all scopes, what their next fences are to tell.
  [[nodiscard]] std::vector<kept_errors const*> scope_errors() const;

  /// The object is destroyed while an epoch may bring requests for it; `grave` takes them until `bury_faded` finds that
  /// no scope is fenced.
  void fade_object(std::uint32_t number, void* grave);
  void bury_faded();

  /// The last keeper deletes it.
  void let_go() {
    if (--keepers == 0) delete this;
  }
  /// From now on every look-up of a member or an object fails.
  void empty();

 private:
  struct scope_table;
  [[nodiscard]] scope_counts& counts_in_scope(std::uint32_t number);

  scope_table* scopes_ = nullptr;   // made on first use
  scope_counts* recent_ = nullptr;  // that were asked for last
};

}  // namespace sheaf::detail
