// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// A job that main() begins and ends by calls. job_main [leave|throw]: what process 1 does instead of ending it.
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include "sheaf/rmi/distributed.hpp"
#include "sheaf/runtime/fence.hpp"
#include "sheaf/runtime/job.hpp"

namespace {

struct counter : sheaf::distributed<counter> {
  using distributed::distributed;
  void add(int n) { sum += n; }
  int ask() { return sum; }
  int sum = 0;
};

int play(std::string const& how) {
  sheaf::job job;
  {
    sheaf::team const world = job.world();
    counter all(world);
    for (int i = 0; i < 1000; ++i) all.async<&counter::add>((world.rank() + 1) % world.size(), i);
    sheaf::fence(world);
    int const next = all.sync<&counter::ask>((world.rank() + 1) % world.size());
    if (all.sum != 499'500 || next != 499'500) return 1;
    if (how == "leave" && world.rank() == 1) return 0;
    if (how == "throw" && world.rank() == 1) throw std::runtime_error("thrown by main");
    sheaf::fence(world);
  }
  job.end();
  std::printf("all is well\n");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return play(argc > 1 ? argv[1] : "");
  } catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
