// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/launch_plan.hpp"

#include <gtest/gtest.h>

#include "sheaf/command_error.hpp"
#include "tools/temporary_folder.hpp"

namespace {

using sheaf::test::error_of;
using namespace sheaf::tool;

/// Eight cores with two hardware threads each, and every launcher.
launch_machine machine() {
  launch_machine m;
  m.cores = 8;
  m.threads = 16;
  m.openmpi = "ompi";
  m.mpich = "hydra";
  return m;
}

launch_request request(unsigned n, unsigned t = 0) {
  launch_request r;
  r.locations = n;
  r.threads = t;
  r.program = {"prog", "-x"};
  return r;
}

std::string command(launch_request const& r, launch_machine const& m = machine()) {
  launch_plan plan = make_plan(r, m);
  plan.environment.clear();
  return shell_line(plan);
}

std::string variable(launch_plan const& plan, std::string const& name) {
  for (auto const& [key, value] : plan.environment) {
    if (key == name) return value;
  }
  return "none";
}

std::string refusal(launch_request const& r, launch_machine const& m = machine()) {
  return error_of<command_error>([&] { make_plan(r, m); });
}

constexpr char const* openmpi_shape = " -x SHEAF_TRANSPORT -x SHEAF_LOCATIONS -x SHEAF_THREADS -x SHEAF_MPI";

TEST(launch_plan, open_mpi_binds_each_process_to_as_many_cores_as_it_has_threads) {
  EXPECT_EQ(command(request(8, 4)),
            std::string("ompi --bind-to core --map-by slot:PE=4") + openmpi_shape + " -n 2 prog -x");
  EXPECT_EQ(command(request(16, 2)), std::string("ompi --use-hwthread-cpus --bind-to hwthread --map-by slot:PE=2") +
                                         openmpi_shape + " -n 8 prog -x");
}

TEST(launch_plan, open_mpi_oversubscribes_only_where_processes_outnumber_cores) {
  EXPECT_EQ(command(request(32, 4)), std::string("ompi --bind-to none") + openmpi_shape + " -n 8 prog -x");
  EXPECT_EQ(command(request(17)),
            std::string("ompi --oversubscribe --bind-to none") + openmpi_shape + " -n 17 prog -x");
}

TEST(launch_plan, mpich_gets_its_own_words) {
  launch_request r = request(8, 4);
  r.mpi = "mpich";
  std::string const shape =
      " -genv SHEAF_TRANSPORT hybrid -genv SHEAF_LOCATIONS 8 -genv SHEAF_THREADS 4 -genv SHEAF_MPI mpich";
  EXPECT_EQ(command(r), "hydra -bind-to core:4" + shape + " -n 2 prog -x");
  r.bind = "none";
  r.label = true;
  r.launcher_options = {"-launcher-exec", "my shell"};
  EXPECT_EQ(command(r), "hydra -bind-to none -l" + shape + " -launcher-exec 'my shell' -n 2 prog -x");
}

TEST(launch_plan, an_allocation_has_the_hosts_and_the_number_of_processes) {
  launch_machine m = machine();
  m.allocated = true;
  m.tasks = 6;
  EXPECT_EQ(make_plan(request(0, 2), m).processes, 6u);
  EXPECT_EQ(command(request(64), m),
            std::string("ompi --bind-to core --map-by slot:PE=1") + openmpi_shape + " -n 64 prog -x");
}

TEST(launch_plan, hosts_are_given_in_processes) {
  launch_request r = request(6, 2);
  r.hosts = {{"a", 4}, {"b", 4}};
  EXPECT_EQ(command(r),
            std::string("ompi --host a:2,b:1 --bind-to core --map-by slot:PE=2") + openmpi_shape + " -n 3 prog -x");
  r.mpi = "mpich";
  EXPECT_NE(command(r).find("hydra -hosts a:2,b:1 -bind-to core:2"), std::string::npos);
  r.locations = 0;
  EXPECT_EQ(make_plan(r, machine()).processes, 4u) << "as many as the hosts have";
}

TEST(launch_plan, one_process_needs_no_launcher) {
  launch_plan const threads = make_plan(request(4, 4), machine());
  EXPECT_EQ(threads.kind, launcher_kind::none);
  EXPECT_EQ(shell_line(threads), "SHEAF_TRANSPORT=thread SHEAF_LOCATIONS=4 SHEAF_THREADS=4 prog -x");
  launch_request r = request(4);
  r.transport = "thread";
  EXPECT_EQ(shell_line(make_plan(r, machine())), shell_line(threads));
  r.transport = "sim";
  r.settings = {{"SHEAF_SEED", "7"}};
  EXPECT_EQ(shell_line(make_plan(r, machine())),
            "SHEAF_SEED=7 SHEAF_TRANSPORT=sim SHEAF_LOCATIONS=4 SHEAF_THREADS=1 prog -x");
  r = request(4, 4);
  r.mpi = "mpich";
  EXPECT_EQ(make_plan(r, machine()).kind, launcher_kind::mpich) << "asked for";
}

TEST(launch_plan, every_process_gets_the_settings_and_the_shape) {
  launch_request r = request(4, 2);
  r.settings = {{"SHEAF_WINDOW", "3"}, {"SHEAF_LOCATIONS", "99"}, {"SHEAF_TRANSPORT", "sim"}};
  launch_plan const plan = make_plan(r, machine());
  EXPECT_EQ(variable(plan, "SHEAF_WINDOW"), "3");
  EXPECT_EQ(variable(plan, "SHEAF_LOCATIONS"), "4");
  EXPECT_EQ(variable(plan, "SHEAF_TRANSPORT"), "hybrid");
  EXPECT_NE(command(r).find(" -x SHEAF_WINDOW "), std::string::npos);
}

TEST(launch_plan, open_mpi_starts_as_root_by_two_variables) {
  launch_machine m = machine();
  EXPECT_EQ(variable(make_plan(request(2), m), "OMPI_ALLOW_RUN_AS_ROOT"), "none");
  m.root = true;
  EXPECT_EQ(variable(make_plan(request(2), m), "OMPI_ALLOW_RUN_AS_ROOT"), "1");
  EXPECT_EQ(variable(make_plan(request(2), m), "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"), "1");
}

TEST(launch_plan, without_mpi_a_job_falls_back_to_threads_and_says_so) {
  launch_machine m = machine();
  m.openmpi.clear();
  EXPECT_EQ(make_plan(request(4), m).kind, launcher_kind::mpich);
  m.mpich.clear();
  launch_plan const plan = make_plan(request(4), m);
  EXPECT_EQ(plan.kind, launcher_kind::none);
  EXPECT_EQ(plan.note, "no MPI launcher is on PATH: one process of 4 threads");
  EXPECT_NE(refusal(request(4, 2), m).find("install that MPI library, or run in one process with --transport thread"),
            std::string::npos);
  launch_request r = request(4);
  r.mpi = "mpich";
  EXPECT_NE(refusal(r, m).find("mpiexec.mpich, mpiexec.hydra or MPICH's mpiexec"), std::string::npos);
}

TEST(launch_plan, locations_that_are_no_multiple_are_refused_with_the_legal_numbers) {
  EXPECT_EQ(refusal(request(6, 4)),
            "-n is 6 and -t 4: the locations must be a multiple of the threads of a process; ask for -n 4 or 8, or for "
            "-t 1, 2, 3, 6");
  EXPECT_EQ(refusal(request(2, 4)),
            "-n is 2 and -t 4: the locations must be a multiple of the threads of a process; ask for -n 4, or for -t "
            "1, 2");
}

TEST(launch_plan, what_belongs_to_processes_is_refused_for_one) {
  for (char const* transport : {"thread", "sim"}) {
    launch_request r = request(4);
    r.transport = transport;
    r.hosts = {{"a", 4}};
    EXPECT_NE(refusal(r).find("--hosts is for processes"), std::string::npos);
    r.hosts.clear();
    r.mpi = "mpich";
    EXPECT_NE(refusal(r).find("--mpi is for processes"), std::string::npos);
    r.mpi = "auto";
    r.label = true;
    EXPECT_NE(refusal(r).find("its locations share one output"), std::string::npos);
  }
  launch_request r = request(4, 2);
  r.transport = "thread";
  EXPECT_NE(refusal(r).find("leave -t out"), std::string::npos);
}

TEST(launch_plan, a_line_for_the_shell_is_quoted) {
  launch_plan plan;
  plan.environment = {{"A", "b c"}};
  plan.command = {"p", "it's", "", "$x"};
  EXPECT_EQ(shell_line(plan), "A='b c' p 'it'\\''s' '' '$x'");
}

}  // namespace
