// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/location.hpp"

#include <algorithm>

#include "base/buffer_budget.hpp"
#include "location_parts.hpp"
#include "message/outside.hpp"
#include "sheaf/base/error.hpp"

namespace sheaf {

namespace {

/// Buffers for the locations of another process are put together in one packet, so they share its size; but none is so
/// small that it is not worth its header.
std::size_t far_buffer_bytes(options const& settings, std::uint32_t lanes) {
  constexpr std::size_t worth_while = 1024;
  return std::max(settings.buffer_bytes / lanes, std::min(settings.buffer_bytes, worth_while));
}

}  // namespace

location::location(endpoint& connection, options const& settings)
    : endpoint_(connection),
      settings_(settings),
      reserve_cap_(settings.reserve_bytes),
      eager_steps_(settings.transport == transport_kind::thread && settings.spin_polls != 0 ? 128 : 0),
      parts_(new parts(connection.size(), settings.transport == transport_kind::sim ? 0 : settings.poll_warning_ms)) {
  careful_ = settings.flush_age_ns != 0 || settings.progress != progress_kind::inlined;
  parts_->request_boxes.resize(size());
  parts_->answer_boxes.resize(size());
  requests_ = parts_->request_boxes.data();
  answers_ = parts_->answer_boxes.data();
  shown_requests_ = requests_;
  shown_answers_ = answers_;
  if (settings.progress != progress_kind::inlined) detail::outside::let_into(*this);
  far_.capacity = far_buffer_bytes(settings, connection.lanes());
  limit(far_, settings.first_flush_bytes, far_.capacity);
  near_.capacity = settings.near_buffer_bytes != 0 ? settings.near_buffer_bytes : settings.buffer_bytes;
  bool const set_apart = settings.near_first_flush_bytes != 0;
  limit(near_, set_apart ? settings.near_first_flush_bytes : settings.first_flush_bytes, near_.capacity);
  reset_thresholds();
  parts_->share = settings.buffer_budget / detail::budget_shares(settings.transport, size(), connection.lanes());
  parts_->first_to_flush = number(id());
  std::vector<location_id> everybody(size());
  for (std::uint32_t i = 0; i < size(); ++i) everybody[i] = location_id{i};
  world_ = &add_team(0, std::move(everybody));
  endpoint_.explain_by(
      [](void const* self, detail::location_report& to) { static_cast<location const*>(self)->report(to); }, this);
}

void location::limit(buffer_sizes& sizes, std::size_t first, std::size_t most) {
  sizes.most = static_cast<std::uint32_t>(std::min(most, sizes.capacity));
  sizes.first = static_cast<std::uint32_t>(std::min<std::size_t>(first, sizes.most));
}

void location::reset_thresholds() {
  for (std::uint32_t dest = 0; dest < size(); ++dest) {
    requests_[dest].threshold = answers_[dest].threshold = sizes_for(dest).first;
  }
}

void location::set_aggregation(std::size_t first, std::size_t most, reach of) {
  bool const near_alone = of == reach::near && endpoint_.lanes() > 1;
  std::size_t const limit_of_most = near_alone ? near_.capacity : settings_.buffer_bytes;
  if (first < 1 || first > most || most > limit_of_most) {
    throw usage_error("sheaf: set_aggregation(" + std::to_string(first) + ", " + std::to_string(most) +
                      "): needs 1 <= first <= most <= " + std::to_string(limit_of_most) +
                      (near_alone ? " (SHEAF_NEAR_BUFFER_BYTES)" : " (SHEAF_BUFFER_BYTES)"));
  }
  detail::admission const inside(gate_);
  if (of != reach::near) limit(far_, first, most);
  if (of != reach::far) limit(near_, first, most);
  reset_thresholds();
}

location::~location() {
  endpoint_.explain_by(nullptr, nullptr);
  endpoint_.share(nullptr);
  for (auto const kind : {traffic::request, traffic::answer}) {
    for (std::uint32_t const dest : parts_->open[static_cast<int>(kind)]) {
      auto& box = box_of(dest, kind);
      if (box.data != nullptr) buffer(&endpoint_.home_for(location_id{dest}), box.data, box.capacity);
    }
  }
  delete parts_;
}

detail::team_state& location::add_team(std::uint32_t id, std::vector<location_id> members) {
  detail::admission const inside(gate_);
  if (id >= run_tag::teams) {
    throw usage_error("sheaf: team number " + std::to_string(id) + " is beyond " + std::to_string(run_tag::teams - 1) +
                      "; each of the " + std::to_string(size()) + " locations has " +
                      std::to_string(run_tag::teams / size()) +
                      " numbers to give, which are not used again: make teams once and keep them");
  }
  if (id == unused_team_number()) ++teams_numbered_;
  auto const own = std::find(members.begin(), members.end(), this->id());
  auto const rank = own == members.end() ? 0 : static_cast<std::uint32_t>(own - members.begin());
  auto team = std::make_unique<detail::team_state>(id, std::move(members), rank, endpoint_.lanes());
  team->boxes.reserve(team->size());
  for (location_id const each : team->members) team->boxes.push_back(&request_box(number(each)));
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

void location::raise_reserve() {
  do {  // until it helps
    reserve_cap_ += settings_.reserve_bytes;
    ++reserve_raises_;
  } while (reserve_used_ > reserve_cap_);
}

}  // namespace sheaf
