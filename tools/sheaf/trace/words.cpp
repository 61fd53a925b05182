// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/trace/words.hpp"

#include <cstdio>

namespace sheaf::tool {
namespace {

std::string scaled(std::uint64_t value, char const* const* units, unsigned last) {
  double shown = static_cast<double>(value);
  unsigned unit = 0;
  for (; shown >= 999.5 && unit < last; ++unit) shown /= 1000;
  char text[32];
  std::snprintf(text, sizeof text,
                unit == 0 || shown >= 99.95 ? "%.0f%s"
                : shown >= 9.995            ? "%.1f%s"
                                            : "%.2f%s",
                shown, units[unit]);
  return text;
}

}  // namespace

std::string short_number(std::uint64_t value) {
  static constexpr char const* units[] = {"", " k", " M", " G", " T", " P"};
  return scaled(value, units, 5);
}

std::string short_time(std::uint64_t ns) {
  static constexpr char const* units[] = {" ns", " us", " ms", " s"};
  return scaled(ns, units, 3);
}

}  // namespace sheaf::tool
