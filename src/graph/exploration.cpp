// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Exploration (AM++ §4.2): vertices in no order, own ones by a stack. Data: a bit for each vertex that is known here:
/// an own one that is reached, a ghost that has been sent to.
#include "sheaf/graph/exploration.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <utility>

#include "sheaf/active/epoch.hpp"
#include "sheaf/graph/breadth_first.hpp"
#include "sheaf/graph/detail/root.hpp"
#include "sheaf/graph/detail/verdict.hpp"
#include "sheaf/graph/vertex_messages.hpp"
#include "sheaf/runtime/collectives.hpp"
#include "sheaf/runtime/verbs.hpp"

namespace sheaf {

namespace {

/// What both forms share.
class exploring {
 public:
  explicit exploring(graph_shape const& g) : g_(g), known_(g.all(), false) {}

  exploration finish() {
    known_.resize(g_.local());
    return {std::move(known_), all_reduce(g_.members(), explored_, std::plus<>{})};
  }

 protected:
  [[nodiscard]] std::uint64_t explored() const { return explored_; }
  /// True the first time.
  bool is_new(vertex v) {
    if (known_[v]) return false;
    known_[v] = true;
    return true;
  }
  /// Explores from the vertices of a stack until it is empty. Own ones that follow are put there; others' are sent.
  template <class Send>
  void follow(std::vector<vertex>& stack, Send send) {
    while (!stack.empty()) {
      vertex const v = stack.back();
      stack.pop_back();
      if (stack.size() >= ahead) __builtin_prefetch(g_.out().row(stack[stack.size() - ahead]).data());
      ++explored_;
      for (vertex const to : g_.out().row(v)) {
        if (!is_new(to)) continue;
        if (!g_.is_local(to)) {
          send(to);
          continue;
        }
        __builtin_prefetch(&g_.out().first[to]);
        stack.push_back(to);
      }
    }
  }

  graph_shape const& g_;

 private:
  static constexpr std::size_t ahead = 2;  // in the stack, a vertex whose row is prefetched

  std::vector<bool> known_;
  std::uint64_t explored_ = 0;
};

class nested : public exploring {
 public:
  using exploring::exploring;

  exploration run(std::optional<vertex> root) {
    epoch(g_.members(), [&] {
      if (root) visit_.send(*root);
    });
    return finish();
  }

 private:
  void arrive(vertex v) noexcept {
    if (!is_new(v)) return;
    stack_.push_back(v);
    follow(stack_, [this](vertex to) { visit_.send(to); });
  }

  std::vector<vertex> stack_;
  vertex_messages<> visit_{g_, [this](vertex v) noexcept { arrive(v); }};
};

class queued : public exploring {
 public:
  using exploring::exploring;

  exploration run(std::optional<vertex> root) {
    epoch(g_.members(), [&] {
      if (root && is_new(*root)) queue_.push_back(*root);
      explore();
    });
    return finish();
  }

 private:
  void explore() {
    for (std::array<std::uint64_t, 2> before{1, 0}, now{};; before = now) {
      do {
        follow(queue_, [this](vertex to) {
          ++unanswered_;
          visit_.send(to);
        });
        poll();
      } while (unanswered_ != 0 || !queue_.empty());
      now = all_reduce(g_.members(), std::array<std::uint64_t, 2>{unanswered_ + queue_.size(), explored()},
                       [](auto const& a, auto const& b) {
                         return std::array{a[0] + b[0], a[1] + b[1]};
                       });
      if (now[0] == 0 && now == before) return;  // what comes after a member has given its numbers shows in the next
    }
  }
  void arrive(vertex v, std::uint64_t sender) noexcept {
    if (is_new(v)) queue_.push_back(v);
    answer_.send(sender, {});
  }

  std::vector<vertex> queue_;
  std::uint64_t unanswered_ = 0;
  message_type<no_value, unordered> answer_{g_.members(), [this](no_value) noexcept { --unanswered_; }};
  vertex_messages<> visit_{g_, [this](vertex v, no_value, std::uint64_t sender) noexcept { arrive(v, sender); }};
};

class check : detail::verdict {
 public:
  std::string run(graph_shape const& g, std::uint64_t root, exploration const& all) {
    bfs_tree const tree = breadth_first(g, root, bfs_form::top_down);
    if (all.reached.size() != g.local()) wrong("the result is not of this graph");
    for (vertex v = 0; v < std::min<std::size_t>(g.local(), all.reached.size()); ++v) {
      bool const is_reached = tree.level[v] != bfs_tree::unreached;
      if (all.reached[v] != is_reached)
        wrong("vertex " + std::to_string(g.id(v)) +
              (is_reached ? " is not reached" : " is reached, and no path leads there"));
    }
    compare("reached vertices", all.vertices, tree.reached);
    return agreed(g.members());
  }
};

}  // namespace

exploration explore(graph_shape const& g, std::uint64_t root, exploration_form how) {
  auto const own = detail::checked_root(g, root);
  return how == exploration_form::nested ? nested(g).run(own) : queued(g).run(own);
}

std::string wrong_in(graph_shape const& g, std::uint64_t root, exploration const& all) {
  return check().run(g, root, all);
}

}  // namespace sheaf
