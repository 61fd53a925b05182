// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// The verifier of core numbers. Vertices with numbers of k or more that have k neighbours of that kind each are in the
/// k-core. If those with numbers up to k can be removed, each with k neighbours or fewer when it goes, none of them is
/// in a larger core: the first vertex of that core to go would have more.
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "graph/work_list.hpp"
#include "sheaf/active/epoch.hpp"
#include "sheaf/graph/core_numbers.hpp"
#include "sheaf/graph/detail/verdict.hpp"
#include "sheaf/graph/vertex_messages.hpp"
#include "sheaf/graph/vertex_values.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf {

namespace {

class check : detail::verdict {
 public:
  check(graph_shape const& g, cores const& all) : g_(g), all_(all), number_(g), removed_(g.local()), left_(g.local()) {}

  std::string run() {
    std::ranges::copy(all_.number, number_.own().begin());
    number_.pull();
    for (vertex v = 0; v < g_.local(); ++v) look_at(v);
    std::uint32_t largest = 0;
    for (std::uint32_t k = next_number(); k != none; k = next_number()) {
      remove(k);
      largest = k;
    }
    if (largest != all_.largest)
      wrong("the result says that the largest number is " + std::to_string(all_.largest) + ", and it is " +
            std::to_string(largest));
    return agreed(g_.members());
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  [[nodiscard]] std::string name(vertex v) const {
    return "vertex " + std::to_string(g_.id(v)) + " (number " + std::to_string(number_[v]) + ")";
  }
  template <class Counts>
  [[nodiscard]] std::uint64_t neighbours(vertex v, Counts counts) const {
    auto const row = g_.out().row(v);
    return static_cast<std::uint64_t>(std::ranges::count_if(row, [&](vertex to) { return to != v && counts(to); }));
  }

  void look_at(vertex v) {
    left_[v] = neighbours(v, [](vertex) { return true; });
    std::uint64_t const found = neighbours(v, [&](vertex to) { return number_[to] >= number_[v]; });
    if (found < number_[v]) wrong(name(v) + " has only " + std::to_string(found) + " neighbours with numbers as large");
  }
  /// The smallest of vertices that have not been removed.
  std::uint32_t next_number() {
    std::uint32_t least = none;
    for (vertex v = 0; v < g_.local(); ++v) least = removed_[v] ? least : std::min(least, number_[v]);
    return all_reduce(g_.members(), least, [](std::uint32_t a, std::uint32_t b) { return std::min(a, b); });
  }
  /// All with the number k, as others of that kind go before them.
  void remove(std::uint32_t k) {
    now_ = k;
    epoch(g_.members(), [this] {
      for (vertex v = 0; v < g_.local(); ++v) remove_if_few(v);
    });
    for (vertex v = 0; v < g_.local(); ++v) {
      if (removed_[v] || number_[v] != k) continue;
      wrong(name(v) + " is in a larger core");
      removed_[v] = true;
    }
  }
  void remove_if_few(vertex v) {
    if (removed_[v] || number_[v] != now_ || left_[v] > now_) return;
    removed_[v] = true;
    waiting_.add(v);
  }
  void expand(vertex v) {
    for (vertex const to : g_.out().row(v)) {
      if (g_.is_local(to)) {
        if (to != v) lose(to);
      } else {
        lost_.send(to);
      }
    }
  }
  void lose(vertex v) {
    --left_[v];
    remove_if_few(v);
  }
  struct expanding {
    check* whole;
    void operator()(vertex v) { whole->expand(v); }
  };

  graph_shape const& g_;
  cores const& all_;
  vertex_values<std::uint32_t> number_;
  std::vector<bool> removed_;
  std::vector<std::uint64_t> left_;  // neighbours that are not removed
  std::uint32_t now_ = 0;            // the number whose vertices are being removed
  detail::work_list<expanding> waiting_{g_, expanding{this}};
  vertex_messages<> lost_{g_, [this](vertex v) { lose(v); }};
};

}  // namespace

std::string wrong_in(graph_shape const& g, cores const& all) { return check(g, all).run(); }

}  // namespace sheaf
