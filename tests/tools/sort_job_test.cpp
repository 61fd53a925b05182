// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/sort_job.hpp"

#include <gtest/gtest.h>

#include "sheaf/command_error.hpp"
#include "tools/temporary_folder.hpp"

namespace {

using sheaf::test::error_of;
using sheaf::tool::check_sort_memory;
using sheaf::tool::command_error;

TEST(sort_job, refuses_what_does_not_fit_with_values_and_remedy) {
  check_sort_memory(8'000'000'000, 100'000'000, 12'200'000'000);
  EXPECT_EQ(error_of<command_error>([] { check_sort_memory(8'000'000'000, 100'000'000, 12'100'000'000); }),
            "input of 8.0 GB in about 100000000 lines needs 12.2 GB of memory, but at most 12.1 GB are available: "
            "sort on more hosts, or sort parts and merge them with `sort -m`");
}

}  // namespace
