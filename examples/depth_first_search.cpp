// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Depth-first search of a distributed graph: the search's one thread of control walks from vertex to vertex as a chain
/// of requests, wherever the vertices are. The fence returns when the walk has come back to its root.
#include <cstdio>
#include <functional>
#include <vector>

#include "sheaf/sheaf.hpp"

/// Vertex v is at location v % size(); its neighbours follow from v.
class graph : public sheaf::distributed<graph> {
 public:
  static constexpr std::uint64_t vertices = 5000, degree = 4, nobody = ~0ULL;

  struct vertex {
    std::uint64_t parent = nobody;
    std::uint64_t next_edge = 0;
    std::uint64_t discovered = 0, finished = 0;
  };

  explicit graph(sheaf::team const& on) : distributed(on), local_(vertices / on.size() + 1) {}

  static std::uint64_t neighbour(std::uint64_t v, std::uint64_t edge) {
    return edge == 0 ? (v + 1) % vertices : (v * (2 * edge + 1) + edge) % vertices;
  }
  void send(std::uint64_t v, std::uint64_t from, std::uint64_t time) {
    async<&graph::visit>(v % members().size(), v, from, time);
  }

  /// Comes from `from`; goes back at once when v is known already.
  void visit(std::uint64_t v, std::uint64_t from, std::uint64_t time) {
    vertex& here = at(v);
    if (here.discovered != 0) return async<&graph::go_on>(from % members().size(), from, time);
    here.parent = from;
    here.discovered = ++time;
    go_on(v, time);
  }

  /// Takes the next edge of v, or returns to its parent.
  void go_on(std::uint64_t v, std::uint64_t time) {
    vertex& here = at(v);
    if (here.next_edge < degree) return send(neighbour(v, here.next_edge++), v, time);
    here.finished = ++time;
    if (here.parent != nobody) async<&graph::go_on>(here.parent % members().size(), here.parent, time);
  }

  vertex& at(std::uint64_t v) { return local_[v / members().size()]; }

 private:
  std::vector<vertex> local_;
};

int main() {
  return sheaf::run([](sheaf::team world) {
    graph g(world);
    if (world.rank() == 0) g.send(0, graph::nobody, 0);
    sheaf::fence(world);

    // Every vertex was found; the intervals of children nest in their parent's.
    std::uint64_t wrong = 0;
    for (std::uint64_t v = world.rank(); v < graph::vertices; v += world.size()) {
      auto const& here = g.at(v);
      bool nested = here.parent == graph::nobody;
      if (!nested) {
        auto const above = g.sync(
            here.parent % world.size(), [](graph& there, std::uint64_t p) { return there.at(p); }, here.parent);
        nested = above.discovered < here.discovered && here.finished < above.finished;
      }
      wrong += nested && here.discovered != 0 && here.discovered < here.finished ? 0 : 1;
    }
    wrong = sheaf::all_reduce(world, wrong, std::plus<>{});
    if (world.rank() == 0)
      std::printf("%lu vertices searched, the tree is %s\n", graph::vertices, wrong == 0 ? "right" : "wrong");
    return wrong == 0 ? 0 : 1;
  });
}
