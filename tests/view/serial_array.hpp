// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "sheaf/runtime/collectives.hpp"
#include "sheaf/view.hpp"

namespace sheaf_test {

/// Python's `a[start:stop:step]`, as its language reference has it: missing bounds, bounds from the end, bounds
/// outside.
struct python_slice {
  std::optional<std::int64_t> start, stop, step;

  [[nodiscard]] std::vector<std::int64_t> of(std::int64_t length) const {
    std::int64_t const by = step.value_or(1);
    auto const bound = [&](std::int64_t given) {
      std::int64_t const at = given < 0 ? given + length : given;
      return by > 0 ? std::clamp<std::int64_t>(at, 0, length) : std::clamp<std::int64_t>(at, -1, length - 1);
    };
    std::int64_t const from = start ? bound(*start) : by > 0 ? 0 : length - 1;
    std::int64_t const to = stop ? bound(*stop) : by > 0 ? length : -1;
    std::vector<std::int64_t> indices;
    for (std::int64_t i = from; by > 0 ? i < to : i > to; i += by) indices.push_back(i);
    return indices;
  }
  /// The same as a slice of ours.
  [[nodiscard]] sheaf::slice ours(std::int64_t length) const {
    auto const indices = of(length);
    if (indices.empty()) return {0, 0};
    return {indices[0], indices.size(), step.value_or(1)};
  }
};

/// All elements of an array at one place, in C order, and its indices one after another.
template <class T, std::size_t N>
struct serial_array {
  using indices = std::array<std::uint64_t, N>;
  indices extents;
  std::vector<T> values;

  explicit serial_array(indices const& of) : extents(of), values(size(of)) {}
  static std::size_t size(indices const& of) {
    std::size_t all = 1;
    for (std::uint64_t const one : of) all *= one;
    return all;
  }
  T& operator[](indices const& at) { return values[number(extents, at)]; }

  static std::size_t number(indices const& extents, indices const& at) {
    std::size_t all = 0;
    for (std::size_t d = 0; d < N; ++d) all = all * extents[d] + at[d];
    return all;
  }
  static indices at(indices const& extents, std::size_t number) {
    indices found{};
    for (std::size_t d = N; d-- > 0; number /= extents[d]) found[d] = number % extents[d];
    return found;
  }
};

/// The indices of a section's element.
template <std::size_t N>
std::array<std::uint64_t, N> in_array(std::array<sheaf::slice, N> const& slices,
                                      std::array<std::uint64_t, N> const& position) {
  std::array<std::uint64_t, N> found;
  for (std::size_t d = 0; d < N; ++d) {
    std::int64_t const ahead = slices[d].count == 1 ? 0 : static_cast<std::int64_t>(position[d]) * slices[d].step;
    found[d] = static_cast<std::uint64_t>(slices[d].first + ahead);
  }
  return found;
}
template <std::size_t N>
std::array<std::uint64_t, N> counts_of(std::array<sheaf::slice, N> const& slices) {
  std::array<std::uint64_t, N> counts;
  for (std::size_t d = 0; d < N; ++d) counts[d] = slices[d].count;
  return counts;
}

/// Chooses arrays and sections. All locations have the same seed, and make the same choices.
class array_dice {
 public:
  explicit array_dice(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t below(std::uint64_t end) { return engine_() % end; }

  sheaf::distribution distribution() {
    switch (below(5)) {
      case 0:
        return sheaf::distribution::collapsed();
      case 1:
      case 2:
        return sheaf::distribution::block();
      case 3:
        return sheaf::distribution::cyclic();
      default:
        return sheaf::distribution::cyclic(2 + below(4));
    }
  }
  template <std::size_t N>
  std::array<sheaf::distribution, N> distributions() {
    auto all = make<N>([&](std::size_t) { return distribution(); });
    return all;
  }
  template <std::size_t N>
  std::array<std::uint64_t, N> extents(std::uint64_t most) {
    return make<N>([&](std::size_t) { return below(8) == 0 ? below(2) : 1 + below(most); });
  }
  /// With these counts, where there is room.
  template <std::size_t N>
  std::array<sheaf::slice, N> slices(std::array<std::uint64_t, N> const& extents,
                                     std::array<std::uint64_t, N> const& counts) {
    return make<N>([&](std::size_t d) { return slice(extents[d], counts[d]); });
  }
  sheaf::slice slice(std::uint64_t extent, std::uint64_t count) {
    if (count == 0) return {static_cast<std::int64_t>(below(9)) - 4, 0, static_cast<std::int64_t>(below(5)) - 2};
    if (count == 1) return {below(extent), 1, static_cast<std::int64_t>(below(5)) - 2};
    std::uint64_t const step = 1 + below((extent - 1) / (count - 1)), reach = step * (count - 1);
    std::uint64_t const lowest = below(extent - reach);
    auto const by = static_cast<std::int64_t>(step);
    return below(2) == 0 ? sheaf::slice(lowest, count, by) : sheaf::slice(lowest + reach, count, -by);
  }
  python_slice from_python(std::int64_t length) {
    auto const bound = [&]() -> std::optional<std::int64_t> {
      if (below(4) == 0) return {};
      return static_cast<std::int64_t>(below(3 * static_cast<std::uint64_t>(length) + 4)) - length - length / 2 - 2;
    };
    auto const step = static_cast<std::int64_t>(1 + below(below(2) == 0 ? 2 : 5));
    return {bound(), bound(), below(2) == 0 ? step : -step};
  }

 private:
  template <std::size_t N, class F>
  static auto make(F const& f) {
    return [&]<std::size_t... D>(std::index_sequence<D...>) { return std::array{f(D)...}; }
    (std::make_index_sequence<N>());
  }

  std::mt19937_64 engine_;
};

/// A distributed array and what is to be in it.
template <class T, std::size_t N>
struct twin_array {
  sheaf::distributed_array<T, N> array;
  serial_array<T, N> serial;

  twin_array(sheaf::team const& world, std::array<std::uint64_t, N> const& extents,
             std::array<sheaf::distribution, N> const& how, T salt, std::array<std::uint32_t, N> const& grid = {})
      : array(world, extents, how, grid), serial(extents) {
    for (std::size_t i = 0; i < serial.values.size(); ++i) serial.values[i] = static_cast<T>(salt + static_cast<T>(i));
    store();
  }
  /// The caller's elements.
  void store() {
    auto const own = array.own();
    for (std::size_t i = 0; i < own.size(); ++i) own[i] = serial[array.indices_of(i)];
  }
  /// What is wrong here; nothing if all is right.
  [[nodiscard]] std::string problem() {
    auto const own = array.own();
    for (std::size_t i = 0; i < own.size(); ++i) {
      T const expected = serial[array.indices_of(i)];
      if (own[i] == expected) continue;
      return "element " + std::to_string(i) + " of " + std::to_string(own.size()) + " is " + std::to_string(own[i]) +
             " instead of " + std::to_string(expected);
    }
    return "";
  }
};

/// The serial form of remap.
template <class T, std::size_t N>
void serial_remap(serial_array<T, N>& to, std::array<sheaf::slice, N> const& to_slices, serial_array<T, N>& from,
                  std::array<sheaf::slice, N> const& from_slices) {
  auto const counts = counts_of(to_slices);
  for (std::size_t k = 0; k < serial_array<T, N>::size(counts); ++k) {
    auto const position = serial_array<T, N>::at(counts, k);
    to[in_array(to_slices, position)] = from[in_array(from_slices, position)];
  }
}

/// A remap between random sections of random arrays; returns the problem here.
template <std::size_t N>
std::string play_remap(sheaf::team const& world, std::uint64_t seed) {
  array_dice dice(seed);
  constexpr std::uint64_t most = N == 1 ? 60 : N == 2 ? 24 : 9;
  auto const to_extents = dice.extents<N>(most), from_extents = dice.extents<N>(most);
  std::array<std::uint64_t, N> counts;
  for (std::size_t d = 0; d < N; ++d) {
    std::uint64_t const room = std::min(to_extents[d], from_extents[d]);
    counts[d] = dice.below(3) == 0 ? room : dice.below(room + 1);
  }
  twin_array<std::int32_t, N> to(world, to_extents, dice.distributions<N>(), -1'000'000);
  twin_array<std::int32_t, N> from(world, from_extents, dice.distributions<N>(), 1);
  auto const to_slices = dice.slices<N>(to_extents, counts), from_slices = dice.slices<N>(from_extents, counts);
  sheaf::remap(sheaf::array_section(to.array, to_slices), sheaf::array_section(from.array, from_slices));
  serial_remap(to.serial, to_slices, from.serial, from_slices);
  std::string problem = to.problem();
  if (problem.empty()) problem = from.problem();
  sheaf::barrier(world);
  return problem.empty() ? "" : "remap " + std::to_string(N) + ", seed " + std::to_string(seed) + ": " + problem;
}

/// Each member in turn puts a section, and all get one.
template <std::size_t N>
std::string play_transfers(sheaf::team const& world, std::uint64_t seed) {
  array_dice dice(seed);
  auto const extents = dice.extents<N>(N == 1 ? 50 : 12);
  twin_array<std::int64_t, N> twin(world, extents, dice.distributions<N>(), 1);
  std::string problem;
  sheaf::barrier(world);
  for (std::uint32_t turn = 0; turn < world.size(); ++turn) {
    std::array<std::uint64_t, N> counts;
    for (std::size_t d = 0; d < N; ++d) counts[d] = dice.below(extents[d] + 1);
    auto const slices = dice.slices<N>(extents, counts);
    std::vector<std::int64_t> values(serial_array<std::int64_t, N>::size(counts));
    for (std::size_t k = 0; k < values.size(); ++k) {
      values[k] = -static_cast<std::int64_t>(1000 * turn + k);
      twin.serial[in_array(slices, serial_array<std::int64_t, N>::at(counts, k))] = values[k];
    }
    sheaf::array_section const part(twin.array, slices);
    if (turn == world.rank()) sheaf::put(part, values);
    sheaf::fence_all();
    sheaf::barrier(world);
    std::vector<std::int64_t> got(values.size());
    sheaf::get(part, got);
    if (got != values) problem = "get " + std::to_string(N) + ", seed " + std::to_string(seed);
    sheaf::barrier(world);
  }
  if (problem.empty()) problem = twin.problem();
  sheaf::barrier(world);
  return problem.empty() ? "" : "put " + std::to_string(N) + ", seed " + std::to_string(seed) + ": " + problem;
}

/// A gather from a matrix to M dimensions by random subscripts.
template <std::size_t M>
std::string play_gather(sheaf::team const& world, std::uint64_t seed) {
  array_dice dice(seed);
  auto const to_extents = dice.extents<M>(M == 1 ? 700 : 30);
  std::array<std::uint64_t, 2> const from_extents{1 + dice.below(40), 1 + dice.below(40)};
  auto const how = dice.distributions<M>();
  twin_array<std::uint64_t, M> to(world, to_extents, how, 1);
  twin_array<std::uint64_t, 2> from(world, from_extents, dice.distributions<2>(), 1000);
  twin_array<std::int32_t, M> rows(world, to_extents, how, 0);
  twin_array<std::uint64_t, M> columns(world, to_extents, dice.distributions<M>(), 0);
  for (std::size_t i = 0; i < rows.serial.values.size(); ++i) {
    std::uint64_t const row = dice.below(from_extents[0]), column = dice.below(from_extents[1]);
    rows.serial.values[i] = static_cast<std::int32_t>(row);
    columns.serial.values[i] = column;
  }
  rows.store();
  columns.store();
  std::array<std::uint64_t, M> counts;
  for (std::size_t d = 0; d < M; ++d) counts[d] = dice.below(2) == 0 ? to_extents[d] : dice.below(to_extents[d] + 1);
  auto const to_slices = dice.slices<M>(to_extents, counts), row_slices = dice.slices<M>(to_extents, counts);
  auto const column_slices = dice.below(2) == 0 ? to_slices : dice.slices<M>(to_extents, counts);
  sheaf::gather(sheaf::array_section(to.array, to_slices), from.array,
                {sheaf::array_section(rows.array, row_slices), sheaf::array_section(columns.array, column_slices)});
  for (std::size_t k = 0; k < serial_array<int, M>::size(counts); ++k) {
    auto const position = serial_array<int, M>::at(counts, k);
    auto const row = static_cast<std::uint64_t>(rows.serial[in_array(row_slices, position)]);
    to.serial[in_array(to_slices, position)] = from.serial[{row, columns.serial[in_array(column_slices, position)]}];
  }
  std::string const problem = to.problem();
  sheaf::barrier(world);
  return problem.empty() ? "" : "gather " + std::to_string(M) + ", seed " + std::to_string(seed) + ": " + problem;
}

}  // namespace sheaf_test
