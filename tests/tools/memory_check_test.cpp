// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/memory_check.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "sheaf/text_error.hpp"
#include "tools/temporary_folder.hpp"

namespace {

using sheaf::test::error_of;
using sheaf::test::temporary_folder;
using sheaf::tool::available_memory;
using sheaf::tool::check_sort_memory;
using sheaf::tool::text_error;

TEST(memory_check, takes_what_the_machine_has) {
  temporary_folder const root;
  root.write("proc/meminfo", "MemTotal:  9000 kB\nMemFree:  10 kB\nMemAvailable:  2000 kB\n");
  EXPECT_EQ(available_memory(root / ""), 2000U * 1024);
  EXPECT_GT(available_memory(), 1U << 20);
}

TEST(memory_check, takes_the_tightest_control_group) {
  temporary_folder const root;
  root.write("proc/meminfo", "MemAvailable:  2000 kB\n");
  root.write("proc/self/cgroup", "0::/outer/inner\n");
  root.write("sys/fs/cgroup/outer/inner/memory.max", "max\n");
  root.write("sys/fs/cgroup/outer/memory.max", "1000000\n");
  root.write("sys/fs/cgroup/outer/memory.current", "700000\n");
  root.write("sys/fs/cgroup/outer/memory.stat", "anon 100000\nfile 600000\n");
  EXPECT_EQ(available_memory(root / ""), 900'000U);
}

TEST(memory_check, takes_the_limit_of_the_first_version) {
  temporary_folder const root;
  root.write("proc/self/cgroup", "4:memory:/\n");
  root.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "500000\n");
  root.write("sys/fs/cgroup/memory/memory.usage_in_bytes", "600000\n");
  EXPECT_EQ(available_memory(root / ""), 0U);
}

TEST(memory_check, says_nothing_where_the_system_does_not) {
  temporary_folder const root;
  EXPECT_GE(available_memory(root / ""), std::numeric_limits<std::uint64_t>::max() - 1024);
}

TEST(memory_check, refuses_what_does_not_fit_with_values_and_remedy) {
  check_sort_memory(8'000'000'000, 100'000'000, 12'200'000'000);
  EXPECT_EQ(error_of<text_error>([] { check_sort_memory(8'000'000'000, 100'000'000, 12'100'000'000); }),
            "input of 8.0 GB in about 100000000 lines needs 12.2 GB of memory, but at most 12.1 GB are available: "
            "sort on more hosts, or sort parts and merge them with `sort -m`");
}

}  // namespace
