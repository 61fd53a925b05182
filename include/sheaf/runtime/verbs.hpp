// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>

#include "sheaf/base/call_site.hpp"
#include "sheaf/runtime/to_whom.hpp"

namespace sheaf {

template <class R>
class future;
template <class R>
class reply_window;

namespace detail {

template <class T>
class asked_object;

/// A compiler names this type where a remote call is given an overloaded method: choose one of the overloads by its
/// parameters, as in `async<sheaf::overload<int>(&T::add)>(rank, 5)` or
/// `async(rank, sheaf::overload<int>(&T::add), 5)`.
struct for_an_overloaded_method_use_sheaf_overload {};

/// The remote calls (ARMI §3.3), written `where.verb<what>(rank, arguments…)`. Bodies: rmi/remote_calls.hpp.
///
/// `where` is a distributed object of this location or a handle: the call goes to the object of member `rank`. Or it is
/// a team: the call goes to member `rank` without an object, or to a published object, whose handle replaces the rank.
/// The caller must be a member of the team, and the rank must exist (usage_error).
///
/// `what` is named at compile time (cheapest): a method `async<&T::add>(rank, a…)`, a function that takes the
/// object first, or a closure without captures. Or it is the first argument, `async(rank, f, a…)`: a callable,
/// trivially copyable, which travels by value (f(object, a…)); a pointer to a function, which travels in 24 bytes; a
/// pointer to a method of T or of a base, virtual or not, which costs an indirect call, and a record for each
/// destination (named_method.hpp saves both). Calls without an object are f(a…), or f(team, a…) where f takes that.
///
/// What is called runs on its owner's thread, one at a time. Arguments travel by value. A large lvalue is encoded
/// without a copy where its record has room at once. Requests from one location to another start in the order issued,
/// whatever their objects and verbs. In the program each call may execute others' requests (after options::poll_every
/// to one destination at the latest, and while the pair has no credit); in a remotely invoked method only calls that
/// wait do.
template <class Where, class T>
class verbs {
  using destination = located<std::uint64_t>;
  using overloaded = for_an_overloaded_method_use_sheaf_overload;

 public:
  /// Issues a request without an answer, and returns. Complete everywhere after the next fence of the team (of the
  /// world, for a published object), which throws the method's exception. Costs a few nanoseconds here and its packed
  /// arguments in a shared buffer.
  template <auto... What, class... A>
  void async(destination dest, A&&... a) const;
  template <overloaded for_an_overloaded_method_use_sheaf_overload = overloaded{}, class... A>
  void async(destination, overloaded, A&&...) const = delete;

  /// One request to all members (`to_all`), or to all but the caller (`to_others`). It goes down a tree with
  /// options::tree_arity children per member, each of which passes it on before it runs the method: at most that many
  /// messages per member, log n steps. Nobody else has to call anything. The broadcasts that one location issues on
  /// objects of one team start on each member in the order issued (unless their methods are declared concurrent); they
  /// are unordered relative to its other requests, unless `in_pair_order(to_all)` is asked for: that issues a request
  /// per member, each in the order of its pair.
  template <auto... What, class Whom, class... A>
  void async(addressed<Whom> whom, A&&... a) const;

  /// Issues as async does, if that would neither wait nor execute anything; says whether it did. False: the pair has no
  /// credit (options::ring_slots entries or SHEAF_WINDOW buffers are under way), and nothing was issued. In a method it
  /// never uses the reserve. A program that only tries must poll() before it tries again.
  template <auto... What, class... A>
  [[nodiscard]] bool try_async(destination dest, A&&... a) const;
  template <overloaded for_an_overloaded_method_use_sheaf_overload = overloaded{}, class... A>
  bool try_async(destination, overloaded, A&&...) const = delete;

  /// Resolves a call once for a loop of async requests: `auto const add = where.bind<&T::add>(); … add(rank, a…)`. Keep
  /// it in a local variable, so that what requests share stays in registers. Only for its location. A pointer is one to
  /// a method.
  template <auto What>
  [[nodiscard]] auto bind(call_site from = call_site::here()) const;
  template <class Pointer>
  [[nodiscard]] auto bind(Pointer method, call_site from = call_site::here()) const;

  /// Waits for the result, executing others' requests meanwhile; throws remote_error when the method threw. Flushes the
  /// pair's buffer and travels behind it; one entry each way. In a remotely invoked method it nests, to
  /// options::nesting_limit; at the limit it throws nesting_limit and nothing has been sent.
  template <auto... What, class... A>
  auto sync(destination dest, A&&... a) const;
  template <overloaded for_an_overloaded_method_use_sheaf_overload = overloaded{}, class... A>
  void sync(destination, overloaded, A&&...) const = delete;

  /// Asks, and returns a future of the result (split-phase; ARMI's opaque_rmi). Requests and replies are aggregated in
  /// buffers, as those of async are. A fence of the team also waits for the replies.
  template <auto... What, class... A>
  auto ask(destination dest, A&&... a) const;
  template <overloaded for_an_overloaded_method_use_sheaf_overload = overloaded{}, class... A>
  void ask(destination, overloaded, A&&...) const = delete;

  /// Asks all members (`to_all`), and returns a future of the vector of their results, by rank. Costs as reduce. Before
  /// you wait for it, or for reduce, make the objects that others may call meanwhile (docs/specification/order.md, rule
  /// 9).
  template <auto... What, class... A>
  auto ask(addressed<to_all_members> whom, A&&... a) const;

  /// Asks all members (`to_all`), and returns a future of op(…op(result of rank 0, result of rank 1)…), or of the error
  /// with the text of a method or op that threw. `op` travels by value (trivially copyable); it is associative,
  /// const-callable as op(R, R) -> R, runs where requests may run, and must not wait. Nobody else has to call anything.
  /// The request goes down the tree of a broadcast, in its order; results are put together on their way up. A request
  /// and an answer per member, 2·log n steps. A fence of the team waits for the result.
  template <auto... What, class Op, class... A>
  auto reduce(addressed<to_all_members> whom, Op op, A&&... a) const;

  /// Asks as ask does; the result goes to a slot of the window. Cheaper than a future.
  template <auto... What, class R, class... A>
  void ask_into(destination dest, reply_window<R>& window, std::uint32_t slot, A&&... a) const;
  template <overloaded for_an_overloaded_method_use_sheaf_overload = overloaded{}, class R, class... A>
  void ask_into(destination, reply_window<R>&, std::uint32_t, overloaded, A&&...) const = delete;

 protected:
  verbs() = default;
  ~verbs() = default;
  verbs(verbs const&) = default;
  verbs& operator=(verbs const&) = default;

 private:
  [[nodiscard]] Where const& where() const { return static_cast<Where const&>(*this); }
};

}  // namespace detail
}  // namespace sheaf
