// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// memory.hosts/*: one-sided operations at a location of another host. --form stream, strided: GB/s, the worse of put
/// and get, which are also its parts; word: nanoseconds per get of 8 bytes, while the target polls, or computes and
/// calls nothing of Sheaf (--target polls or computes).
#include <string>

#include "harness/measure.hpp"
#include "sheaf/memory.hpp"
#include "sheaf/sheaf.hpp"

using namespace sheaf_bench;

namespace {

constexpr std::size_t side = 128, line = 1024, block = std::size_t{1} << 17;  // doubles

double rate(std::int64_t bytes, std::int64_t ns) { return static_cast<double>(bytes) / static_cast<double>(ns); }

/// GB/s of `count` calls, the last of which is waited for.
template <class Operation>
double rate_of(int count, std::size_t bytes, sheaf::location_id there, Operation const& operation) {
  std::int64_t const start = now_ns();
  for (int i = 0; i < count; ++i) operation();
  sheaf::fence(there);
  return rate(static_cast<std::int64_t>(bytes) * count, now_ns() - start);
}

void print_rates(std::vector<double> const& puts, std::vector<double> const& gets) {
  double const put = median(puts), get = median(gets);
  print_result("GB/s", put < get ? puts : gets,
               ", \"parts\": {\"put\": " + std::to_string(put) + ", \"get\": " + std::to_string(get) + "}");
}

void measure_rates(sheaf::global_ptr<double> there, bool strided, int reps) {
  std::size_t const elements = strided ? side * side : block;
  int const count = strided ? 100 : 64;
  std::vector<double> out(elements), in(elements);
  for (std::size_t i = 0; i < elements; ++i) out[i] = static_cast<double>(i);
  std::vector<double> puts, gets;
  sheaf::section const part{there, {side, side}, {line, 1}};
  for (int r = 0; r <= reps; ++r) {
    double const put = rate_of(count, elements * sizeof(double), there.where(),
                               [&] { strided ? sheaf::put(part, out) : sheaf::put(there, out); });
    std::fill(in.begin(), in.end(), 0.0);
    double const get = rate_of(count, elements * sizeof(double), there.where(),
                               [&] { strided ? sheaf::async_get(part, in) : sheaf::async_get(there, in); });
    check(in == out, "values came back changed");
    if (r == 0) continue;
    puts.push_back(put);
    gets.push_back(get);
  }
  print_rates(puts, gets);
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  int const reps = args.reps(7);
  std::string const form = args.text("--form", "stream");
  bool const computes = args.text("--target", "polls") == "computes";
  return sheaf::run([&](sheaf::team world) {
    check(world.size() == 2, "run it with two locations");
    sheaf::shared_array<double> memory(world, side * line + block);
    sheaf::shared_array<std::uint64_t> ended(world, 8);
    sheaf::barrier(world);
    if (world.rank() == 0) {
      auto const there = memory.at(1);
      if (form == "word") {
        sheaf::put(there, 1.0);
        auto const get = [&] { check(sheaf::get(there) == 1.0, "a get does not see a put"); };
        print_result("ns", sample(1, reps, [&](int) { return ns_each(51, 100, get); }));
      } else {
        measure_rates(there, form == "strided", reps);
      }
      sheaf::atomic_store(ended.at(1), 1);
      sheaf::fence_all();
    } else {
      while (std::atomic_ref<std::uint64_t>(ended.own()[0]).load() == 0) {
        if (!computes) sheaf::poll();
      }
    }
    sheaf::barrier(world);
  });
}
