// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// One-sided memory over every transport: the same promises whether an operation is a copy by the caller, goes by the
// system, or is served by another process.
#include <complex>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "conformance/suite.hpp"
#include "memory/ordered_player.hpp"
#include "sheaf/memory.hpp"

namespace {

using sheaf::global_ptr;
using sheaf::section;
using sheaf::shared_array;
using sheaf_test::suite;

}  // namespace

SHEAF_CASE(memory, what_one_location_does_at_another_is_in_order) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    sheaf_test::ordered_player player(s.world, seed);
    s.same(player.play(s.scaled(300)), "", "the first problem of seed " + std::to_string(seed));
    sheaf::fence(s.world);
  }
}

SHEAF_CASE(memory, rows_and_sections_reach_all_members) {
  constexpr std::size_t n = 5000;
  shared_array<std::uint32_t> all(s.world, n);
  std::vector<std::uint32_t> values(n), read(n);
  std::iota(values.begin(), values.end(), s.rank() * 10'000);
  auto const there = all.at(s.next());
  sheaf::put(there, values);
  sheaf::put(section{there, {50, 20}, {100, 2}}, section<std::uint32_t*, 2>{values.data() + 999, {20, 50}, {-50, -1}});
  sheaf::get(there, read);
  for (std::size_t i = 0; i < 1000; ++i) values[4000 + i] = values[999 - i];  // as the section has them, in its order
  std::vector<std::uint32_t> expected(n);
  std::iota(expected.begin(), expected.end(), s.rank() * 10'000);
  for (std::size_t i = 0; i < 1000; ++i) expected[i / 20 * 100 + i % 20 * 2] = values[4000 + i];
  s.that(read == expected, "a section of a matrix has what was put, and nothing beside it has changed");
  sheaf::fence_all();
  sheaf::fence(s.world);
  std::uint32_t const before = (s.rank() + s.size() - 1) % s.size();
  s.same(all.own()[1], before * 10'000 + 1, "what another one has put here");
  s.same(all.own()[n - 1], before * 10'000 + 4999, "the last element that it has put here");
}

SHEAF_CASE(memory, large_rows) {
  std::size_t const n = s.scaled(2'000'000);
  shared_array<double> all(s.world, s.rank() == 0 || s.rank() + 1 == s.size() ? n : 0);
  std::uint32_t const other = s.rank() == 0 ? s.size() - 1 : 0;
  bool const takes_part = !all.own().empty();
  std::vector<double> values(takes_part ? n : 0), read(values.size());
  std::iota(values.begin(), values.end(), 0.5);
  if (takes_part) {
    sheaf::put(all.at(other), values);
    sheaf::accumulate(all.at(other), values, 2.0);
    sheaf::get(all.at(other), read);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i) wrong += read[i] != 3 * values[i] ? 1 : 0;
    s.same(wrong, 0u, "the number of wrong elements");
  }
  sheaf::fence(s.world);
}

namespace {

/// All add to all; the sums are whole numbers, so that they are exact.
template <class T>
void check_sums(suite& s, T scale, std::uint64_t rounds) {
  constexpr std::size_t n = 300;
  shared_array<T> all(s.world, 2 * n);
  std::vector<T> heap(n);
  auto const heaps = sheaf::all_gather(s.world, global_ptr<T>(heap.data()));
  std::vector<T> const ones(n, T{1});
  for (std::uint64_t i = 0; i < rounds; ++i) {
    auto const to = static_cast<std::uint32_t>((s.rank() + i) % s.size());
    sheaf::accumulate(all.at(to), ones, scale);
    sheaf::accumulate(section{all.at(to) + 2 * n - 1, {n}, {-2}}, ones);
    sheaf::accumulate(heaps[to], ones, scale);
  }
  sheaf::fence_all();
  sheaf::fence(s.world);
  T sum{}, on_heap{}, last{};
  for (std::uint32_t r = 0; r < s.size(); ++r) {
    sum += sheaf::get(all.at(r));
    last += sheaf::get(all.at(r) + 2 * n - 1);
    on_heap += sheaf::get(heaps[r] + n - 1);
  }
  T const count = T(static_cast<float>(rounds * s.size()));
  s.that(sum == count * scale, "the sum in shared memory is exact");
  s.that(last == count, "the sum of a section is exact");
  s.that(on_heap == count * scale, "the sum on the heap is exact");
  sheaf::fence(s.world);
}

}  // namespace

SHEAF_CASE(memory, sums_of_all_members_are_exact) {
  std::uint64_t const rounds = s.scaled(60);
  check_sums<std::int32_t>(s, -3, rounds);
  check_sums<std::uint64_t>(s, 5, rounds);
  check_sums<float>(s, 2, rounds);
  check_sums<double>(s, 0.5, rounds);
  check_sums<std::complex<float>>(s, {1, -2}, rounds);
  check_sums<std::complex<double>>(s, {0, 3}, rounds);
}

SHEAF_CASE(memory, numbers_that_all_fetch_are_all_different) {
  shared_array<std::uint32_t> all(s.world, 1);
  std::uint64_t const each = s.scaled(400);
  std::vector<std::uint32_t> got;
  for (std::uint64_t i = 0; i < each; ++i) got.push_back(sheaf::fetch_add(all.at(s.size() - 1), 1));
  s.that(std::is_sorted(got.begin(), got.end()), "a member's numbers grow");
  auto const everybodys = sheaf::all_gather(s.world, got);
  std::vector<bool> seen(each * s.size());
  std::size_t different = 0;
  for (auto const& some : everybodys) {
    for (std::uint32_t const number : some) {
      if (number < seen.size() && !seen[number]) seen[number] = true, ++different;
    }
  }
  s.same(different, seen.size(), "the number of different numbers");
  sheaf::fence(s.world);
}

SHEAF_CASE(memory, a_lock_keeps_others_out) {
  shared_array<std::uint64_t> all(s.world, 3);
  std::uint32_t const at = s.size() / 2;
  sheaf::global_lock const lock(all.at(at));
  auto const counters = all.at(at) + 1;
  std::uint64_t const each = s.scaled(100);
  for (std::uint64_t i = 0; i < each; ++i) {
    lock.lock();
    std::uint64_t const first = sheaf::get(counters);
    sheaf::put(counters, first + 1);
    s.same(sheaf::get(counters + 1), first, "what the last holder has put last");
    sheaf::put(counters + 1, first + 1);
    lock.unlock();
    if (i % 10 == 0 && lock.try_lock()) lock.unlock();
  }
  sheaf::fence(s.world);
  s.same(sheaf::get(counters + 1), each * s.size(), "the count of all that were inside");
  sheaf::fence(s.world);
}

SHEAF_CASE(memory, who_sees_a_signal_sees_what_was_put) {
  constexpr std::size_t n = 200;
  shared_array<std::uint64_t> rows(s.world, n);
  shared_array<std::uint64_t> words(s.world, 2);
  std::uint64_t const rounds = s.scaled(100);
  std::uint32_t const before = (s.rank() + s.size() - 1) % s.size();
  for (std::uint64_t i = 1; i <= rounds; ++i) {
    sheaf::put_signal(rows.at(s.next()), std::vector<std::uint64_t>(n, i), words.at(s.next()), i);
    sheaf::await_word(words.own()[0], [=](std::uint64_t w) { return w >= i; });
    s.same(rows.own()[0], i, "the first element behind a signal");
    s.same(rows.own()[n - 1], i, "the last element behind a signal");
    sheaf::atomic_store(words.at(before) + 1, i);  // the row may be written again
    sheaf::await_word(words.own()[1], [=](std::uint64_t w) { return w >= i; });
  }
  sheaf::fence(s.world);
}

SHEAF_CASE(memory, of_any_member_is_allocated_and_given_back_by_any) {
  for (int round = 0; round < 5; ++round) {
    std::size_t const count = 100 + 3000 * static_cast<std::size_t>(round);
    auto const made = sheaf::allocate<std::uint64_t>(s.world.location_of(s.next()), count);
    sheaf::put(made + static_cast<std::ptrdiff_t>(count - 1), std::uint64_t{s.rank()} + 7);
    sheaf::fence(made.where());
    auto const all = sheaf::all_gather(s.world, made);
    auto const other = all[s.next()];
    s.same(sheaf::get(other), 0u, "the first word of new memory");
    s.same(sheaf::get(other + static_cast<std::ptrdiff_t>(count - 1)), s.next() + 7u, "the last word");
    sheaf::barrier(s.world);
    sheaf::deallocate(other, count);
    sheaf::barrier(s.world);
  }
}

SHEAF_CASE(memory, outside_of_allocations_is_as_good) {
  std::size_t const n = 3000;
  std::vector<double> mine(n, 1.0);
  std::vector<std::uint64_t> words(2);
  shared_array<double> shared(s.world, 1);
  auto const rows = sheaf::all_gather(s.world, global_ptr(mine.data()));
  auto const counts = sheaf::all_gather(s.world, global_ptr(words.data()));
  auto const there = rows[s.next()];
  std::vector<double> values(n), read(n);
  std::iota(values.begin(), values.end(), s.rank());
  for (int round = 0; round < 3; ++round) {  // in turn with memory that is reached in another way
    sheaf::put(there, values);
    sheaf::put(shared.at(s.next()), round + 0.5);
    sheaf::accumulate(section{there + 1, {n / 2}, {2}}, std::span(values).first(n / 2), 2.0);
    sheaf::get(there, read);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i) wrong += read[i] != values[i] + (i % 2 == 0 ? 0 : 2 * values[i / 2]) ? 1 : 0;
    s.same(wrong, 0u, "the number of wrong elements");
    s.same(sheaf::get(shared.at(s.next())), round + 0.5, "what was put between them");
    sheaf::barrier(s.world);
  }
  std::uint64_t const rounds = s.scaled(200);
  for (std::uint64_t round = 0; round < rounds; ++round) {  // a word and integers are changed by one scheme
    for (auto const& one : counts) {
      sheaf::fetch_add(one, std::uint64_t{1});
      sheaf::accumulate(one, std::uint64_t{2});
      sheaf::atomic_store(one + 1, std::uint64_t{5});
    }
  }
  sheaf::fence_all();
  sheaf::barrier(s.world);
  s.same(words[0], 3 * rounds * s.size(), "what all have added");
  s.same(words[1], 5u, "what all have stored");
}

SHEAF_CASE(memory, errors_leave_the_job_in_order) {
  shared_array<int> all(s.world, 4);
  std::vector<int> three(3);
  auto const nowhere = global_ptr<int>(sheaf::location_id{s.size()}, 64);
  auto const null = global_ptr<int>(s.world.location_of(s.next()), 0);
  using sheaf::usage_error;
  s.throws<usage_error>([&] { sheaf::put(nowhere, three); }, {"put: there is no location " + std::to_string(s.size())});
  s.throws<usage_error>([&] { sheaf::put(null, three); }, {"put: the global pointer is null"});
  s.throws<usage_error>([&] { sheaf::get(null, three); }, {"get: the global pointer is null"});
  s.throws<usage_error>([&] { sheaf::accumulate(null, three); }, {"accumulate: the global pointer is null"});
  s.throws<usage_error>([&] { sheaf::fetch_add(null, 1); }, {"the global pointer is null"});
  s.throws<usage_error>(
      [&] {
        sheaf::put(section{all.at(s.next()), {4}, {1}}, three);
      },
      {"16 bytes, and the local one 12"});
  section<global_ptr<int>, 32> deep{all.at(s.next()), {}, {}};
  deep.extents.fill(1);
  s.throws<usage_error>([&] { sheaf::put(deep, 1); }, {"32 levels, and may have 0 to 31"});
  s.throws<usage_error>([&] { sheaf::get(deep, three[0]); }, {"32 levels, and may have 0 to 31"});
  s.throws<usage_error>([&] { sheaf::global_lock(all.at(0).as<std::uint64_t>()).unlock(); }, {"is not locked by"});
  s.throws<usage_error>([&] { static_cast<void>(sheaf::allocate<int>(nowhere.where(), 1)); },
                        {"allocate: there is no"});
  sheaf::put(all.at(s.next()), 5);
  sheaf::fence_all();
  sheaf::fence(s.world);
  s.same(all.own()[0], 5, "what was put after the errors");
}
