// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/histogram.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <span>

#include "sheaf/runtime/collectives.hpp"

namespace sheaf::tool {

namespace {

constexpr std::size_t widest_bar = 50;

std::string name_of(histogram::bar const& one) {
  return one.from == one.to ? std::to_string(one.from) : std::to_string(one.from) + "-" + std::to_string(one.to);
}

std::string right_aligned(std::string const& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

}  // namespace

std::string histogram::text() const {
  std::size_t name_width = values.size(), count_width = counts.size();
  std::uint64_t most = 1;
  for (bar const& each : bars) {
    name_width = std::max(name_width, name_of(each).size());
    count_width = std::max(count_width, std::to_string(each.count).size());
    most = std::max(most, each.count);
  }
  auto const line = [&](std::string const& name, std::string const& count, std::size_t width) {
    std::string const drawn = width == 0 ? "" : "  " + std::string(width, '#');
    return "  " + right_aligned(name, name_width) + "  " + right_aligned(count, count_width) + drawn + "\n";
  };
  std::string all = title + "\n" + line(values, counts, 0);
  for (bar const& each : bars) {
    double const share = static_cast<double>(each.count) / static_cast<double>(most);
    auto const width = static_cast<std::size_t>(share * widest_bar + (each.count == 0 ? 0 : 0.999));
    all += line(name_of(each), std::to_string(each.count), width);
  }
  return all;
}

histogram histogram_of_values(team const& members, std::vector<std::uint64_t> counts) {
  std::uint64_t const length = all_reduce(members, std::uint64_t{counts.size()},
                                          [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); });
  counts.resize(length, 0);
  all_reduce(members, std::span(counts), std::plus<>{});
  histogram all;
  for (std::uint64_t value = 0; value < length; ++value) all.bars.push_back({value, value, counts[value]});
  return all;
}

histogram histogram_of_powers(team const& members, std::vector<std::uint64_t> const& values) {
  std::vector<std::uint64_t> counts;
  for (std::uint64_t const value : values) {
    auto const power = static_cast<std::size_t>(std::bit_width(value));
    if (counts.size() <= power) counts.resize(power + 1, 0);
    ++counts[power];
  }
  histogram all = histogram_of_values(members, std::move(counts));
  for (histogram::bar& each : all.bars) {
    if (each.from == 0) continue;
    each.from = std::uint64_t{1} << (each.to - 1);
    each.to = each.from + (each.from - 1);
  }
  return all;
}

}  // namespace sheaf::tool
