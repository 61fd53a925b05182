// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Transfers as users write them; what rows they become has its tests in paired_rows_test.cpp.
#include "sheaf/memory/transfer.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <array>
#include <complex>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "rmi/jobs.hpp"
#include "sheaf/memory/allocation.hpp"
#include "simulation/seeds.hpp"

namespace {

using sheaf::global_ptr;
using sheaf::piece;
using sheaf::section;
using sheaf::shared_array;
using sheaf::usage_error;
using sheaf_test::expect_in;
using sheaf_test::text_of;

class transfers : public sheaf_test::over {};
SHEAF_OVER_ALL(transfers);

std::uint32_t next(sheaf::team const& world) { return (world.rank() + 1) % world.size(); }

TEST_P(transfers, rows_of_each_form_of_local_memory) {
  run(3, [](sheaf::team world) {
    shared_array<int> all(world, 20);
    auto const there = all.at(next(world));
    int const base = 100 * static_cast<int>(world.rank());
    std::vector<int> const three{base, base + 1, base + 2};
    std::array<int, 2> two{base + 3, base + 4};
    int const plain[] = {base + 5, base + 6};
    sheaf::put(there, three);
    sheaf::put(there + 3, two);
    sheaf::put(there + 5, plain);
    sheaf::put(there + 7, std::span<int const>(three).first(1));
    sheaf::put(there + 8, base + 8);
    sheaf::fence(world);
    std::vector<int> read(9);
    sheaf::get(there, read);
    EXPECT_EQ(read,
              (std::vector<int>{base, base + 1, base + 2, base + 3, base + 4, base + 5, base + 6, base, base + 8}));
    EXPECT_EQ(sheaf::get(there + 8), base + 8);
    sheaf::get(there + 3, std::span(read).first(2));
    sheaf::get(there + 5, two);
    EXPECT_EQ(read[0], base + 3);
    EXPECT_EQ(two[1], base + 6);
    int one = 0;
    sheaf::get(there + 4, one);
    EXPECT_EQ(one, base + 4);
    sheaf::get(global_ptr<int const>(there + 1), one);
    EXPECT_EQ(one, base + 1);
    sheaf::fence(world);
    int const before = 100 * static_cast<int>((world.rank() + 2) % 3);
    EXPECT_EQ(all.own()[2], before + 2);
    EXPECT_EQ(all.own()[9], 0);
  });
}

/// The section of 2 x 100 elements of a matrix of 10 x 300 (ARMCI 2.5), and its transposed form here.
TEST_P(transfers, sections_of_unequal_shapes) {
  run(2, [](sheaf::team world) {
    shared_array<double> all(world, 3000);
    auto const there = all.at(next(world));
    std::iota(all.own().begin(), all.own().end(), 10'000.0 * world.rank());
    double const base = 10'000.0 * next(world);
    sheaf::fence(world);
    std::vector<double> rows(200), columns(200);
    section const part{there + 4 * 300 + 50, {2, 100}, {300, 1}};
    EXPECT_EQ(part.size(), 200u);
    sheaf::get(part, rows);
    sheaf::get(part, section{columns.data(), {2, 100}, {1, 2}});
    for (std::size_t i = 0; i < 100; ++i) {
      ASSERT_EQ(rows[i], base + 4 * 300 + 50 + static_cast<double>(i));
      ASSERT_EQ(rows[100 + i], base + 5 * 300 + 50 + static_cast<double>(i));
      ASSERT_EQ(columns[2 * i], rows[i]);
      ASSERT_EQ(columns[2 * i + 1], rows[100 + i]);
    }
    sheaf::fence(world);
    // Every third element, from the last to the first; then back.
    section const thirds{there + 2997, {1000}, {-3}};
    std::vector<double> values(1000);
    std::iota(values.begin(), values.end(), 1.0);
    sheaf::put(thirds, values);
    sheaf::put(there, section<double const*, 2>{values.data(), {1, 2}, {5, 7}});
    sheaf::fence(world);
    EXPECT_EQ(all.own()[2997], 1);
    EXPECT_EQ(all.own()[3], 999);
    EXPECT_EQ(all.own()[0], 1);
    EXPECT_EQ(all.own()[1], 8);
    EXPECT_EQ(all.own()[2], 10'000.0 * world.rank() + 2);
    std::vector<double> back(1000);
    sheaf::get(section<global_ptr<double const>, 1>{thirds.first, {999}, {-3}}, std::span(back).first(999));
    EXPECT_EQ(back[998], values[998]);
    sheaf::fence(world);
  });
}

/// A section of N dimensions with random extents within an array of `room` elements in each.
template <class P, std::size_t N>
section<P, N> some_section(sheaf_test::dice& random, P first, std::array<std::size_t, N> const& extents) {
  section<P, N> s{first, extents, {}};
  std::ptrdiff_t span = 1;
  for (std::size_t d = N; d-- > 0;) {
    s.steps[d] = span + static_cast<std::ptrdiff_t>(random.below(2));
    std::ptrdiff_t const reach = s.steps[d] * (static_cast<std::ptrdiff_t>(extents[d]) - 1);
    span = s.steps[d] * static_cast<std::ptrdiff_t>(extents[d]);
    if (random.one_in(4)) s.first += reach, s.steps[d] = -s.steps[d];
  }
  return s;
}

/// Calls f(element) in C order.
template <class P, std::size_t N, class F>
void each_element(section<P, N> const& s, F f) {
  for (std::size_t n = 0; n < s.size(); ++n) {
    std::size_t left = n;
    std::ptrdiff_t at = 0;
    for (std::size_t d = N; d-- > 0; left /= s.extents[d]) {
      at += static_cast<std::ptrdiff_t>(left % s.extents[d]) * s.steps[d];
    }
    f(s.first + at);
  }
}

template <class T>
void check_random_sections(sheaf::team const& world, std::uint64_t seeds) {
  constexpr std::size_t room = 4000;
  shared_array<T> all(world, room);
  auto const there = all.at(next(world));
  std::vector<T> mine(room), plain(room);
  std::size_t wrong = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    sheaf_test::dice random(seed * world.size() + world.rank());
    std::size_t const a = 1 + random.below(5), b = 1 + random.below(5), c = 1 + random.below(5);
    auto const remote = some_section(random, there, std::array{a, b, c});
    auto const local = some_section(random, mine.data(), std::array{c, a * b});
    T* const model = plain.data();
    for (T& one : mine) one = T(static_cast<float>(random.below(100)));
    auto const model_part = section<T*, 3>{model + (remote.first - there), remote.extents, remote.steps};
    std::vector<T> given, found, kept;
    each_element(local, [&](T const* one) { given.push_back(*one); });
    bool const sums = random.one_in(2);
    sums ? sheaf::accumulate(remote, local, T{3}) : sheaf::put(remote, local);
    std::size_t n = 0;
    each_element(model_part, [&](T* one) {
      *one = sums ? *one + T{3} * given[n] : given[n];
      kept.push_back(*one);
      ++n;
    });
    auto const back = some_section(random, mine.data(), std::array{a * b * c});
    sheaf::get(remote, back);
    each_element(back, [&](T const* one) { found.push_back(*one); });
    wrong += found != kept ? 1 : 0;
  }
  EXPECT_EQ(wrong, 0u);
  sheaf::get(there, mine);
  EXPECT_EQ(mine, plain) << "something beside the sections has changed";
  sheaf::fence(world);
}

TEST_P(transfers, of_random_sections_are_what_plain_loops_do) {
  run(3, [](sheaf::team world) {
    check_random_sections<std::int32_t>(world, 300);
    check_random_sections<double>(world, 300);
    check_random_sections<std::complex<float>>(world, 300);
  });
}

TEST_P(transfers, of_nothing) {
  run(2, [](sheaf::team world) {
    shared_array<int> all(world, 4);
    auto const there = all.at(next(world));
    std::vector<int> none;
    sheaf::put(there, none);
    sheaf::get(there, none);
    sheaf::accumulate(there, none);
    sheaf::put(global_ptr<int>(), none);  // null, but nobody looks
    sheaf::get(section{there, {3, 0, 2}, {1, 1, 1}}, none);
    sheaf::put(section{there, {0}, {1}}, section<int const*, 2>{none.data(), {5, 0}, {1, 1}});
    sheaf::put(std::array<piece<int>, 0>());
    EXPECT_EQ(sheaf::get(there), 0);
    sheaf::fence(world);
  });
}

TEST_P(transfers, of_pieces_with_sizes_and_targets_of_their_own) {
  run(3, [](sheaf::team world) {
    shared_array<std::int64_t> all(world, 30);
    std::vector<std::int64_t> values(30), read(30);
    std::iota(values.begin(), values.end(), 100 * world.rank());
    std::size_t const at = 10 * world.rank();  // each has ten elements everywhere
    std::vector<piece<std::int64_t, std::int64_t const>> puts;
    std::vector<piece<std::int64_t>> gets;
    for (std::uint32_t rank = 0; rank < 3; ++rank) {
      auto const there = all.at(rank) + static_cast<std::ptrdiff_t>(at);
      puts.push_back({there, &values[rank], 1});
      puts.push_back({there + 2, &values[3], 5});
      puts.push_back({there + 3, &values[20], 1});  // over one that comes before
      puts.push_back({there, nullptr, 0});
      gets.push_back({there + 3, &read[10 * rank], 2});
      gets.push_back({there, &read[10 * rank + 5], 1});
    }
    sheaf::put(puts);
    sheaf::get(gets);
    auto const base = static_cast<std::int64_t>(100 * world.rank());
    for (std::uint32_t rank = 0; rank < 3; ++rank) {
      EXPECT_EQ(read[10 * rank], base + 20);
      EXPECT_EQ(read[10 * rank + 1], base + 5);
      EXPECT_EQ(read[10 * rank + 5], base + rank);
    }
    sheaf::accumulate(puts, std::int64_t{10});
    sheaf::get(std::span(std::as_const(gets)));
    EXPECT_EQ(read[0], 11 * (base + 20) + 10 * (base + 4));
    sheaf::fence(world);
  });
}

TEST_P(transfers, split_phase_forms) {
  run(3, [](sheaf::team world) {
    shared_array<double> all(world, 100);
    auto const there = all.at(next(world));
    std::vector<double> const ones(100, 1.0);
    std::vector<double> first(100), second(100), third(100);
    auto put = sheaf::ask_put(there, ones);
    auto sum = sheaf::ask_accumulate(there, ones, 4.0);
    auto got = sheaf::ask_get(there, first);
    got.get();
    EXPECT_TRUE(put.ready()) << "what is issued before is done before";
    put.get(), sum.get();
    EXPECT_EQ(first, std::vector<double>(100, 5.0));
    sheaf::async_get(there, second);
    sheaf::async_get(section{there + 99, {100}, {-1}}, third);
    sheaf::fence(there.where());
    EXPECT_EQ(second, first);
    EXPECT_EQ(third, first);
    bool continued = false;
    sheaf::ask_put(there, ones).then([&] { continued = true; }).get();
    EXPECT_TRUE(continued);
    sheaf::fence_all();
    sheaf::fence(world);
    EXPECT_EQ(all.own()[99], 1.0);
  });
}

TEST_P(transfers, accumulates_of_all_locations_are_exact) {
  constexpr unsigned locations = 4;
  constexpr std::size_t n = 3000;  // doubles: over two guards
  run(locations, [](sheaf::team world) {
    shared_array<double> reals(world, world.rank() == 0 ? n : 0);
    shared_array<std::int32_t> integers(world, world.rank() == 0 ? n : 0);
    std::vector<double> const real(n, 0.5);
    std::vector<std::int32_t> const integer(n, -1);
    for (int i = 0; i < 50; ++i) {
      sheaf::accumulate(reals.at(0), real, 2.0);
      sheaf::accumulate(integers.at(0), integer, 3);
      sheaf::accumulate(section{reals.at(0) + n - 1, {n / 2}, {-2}}, std::span(real).first(n / 2));
    }
    sheaf::fence(world);
    if (world.rank() != 0) return;
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(reals.own()[i], locations * (i % 2 == 1 ? 75.0 : 50.0)) << i;
      ASSERT_EQ(integers.own()[i], -150 * static_cast<std::int32_t>(locations)) << i;
    }
  });
}

/// A method that a request calls sees what was put before the request.
struct looker : sheaf::distributed<looker> {
  using distributed::distributed;
  int look(global_ptr<int> at) {
    EXPECT_NE(at.local(), nullptr);
    return *at.local();
  }
  void put_back(global_ptr<int> at, int value) { sheaf::put(at, value); }
};

TEST_P(transfers, requests_see_what_was_put_before_and_methods_may_put) {
  run(3, [](sheaf::team world) {
    shared_array<int> all(world, 3);
    looker object(world);
    std::uint32_t const to = next(world);
    auto const there = all.at(to) + world.rank(), mine = all.at(world.rank()) + 2 - world.rank();
    for (int i = 1; i <= 100; ++i) {
      sheaf::put(there, i);
      EXPECT_EQ(object.sync<&looker::look>(to, there), i);
    }
    sheaf::fence(world);
    object.async<&looker::put_back>(to, mine, 77);
    sheaf::fence(world);
    EXPECT_EQ(sheaf::get(mine), 77);
    sheaf::fence(world);
  });
}

/// Two elements; only their pages are there.
TEST_P(transfers, of_elements_that_are_gigabytes_apart) {
  constexpr std::size_t apart = std::size_t{3} << 30, bytes = apart + 4096;
  void* const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) GTEST_SKIP() << "addresses are limited";
  auto* const first = static_cast<std::int32_t*>(pages);
  run(1, [first](sheaf::team) {
    section const both{global_ptr<std::int32_t>(first), {2}, {apart / sizeof(std::int32_t)}};
    std::int32_t const values[] = {7, 8};
    std::int32_t read[2] = {};
    sheaf::put(both, values);
    sheaf::accumulate(both, values, 10);
    sheaf::get(both, section{read, {2}, {1}});
    EXPECT_EQ(read[0], 77);
    EXPECT_EQ(read[1], 88);
    EXPECT_EQ(first[apart / sizeof(std::int32_t)], 88);
  });
  munmap(pages, bytes);
}

TEST_P(transfers, say_where_a_call_is_wrong_and_refuse_impossible_sizes) {
  run(3, [](sheaf::team world) {
    shared_array<int> all(world, 8);
    auto const there = all.at(next(world));
    std::vector<int> three(3);
    auto const no_location = global_ptr<int>(sheaf::location_id{7}, 64);
    auto const text = [](auto f) { return text_of<usage_error>(f); };
    for (auto const& wrong :
         {text([&] { sheaf::put(no_location, three); }), text([&] { sheaf::get(no_location, three); }),
          text([&] { sheaf::accumulate(no_location, three); }), text([&] { sheaf::fence(sheaf::location_id{7}); })}) {
      expect_in("transfer_test.cpp:", wrong);
    }
    std::size_t const huge = ~std::size_t{0} / sizeof(int);
    expect_in("more bytes than there are addresses", text([&] { sheaf::put(there, std::span(three.data(), huge)); }));
    expect_in("local part of 8 bytes begins at a null pointer", text([&] {
                sheaf::put(section{there, {2}, {1}}, section<int*, 1>{nullptr, {2}, {1}});
              }));
    expect_in("more bytes than there are addresses", text([&] {
                std::size_t const much = std::size_t{1} << 40;
                sheaf::put(section{there, {much, much}, {1, 1}}, section<int*, 2>{three.data(), {much, much}, {1, 1}});
              }));
    sheaf::fence(world);
  });
}

TEST_P(transfers, say_what_is_wrong) {
  run(3, [](sheaf::team world) {
    shared_array<int> all(world, 8);
    auto const there = all.at(next(world));
    std::vector<int> three(3);
    auto const no_location = global_ptr<int>(sheaf::location_id{7}, 64);
    auto const text = [](auto f) { return text_of<usage_error>(f); };
    expect_in("put: there is no location 7; the job has 0 to 2", text([&] { sheaf::put(no_location, three); }));
    expect_in("get: there is no location 7", text([&] { sheaf::get(no_location, three); }));
    expect_in("there is no location 7", text([&] { sheaf::accumulate(no_location, three); }));
    expect_in("there is no location 7", text([&] { static_cast<void>(sheaf::get(no_location)); }));
    expect_in("there is no location 7", text([&] { static_cast<void>(sheaf::ask_get(no_location, three)); }));
    expect_in("fence: there is no location 7", text([&] { sheaf::fence(sheaf::location_id{7}); }));
    expect_in("put: the global pointer is null", text([&] { sheaf::put(global_ptr<int>(), three); }));
    expect_in("get: the global pointer is null", text([&] { sheaf::get(global_ptr<int>(), three); }));
    expect_in("get: the global pointer is null", text([&] { static_cast<void>(sheaf::get(global_ptr<long>())); }));
    expect_in("accumulate: the global pointer is null", text([&] { sheaf::accumulate(global_ptr<int>(), three); }));
    expect_in("put: the remote part has 16 bytes, and the local one 12; make them equal", text([&] {
                sheaf::put(section{there, {2, 2}, {4, 1}}, three);
              }));
    expect_in("get: the remote part has 8 bytes, and the local one 12", text([&] {
                sheaf::get(section{there, {2}, {4}}, three);
              }));
    expect_in("accumulate: the remote part has 0 bytes, and the local one 12", text([&] {
                sheaf::accumulate(section{there, {0}, {4}}, three);
              }));
    auto const odd = global_ptr<int>(there.where(), there.address() + 2);
    sheaf::put(odd, 9);  // no alignment is needed
    sheaf::accumulate(odd, 4, 5);
    EXPECT_EQ(sheaf::get(odd), 29);
    sheaf::fence(world);
  });
  int one = 0;
  expect_in("sheaf::run", text_of<usage_error>([&] { sheaf::put(global_ptr<int>(sheaf::location_id{0}, 64), one); }));
}

}  // namespace
