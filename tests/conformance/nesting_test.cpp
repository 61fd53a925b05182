// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <string>

#include "conformance/suite.hpp"

namespace {

using sheaf_test::suite;

class caller : public sheaf::distributed<caller> {
 public:
  explicit caller(suite& checks) : distributed(checks.world), s(checks) {}

  /// Asks the next location, and so on `hops` times; the sum of all ranks on the way.
  std::uint64_t around(std::uint32_t hops) {
    ++calls;
    if (hops == 0) return rank();
    return rank() + sync<&caller::around>((rank() + 1) % members().size(), hops - 1);
  }

  /// Fibonacci numbers by two questions each, to different locations.
  std::uint64_t fibonacci(std::uint32_t n) {
    if (n < 2) return n;
    std::uint64_t const first = sync<&caller::fibonacci>((rank() + 1) % members().size(), n - 1);
    return first + sync<&caller::fibonacci>((rank() + members().size() - 1) % members().size(), n - 2);
  }

  /// Descends between here and `other` until the limit stops it; returns how deep it came.
  std::uint32_t descend(std::uint32_t depth, std::uint32_t other) {
    ++calls;
    auto const& state = state_of(members());
    std::uint64_t const sent = state.sent;
    try {
      return sync<&caller::descend>(other, depth + 1, rank());
    } catch (sheaf::nesting_limit const& limit) {
      s.holds_parts(limit.what(), {"sync would be wait number " + std::to_string(s.settings().nesting_limit + 1),
                                   "on location " + std::to_string(rank()), "options::nesting_limit", "ask and then"});
      s.same(state.sent, sent, "the number of requests sent here at the limit");
      return depth;
    }
  }

  suite& s;
  std::uint64_t calls = 0;
};

}  // namespace

SHEAF_CASE(nesting, ring_of_calls) {
  caller object(s);
  sheaf::fence(s.world);
  std::uint32_t const hops = s.settings().nesting_limit / 2 - s.size();
  std::uint64_t expected = 0;
  for (std::uint32_t i = 0; i <= hops; ++i) expected += (s.next() + i) % s.size();
  s.same(object.sync<&caller::around>(s.next(), hops), expected, "the sum of the ranks");
  sheaf::fence(s.world);
  s.same(sheaf::all_reduce(s.world, object.calls, [](auto a, auto b) { return a + b; }), (hops + 1ULL) * s.size(),
         "calls");
}

SHEAF_CASE(nesting, mutual_recursion) {
  caller object(s);
  s.same(object.fibonacci(9), 34u, "the ninth Fibonacci number");
  sheaf::fence(s.world);
}

SHEAF_CASE(nesting, limit_is_thrown_before_anything_is_sent) {
  caller object(s);
  sheaf::fence(s.world);
  std::uint32_t const limit = s.settings().nesting_limit, last = s.size() - 1;
  if (s.rank() == 0) {
    // Each of the two (or the one) may wait `limit` times.
    std::uint32_t const deepest = last == 0 ? limit : 2 * limit;
    s.same(object.sync<&caller::descend>(last, 0u, 0u), deepest, "the depth reached");
  }
  sheaf::fence(s.world);
  std::uint64_t const calls = sheaf::all_reduce(s.world, object.calls, [](auto a, auto b) { return a + b; });
  s.same(calls, (last == 0 ? limit : 2 * limit) + 1ULL, "the number of calls");
}

namespace {

/// Its handlers wait in the middle of their run.
class waiter : public sheaf::distributed<waiter> {
 public:
  explicit waiter(suite& checks) : distributed(checks.world), s(checks), expected(checks.size()) {}

  void note(std::uint32_t source, std::uint64_t number) {
    s.same(number, expected.at(source), "the number of the next request of location " + std::to_string(source));
    expected[source] = number + 1;
    ++begun;
  }
  void varying(std::uint32_t source, std::uint64_t number, std::string const& filler) {
    s.same(filler.size(), number % 5, "the length of the filler");
    note(source, number);
  }
  void ask(std::uint32_t source, std::uint64_t number, std::uint32_t whom) {
    note(source, number);
    s.same(sync<&waiter::echo>(whom, number), number + 1, "the echo");
  }
  void wait_for_another(std::uint32_t source, std::uint64_t number) {
    note(source, number);
    ++waiting;
    sheaf::wait_for_request();
    s.that(++served + waiting <= begun, "each wait_for_request was served by a request of its own that does not wait");
    --waiting;
  }
  std::uint64_t echo(std::uint64_t number) { return number + 1; }

  suite& s;
  std::vector<std::uint64_t> expected;
  std::uint64_t begun = 0;
  std::uint64_t waiting = 0;
  std::uint64_t served = 0;
};

}  // namespace

SHEAF_CASE(nesting, a_waiting_handler_leaves_its_run_to_go_on) {
  waiter object(s);
  std::uint64_t const each = s.scaled(1000);
  for (std::uint64_t i = 0; i < each; ++i) {
    std::uint32_t const whom = static_cast<std::uint32_t>(i / 40) % s.size();
    if (i % 40 == 20) {
      object.async<&waiter::ask>(s.next(), s.rank(), i, whom);
    } else if (i % 5 == 3) {
      object.async<&waiter::varying>(s.next(), s.rank(), i, std::string(i % 5, 'y'));
    } else {
      object.async<&waiter::note>(s.next(), s.rank(), i);
    }
  }
  sheaf::fence(s.world);
  s.same(object.expected[(s.rank() + s.size() - 1) % s.size()], each, "the number of requests executed");
}

SHEAF_CASE(nesting, a_handler_waits_for_what_stands_behind_it_in_its_run) {
  waiter object(s);
  for (std::uint64_t i = 0; i < 60; i += 3) {
    object.async<&waiter::wait_for_another>(s.next(), s.rank(), i);
    object.async<&waiter::note>(s.next(), s.rank(), i + 1);
    object.async<&waiter::note>(s.next(), s.rank(), i + 2);
  }
  sheaf::fence(s.world);
  s.same(object.expected[(s.rank() + s.size() - 1) % s.size()], 60u, "the number of requests executed");
}

namespace {

/// No two of its handlers run at a time, whatever they send.
class one_at_a_time : public sheaf::distributed<one_at_a_time> {
 public:
  explicit one_at_a_time(suite& checks) : distributed(checks.world), s(checks) {}

  void work(std::uint32_t more) {
    s.that(!busy, "no other handler runs on this location");
    busy = true;
    std::uint64_t const before = executed;
    for (std::uint32_t i = 0; i < more; ++i) async<&one_at_a_time::work>(i % members().size(), 0u);
    sheaf::poll();
    sheaf::flush();
    s.same(executed, before, "the number of handlers that ran meanwhile");
    busy = false;
    ++executed;
  }

  suite& s;
  bool busy = false;
  std::uint64_t executed = 0;
};

}  // namespace

SHEAF_CASE(nesting, handlers_are_atomic_whatever_they_send) {
  one_at_a_time object(s);
  std::uint64_t const each = s.scaled(8);
  auto const more = static_cast<std::uint32_t>(s.scaled(3000));
  for (std::uint64_t i = 0; i < each; ++i) object.async<&one_at_a_time::work>(s.next(), more);
  sheaf::fence(s.world);
  std::uint64_t const all = sheaf::all_reduce(s.world, object.executed, [](auto a, auto b) { return a + b; });
  s.same(all, each * s.size() * (more + 1), "the number of handlers that ran");
}

SHEAF_CASE(nesting, a_request_to_oneself_is_queued) {
  one_at_a_time object(s);
  for (std::uint64_t i = 0; i < 2000; ++i) {
    std::uint64_t const before = object.executed;
    object.async<&one_at_a_time::work>(s.rank(), 0u);
    s.that(object.executed <= i && object.executed >= before, "the request just issued did not run inside its sender");
  }
  sheaf::fence(s.world);
  s.same(object.executed, 2000u, "the number of requests executed");
}
