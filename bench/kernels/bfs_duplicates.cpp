// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Does it help a breadth-first search to remove duplicates among its messages (AM++ §4.3.1)? Milliseconds of a search,
/// level by level, mean over 16 roots, with a message for each edge to another location. `--removal none`; unique or
/// exact: by a policy of its message types, which compares vertices; ghosts: by a bit for each ghost that was sent to.
#include <array>

#include "kernels/graph_of.hpp"
#include "sheaf/graph/breadth_first.hpp"
#include "sheaf/messages.hpp"

using namespace sheaf_bench;

namespace {

using sheaf::vertex;

struct visit {
  vertex at, from;
};
struct to_vertex {
  vertex operator()(visit const& one) const { return one.at; }
};

template <class... Policy>
class search {
 public:
  search(sheaf::graph<> const& g, bool by_ghosts)
      : g_(g), by_ghosts_(by_ghosts), known_(g.all(), false), tree_(g.local(), none) {}

  /// The number of vertices that it reaches.
  std::uint64_t run(std::uint64_t root) {
    known_.assign(known_.size(), false);
    std::fill(tree_.begin(), tree_.end(), none);
    if (auto const own = g_.find(root)) reach(*own, g_.number(*own), 0);
    std::uint64_t reached = 0;
    for (std::uint32_t level = 0;; ++level) {
      auto& last = levels_[level % 2];
      std::uint64_t const count = sheaf::all_reduce(g_.members(), std::uint64_t{last.size()}, std::plus<>{});
      if (count == 0) return reached;
      reached += count;
      sheaf::epoch(g_.members(), [&] {
        for (vertex const v : last) follow(v, level + 1);
        last.clear();
      });
    }
  }

 private:
  using messages = sheaf::message_type<visit, sheaf::unordered, Policy...>;
  static constexpr std::uint64_t none = sheaf::bfs_tree::no_parent;

  void reach(vertex v, std::uint64_t parent, std::uint32_t level) noexcept {
    if (tree_[v] != none) return;
    tree_[v] = parent;
    levels_[level % 2].push_back(v);
  }
  void follow(vertex v, std::uint32_t level) {
    std::uint64_t const from = g_.number(v);
    messages& type = level % 2 == 0 ? even_ : odd_;
    for (vertex const to : g_.out().row(v)) {
      if (g_.is_local(to)) {
        reach(to, from, level);
      } else if (!by_ghosts_ || !known_[to]) {
        known_[to] = by_ghosts_;
        sheaf::vertex_place const at = g_.place(to);
        type.send(at.rank, {at.local, v});
      }
    }
  }
  void arrive(visit const& one, std::uint64_t sender, std::uint32_t level) noexcept {
    reach(one.at, g_.map().first(static_cast<std::uint32_t>(sender)) + one.from, level);
  }

  sheaf::graph<> const& g_;
  bool const by_ghosts_;
  std::vector<bool> known_;
  std::vector<std::uint64_t> tree_;
  std::array<std::vector<vertex>, 2> levels_;  // of even and odd levels, as one member may be a level ahead
  messages even_{g_.members(), [this](visit const& one, std::uint64_t sender) noexcept { arrive(one, sender, 0); }};
  messages odd_{g_.members(), [this](visit const& one, std::uint64_t sender) noexcept { arrive(one, sender, 1); }};
};

template <class... Policy>
void measure(arguments const& args, graph_edges const& edges, sheaf::graph<> const& g) {
  search<Policy...> one(g, args.text("--removal", "none") == "ghosts");
  auto const samples = search_samples(
      args, edges, 5, 16, [&] { sheaf::barrier(g.members()); }, [&](std::uint64_t root) { one.run(root); });
  std::uint64_t const reached = one.run(edges.root(0));
  check(reached == sheaf::breadth_first(g, edges.root(0)).reached, "a search does not reach all vertices");
  if (g.members().rank() == 0) print_result("ms", samples, ", \"result\": " + std::to_string(reached));
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  return sheaf::run([&](sheaf::team world) {
    graph_edges const edges(args);
    auto const g = graph_of(world, edges);
    std::string const how = args.text("--removal", "none");
    check(how == "none" || how == "unique" || how == "exact" || how == "ghosts",
          "--removal is none, unique, exact or ghosts");
    if (how == "unique") return measure<sheaf::unique<to_vertex>>(args, edges, g);
    if (how == "exact") return measure<sheaf::unique_exactly<to_vertex>>(args, edges, g);
    measure(args, edges, g);
  });
}
