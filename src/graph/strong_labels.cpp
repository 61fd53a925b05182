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

/// The label of a vertex that names a component is final, and the same for all of it; others wait for it.
class labelling {
 public:
  explicit labelling(strong_rest const& rest)
      : g_(rest.g),
        name_(rest.name),
        own_first_(g_.map().first(g_.members().rank())),
        label_(g_.local(), ~std::uint64_t{0}),
        size_(g_.local(), 0) {}

  strong_labels run() {
    for (vertex v = 0; v < g_.local(); ++v) {
      if (is_own(name_[v])) {
        add(static_cast<vertex>(name_[v] - own_first_), {g_.id(v), 1});
      } else {
        other(name_[v]).add({g_.id(v), 1});
      }
    }
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
    for (vertex v = 0; v < g_.local(); ++v)
      label_[v] = is_own(name_[v]) ? label_[name_[v] - own_first_] : other(name_[v]).smallest;
    return {std::move(label_), sums[0], sums[1]};
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
  [[nodiscard]] bool is_own(std::uint64_t name) const { return name - own_first_ < label_.size(); }
  void add(vertex name, group const& its) noexcept {
    label_[name] = std::min(label_[name], its.smallest);
    size_[name] += its.size;
  }
  group& other(std::uint64_t name) {
    if (name != last_name_ || last_ == nullptr) last_ = &other_[name];  // mostly of one component
    last_name_ = name;
    return *last_;
  }
  [[nodiscard]] std::array<std::uint64_t, 2> count() const {
    std::array<std::uint64_t, 2> sums{};
    for (std::uint64_t const size : size_) sums = {sums[0] + (size != 0 ? 1 : 0), std::max(sums[1], size)};
    return sums;
  }

  graph_shape const& g_;
  std::vector<std::uint64_t> const& name_;
  std::uint64_t const own_first_;
  std::vector<std::uint64_t> label_, size_;         // by own vertices
  std::unordered_map<std::uint64_t, group> other_;  // by vertices of others
  std::uint64_t last_name_ = 0;
  group* last_ = nullptr;
  message_type<share, unordered> share_{g_.members(), [this](share const& one) noexcept { add(one.name, one.its); }};
  message_type<answer, unordered> answer_{
      g_.members(), [this](answer const& one) { other_.find(one.name)->second.smallest = one.smallest; }};
  message_type<question, unordered> question_{g_.members(), [this](question const& one, std::uint64_t sender) {
                                                answer_.send(sender, {one.name, label_[one.place]});
                                              }};
};

}  // namespace

strong_labels label_components(strong_rest const& rest) { return labelling(rest).run(); }

}  // namespace sheaf::detail
