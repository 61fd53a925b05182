// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "base/misspelt.hpp"

#include <unistd.h>

#include <algorithm>
#include <string>

#include "sheaf/base/error.hpp"

namespace sheaf::detail {

bool nearly_same(std::string_view a, std::string_view b) {
  if (a == b) return false;
  if (a.size() > b.size()) std::swap(a, b);
  auto const differ = static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
  if (a.size() + 1 == b.size()) return a.substr(differ) == b.substr(differ + 1);
  if (a.size() != b.size()) return false;
  if (a.substr(differ + 1) == b.substr(differ + 1)) return true;
  return a.size() >= differ + 2 && a[differ] == b[differ + 1] && a[differ + 1] == b[differ] &&
         a.substr(differ + 2) == b.substr(differ + 2);
}

void refuse_misspelt(std::vector<std::string_view> const& known) {
  for (char const* const* at = environ; at != nullptr && *at != nullptr; ++at) {
    std::string_view const entry = *at;
    std::string_view const name = entry.substr(0, entry.find('='));
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    auto const meant = std::find_if(known.begin(), known.end(), [&](auto each) { return nearly_same(name, each); });
    if (meant == known.end()) continue;
    throw option_error("sheaf: the variable " + std::string(name) + " is set and is no setting; " +
                       std::string(*meant) + " is. Correct its name, or unset it.");
  }
}

}  // namespace sheaf::detail
