// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "graph/strong_marks.hpp"

#include <algorithm>
#include <utility>

namespace sheaf::detail {

void strong_marks::clear() {
  for (vertex const u : rest_.left) rest_.each_of(u, [this](vertex v) { marks_[v] = 0; });
  for (vertex v = rest_.g.local(); v < rest_.g.all(); ++v) marks_[v] = 0;
}

void strong_marks::put(vertex u, std::uint64_t mark) { offer(u, mark); }

void strong_marks::offer(vertex v, std::uint64_t mark) {
  if (!may_have(v, mark)) return;
  marks_[v] = mark;
  if (std::exchange(waits_[v], 1) == 0) work_.add(v);
}

void strong_marks::expand(vertex u) {
  waits_[u] = 0;
  std::uint64_t const mark = marks_[u];
  std::uint32_t const its = rest_.part[u];
  rest_.each_of(u, [&](vertex v) {
    for (vertex const w : rows_.row(v)) {
      if (rest_.part[w] != its) continue;
      if (rest_.g.is_local(w)) {
        offer(rest_.unit[w], mark);
      } else if (may_have(w, mark)) {
        marks_[w] = mark;
        ++rest_.messages;
        arrive_.send(w, mark);
      }
    }
  });
}

void strong_marks::pull() {
  for (vertex const u : rest_.left) rest_.each_of(u, [&](vertex v) { marks_[v] = marks_[u]; });
  marks_.pull();
}

}  // namespace sheaf::detail
