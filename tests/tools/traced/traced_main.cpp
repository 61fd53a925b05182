// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// A job that tests/tools/traced/check.py knows: location s has d executed 100 (s + 1) + d requests without an answer by
// every d, and 3 questions by the next one; one mark and one scope each. With an argument location 1 throws in the end.
#include <cstdint>
#include <stdexcept>

#include "sheaf/sheaf.hpp"

namespace {

struct counter : sheaf::distributed<counter> {
  explicit counter(sheaf::team const& t) : distributed(t) {}
  std::uint64_t sum = 0;
  void add(std::uint64_t v) { sum += v; }
  std::uint64_t twice(std::uint64_t v) { return 2 * v; }
};

}  // namespace

int main(int argc, char** argv) {
  return sheaf::run([&](sheaf::team world) {
    counter all(world);
    std::uint32_t const self = world.rank(), n = world.size();
    {
      sheaf::trace_scope const scope("sending");
      for (std::uint32_t d = 0; d < n; ++d) {
        for (std::uint32_t i = 0; i < 100 * (self + 1) + d; ++i) all.async<&counter::add>(d, 1u);
      }
    }
    sheaf::trace_mark("sent");
    for (std::uint64_t i = 0; i < 3; ++i) {
      if (all.sync<&counter::twice>((self + 1) % n, i) != 2 * i) throw std::runtime_error("a wrong answer");
    }
    sheaf::fence(world);
    if (argc > 1 && self == 1) throw std::runtime_error("told to");
  });
}
