// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <stdexcept>
#include <string>
#include <vector>

#include "conformance/suite.hpp"

namespace {

using sheaf::task;
using sheaf_test::suite;

class walker : public sheaf::distributed<walker> {
 public:
  walker(sheaf::team const& on, suite& checks) : distributed(on), s(checks) {}
  explicit walker(suite& checks) : walker(checks.world, checks) {}

  [[nodiscard]] std::uint32_t next() const { return (rank() + 1) % members().size(); }
  std::uint64_t twice(std::uint64_t v) { return 2 * v; }
  void count() { ++counted; }

  task<std::uint64_t> around(std::uint64_t hops) {
    if (hops == 0) co_return 1;
    co_return co_await ask<&walker::around>(next(), hops - 1) + 1;
  }
  task<std::string> repeat(std::string const& word, std::uint32_t times) {
    std::string all;
    for (std::uint32_t i = 0; i < times; ++i) {
      if (i % 10 == 0) co_await ask<&walker::twice>(next(), i);
      all += word;
    }
    co_return all;
  }
  /// Sends on when it is long gone from the stack.
  task<> spread(std::uint64_t more) {
    ++running;
    s.same(running, 1u, "the number of coroutines between two suspensions");
    --running;
    co_await ask<&walker::twice>(static_cast<std::uint32_t>(more % members().size()), more);
    if (more != 0) async<&walker::spread>(next(), more - 1);
    async<&walker::count>(next());
  }
  task<> refuse(std::uint64_t v) {
    co_await ask<&walker::twice>(next(), v);
    throw std::runtime_error("no answer to " + std::to_string(v));
  }

  suite& s;
  std::uint64_t counted = 0;
  std::uint64_t running = 0;
};

}  // namespace

SHEAF_CASE(coroutine, methods_answer_when_they_end) {
  walker w(s);
  s.same(w.sync<&walker::around>(s.next(), 50u), 51u, "the answer to a blocking question");
  std::vector<sheaf::future<std::uint64_t>> all;
  std::uint64_t const each = s.scaled(1000);
  for (std::uint64_t i = 0; i < each; ++i) all.push_back(w.ask<&walker::around>(i % s.size(), i % 7));
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < each; ++i) wrong += all[i].get() != i % 7 + 1 ? 1 : 0;
  s.same(wrong, 0u, "the number of wrong answers");
  s.same(w.sync<&walker::repeat>(s.next(), std::string(30, 'a'), 100u).size(), 3000u, "the length of a text");
  sheaf::fence(s.world);
}

SHEAF_CASE(coroutine, the_fence_waits_for_them) {
  walker w(s);
  std::uint64_t const depth = 20;
  for (int round = 0; round < 3; ++round) {
    w.async<&walker::spread>(s.next(), depth);
    sheaf::fence(s.world);
    std::uint64_t const total =
        sheaf::all_reduce(s.world, w.counted, [](std::uint64_t a, std::uint64_t b) { return a + b; });
    s.same(total, s.size() * (depth + 1) * (static_cast<std::uint64_t>(round) + 1), "the number of ends");
  }
}

SHEAF_CASE(coroutine, overlapping_teams_fence_their_own) {
  sheaf::team const half = s.world.split(s.rank() % 2), pair = s.world.split(s.rank() / 2);
  walker a(half, s), b(pair, s), all(s);
  for (int round = 0; round < 3; ++round) {
    a.async<&walker::spread>(a.next(), 5u);
    b.async<&walker::spread>(b.next(), 7u);
    all.async<&walker::spread>(all.next(), 3u);
    auto const plus = [](std::uint64_t x, std::uint64_t y) { return x + y; };
    auto const rounds = static_cast<std::uint64_t>(round) + 1;
    sheaf::fence(half);
    s.same(sheaf::all_reduce(half, a.counted, plus), half.size() * 6 * rounds, "the ends of one team");
    sheaf::fence(pair);
    s.same(sheaf::all_reduce(pair, b.counted, plus), pair.size() * 8 * rounds, "the ends of the other team");
    sheaf::fence(s.world);
    s.same(sheaf::all_reduce(s.world, all.counted, plus), s.size() * 4 * rounds, "the ends of the world's");
  }
}

SHEAF_CASE(coroutine, exceptions) {
  walker w(s);
  s.throws<sheaf::remote_error>([&] { w.sync<&walker::refuse>(s.next(), 3u); },
                                {"no answer to 3", "location " + std::to_string(s.next()), "refuse"});
  s.throws<sheaf::remote_error>([&] { w.ask<&walker::refuse>(s.next(), 4u).get(); }, {"no answer to 4"});
  sheaf::fence(s.world);
  if (s.rank() == 0) w.async<&walker::refuse>(s.next(), 5u);
  s.throws<sheaf::remote_error>([&] { sheaf::fence(s.world); }, {"1 remotely invoked method threw", "refuse",
                                                                 "called by location 0", "no answer to 5"});
}

SHEAF_CASE(coroutine, of_the_program) {
  walker w(s);
  auto const sum = [](walker& here, std::uint32_t to) -> task<std::uint64_t> {
    auto [a, b] = co_await when_all(here.ask<&walker::twice>(to, 1u), here.around(3));
    co_return a + b;
  };
  s.same(sum(w, s.next()).get(), 6u, "a sum");
  sheaf::future<std::uint64_t> const later = sum(w, 0);
  sheaf::fence(s.world);
  s.that(later.ready(), "a coroutine that became a future has ended after the fence");
}

namespace {

struct tell_all : sheaf::parallel_task {
  std::uint64_t sum = 0;
  void take(std::uint64_t v) { sum += v; }
  std::uint64_t execute() {
    for (std::uint32_t to = 0; to < members().size(); ++to)
      sheaf::handle_of(*this).async<&tell_all::take>(to, rank() + 1);
    sheaf::fence(members());
    return sum;
  }
};

}  // namespace

SHEAF_CASE(parallel_task, executes_on_all_members) {
  std::uint64_t const n = s.size();
  s.same(sheaf::execute(tell_all()), n * (n + 1) / 2, "the sum of the world");
  sheaf::team const half = s.world.split(s.rank() % 2);
  std::uint64_t const m = half.size();
  s.same(sheaf::execute(tell_all(), half), m * (m + 1) / 2, "the sum of one half");
}
