// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "base/available.hpp"

#include <gtest/gtest.h>

#include "tools/temporary_folder.hpp"

namespace {

using sheaf::detail::available_memory;
using sheaf::detail::available_threads;
using sheaf::detail::unlimited;
using sheaf::test::temporary_folder;

TEST(available, takes_what_the_machine_has) {
  temporary_folder const root;
  root.write("proc/meminfo", "MemTotal:  9000 kB\nMemFree:  10 kB\nMemAvailable:  2000 kB\n");
  EXPECT_EQ(available_memory(root / ""), 2000U * 1024);
  EXPECT_GT(available_memory(), 1U << 20);
}

TEST(available, takes_the_tightest_control_group) {
  temporary_folder const root;
  root.write("proc/meminfo", "MemAvailable:  2000 kB\n");
  root.write("proc/self/cgroup", "0::/outer/inner\n");
  root.write("sys/fs/cgroup/outer/inner/memory.max", "max\n");
  root.write("sys/fs/cgroup/outer/memory.max", "1000000\n");
  root.write("sys/fs/cgroup/outer/memory.current", "700000\n");
  root.write("sys/fs/cgroup/outer/memory.stat", "anon 100000\nfile 600000\n");
  EXPECT_EQ(available_memory(root / ""), 900'000U);
}

TEST(available, takes_the_limit_of_the_first_version) {
  temporary_folder const root;
  root.write("proc/self/cgroup", "4:memory:/\n");
  root.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "500000\n");
  root.write("sys/fs/cgroup/memory/memory.usage_in_bytes", "600000\n");
  EXPECT_EQ(available_memory(root / ""), 0U);
}

TEST(available, says_nothing_where_the_system_does_not) {
  temporary_folder const root;
  EXPECT_GE(available_memory(root / ""), unlimited - 1024);
  EXPECT_EQ(available_threads(root / ""), unlimited);
}

TEST(available, threads_are_those_of_the_tightest_group) {
  temporary_folder const root;
  root.write("proc/self/cgroup", "0::/outer/inner\n");
  root.write("sys/fs/cgroup/outer/inner/pids.max", "max\n");
  root.write("sys/fs/cgroup/outer/pids.max", "100\n");
  root.write("sys/fs/cgroup/outer/pids.current", "70\n");
  EXPECT_EQ(available_threads(root / ""), 30u);
}

TEST(available, bytes_are_told_with_a_unit) {
  EXPECT_EQ(sheaf::detail::in_bytes(16'850'000), "16.8 MB");
  EXPECT_EQ(sheaf::detail::in_bytes(12'200'000'000), "12.2 GB");
}

}  // namespace
