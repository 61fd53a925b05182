// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/launch_check.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "sheaf/command_error.hpp"
#include "tools/launchers.hpp"
#include "tools/shell.hpp"
#include "tools/temporary_folder.hpp"

namespace {

using namespace sheaf::test;
using sheaf::tool::check_launch;
using sheaf::tool::command_error;
using sheaf::tool::launch_plan;

launch_plan of(unsigned processes) {
  launch_plan plan;
  plan.kind = sheaf::tool::launcher_kind::openmpi;
  plan.processes = processes;
  return plan;
}

TEST(launch_check, a_launcher_without_files_is_refused_with_the_remedy) {
  sheaf::detail::machine_readings machine;
  EXPECT_TRUE(check_launch(of(100), machine).empty());
  machine.open_files = 56;
  EXPECT_TRUE(check_launch(of(4), machine).empty());
  EXPECT_EQ(error_of<command_error>([&] { check_launch(of(5), machine); }),
            "a process may have 56 files open, and the launcher needs about 60 for 5 processes; raise the limit: "
            "ulimit -n 1024");
}

TEST(launch_check, shared_memory_that_others_hold_is_seen_before_the_start) {
  sheaf::detail::machine_readings machine;
  machine.shared_total = 64 << 20;
  machine.shared_free = 12 << 20;
  EXPECT_TRUE(check_launch(of(2), machine).empty());
  auto const warnings = check_launch(of(4), machine);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("12.5 MB free of 67.1 MB"), std::string::npos) << warnings[0];
  EXPECT_TRUE(check_launch(of(40), machine).empty()) << "the processes see that themselves";
}

TEST(launch_check, a_starved_launcher_is_not_started) {
  if (!has_launcher("openmpi")) GTEST_SKIP() << "no Open MPI here";
  shell_result const result = shell("ulimit -n 48; " SHEAF_TOOL_PATH " run -n 4 --mpi openmpi true");
  EXPECT_TRUE(result.says("48 files open, and the launcher needs about 56 for 4 processes")) << result.text;
  EXPECT_EQ(result.code, 2);
}

/// Runs a job of four processes in a mount namespace of its own, whose /dev/shm is as large as told.
shell_result with_shared_memory(std::string const& size, std::string const& words) {
  temporary_folder const folder;
  std::string const input = folder.write("in", "b\na\n");
  return shell("unshare -m sh -c \"mount -t tmpfs -o size=" + size + " none /dev/shm && exec timeout 50 " +
               SHEAF_TOOL_PATH " run -n 4 " + words + " " SHEAF_TOOL_PATH " sort " + input + "\"");
}

TEST(launch_check, a_job_whose_shared_memory_is_tiny_says_what_to_type) {
  if (::geteuid() != 0 || shell("unshare -m mount -t tmpfs none /dev/shm").code != 0) {
    GTEST_SKIP() << "mount namespaces are not permitted here";
  }
  std::string const sentence = "/dev/shm has 1.0 MB free of 1.0 MB, and MPI needs about 17.6 MB there for 4 processes";
  for (std::string const& mpi : mpis()) {
    shell_result const warned = with_shared_memory("1m", "--mpi " + mpi);
    std::size_t const at = warned.text.find(sentence);
    EXPECT_NE(at, std::string::npos) << mpi << warned.text;
    EXPECT_EQ(warned.text.find(sentence, at + 1), std::string::npos) << mpi << " says it twice";
    EXPECT_TRUE(warned.says("mount -o remount,size=64m /dev/shm")) << warned.text;
    EXPECT_EQ(with_shared_memory("64m", "--mpi " + mpi).text, "a\nb\n") << mpi;
  }
}

}  // namespace
