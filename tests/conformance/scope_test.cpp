// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Scopes: a fence that waits for a part of a team's requests, over every transport and in every mode of progress.
#include "sheaf/runtime/scope.hpp"

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "conformance/beside.hpp"
#include "sheaf/rmi/distributed.hpp"
#include "sheaf/rmi/migrating.hpp"

namespace {

using sheaf::detail::scope;

/// Counts by colour, which the tests give to scopes.
struct ledger : sheaf::distributed<ledger> {
  using distributed::distributed;

  std::atomic<std::uint64_t> sums[4] = {};
  bool stops = false;

  void pass_on(std::uint32_t colour, std::uint32_t left) {
    ++sums[colour];
    if (left != 0) async<&ledger::pass_on>((rank() + left) % members().size(), colour, left - 1);
  }
  void pass_on_text(std::uint32_t colour, std::string text) {
    ++sums[colour];
    if (!text.empty()) async<&ledger::pass_on_text>((rank() + 1) % members().size(), colour, text.substr(1));
  }
  void add(std::uint32_t colour) { ++sums[colour]; }
  void pass_on_concurrently(std::uint32_t colour, std::uint32_t left) {
    ++sums[colour];
    if (left != 0) async<&ledger::pass_on_concurrently>((rank() + 1) % members().size(), colour, left - 1);
  }
  void circle() {
    if (!stops) async<&ledger::circle>((rank() + 1) % members().size());
  }
  std::uint32_t asked(std::uint32_t colour) {
    async<&ledger::add>((rank() + 1) % members().size(), colour);
    return colour;
  }
  void ask_on(std::uint32_t colour, std::uint32_t left) {
    ++sums[colour];
    if (left == 0) return;
    sync<&ledger::asked>((rank() + 1) % members().size(), colour);
    async<&ledger::ask_on>((rank() + 1) % members().size(), colour, left - 1);
  }
  sheaf::task<> ask_later(std::uint32_t colour) {
    for (int i = 0; i < 3; ++i) co_await ask<&ledger::asked>((rank() + 1) % members().size(), colour);
    async<&ledger::add>((rank() + 2) % members().size(), colour);
  }

  /// Of all members; itself a check, since nothing but the fence comes before it.
  std::uint64_t sum(std::uint32_t colour) { return all_reduce(members(), sums[colour].load(), std::plus<>()); }
};

}  // namespace

template <>
inline constexpr bool sheaf::concurrent<&ledger::pass_on_concurrently> = true;
template <>
inline constexpr bool sheaf::concurrent<&ledger::add> = true;

namespace {

SHEAF_CASE(scope, a_fence_covers_what_its_requests_lead_to_and_nothing_else) {
  ledger all(s.world);
  scope const own(s.world);
  if (s.rank() == 0) all.async<&ledger::circle>(s.next());
  std::uint64_t expected = 0;
  for (std::uint32_t round = 1; round <= s.scaled(20); ++round) {
    {
      auto const in = own.sending();
      all.async<&ledger::pass_on>(s.next(), 0u, 8u);
      all.async<&ledger::pass_on_text>(s.next(), 0u, std::string("seven.."));
    }
    all.async<&ledger::pass_on>(s.next(), 1u, 3u);
    expected += 17u * s.size();
    own.fence();
    s.same(all.sum(0), expected, "of the scope");
  }
  all.stops = true;
  sheaf::fence(s.world);
  s.same(all.sum(1), 4 * s.scaled(20) * s.size(), "beside it");
}

SHEAF_CASE(scope, several_are_open_and_their_numbers_go_round) {
  ledger all(s.world);
  scope const outer(s.world);
  std::uint64_t inner_expected = 0, outer_expected = 0;
  for (std::uint32_t round = 1; round <= 3 + s.scaled(90); ++round) {
    scope const inner(s.world, round % 2 == 0 ? sheaf::detection{sheaf::detector::channel_counting}
                                              : sheaf::nesting_depth(sheaf::detection::most_depth));
    s.that(inner.number() != outer.number(), "an open scope keeps its number");
    auto const in_outer = outer.sending();
    all.async<&ledger::pass_on>(s.next(), 0u, 2u);
    {
      auto const in_inner = inner.sending();
      all.async<&ledger::pass_on>(s.next(), 1u, round % 5);
    }
    all.async<&ledger::pass_on>(s.next(), 0u, 1u);
    inner_expected += (1u + round % 5) * s.size();
    outer_expected += 5u * s.size();
    s.same(inner.fence([&] { return all.sums[1].load(); }, std::plus<>()), inner_expected, "of the inner one");
    if (round % 3 != 0) continue;
    outer.fence();
    s.same(all.sum(0), outer_expected, "of the outer one");
  }
  sheaf::fence(s.world);
}

SHEAF_CASE(scope, questions_continuations_and_coroutines_stay_in_it) {
  ledger all(s.world);
  scope const own(s.world);
  std::uint64_t expected = 0;
  for (std::uint32_t round = 1; round <= s.scaled(10); ++round) {
    {
      auto const in = own.sending();
      s.same(all.sync<&ledger::asked>(s.next(), 0u), 0u, "an answer");
      all.async<&ledger::ask_on>(s.next(), 0u, 2u);
      all.async<&ledger::ask_later>(s.next(), 0u);
      all.ask<&ledger::asked>(s.next(), 0u).then([&](std::uint32_t colour) {
        all.async<&ledger::pass_on>(s.next(), colour, 2u);
      });
    }
    expected += (1u + 5u + 4u + 4u) * s.size();
    own.fence();
    s.same(all.sum(0), expected, "of the scope");
  }
}

/// An object that moves, and has a ledger count how often it was called.
struct roamer {
  std::uint32_t called = 0;
  void touch(sheaf::handle<ledger> const& all, std::uint32_t to, std::uint32_t colour) {
    ++called;
    all.async<&ledger::add>(to, colour);
  }
};

SHEAF_CASE(scope, requests_that_overtake_others_to_an_object_that_moves_are_awaited) {
  ledger all(s.world);
  sheaf::migrating<roamer> roamers(s.world);
  scope const own(s.world), other(s.world);
  auto const id = broadcast(s.world, 0, s.rank() == 0 ? roamers.create({}) : sheaf::object_id());
  for (std::uint32_t round = 1; round <= s.scaled(30); ++round) {
    if (s.rank() == round % s.size()) roamers.move(id, (round * 7 + 1) % s.size());
    for (std::uint32_t i = 0; i < 4; ++i) {
      roamers.async<&roamer::touch>(id, handle_of(all), s.next(), 1u);
      sheaf::flush();
      for (std::uint32_t polls = 0; polls < (round + s.rank()) % 8; ++polls) sheaf::poll();  // it may learn the way
      auto const in = (i % 2 == 0 ? own : other).sending();
      roamers.async<&roamer::touch>(id, handle_of(all), s.next(), i % 2 == 0 ? 0u : 2u);
    }
    own.fence();
    s.same(all.sum(0), 2 * round * s.size(), "of the scope");
    other.fence();
    s.same(all.sum(2), 2 * round * s.size(), "of the other scope");
  }
  sheaf::fence(s.world);
  s.same(all.sum(1), 4 * s.scaled(30) * s.size(), "beside them");
}

SHEAF_CASE(scope, broadcasts_and_published_objects_belong_to_it) {
  ledger all(s.world);
  scope const own(s.world);
  sheaf::published const shown(all);
  auto const names = all_gather(s.world, handle_of(shown));
  for (std::uint32_t round = 1; round <= s.scaled(10); ++round) {
    {
      auto const in = own.sending();
      all.async<&ledger::pass_on>(sheaf::to_all, 0u, 1u);
      sheaf::world().async<&ledger::pass_on>(names[s.next()], 0u, 2u);
    }
    own.fence();
    s.same(all.sum(0), round * s.size() * (2 * s.size() + 3), "of the scope");
  }
  sheaf::fence(s.world);
}

SHEAF_CASE(scope, teams_have_scopes_of_their_own) {
  sheaf::team const half = s.world.split(s.rank() % 2);
  ledger mine(half);
  scope const own(half);
  {
    auto const in = own.sending();
    for (std::uint32_t to = 0; to < half.size(); ++to) mine.async<&ledger::pass_on>(to, 0u, to % 4);
  }
  std::uint64_t expected = 0;
  for (std::uint32_t to = 0; to < half.size(); ++to) expected += half.size() * (1 + to % 4);
  own.fence();
  s.same(mine.sum(0), expected, "of the team's scope");
  sheaf::fence(s.world);
}

SHEAF_CASE(scope, concurrent_methods_and_attached_threads_send_in_it) {
  bool const lets_in = s.settings().progress != sheaf::progress_kind::inlined;
  ledger all(s.world);
  scope const own(s.world);
  std::uint64_t const count = s.scaled(100);
  for (std::uint64_t round = 1; round <= 3; ++round) {
    std::optional<sheaf_test::beside> threads(std::in_place, s);
    for (int t = 0; t < (lets_in ? 2 : 0); ++t) {
      threads->run([&] {
        sheaf::attached_thread const self(s.world);
        auto const in = own.sending();
        for (std::uint64_t i = 0; i < count; ++i) all.async<&ledger::pass_on_concurrently>(s.next(), 0u, 3u);
      });
    }
    {
      auto const in = own.sending();
      for (std::uint64_t i = 0; i < count; ++i) all.async<&ledger::pass_on_concurrently>(s.next(), 0u, 2u);
    }
    for (std::uint64_t i = 0; i < count; ++i) all.async<&ledger::pass_on_concurrently>(s.next(), 1u, 1u);
    threads.reset();
    own.fence();
    s.same(all.sum(0), round * count * s.size() * (lets_in ? 11 : 3), "of the scope");
  }
  sheaf::fence(s.world);
  s.same(all.sum(1), 3 * count * s.size() * 2, "beside it");
}

}  // namespace
