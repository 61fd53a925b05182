// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// message.unique, message.combine, message.useless: messages of a stream through policies or without (`--policy`).
/// `--stream doubles`: of ten values nine are among the last 512 different ones. `--stream zipf`: keys with frequencies
/// 1/rank, of 2^20, whose handler takes 100 ns. `--stream distinct`: no value comes twice. "bytes" is what a message
/// costs between locations, on average over all, those to the own location among them.
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "harness/updates.hpp"
#include "sheaf/messages.hpp"
#include "sheaf/sheaf.hpp"

using namespace sheaf_bench;

namespace {

constexpr std::uint64_t keys = std::uint64_t{1} << 20U;
using update = std::pair<std::uint32_t, std::uint32_t>;

/// Nine values of ten are doubles.
std::vector<update> doubles(int me, std::int64_t count) {
  splitmix64 next = update_stream(me, 0);
  std::vector<update> recent(512), all;
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint64_t const dice = next();
    update& place = recent[dice % recent.size()];
    if (dice >> 40U <= (std::uint64_t{1} << 24U) / 10 || place.second == 0)
      place = {static_cast<std::uint32_t>(next() % keys), 1};
    all.push_back(place);
  }
  return all;
}

std::vector<update> zipf(int me, std::int64_t count) {
  std::vector<double> sums(keys);
  double sum = 0;
  for (std::size_t k = 0; k < keys; ++k) sums[k] = sum += 1.0 / static_cast<double>(k + 1);
  splitmix64 next = update_stream(me, 0);
  std::vector<update> all;
  for (std::int64_t i = 0; i < count; ++i) {
    double const at = static_cast<double>(next() >> 11U) * 0x1p-53 * sum;
    auto const rank = static_cast<std::uint64_t>(std::ranges::lower_bound(sums, at) - sums.begin());
    all.emplace_back(static_cast<std::uint32_t>(rank * 0x9E3779B1U % keys), 1);  // ranks are not neighbours
  }
  return all;
}

std::vector<update> distinct(int me, std::int64_t count) {
  std::vector<update> all;
  for (std::int64_t i = 0; i < count; ++i) {
    auto const n = static_cast<std::uint64_t>(i) * 0x9E3779B1U + static_cast<std::uint64_t>(me);
    all.emplace_back(static_cast<std::uint32_t>(n % keys), static_cast<std::uint32_t>(i));
  }
  return all;
}

std::uint64_t owner(update const& u, std::uint64_t locations) { return u.first * locations / keys; }

/// Steps of work, each on the one before.
std::uint64_t worked(std::uint64_t state, int steps) {
  for (int i = 0; i < steps; ++i) state = (state ^ state >> 29U) * 0xbf58476d1ce4e5b9U;
  return state;
}

/// How many of them take 100 ns on this machine.
int steps_of_100_ns() {
  constexpr int steps = 1000;
  std::uint64_t state = 1;
  double const ns = ns_each(1001, 1, [&] { state = worked(state, steps); });
  check(state != 0, "no work was done");
  return std::max(1, static_cast<int>(std::lround(100 * steps / ns)));
}

struct largest {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const { return std::max(a, b); }
};

std::vector<update> stream_of(std::string const& name, int source, std::int64_t count) {
  if (name == "zipf") return zipf(source, count);
  return name == "distinct" ? distinct(source, count) : doubles(source, count);
}

/// What the handlers do: sums where they are to take 100 ns, largest values else.
struct table {
  bool heavy;
  int steps = heavy ? steps_of_100_ns() : 0;
  huge_array<std::uint64_t> values{keys};
  std::uint64_t work = 1, handled = 0;

  void add(update const& u) {
    values[u.first] += u.second;
    work = worked(work, steps);
    ++handled;
  }
  void raise(update const& u) {
    values[u.first] = std::max<std::uint64_t>(values[u.first], u.second);
    ++handled;
  }

  /// Generates all streams again, and applies what this location owns.
  void check_all(sheaf::team const& world, std::string const& name, std::int64_t count, std::uint64_t epochs) {
    table expected{heavy, 0};
    for (int source = 0; source < static_cast<int>(world.size()); ++source) {
      for (update const& u : stream_of(name, source, count)) {
        if (owner(u, world.size()) != world.rank()) continue;
        heavy ? static_cast<void>(expected.values[u.first] += epochs * u.second) : expected.raise(u);
      }
    }
    check(std::equal(values.begin(), values.end(), expected.values.begin()) && work != 0, "a value is wrong");
  }
};

std::uint64_t sent_to_others(sheaf::team const& world) {
  std::uint64_t bytes = 0;
  for (auto const& link : sheaf::local_statistics().links) {
    if (link.from == world.rank() && link.to != link.from) bytes += link.bytes_sent;
  }
  return bytes;
}

template <class... Policy>
void measure(sheaf::team const& world, arguments const& args) {
  std::string const name = args.text("--stream", "doubles");
  std::int64_t const count = args.number("--count", std::int64_t{1} << (name == "zipf" ? 20 : 22));
  std::vector<update> const stream = stream_of(name, static_cast<int>(world.rank()), count);
  table all{name == "zipf"};
  sheaf::message_type<update, Policy...> type(world);
  auto const touches = [&all](update const& u) -> void const* { return &all.values[u.first]; };
  all.heavy ? type.set_handler([&](update const& u) noexcept { all.add(u); }, touches)
            : type.set_handler([&](update const& u) noexcept { all.raise(u); }, touches);
  std::uint64_t const locations = world.size();
  std::uint64_t epochs = 0, before = sent_to_others(world);
  auto const samples = sample(1, args.reps(7), [&](int) {
    sheaf::barrier(world);
    std::int64_t const start = now_ns();
    ++epochs;
    sheaf::epoch(world, [&] {
      for (update const& u : stream) type.send(owner(u, locations), u);
    });
    return rate(count, now_ns() - start);
  });
  std::uint64_t const sent = sent_to_others(world) - before;
  all.check_all(world, name, count, epochs);
  auto const of_each = [&](std::uint64_t mine) {
    return static_cast<double>(sheaf::all_reduce(world, mine, std::plus<>{})) /
           (static_cast<double>(locations * epochs) * static_cast<double>(count));
  };
  double const handled = of_each(all.handled), bytes = of_each(sent);
  if (world.rank() != 0) return;
  print_result("M/s", samples, ", \"handled\": " + std::to_string(handled) + ", \"bytes\": " + std::to_string(bytes));
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  std::string const policy = args.text("--policy", "none");
  return sheaf::run([&](sheaf::team world) {
    if (policy == "unique") return measure<sheaf::unordered, sheaf::unique<>>(world, args);
    if (policy == "combine") return measure<sheaf::unordered, sheaf::combine<std::plus<>>>(world, args);
    if (policy == "both") return measure<sheaf::unordered, sheaf::unique<>, sheaf::combine<largest>>(world, args);
    check(policy == "none", "--policy is none, unique, combine or both");
    measure<sheaf::unordered>(world, args);
  });
}
