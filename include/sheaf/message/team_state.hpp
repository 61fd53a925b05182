// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sheaf/base/location_id.hpp"
#include "sheaf/message/handler.hpp"
#include "sheaf/message/member_boxes.hpp"
#include "sheaf/message/member_list.hpp"
#include "sheaf/message/run_scope.hpp"
#include "sheaf/message/team_shape.hpp"

namespace sheaf {
class location;
}

namespace sheaf::detail {

/// What a new team is called by: a number that no other team has, and where its collective operations begin, behind
/// those of the last team that had it.
struct team_number {
  std::uint32_t id = 0;
  std::uint32_t first_collective = 0;
};

/// One representative registered on this location.
struct object_entry {
  void* object = nullptr;
  type_token type = nullptr;
  bool destroyed = false;
};

/// What handlers of a team threw here since its last fence: the first few texts and a count.
struct kept_errors {
  static constexpr std::size_t most_texts = 4;
  std::uint64_t count = 0;
  std::vector<std::string> texts;
};

/// This location's part of one termination detector, of all requests on a team's objects (for the world: on any
/// team's), or of those in one scope of the team.
struct scope_counts {
  std::uint64_t sent = 0;       ///< requests issued
  std::uint64_t executed = 0;   ///< requests finished
  std::uint8_t colour = 0;      ///< cuts that this location has taken, modulo 256
  bool late = false;            ///< executed, since our last cut, a request sent after the sender's next one
  bool calm = false;            ///< nobody had sent or executed anything between the last two fences, as far as known
  std::uint64_t fenced_at = 0;  ///< sent + executed at the last cut of the last fence
};

/// This location's share of one team: its objects and its part of the termination detectors' counts. Objects that the
/// program keeps longer than the job keep it, so that a call of theirs is recognised.
struct team_state : scope_counts {
  team_state(team_number named, member_list all, std::uint32_t own_rank, std::uint32_t lanes,
             std::uint32_t before_it = 0);
  team_state(team_state const&) = delete;
  team_state& operator=(team_state const&) = delete;
  ~team_state();

  location* here = nullptr;  ///< whose share this is
  std::uint32_t const id;
  std::uint32_t const rank;   ///< this location's position in members
  member_list const members;  ///< in the order of the team's numbering
  team_shape const shape;
  member_boxes boxes;  ///< of requests to the members that were used; see location::member_box
  std::vector<object_entry> objects;
  std::uint32_t next_object = 1;  ///< objects are numbered in the order of their collective registration

  std::uint64_t awaited = 0;  ///< split-phase requests issued here without a reply yet, coroutines that are suspended
  kept_errors errors;
  std::uint32_t next_collective;  ///< sequence number of the team's next collective operation
  std::uint32_t call_mark = 0;    ///< of the last one, and of all before it (call_history)

  std::uint32_t keepers = 1;   ///< the registry, and objects of the program
  std::uint32_t teams_before;  ///< teams that have had this memory and are over, so that their values are recognised
  bool ended = false;          ///< the location is gone

  [[nodiscard]] std::uint32_t size() const { return members.size(); }

  /// The counts of a scope by its number; of 0, the team's own. They stay when a scope is closed: who uses the number
  /// next goes on with them.
  [[nodiscard]] scope_counts& counts_of(std::uint32_t scope) { return scope == 0 ? *this : counts_in_scope(scope); }
  /// A number that no open scope of this team has. Members that open and close scopes in the same order get the same.
  [[nodiscard]] std::uint32_t open_scope();
  void close_scope(std::uint32_t number);

  /// The last keeper deletes it.
  void let_go() {
    if (--keepers == 0) delete this;
  }
  /// From now on every look-up of a member or an object fails.
  void empty();
  /// As the registry goes: empties it, and deletes it where no object of the program keeps it.
  void end();

 private:
  struct scope_table;
  [[nodiscard]] scope_counts& counts_in_scope(std::uint32_t number);

  scope_table* scopes_ = nullptr;  // made on first use
};

}  // namespace sheaf::detail
