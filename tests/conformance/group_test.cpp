// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Teams from lists and rules, the collectives between all, and remote invocation of whole teams.
#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "conformance/suite.hpp"
#include "sheaf/armi.hpp"

namespace {

using sheaf_test::suite;

constexpr auto joined = [](std::string const& a, std::string const& b) { return a + b; };
constexpr auto plus = [](std::uint64_t a, std::uint64_t b) { return a + b; };

std::string word_of(std::uint32_t rank) { return std::string(rank % 3 * 60, '-') + std::to_string(rank) + ";"; }
std::string words_of_all(std::uint32_t size) {
  std::string all;
  for (std::uint32_t r = 0; r < size; ++r) all += word_of(r);
  return all;
}

class crier : public sheaf::distributed<crier> {
 public:
  explicit crier(sheaf::team const& on) : distributed(on) {}
  void hear(std::uint32_t from, std::uint64_t number) { heard[from].push_back(number); }
  void hear_text(std::string const& text) { texts += text; }
  void pass_on(std::uint32_t depth) {
    ++passed;
    if (depth != 0) this->async<&crier::pass_on>(sheaf::to_others, depth - 1);
  }
  std::string say() { return word_of(rank()); }
  std::uint64_t count(std::uint64_t from) { return from + rank(); }
  std::uint64_t count_all() { return this->reduce<&crier::count>(sheaf::to_all, plus, 1u).get(); }
  std::uint64_t refuse(std::uint32_t where) {
    if (where == rank()) throw std::runtime_error("refused");
    return 1;
  }

  std::map<std::uint32_t, std::vector<std::uint64_t>> heard;
  std::string texts;
  std::uint64_t passed = 0;
};

}  // namespace

SHEAF_CASE(group, teams_by_list_and_by_rule) {
  auto const odd = s.world.subteam_if([](std::uint32_t r) { return r % 2 == 1; });
  s.same(odd.has_value(), s.rank() % 2 == 1, "whether one is in the team of odd ranks");
  if (odd) s.same(odd->size(), s.size() / 2, "the size of the team of odd ranks");
  std::vector<std::uint32_t> list;
  for (std::uint32_t r = s.size(); r-- > 0;) list.push_back(r);
  list.resize((s.size() + 1) / 2);
  auto const upper = s.world.subteam(list);
  s.same(upper.has_value(), s.rank() >= s.size() / 2, "whether one is in the upper half");
  if (!upper) return;
  s.same(sheaf::all_gather(*upper, s.rank()), list, "the members of the upper half, in the list's order");
  crier here(*upper);
  here.async<&crier::hear>(sheaf::to_all, upper->rank(), 1u);
  sheaf::fence(*upper);
  s.same(here.heard.size(), upper->size(), "members of the upper half heard of");
}

SHEAF_CASE(group, overlapping_neighbours_work_and_fence_at_once) {
  std::uint32_t const n = s.size(), before = (s.rank() + n - 1) % n;
  if (n < 2) return;
  auto const pair_of = [&](std::uint32_t r) { return *s.world.subteam({r, (r + 1) % n}); };
  sheaf::team const low = pair_of(std::min(s.rank(), before)), high = pair_of(std::max(s.rank(), before));
  crier in_low(low), in_high(high);
  for (std::uint64_t round = 1; round <= s.scaled(40); ++round) {
    in_high.async<&crier::pass_on>(sheaf::to_all, 2u);
    in_low.async<&crier::pass_on>(sheaf::to_others, 1u);
    sheaf::fence(low);
    // Of a pair with depth d: each of both calls reaches d + 1 others, or one more where the caller is one of them.
    auto const calls_low = sheaf::all_reduce(low, in_low.passed, plus);
    sheaf::fence(high);
    auto const calls_high = sheaf::all_reduce(high, in_high.passed, plus);
    s.that(calls_low >= 4 * round, "the lower pair's broadcasts have run at its fence");
    s.that(calls_high >= 8 * round, "the upper pair's broadcasts have run at its fence");
  }
  sheaf::fence(s.world);
}

SHEAF_CASE(group, values_between_all) {
  std::vector<std::string> mine;
  for (std::uint32_t r = 0; r < s.size(); ++r) mine.push_back(word_of(s.rank()) + word_of(r));
  auto const got = sheaf::all_to_all(s.world, mine);
  std::string expected;
  for (std::uint32_t r = 0; r < s.size(); ++r) {
    s.same(got[r], word_of(r) + word_of(s.rank()), "what a member gave to this one");
    expected += word_of(r) + word_of(s.rank());
  }
  s.same(sheaf::reduce_scatter(s.world, mine, joined), expected, "reduce_scatter");
  std::vector<std::vector<std::uint64_t>> blocks(s.size(), std::vector<std::uint64_t>(s.scaled(20'000), s.rank() + 1));
  auto const add = [](std::vector<std::uint64_t> a, std::vector<std::uint64_t> const& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return a;
  };
  s.same(sheaf::reduce_scatter(s.world, blocks, add).back(), s.size() * (s.size() + 1ULL) / 2,
         "a large reduce_scatter");
  s.same(sheaf::all_to_all(s.world, blocks).back().back(), s.size(), "a large all_to_all");
}

SHEAF_CASE(group, values_to_one) {
  for (std::uint32_t root = 0; root < s.size(); ++root) {
    auto const all = sheaf::gather(s.world, root, word_of(s.rank()));
    s.same(all.size(), s.rank() == root ? s.size() : 0, "the number of values gathered");
    for (std::uint32_t r = 0; r < all.size(); ++r) s.same(all[r], word_of(r), "a value gathered");
    auto const one = sheaf::reduce(s.world, root, word_of(s.rank()), joined);
    s.same(one, s.rank() == root ? words_of_all(s.size()) : word_of(s.rank()), "reduce");
  }
  for (std::uint32_t i = 0; i < 150; ++i) {
    auto const sum = sheaf::reduce(s.world, i % s.size(), std::uint64_t{i}, plus);
    s.same(sum, s.rank() == i % s.size() ? i * s.size() : i, "one of many reduces");
  }
}

SHEAF_CASE(group, broadcasts_of_all_at_once) {
  crier here(s.world);
  std::uint64_t const many = s.scaled(400);
  for (std::uint64_t i = 0; i < many; ++i) {
    here.async<&crier::hear>(sheaf::to_all, s.rank(), i);
    if (i % 50 == 0) here.async<&crier::hear_text>(sheaf::to_others, std::string(i, 't'));
  }
  sheaf::fence(s.world);
  std::size_t text = 0;
  for (std::uint64_t i = 0; i < many; i += 50) text += i;
  s.same(here.texts.size(), text * (s.size() - 1), "the texts heard");
  for (std::uint32_t r = 0; r < s.size(); ++r) {
    s.same(here.heard[r].size(), many, "the broadcasts of a member heard");
    s.that(std::is_sorted(here.heard[r].begin(), here.heard[r].end()), "the order of a member's broadcasts");
  }
}

SHEAF_CASE(group, broadcasts_that_cause_broadcasts_are_waited_for) {
  crier here(s.world);
  if (s.rank() == s.size() / 2) here.async<&crier::pass_on>(sheaf::to_others, 2u);
  sheaf::fence(s.world);
  std::uint64_t const others = s.size() - 1;
  s.same(sheaf::all_reduce(s.world, here.passed, plus), others + others * others + others * others * others,
         "the calls caused by one broadcast");
}

SHEAF_CASE(group, broadcasts_in_pair_order_and_collective) {
  crier here(s.world);
  for (std::uint64_t i = 0; i < s.scaled(100); ++i) {
    for (std::uint32_t r = 0; r < s.size(); ++r) here.async<&crier::hear>(r, s.rank(), 2 * i);
    here.async<&crier::hear>(sheaf::in_pair_order(sheaf::to_all), s.rank(), 2 * i + 1);
  }
  sheaf::fence(s.world);
  for (auto const& [from, numbers] : here.heard) {
    s.same(numbers.size(), 2 * s.scaled(100), "the requests of a member");
    s.that(std::is_sorted(numbers.begin(), numbers.end()), "the order of a member's requests and broadcasts");
  }
  for (std::uint32_t i = 0; i < 100; ++i) {
    auto const got =
        sheaf::collective_broadcast_rmi<&crier::count>(i % s.size(), here, s.rank() == i % s.size() ? i : 7);
    s.same(got, i + s.rank(), "the result of a collective broadcast");
  }
}

SHEAF_CASE(group, one_asks_all) {
  crier here(s.world);
  std::vector<sheaf::future<std::string>> words;
  std::vector<sheaf::future<std::vector<std::string>>> lists;
  for (std::uint64_t i = 0; i < s.scaled(20); ++i) {
    words.push_back(here.reduce<&crier::say>(sheaf::to_all, joined));
    lists.push_back(here.ask<&crier::say>(sheaf::to_all));
  }
  for (auto& word : words) s.same(word.get(), words_of_all(s.size()), "what all say");
  for (auto& list : lists) {
    auto const all = list.get();
    for (std::uint32_t r = 0; r < s.size(); ++r) s.same(all[r], word_of(r), "what one says");
  }
  std::uint64_t const n = s.size();
  s.same(here.sync<&crier::count_all>(s.next()), n * (n + 1) / 2, "a question to all within a method");
  s.throws<sheaf::remote_error>([&] { here.reduce<&crier::refuse>(sheaf::to_all, plus, s.next()).get(); },
                                {"crier::refuse", "refused"});
  sheaf::fence(s.world);  // others still ask this one
}

SHEAF_CASE(group, all_ask_together) {
  crier here(s.world);
  s.same(sheaf::collective_reduce_rmi<&crier::say>(here, joined), words_of_all(s.size()), "for all");
  auto const all = sheaf::collective_collect_rmi<&crier::count>(here, 5u);
  for (std::uint32_t r = 0; r < s.size(); ++r) s.same(all[r], 5u + r, "one of the results");
}

SHEAF_CASE(group, exceptions_of_a_broadcast_come_out_of_the_fence) {
  crier here(s.world);
  if (s.rank() == 0) {
    for (std::uint32_t r = 0; r < s.size(); ++r) here.async<&crier::refuse>(sheaf::to_all, r);
  }
  s.throws<sheaf::remote_error>([&] { sheaf::fence(s.world); }, {std::to_string(s.size()) + " remotely invoked method",
                                                                 "called by location 0: refused"});
}
