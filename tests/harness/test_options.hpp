// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/settings.hpp"

namespace sheaf_test {

/// The options of a test program that a launcher starts: those of the environment, and fields that have no variable
/// from SHEAF_TEST_OPTIONS, such as "ring_slots=1,hosts=2".
inline sheaf::options test_options() {
  sheaf::options all = sheaf::options::from_environment();
  char const* const given = std::getenv("SHEAF_TEST_OPTIONS");
  std::string_view left = given == nullptr ? "" : given;
  while (!left.empty()) {
    std::string_view const one = left.substr(0, left.find(','));
    left.remove_prefix(std::min(left.size(), one.size() + 1));
    std::size_t const equals = one.find('=');
    std::string const name = "options::" + std::string(one.substr(0, equals));
    bool found = false;
    for (sheaf::detail::setting const& row : sheaf::detail::all_settings()) {
      found = found || (row.name == name && row.assign(all, row, one.substr(equals + 1)));
    }
    if (!found) throw std::invalid_argument("SHEAF_TEST_OPTIONS: " + std::string(one));
  }
  return all;
}

}  // namespace sheaf_test
