// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// poll.idle: an idle poll of one location in a job of 64 whose rings all exist, over the same in a job of 2.
#include "harness/measure.hpp"
#include "sheaf/sheaf.hpp"

using namespace sheaf_bench;

namespace {

class target : public sheaf::distributed<target> {
 public:
  using distributed::distributed;
  void touch() { ++touched; }
  int touched = 0;
};

/// Samples of location 0 while the others are parked in a futile read of a flag that only this program knows.
std::vector<double> idle_poll(unsigned locations, std::int64_t polls, int reps) {
  sheaf::options settings;
  settings.transport = sheaf::transport_kind::thread;
  settings.locations = locations;
  std::vector<double> samples;
  sheaf::run(settings, [&](sheaf::team world) {
    target all(world);
    for (std::uint32_t r = 0; r < world.size(); ++r) all.async<&target::touch>(r);
    sheaf::fence(world);
    check(all.touched == static_cast<int>(world.size()), "a request is missing");
    sheaf::barrier(world);
    if (world.rank() == 0) {
      samples = sample(2, reps, [&](int) {
        std::int64_t const start = now_ns();
        for (std::int64_t i = 0; i < polls; ++i) sheaf::poll();
        return static_cast<double>(now_ns() - start) / static_cast<double>(polls);
      });
    }
    sheaf::barrier(world);  // the others sleep here
  });
  return samples;
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  int const reps = args.reps(9);
  std::int64_t const polls = args.number("--count", 1'000'000);
  auto const few = idle_poll(2, polls, reps), many = idle_poll(64, polls, reps);
  print_result("ns", many, ", \"peer\": " + std::to_string(median(few)));
}
