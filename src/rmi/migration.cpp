// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/rmi/detail/migration.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/call_text.hpp"
#include "sheaf/message/sender.hpp"

namespace sheaf::detail {
namespace {

constexpr std::uint32_t nowhere = ~std::uint32_t{0};

/// A request that came before another one of its member. Its run counts as executed before it. So that the fence
/// of its scope waits for it, it is counted as sent once more, to its own location, where it is put aside.
struct held_record {
  std::vector<std::byte> bytes;
  routed_record record;  // of these bytes
  run_scope scope;       // in which its handler sends
};

/// In force while a held request is executed or sent on.
class in_its_scope : immovable<in_its_scope> {
 public:
  in_its_scope(location& here, team_state& team, run_scope scope)
      : sending_(here.out(), scope), here_(here), team_(team), scope_(scope) {}
  ~in_its_scope() {
    if (scope_.number() == 0) return;
    admission const inside(here_.gate());
    team_.counts_of(scope_.number()).count_executed(scope_, number(here_.id()), 1);
  }

 private:
  sending_in const sending_;
  location const& here_;
  team_state& team_;
  run_scope const scope_;
};

/// By who issued them, and their numbers.
using held_records = std::map<std::pair<std::uint32_t, std::uint32_t>, held_record>;

std::string name_of(object_id id) {
  return "object " + std::to_string(id.number()) + " of member " + std::to_string(id.birth());
}

[[noreturn]] void throw_stray(routed_record const& r, team_state const& team, char const* why) {
  throw stray_request("sheaf: a request (" + readable(find_handler(r.handler)->name) + ") of member " +
                      std::to_string(r.head.origin) + " of team " + std::to_string(team.id) + " for " +
                      name_of(r.head.id) + why);
}

[[noreturn]] void throw_dead(routed_record const& r, team_state const& team) {
  throw_stray(r, team, " came after the object was destroyed; fence the team before destroy()");
}

[[noreturn]] void throw_doubled(routed_record const& r) {
  throw wire_error("sheaf: request " + std::to_string(r.head.sequence) + " (" +
                   readable(find_handler(r.handler)->name) + ") of member " + std::to_string(r.head.origin) + " for " +
                   name_of(r.head.id) + " came twice; memory was overwritten");
}

}  // namespace

void throw_undecodable(routed_head const& head, std::string_view name, char const* why) {
  throw wire_error("sheaf: arguments for " + readable(name) + " from member " + std::to_string(head.origin) + " for " +
                   name_of(head.id) + " do not decode: " + why);
}

/// What one member knows of one object.
struct migration_base::entry {
  object_id id;
  void* object = nullptr;           ///< where it is here
  bool dead = false;                ///< it was destroyed here
  bool dies = false;                ///< it is to be destroyed
  std::uint32_t goes_to = nowhere;  ///< it is to move
  std::uint32_t in_use = 0;         ///< its methods on the stack, and coroutines that have not ended
  std::uint32_t version = 0;        ///< of `object` or `route`: how often it has moved
  std::uint32_t route = nowhere;    ///< where it is not here: a member at which it was then
  std::uint32_t issued = 0;         ///< requests of this member to it
  std::vector<caller_state> callers;
  held_records held;
  std::uint32_t mover = 0;  ///< rank of who asked for the move

  [[nodiscard]] std::uint32_t where() const { return route == nowhere ? id.birth() : route; }
  caller_state& caller(std::uint32_t rank) {
    auto const at = std::find_if(callers.begin(), callers.end(), [&](auto const& c) { return c.rank == rank; });
    if (at != callers.end()) return *at;
    return callers.emplace_back(caller_state{rank, 0, 0});
  }
};

struct migration_base::parts {
  std::unordered_map<std::uint64_t, entry> entries;  // by name; entries stay where they are
  std::uint64_t created = 0;

  entry& of(object_id id) {
    entry& e = entries[id.word()];
    e.id = id;
    return e;
  }
};

migration_base::migration_base(team const& on) : team_(on), parts_(new parts) {}
migration_base::~migration_base() { delete parts_; }
void migration_base::end_coroutines() {
  if (team_.is_here()) here().calls().coroutines.end_those_of(this);
}

object_id migration_base::add(void* object) {
  object_id const id(team_.rank(), ++parts_->created);
  parts_->of(id).object = object;
  return id;
}

void* migration_base::find(object_id id) const {
  auto const at = parts_->entries.find(id.word());
  return at == parts_->entries.end() ? nullptr : at->second.object;
}

std::vector<object_id> migration_base::ids_here() const {
  std::vector<object_id> ids;
  for (auto const& [word, e] : parts_->entries) {
    if (e.object != nullptr) ids.push_back(e.id);
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

void migration_base::check_rank(located<std::uint64_t> rank) const {
  if (rank.value >= team_.size()) throw_bad_destination(rank.value, state_of(team_), rank.from);
}

static_assert(routed_envelope::fixed_size == routed_record::head_bytes);

/// The hops of its requests depend on its moves.
[[noreturn]] void throw_limited(call_site from) {
  throw usage_error(
      "sheaf: a handler calls a migrating object in an epoch with a declared nesting depth, which its requests may "
      "exceed; ask for a detector of any depth" +
      called_at(from));
}

migration_base::way migration_base::way_to(located<object_id> asked) {
  object_id const id = asked.value;
  here().check_owner("a request to a migrating object");
  if (id.number() == 0 || id.birth() >= team_.size()) throw_no_object(asked.from);
  run_scope const in = here().out().scope();
  bool const is_limited = in.generation() != 0 && in.generation() != run_scope::any_depth;
  if (is_limited && in.team() == team_.id() && !in.is_of_messages()) throw_limited(asked.from);
  entry& e = parts_->of(id);
  return {&here().member_box(state_of(team_), e.object != nullptr ? team_.rank() : e.where()), &e.issued};
}

void migration_base::forward(std::uint32_t rank, routed_record const& r) {
  put_encoded(here(), here().member_box(state_of(team_), rank), tag().with_handler(r.handler), r.bytes, 0);
}

void migration_base::deliver_run(execution& state, std::uint32_t handler, routed_function call) {
  std::uint32_t const from = state_of(team_).members.rank_of(state.source);
  while (state.at != state.run_end) {
    std::byte const* const begin = state.at;
    auto const [id, origin, sequence, bytes] = take_record(state, [](byte_reader& reader) {
      auto const head = routed_envelope::decode(reader);
      static_cast<void>(reader.take(std::get<3>(head)));
      return head;
    });
    object_id const name(static_cast<std::uint32_t>(id >> object_id::number_bits), id & ~(~0ULL << 40U));
    if (name.birth() >= team_.size() || origin >= team_.size())
      throw_undecodable(state, "it names a member beyond the team's");
    deliver(from, {handler, call, {name, origin, sequence}, {begin, state.at}});
  }
}

void migration_base::deliver(std::uint32_t from, routed_record const& r) {
  entry& e = parts_->of(r.head.id);
  if (e.object != nullptr) return take(e, from, r);
  if (e.dead) throw_dead(r, state_of(team_));
  here().in().claim_request();
  if (e.route == nowhere && r.head.id.birth() == team_.rank())
    throw_stray(r, state_of(team_),
                ", which was never created there; use names that create() returned for the same migrating objects");
  forward(e.where(), r);
}

/// The object is here.
void migration_base::take(entry& e, std::uint32_t from, routed_record const& r) {
  std::uint32_t const origin = r.head.origin;
  caller_state& caller = e.caller(origin);
  if (from != origin && caller.told != e.version && origin != team_.rank()) {
    caller.told = e.version;
    tell(origin, e.id, team_.rank(), e.version);
  }
  if (r.head.sequence != caller.expected) {
    if (static_cast<std::int32_t>(r.head.sequence - caller.expected) < 0) throw_doubled(r);
    return hold(e, r);
  }
  execute(e, r);
  execute_held(e, origin);
  settle(e);
}

void migration_base::hold(entry& e, routed_record const& r) {
  auto const [place, is_new] = e.held.try_emplace({r.head.origin, r.head.sequence});
  if (!is_new) throw_doubled(r);
  held_record& kept = place->second;
  kept = {{r.bytes.begin(), r.bytes.end()}, r, here().out().scope()};
  kept.record.bytes = kept.bytes;
  if (kept.scope.number() != 0) {
    admission const inside(here().gate());
    state_of(team_).counts_of(kept.scope.number()).count_sent(kept.scope, number(here().id()), 1);
  }
  here().in().claim_request();
}

void migration_base::execute(entry& e, routed_record const& r) {
  ++e.in_use;
  at_end const over{[&e] { --e.in_use; }};
  ++e.caller(r.head.origin).expected;
  r.execute(*this, e.object, r.head, find_handler(r.handler)->name, r.payload());
}

/// What had come too early, if it is its turn; where the object goes now, it is executed there.
void migration_base::execute_held(entry& e, std::uint32_t origin) {
  while (e.object != nullptr && (e.in_use != 0 || (e.goes_to == nowhere && !e.dies))) {
    auto const next = e.held.extract({origin, e.caller(origin).expected});
    if (next.empty()) return;
    here().in().unclaim_request();
    in_its_scope const sends(here(), state_of(team_), next.mapped().scope);
    execute(e, next.mapped().record);
  }
}

void migration_base::leave_later(routed_head const& asked, std::uint32_t to) {
  entry& e = parts_->of(asked.id);
  e.goes_to = to;
  e.mover = asked.origin;
}
void migration_base::die_later(object_id id) { parts_->of(id).dies = true; }
void migration_base::keep_here(object_id id) { ++parts_->of(id).in_use; }
void migration_base::let_go(object_id id) {
  entry& e = parts_->of(id);
  --e.in_use;
  settle(e);
}

/// Where no method of the object is on the stack, does what was asked for meanwhile.
void migration_base::settle(entry& e) {
  if (e.in_use != 0 || e.object == nullptr) return;
  std::uint32_t const to = std::exchange(e.goes_to, nowhere);
  if (e.dies) {
    drop(std::exchange(e.object, nullptr));
    e.dead = true;
    e.callers = {};
    if (!e.held.empty()) throw_dead(e.held.begin()->second.record, state_of(team_));
  } else if (to != nowhere && (to == team_.rank() || !depart(e, to))) {
    for (std::size_t i = 0; i < e.callers.size(); ++i) execute_held(e, e.callers[i].rank);
    settle(e);
  }
}

/// The object first, then what waits for its turn: in this order they arrive. False: its codec threw, and it stays.
bool migration_base::depart(entry& e, std::uint32_t to) {
  try {
    send_away(e.id, e.object, e.version + 1, e.callers, to);
  } catch (ends_job const&) {
    throw;
  } catch (...) {
    here().in().keep_exception(state_of(team_), "the move of a migrating object", location_id{location_of(e.mover)});
    return false;
  }
  ++e.version;
  drop(std::exchange(e.object, nullptr));
  e.route = to;
  e.callers.clear();
  for (auto const& [whose, h] : std::exchange(e.held, {})) {
    in_its_scope const sends(here(), state_of(team_), h.scope);
    forward(to, h.record);
  }
  return true;
}

void migration_base::has_arrived(object_id id, void* object, std::uint32_t version, std::vector<caller_state> callers) {
  if (id.number() == 0 || id.birth() >= team_.size())
    throw wire_error("sheaf: " + name_of(id) + " came, but team " + std::to_string(team_.id()) +
                     " has the members 0 to " + std::to_string(team_.size() - 1) + "; memory was overwritten");
  entry& e = parts_->of(id);
  if (e.object != nullptr || e.dead || static_cast<std::int32_t>(version - e.version) <= 0)
    throw wire_error("sheaf: " + name_of(id) + " arrived as of " + std::to_string(version) +
                     " moves, but is known as of " + std::to_string(e.version) + "; memory was overwritten");
  e.object = object;
  e.version = version;
  e.route = nowhere;
  e.callers = std::move(callers);
}

void migration_base::is_at(object_id id, std::uint32_t where, std::uint32_t version) {
  if (where >= team_.size() || id.birth() >= team_.size())
    throw wire_error("sheaf: " + name_of(id) + " is said to be at member " + std::to_string(where) + " of team " +
                     std::to_string(team_.id()) + ", whose members are 0 to " + std::to_string(team_.size() - 1));
  entry& e = parts_->of(id);
  if (e.object != nullptr || e.dead || static_cast<std::int32_t>(version - e.version) <= 0) return;
  e.version = version;
  e.route = where;
}

}  // namespace sheaf::detail
