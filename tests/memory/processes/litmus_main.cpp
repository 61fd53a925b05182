// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Litmus tests of one-sided operations between processes on the machine's own memory, which a simulator cannot show.
/// Two locations, or four for iriw. Each test counts what must never be seen; exit code 1 where it was. The names are
/// those of the literature: store buffering, message passing, independent reads of independent writes.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <vector>

#include "sheaf/memory.hpp"
#include "sheaf/sheaf.hpp"

namespace {

using word = std::uint64_t;
using sheaf::global_ptr;

constexpr std::size_t rounds = 1000;  ///< between two meetings
constexpr std::size_t line = 8;       ///< words
constexpr int blocks = 60;

/// Variables for each round, each on a line of its own: x at the first location, y at the last.
class variables {
 public:
  explicit variables(sheaf::team const& world) : world_(world), all_(world, 2 * rounds * line) {}

  [[nodiscard]] global_ptr<word> x(std::size_t round) const { return all_.at(0) + signed_of(2 * round); }
  [[nodiscard]] global_ptr<word> y(std::size_t round) const {
    return all_.at(world_.size() - 1) + signed_of(2 * round + 1);
  }
  void clear() {
    sheaf::barrier(world_);
    std::fill(all_.own().begin(), all_.own().end(), 0);
    sheaf::barrier(world_);
  }

 private:
  static std::ptrdiff_t signed_of(std::size_t place) { return static_cast<std::ptrdiff_t>(place * line); }
  sheaf::team const world_;
  sheaf::shared_array<word> all_;
};

/// What a location has read in each round.
struct seen {
  std::array<std::uint8_t, rounds> first{}, second{};
};

/// Calls play(round, seen) for all rounds and judge(what all have seen, round); returns how often this is true.
template <class Play, class Judge>
std::size_t count_bad(sheaf::team const& world, Play const& play, Judge const& judge) {
  variables v(world);
  std::size_t bad = 0;
  for (int b = 0; b < blocks; ++b) {
    v.clear();
    seen mine;
    for (std::size_t i = 0; i < rounds; ++i) play(v, i, mine);
    std::vector<seen> const all = sheaf::all_gather(world, mine);
    for (std::size_t i = 0; i < rounds; ++i) bad += judge(all, i) ? 1 : 0;
  }
  return bad;
}

/// Each stores its own and reads the other's: one of them sees the other's store.
bool both_old(std::vector<seen> const& all, std::size_t i) { return all[0].first[i] == 0 && all[1].first[i] == 0; }

std::size_t store_buffering(sheaf::team const& world) {
  auto const play = [&](variables const& v, std::size_t i, seen& mine) {
    bool const me = world.rank() == 0;
    sheaf::atomic_store(me ? v.x(i) : v.y(i), 1);
    mine.first[i] = static_cast<std::uint8_t>(sheaf::atomic_load(me ? v.y(i) : v.x(i)));
  };
  return count_bad(world, play, both_old);
}

std::size_t store_buffering_by_puts(sheaf::team const& world) {
  auto const play = [&](variables const& v, std::size_t i, seen& mine) {
    auto const own = world.rank() == 0 ? v.x(i) : v.y(i), other = world.rank() == 0 ? v.y(i) : v.x(i);
    sheaf::put(own, word{1});
    sheaf::fence(own.where());
    mine.first[i] = static_cast<std::uint8_t>(sheaf::get(other));
  };
  return count_bad(world, play, both_old);
}

/// One writes a row and then a word; who sees the word sees the row.
bool word_without_row(std::vector<seen> const& all, std::size_t i) {
  return all[1].first[i] == 1 && all[1].second[i] != 1;
}

/// `store` and `load` are of the word.
template <class Store, class Load>
std::size_t message_passing(sheaf::team const& world, Store const& store, Load const& load) {
  auto const play = [&](variables const& v, std::size_t n, seen& mine) {
    std::size_t const i = world.rank() == 0 ? n : rounds - 1 - n;  // they meet on the way, again and again
    if (world.rank() == 0) {
      sheaf::put(v.x(i), std::array<word, 5>{1, 1, 1, 1, 1});
      return store(v.x(i) + line, word{1});
    }
    std::array<word, 5> row{};
    mine.first[i] = static_cast<std::uint8_t>(load(v.x(i) + line));
    sheaf::get(v.x(i), row);
    mine.second[i] = static_cast<std::uint8_t>(std::min(row[0], row[4]));
  };
  return count_bad(world, play, word_without_row);
}

std::size_t message_passing_by_words(sheaf::team const& world) {
  return message_passing(
      world, [](global_ptr<word> at, word value) { sheaf::atomic_store(at, value); },
      [](global_ptr<word> at) { return sheaf::atomic_load(at); });
}
std::size_t message_passing_by_puts(sheaf::team const& world) {
  return message_passing(
      world, [](global_ptr<word> at, word value) { sheaf::put(at, value); },
      [](global_ptr<word> at) { return sheaf::get(at); });
}
std::size_t message_passing_by_adds(sheaf::team const& world) {
  return message_passing(
      world, [](global_ptr<word> at, word value) { sheaf::accumulate(at, value); },
      [](global_ptr<word> at) { return sheaf::fetch_add(at, 0); });
}

/// Two write, two read both in opposite orders: the readers agree on what came first.
std::size_t independent_reads(sheaf::team const& world) {
  auto const play = [&](variables const& v, std::size_t n, seen& mine) {
    std::uint32_t const rank = world.rank();
    std::size_t const i = rank < 2 ? n : rounds - 1 - n;
    if (rank == 0) return sheaf::atomic_store(v.x(i), 1);
    if (rank == 1) return sheaf::atomic_store(v.y(i), 1);
    mine.first[i] = static_cast<std::uint8_t>(sheaf::atomic_load(rank == 2 ? v.x(i) : v.y(i)));
    mine.second[i] = static_cast<std::uint8_t>(sheaf::atomic_load(rank == 2 ? v.y(i) : v.x(i)));
  };
  return count_bad(world, play, [](std::vector<seen> const& all, std::size_t i) {
    auto const sees_one = [&](seen const& s) { return s.first[i] == 1 && s.second[i] == 0; };
    return sees_one(all[2]) && sees_one(all[3]);
  });
}

struct test {
  std::string_view name;
  std::uint32_t locations;
  std::size_t (*count)(sheaf::team const&);
};
constexpr test tests[] = {{"sb", 2, store_buffering},
                          {"sb_put", 2, store_buffering_by_puts},
                          {"mp", 2, message_passing_by_words},
                          {"mp_put", 2, message_passing_by_puts},
                          {"mp_add", 2, message_passing_by_adds},
                          {"iriw", 4, independent_reads}};

}  // namespace

int main() {
  return sheaf::run([](sheaf::team world) {
    std::size_t all = 0;
    for (test const& one : tests) {
      if (one.locations != world.size()) continue;
      std::size_t const bad = one.count(world);
      all += bad;
      if (world.rank() == 0) std::printf("%s: %zu of %zu\n", one.name.data(), bad, blocks * rounds);
    }
    return all == 0 ? 0 : 1;
  });
}
