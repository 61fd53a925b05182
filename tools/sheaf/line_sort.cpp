// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/line_sort.hpp"

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace sheaf::tool {
namespace {

constexpr std::size_t small_group = 32;
constexpr std::size_t ahead = 24;  // lines whose text is fetched before it is needed

static_assert(sizeof(line_ref) == sizeof(hwy::K64V64) && alignof(line_ref) == alignof(hwy::K64V64));
static_assert(offsetof(line_ref, key) == offsetof(hwy::K64V64, key));

using line_span = std::span<line_ref>;

bool key_less(line_ref const& a, line_ref const& b) noexcept { return a.key < b.key; }

void sort_by_key(line_span lines) {
  // The kernel fills up short vectors with pairs of the largest key and then may return a filler in place of a pair
  // with that key (seen in Highway 1.0.3), so pairs with that key stay out of it.
  auto const last =
      std::partition(lines.begin(), lines.end(), [](line_ref const& line) { return line.key != ~std::uint64_t{0}; });
  lines = {lines.begin(), last};
  if (lines.size() <= small_group) {
    std::sort(lines.begin(), lines.end(), key_less);
  } else {
    hwy::Sorter()(reinterpret_cast<hwy::K64V64*>(lines.data()), lines.size(), hwy::SortAscending());
  }
}

/// Length of the run of equal keys at the start of `lines`, which is not empty.
std::size_t run_length(line_span lines) noexcept {
  std::size_t n = 1;
  while (n < lines.size() && lines[n].key == lines[0].key) ++n;
  return n;
}

/// Puts the keys from `depth` on into the lines; returns whether they are all equal.
bool load_keys(line_span lines, std::size_t depth) noexcept {
  std::uint64_t difference = 0;
  std::uint64_t const first = arena_key(lines[0].data(), lines[0].size(), depth);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i + ahead < lines.size()) __builtin_prefetch(lines[i + ahead].data() + depth);
    line_ref& line = lines[i];
    line.key = arena_key(line.data(), line.size(), depth);
    difference |= line.key ^ first;
  }
  return difference == 0;
}

/// Number of equal bytes of two lines from `depth` to `limit`, which both have, plus `depth`.
std::size_t mismatch(char const* a, char const* b, std::size_t depth, std::size_t limit) noexcept {
  for (; depth < limit; depth += 8) {
    std::uint64_t x;
    std::uint64_t y;
    std::memcpy(&x, a + depth, 8);
    std::memcpy(&y, b + depth, 8);
    if (x != y) return std::min(limit, depth + static_cast<std::size_t>(__builtin_ctzll(x ^ y)) / 8);
  }
  return limit;
}

struct common_part {
  std::size_t length;
  bool whole;  // the lines are equal
};

/// The common prefix of lines that agree up to `depth` already.
common_part common_prefix(line_span lines, std::size_t depth) noexcept {
  char const* const first = lines[0].data();
  std::size_t const first_size = lines[0].size();
  common_part part{first_size, true};
  for (std::size_t i = 1; i < lines.size() && part.length > depth; ++i) {
    if (i + ahead < lines.size()) __builtin_prefetch(lines[i + ahead].data() + depth);
    std::size_t const size = lines[i].size();
    std::size_t const length = mismatch(first, lines[i].data(), depth, std::min(part.length, size));
    part.whole = part.whole && size == first_size && length == size;
    part.length = length;
  }
  part.whole = part.whole && part.length == first_size;
  return part;
}

/// Sorts by the bytes from `depth` on. Only for few lines.
void sort_small(line_span lines, std::size_t depth) {
  for (line_ref& line : lines) line.key = arena_key(line.data(), line.size(), depth);
  std::sort(lines.begin(), lines.end(), [depth](line_ref const& a, line_ref const& b) {
    if (a.key != b.key) return a.key < b.key;
    return a.view().substr(depth) < b.view().substr(depth);
  });
}

/// Sorts lines by their bytes, group by group: a group is a range of lines that agree up to its depth.
class byte_sorter {
 public:
  /// All keys must be those of depth 0.
  void sort_keyed(line_span lines) {
    split_by_key(lines, 0);
    work();
  }

  void sort(line_span lines) {
    push(lines, 0);
    work();
  }

 private:
  struct group {
    line_span lines;
    std::size_t depth;
  };

  void push(line_span lines, std::size_t depth) {
    if (lines.size() > small_group) {
      groups_.push_back({lines, depth});
    } else if (lines.size() > 1) {
      sort_small(lines, depth);
    }
  }

  void work() {
    while (!groups_.empty()) {
      auto const [lines, depth] = groups_.back();
      groups_.pop_back();
      if (load_keys(lines, depth)) {
        descend(lines, depth);
      } else {
        sort_by_key(lines);
        split(lines, depth);
      }
    }
  }

  /// As `work` on one group whose keys are loaded.
  void split_by_key(line_span lines, std::size_t depth) {
    if (lines.size() < 2) return;
    if (run_length(lines) == lines.size()) return descend(lines, depth);
    sort_by_key(lines);
    split(lines, depth);
  }

  /// All keys at `depth` are equal: jumps behind the common prefix.
  void descend(line_span lines, std::size_t depth) {
    lines = settle_ended(lines, depth + 8);
    if (lines.size() < 2) return;
    common_part const part = common_prefix(lines, depth + 8);
    if (!part.whole) push(lines, part.length);
  }

  /// The lines are sorted by their keys at `depth`: goes on with each run of equal keys.
  void split(line_span lines, std::size_t depth) {
    while (lines.size() > 1) {
      std::size_t const n = run_length(lines);
      prefetch_repeated(lines.subspan(n), depth + 8);
      if (n > 1) push(settle_ended(lines.first(n), depth + 8), depth + 8);
      lines = lines.subspan(n);
    }
  }

  /// Fetches the text of a line further on, where its key is not alone.
  static void prefetch_repeated(line_span lines, std::size_t depth) noexcept {
    if (lines.size() <= ahead + 1) return;
    if (lines[ahead].key == lines[ahead + 1].key || lines[ahead].key == lines[ahead - 1].key) {
      __builtin_prefetch(lines[ahead].data() + depth);
    }
  }

  /// Of lines with equal keys, those without a byte at `depth` come first, by size. Returns the others.
  static line_span settle_ended(line_span lines, std::size_t depth) {
    auto const middle =
        std::partition(lines.begin(), lines.end(), [depth](line_ref const& line) { return line.size() <= depth; });
    std::sort(lines.begin(), middle, [](line_ref const& a, line_ref const& b) { return a.size() < b.size(); });
    return {middle, lines.end()};
  }

  std::vector<group> groups_;
};

/// Puts the line that came first in the input to the front of lines with equal numbers.
void earliest_to_front(line_span lines) {
  std::iter_swap(lines.begin(), std::min_element(lines.begin(), lines.end(), [](auto const& a, auto const& b) {
                   return a.position() < b.position();
                 }));
}

/// Sorts by number: equal keys whose last bit tells of dropped digits need the digits themselves.
class number_sorter {
 public:
  explicit number_sorter(line_order order) noexcept : order_(order) {}

  void sort(line_span lines) {
    sort_by_key(lines);
    while (!lines.empty()) {
      std::size_t const n = run_length(lines);
      if (n > 1) sort_run(lines.first(n));
      lines = lines.subspan(n);
    }
  }

 private:
  void sort_run(line_span lines) {
    if (is_exact_numeric_key(lines[0].key)) return settle_equal(lines);
    std::sort(lines.begin(), lines.end(),
              [](line_ref const& a, line_ref const& b) { return compare_numeric(a.view(), b.view()) < 0; });
    while (!lines.empty()) {
      std::size_t n = 1;
      while (n < lines.size() && compare_numeric(lines[0].view(), lines[n].view()) == 0) ++n;
      settle_equal(lines.first(n));
      lines = lines.subspan(n);
    }
  }

  /// The numbers are equal: the last resort is the bytes or, with `unique`, the place in the input.
  void settle_equal(line_span lines) {
    if (order_.unique) {
      earliest_to_front(lines);
    } else {
      bytes_.sort(lines);
    }
  }

  line_order order_;
  byte_sorter bytes_;
};

/// Drops all but the first of equal neighbours, and returns how many stay. Equal lines were always in one group, so
/// their keys are equal, and only these need a look at the text.
std::size_t drop_equals(line_span lines, line_order order) {
  order.reverse = false;
  auto const end = std::unique(lines.begin(), lines.end(), [order](line_ref const& a, line_ref const& b) {
    if (a.key != b.key) return false;
    if (!order.numeric) return a.view() == b.view();
    return is_exact_numeric_key(a.key) || compare_numeric(a.view(), b.view()) == 0;
  });
  return static_cast<std::size_t>(end - lines.begin());
}

}  // namespace

std::size_t sort_lines(std::span<line_ref> lines, line_order order) {
  if (order.numeric) {
    number_sorter(order).sort(lines);
  } else {
    byte_sorter().sort_keyed(lines);
  }
  if (order.unique) lines = lines.first(drop_equals(lines, order));
  if (order.reverse) std::reverse(lines.begin(), lines.end());
  return lines.size();
}

}  // namespace sheaf::tool
