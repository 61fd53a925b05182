// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/location.hpp"

#include <algorithm>
#include <atomic>

#include "location_parts.hpp"
#include "message/outside.hpp"
#include "sheaf/base/error.hpp"

namespace sheaf {

namespace {

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

location::location(endpoint& connection, options const& settings)
    : endpoint_(connection),
      settings_(settings),
      serial_(next_serial()),
      eager_steps_(settings.transport == transport_kind::thread && settings.spin_polls != 0 ? 128 : 0),
      parts_(new parts(*this, connection, settings_)) {
  careful_ = settings.flush_age_ns != 0 || settings.progress != progress_kind::inlined;
  if (settings.progress != progress_kind::inlined) detail::outside::let_into(*this);
  world_ = &make_team(0, detail::member_list::everybody(size()));
  endpoint_.explain_by(
      [](void const* self, detail::location_report& to) { static_cast<location const*>(self)->report(to); }, this);
}

location::~location() {
  endpoint_.explain_by(nullptr, nullptr);
  endpoint_.share(nullptr);
  delete parts_;
}

detail::team_state& location::add_team(std::uint32_t id, std::vector<location_id> members) {
  return make_team(id, std::move(members));
}

detail::team_state& location::make_team(std::uint32_t id, detail::member_list members) {
  detail::admission const inside(gate_);
  if (id >= run_tag::teams) {
    throw usage_error("sheaf: team number " + std::to_string(id) + " is beyond " + std::to_string(run_tag::teams - 1) +
                      "; each of the " + std::to_string(size()) + " locations has " +
                      std::to_string(run_tag::teams / size()) +
                      " numbers to give, which are not used again: make teams once and keep them");
  }
  if (id == unused_team_number()) ++teams_numbered_;
  std::uint32_t const own = members.rank_of(this->id());
  std::uint32_t const rank = own == members.size() ? 0 : own;
  auto team = std::make_unique<detail::team_state>(id, std::move(members), rank, endpoint_.lanes());
  auto& known = parts_->teams_by_number;
  if (known.size() <= id) known.resize(id + 1);
  known[id] = team.get();
  teams_ = known.data();
  teams_end_ = static_cast<std::uint32_t>(known.size());
  errands_ |= try_held;
  parts_->teams.push_back(std::move(team));
  return *known[id];
}

std::uint32_t location::add_object(detail::team_state& team, void* object, detail::type_token type) {
  check_owner("the registration of an object");
  detail::admission const inside(gate_);
  std::uint32_t const number = team.next_object++;
  if (number >= (1U << run_tag::object_bits)) {
    throw usage_error("sheaf: more than 16777215 objects registered on one team; register on a new team from split()");
  }
  if (team.objects.size() <= number) team.objects.resize(number + 1);
  team.objects[number] = {object, type, false};
  errands_ |= try_held;
  if (gate_ != nullptr) detail::outside(*this).keep_from_outsiders(object);
  return number;
}

void location::remove_object(detail::team_state& team, std::uint32_t object) {
  detail::admission const inside(gate_);
  void const* const gone = std::exchange(team.objects[object].object, nullptr);
  team.objects[object].destroyed = true;
  errands_ |= try_held;
  forget(gone);
  if (gate_ != nullptr) detail::outside(*this).let_outsiders_call(gone);
}

}  // namespace sheaf
