// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Teams: the locations form a grid; each row and each column is a team of its own, with its own objects and its own
/// fence.
#include <cstdio>
#include <functional>

#include "sheaf/sheaf.hpp"

class sum : public sheaf::distributed<sum> {
 public:
  explicit sum(sheaf::team const& on) : distributed(on) {}
  void add(std::uint64_t more) { value += more; }
  std::uint64_t value = 0;
};

int main() {
  return sheaf::run([](sheaf::team world) {
    std::uint32_t const width = world.size() % 2 == 0 ? 2 : 1;
    sheaf::team const row = world.split(world.rank() / width);
    sheaf::team const column = world.split(world.rank() % width);

    // To the first of the row, of the column: ranks are those of the team.
    sum in_row(row), in_column(column);
    in_row.async<&sum::add>(0, world.rank());
    in_column.async<&sum::add>(0, world.rank());

    sheaf::fence(row);  // waits for the row's requests only; other rows may be far behind
    bool right = true;
    if (row.rank() == 0) {
      std::uint64_t expected = 0;
      for (std::uint32_t r = 0; r < row.size(); ++r) expected += number(row.location_of(r));
      right = in_row.value == expected;
      std::printf("row %u: %lu\n", world.rank() / width, in_row.value);
    }
    sheaf::fence(column);

    // The sum of the column's sums is that of all ranks; every member of the top row has one of them.
    std::uint64_t const all = sheaf::all_reduce(world, column.rank() == 0 ? in_column.value : 0, std::plus<>{});
    right = right && all == world.size() * (world.size() - 1ULL) / 2;
    return right ? 0 : 1;
  });
}
