// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "base/machine.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>

#include "tools/temporary_folder.hpp"

namespace {

using namespace sheaf::detail;
using sheaf::options;
using sheaf::transport_kind;
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
}

TEST(available, bytes_are_told_with_a_unit) {
  EXPECT_EQ(sheaf::detail::in_bytes(16'850'000), "16.8 MB");
  EXPECT_EQ(sheaf::detail::in_bytes(12'200'000'000), "12.2 GB");
}

/// What is found where this transport's job has four processes on this host, and more elsewhere.
std::string found(transport_kind transport, machine_readings const& machine) {
  options o;
  o.transport = transport;
  setenv("OMPI_COMM_WORLD_SIZE", "6", 1);
  setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "4", 1);
  std::string const text = shared_memory_finding(o.resolved(), machine);
  unsetenv("OMPI_COMM_WORLD_SIZE");
  unsetenv("OMPI_COMM_WORLD_LOCAL_SIZE");
  return text;
}

TEST(shared_memory_finding, is_of_what_is_too_small_for_the_processes_of_a_host) {
  machine_readings machine;
  EXPECT_EQ(found(transport_kind::mpi, machine), "") << "a machine without limits";
  machine.shared_total = machine.shared_free = 8 << 20;
  EXPECT_EQ(found(transport_kind::hybrid, machine),
            "/dev/shm has 8.3 MB free of 8.3 MB, and MPI needs about 17.6 MB there for 4 processes on this host; make "
            "it larger: mount -o remount,size=64m /dev/shm (in a container: docker run --shm-size=64m)");
  EXPECT_EQ(found(transport_kind::thread, machine), "") << "threads need none";
  EXPECT_EQ(found(transport_kind::sim, machine), "");
  machine.shared_total = machine.shared_free = 17'600'000;
  EXPECT_EQ(found(transport_kind::mpi, machine), "");
  machine.shared_free = 4'400'000;
  EXPECT_EQ(found(transport_kind::mpi, machine), "") << "the others may have taken theirs";
  machine.shared_free = 4'399'999;
  EXPECT_NE(found(transport_kind::mpi, machine), "");
}

TEST(machine_readings, are_of_the_machines_files) {
  temporary_folder const root;
  root.write("dev/shm/file", "");
  EXPECT_LT(read_machine(root / "").shared_free, unlimited);
  EXPECT_GT(read_machine().open_files, 3u);
}

/// The limit of open files, lowered for the length of a test.
class few_files {
 public:
  explicit few_files(rlim_t count) {
    getrlimit(RLIMIT_NOFILE, &before_);
    rlimit const fewer{count, before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &fewer);
  }
  few_files(few_files const&) = delete;
  few_files& operator=(few_files const&) = delete;
  ~few_files() { setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

TEST(machine_readings, limits_are_this_processes_own) {
  few_files const fewer(50);
  EXPECT_EQ(read_machine().open_files, 50u);
}

}  // namespace
