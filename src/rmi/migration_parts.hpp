// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// What a member knows of migrating objects: migration.cpp executes requests with it, migration_entries.cpp keeps it
/// small.
#pragma once

#include <algorithm>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sheaf/rmi/detail/migration.hpp"

namespace sheaf::detail {

/// A request that came before another one of its member. Its run counts as executed before it. So that the fence
/// of its scope waits for it, it is counted as sent once more, to its own location, where it is put aside.
struct held_record {
  std::vector<std::byte> bytes;
  routed_record record;  // of these bytes
  run_scope scope;       // in which its handler sends
};

/// By who issued them, and their numbers.
using held_records = std::map<std::pair<std::uint32_t, std::uint32_t>, held_record>;

[[nodiscard]] std::string name_of(object_id id);

/// What one member knows of one object.
struct migration_base::entry {
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};
  /// Beyond so many members that call it, an object asks the oldest to forget it: what it knows of them moves along.
  static constexpr std::size_t most_callers = 16;

  object_id id;
  void* object = nullptr;               ///< where it is here
  bool ended = false;                   ///< it was destroyed, and this entry is still in use
  bool is_listed = false;               ///< in parts::called
  bool looks_again = false;             ///< at what is held, in a later step
  migration_base* table = nullptr;      ///< where it looks again
  std::uint32_t users = 0;              ///< who goes on with a reference to this entry
  std::uint32_t version = 0;            ///< of `object` or `route`: how often it has moved
  std::uint32_t route = nowhere;        ///< where it is not here: a member at which it was then
  std::optional<std::uint32_t> left{};  ///< it left here at this version, of which its home may not know
  own_numbers issued{};                 ///< requests of this member to it
  std::list<entry*>::iterator place{};  ///< in parts::called

  // Where it is here:
  bool dies = false;                ///< it is to be destroyed
  std::uint32_t goes_to = nowhere;  ///< it is to move
  std::uint32_t mover = 0;          ///< rank of who asked for the move
  std::uint32_t in_use = 0;         ///< its methods on the stack, and coroutines that have not ended
  std::vector<caller_state> callers{};
  held_records held{};

  /// Once none of its methods is on the stack.
  [[nodiscard]] bool is_to_go() const { return goes_to != nowhere || dies; }
  [[nodiscard]] std::uint32_t where() const { return route == nowhere ? id.birth() : route; }
  /// Whether a place as of so many moves tells something.
  [[nodiscard]] bool is_news(std::uint32_t of) const {
    return object == nullptr && (route == nowhere || static_cast<std::int32_t>(of - version) > 0);
  }
  [[nodiscard]] bool has_many_callers() const { return callers.size() > most_callers; }
  [[nodiscard]] auto at(std::uint32_t rank) {
    return std::find_if(callers.begin(), callers.end(), [&](auto const& c) { return c.rank == rank; });
  }
  /// Null: it knows nothing of this member.
  [[nodiscard]] caller_state* caller(std::uint32_t rank) {
    auto const found = at(rank);
    return found == callers.end() ? nullptr : &*found;
  }
};

/// Entries by name; they stay where they are. Open addressing, linear probing; half of the slots are empty at least.
class migration_base::entry_table {
 public:
  /// Null: there is none.
  [[nodiscard]] entry* find(object_id id) const { return slots_[slot_of(id)].get(); }
  /// Of an object that has none.
  entry& add(object_id id) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    auto& slot = slots_[slot_of(id)];
    slot = std::make_unique<entry>();
    slot->id = id;
    ++count_;
    return *slot;
  }
  /// What is behind it moves up, so that no search ends before it.
  void erase(object_id id) {
    std::size_t gap = slot_of(id);
    slots_[gap].reset();
    --count_;
    for (std::size_t at = next(gap); slots_[at] != nullptr; at = next(at)) {
      std::size_t const wanted = first_slot_of(slots_[at]->id);
      bool const stays = gap <= at ? gap < wanted && wanted <= at : gap < wanted || wanted <= at;
      if (!stays) std::swap(slots_[std::exchange(gap, at)], slots_[at]);
    }
  }
  [[nodiscard]] std::size_t size() const { return count_; }
  void each(auto f) const {
    for (auto const& e : slots_) {
      if (e != nullptr) f(*e);
    }
  }

 private:
  [[nodiscard]] std::size_t next(std::size_t slot) const { return (slot + 1) & (slots_.size() - 1); }
  [[nodiscard]] std::size_t first_slot_of(object_id id) const {
    return id.word() * 0x9e3779b97f4a7c15U >> 32U & (slots_.size() - 1);
  }
  [[nodiscard]] std::size_t slot_of(object_id id) const {
    std::size_t at = first_slot_of(id);
    while (slots_[at] != nullptr && slots_[at]->id != id) at = next(at);
    return at;
  }
  void grow() {
    auto old = std::exchange(slots_, std::vector<std::unique_ptr<entry>>(2 * slots_.size()));
    for (auto& e : old) {
      if (e != nullptr) slots_[slot_of(e->id)].swap(e);
    }
  }

  std::vector<std::unique_ptr<entry>> slots_{8};  // a power of two
  std::size_t count_ = 0;
};

struct migration_base::parts {
  std::uint32_t own;
  std::size_t most_called;
  entry_table entries{};
  std::list<entry*> called{};  ///< those to which this member issues, the oldest first
  std::uint64_t created = 0;
  std::size_t born = 0;          ///< of the created, those that live
  std::size_t here = 0;          ///< objects that are here
  std::uint32_t next_start = 0;  ///< after all numbers of objects that were forgotten

  [[nodiscard]] entry* find(object_id id) const { return entries.find(id); }
  entry& of(object_id id) {
    entry* const known = find(id);
    return known != nullptr ? *known : add(id);
  }
  [[gnu::noinline, gnu::cold]] entry& add(object_id id) {
    entry& e = entries.add(id);
    e.issued.next = next_start;
    return e;
  }
  [[nodiscard]] bool has_home(object_id id) const { return id.birth() == own; }
  [[nodiscard]] bool calls_too_many() const { return called.size() > most_called + 2 * (born + here); }

  void list(entry& e) {
    e.is_listed = true;
    e.place = called.insert(called.end(), &e);
  }
  void unlist(entry& e) {
    if (std::exchange(e.is_listed, false)) called.erase(e.place);
  }
  /// All its requests to the object have been executed.
  void forget_numbers(entry& e) {
    if (request_number::is_before(next_start, e.issued.next)) next_start = e.issued.next;
    e.issued.starts = true;
    unlist(e);
  }
  /// Ends the entry if nothing needs it.
  void let_go(entry& e) {
    bool const is_needed =
        e.users != 0 || e.object != nullptr || (has_home(e.id) && !e.ended) || !e.issued.starts || e.left.has_value();
    if (!is_needed) entries.erase(e.id);
  }
};

/// While it lives, the entry stays.
class migration_base::kept : immovable<kept> {
 public:
  kept(migration_base& table, entry& e) : parts_(*table.parts_), entry_(e) { ++e.users; }
  ~kept() {
    --entry_.users;
    parts_.let_go(entry_);
  }

 private:
  parts& parts_;
  entry& entry_;
};

}  // namespace sheaf::detail
