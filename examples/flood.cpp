// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Everybody fires requests at one slow location; its caps hold the senders up, so memory stays small however many are
/// fired. example_flood [MILLIONS]: how many millions in all, 1 unless told; 100 is the test of patience.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "sheaf/sheaf.hpp"

class counter : public sheaf::distributed<counter> {
 public:
  explicit counter(sheaf::team const& on) : distributed(on) {}

  /// Slow: some work for each.
  void add(std::uint64_t value) {
    for (int i = 0; i < 100; ++i) work_ = work_ * 3 + value;
    ++received;
  }
  std::uint64_t received = 0;

 private:
  volatile std::uint64_t work_ = 0;
};

/// Bytes that this location has in flight towards location 0, at most.
std::size_t under_way(sheaf::detail::location& here) {
  auto const entries = here.connection().backlog(sheaf::location_id{0}, sheaf::traffic::request);
  return entries * here.settings().buffer_bytes;
}

int main(int argc, char** argv) {
  std::uint64_t const millions = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  return sheaf::run([&](sheaf::team world) {
    counter slow(world);
    std::uint64_t const each = millions * 1'000'000 / world.size();
    std::size_t most = 0;
    for (std::uint64_t i = 0; i < each; ++i) {
      slow.async<&counter::add>(0, i);
      if (i % 1024 == 0) most = std::max(most, under_way(here_of(world)));
    }
    sheaf::fence(world);

    auto const larger = [](std::size_t a, std::size_t b) { return std::max(a, b); };
    most = sheaf::all_reduce(world, most + sheaf::local_statistics().most.reserve_bytes, larger);
    auto const& settings = here_of(world).settings();
    std::size_t const cap = (std::max(settings.window, settings.ring_slots) + 2) * settings.buffer_bytes;
    if (world.rank() == 0) {
      std::printf("%lu requests; a sender had at most %zu bytes under way, its cap is %zu\n", slow.received, most, cap);
    }
    return most <= cap && (world.rank() != 0 || slow.received == each * world.size()) ? 0 : 1;
  });
}
