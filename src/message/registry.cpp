// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/registry.hpp"

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>

#include "message/outside.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/message/location.hpp"

namespace sheaf::detail {

namespace {

constexpr std::uint32_t last_generation = (1U << run_tag::generation_bits) - 1;

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

/// Whether the sender had taken the next cut when it sent.
bool is_next(std::uint8_t sent_at, std::uint8_t colour) { return sent_at == static_cast<std::uint8_t>(colour + 1); }

[[noreturn, gnu::cold, gnu::noinline]] void throw_destroyed(execution const& state, run_tag tag) {
  throw stray_request("sheaf: a request (" + readable(state.handler->name) + ") for object " +
                      std::to_string(tag.object()) + " of team " + std::to_string(tag.team()) + " came from location " +
                      std::to_string(number(state.source)) +
                      " after it was destroyed here; fence before it goes out of scope");
}

[[noreturn, gnu::cold, gnu::noinline]] void throw_wrong_type(execution const& state, run_tag tag) {
  throw wire_error("sheaf: object " + std::to_string(tag.object()) + " of team " + std::to_string(tag.team()) +
                   " has another type here than " + readable(state.handler->name) + " in an entry of location " +
                   std::to_string(number(state.source)) +
                   "; the processes run different builds, or memory was overwritten");
}

std::string request_for(execution const& state, run_tag tag) {
  return "sheaf: a request (" + readable(state.handler->name) + ") of location " +
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

registry::registry(location& here) : here_(here), serial_(next_serial()) {
  world_ = &add_team({}, member_list::everybody(here.size()));
}

registry::~registry() {
  for (team_state* const team : teams_) team->end();
  for (team_state* const team : ended_) delete team;
  for (auto const* const each : tables_) delete[] each;
}

bool registry::is_own(std::uint32_t id) const { return (id - 1) % here_.size() == number(here_.id()); }

/// The ended team with the least number of this location's own.
std::vector<team_state*>::const_iterator registry::least_free() const {
  auto const order = [this](team_state const* a, team_state const* b) {
    return std::pair(!is_own(a->id), a->id) < std::pair(!is_own(b->id), b->id);
  };
  auto const least = std::min_element(ended_.begin(), ended_.end(), order);
  return least == ended_.end() || is_own((*least)->id) ? least : ended_.end();
}

team_number registry::unused_team_number() const {
  if (auto const free = least_free(); free != ended_.end()) return {(*free)->id, (*free)->next_collective};
  return {1 + number(here_.id()) + here_.size() * teams_numbered_, 0};
}

team_state& registry::add_team(team_number named, member_list members) {
  admission const inside(here_.gate());
  if (named.id >= run_tag::teams) {
    throw usage_error("sheaf: team number " + std::to_string(named.id) + " is beyond " +
                      std::to_string(run_tag::teams - 1) + "; each of the " + std::to_string(here_.size()) +
                      " locations has " + std::to_string(run_tag::teams / here_.size()) +
                      " numbers to give; end() those teams that are not needed any more");
  }
  if (named.id == unused_team_number().id && least_free() == ended_.end()) ++teams_numbered_;
  std::uint32_t const own = members.rank_of(here_.id());
  std::uint32_t const rank = own == members.size() ? 0 : own;
  team_state& made = make_team(named, std::move(members), rank);
  made.here = &here_;
  teams_.push_back(&made);
  number_team(made);
  here_.in().remind(errand::try_held);
  return made;
}

/// In the memory of the last team of the number, or of one whose number is another location's, where there is one.
team_state& registry::make_team(team_number named, member_list members, std::uint32_t rank) {
  std::uint32_t const lanes = here_.connection().lanes();
  auto const at = std::find_if(ended_.begin(), ended_.end(), [&](team_state const* each) {
    return is_own(named.id) ? each->id == named.id : !is_own(each->id);
  });
  if (at == ended_.end()) return *new team_state(named, std::move(members), rank, lanes);
  team_state* const old = *at;
  ended_.erase(at);
  std::uint32_t const before = old->teams_before;
  old->~team_state();
  return *::new (old) team_state(named, std::move(members), rank, lanes, before);
}

void registry::forget_team(team_state& team) {
  admission const inside(here_.gate());
  tables_.back()[team.id].release(nullptr);
}

void registry::end_team(team_state& team) {
  admission const inside(here_.gate());
  std::erase(teams_, &team);
  ended_.push_back(&team);
  ++team.teams_before;
  team.empty();
  kept_errors& kept = world_->errors;  // what came after its fence
  kept.count += team.errors.count;
  for (auto const& text : team.errors.texts) {
    if (kept.texts.size() < kept_errors::most_texts) kept.texts.push_back(text);
  }
}

/// Who finds an end finds a table that reaches to it.
void registry::number_team(team_state& made) {
  std::uint32_t const end = std::max(teams_end(), made.id + 1);
  if (end > numbers_room_) {
    numbers_room_ = std::max(end, 2 * numbers_room_);
    auto* const larger = new shared_word<team_state*>[numbers_room_];
    tables_.push_back(larger);
    for (std::uint32_t id = 0; id < teams_end(); ++id) larger[id].relax(find_team(id));
    numbers_.release(larger);
  }
  tables_.back()[made.id].release(&made);
  numbers_end_.release(end);
}

std::uint32_t registry::add_object(team_state& team, void* object, type_token type) {
  here_.check_owner("the registration of an object");
  admission const inside(here_.gate());
  std::uint32_t const number = team.next_object++;
  if (number >= (1U << run_tag::object_bits)) {
    throw usage_error("sheaf: more than 16777215 objects registered on one team; register on a new team from split()");
  }
  if (team.objects.size() <= number) team.objects.resize(number + 1);
  team.objects[number] = {object, type, false};
  here_.in().remind(errand::try_held);
  if (here_.gate() != nullptr) outside::of(here_).keep_from_outsiders(object);
  return number;
}

void registry::remove_object(team_state& team, std::uint32_t object) {
  admission const inside(here_.gate());
  void const* const gone = std::exchange(team.objects[object].object, nullptr);
  team.objects[object].destroyed = true;
  here_.in().remind(errand::try_held);
  here_.in().let_go(gone);
  if (here_.gate() != nullptr) outside::of(here_).let_outsiders_call(gone);
}

run_tag registry::publish(void* object, type_token type) {
  here_.check_owner("the publication of an object");
  admission const inside(here_.gate());
  if (free_.empty()) {
    if (published_.size() == std::size_t{1} << run_tag::object_bits)
      throw usage_error("sheaf: location " + std::to_string(number(here_.id())) +
                        " has published 16777216 objects; withdraw some, or register one object that holds many");
    free_.push_back(static_cast<std::uint32_t>(published_.size()));
    published_.emplace_back();
  }
  std::uint32_t const place = free_.front();
  free_.pop_front();
  published_[place].object = object;
  published_[place].type = type;
  return run_tag::of_published(place, published_[place].generation);
}

void registry::withdraw(run_tag published) {
  admission const inside(here_.gate());
  published_place& place = published_[published.object()];
  void const* const gone = std::exchange(place.object, nullptr);
  if (place.generation != last_generation) {  // else never used again
    ++place.generation;
    free_.push_back(published.object());
  }
  here_.in().let_go(gone);
}

bool registry::has(void const* object) const {
  auto const is_it = [object](auto const& entry) { return entry.object == object; };
  if (std::any_of(published_.begin(), published_.end(), is_it)) return true;
  return std::any_of(teams_.begin(), teams_.end(),
                     [&](auto const& team) { return std::any_of(team->objects.begin(), team->objects.end(), is_it); });
}

run_header registry::header_for(run_tag tag, run_scope in) const {
  run_header header;
  header.tag = tag;
  header.world_colour = world_->colour;
  team_state* const team = find_team(tag.counting_team());
  if (team == nullptr) return header;  // it has ended
  header.team_colour = team->colour;
  if (in.number() != 0 && in.team() == tag.counting_team()) [[unlikely]]
    header.set_scope(in, team->counts_of(in.number()).colour);
  return header;
}

void registry::count_sent(run_tag tag, run_scope in, std::uint64_t requests) {
  world_->sent += requests;
  team_state* const team = find_team(tag.counting_team());
  if (team == nullptr) return;  // it has ended: its object must not be called, and the watchdog tells of the request
  if (team != world_) team->sent += requests;
  if (in.number() != 0) team->counts_of(in.number()).sent += requests;
}

bool registry::bind(execution& state, run_header const& header) const {
  team_state* team = find_team(header.tag.team());
  if (team == nullptr && !header.tag.is_published()) return false;
  state.object = nullptr;
  if (team == nullptr) {
    bind_published(state, header.tag);
    team = world_;
  } else if (state.handler->object_type != nullptr) {
    std::uint32_t const number = header.tag.object();
    if (number >= team->objects.size()) return false;
    object_entry const& entry = team->objects[number];
    if (entry.object == nullptr) {
      if (entry.destroyed) throw_destroyed(state, header.tag);
      return false;
    }
    if (entry.type != state.handler->object_type) throw_wrong_type(state, header.tag);
    state.object = entry.object;
    state.object_number = number;
  }
  if (team != world_ && is_next(header.team_colour, team->colour)) team->late = true;
  if (is_next(header.world_colour, world_->colour)) world_->late = true;
  state.scope = header.in_scope();
  if (state.scope.number() != 0) [[unlikely]] {
    scope_counts& scope = team->counts_of(state.scope.number());
    if (header.scope_colour() == ((scope.colour + 1) & 3)) scope.late = true;
  }
  state.team = team;
  return true;
}

void registry::bind_published(execution& state, run_tag tag) const {
  if (tag.object() >= published_.size() || tag.generation() > published_[tag.object()].generation)
    throw_never_published(state, tag, here_.id());
  published_place const& place = published_[tag.object()];
  if (place.object == nullptr || tag.generation() != place.generation) throw_withdrawn(state, tag, here_.id());
  if (place.type != state.handler->object_type) throw_other_type(state, tag);
  state.object = place.object;
  state.object_number = tag.object();
}

}  // namespace sheaf::detail
