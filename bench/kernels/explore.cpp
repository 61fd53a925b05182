// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// graph.explore (AM++ §4.2): millions of edges per second of an exploration along directed edges, `--cycle 1` always.
/// `--form nested`: a handler explores what it reaches here, by a stack, and sends to other members' vertices. queue:
/// it puts its vertex into a queue; a loop explores from there, counts what it sends, and is told what has come.
#include <array>

#include "kernels/graph_of.hpp"
#include "sheaf/graph/vertex_messages.hpp"

using namespace sheaf_bench;

namespace {

using sheaf::vertex;

/// What both forms share: which vertices are known, own ones and those sent to.
class exploration {
 public:
  explicit exploration(sheaf::graph<> const& g) : g_(g), known_(g.all(), false) {}

  [[nodiscard]] std::uint64_t explored() const { return explored_; }
  void clear() {
    known_.assign(known_.size(), false);
    explored_ = 0;
  }

 protected:
  /// True the first time.
  bool is_new(vertex v) {
    if (known_[v]) return false;
    known_[v] = true;
    return true;
  }
  /// What follows from a vertex: own ones to the stack, others' by `send`.
  template <class Send>
  void follow(vertex v, std::vector<vertex>& stack, Send send) {
    ++explored_;
    for (vertex const to : g_.out().row(v)) {
      if (!is_new(to)) continue;
      if (g_.is_local(to)) {
        __builtin_prefetch(&g_.out().first[to]);
        stack.push_back(to);
      } else {
        send(to);
      }
    }
  }
  template <class Send>
  void follow_all(std::vector<vertex>& stack, Send send) {
    while (!stack.empty()) {
      vertex const v = stack.back();
      stack.pop_back();
      if (stack.size() >= ahead) __builtin_prefetch(g_.out().row(stack[stack.size() - ahead]).data());
      follow(v, stack, send);
    }
  }

  sheaf::graph<> const& g_;

 private:
  static constexpr std::size_t ahead = 2;  // in the stack, a vertex whose row is prefetched

  std::vector<bool> known_;
  std::uint64_t explored_ = 0;
};

class nested : public exploration {
 public:
  using exploration::exploration;

  void run() {
    sheaf::epoch(g_.members(), [this] {
      if (auto const root = g_.find(0)) visit_.send(*root);
    });
  }

 private:
  void arrive(vertex v) noexcept {
    if (!is_new(v)) return;
    stack_.push_back(v);
    follow_all(stack_, [this](vertex to) { visit_.send(to); });
  }

  std::vector<vertex> stack_;
  sheaf::vertex_messages<> visit_{g_, [this](vertex v) noexcept { arrive(v); }};
};

class queued : public exploration {
 public:
  using exploration::exploration;

  void run() {
    sheaf::epoch(g_.members(), [this] { explore(); });
  }

 private:
  void explore() {
    if (auto const root = g_.find(0); root && is_new(*root)) queue_.push_back(*root);
    for (std::array<std::uint64_t, 2> before{1, 0}, now{};; before = now) {
      do {
        follow_all(queue_, [this](vertex to) {
          ++unanswered_;
          visit_.send(to);
        });
        sheaf::poll();
      } while (unanswered_ != 0 || !queue_.empty());
      now = sheaf::all_reduce(g_.members(), std::array<std::uint64_t, 2>{unanswered_ + queue_.size(), explored()},
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
  sheaf::message_type<sheaf::no_value, sheaf::unordered> answer_{g_.members(),
                                                                 [this](sheaf::no_value) noexcept { --unanswered_; }};
  sheaf::vertex_messages<sheaf::no_value> visit_{
      g_, [this](vertex v, sheaf::no_value, std::uint64_t sender) noexcept { arrive(v, sender); }};
};

template <class Form>
std::vector<double> measure(sheaf::graph<> const& g, int reps) {
  Form form(g);
  return sample(1, reps, [&](int) {
    form.clear();
    sheaf::barrier(g.members());
    std::int64_t const start = now_ns();
    form.run();
    double const us = static_cast<double>(now_ns() - start) / 1e3;
    std::uint64_t const explored = sheaf::all_reduce(g.members(), form.explored(), std::plus<>{});
    check(explored == g.vertices(), "some vertices are explored not once");
    return static_cast<double>(g.edges()) / us;
  });
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  return sheaf::run([&](sheaf::team world) {
    graph_edges const edges(args);
    auto const g = sheaf::build_graph(world, edges_of(world, edges), {.vertices = edges.vertices()});
    bool const has_queue = args.text("--form", "nested") == "queue";
    auto const samples = has_queue ? measure<queued>(g, args.reps(5)) : measure<nested>(g, args.reps(5));
    if (world.rank() == 0) print_result("M/s", samples, ", \"result\": " + std::to_string(g.edges()));
  });
}
