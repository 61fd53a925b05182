// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "graph/strong_gather.hpp"
#include "sheaf/active/epoch.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

namespace {

/// Of the vertices of a component that one member has.
struct group {
  std::uint64_t smallest = ~std::uint64_t{0}, size = 0;

  void add(group const& other) {
    smallest = std::min(smallest, other.smallest);
    size += other.size;
  }
};

class labelling {
 public:
  explicit labelling(strong_rest const& rest)
      : g_(rest.g), name_(rest.name), own_first_(g_.map().first(g_.members().rank())), named_(g_.local()) {}

  strong_labels run() {
    for (vertex v = 0; v < g_.local(); ++v) group_of(name_[v]).add({g_.id(v), 1});
    barrier(g_.members());  // all have these message types
    auto const sums = epoch(
        g_.members(),
        [this] {
          for (auto const& [name, its] : other_) share_.send(owner(name), {place(name), its});
        },
        [this] { return count(); },
        [](auto const& a, auto const& b) {
          return std::array{a[0] + b[0], std::max(a[1], b[1])};
        });
    epoch(g_.members(), [this] {
      for (auto const& [name, its] : other_) question_.send(owner(name), {place(name), name});
    });
    strong_labels all{{}, sums[0], sums[1]};
    all.label.reserve(g_.local());
    for (std::uint64_t const name : name_) all.label.push_back(group_of(name).smallest);
    return all;
  }

 private:
  struct share {
    vertex name;
    group its;
  };
  struct question {
    vertex place;
    std::uint64_t name;
  };
  struct answer {
    std::uint64_t name, smallest;
  };

  [[nodiscard]] std::uint32_t owner(std::uint64_t name) const { return g_.map().owner(name); }
  [[nodiscard]] vertex place(std::uint64_t name) const {
    return static_cast<vertex>(name - g_.map().first(owner(name)));
  }
  group& group_of(std::uint64_t name) {
    if (name - own_first_ < named_.size()) return named_[name - own_first_];
    if (name != last_name_ || last_ == nullptr) last_ = &other_[name];  // mostly of one component
    last_name_ = name;
    return *last_;
  }
  [[nodiscard]] std::array<std::uint64_t, 2> count() const {
    std::array<std::uint64_t, 2> sums{};
    for (group const& each : named_) {
      if (each.size != 0) sums = {sums[0] + 1, std::max(sums[1], each.size)};
    }
    return sums;
  }

  graph_shape const& g_;
  std::vector<std::uint64_t> const& name_;
  std::uint64_t const own_first_;
  std::vector<group> named_;                        // by own vertices
  std::unordered_map<std::uint64_t, group> other_;  // by vertices of others
  std::uint64_t last_name_ = 0;
  group* last_ = nullptr;
  message_type<share, unordered> share_{g_.members(),
                                        [this](share const& one) noexcept { named_[one.name].add(one.its); }};
  message_type<answer, unordered> answer_{
      g_.members(), [this](answer const& one) { other_.find(one.name)->second.smallest = one.smallest; }};
  message_type<question, unordered> question_{g_.members(), [this](question const& one, std::uint64_t sender) {
                                                answer_.send(sender, {one.name, named_[one.place].smallest});
                                              }};
};

}  // namespace

strong_labels label_components(strong_rest const& rest) { return labelling(rest).run(); }

}  // namespace sheaf::detail
