// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "message/fake_endpoint.hpp"

namespace sheaf_test {

/// The same bytes with another value at a place.
template <class V>
bytes with(bytes entry, std::size_t at, V value) {
  std::memcpy(entry.data() + at, &value, sizeof value);
  return entry;
}
template <class V>
V read_at(bytes const& entry, std::size_t at) {
  V value;
  std::memcpy(&value, entry.data() + at, sizeof value);
  return value;
}

inline void expect_part(char const* part, std::string const& text) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

}  // namespace sheaf_test
