// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/runtime/team.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "base/call_text.hpp"
#include "runtime/collective.hpp"
#include "sheaf/runtime/collectives.hpp"
#include "sheaf/runtime/fence.hpp"

namespace sheaf {

namespace detail {
namespace {

/// Keeps an arriving name until the call that it is for.
struct name_arrival : control_arrival<name_arrival> {
  static constexpr char const* what = "team's number";

  static void take(location& here, location_id, std::span<std::byte const> record) {
    byte_reader from(record);
    auto const number = codec<team_number>::decode(from);
    collectives_of(here).apart().team_names.push_back({number, codec<std::vector<location_id>>::decode(from)});
  }
};

/// How the members of a team made from a list learn its number: the first takes one of its own, which goes down a tree
/// over the list, with the list. Equal lists are told apart by the order of calls, as all messages go the same way.
class naming_machine {
 public:
  naming_machine(location& here, std::vector<location_id> const& members)
      : here_(here),
        members_(members),
        place_(static_cast<std::uint32_t>(std::find(members.begin(), members.end(), here.id()) - members.begin()),
               static_cast<std::uint32_t>(members.size()), here.settings().tree_arity) {}

  bool advance() {
    if (!take_number()) return false;
    if (place_.children() == 0) return true;
    encoded const list = encode(members_);
    auto const head = std::as_bytes(std::span(&number, 1));
    for (std::uint32_t i = 0; i < place_.children(); ++i)
      send_control(here_, sheaf::number(members_[place_.child(i)]), handler_number<name_arrival>, head, list);
    return true;
  }

  team_number number;  ///< once done

 private:
  bool take_number() {
    if (place_.is_root()) {
      number = here_.registered().unused_team_number();
      return true;
    }
    auto& names = collectives_of(here_).apart().team_names;
    auto const its = std::ranges::find(names, members_, &team_name::members);
    if (its == names.end()) return false;
    number = its->number;
    names.erase(its);
    return true;
  }

  location& here_;
  std::vector<location_id> const& members_;
  tree_place const place_;
};

std::vector<location_id> named_by(team const& of, std::span<std::uint32_t const> ranks, call_site where) {
  std::vector<bool> named(of.size());
  std::vector<location_id> members;
  members.reserve(ranks.size());
  for (std::uint32_t const rank : ranks) {
    members.push_back(of.location_of(rank, where));
    if (named[rank])
      throw usage_error("sheaf: team::subteam of team " + std::to_string(of.id()) + " names rank " +
                        std::to_string(rank) + " twice; name each member once" + called_at(where));
    named[rank] = true;
  }
  return members;
}

}  // namespace
}  // namespace detail

location_id team::location_of(std::uint64_t rank, call_site where) const {
  if (rank < size()) return detail::state_of(*this, where).members[rank];
  throw usage_error("sheaf: team " + std::to_string(id()) + " has no member " + detail::rank_text(rank) +
                    "; its ranks are 0 to " + std::to_string(size() - 1) + detail::called_at(where));
}

void team::throw_not_here(detail::packed_call_site from) const {
  if (is_of_this_job()) {
    throw usage_error("sheaf: team " + std::to_string(id()) +
                      " was used after its end; make another one by split() or subteam()" + detail::called_at(from));
  }
  throw usage_error("sheaf: team " + std::to_string(id()) +
                    (detail::ambient_location == nullptr
                         ? " was used outside of sheaf::run, or by a thread that is not attached"
                         : " was used by another location, or in another job") +
                    "; a team is of use on the location that got it, until sheaf::run returns there: get it anew by "
                    "world(), split() or subteam()" +
                    detail::called_at(from));
}

team team::split(std::uint32_t colour, std::uint32_t key, call_site where) const {
  detail::here_of(*this, where).check_may_wait(detail::wait_kind::collective, "team::split", where);
  using choice = std::tuple<std::uint32_t, std::uint32_t, detail::team_number>;  // colour, key, a number for a team
  std::vector<choice> const choices = detail::run_plan(detail::gathering<choice>(
      {*this, detail::says("team::split"), where}, choice{colour, key, here_->registered().unused_team_number()}));
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order;  // key, rank here

  // The least of its members' numbers: no location gives one again before the end of its team, so no two are the same.
  detail::team_number named{~std::uint32_t{0}, 0};
  for (std::uint32_t its_rank = 0; its_rank < size(); ++its_rank) {
    auto const [its_colour, its_key, its_number] = choices[its_rank];
    if (its_colour != colour) continue;
    order.emplace_back(its_key, its_rank);
    if (its_number.id < named.id) named = its_number;
  }
  std::sort(order.begin(), order.end());
  std::vector<location_id> members;
  for (auto const& [its_key, its_rank] : order) members.push_back(state_->members[its_rank]);
  return team(*here_, here_->registered().add_team(named, std::move(members)));
}

/// In steps: after the fence no request of the team is left; then each member forgets it; after the barrier all have
/// forgotten it, and its number is free. A slower member may still be in the barrier when a faster one makes the next
/// team of this number: its requests wait there until the team is made, its collective operations have later numbers.
void team::end(call_site where) const {
  detail::location& here = detail::here_of(*this, where);
  here.check_owner("team::end", where);
  here.check_may_wait(detail::wait_kind::collective, "team::end", where);
  if (id() == 0)
    throw usage_error("sheaf: team::end was called on the world; the world ends with its job" +
                      detail::called_at(where));
  detail::team_state& its = detail::state_of(*this, where);
  if (its.keepers != 1)
    throw usage_error("sheaf: team::end of team " + std::to_string(id()) + ", of which " +
                      std::to_string(its.keepers - 1) + " objects or scopes still exist at " +
                      detail::name_of(here.id()) + "; destroy them before" + detail::called_at(where));
  detail::run_fence({*this, detail::says("team::end"), where}, nullptr);
  here.registered().forget_team(its);
  barrier(*this, where);
  detail::collectives_of(here).shelf.forget_calls(id());
  here.registered().end_team(its);
}

std::optional<team> team::subteam(std::span<std::uint32_t const> ranks, call_site where) const {
  detail::here_of(*this, where).check_may_wait(detail::wait_kind::collective, "team::subteam", where);
  std::vector<location_id> members = detail::named_by(*this, ranks, where);
  if (std::find(members.begin(), members.end(), here_->id()) == members.end()) return std::nullopt;
  detail::naming_machine naming(*here_, members);
  detail::finish(*here_, naming, {.what = "team::subteam", .from = where});
  return team(*here_, here_->registered().add_team(naming.number, std::move(members)));
}

namespace detail {

void throw_outside_of_run(char const* what, packed_call_site where) {
  throw usage_error(std::string("sheaf: ") + what +
                    " was called outside of sheaf::run, or by a thread that is not attached" + called_at(where));
}

}  // namespace detail
}  // namespace sheaf
