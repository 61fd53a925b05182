// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Jobs one after another in processes started by an MPI launcher: over MPI with SHEAF_THREADS locations in each
/// process and with one, with other buffers each time, on threads and in the simulator. Nothing may grow.
#include <cstdio>
#include <string>

#include "harness/process_things.hpp"
#include "sheaf/sheaf.hpp"

namespace {

struct counter : sheaf::distributed<counter> {
  explicit counter(sheaf::team const& t) : distributed(t) {}
  std::size_t total = 0;
  void add(std::string const& text) { total += text.size(); }
};

/// Everybody sends some bytes to everybody; 0: all that was sent has come.
constexpr auto adds_up = [](sheaf::team const& world) {
  counter c(world);
  for (int i = 0; i < 50; ++i) {
    for (std::uint32_t d = 0; d < world.size(); ++d) c.async<&counter::add>(d, std::string(100, 'x'));
  }
  sheaf::fence(world);
  return c.total == std::size_t{5000} * world.size() ? 0 : 1;
};

sheaf::options settings_of(int i) {
  sheaf::options o = sheaf::options::from_environment();
  o.buffer_bytes = std::size_t{256} << i % 6;
  o.window = static_cast<unsigned>(1 + i % 3);
  if (i % 10 == 3) o.threads = 1;
  if (i % 10 < 8) return o;
  o.transport = i % 10 == 8 ? sheaf::transport_kind::thread : sheaf::transport_kind::sim;
  o.threads = 0;
  o.locations = 3;
  return o;
}

}  // namespace

int main() {
  constexpr int warm = 20;
  constexpr std::size_t heap_allowed = std::size_t{256} << 10;  // of the MPI library
  sheaf_test::process_things before;
  for (int i = 0; i < warm + 100; ++i) {
    if (i == warm) before = sheaf_test::process_things::now();
    if (sheaf::run(settings_of(i), adds_up) == 0) continue;
    std::fprintf(stderr, "job %d: something is missing\n", i);
    return 1;
  }
  std::string const growth = sheaf_test::process_things::now(before.threads).growth_since(before, heap_allowed);
  std::fputs(growth.c_str(), stderr);
  return growth.empty() ? 0 : 1;
}
