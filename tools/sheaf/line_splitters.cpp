// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/line_splitters.hpp"

#include "sheaf/algorithm/sample_sort.hpp"

namespace sheaf::tool {

namespace {
constexpr std::size_t samples_per_location = 512;
}

line_splitters::line_splitters(team const& on, text_input const& input, text_input::range part, line_order order)
    : order_(order) {
  std::mt19937_64 random(on.rank() + 1);
  std::vector<sheaf::detail::sampled<std::string>> sample;
  if (on.size() > 1 && part.begin < part.end) {
    auto lines = input.sample(part, samples_per_location, random);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      // Where in the part a sampled line stood matters only among equal lines: spread them evenly.
      std::uint64_t const position = part.begin + (part.end - part.begin) * i / lines.size();
      sample.push_back({std::move(lines[i]), position});
    }
  }
  auto const less = [order](std::string const& a, std::string const& b) { return compare_lines(order, a, b) < 0; };
  for (auto& s : sheaf::detail::choose_splitters(on, sample, less)) {
    splitters_.push_back({s.value, line_key(order, s.value), s.place});
  }
}

bool line_splitters::before(std::string_view line, std::uint64_t key, std::uint64_t position, splitter const& s) const {
  if (key != s.key) return (key < s.key) != order_.reverse;
  int const compared = compare_lines(order_, line, s.line);
  return compared != 0 ? compared < 0 : position < s.position;
}

std::uint32_t line_splitters::part_of(std::string_view line, std::uint64_t position) const {
  std::uint64_t const key = line_key(order_, line);
  std::size_t low = 0, high = splitters_.size();
  while (low < high) {
    std::size_t const middle = (low + high) / 2;
    if (before(line, key, position, splitters_[middle])) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return static_cast<std::uint32_t>(low);
}

}  // namespace sheaf::tool
