// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Objects that move to where work is little: each location looks at what it has and sends some on, while all others
/// call the objects by name, wherever they are.
#include <cstdio>
#include <string>
#include <vector>

#include "sheaf/rmi/migrating.hpp"
#include "sheaf/sheaf.hpp"

/// One cell of a mesh: an aggregate, so it can travel without further words.
struct cell {
  std::uint64_t work = 0;
  std::vector<std::string> visitors = {};

  void refine(std::uint64_t by) { work += by; }
  void visit(std::string const& who) { visitors.push_back(who); }
  std::uint64_t load() { return work; }
};

int main() {
  return sheaf::run([](sheaf::team world) {
    constexpr std::uint64_t each = 8;
    sheaf::migrating<cell> mesh(world);

    // All the work is born on location 0.
    std::vector<sheaf::object_id> ids;
    if (world.rank() == 0) {
      for (std::uint64_t i = 0; i < each * world.size(); ++i) ids.push_back(mesh.create({1 + i % 3}));
    }
    ids = sheaf::broadcast(world, 0, ids);

    // It gives seven eighths away; everybody calls all cells meanwhile.
    if (world.rank() == 0) {
      for (std::uint64_t i = 0; i < ids.size(); ++i) mesh.move(ids[i], static_cast<std::uint32_t>(i / each));
    }
    for (auto const id : ids) mesh.async<&cell::visit>(id, "location " + std::to_string(world.rank()));
    mesh.async<&cell::refine>(ids[world.rank()], 10u);
    sheaf::fence(world);

    bool right = mesh.ids_here().size() == each;
    for (auto const id : mesh.ids_here()) right = right && mesh.find(id)->visitors.size() == world.size();
    right = right && mesh.sync<&cell::load>(ids[world.rank()]) == 11 + world.rank() % 3;
    sheaf::fence(world);
    if (world.rank() == 0) std::printf("%zu cells are evenly spread, and all got their visitors\n", ids.size());
    return right ? 0 : 1;
  });
}
