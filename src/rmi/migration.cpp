// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/rmi/detail/migration.hpp"

#include <algorithm>
#include <cstring>

#include "base/call_text.hpp"
#include "rmi/migration_parts.hpp"
#include "sheaf/message/sender.hpp"

namespace sheaf::detail {
namespace {

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

[[noreturn]] void throw_stray(routed_record const& r, team_state const& team, char const* why) {
  throw stray_request("sheaf: a request (" + readable(r.handler->name) + ") of member " +
                      std::to_string(r.head.origin) + " of team " + std::to_string(team.id) + " for " +
                      name_of(r.head.id) + why);
}

[[noreturn]] void throw_dead(routed_record const& r, team_state const& team) {
  throw_stray(r, team, " came after the object was destroyed; fence the team before destroy()");
}

[[noreturn]] void throw_doubled(routed_record const& r) {
  throw wire_error("sheaf: request " + std::to_string(r.head.number()) + " (" + readable(r.handler->name) +
                   ") of member " + std::to_string(r.head.origin) + " for " + name_of(r.head.id) +
                   " came twice; memory was overwritten");
}

/// The hops of its requests depend on its moves.
[[noreturn]] void throw_limited(call_site from) {
  throw usage_error(
      "sheaf: a handler calls a migrating object in an epoch with a declared nesting depth, which its requests may "
      "exceed; ask for a detector of any depth" +
      called_at(from));
}

}  // namespace

std::string name_of(object_id id) {
  return "object " + std::to_string(id.number()) + " of member " + std::to_string(id.birth());
}

void throw_undecodable(routed_head const& head, std::string_view name, char const* why) {
  throw wire_error("sheaf: arguments for " + readable(name) + " from member " + std::to_string(head.origin) + " for " +
                   name_of(head.id) + " do not decode: " + why);
}

void throw_not_routed(execution const& state) {
  throw wire_error("sheaf: a run of requests (" + readable(state.handler->name) + ") from " + name_of(state.source) +
                   " that come in other runs only; memory was overwritten");
}

migration_base::migration_base(team const& on, std::size_t most_called)
    : team_(on), state_(state_of(on)), here_(here_of(on)), parts_(new parts{on.rank(), most_called}) {}
migration_base::~migration_base() { delete parts_; }
void migration_base::end_coroutines() {
  if (!team_.is_here()) return;
  here_.calls().coroutines.end_those_of(this);
  parts_->entries.each([&](entry& e) {
    if (e.looks_again) here_.in().recall(&e);
  });
}

object_id migration_base::add(void* object) {
  object_id const id(state_.rank, ++parts_->created);
  entry& e = parts_->of(id);
  e.object = object;
  e.route = state_.rank;
  ++parts_->born;
  ++parts_->here;
  return id;
}

void* migration_base::find(object_id id) const {
  entry const* const e = parts_->find(id);
  return e == nullptr ? nullptr : e->object;
}

std::vector<object_id> migration_base::ids_here() const {
  std::vector<object_id> ids;
  parts_->entries.each([&](entry const& e) {
    if (e.object != nullptr) ids.push_back(e.id);
  });
  std::sort(ids.begin(), ids.end());
  return ids;
}

void migration_base::check_rank(located<std::uint64_t> rank) const {
  if (rank.value >= state_.size()) throw_bad_destination(rank.value, state_, rank.from);
}

migration_base::entry& migration_base::checked(located<object_id> asked) {
  object_id const id = asked.value;
  here().check_owner("a request to a migrating object");
  if (id.number() == 0 || id.birth() >= state_.size()) throw_no_object(asked.from);
  run_scope const in = here_.out().scope();
  bool const is_limited = in.generation() != 0 && in.generation() != run_scope::any_depth;
  if (is_limited && in.team() == state_.id && !in.is_of_messages()) throw_limited(asked.from);
  return parts_->of(id);
}

migration_base::way::way(migration_base& of, located<object_id> id)
    : table(of), known(&of.checked(id)), numbers(&known->issued), box(&of.box_of(known->where())) {
  ++known->users;
}
migration_base::way::~way() {
  --known->users;
  table.parts_->let_go(*known);
}

outbox& migration_base::box_of(std::uint32_t rank) const {
  outbox& known = state_.boxes.at(rank);
  return &known != &member_boxes::unmet ? known : here_.member_box(state_, rank);
}

migration_base::placed_request migration_base::place(located<object_id> id, std::uint32_t handler, std::size_t bytes) {
  entry& e = checked(id);
  if (here_.gate() != nullptr || e.issued.starts) return {};
  outbox& box = box_of(e.where());
  std::size_t const all = routed_head::wire_bytes + bytes;
  if (!box.takes(runs_, all)) return {};
  std::byte* const at = box.append_varying(runs_, all);
  routed_head::words const head = routed_head{id.value, state_.rank, e.issued.next, handler, bytes}.encoded();
  std::memcpy(at, head.data(), sizeof head);
  e.issued.next = request_number::after(e.issued.next);
  return {at + sizeof head, box.dest};
}

void migration_base::forward(std::uint32_t rank, routed_record const& r) {
  put_encoded(here_, box_of(rank), runs_, r.bytes, 0);
}

/// A record of a run, and what was known of its object when its head was read.
struct migration_base::upcoming {
  routed_record record{};
  std::byte const* at = nullptr;  ///< where it begins; null: there is no whole head
  entry* known = nullptr;
  std::uint64_t erased = 0;  ///< entries, by then
};

/// Reads its head, and asks for the memory that the record needs, whose way there is three loads long.
inline void migration_base::look(execution const& state, upcoming& to) const {
  bool const is_whole = static_cast<std::size_t>(state.run_end - state.at) >= routed_head::wire_bytes;
  to.at = is_whole ? state.at : nullptr;
  if (!is_whole) return;
  to.record.head = routed_head::decode(state.at);
  to.known = parts_->find(to.record.head.id);
  to.erased = parts_->entries.erased();
  if (to.known == nullptr) return;
  __builtin_prefetch(to.known->object);
  __builtin_prefetch(to.known->callers.data());
}

/// Reads the record, and goes on behind it. Throws wire_error where it is none.
inline void migration_base::read_record(execution& state, routed_record& r) const {
  routed_head const& head = r.head;
  std::byte const* const begin = state.at;
  if (head.bytes > static_cast<std::size_t>(state.run_end - begin) - routed_head::wire_bytes)
    throw_undecodable(state, "a request is cut off");
  if (head.id.birth() >= state_.size() || head.origin >= state_.size())
    throw_undecodable(state, "it names a member beyond the team's");
  r.handler = nullptr;
  if (head.handler != 0) {
    r.handler = find_handler(head.handler);
    bool const is_ours = r.handler != nullptr && r.handler->routed != nullptr;
    if (!is_ours || r.handler->object_type != state.handler->object_type)
      throw_undecodable(state, "it names no request to such an object");
  }
  r.bytes = {begin, routed_head::wire_bytes + head.bytes};
  state.at = begin + r.bytes.size();
  ++state.begun;
}

/// Each record is looked at while the one before it is executed.
void migration_base::deliver_run(execution& state) {
  std::uint32_t const from = state_.members.rank_of(state.source);
  upcoming two[2];  // not copied: a copy would wait for the stores of its parts
  upcoming *now = &two[0], *behind = &two[1];
  look(state, *now);
  while (state.at != state.run_end) {
    if (now->at != state.at) look(state, *now);  // the run has gone on meanwhile
    if (now->at == nullptr) throw_undecodable(state, "the head of a request is cut off");
    routed_record const& r = now->record;
    read_record(state, now->record);
    look(state, *behind);
    if (r.handler == nullptr) {
      read_notice(r);
    } else {
      bool const stayed = now->known != nullptr && now->erased == parts_->entries.erased();
      deliver(stayed ? now->known : parts_->find(r.head.id), from, r);
    }
    std::swap(now, behind);
  }
}

inline void migration_base::deliver(entry* e, std::uint32_t from, routed_record const& r) {
  if (e == nullptr || e->object == nullptr) return deliver_elsewhere(e, r);
  caller_state* const caller = e->caller(r.head.origin);
  bool const is_next = caller != nullptr && caller->expected == r.head.sequence && from == r.head.origin;
  if (!is_next) return take(*e, caller, from, r);
  execute(*e, *caller, r);  // meanwhile the object stays, and so the entry
  if (!e->is_to_go()) return;
  kept const meanwhile(*this, *e);
  settle(*e);
}

/// What is not known goes to its home, which knows all its objects that live.
void migration_base::deliver_elsewhere(entry const* e, routed_record const& r) {
  bool const is_known = e != nullptr && !e->ended && e->route != entry::nowhere;
  here_.in().claim_request();
  if (is_known || !parts_->has_home(r.head.id)) return forward(is_known ? e->route : r.head.id.birth(), r);
  if (r.head.id.number() <= parts_->created) throw_dead(r, state_);
  throw_stray(r, state_,
              ", which was never created there; use names that create() returned for the same migrating objects");
}

/// The object is here; `caller`: what it knows of the member that issued the request.
void migration_base::take(entry& e, caller_state* caller, std::uint32_t from, routed_record const& r) {
  kept const meanwhile(*this, e);
  std::uint32_t const origin = r.head.origin;
  if (caller != nullptr && request_number::is_before(r.head.number(), caller->expected)) throw_doubled(r);
  if (r.head.starts()) {
    bool const is_new = caller == nullptr;
    if (is_new) caller = &e.callers.emplace_back(caller_state{origin, 0, 0, 0});
    caller->expected = r.head.number();
    if (is_new && e.has_many_callers()) ask_callers(e);
  }
  if (caller != nullptr && from != origin && caller->told != e.version && origin != state_.rank) {
    caller->told = e.version;
    tell(origin, {e.id, notice_kind::is_at, state_.rank, e.version, state_.rank});
  }
  if (caller == nullptr || r.head.number() != caller->expected) return hold(e, r);
  execute(e, *caller, r);
  settle(e);
}

void migration_base::hold(entry& e, routed_record const& r) {
  if (e.held == nullptr) e.held = std::make_unique<held_records>();
  auto const [place, is_new] = e.held->try_emplace({r.head.origin, r.head.number()});
  if (!is_new) throw_doubled(r);
  held_record& record = place->second;
  record = {{r.bytes.begin(), r.bytes.end()}, r, here_.out().scope()};
  record.record.bytes = record.bytes;
  if (record.scope.number() != 0) {
    admission const inside(here_.gate());
    state_.counts_of(record.scope.number()).count_sent(record.scope, number(here_.id()), 1);
  }
  here_.in().claim_request();
}

inline void migration_base::execute(entry& e, caller_state& caller, routed_record const& r) {
  if (e.held != nullptr) [[unlikely]]
    look_again(e);
  ++e.in_use;
  at_end const over{[&e] { --e.in_use; }};
  parts_->executing = &e;
  caller.expected = request_number::after(r.head.number());
  caller.asked = 0;
  here_.in().run_routed(runs_, r.head.handler, *r.handler, {*this, e.object, r});
}

/// In a later step, which may be in a wait of the method that is about to begin: what is held may be in turn then.
void migration_base::look_again(entry& e) {
  if (std::exchange(e.looks_again, true)) return;
  ++e.users;
  e.table = this;
  here_.in().defer(
      [](void* which) {
        entry& held = *static_cast<entry*>(which);
        migration_base& table = *held.table;
        held.looks_again = false;
        table.execute_all_held(held);
        table.settle(held);
        --held.users;
        table.parts_->let_go(held);
      },
      &e);
}

/// What had come too early, if it is its turn; where the object goes now, it is executed there.
void migration_base::execute_held(entry& e, std::uint32_t origin) {
  while (e.held != nullptr && e.object != nullptr && (e.in_use != 0 || !e.is_to_go())) {
    caller_state* const caller = e.caller(origin);
    if (caller == nullptr) return;
    auto const next = e.held->extract({origin, caller->expected});
    if (next.empty()) return;
    if (e.held->empty()) e.held.reset();
    here_.in().claim_request(-1);
    in_its_scope const sends(here_, state_, next.mapped().scope);
    execute(e, *caller, next.mapped().record);
  }
}

void migration_base::execute_all_held(entry& e) {
  constexpr std::uint32_t last = ~std::uint32_t{0};
  std::pair<std::uint32_t, std::uint32_t> past{};
  while (e.held != nullptr) {
    auto const at = e.held->lower_bound(past);
    if (at == e.held->end()) return;
    std::uint32_t const origin = at->first.first;
    execute_held(e, origin);
    past = {origin, last};
  }
}

void migration_base::leave_later(routed_head const& asked, std::uint32_t to) {
  if (to >= state_.size())
    throw wire_error("sheaf: " + name_of(asked.id) + " is to move to member " + std::to_string(to) + " of team " +
                     std::to_string(state_.id) + ", whose members are 0 to " + std::to_string(state_.size() - 1) +
                     "; memory was overwritten");
  parts_->find(asked.id)->set_goal(to, asked.origin);
}
void migration_base::leave_once_unused(located<object_id> id, std::uint32_t to) {
  entry* const last = parts_->executing;
  entry* const e = last != nullptr && last->id == id.value ? last : parts_->find(id.value);
  if (e == nullptr || e->in_use == 0)
    throw usage_error("sheaf: leave of " + name_of(id.value) +
                      ", of which no method runs here; others than its methods ask it to move()" + called_at(id.from));
  e->set_goal(to, state_.rank);
}
void migration_base::die_later(object_id id) { parts_->find(id)->goes_to = entry::its_end; }
void migration_base::keep_here(object_id id) { keep_here(*parts_->find(id)); }
void migration_base::let_go(object_id id) { let_go(*parts_->find(id)); }
void migration_base::keep_here(entry& e) { ++e.in_use; }
void migration_base::let_go(entry& e) {
  kept const meanwhile(*this, e);
  --e.in_use;
  settle(e);
}

/// Where no method of the object is on the stack, does what was asked for meanwhile.
void migration_base::settle(entry& e) {
  if (e.in_use != 0 || e.object == nullptr) return;
  if (e.goes_to == entry::its_end) {
    if (e.held != nullptr) throw_dead(e.held->begin()->second.record, state_);
    return end(e);
  }
  std::uint32_t const to = std::exchange(e.goes_to, entry::nowhere);
  if (to != entry::nowhere && (to == state_.rank || !depart(e, to))) {
    execute_all_held(e);
    settle(e);
  }
}

void migration_base::keep_exception(char const* what, std::uint32_t of) const {
  here_.in().keep_exception(state_, what, state_.members[of]);
}

/// The object first, then what waits for its turn: in this order they arrive. False: its codec threw, and it stays.
bool migration_base::depart(entry& e, std::uint32_t to) {
  if (e.has_many_callers()) ask_callers(e);
  try {
    std::uint32_t const own = state_.rank;
    send_away({e.id, notice_kind::arrives, own, e.version + 1, own}, e.object, e.callers, to);
  } catch (ends_job const&) {
    throw;
  } catch (...) {
    keep_exception("the move of a migrating object", e.mover);
    return false;
  }
  at_end const dropped{
      [this, gone = std::exchange(e.object, nullptr)] { drop(gone); }};  // which may wait: it comes last
  ++e.version;
  --parts_->here;
  e.route = to;
  e.callers.clear();
  // Where it goes home, this pair's order is enough: what follows it by way of its home comes behind it.
  if (is_none_of(e.id.birth(), state_.rank, to)) e.left = e.version;
  if (auto const held = std::exchange(e.held, nullptr); held != nullptr) [[unlikely]] {
    for (auto const& [whose, h] : *held) {
      in_its_scope const sends(here_, state_, h.scope);
      forward(to, h.record);
    }
  }
  if (parts_->calls_too_many()) give_up_calls();
  return true;
}

migration_base::entry& migration_base::has_arrived(routed_head const& head, void* object, packed_callers callers) {
  object_id const id = head.id;
  std::uint32_t const version = head.sequence;
  entry* const known = parts_->find(id);
  bool const lives = known != nullptr && !known->ended;
  if (id.number() == 0 || (!lives && parts_->has_home(id)))
    throw wire_error("sheaf: " + name_of(id) + " came home, where no such object lives; memory was overwritten");
  entry& e = known != nullptr ? *known : parts_->add(id);
  if (!e.is_news(version))
    throw wire_error("sheaf: " + name_of(id) + " arrived as of " + std::to_string(version) +
                     " moves, but is known as of " + std::to_string(e.version) + "; memory was overwritten");
  parts_->executing = &e;  // its method `arrived` comes next
  e.object = object;
  ++parts_->here;
  e.version = version;
  e.route = state_.rank;
  callers.read(e.callers);
  has_come_from(head.origin, id, version);
  return e;
}

}  // namespace sheaf::detail
