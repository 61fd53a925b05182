// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "sheaf/active/message_type.hpp"
#include "sheaf/graph/edge.hpp"
#include "sheaf/graph/graph_shape.hpp"

namespace sheaf::detail {

/// Own vertices that wait for expand(v), in an epoch, which ends when there are no more: expand may add others and send
/// messages, whose handlers add others. The last comes first. A few are expanded at a time, as others' messages come
/// between. All members make theirs in the same order.
template <class Expand>
class work_list {
 public:
  work_list(graph_shape const& g, Expand expand)
      : rank_(g.members().rank()), expand_(std::move(expand)), go_on_(g.members(), [this](no_value) { go_on(); }) {
    waiting_.reserve(g.local());
  }

  void add(vertex v) {
    waiting_.push_back(v);
    if (is_awake_) return;
    is_awake_ = true;
    go_on_.send(rank_, {});
  }

 private:
  static constexpr std::size_t batch = 1024;

  void go_on() {
    for (std::size_t k = 0; k < batch && !waiting_.empty(); ++k) {
      vertex const v = waiting_.back();
      waiting_.pop_back();
      expand_(v);
    }
    is_awake_ = !waiting_.empty();
    if (is_awake_) go_on_.send(rank_, {});
  }

  std::uint32_t const rank_;
  Expand expand_;
  std::vector<vertex> waiting_;
  bool is_awake_ = false;
  message_type<no_value> go_on_;
};

}  // namespace sheaf::detail
