// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// A job over MPI in which the process of the last location is killed: `test_memory_killed lock`: while it has a lock
/// that the others ask for; `sum`: in the middle of an accumulate, under a guard that the others wait for. `nowhere`:
/// nobody is killed, but asked for memory that it does not have.
#include <signal.h>
#include <sys/mman.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sheaf/memory.hpp"
#include "sheaf/sheaf.hpp"

namespace {

constexpr std::size_t n = 1024;  ///< doubles: two pages, under one guard

void die_with_a_lock(sheaf::team const& world, bool last) {
  sheaf::shared_array<std::uint64_t> word(world, 1);
  sheaf::global_lock const lock(word.at(0));
  if (last) lock.lock();
  sheaf::barrier(world);
  if (last) raise(SIGKILL);
  lock.lock();  // which nobody gives back
}

/// The second page of the values is none, so that the sum ends in the middle, by a signal.
void die_in_a_sum(sheaf::team const& world, bool last) {
  sheaf::shared_array<double> sums(world, 2 * n);
  std::vector<double> values(n, 1.0);
  std::span<double const> added(values);
  if (last) {
    void* const pages = mmap(nullptr, n * sizeof(double), PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(static_cast<char*>(pages) + n * sizeof(double) / 2, n * sizeof(double) / 2, PROT_NONE);
    added = std::span(static_cast<double const*>(pages), n);
    signal(SIGSEGV, [](int) { raise(SIGKILL); });
  }
  sheaf::barrier(world);
  for (;;) sheaf::accumulate(sums.at(0), added);
}

void ask_for_nothing(sheaf::team const& world) {
  std::vector<double> values(n);
  sheaf::global_ptr<double> const nowhere(world.location_of(world.size() - 1), 4096);
  if (world.rank() == 0) sheaf::get(nowhere, values);
  sheaf::barrier(world);
}

}  // namespace

int main(int argc, char** argv) {
  std::string_view const how = argc > 1 ? argv[1] : "";
  return sheaf::run([how](sheaf::team world) {
    bool const last = world.rank() + 1 == world.size();
    if (how == "nowhere") return ask_for_nothing(world);
    how == "lock" ? die_with_a_lock(world, last) : die_in_a_sum(world, last);
  });
}
