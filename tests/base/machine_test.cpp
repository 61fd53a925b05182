// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "base/machine.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>

#include "sheaf/base/error.hpp"
#include "tools/temporary_folder.hpp"

namespace {

using namespace sheaf::detail;
using sheaf::option_error;
using sheaf::options;
using sheaf::transport_kind;
using sheaf::test::error_of;
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

/// Four processes of one thread on this host, none elsewhere.
job_shape mpi_job() { return {.processes = 4, .processes_here = 4}; }

job_shape thread_job(unsigned threads) { return {.threads = threads}; }

/// The only finding's text, after its weight is looked at; empty: none.
std::string only(job_shape const& job, machine_readings const& machine, bool fatal) {
  auto const all = preflight(job, machine);
  if (all.size() != 1) return all.empty() ? "" : "several";
  EXPECT_EQ(all[0].fatal, fatal);
  return all[0].text;
}

TEST(preflight, a_machine_without_limits_has_no_findings) {
  EXPECT_TRUE(preflight(mpi_job(), {}).empty());
  EXPECT_TRUE(preflight(thread_job(8), {}).empty());
  machine_readings const here = read_machine();
  EXPECT_GT(here.memory, 1u << 20);
  EXPECT_GT(here.open_files, 3u);
}

TEST(preflight, shared_memory_that_is_too_small_for_the_processes_of_a_host) {
  machine_readings machine;
  machine.shared_total = machine.shared_free = 8 << 20;
  EXPECT_EQ(only(mpi_job(), machine, false),
            "/dev/shm has 8.3 MB free of 8.3 MB, and MPI needs about 17.6 MB there for 4 processes on this host; make "
            "it larger: mount -o remount,size=64m /dev/shm (in a container: docker run --shm-size=64m)");
  machine.shared_total = machine.shared_free = 17'600'000;
  EXPECT_TRUE(preflight(mpi_job(), machine).empty());
  machine.shared_free = 4'400'000;
  EXPECT_TRUE(preflight(mpi_job(), machine).empty()) << "the others may have taken theirs";
  job_shape not_yet = mpi_job();
  not_yet.launched = false;
  EXPECT_EQ(preflight(not_yet, machine).size(), 1u) << "nobody has taken anything";
  machine.shared_free = 4'399'999;
  EXPECT_EQ(preflight(mpi_job(), machine).size(), 1u);
  EXPECT_TRUE(preflight(thread_job(4), machine).empty()) << "threads need none";
}

TEST(preflight, threads_that_cannot_be_started_end_the_job) {
  machine_readings machine;
  machine.threads_left = 6;
  EXPECT_TRUE(preflight(thread_job(7), machine).empty()) << "the first is there already";
  EXPECT_EQ(only(thread_job(8), machine, true),
            "the system lets this process start 6 more threads, and its 8 locations need 7; ask for fewer, or raise "
            "the limit: ulimit -u 32 (in a container: --pids-limit)");
}

TEST(preflight, memory_that_is_too_small_for_idle_locations_ends_the_job) {
  machine_readings machine;
  machine.memory = 5'000'000;
  EXPECT_EQ(only(thread_job(1000), machine, true),
            "5.0 MB of memory are available here (control group included), and the 1000 locations of this host need "
            "9.2 MB before they send anything; start fewer, or use more hosts");
}

TEST(preflight, the_machine_is_read_from_its_files) {
  temporary_folder const root;
  root.write("proc/meminfo", "MemAvailable:  2000 kB\n");
  root.write("proc/self/cgroup", "0::/a\n");
  root.write("sys/fs/cgroup/a/pids.max", "10\n");
  root.write("sys/fs/cgroup/a/pids.current", "7\n");
  root.write("dev/shm/file", "");
  machine_readings machine = read_machine(root / "");
  EXPECT_EQ(machine.memory, 2000u * 1024);
  EXPECT_EQ(machine.threads_left, 3u);
  EXPECT_LT(machine.shared_free, unlimited);
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

TEST(preflight, limits_are_this_processes_own) {
  few_files const fewer(50);
  EXPECT_EQ(read_machine().open_files, 50u);
}

TEST(preflight, the_shape_comes_from_settings_and_launcher) {
  options o;
  o.transport = transport_kind::thread;
  o.locations = 5;
  EXPECT_EQ(shape_of(o.resolved()).threads, 5u);
  EXPECT_EQ(shape_of(o.resolved()).processes, 1u);
  setenv("OMPI_COMM_WORLD_SIZE", "6", 1);
  setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "2", 1);
  o = {};
  o.transport = transport_kind::hybrid;
  o.threads = 3;
  job_shape const job = shape_of(o.resolved());
  unsetenv("OMPI_COMM_WORLD_SIZE");
  unsetenv("OMPI_COMM_WORLD_LOCAL_SIZE");
  EXPECT_EQ(job.processes, 6u);
  EXPECT_EQ(job.processes_here, 2u);
  EXPECT_EQ(job.threads, 3u);
}

TEST(preflight, a_job_that_cannot_run_is_an_error_but_in_the_simulator) {
  options o;
  o.transport = transport_kind::thread;
  o.locations = 2;
  o = o.resolved();
  o.locations = ~0U;
  EXPECT_NE(error_of<option_error>([&] { check_machine(o); }).find("before they send anything"), std::string::npos);
  o.transport = transport_kind::sim;
  EXPECT_NO_THROW(check_machine(o));
}

}  // namespace
