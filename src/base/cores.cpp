// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "base/cores.hpp"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <thread>

namespace sheaf::detail {
namespace {

/// Cores' worth of time that the control group grants, rounded up; 0: no limit known.
unsigned granted_cores() {
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  unsigned long long quota = 0;
  unsigned long long period = 0;
  if (!(file >> quota >> period) || quota == 0 || period == 0) return 0;  // "max" stands where there is no limit
  return static_cast<unsigned>(std::min<unsigned long long>((quota - 1) / period + 1, 1u << 16));
}

}  // namespace

std::vector<int> allowed_cores() {
  std::vector<int> cores;
  for (int most = CPU_SETSIZE; most <= 1 << 16; most *= 4) {
    cpu_set_t* const set = CPU_ALLOC(static_cast<std::size_t>(most));
    std::size_t const bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(most));
    bool const known = set != nullptr && sched_getaffinity(0, bytes, set) == 0;
    for (int c = 0; known && c < most; ++c) {
      if (CPU_ISSET_S(static_cast<std::size_t>(c), bytes, set)) cores.push_back(c);
    }
    CPU_FREE(set);
    if (known) break;
  }
  return cores;
}

unsigned usable_cores() {
  std::size_t const allowed = allowed_cores().size();
  unsigned const here = allowed != 0 ? static_cast<unsigned>(allowed) : std::thread::hardware_concurrency();
  unsigned const granted = granted_cores();
  return std::max(1u, granted == 0 ? here : std::min(here, granted));
}

}  // namespace sheaf::detail
