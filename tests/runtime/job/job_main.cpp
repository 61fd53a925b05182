// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// A job that main() begins and ends by calls. job_main [leave|throw]: what process 1 does instead of ending it.
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

#include "sheaf/rmi/distributed.hpp"
#include "sheaf/runtime/fence.hpp"
#include "sheaf/runtime/job.hpp"

namespace {

bool writes_late = false;

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
    writes_late = world.rank() == 1;
    if (how == "leave" && world.rank() == 1) return 0;
    if (how == "throw" && world.rank() == 1) throw std::runtime_error("thrown by main");
    sheaf::fence(world);
  }
  job.end();
  std::printf("all is well\n");
  return 0;
}

}  // namespace

/// Libsheaf's, too. Process 1 tells why it ends when the others have heard of it: they must not give reasons of their
/// own.
extern "C" ssize_t write(int file, void const* bytes, std::size_t n) {
  if (writes_late && file == STDERR_FILENO) std::this_thread::sleep_for(std::chrono::milliseconds(300));
  return syscall(SYS_write, file, bytes, n);
}

int main(int argc, char** argv) {
  try {
    return play(argc > 1 ? argv[1] : "");
  } catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
