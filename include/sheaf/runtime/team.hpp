// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "sheaf/base/ambient.hpp"
#include "sheaf/base/call_site.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/runtime/verbs.hpp"

namespace sheaf {

class team;

namespace detail {

class target;
struct no_object;

/// The location that this team value belongs to, and its state of the team. Throw usage_error if the caller is another
/// location, or if the job or the team is over.
location& here_of(team const& members, call_site from = {});
team_state& state_of(team const& members, call_site from = {});
/// The team of a location's share.
team team_of(location& here, team_state& state);

}  // namespace detail

/// An ordered set of locations that acts collectively; its members are numbered 0…size()−1 (their rank). A cheap value,
/// valid on the location that got it, until the job ends. Its verbs call functions without an object:
/// `members.async(rank, f, a…)`.
class team : public detail::verbs<team, detail::no_object> {
 public:
  [[nodiscard]] std::uint32_t rank() const noexcept { return rank_; }
  [[nodiscard]] std::uint32_t size() const noexcept { return size_; }
  /// The team's number, unique in the job until the team ends; the world's is 0.
  [[nodiscard]] std::uint32_t id() const noexcept { return id_; }

  /// The verbs on a published object: `world.async<&T::add>(handle, a…)`. The world's fence waits for them, no team's.
  using verbs::async, verbs::try_async, verbs::sync, verbs::ask;
  template <auto... What, class T, class... A>
  void async(detail::asked_object<T> object, A&&... a) const;
  template <auto... What, class T, class... A>
  [[nodiscard]] bool try_async(detail::asked_object<T> object, A&&... a) const;
  template <auto... What, class T, class... A>
  auto sync(detail::asked_object<T> object, A&&... a) const;
  template <auto... What, class T, class... A>
  auto ask(detail::asked_object<T> object, A&&... a) const;

  /// The location of a member. Throws usage_error when `rank` is not 0…size()−1.
  [[nodiscard]] location_id location_of(std::uint64_t rank, call_site where = call_site::here()) const;

  /// Collective over this team: members that name the same colour become one team, ordered by key, then by rank here.
  /// Costs one all_gather. Complete on return. Throws usage_error when the numbers for teams are used up: 2^20 − 2^12
  /// at a time in a job; each location gives an equal share of them.
  [[nodiscard]] team split(std::uint32_t colour, std::uint32_t key = 0, call_site where = call_site::here()) const;

  /// The team of the members with these ranks, which it numbers in the order of the list; nothing on a member that the
  /// list does not name. All members that it names call it with equal lists; calls with equal lists come in the same
  /// order. Others may call it, too, and get nothing at once. So teams may overlap in any way, and the rest of this
  /// team need not know of them. The first of the list gives the team's number: one message to each of the others, over
  /// a tree. Complete on return; other members may not have called it yet. Throws usage_error when a rank does not
  /// exist here or is named twice, and when the numbers of the first are used up.
  [[nodiscard]] std::optional<team> subteam(std::span<std::uint32_t const> ranks,
                                            call_site where = call_site::here()) const;
  [[nodiscard]] std::optional<team> subteam(std::initializer_list<std::uint32_t> ranks,
                                            call_site where = call_site::here()) const {
    return subteam(std::span<std::uint32_t const>(ranks.begin(), ranks.size()), where);
  }

  /// The subteam of the members for whose ranks the rule holds, by rank: `rule(rank)` is the same on all of them.
  [[nodiscard]] std::optional<team> subteam_if(auto rule, call_site where = call_site::here()) const {
    std::vector<std::uint32_t> ranks;
    for (std::uint32_t r = 0; r < size(); ++r) {
      if (rule(r)) ranks.push_back(r);
    }
    return subteam(std::span<std::uint32_t const>(ranks.data(), ranks.size()), where);
  }

  /// Collective: fences and ends the team. Its number and memory are used again, so programs that make teams all the
  /// time end them. Afterwards every copy of the team value throws usage_error when used; other threads must not use
  /// one, and nobody may use handles of its objects. Throws usage_error if objects of the team still exist here, and
  /// for the world. If the fence throws remote_error, the team goes on. Complete when all members have ended it. Costs
  /// a fence and a barrier.
  void end(call_site where = call_site::here()) const;

  /// Whether the caller is the location that got it, and its job goes on.
  [[nodiscard]] bool is_of_this_job() const noexcept {
    return detail::ambient_location != nullptr && detail::ambient_location->registered().serial() == serial_;
  }
  /// Whether the caller is the location that got it, its job goes on, and the team has not ended.
  [[nodiscard]] bool is_here() const noexcept { return is_of_this_job() && state_->teams_before == before_; }
  bool operator==(team const& other) const noexcept {
    return serial_ == other.serial_ && state_ == other.state_ && before_ == other.before_;
  }

 private:
  team(detail::location& here, detail::team_state& state) noexcept
      : here_(&here),
        state_(&state),
        serial_(here.registered().serial()),
        rank_(state.rank),
        size_(state.size()),
        id_(state.id),
        before_(state.teams_before) {}
  friend detail::location& detail::here_of(team const& members, call_site from);
  friend detail::team_state& detail::state_of(team const& members, call_site from);
  friend team detail::team_of(detail::location& here, detail::team_state& state);

  void check(call_site from) const {
    if (!is_here()) [[unlikely]]
      throw_not_here(from);
  }
  [[noreturn, gnu::cold]] void throw_not_here(detail::packed_call_site from) const;
  friend class detail::verbs<team, detail::no_object>;
  [[nodiscard]] detail::target target_of(char const* verb, call_site from) const;
  friend class attached_thread;  // which is on its way to its location

  detail::location* here_;
  detail::team_state* state_;
  std::uint64_t serial_;
  std::uint32_t rank_;
  std::uint32_t size_;
  std::uint32_t id_;
  std::uint32_t before_;
};

namespace detail {

inline location& here_of(team const& members, call_site from) { return members.check(from), *members.here_; }
inline team_state& state_of(team const& members, call_site from) { return members.check(from), *members.state_; }
inline team team_of(location& here, team_state& state) { return team(here, state); }

[[noreturn, gnu::cold]] void throw_outside_of_run(char const* what, packed_call_site where);

/// The ambient location. Throws usage_error naming `what` outside of sheaf::run.
inline location& current(char const* what, call_site where = {}) {
  if (ambient_location == nullptr) [[unlikely]]
    throw_outside_of_run(what, where);
  return *ambient_location;
}

}  // namespace detail

/// The team of all locations. Throws usage_error outside of sheaf::run.
inline team world(call_site where = call_site::here()) {
  detail::location& here = detail::current("world", where);
  return detail::team_of(here, here.registered().world());
}

}  // namespace sheaf
