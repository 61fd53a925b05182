// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// ARMI's Fig. 9: milliseconds of the strongly connected components of ten meshes, one after the other, by ARMI's
/// algorithm (§5.3): each location marks from a pivot of its own, and each edge to another location that is counted,
/// trimmed or marked is a request. `--factor`: so many requests in a buffer; 0: the default setting. `--meshes 10`: so
/// many of them. `--count rounds`: the value is the number of rounds. The library's components check the result.
#include <algorithm>
#include <array>
#include <span>

#include "harness/measure.hpp"
#include "sheaf/graph/generators.hpp"
#include "sheaf/graph/graph.hpp"
#include "sheaf/graph/strong_components.hpp"
#include "sheaf/sheaf.hpp"

using namespace sheaf_bench;

namespace {

using sheaf::vertex;

enum direction : std::uint32_t { along, against };
enum class what : std::uint32_t { counted, trimmed, marked };

/// What an edge brings to a vertex of the same part.
struct note {
  vertex at;
  std::uint32_t part, mark;
  what kind;
  direction by;
};

struct found {
  std::uint64_t components = 0, larger = 0, rounds = 0;  // larger: of several vertices
};

/// Vertices of one part may be in one component, those of two parts are in none.
class meshes : public sheaf::distributed<meshes> {
 public:
  meshes(sheaf::team const& world, sheaf::graph_shape const& g)
      : distributed(world), g_(g), part_(g.local(), 0), left_(g.local()) {
    for (auto& each : ways_)
      each = {std::vector<std::uint32_t>(g.local(), 0), std::vector<std::uint32_t>(g.local(), 0)};
    for (vertex v = 0; v < g.local(); ++v) left_[v] = v;
  }

  found run() {
    found all;
    while (sheaf::all_reduce(members(), std::uint64_t{left_.size()}, std::plus<>{}) != 0) {
      ++all.rounds;
      in_each_way(what::counted);
      trim();
      mark();
      settle(all);
    }
    all.components += sheaf::all_reduce(members(), trimmed_, std::plus<>{});
    return all;
  }

  void take(note const& one) {
    handle(one);
    go_on();
  }

 private:
  static constexpr std::uint32_t gone = ~std::uint32_t{0};
  struct way {
    std::vector<std::uint32_t> edges, mark;  // how many edges come to each own vertex; the largest pivot that does
  };

  void in_each_way(what kind) {
    for (vertex const v : left_) {
      tell(v, part_[v], 0, kind, along);
      tell(v, part_[v], 0, kind, against);
    }
    sheaf::fence(members());
  }
  void trim() {
    for (vertex const v : left_) {
      if (ways_[along].edges[v] == 0 || ways_[against].edges[v] == 0) remove(v);
      go_on();
    }
    sheaf::fence(members());
    keep_left();
  }
  void mark() {
    if (!left_.empty()) {
      vertex const pivot = left_[left_.size() / 2];
      for (direction const by : {along, against})
        handle({pivot, part_[pivot], static_cast<std::uint32_t>(rank()) + 1, what::marked, by});
      go_on();
    }
    sheaf::fence(members());
  }
  void settle(found& all) {
    std::vector<std::uint64_t> sizes(members().size() + 1, 0);
    for (vertex const v : left_) {
      std::uint32_t &forth = ways_[along].mark[v], &back = ways_[against].mark[v];
      if (forth != 0 && forth == back) {
        ++sizes[forth];
        part_[v] = gone;
      } else {
        part_[v] = static_cast<std::uint32_t>(
            splitmix64(splitmix64(std::uint64_t{part_[v]} << 32U | forth)() + back)() >> 33U);  // never `gone`
      }
      forth = back = 0;
      ways_[along].edges[v] = ways_[against].edges[v] = 0;
    }
    keep_left();
    sheaf::all_reduce(members(), std::span(sizes), std::plus<>{});
    for (std::uint64_t const size : sizes) {
      all.components += size > 0 ? 1 : 0;
      all.larger += size > 1 ? 1 : 0;
    }
  }
  void keep_left() {
    std::erase_if(left_, [this](vertex v) { return part_[v] == gone; });
  }

  void handle(note const& one) {
    if (part_[one.at] != one.part) return;
    way& its = ways_[one.by];
    if (one.kind == what::counted) {
      ++its.edges[one.at];
    } else if (one.kind == what::trimmed) {
      if (--its.edges[one.at] == 0) remove(one.at);
    } else if (its.mark[one.at] < one.mark) {
      its.mark[one.at] = one.mark;
      waiting_.push_back({one.at, one.part, one.mark, what::marked, one.by});
    }
  }
  void remove(vertex v) {
    if (part_[v] == gone) return;
    for (direction const by : {along, against}) waiting_.push_back({v, part_[v], 0, what::trimmed, by});
    part_[v] = gone;
    ++trimmed_;
  }
  /// A vertex tells its neighbours; a stack in place of recursion.
  void go_on() {
    while (!waiting_.empty()) {
      note const one = waiting_.back();
      waiting_.pop_back();
      if (one.kind == what::marked && ways_[one.by].mark[one.at] != one.mark) continue;
      tell(one.at, one.part, one.mark, one.kind, one.by);
    }
  }
  void tell(vertex v, std::uint32_t part, std::uint32_t mark, what kind, direction by) {
    for (vertex const to : (by == along ? g_.out() : g_.in()).row(v)) {
      auto const [rank, local] = g_.place(to);
      note const one{local, part, mark, kind, by};
      if (g_.is_local(to)) {
        handle(one);
      } else {
        async<&meshes::take>(rank, one);
      }
    }
  }

  sheaf::graph_shape const& g_;
  std::array<way, 2> ways_;
  std::vector<std::uint32_t> part_;
  std::vector<vertex> left_;
  std::vector<note> waiting_;
  std::uint64_t trimmed_ = 0;
};

void set_factor(std::int64_t factor) {
  if (factor == 0) return;
  std::size_t const bytes = factor == 1 ? 1 : sheaf::run_header::wire_bytes + sizeof(note) * factor;
  sheaf::set_aggregation(bytes, bytes);
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  return sheaf::run([&](sheaf::team world) {
    auto const all = sheaf::armi_meshes();
    auto const count = static_cast<std::size_t>(args.number("--meshes", 10));
    check(count >= 1 && count <= all.size(), "--meshes is 1 to 10");
    std::vector<sheaf::graph<>> graphs;
    std::uint64_t expected = 0;
    for (std::size_t k = 0; k < count; ++k) {
      graphs.push_back(sheaf::build_graph(world, sheaf::transport_sweep(world, all[k]),
                                          {.in_edges = true, .vertices = all[k].vertices()}));
      expected += sheaf::strong_components(graphs.back()).count;
    }
    set_factor(args.number("--factor", 0));
    std::uint64_t rounds = 0;
    auto const samples = sample(1, args.reps(5), [&](int) {
      found sum;
      double ms = 0;
      for (auto const& g : graphs) {
        meshes one(world, g);
        sheaf::barrier(world);
        std::int64_t const start = now_ns();
        found const its = one.run();
        ms += static_cast<double>(now_ns() - start) / 1e6;
        sum = {sum.components + its.components, sum.larger + its.larger, sum.rounds + its.rounds};
      }
      check(sum.components == expected, "the numbers of components differ from the library's");
      check(count < all.size() || sum.larger == 338, "the meshes have 338 components of several vertices");
      rounds = sum.rounds;
      return ms;
    });
    if (world.rank() != 0) return;
    if (args.text("--count", "") == "rounds") return print_result("rounds", {static_cast<double>(rounds)});
    print_result("ms", samples, ", \"rounds\": " + std::to_string(rounds));
  });
}
