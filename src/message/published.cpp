// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Objects that one location published: found by place and generation.
#include <algorithm>
#include <utility>

#include "location_parts.hpp"
#include "sheaf/message/location.hpp"

namespace sheaf {

using detail::execution;

namespace {

constexpr std::uint32_t last_generation = (1U << run_tag::generation_bits) - 1;

std::string request_for(execution const& state, run_tag tag) {
  return "sheaf: a request (" + detail::readable(state.handler->name) + ") of location " +
         std::to_string(number(state.source)) + " for the object published as number " + std::to_string(tag.object()) +
         ", generation " + std::to_string(tag.generation()) + ", ";
}

[[noreturn, gnu::cold, gnu::noinline]] void throw_withdrawn(execution const& state, run_tag tag, location_id here) {
  throw stray_request(request_for(state, tag) + "came to location " + std::to_string(number(here)) +
                      " after that was withdrawn; its handle is stale. Fence the world before a published object goes, "
                      "and do not use its handle after that");
}

[[noreturn, gnu::cold, gnu::noinline]] void throw_never_published(execution const& state, run_tag tag,
                                                                  location_id here) {
  throw stray_request(request_for(state, tag) + "which location " + std::to_string(number(here)) +
                      " never published; take handles from sheaf::published::handle() in the same job");
}

[[noreturn, gnu::cold, gnu::noinline]] void throw_other_type(execution const& state, run_tag tag) {
  throw wire_error(request_for(state, tag) +
                   "which has another type; the processes run different builds, or memory was overwritten");
}

}  // namespace

run_tag location::publish(void* object, detail::type_token type) {
  check_owner("the publication of an object");
  detail::admission const inside(gate_);
  auto& [places, free] = parts_->published;
  if (free.empty()) {
    if (places.size() == std::size_t{1} << run_tag::object_bits)
      throw usage_error("sheaf: location " + std::to_string(number(id())) +
                        " has published 16777216 objects; withdraw some, or register one object that holds many");
    free.push_back(static_cast<std::uint32_t>(places.size()));
    places.emplace_back();
  }
  std::uint32_t const place = free.front();
  free.pop_front();
  places[place].object = object;
  places[place].type = type;
  return run_tag::of_published(place, places[place].generation);
}

void location::withdraw(run_tag published) {
  detail::admission const inside(gate_);
  auto& [places, free] = parts_->published;
  auto& place = places[published.object()];
  void const* const gone = std::exchange(place.object, nullptr);
  if (place.generation != last_generation) {  // else never used again
    ++place.generation;
    free.push_back(published.object());
  }
  forget(gone);
}

/// What is still to run on an object that is called by no name any more: coroutines that wait, and the rest of a run
/// whose method let it go (or one under that).
void location::forget(void const* object) {
  auto const uses = [object](execution const* e) { return e->object == object && e->at != e->run_end; };
  execution* in_use = active_;
  while (in_use != nullptr && !uses(in_use)) in_use = in_use->outer;
  if ((in_use == nullptr && !coroutines_.has_one_of(object)) || is_called(object)) return;
  for (; in_use != nullptr; in_use = in_use->outer) {
    if (!uses(in_use)) continue;
    std::uint32_t const each = in_use->handler->record_bytes;
    auto const left = static_cast<std::uint32_t>(in_use->run_end - in_use->at);
    in_use->orphans = each != 0 ? left / each : in_use->count - in_use->begun;
    in_use->at = in_use->run_end;
  }
  detail::gate_break const outside(gate_);  // destructors of the program's
  coroutines_.end_those_of(object);
}

/// Whether some team's object, or a published one, has this address.
bool location::is_called(void const* object) const {
  auto const is_it = [object](auto const& entry) { return entry.object == object; };
  auto const& places = parts_->published.places;
  if (std::any_of(places.begin(), places.end(), is_it)) return true;
  return std::any_of(parts_->teams.begin(), parts_->teams.end(), [&](auto const& team) {
    return team != nullptr && std::any_of(team->objects.begin(), team->objects.end(), is_it);
  });
}

bool location::bind_published(execution& state, run_header const& header) {
  auto const& places = parts_->published.places;
  run_tag const tag = header.tag;
  if (tag.object() >= places.size() || tag.generation() > places[tag.object()].generation)
    throw_never_published(state, tag, id());
  auto const& place = places[tag.object()];
  if (place.object == nullptr || tag.generation() != place.generation) throw_withdrawn(state, tag, id());
  if (place.type != state.handler->object_type) throw_other_type(state, tag);
  state.object = place.object;
  state.object_number = tag.object();
  if (header.world_colour == static_cast<std::uint8_t>(world_->colour + 1)) world_->late = true;
  state.team = world_;
  return true;
}

}  // namespace sheaf
