// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// What a member knows of migrating objects: migration.cpp executes requests with it, migration_entries.cpp keeps it
/// small.
#pragma once

#include <algorithm>
#include <cstddef>
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

/// A rank is neither of two others. Without a branch between: where objects move at random, it could not be predicted.
[[nodiscard]] constexpr bool is_none_of(std::uint32_t rank, std::uint32_t a, std::uint32_t b) {
  return std::uint64_t{rank ^ a} * (rank ^ b) != 0;
}

/// What one member knows of one object. A request in turn needs its first cache line, and its caller's.
struct alignas(64) migration_base::entry {
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};
  static constexpr std::uint32_t its_end = nowhere - 1;  ///< in place of a member: it is to be destroyed
  /// Beyond so many members that call it, an object asks the oldest to forget it: what it knows of them moves along.
  static constexpr std::size_t most_callers = 16;

  void* object = nullptr;                ///< where it is here
  std::vector<caller_state> callers{};   ///< where it is here
  own_numbers issued{};                  ///< requests of this member to it
  std::unique_ptr<held_records> held{};  ///< null: none
  std::uint32_t in_use = 0;              ///< where it is here: its methods on the stack, and unfinished coroutines
  std::uint32_t goes_to = nowhere;       ///< where it is here: the member to which it is to move, or its_end
  std::uint32_t version = 0;             ///< of `object` or `route`: how often it has moved
  std::uint32_t route = nowhere;         ///< a member at which it was then; this one where it is here
  object_id id{};
  std::uint32_t mover = 0;              ///< rank of who asked for the move
  std::uint32_t users = 0;              ///< who goes on with a reference to this entry
  std::optional<std::uint32_t> left{};  ///< it left here at this version, of which its home may not know
  migration_base* table = nullptr;      ///< where it looks again
  std::list<entry*>::iterator place{};  ///< in parts::called
  bool is_listed = false;               ///< in parts::called
  bool looks_again = false;             ///< at what is held, in a later step
  bool ended = false;                   ///< it was destroyed, and this entry is still in use

  /// Once none of its methods is on the stack.
  [[nodiscard]] bool is_to_go() const { return goes_to != nowhere; }
  /// The last call counts, but nothing after its end does.
  void set_goal(std::uint32_t to, std::uint32_t who_asks) {
    if (goes_to == its_end) return;
    goes_to = to;
    mover = who_asks;
  }
  /// The member to which its requests go.
  [[nodiscard]] std::uint32_t where() const { return route == nowhere ? id.birth() : route; }
  /// Whether a place as of so many moves tells something.
  [[nodiscard]] bool is_news(std::uint32_t of) const {
    return object == nullptr && (route == nowhere || static_cast<std::int32_t>(of - version) > 0);
  }
  [[nodiscard]] bool has_many_callers() const { return callers.size() > most_callers; }
  /// Null: it knows nothing of this member.
  [[nodiscard]] caller_state* caller(std::uint32_t rank) {
    std::size_t const known = callers.size();
    if (known > 1) [[likely]] {  // of the first two without a branch, which could not be predicted
      caller_state& c = callers[callers[0].rank == rank ? 0 : 1];
      if (c.rank == rank) return &c;
    }
    for (std::size_t i = known > 1 ? 2 : 0; i < known; ++i) {
      if (callers[i].rank == rank) return &callers[i];
    }
    return nullptr;
  }
};

/// Entries by name; they stay where they are. Open addressing, linear probing; half of the slots are empty at least.
/// A slot has the name, too, so that no search reads the entries that it passes.
class migration_base::entry_table {
 public:
  /// Null: there is none.
  [[nodiscard]] entry* find(object_id id) const { return slot_of(id).known.get(); }
  /// Of an object that has none.
  entry& add(object_id id) {
    if (2 * (count_ + 1) > size_of_slots()) grow();
    slot& its = slot_of(id);
    its = {id, std::make_unique<entry>()};
    its.known->id = id;
    ++count_;
    return *its.known;
  }
  /// What is behind it moves up, so that no search ends before it.
  void erase(object_id id) {
    std::size_t gap = static_cast<std::size_t>(&slot_of(id) - slots_.get());
    slots_[gap] = {};
    --count_;
    ++erased_;
    for (std::size_t at = next(gap); slots_[at].known != nullptr; at = next(at)) {
      std::size_t const wanted = first_slot_of(slots_[at].id);
      bool const stays = gap <= at ? gap < wanted && wanted <= at : gap < wanted || wanted <= at;
      if (!stays) std::swap(slots_[std::exchange(gap, at)], slots_[at]);
    }
  }
  [[nodiscard]] std::size_t size() const { return count_; }
  /// How many have been erased: while it stays, so does each entry.
  [[nodiscard]] std::uint64_t erased() const { return erased_; }
  void each(auto f) const {
    for (std::size_t i = 0; i < size_of_slots(); ++i) {
      if (slots_[i].known != nullptr) f(*slots_[i].known);
    }
  }

 private:
  struct slot {
    object_id id{};  // number 0, which no object has: empty
    std::unique_ptr<entry> known{};
  };

  [[nodiscard]] std::size_t size_of_slots() const { return mask_ + 1; }
  [[nodiscard]] std::size_t next(std::size_t at) const { return (at + 1) & mask_; }
  /// The upper bits of a product with the golden ratio: numbers in a row are spread evenly. Each birth begins
  /// elsewhere.
  [[nodiscard]] std::size_t first_slot_of(object_id id) const {
    return (id.word() * 0x9e3779b97f4a7c15U + id.birth() * 0x589965cc75374cc3U) >> shift_;
  }
  [[nodiscard]] slot& slot_of(object_id id) const {
    std::size_t at = first_slot_of(id);
    while (slots_[at].id != id && slots_[at].id != object_id()) at = next(at);
    return slots_[at];
  }
  void grow() {
    std::size_t const before = size_of_slots();
    auto old = std::exchange(slots_, std::make_unique<slot[]>(2 * before));
    mask_ = 2 * before - 1;
    --shift_;
    for (std::size_t i = 0; i < before; ++i) {
      if (old[i].known != nullptr) slot_of(old[i].id) = std::move(old[i]);
    }
  }

  static constexpr unsigned first_bits = 3;

  std::size_t mask_ = (std::size_t{1} << first_bits) - 1;  // a power of two, less 1
  unsigned shift_ = 64 - first_bits;
  std::unique_ptr<slot[]> slots_ = std::make_unique<slot[]>(mask_ + 1);
  std::size_t count_ = 0;
  std::uint64_t erased_ = 0;
};

struct migration_base::parts {
  static_assert(offsetof(entry, route) + sizeof(entry::route) <= 64, "its first line");

  std::uint32_t own;
  std::size_t most_called;
  entry_table entries{};
  entry* executing = nullptr;  ///< of the object whose method ran last; null: none, or it has gone
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
        e.users != 0 || e.object != nullptr || !e.issued.starts || (has_home(e.id) && !e.ended) || e.left.has_value();
    if (is_needed) return;
    if (executing == &e) executing = nullptr;
    entries.erase(e.id);
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
