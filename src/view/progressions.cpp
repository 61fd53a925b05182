// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "view/progressions.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sheaf::detail {
namespace {

/// Rounded down; `by` > 0.
std::int64_t divided(std::int64_t what, std::int64_t by) { return what / by - (what % by < 0 ? 1 : 0); }

/// The positions k, begin <= k < end, at which low <= first + k * step < high.
struct range {
  std::int64_t begin, end;
};
range positions_in(std::int64_t low, std::int64_t high, std::int64_t first, std::int64_t step) {
  if (step > 0) return {divided(low - first + step - 1, step), divided(high - 1 - first, step) + 1};
  return {divided(first - high, -step) + 1, divided(first - low, -step) + 1};
}

/// Adds the repetitions of a run of which the last may go beyond `end`.
void add_clipped(std::vector<progression>& to, progression one, std::int64_t end) {
  one.repeats = (end - 1 - one.first) / one.period + 1;
  std::int64_t const last = one.repeats - 1, begin = one.first + last * one.period;
  if (begin + one.run <= end) return to.push_back(one);
  progression const tail{begin, end - begin, one.period, 1, one.at + last * one.stride, one.step, one.stride};
  one.repeats = last;
  if (last > 0) to.push_back(one);
  to.push_back(tail);
}

/// Where a position of a progression is.
std::int64_t place_of(progression const& in, std::int64_t position) {
  std::int64_t const from = position - in.first, round = in.repeats == 1 ? 0 : from / in.period;
  return in.at + round * in.stride + (from - round * in.period) * in.step;
}
/// How far places are apart whose positions are a multiple of its period apart; any distance, where nothing repeats.
std::int64_t stride_of(progression const& in, std::int64_t period) {
  return in.repeats == 1 ? period * in.step : period / in.period * in.stride;
}

/// A coordinate's blocks of indices.
struct own_blocks {
  std::int64_t length, coordinates, mine;
};

/// Calls f(positions) for those among 0…count−1 whose indices lie in one of the blocks, block by block; or position by
/// position, where these are fewer.
template <class F>
void each_run(own_blocks const& of, std::int64_t first, std::int64_t step, std::int64_t count, F const& f) {
  std::int64_t const last = first + (count - 1) * step;
  std::int64_t const lowest = std::min(first, last) / of.length, highest = std::max(first, last) / of.length;
  if (count <= (highest - lowest) / of.coordinates) {
    for (std::int64_t k = 0; k < count; ++k) {
      if ((first + k * step) / of.length % of.coordinates == of.mine) f(range{k, k + 1});
    }
    return;
  }
  std::int64_t const before = (lowest % of.coordinates + of.coordinates - of.mine) % of.coordinates;
  for (std::int64_t b = lowest + (before == 0 ? 0 : of.coordinates - before); b <= highest; b += of.coordinates) {
    range k = positions_in(b * of.length, (b + 1) * of.length, first, step);
    k = {std::max<std::int64_t>(k.begin, 0), std::min(k.end, count)};
    if (k.begin < k.end) f(k);
  }
}

class intersection {
 public:
  explicit intersection(std::vector<shared_run>& to) : to_(to) {}

  /// Most pairs of multiples do not meet, so several may be tried for a run that would be taken apart.
  void add(progression const& a, progression const& b) {
    if (a.repeats == 1) return add_in(b, a, true);
    if (b.repeats == 1) return add_in(a, b, false);
    std::int64_t const factor_a = b.period / std::gcd(a.period, b.period);
    std::int64_t const factor_b = a.period / std::gcd(a.period, b.period);
    std::int64_t const fewer = std::min(a.repeats, b.repeats);
    if (factor_a <= 4 * fewer / factor_b) return add_multiples(a, factor_a, b, factor_b);
    bool const apart_a = a.repeats < b.repeats;
    progression const& apart = apart_a ? a : b;
    for (std::int64_t j = 0; j < apart.repeats; ++j) {
      progression one = apart;
      one.first += j * apart.period;
      one.at += j * apart.stride;
      one.repeats = 1;
      add_in(apart_a ? b : a, one, apart_a);
    }
  }

 private:
  void put(std::int64_t first, std::int64_t run, std::int64_t repeats, std::int64_t period, progression const& a,
           progression const& b) {
    auto const side = [&](progression const& of) {
      return shared_run::side{place_of(of, first), of.step, repeats == 1 ? 0 : stride_of(of, period)};
    };
    to_.push_back({run, repeats, side(a), side(b)});
  }

  /// What `many` has in the only run of `one`: a part of a run at each end, and whole runs between.
  void add_in(progression const& many, progression const& one, bool one_is_a) {
    progression const &a = one_is_a ? one : many, &b = one_is_a ? many : one;
    std::int64_t const low = one.first, high = one.first + one.run;
    std::int64_t const period = many.repeats == 1 ? many.run : many.period;
    std::int64_t begin = std::max<std::int64_t>(0, divided(low - many.first - many.run, period) + 1);
    std::int64_t const end = std::min(many.repeats, divided(high - 1 - many.first, period) + 1);
    auto const is_cut = [&](std::int64_t j) {
      std::int64_t const at = many.first + j * period;
      return at < low || at + many.run > high;
    };
    auto const put_cut = [&](std::int64_t j) {
      std::int64_t const at = many.first + j * period, from = std::max(at, low);
      put(from, std::min(at + many.run, high) - from, 1, period, a, b);
    };
    if (begin < end && is_cut(begin)) put_cut(begin++);
    bool const last_is_cut = begin < end && is_cut(end - 1);
    std::int64_t const whole = end - begin - (last_is_cut ? 1 : 0);
    if (whole > 0) put(many.first + begin * period, many.run, whole, period, a, b);
    if (last_is_cut) put_cut(end - 1);
  }

  /// Both repeat; at the common multiple of their periods they repeat together. Every so-many-th run of each begins
  /// within its first round and ends there, so a run of one meets that of the other in the same round only.
  void add_multiples(progression const& a, std::int64_t factor_a, progression const& b, std::int64_t factor_b) {
    std::int64_t const period = a.period * factor_a;
    for (std::int64_t i = 0; i < factor_a && i < a.repeats; ++i) {
      for (std::int64_t j = 0; j < factor_b && j < b.repeats; ++j) {
        std::int64_t const begin_a = a.first + i * a.period, begin_b = b.first + j * b.period;
        std::int64_t const low = std::max(begin_a, begin_b), high = std::min(begin_a + a.run, begin_b + b.run);
        std::int64_t const rounds = std::min((a.repeats - i - 1) / factor_a, (b.repeats - j - 1) / factor_b) + 1;
        if (low < high) put(low, high - low, rounds, period, a, b);
      }
    }
  }

  std::vector<shared_run>& to_;
};

}  // namespace

std::vector<progression> owned_positions(block_cyclic_partition const& map, slice const& of, std::uint64_t coordinate) {
  std::vector<progression> found;
  auto const count = static_cast<std::int64_t>(of.count);
  if (count == 0) return found;
  std::int64_t const step = count == 1 ? 1 : of.step, size = step < 0 ? -step : step;
  auto const block = static_cast<std::int64_t>(map.block()), coordinates = static_cast<std::int64_t>(map.members());
  std::int64_t period = count, stride = 0;  // in positions, and in places
  if (coordinates <= static_cast<std::int64_t>(map.elements()) / block) {
    std::int64_t const indices = block * coordinates, both = std::gcd(indices, size);
    period = std::min(count, indices / both);
    stride = step / both * block;
  }
  auto const add = [&](range const& k) {
    auto const at = static_cast<std::int64_t>(map.local(static_cast<std::uint64_t>(of.first + k.begin * step)));
    add_clipped(found, {k.begin, k.end - k.begin, period, 1, at, step, stride}, count);
  };
  each_run({block, coordinates, static_cast<std::int64_t>(coordinate)}, of.first, step, period, add);
  return found;
}

std::vector<progression> all_positions(std::uint64_t count) {
  auto const n = static_cast<std::int64_t>(count);
  if (n == 0) return {};
  return {{0, n, n, 1, 0, 1, 0}};
}

std::vector<shared_run> common(std::vector<progression> const& a, std::vector<progression> const& b) {
  std::vector<shared_run> found;
  intersection all(found);
  for (progression const& one : a) {
    for (progression const& other : b) all.add(one, other);
  }
  return found;
}

}  // namespace sheaf::detail
