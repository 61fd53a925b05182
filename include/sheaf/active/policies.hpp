// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "sheaf/active/detail/cache.hpp"
#include "sheaf/active/detail/per_thread.hpp"
#include "sheaf/base/route.hpp"
#include "sheaf/base/sending_threads.hpp"

/// Policies of message types (AM++ §3.2): what a type gives up for speed. They are given as message_type<T, Policy…>,
/// and messages pass through those that keep messages back in this order. Parameters are members of the policies, which
/// the constructor of the type takes.
///
/// A policy that keeps messages back, or drops some, has a class template `stage<T>`; a program may write its own:
///
///     struct my_policy {
///       template <class T>
///       class stage {
///        public:
///         explicit stage(my_policy const& parameters);
///         void send(std::uint64_t dest, T const& value, auto next);  // calls next(dest, value) for what goes on, or
///                                                 // next.when(yes, dest, value), without a branch, where it can
///         void flush(auto next);                  // hands on all that it holds
///         bool empty() const;                     // it holds nothing
///         void forget();                          // another epoch begins: what it knows of the last one is void
///         std::size_t bytes() const;              // of its tables, which count in SHEAF_BUFFER_BUDGET_BYTES
///       };
///     };
///
/// The stage is made before its policy is a complete class: it copies the parameters that it needs. What it is to tell
/// the program, as a count, it writes through a pointer among them; with per_thread several threads do.
///
/// There is a stage for each message type on each location (with per_thread: and thread), used by one thread at a time.
/// It is flushed when its type or location is, when the location is idle, and before an epoch ends; when it is asked to
/// forget, it is empty. `next` may execute other messages' handlers, in this epoch or another one, which may call any
/// function of the same stage. So `send` takes out all that goes on, and changes what it keeps, before it first calls
/// `next`; `flush` takes out one message, calls `next`, and looks again. `value` stays valid. What a stage holds counts
/// as sent: an epoch waits for it. If `next` throws, as the codec of a value may, that message is lost. A stage that
/// never holds anything may say so (`static constexpr bool never_holds = true`), which is faster.
namespace sheaf {

/// Messages of this type have no order, neither among themselves nor relative to other requests. They travel in buffers
/// of their own, whose runs no other request interrupts.
struct unordered {};

/// Messages of this type take a path of their own (route.hpp), on which other locations pass them on. They have no
/// order to requests on other paths. Buffers are those of the path, which all requests on it share: `coalescing` is for
/// messages to destinations that the path reaches in one hop.
struct routed {
  route_kind by = route_kind::automatic;  ///< automatic: as options::path; straight, if that chooses and few are in the
                                          ///< team
};

/// As `unordered`; says which threads of a location send messages of this type, and what they share. Without it, each
/// thread has buffers of its own. With owner_alone no other thread may send: usage_error where it is found, as
/// a rule; else memory is overwritten. Helpers do not flush these buffers, nor do they age.
template <sending_threads How>
struct sent_by {
  static constexpr sending_threads how = How;
};

/// Buffers of the type's own, as for `unordered`, of a fixed size in place of one that adapts. No buffer holds more
/// than SHEAF_BUFFER_BYTES. `count` is for values of one size. An age is the whole location's, until the job ends.
struct coalescing {
  std::size_t count = 0;     ///< messages in a buffer; 0: as `bytes` says
  std::size_t bytes = 4096;  ///< in a buffer
  std::uint64_t age_ns = 0;  ///< after so long all buffers of the location leave, if it polls or waits; 0: they do not
};

/// The handler may be called by several threads at once: by helper threads and siblings as SHEAF_PROGRESS says, beside
/// the location's own. With SHEAF_PROGRESS=helper and hand_over they share buffers of more than `Grain` messages, if
/// all have one size; use it with `unordered`, so that no other requests interrupt these. The handler may send and
/// issue async calls, but not wait; what it changes is atomic or locked. Gives up the order among messages, and that
/// handlers of a location do not meet.
template <std::uint32_t Grain = 64>
struct parallel {
  static_assert(Grain != 0);
  static constexpr std::uint32_t grain = Grain;
};

/// `send(value)` finds the member by a partition, of Key{}(value). A message for the own member is queued as all are
/// or, where `at_once`, handled before send returns: then the handler may be called inside itself, but never more than
/// 16 deep, and not on an attached thread; deeper messages are queued. What it sends then belongs to the epoch if they
/// are messages, and what it calls as what its sender calls. The end of the epoch reports what it throws.
template <class Partition, class Key = std::identity>
struct addressed {
  Partition map;
  bool at_once = false;

  template <class T>
  [[nodiscard]] std::uint64_t owner(T const& value) const {
    return map.owner(Key{}(value));
  }
};

/// Drops a message whose value was sent to the same member in this epoch, if it is among those that the table still
/// has: a handler is called at least once for each value. `Key` says what makes values equal: Key{}(value) is
/// comparable, and has a std::hash, or is a pair or tuple of such; it can be copied and made by default. A table that
/// saves little passes messages on without a look for a while.
template <class Key = std::identity>
struct unique {
  std::size_t slots = 4096;  ///< of the direct-mapped table

  template <class T>
  class stage : public detail::passes_all,
                public detail::table_stage<detail::direct_table<detail::comparable_of<Key, T>>> {
   public:
    explicit stage(unique const& of) : stage::table_stage(of.slots) {}

    [[gnu::always_inline]] void send(std::uint64_t dest, T const& value, auto next) {
      this->worth_.is_tried() ? look_up(dest, value, next) : next(dest, value);
    }
    void forget() { this->table_.forget(); }

   private:
    void look_up(std::uint64_t dest, T const& value, auto next) {
      auto const& its = Key{}(value);
      decltype(auto) key = detail::comparable(its);
      auto& slot = this->table_.at(dest, key);
      bool const is_double = this->table_.is(slot, dest, key);
      this->worth_.note(is_double);
      this->table_.set(slot, dest, key);
      next.when(!is_double, dest, value);
    }
  };
};

/// As unique, but sends each value once to a member in an epoch, from one location, unless the location sends in
/// another epoch of the team meanwhile (a nested one, or the next one while this one ends). Its table grows with the
/// values.
template <class Key = std::identity>
struct unique_exactly {
  template <class T>
  class stage : public detail::passes_all {
   public:
    explicit stage(unique_exactly const&) {}

    void send(std::uint64_t dest, T const& value, auto next) {
      bool const is_new = set_.insert(dest, Key{}(value));
      counts_.note(!is_new);
      if (is_new) next(dest, value);
    }
    void forget() { set_.forget(); }
    [[nodiscard]] std::size_t bytes() const { return set_.bytes(); }
    [[nodiscard]] detail::plain_counts const& counts() const { return counts_; }

   private:
    detail::growing_set<detail::key_of<Key, T>> set_;
    detail::plain_counts counts_;
  };
};

/// As Policy, which never holds anything back (unique, unique_exactly, pass_better), with a table for each thread of
/// the location that sends. Threads other than the location's own look in theirs without a lock. What another thread
/// has sent is new to a thread, as long as both are attached.
template <class Policy>
struct per_thread : Policy {
  static_assert(
      requires { typename Policy::template stage<int>; },
      "sheaf: per_thread<P> is for a policy P with a table: unique, unique_exactly, pass_better, or one of your own");
  template <class T>
  class stage : public detail::stage_per_thread<Policy, typename Policy::template stage<T>> {
   public:
    using stage::stage_per_thread::stage_per_thread;
  };
};

namespace detail {

template <class Op, class Key, bool Idempotent>
struct combining {
  std::size_t slots = 4096;  ///< of the direct-mapped table

  template <class T>
  class stage : public table_stage<holding_table<T, Key>> {
   public:
    explicit stage(combining const& of) : stage::table_stage(of.slots) {}

    [[gnu::always_inline]] void send(std::uint64_t dest, T const& value, auto next) {
      this->worth_.is_tried() ? look_up(dest, value, next) : next(dest, value);
    }
    void flush(auto next) {
      auto const pass = [&](auto const& one) { next(one.dest, one.value); };
      Idempotent ? this->table_.send_all(pass) : this->table_.take_all(pass);
    }
    [[nodiscard]] bool empty() const { return this->table_.empty(); }
    void forget() {
      if constexpr (Idempotent) this->table_.clear();
    }

   private:
    void look_up(std::uint64_t dest, T const& value, auto next) {
      auto const& key = Key{}(value);
      auto& slot = this->table_.at(dest, key);
      bool const is_known = this->table_.is(slot, dest, key);
      this->worth_.note(is_known);
      if (is_known) return add(slot, value);
      if (this->table_.stays(slot)) return next(dest, value);
      auto const old = this->table_.replace(slot, dest, value);
      if (old) next(old->dest, old->value);
    }

    void add(auto& slot, T const& value) {
      this->table_.meet(slot);
      if constexpr (!Idempotent) {
        this->table_.combine(slot, value, Op{});
      } else if (this->table_.improve(slot, value, Op{})) {
        this->table_.hold(slot);
      }
    }
  };
};

}  // namespace detail

/// Combines messages of one key to one member before they are sent: op(value, value) takes the place of both, so that a
/// handler is called for some bracketing of the values. `Op` is associative and commutative. For a pair it is applied
/// to the second members, and the key is the first; else Key{}(value) is the key, and op(T, T) -> T keeps it.
/// Sums of floating-point numbers may differ in their last bits. A message is held until another key needs its place.
/// T can be copied and made by default. Parameter: `slots` of the direct-mapped table.
template <class Op, class Key = detail::first_of_pair>
using combine = detail::combining<Op, Key, false>;

/// As combine, for an idempotent operation, as the least of two values: op(op(a, b), b) is op(a, b). A message that has
/// been sent is remembered, too, until the epoch ends or another key needs its place, and what would not change it is
/// dropped.
template <class Op, class Key = detail::first_of_pair>
using combine_idempotent = detail::combining<Op, Key, true>;

/// As combine_idempotent, but holds nothing: sends a message at once if it changes the combination of all that it
/// remembers of its key and member, and sends that combination; drops it otherwise. With a minimum, only better values
/// pass.
template <class Op, class Key = detail::first_of_pair>
struct pass_better {
  std::size_t slots = 4096;  ///< of the direct-mapped table

  template <class T>
  class stage : public detail::passes_all, public detail::table_stage<detail::holding_table<T, Key>> {
   public:
    explicit stage(pass_better const& of) : stage::table_stage(of.slots) {}

    [[gnu::always_inline]] void send(std::uint64_t dest, T const& value, auto next) {
      this->worth_.is_tried() ? look_up(dest, value, next) : next(dest, value);
    }
    void forget() { this->table_.clear(); }

   private:
    void look_up(std::uint64_t dest, T const& value, auto next) {
      auto const& key = Key{}(value);
      auto& slot = this->table_.at(dest, key);
      bool const is_known = this->table_.is(slot, dest, key);
      bool const is_worse = is_known && !this->table_.improve(slot, value, Op{});
      this->worth_.note(is_worse);
      if (is_known) this->table_.meet(slot);
      if (is_worse) return;
      if (!is_known && this->table_.stays(slot)) return next(dest, value);
      if (!is_known) this->table_.remember(slot, dest, value);
      T const now = slot.value;
      next(dest, now);
    }
  };
};

}  // namespace sheaf
