// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <vector>

#include "sheaf/base/lease.hpp"
#include "sheaf/base/shared_word.hpp"
#include "sheaf/message/handler.hpp"
#include "sheaf/message/run_header.hpp"
#include "sheaf/message/team_state.hpp"

namespace sheaf::detail {

class location;

struct execution;

/// The teams and objects that one location knows by number. Used inside the gate, where there is one.
class registry : immovable<registry> {
 public:
  /// Makes the world team (number 0).
  explicit registry(location& here);
  ~registry();

  /// A number that no other location of this process has, in any job.
  [[nodiscard]] std::uint64_t serial() const noexcept { return serial_; }

  [[nodiscard]] team_state& world() const { return *world_; }
  /// Null when no such team has been made here. Any thread, outside of the gate, too.
  [[nodiscard]] team_state* find_team(std::uint32_t id) const {
    if (id >= teams_end()) return nullptr;
    return numbers_.acquire()[id].acquire();
  }
  /// All teams made here, in that order.
  [[nodiscard]] std::vector<team_state*> const& teams() const;
  team_state& add_team(team_number named, member_list members);
  /// From now on its number finds no team: requests wait for the next team of that number. None of its own is under
  /// way.
  void forget_team(team_state& team);
  /// Called when all members have forgotten it: its number and memory may be used again.
  void end_team(team_state& team);
  /// Lines about exceptions that no fence has reported yet, each after a newline.
  [[nodiscard]] std::string untold_exceptions() const;
  /// No later team gets the memory of the one that has this count of answers, so that an error of such an answer,
  /// however late, is never taken for that team's. Nothing where no team has it.
  void keep_apart(std::uint64_t const* awaited) noexcept;
  /// Above the numbers of all teams of this location.
  [[nodiscard]] std::uint32_t teams_end() const { return numbers_end_.acquire(); }
  /// The least number of this location's own (1 + id(), in steps of size()) that no team has; add_team uses it up.
  [[nodiscard]] team_number unused_team_number() const;

  /// Registers the team's next object; returns its number. Requests that came before execute from the next step on.
  std::uint32_t add_object(team_state& team, void* object, type_token type);
  void remove_object(team_state& team, std::uint32_t object);

  /// Makes the object callable by whoever has the tag and this location's number; the world counts its requests. The
  /// tag is used once; a request that comes after `withdraw` is recognised.
  run_tag publish(void* object, type_token type);
  void withdraw(run_tag published);

  /// Whether some team's object, or a published one, has this address.
  [[nodiscard]] bool has(void const* object) const;

  /// A header for a run sent now, without its sizes. A scope of another team than the object's is none.
  [[nodiscard]] run_header header_for(run_tag tag, run_scope in) const {
    run_header header{.tag = tag, .world_colour = world_->colour};
    team_state* const team = team_counting(tag);
    if (team == nullptr) return header;  // it has ended
    header.team_colour = team->colour;
    if (is_in(in, tag)) [[unlikely]]
      header.set_scope(in, team->counts_of(in.number()).colour);
    return header;
  }
  /// Requests of a closed run are counted as sent. `in`: as its header says.
  void count_sent(std::uint32_t dest, run_tag tag, run_scope in, std::uint64_t requests) {
    world_->sent += requests;
    team_state* const team = team_counting(tag);
    if (team == nullptr) return;  // it has ended: its object must not be called, and the watchdog tells of the request
    if (team != world_) team->sent += requests;
    if (in.number() != 0) [[unlikely]]
      team->counts_of(in.number()).count_sent(in, dest, requests);
  }
  /// Binds a run to its team and object. False: one of them is not registered here yet.
  bool bind(execution& state, run_header const& header) const;
  /// Another number each time that a tag may name another object, or none.
  [[nodiscard]] std::uint64_t changes() const { return changes_; }

 private:
  struct parts;

  [[nodiscard]] team_state* team_counting(run_tag tag) const {
    std::uint32_t const id = tag.counting_team();
    return id == 0 ? world_ : find_team(id);
  }
  [[nodiscard]] bool is_own(std::uint32_t id) const;
  [[nodiscard]] team_state* least_free() const;
  [[nodiscard]] team_state& make_team(team_number named, member_list members, std::uint32_t rank);
  void bind_published(execution& state, run_tag tag) const;

  location& here_;
  std::uint64_t const serial_;
  team_state* world_ = nullptr;
  std::uint64_t changes_ = 1;
  // By number; null where this location is no member. Others may look while it grows: the old tables stay.
  shared_word<shared_word<team_state*>*> numbers_;
  shared_word<std::uint32_t> numbers_end_;
  parts* const parts_;
};

}  // namespace sheaf::detail
