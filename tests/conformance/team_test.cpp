// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "conformance/suite.hpp"

namespace {

using sheaf_test::suite;

class tally : public sheaf::distributed<tally> {
 public:
  explicit tally(sheaf::team const& on) : distributed(on) {}
  void add(std::uint64_t value, std::uint32_t hops) {
    sum += value;
    if (hops != 0) async<&tally::add>((rank() + hops) % members().size(), value, hops - 1);
  }
  std::uint64_t sum = 0;
};

std::string word_of(std::uint32_t rank) { return std::to_string(rank) + ";"; }

constexpr auto plus = [](std::uint64_t a, std::uint64_t b) { return a + b; };

}  // namespace

SHEAF_CASE(team, split_orders_by_key_and_then_by_rank) {
  sheaf::team const reversed = s.world.split(7, s.size() - s.rank());
  s.same(reversed.size(), s.size(), "the size of the reversed team");
  s.same(reversed.rank(), s.size() - 1 - s.rank(), "the rank in the reversed team");
  for (std::uint32_t r = 0; r < s.size(); ++r) {
    s.same(number(reversed.location_of(r)), s.size() - 1 - r, "the location of a rank");
  }
  sheaf::team const thirds = s.world.split(s.rank() % 3);
  s.same(thirds.size(), (s.size() - s.rank() % 3 + 2) / 3, "the size of a third");
  s.same(thirds.rank(), s.rank() / 3, "the rank in a third");
  sheaf::team const alone = s.world.split(s.rank());
  s.same(alone.size(), 1u, "the size of a team of one");
  sheaf::fence(alone);
  tally own(alone);
  own.async<&tally::add>(0, 5u, 3u);
  sheaf::fence(alone);
  s.same(own.sum, 20u, "the sum of a team of one");
}

SHEAF_CASE(team, numbers_are_unique_also_where_teams_have_no_member_in_common) {
  sheaf::team const half = s.world.split(s.rank() % 2);
  std::vector<std::uint32_t> numbers{half.id()};
  for (std::uint32_t i = 0; i < 3; ++i) numbers.push_back(half.split(half.rank() % (2 + i)).id());
  numbers.push_back(s.world.split(0).id());
  // Two locations have a number in common exactly where they are in the same team.
  auto const everybodys = sheaf::all_gather(s.world, numbers);
  std::vector<std::uint32_t> all;
  for (auto const& some : everybodys) all.insert(all.end(), some.begin(), some.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::size_t teams = 1;  // the last one
  for (std::uint32_t odd = 0; odd < 2; ++odd) {
    std::uint32_t const members = (s.size() + 1 - odd) / 2;
    if (members == 0) continue;
    for (std::uint32_t i = 0; i < 4; ++i) teams += i == 0 ? 1 : std::min(members, 1 + i);
  }
  s.same(all.size(), teams, "the number of different numbers");
}

SHEAF_CASE(team, a_handle_of_a_team_without_this_member_is_refused) {
  sheaf::team const half = s.world.split(s.rank() % 2), inner = half.split(0);
  tally own(inner);
  auto const names = sheaf::all_gather(s.world, handle_of(own));
  for (std::uint32_t r = 0; r < s.size(); ++r) {
    if (r % 2 == s.rank() % 2) {
      s.same(names[r].sync(inner.rank(), [](tally& t) { return t.sum; }), 0u, "one's own team");
    } else {
      s.throws<sheaf::usage_error>([&] { names[r].async<&tally::add>(0, 1u, 1u); },
                                   {"is not a member of team " + std::to_string(names[r].team_id())});
    }
  }
  sheaf::fence(s.world);
}

SHEAF_CASE(team, numbers_members_by_its_own_order) {
  sheaf::team const reversed = s.world.split(0, s.size() - s.rank());
  tally object(reversed);
  std::uint32_t const there = object.sync(0, [](tally& t) { return number(here_of(t.members()).id()); });
  s.same(there, s.size() - 1, "the location of rank 0 of the reversed team");
  object.async<&tally::add>(reversed.rank(), std::uint64_t{s.rank()} + 1, 0u);
  sheaf::fence(reversed);
  s.same(object.sum, s.rank() + 1u, "what came to one's own rank");
}

SHEAF_CASE(team, overlapping_teams_fence_at_once) {
  // Rows and columns of a grid: each location is in one of both, and everybody works in both at once.
  std::uint32_t const width = s.size() >= 4 ? 2 : 1;
  sheaf::team const row = s.world.split(s.rank() / width), column = s.world.split(s.rank() % width);
  tally in_row(row), in_column(column), in_world(s.world);
  for (std::uint64_t round = 1; round <= s.scaled(60); ++round) {
    in_column.async<&tally::add>((column.rank() + 1) % column.size(), 1u, 2u);
    in_row.async<&tally::add>((row.rank() + round) % row.size(), 1u, 3u);
    in_world.async<&tally::add>((s.rank() + round) % s.size(), 1u, 4u);
    sheaf::fence(row);
    s.same(all_reduce(row, in_row.sum, plus), 4 * round * row.size(), "the requests of a row after its fence");
    sheaf::fence(column);
    s.same(all_reduce(column, in_column.sum, plus), 3 * round * column.size(),
           "the requests of a column after its fence");
  }
  sheaf::fence(s.world);
  s.same(all_reduce(s.world, in_world.sum, plus), 5 * s.scaled(60) * s.size(),
         "the requests of the world after its fence");
}

SHEAF_CASE(team, the_worlds_fence_covers_all_teams) {
  sheaf::team const part = s.world.split(s.rank() % 2), inner = part.split(part.rank() % 2);
  tally one(part), two(inner);
  for (std::uint64_t i = 0; i < s.scaled(500); ++i) {
    one.async<&tally::add>((part.rank() + i) % part.size(), 1u, 2u);
    two.async<&tally::add>((inner.rank() + i) % inner.size(), 1u, 3u);
  }
  sheaf::fence(s.world);
  s.same(all_reduce(part, one.sum, plus), 3 * s.scaled(500) * part.size(), "the requests of the part");
  s.same(all_reduce(inner, two.sum, plus), 4 * s.scaled(500) * inner.size(), "the requests of the inner part");
}

SHEAF_CASE(team, unequal_numbers_of_fences) {
  sheaf::team const part = s.world.split(s.rank() == 0 ? 1 : 0);
  tally object(part);
  for (std::uint32_t i = 0; i < (s.rank() == 0 ? 3u : 20u); ++i) {
    object.async<&tally::add>((part.rank() + 1) % part.size(), 1u, 1u);
    sheaf::fence(part);
  }
  s.same(all_reduce(part, object.sum, plus), (s.rank() == 0 ? 6ULL : 40ULL) * part.size(), "the requests");
}

SHEAF_CASE(team, a_fence_ends_only_when_all_have_come) {
  tally object(s.world);
  for (std::uint64_t round = 0; round < 20; ++round) {
    // The one that comes last differs; it works before it comes.
    if (s.rank() == round % s.size()) {
      for (int i = 0; i < 200; ++i) sheaf::poll();
    }
    object.async<&tally::add>(s.next(), 1u, s.size());
    sheaf::fence(s.world);
    s.same(all_reduce(s.world, object.sum, plus), (round + 1) * s.size() * (s.size() + 1ULL),
           "requests after the fence");
  }
}

SHEAF_CASE(collective, broadcast_from_every_root) {
  using value = std::tuple<std::string, std::vector<std::uint32_t>>;
  for (std::uint32_t root = 0; root < s.size(); ++root) {
    value const own(std::string(root + 1, 'b'), std::vector<std::uint32_t>(root * 700, s.rank()));
    value const got = sheaf::broadcast(s.world, root, own);
    s.same(std::get<0>(got), std::string(root + 1, 'b'), "the text broadcast");
    s.same(std::get<1>(got), std::vector<std::uint32_t>(root * 700, root), "the numbers broadcast");
  }
  for (std::uint32_t i = 0; i < 100; ++i)
    s.same(sheaf::broadcast(s.world, i % s.size(), i), i, "one of many broadcasts");
}

SHEAF_CASE(collective, operations_apply_in_the_order_of_ranks) {
  auto const concatenate = [](std::string const& a, std::string const& b) { return a + b; };
  std::string all, upto, before = "<";
  for (std::uint32_t r = 0; r < s.size(); ++r) {
    std::string const word = word_of(r);
    all += word;
    if (r <= s.rank()) upto += word;
    if (r < s.rank()) before += word;
  }
  std::string const own = word_of(s.rank());
  s.same(sheaf::all_reduce(s.world, own, concatenate), all, "all_reduce");
  s.same(sheaf::scan(s.world, own, concatenate), upto, "scan");
  s.same(sheaf::exclusive_scan(s.world, own, std::string("<"), concatenate), before, "exclusive_scan");
  auto const gathered = sheaf::all_gather(s.world, own);
  s.same(gathered.size(), s.size(), "the number of values gathered");
  for (std::uint32_t r = 0; r < s.size(); ++r) s.same(gathered[r], word_of(r), "a value gathered");
}

SHEAF_CASE(collective, several_go_on_at_a_time) {
  std::vector<std::uint64_t> values(s.scaled(500), s.rank());
  auto sent = sheaf::ask_broadcast(s.world, s.size() - 1, std::span(values));
  auto sum = sheaf::ask_all_reduce(s.world, std::uint64_t{1}, plus);
  auto all = sheaf::ask_all_gather(s.world, s.rank());
  auto before = sheaf::ask_exclusive_scan(s.world, std::uint64_t{1}, std::uint64_t{10}, plus);
  auto met = sheaf::ask_barrier(s.world);
  met.get();
  s.same(before.get(), s.rank() + 10, "exclusive_scan");
  s.same(all.get().size(), s.size(), "all_gather");
  s.same(sum.get(), s.size(), "all_reduce");
  sent.get();
  s.same(values.back(), s.size() - 1, "broadcast");
}

SHEAF_CASE(collective, of_a_reversed_team_and_large_values) {
  sheaf::team const reversed = s.world.split(0, s.size() - s.rank());
  auto const ranks = sheaf::all_gather(reversed, s.rank());
  for (std::uint32_t i = 0; i < ranks.size(); ++i) s.same(ranks[i], s.size() - 1 - i, "a rank gathered in reverse");
  std::vector<std::uint64_t> const large(s.scaled(200'000), s.rank() + 1);
  auto const sum =
      sheaf::all_reduce(s.world, large, [](std::vector<std::uint64_t> a, std::vector<std::uint64_t> const& b) {
        for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
        return a;
      });
  s.same(sum.size(), large.size(), "the size of a large sum");
  s.same(sum.back(), s.size() * (s.size() + 1ULL) / 2, "the last element of a large sum");
}

SHEAF_CASE(collective, executes_requests_meanwhile) {
  tally object(s.world);
  for (std::uint32_t round = 0; round < 10; ++round) {
    for (std::uint64_t i = 0; i < s.scaled(200); ++i) object.async<&tally::add>(s.next(), 1u, 1u);
    s.same(sheaf::all_reduce(s.world, s.rank(), [](auto a, auto b) { return a > b ? a : b; }), s.size() - 1,
           "the last rank");
    sheaf::barrier(sheaf::world());
  }
  sheaf::fence(sheaf::world());
  s.same(sheaf::all_reduce(s.world, object.sum, plus), 20 * s.scaled(200) * s.size(), "the number of requests");
}
