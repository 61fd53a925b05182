// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "conformance/suite.hpp"
#include "sheaf/message/sender.hpp"

namespace {

using sheaf_test::suite;

constexpr auto plus = [](std::uint64_t a, std::uint64_t b) { return a + b; };

class crowd : public sheaf::distributed<crowd> {
 public:
  explicit crowd(suite& checks) : distributed(checks.world), s(checks) {}

  /// Sends ten more, of less depth.
  void breed(std::uint32_t depth, std::uint64_t seed) {
    ++executed;
    most_reserved = std::max(most_reserved, here_of(members()).out().reserve_used());
    if (depth == 0) return;
    for (int i = 0; i < 10; ++i) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      async<&crowd::breed>(static_cast<std::uint32_t>((seed >> 33) % members().size()), depth - 1, seed);
    }
  }

  void slow(std::uint64_t number) {
    ++executed;
    volatile std::uint64_t work = number;
    for (int i = 0; i < 20; ++i) work = work * 3 + 1;
  }

  void take(std::vector<std::uint8_t> const&) { ++executed; }

  /// Sends some records of 1000 bytes to location 0, as a method does, without waiting; then has the rest sent.
  void pour(std::uint64_t portions) {
    std::vector<std::uint8_t> const record(1000);
    for (std::uint32_t i = 0; i < portion; ++i) async<&crowd::take>(0, record);
    most_reserved = std::max(most_reserved, here_of(members()).out().reserve_used());
    ++executed;
    if (portions > 1) async<&crowd::pour>(rank(), portions - 1);
    sheaf::flush();  // the rest alone in its buffer: a location stops between buffers
  }

  static constexpr std::uint32_t portion = 100;
  suite& s;
  std::uint64_t executed = 0;
  std::size_t most_reserved = 0;
};

/// A line of /proc/self/status, such as "VmRSS:", in bytes.
std::size_t process_memory(std::string const& which) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::size_t kib = 0;
    if (word == which && status >> kib) return kib << 10;
  }
  return 0;
}

std::uint32_t depth_for(suite const& s) {
  std::uint32_t depth = 2;
  for (std::uint64_t n = 1'000; n <= s.scaled(400'000); n *= 10) ++depth;
  return depth;
}

}  // namespace

SHEAF_CASE(flood, every_method_sends_ten_more) {
  crowd object(s);
  std::uint32_t const depth = depth_for(s);
  std::uint64_t expected = 0, generation = 1;
  for (std::uint32_t i = 0; i <= depth; ++i, generation *= 10) expected += generation;
  if (s.rank() == 0) object.async<&crowd::breed>(s.next(), depth, 1u);
  sheaf::fence(s.world);
  s.same(sheaf::all_reduce(s.world, object.executed, plus), expected, "the number of requests");
}

SHEAF_CASE(flood, the_program_is_held_up_by_a_slow_location) {
  crowd object(s);
  sheaf::fence(s.world);
  sheaf::detail::location& here = here_of(s.world);
  std::uint64_t const each = s.scaled(1'000'000) / s.size();
  std::size_t most = 0;
  std::uint32_t longest = 0;
  for (std::uint64_t i = 0; i < each; ++i) {
    object.async<&crowd::slow>(0, i);
    most = std::max(most, here.out().reserve_used());
    sheaf::detail::admission const inside(here.gate());
    longest = std::max(longest, here.connection().backlog(sheaf::location_id{0}, sheaf::traffic::request));
  }
  // One buffer waits for credit, and the program with it.
  s.that(most <= 2 * s.settings().buffer_bytes, "the program keeps back no more than a buffer or two");
  std::uint32_t const entries = std::max(s.settings().ring_slots, s.settings().window);
  s.that(longest <= entries, "no more than " + std::to_string(entries) + " entries are in flight");
  sheaf::fence(s.world);
  if (s.rank() == 0) s.same(object.executed, each * s.size(), "the number of requests");
}

SHEAF_CASE(flood, methods_are_held_up_by_their_reserve) {
  crowd object(s);
  sheaf::fence(s.world);
  sheaf::detail::location& here = here_of(s.world);
  // Twice what the reserve may hold, poured by methods of every location but the slow one.
  std::uint64_t const portions = std::max<std::uint64_t>(1, 2 * s.settings().reserve_bytes / (crowd::portion * 1000));
  if (s.rank() != 0) object.async<&crowd::pour>(s.rank(), portions);
  sheaf::fence(s.world);
  s.same(sheaf::all_reduce(s.world, object.executed, plus), portions * (s.size() - 1) * (crowd::portion + 1),
         "requests");
  // Beyond the cap there is what one portion takes; the reserve counts whole blocks, and after a flush each record
  // fills one.
  std::size_t const block = std::max<std::size_t>(s.settings().buffer_bytes, 4096);  // no transport has smaller ones
  std::size_t const beyond = (crowd::portion + 4) * block;
  s.that(object.most_reserved <= here.out().held.cap + beyond, "the reserve stays at its cap");
  s.same(here.out().reserve_used(), 0u, "the reserve after the fence");
}

SHEAF_CASE(flood, from_all_to_all_with_long_records) {
  class sink : public sheaf::distributed<sink> {
   public:
    explicit sink(sheaf::team const& on) : distributed(on) {}
    void take(std::vector<std::uint8_t> const& bytes) { sum += bytes.size(); }
    std::uint64_t sum = 0;
  } object(s.world);
  std::uint64_t const each = s.scaled(3000);
  std::uint64_t expected = 0;
  for (std::uint64_t i = 0; i < each; ++i) {
    std::uint64_t const bytes = i * i % 5000;
    object.async<&sink::take>((s.rank() + i) % s.size(), std::vector<std::uint8_t>(bytes));
    expected += bytes;
  }
  sheaf::fence(s.world);
  s.same(sheaf::all_reduce(s.world, object.sum, plus), expected * s.size(), "the bytes of all records");
}

/// Where the budget is small: all pour many times as much into location 0, which is slow. What a process may open and
/// have under way are a budget each; as much may have come to it from other hosts, and its blocks are kept.
SHEAF_CASE(flood, memory_of_each_process_stays_within_its_budget) {
  constexpr std::size_t mebi = std::size_t{1} << 20;
  std::size_t const budget = s.settings().buffer_budget;
  if (budget < mebi || budget > 16 * mebi) return;
  class slow_sink : public sheaf::distributed<slow_sink> {
   public:
    explicit slow_sink(sheaf::team const& on) : distributed(on) {}
    void take(std::vector<std::uint8_t> const& bytes) {
      volatile std::uint64_t work = sum += bytes.size();
      for (int i = 0; i < 1000; ++i) work = work * 3 + 1;
    }
    std::uint64_t sum = 0;
  } object(s.world);
  std::uint64_t const each = 32 * budget / 1000 / s.size();
  std::vector<std::uint8_t> const record(1000);
  sheaf::fence(s.world);
  std::size_t const before = process_memory("VmRSS:");
  for (std::uint64_t i = 0; i < each; ++i) object.async<&slow_sink::take>(0, record);
  sheaf::fence(s.world);
  std::size_t const most = process_memory("VmHWM:");
  if (s.rank() == 0) s.same(object.sum, each * s.size() * record.size(), "the bytes of all records");
  s.that(most <= before + 4 * budget + 8 * mebi,
         "a flood of " + std::to_string(32 * budget / mebi) + " MiB takes " + std::to_string((most - before) / mebi));
}
