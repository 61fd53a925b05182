// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// How entries of objects that moved or ended go, and numbers of requests. docs/design/migration.md says why it is
/// right.
#include "base/call_text.hpp"
#include "rmi/migration_parts.hpp"
#include "sheaf/message/sender.hpp"

namespace sheaf::detail {
namespace {

/// In `executed`: none of the requests that were asked for is known. No number.
constexpr std::uint32_t none_known = ~std::uint32_t{0};

}  // namespace

std::size_t migration_base::entries() const {
  std::size_t count = parts_->entries.size();
  parts_->entries.each([&](entry const& e) { count += e.callers.size(); });
  return count;
}

bool migration_base::try_tell(std::uint32_t dest, notice const& n) {
  admission const inside(here_.gate());
  std::size_t const bytes = routed_head::wire_bytes + notice_rest::fixed_size;
  outbox& box = box_of(dest);
  std::byte* const at = box.try_append(runs_, bytes, 0);
  if (at != nullptr)
    fill_routed<notice_rest>(box, {at, bytes}, {n.id, n.rank, n.number}, static_cast<std::uint32_t>(n.kind), n.from);
  return at != nullptr;
}

/// Those behind which an object comes have its callers in between. wait_for_request counts none.
void migration_base::read_notice(routed_record const& r) {
  here_.in().claim_request();
  constexpr char const* what = "a notice about a migrating object";
  auto const refuse = [&](char const* why) { throw_undecodable(r.head, what, why); };
  byte_reader reader(r.payload());
  notice n{r.head.id, {}, r.head.origin, r.head.sequence};
  std::span<std::byte const> callers;
  decode_catching(
      [&] {
        n.kind = static_cast<notice_kind>(reader.value<std::uint32_t>());
        n.from = reader.value<std::uint32_t>();
        if (n.kind != notice_kind::arrives) return reader.remaining() == 0 ? void() : refuse("it is too long");
        std::size_t const bytes = reader.count(sizeof(caller_state)) * sizeof(caller_state);
        callers = {reader.take(bytes), bytes};
      },
      refuse);
  if (n.kind != notice_kind::arrives) return hear(n);
  arrive(r.head, {callers}, r.payload().last(reader.remaining()));
}

void migration_base::hear(notice const& n) {
  std::uint32_t const size = state_.size();
  bool const goes_round = n.kind == notice_kind::is_at && n.rank == state_.rank;
  if (n.from >= size || goes_round || n.kind > notice_kind::ended)
    throw wire_error("sheaf: " + name_of(n.id) + " is said to be at member " + std::to_string(n.rank) + " of team " +
                     std::to_string(state_.id) + ", whose members are 0 to " + std::to_string(size - 1) +
                     ", in notice " + std::to_string(static_cast<std::uint32_t>(n.kind)) + " for member " +
                     std::to_string(state_.rank));
  switch (n.kind) {
    case notice_kind::is_at:
      return is_at(n);
    case notice_kind::home_knows:
      return home_knows(n);
    case notice_kind::asks:
    case notice_kind::forgets:
      return follow(n);
    case notice_kind::executed:
      return has_executed(n);
    case notice_kind::ended:
      return has_ended(n.id);
    case notice_kind::arrives:
      return;  // read_notice knows it
  }
}

// Places

/// The home is told of each arrival that it does not know of, as it does where it sent the object itself; and lets the
/// member that the object left forget the place.
void migration_base::has_come_from(std::uint32_t from, object_id id, std::uint32_t version) {
  if (is_none_of(id.birth(), state_.rank, from)) tell(id.birth(), {id, notice_kind::is_at, state_.rank, version, from});
}

void migration_base::is_at(notice const& n) {
  entry* const e = parts_->find(n.id);
  if (e != nullptr && !e->ended && e->is_news(n.number)) {
    e->version = n.number;
    e->route = n.rank;
  }
  bool const lets_forget = parts_->has_home(n.id) && n.from != n.rank && n.from != state_.rank;
  if (lets_forget) tell(n.from, {n.id, notice_kind::home_knows, n.rank, n.number, n.rank});
}

void migration_base::home_knows(notice const& n) {
  entry* const e = parts_->find(n.id);
  if (e == nullptr || e->left != n.number) return;  // it has been here again since
  e->left.reset();
  parts_->let_go(*e);
}

// Ends

void migration_base::end(entry& e) {
  object_id const id = e.id;
  at_end const dropped{
      [this, gone = std::exchange(e.object, nullptr)] { drop(gone); }};  // which may wait: it comes last
  e.route = entry::nowhere;
  --parts_->here;
  bool tells_home = !parts_->has_home(id);
  for (caller_state const& c : std::exchange(e.callers, {})) {
    if (c.rank == state_.rank) continue;
    tells_home = tells_home && c.rank != id.birth();
    tell(c.rank, {id, notice_kind::ended, 0, 0, 0});
  }
  if (tells_home) tell(id.birth(), {id, notice_kind::ended, 0, 0, 0});
  has_ended(id);
}

void migration_base::has_ended(object_id id) {
  entry* const e = parts_->find(id);
  if (e == nullptr || e->ended) return;
  if (e->object != nullptr)
    throw wire_error("sheaf: " + name_of(id) + " is said to have ended, but is here; memory was overwritten");
  if (parts_->has_home(id)) --parts_->born;
  e->ended = true;
  e->left.reset();
  parts_->forget_numbers(*e);
  parts_->let_go(*e);
  give_up_calls();
}

// Numbers

void migration_base::count(entry& e) {
  e.issued.next = request_number::after(e.issued.next);
  if (std::exchange(e.issued.starts, false)) parts_->list(e);
  ask_oldest_called([&](std::uint32_t dest, notice const& n) { return try_tell(dest, n); });
}

/// A handler may send without waiting.
void migration_base::give_up_calls() {
  ask_oldest_called([&](std::uint32_t dest, notice const& n) {
    tell(dest, n);
    return true;
  });
}

/// Of those that are too many, two: then they become fewer, whatever is added.
template <class Send>
void migration_base::ask_oldest_called(Send send) {
  std::uint32_t const own = state_.rank;
  for (int i = 0; i < 2 && parts_->calls_too_many(); ++i) {
    entry& e = *parts_->called.front();
    if (!send(e.where(), {e.id, notice_kind::asks, own, e.issued.next, own})) return;
    parts_->unlist(e);
  }
}

/// Without their question: `executed` is true whenever it is told.
void migration_base::ask_callers(entry& e) {
  constexpr auto most_callers = entry::most_callers;
  auto unasked = std::count_if(e.callers.begin(), e.callers.end(), [](auto const& c) { return c.asked == 0; });
  for (auto c = e.callers.begin(); unasked > static_cast<std::ptrdiff_t>(most_callers); ++c) {
    if (std::exchange(c->asked, 1) == 1) continue;
    tell(c->rank, {e.id, notice_kind::executed, state_.rank, c->expected, state_.rank});
    --unasked;
  }
}

void migration_base::follow(notice const& n) {
  entry* const e = parts_->find(n.id);
  if (e == nullptr || e->ended || e->route == entry::nowhere) {
    if (!parts_->has_home(n.id)) tell(n.id.birth(), n);  // where it is known not to live any more, nobody waits for it
  } else if (e->object == nullptr) {
    tell(e->route, n);
  } else {
    caller_state const* const c = e->caller(n.rank);
    if (n.kind == notice_kind::asks) {
      tell(n.rank, {n.id, notice_kind::executed, state_.rank, c == nullptr ? none_known : c->expected, state_.rank});
    } else if (c != nullptr && c->expected == n.number) {
      e->callers.erase(e->callers.begin() + (c - e->callers.data()));
    }
  }
}

/// Where all have been executed, a next request may be executed whatever the object remembers.
void migration_base::has_executed(notice const& n) {
  entry* const e = parts_->find(n.id);
  if (e == nullptr || e->ended || e->issued.starts) return;
  if (e->issued.next == n.number) {
    parts_->forget_numbers(*e);
    std::uint32_t const own = state_.rank;
    tell(e->where(), {n.id, notice_kind::forgets, own, n.number, own});
    parts_->let_go(*e);
  } else if (!e->is_listed) {
    parts_->list(*e);
  }
  give_up_calls();
}

}  // namespace sheaf::detail
