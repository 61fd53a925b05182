// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// The verifier of strongly connected components. If a vertex of each class reaches all others of the class inside it,
/// and is reached by them, each class is strongly connected. If classes can be removed one by one, each when no edge
/// leads to it from one that is left, no cycle leads through two of them.
#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "graph/label_flood.hpp"
#include "sheaf/active/epoch.hpp"
#include "sheaf/active/message_type.hpp"
#include "sheaf/graph/detail/verdict.hpp"
#include "sheaf/graph/strong_components.hpp"
#include "sheaf/graph/vertex_values.hpp"

namespace sheaf {

namespace {

class check : detail::verdict {
 public:
  check(graph_shape const& g, strongly_connected const& all)
      : g_(g), all_(all), label_(g), name_(g, label_), classes_(g.local()) {}

  std::string run() {
    std::ranges::copy(all_.label, label_.own().begin());
    label_.pull();
    expect_reached(g_.in(), "it does not reach");
    expect_reached(g_.out(), "it is not reached by");
    if (std::string found = agreed(g_.members()); !found.empty()) return found;
    remove_all();
    return agreed(g_.members());
  }

 private:
  [[nodiscard]] std::string name_of(vertex v) const {
    return "vertex " + std::to_string(g_.id(v)) + " (label " + std::to_string(label_[v]) + ")";
  }

  /// From the vertices that give the labels, along `rows`, inside classes.
  void expect_reached(adjacency const& rows, std::string const& how) {
    name_.run(rows);
    for (vertex v = 0; v < g_.local(); ++v) {
      if (label_[v] > g_.id(v)) wrong(name_of(v) + " has a label larger than its id");
      if (name_[v] == detail::label_flood::none)
        wrong(name_of(v) + ": inside its class, " + how + " the vertex that its label names");
    }
  }

  struct part {
    vertex of;
    std::uint64_t size;
  };
  struct named_class {
    std::uint64_t waits_for = 0;  ///< edges that lead to it from others that are left
    std::uint64_t size = 0;
    std::vector<std::uint32_t> members;  ///< that have vertices of it
  };

  /// A class is named by the number of a vertex: its owner counts for it.
  void remove_all() {
    for (vertex v = 0; v < g_.local(); ++v) by_name_.emplace_back(name_[v], v);
    std::ranges::sort(by_name_);
    epoch(g_.members(), [this] { join_all(); });
    std::uint64_t named = 0, largest = 0;
    for (named_class const& each : classes_) {
      named += each.size != 0 ? 1 : 0;
      largest = std::max(largest, each.size);
    }
    auto const larger = [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); };
    named = all_reduce(g_.members(), named, std::plus<>{});
    compare("components", all_.count, named);
    compare("vertices in the largest one", all_.largest, all_reduce(g_.members(), largest, larger));
    std::uint64_t const removed = epoch(
        g_.members(), [this] { begin(); }, [this] { return removed_; }, std::plus<>{});
    if (removed != named)
      wrong("of " + std::to_string(named) + " components, " + std::to_string(named - removed) +
            " are on cycles through several components, or behind one");
  }
  void join_all() {
    for (auto at = by_name_.begin(); at != by_name_.end();) {
      auto const end = std::find_if(at, by_name_.end(), [at](auto const& each) { return each.first != at->first; });
      joined_.send(owner(at->first), {local(at->first), static_cast<std::uint64_t>(end - at)});
      at = end;
    }
    for (vertex v = 0; v < g_.local(); ++v)
      for_each_way_out(v, [this](std::uint64_t to) { waits_.send(owner(to), local(to)); });
  }
  void begin() {
    for (vertex v = 0; v < g_.local(); ++v) {
      if (classes_[v].size != 0 && classes_[v].waits_for == 0) remove(v);
    }
  }
  void remove(vertex v) {
    ++removed_;
    classes_[v].waits_for = detail::label_flood::none;
    for (std::uint32_t const r : classes_[v].members) gone_.send(r, g_.number(v));
  }
  void pass(vertex v) {
    if (--classes_[v].waits_for == 0) remove(v);
  }
  void let_go(std::uint64_t name) {
    for (auto at = std::ranges::lower_bound(by_name_, std::pair{name, vertex{0}});
         at != by_name_.end() && at->first == name; ++at)
      for_each_way_out(at->second, [this](std::uint64_t to) { passed_.send(owner(to), local(to)); });
  }
  template <class Use>
  void for_each_way_out(vertex v, Use use) {
    for (vertex const to : g_.out().row(v)) {
      if (name_[to] != name_[v]) use(name_[to]);
    }
  }
  [[nodiscard]] std::uint32_t owner(std::uint64_t name) const { return g_.map().owner(name); }
  [[nodiscard]] vertex local(std::uint64_t name) const {
    return static_cast<vertex>(name - g_.map().first(owner(name)));
  }

  graph_shape const& g_;
  strongly_connected const& all_;
  vertex_values<std::uint64_t> label_;
  detail::label_flood name_;
  std::vector<named_class> classes_;  // of own vertices that name one
  std::vector<std::pair<std::uint64_t, vertex>> by_name_;
  std::uint64_t removed_ = 0;
  message_type<part, unordered> joined_{g_.members(), [this](part const& its, std::uint64_t sender) {
                                          classes_[its.of].size += its.size;
                                          classes_[its.of].members.push_back(static_cast<std::uint32_t>(sender));
                                        }};
  message_type<vertex, unordered> waits_{g_.members(), [this](vertex v) { ++classes_[v].waits_for; }};
  message_type<std::uint64_t, unordered> gone_{g_.members(), [this](std::uint64_t name) { let_go(name); }};
  message_type<vertex, unordered> passed_{g_.members(), [this](vertex v) { pass(v); }};
};

}  // namespace

std::string wrong_in(graph_shape const& g, strongly_connected const& all) { return check(g, all).run(); }

}  // namespace sheaf
