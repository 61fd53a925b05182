// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// memory.asleep: the 99th percentile of each one-sided operation while its target sleeps for a second at a time, and
/// as peer while it polls. In memory that both share, and in memory that is the target's own.
#include <map>
#include <string>

#include "harness/measure.hpp"
#include "sheaf/memory.hpp"
#include "sheaf/sheaf.hpp"

using namespace sheaf_bench;

namespace {

enum class target : std::uint64_t { polls = 1, sleeps, ends };
constexpr std::size_t side = 32, line = 100;

/// Does what the word says, until that is to end.
void play_target(std::uint64_t& word) {
  for (;;) {
    auto const now = static_cast<target>(std::atomic_ref<std::uint64_t>(word).load());
    if (now == target::ends) return;
    if (now == target::sleeps) {
      timespec const second{1, 0};
      nanosleep(&second, nullptr);
    } else {
      sheaf::poll();
    }
  }
}

template <class Operation>
double percentile(int count, Operation const& operation) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) {
    std::int64_t const start = now_ns();
    operation();
    times.push_back(static_cast<double>(now_ns() - start));
  }
  std::sort(times.begin(), times.end());
  return times[times.size() * 99 / 100];
}

using figures = std::map<std::string, double>;

void measure(std::string const& where, sheaf::global_ptr<double> memory, int count, figures& to) {
  std::vector<double> values(side * side, 1.0);
  sheaf::section const part{memory, {side, side}, {line, 1}};
  auto const word = memory.as<std::uint64_t>() + side * line;
  auto const add = [&](char const* what, auto const& operation) { to[where + what] = percentile(count, operation); };
  add("put", [&] { sheaf::put(memory, 1.0); });
  add("get", [&] { check(sheaf::get(memory) == 1.0, "a get does not see a put"); });
  add("section_put", [&] { sheaf::put(part, values); });
  add("section_get", [&] { sheaf::get(part, values); });
  add("accumulate", [&] { sheaf::accumulate(part, values, 0.0); });
  add("fetch_add", [&] { sheaf::fetch_add(word, 1); });
  add("compare_swap", [&] { sheaf::compare_swap(word, 0, 1); });
}

std::string as_members(figures const& all) {
  std::string text;
  for (auto const& [name, value] : all) text += (text.empty() ? "\"" : ", \"") + name + "\": " + std::to_string(value);
  return "{" + text + "}";
}

/// The worst ratio's two figures are the row's.
void print(figures const& asleep, figures const& polled) {
  auto worst = asleep.begin();
  for (auto one = asleep.begin(); one != asleep.end(); ++one) {
    if (one->second / polled.at(one->first) > worst->second / polled.at(worst->first)) worst = one;
  }
  print_result("ns", {worst->second},
               ", \"peer\": " + std::to_string(polled.at(worst->first)) + ", \"parts\": " + as_members(asleep) +
                   ", \"peer_parts\": " + as_members(polled));
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  int const count = static_cast<int>(args.number("--count", 5000));
  std::vector<double> own(side * line + 16, 1.0);
  return sheaf::run([&](sheaf::team world) {
    check(world.size() == 2, "run it with two locations");
    sheaf::shared_array<double> shared(world, own.size());
    sheaf::shared_array<std::uint64_t> orders(world, 8);
    auto const own_of_all = sheaf::all_gather(world, sheaf::global_ptr<double>(own.data()).address());
    if (world.rank() == 1) {
      orders.own()[0] = static_cast<std::uint64_t>(target::polls);
      sheaf::barrier(world);
      play_target(orders.own()[0]);
    } else {
      sheaf::barrier(world);
      sheaf::global_ptr<double> const others(world.location_of(1), own_of_all[1]);
      figures polled, asleep;
      for (auto const state : {target::polls, target::sleeps}) {
        sheaf::atomic_store(orders.at(1), static_cast<std::uint64_t>(state));
        timespec const settled{0, 10'000'000};
        nanosleep(&settled, nullptr);
        figures& to = state == target::polls ? polled : asleep;
        measure("shared_", shared.at(1), count, to);
        measure("own_", others, count, to);
      }
      sheaf::atomic_store(orders.at(1), static_cast<std::uint64_t>(target::ends));
      print(asleep, polled);
    }
    sheaf::barrier(world);
  });
}
