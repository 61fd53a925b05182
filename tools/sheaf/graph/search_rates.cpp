// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/search_rates.hpp"

#include <algorithm>

#include "sheaf/command_error.hpp"
#include "sheaf/graph/betweenness.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::tool {

namespace {

struct rate {
  std::uint64_t edges;
  double per_second;
};

rate rate_of(graph_job& job, graph_shape const& g, graph_search const& search, std::uint64_t root) {
  double const seconds = job.timed([&] { search.run(root); });
  if (job.asked().verify) {
    std::string const wrong = search.wrong(root);
    if (!wrong.empty()) throw command_error("the search from " + job.name_of(root) + " is wrong: " + wrong);
  }
  std::uint64_t own = 0;
  for (vertex v = 0; v < g.local(); ++v) own += search.reaches(v) ? job.edges_of_file()[v] : 0;
  std::uint64_t const edges = all_reduce(g.members(), own, std::plus<>{});
  return {edges, static_cast<double>(edges) / seconds};
}

}  // namespace

void tell_search_rates(graph_job& job, graph_shape const& g, graph_search const& search) {
  if (job.asked().searches == 0) return;
  auto const roots = sampled_vertices(g, job.asked().searches, job.asked().seed, 1);
  if (roots.empty()) throw command_error(job.asked().file + " has no vertex with an edge to search from");
  job.phase("searching from many vertices");
  std::vector<rate> all;
  double sum = 0;
  for (std::uint64_t const root : roots) {
    all.push_back(rate_of(job, g, search, root));
    sum += 1 / all.back().per_second;
  }
  std::ranges::sort(all, {}, &rate::per_second);
  auto const count = static_cast<double>(all.size());
  job.tell("Million TEPS", {{"searches", all.size()},
                            {"most edges", std::ranges::max(all, {}, &rate::edges).edges},
                            {"harmonic mean", count / sum / 1e6},
                            {"smallest", all.front().per_second / 1e6},
                            {"median", all[all.size() / 2].per_second / 1e6},
                            {"largest", all.back().per_second / 1e6}});
}

}  // namespace sheaf::tool
