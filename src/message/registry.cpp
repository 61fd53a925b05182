// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/registry.hpp"

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>

#include "message/outside.hpp"
#include "sheaf/async/future.hpp"
#include "sheaf/base/ambient.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/transport/ring_queue.hpp"

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
                      std::to_string(tag.object()) + " of team " + std::to_string(tag.team()) + " came from " +
                      name_of(state.source) +
                      " after the object was destroyed here; fence before it goes out of scope");
}

[[noreturn, gnu::cold, gnu::noinline]] void throw_wrong_type(execution const& state, run_tag tag) {
  throw wire_error("sheaf: object " + std::to_string(tag.object()) + " of team " + std::to_string(tag.team()) +
                   " has another type here than " + readable(state.handler->name) + " in an entry of " +
                   name_of(state.source) +
                   "; all members of a team construct its objects in the same order, and run the same build");
}

[[gnu::cold]] std::string request_for(execution const& state, run_tag tag) {
  return "sheaf: a request (" + readable(state.handler->name) + ") of " + name_of(state.source) +
         " for the object published as number " + std::to_string(tag.object()) + ", generation " +
         std::to_string(tag.generation()) + ", ";
}

}  // namespace

struct registry::parts {
  std::uint32_t teams_numbered = 0;  ///< numbers of this location's own that have been used
  std::vector<team_state*> teams;    ///< kept here
  std::vector<team_state*> ended;    ///< their memory, and numbers of this location's own, are free
  std::vector<team_state*> apart;    ///< ended; their memory is not used again
  std::uint32_t numbers_room = 0;
  std::vector<shared_word<team_state*>*> tables;
  std::vector<object_entry> published;
  ring_queue<std::uint32_t> free;  ///< of these: used again as late as possible, never with a generation that it had
};

registry::registry(location& here) : here_(here), serial_(next_serial()), parts_(new parts) {
  world_ = &add_team({}, member_list::everybody(here.size()));
}

registry::~registry() {
  for (team_state* const team : parts_->teams) {
    team->ended = true;
    team->empty();
    team->let_go();
  }
  for (team_state* const team : parts_->ended) delete team;
  for (team_state* const team : parts_->apart) delete team;
  for (auto const* const each : parts_->tables) delete[] each;
  delete parts_;
}

std::vector<team_state*> const& registry::teams() const { return parts_->teams; }

bool registry::is_own(std::uint32_t id) const { return (id - 1) % here_.size() == number(here_.id()); }

/// The ended team with the least number of this location's own; null: there is none.
team_state* registry::least_free() const {
  auto const order = [this](team_state const* a, team_state const* b) {
    return std::pair(!is_own(a->id), a->id) < std::pair(!is_own(b->id), b->id);
  };
  auto const least = std::min_element(parts_->ended.begin(), parts_->ended.end(), order);
  return least == parts_->ended.end() || !is_own((*least)->id) ? nullptr : *least;
}

team_number registry::unused_team_number() const {
  if (team_state const* const free = least_free(); free != nullptr) return {free->id, free->next_collective};
  return {1 + number(here_.id()) + here_.size() * parts_->teams_numbered, 0};
}

team_state& registry::add_team(team_number named, member_list members) {
  admission const inside(here_.gate());
  if (named.id >= run_tag::teams) {
    throw usage_error("sheaf: team number " + std::to_string(named.id) + " is beyond " +
                      std::to_string(run_tag::teams - 1) + "; each of the " + std::to_string(here_.size()) +
                      " locations has " + std::to_string(run_tag::teams / here_.size()) +
                      " numbers to give; end() those teams that are not needed any more");
  }
  if (named.id == unused_team_number().id && least_free() == nullptr) ++parts_->teams_numbered;
  std::uint32_t const own = members.rank_of(here_.id());
  std::uint32_t const rank = own == members.size() ? 0 : own;
  team_state& made = make_team(named, std::move(members), rank);
  ++changes_;
  made.here = &here_;
  parts_->teams.push_back(&made);
  // The table is published before its end: a reader that sees the new end sees a table that is long enough.
  std::uint32_t const end = std::max(teams_end(), made.id + 1);
  if (end > parts_->numbers_room) {
    parts_->numbers_room = std::max(end, 2 * parts_->numbers_room);
    auto* const larger = new shared_word<team_state*>[parts_->numbers_room];
    parts_->tables.push_back(larger);
    for (std::uint32_t id = 0; id < teams_end(); ++id) larger[id].relax(find_team(id));
    numbers_.release(larger);
  }
  parts_->tables.back()[made.id].release(&made);
  numbers_end_.release(end);
  here_.in().remind(errand::try_held);
  return made;
}

/// In the memory of the last team of the number, or of one whose number is another location's, where there is one.
team_state& registry::make_team(team_number named, member_list members, std::uint32_t rank) {
  std::uint32_t const lanes = here_.connection().lanes();
  auto const at = std::find_if(parts_->ended.begin(), parts_->ended.end(), [&](team_state const* each) {
    return is_own(named.id) ? each->id == named.id : !is_own(each->id);
  });
  if (at == parts_->ended.end()) return *new team_state(named, std::move(members), rank, lanes);
  team_state* const old = *at;
  parts_->ended.erase(at);
  std::uint32_t const before = old->teams_before;
  if (old->kept_apart) {
    parts_->apart.push_back(old);
    return *new team_state(named, std::move(members), rank, lanes, before);
  }
  old->~team_state();
  return *::new (old) team_state(named, std::move(members), rank, lanes, before);
}

void registry::forget_team(team_state& team) {
  admission const inside(here_.gate());
  ++changes_;
  parts_->tables.back()[team.id].release(nullptr);
}

void registry::keep_apart(std::uint64_t const* awaited) noexcept {
  admission const inside(here_.gate());
  for (team_state* const team : parts_->teams)
    team->kept_apart = team->kept_apart || &team->awaited == awaited || &team->begun == awaited;
}

void may_be_told_late(std::uint64_t const* unanswered) noexcept {
  if (ambient_location != nullptr) ambient_location->registered().keep_apart(unanswered);
}

std::string registry::untold_exceptions() const {
  admission const inside(here_.gate());
  std::string text;
  auto const add = [&text](kept_errors const& kept, std::string const& what) {
    for (auto const& one : kept.texts) text += "\n  kept for the next " + what + ": " + one;
    if (kept.count > kept.texts.size()) text += "\n  and " + std::to_string(kept.count - kept.texts.size()) + " more";
  };
  for (team_state const* const team : parts_->teams) {
    add(team->errors, "fence of team " + std::to_string(team->id));
    for (kept_errors const* const each : team->scope_errors())
      add(*each, "end of an epoch of team " + std::to_string(team->id));
  }
  return text;
}

void registry::end_team(team_state& team) {
  admission const inside(here_.gate());
  ++changes_;
  std::erase(parts_->teams, &team);
  parts_->ended.push_back(&team);
  ++team.teams_before;
  kept_errors& kept = world_->errors;  // what came after its fence
  auto all = team.scope_errors();
  all.push_back(&team.errors);
  for (kept_errors const* const each : all) {
    kept.count += each->count;
    for (auto const& text : each->texts) {
      if (kept.texts.size() < kept_errors::most_texts) kept.texts.push_back(text);
    }
  }
  team.empty();
}

std::uint32_t registry::add_object(team_state& team, void* object, type_token type) {
  here_.check_owner("the registration of an object");
  admission const inside(here_.gate());
  std::uint32_t const number = team.next_object++;
  if (number >= (1U << run_tag::object_bits)) {
    throw usage_error("sheaf: more than 16777215 objects registered on one team; register on a new team from split()");
  }
  ++changes_;
  if (team.objects.size() <= number) team.objects.resize(number + 1);
  team.objects[number] = {object, type, false};
  here_.in().remind(errand::try_held);
  if (here_.gate() != nullptr) outside::of(here_).keep_from_outsiders(object);
  return number;
}

void registry::remove_object(team_state& team, std::uint32_t object) {
  admission const inside(here_.gate());
  ++changes_;
  void const* const gone = std::exchange(team.objects[object].object, nullptr);
  team.objects[object].destroyed = true;
  here_.in().remind(errand::try_held);
  here_.in().let_go(gone);
  if (here_.gate() != nullptr) outside::of(here_).let_outsiders_call(gone);
}

run_tag registry::publish(void* object, type_token type) {
  here_.check_owner("the publication of an object");
  admission const inside(here_.gate());
  if (parts_->free.empty()) {
    if (parts_->published.size() == std::size_t{1} << run_tag::object_bits)
      throw usage_error("sheaf: " + name_of(here_.id()) +
                        " has published 16777216 objects; withdraw some, or register one object that holds many");
    parts_->free.push(static_cast<std::uint32_t>(parts_->published.size()));
    parts_->published.emplace_back();
  }
  std::uint32_t const place = parts_->free.pop();
  parts_->published[place].object = object;
  parts_->published[place].type = type;
  return run_tag::of_published(place, parts_->published[place].generation);
}

void registry::withdraw(run_tag published) {
  admission const inside(here_.gate());
  ++changes_;
  object_entry& place = parts_->published[published.object()];
  void const* const gone = std::exchange(place.object, nullptr);
  if (place.generation != last_generation) {  // else never used again
    ++place.generation;
    parts_->free.push(published.object());
  }
  here_.in().let_go(gone);
}

bool registry::has(void const* object) const {
  auto const is_it = [object](auto const& entry) { return entry.object == object; };
  if (std::ranges::any_of(parts_->published, is_it)) return true;
  return std::ranges::any_of(parts_->teams, [&](auto* team) { return std::ranges::any_of(team->objects, is_it); });
}

bool registry::bind(execution& state, run_header const& header) const {
  team_state* team = find_team(header.tag.team());
  if (team == nullptr && !header.tag.is_published()) return false;
  state.object = nullptr;
  state.object_number = header.tag.object();
  if (team == nullptr) {
    bind_published(state, header.tag);
    team = world_;
  } else if (state.handler->object_type != nullptr) {
    if (state.object_number >= team->objects.size()) return false;
    object_entry const& entry = team->objects[state.object_number];
    if (entry.object == nullptr) {
      if (entry.destroyed) throw_destroyed(state, header.tag);
      return false;
    }
    if (entry.type != state.handler->object_type) throw_wrong_type(state, header.tag);
    state.object = entry.object;
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
  if (tag.object() >= parts_->published.size() || tag.generation() > parts_->published[tag.object()].generation)
    throw stray_request(request_for(state, tag) + "which " + name_of(here_.id()) +
                        " never published; take handles by handle_of(published) in the same job");
  object_entry const& place = parts_->published[tag.object()];
  if (place.object == nullptr || tag.generation() != place.generation)
    throw stray_request(request_for(state, tag) + "came to " + name_of(here_.id()) +
                        " after the object was withdrawn; its handle is stale. Fence the world before you destroy a "
                        "published object, and do not use its handle afterwards");
  if (place.type != state.handler->object_type)
    throw wire_error(request_for(state, tag) +
                     "which has another type; the processes run different builds, or memory was overwritten");
  state.object = place.object;
}

}  // namespace sheaf::detail
