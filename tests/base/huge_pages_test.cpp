// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/base/huge_pages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace {

TEST(huge_pages, leaves_content_and_takes_any_range) {
  std::vector<char> memory(std::size_t{5} << 20, 'x');
  sheaf::detail::advise_huge_pages(memory.data(), memory.size());
  sheaf::detail::advise_huge_pages(memory.data() + 1, 100);
  sheaf::detail::advise_huge_pages(nullptr, 0);
  EXPECT_EQ(std::count(memory.begin(), memory.end(), 'x'), static_cast<std::ptrdiff_t>(memory.size()));
}

}  // namespace
