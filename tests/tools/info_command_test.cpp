// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/info_command.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <set>

#include "base/machine.hpp"
#include "base/settings.hpp"
#include "sheaf/launch_plan.hpp"
#include "sheaf/mpi_modules.hpp"
#include "sheaf/report.hpp"
#include "tools/shell.hpp"

namespace {

using namespace sheaf::test;
using sheaf::tool::report;

TEST(report, one_content_in_two_forms) {
  report all;
  all.add("one", {{"word", "a\"\\\n"}, {"n", 3}});
  all.add_table("list", {{{"x", 1.5}, {"long name", "b"}}, {{"x", 22.0}, {"long name", ""}}});
  all.add_table("nothing", {});
  EXPECT_EQ(all.json(),
            "{\"one\": {\"word\": \"a\\u0022\\u005c\\u000a\", \"n\": 3},\n \"list\": [\n  {\"x\": 1.5, \"long name\": "
            "\"b\"},\n"
            "  {\"x\": 22, \"long name\": \"\"}],\n \"nothing\": []}\n");
  report plain;
  plain.add("one", {{"word", "a"}, {"n", 3}});
  plain.add_table("list", {{{"x", 1.5}, {"y", "b"}}, {{"x", 22.0}, {"y", ""}}});
  plain.add_table("nothing", {});
  EXPECT_EQ(plain.text(), "one\n  word  a\n  n     3\n\nlist\n  x    y\n  1.5  b\n  22   -\n\nnothing\n  none\n");
}

/// The cells of the line that `sheaf info` has for a setting.
std::string line_of(std::string const& text, std::string const& setting) {
  std::size_t const at = text.find("  " + setting + " ");
  std::string line = at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
  for (std::size_t two; (two = line.find("  ")) != std::string::npos;) line.erase(two, 1);
  return line;
}

TEST(info_command, every_setting_has_its_value_and_origin) {
  shell_result const result = sheaf_tool("info -n 5 --transport sim", "SHEAF_WINDOW=3");
  EXPECT_EQ(result.code, 0) << result.text;
  for (auto const& row : sheaf::detail::all_settings()) {
    if (row.is_variable())
      EXPECT_NE(line_of(result.text, row.name).find(row.meaning), std::string::npos) << row.name;
    else
      EXPECT_EQ(line_of(result.text, row.name), "");
  }
  EXPECT_EQ(line_of(result.text, "SHEAF_WINDOW").rfind(" SHEAF_WINDOW 3 environment a whole number from 1 to ", 0), 0u);
  EXPECT_EQ(line_of(result.text, "SHEAF_LOCATIONS").rfind(" SHEAF_LOCATIONS 5 command line ", 0), 0u);
  EXPECT_EQ(line_of(result.text, "SHEAF_BUFFER_BYTES").rfind(" SHEAF_BUFFER_BYTES 1024 default of sim ", 0), 0u);
  EXPECT_EQ(line_of(result.text, "SHEAF_HELPERS").rfind(" SHEAF_HELPERS 1 default ", 0), 0u);
}

TEST(info_command, tells_the_build_the_machine_and_its_limits) {
  shell_result const result = sheaf_tool("info");
  for (char const* word : {"version", "compiler", "identity of sheaf and libsheaf", "openmpi", "mpich",
                           "this process may use", "/dev/shm", "open files (ulimit -n)", "memory available"}) {
    EXPECT_TRUE(result.says(word)) << word;
  }
}

/// The line about the machine in `sheaf info --json`.
std::string machine_line(std::string const& before = "") {
  std::string const text = sheaf_tool("info --json", before).text;
  std::size_t const at = text.find("\"machine\": ");
  return at == std::string::npos ? text : text.substr(at, text.find('\n', at) - at);
}

#ifdef SHEAF_TOOL_HWLOC

TEST(info_command, tells_the_topology_that_hwloc_has) {
  std::string line = machine_line(
      "HWLOC_SYNTHETIC='pack:2 numa:2 l3:1(size=8388608) core:3 l2:1(size=524288) l1d:1(size=32768) pu:4'");
  EXPECT_NE(line.find("\"packages\": 2, \"NUMA nodes\": 4, \"cores\": 12, \"hardware threads\": 48, \"L1d caches\": "
                      "\"12 of 32 KiB\", \"L2 caches\": \"12 of 512 KiB\", \"L3 caches\": \"4 of 8192 KiB\","),
            std::string::npos)
      << line;
  line = machine_line("HWLOC_SYNTHETIC='pack:3 core:2 pu:1'");
  EXPECT_NE(line.find("\"packages\": 3, \"NUMA nodes\": 1, \"cores\": 6, \"hardware threads\": 6, \"L1d caches\": "
                      "\"none\", \"L2 caches\": \"none\", \"L3 caches\": \"none\","),
            std::string::npos)
      << line;
}

TEST(info_command, counts_the_cores_and_hardware_threads_of_this_machine) {
  std::vector<int> const allowed = sheaf::detail::allowed_cores();
  if (allowed.size() != static_cast<std::size_t>(sysconf(_SC_NPROCESSORS_ONLN))) {
    GTEST_SKIP() << "this process may not use all hardware threads, and hwloc may know fewer, too";
  }
  std::string const line = machine_line();
  EXPECT_NE(line.find("\"hardware threads\": " + std::to_string(allowed.size()) + ","), std::string::npos) << line;
  std::set<std::string> cores;  // by the hardware threads of each
  for (int const each : allowed) {
    std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(each) + "/topology/thread_siblings_list");
    std::string siblings;
    if (!std::getline(file, siblings)) GTEST_SKIP() << "the system does not tell which hardware threads are a core";
    cores.insert(siblings);
  }
  EXPECT_NE(line.find("\"cores\": " + std::to_string(cores.size()) + ","), std::string::npos) << line;
}

#else

TEST(info_command, says_that_it_was_built_without_hwloc) {
  EXPECT_NE(machine_line().find("\"hwloc\": \"the command was built without it: libhwloc-dev\""), std::string::npos);
}

#endif

TEST(info_command, starved_limits_are_findings) {
  shell_result const result =
      sheaf_tool("info --transport mpi", "OMPI_COMM_WORLD_SIZE=1000000 OMPI_COMM_WORLD_LOCAL_SIZE=1000000");
  EXPECT_TRUE(result.says("MPI needs about 4400.0 GB there for 1000000 processes on this host")) << result.text;
}

TEST(info_command, json_is_json) {
  if (shell("python3 -c pass").code != 0) GTEST_SKIP() << "no python3 here";
  shell_result const result = shell(SHEAF_TOOL_PATH
                                    " info --json | python3 -c 'import json, sys; d = json.load(sys.stdin); "
                                    "print(sorted(d), len(d[\"settings\"]))'");
  EXPECT_EQ(result.text, "['MPI', 'build', 'findings', 'limits', 'machine', 'settings'] 20\n");
}

TEST(info_command, a_module_that_cannot_be_used_says_why) {
  EXPECT_NE(sheaf::tool::try_module("nothing").state.find("there is none at "), std::string::npos);
  for (char const* const name : {"openmpi", "mpich"}) {
    if (sheaf::tool::try_module(name).file.empty()) continue;
    EXPECT_EQ(sheaf::tool::try_module(name).state.rfind("loads", 0), 0u) << sheaf::tool::try_module(name).state;
  }
  shell_result const wrong = sheaf_tool("info", "SHEAF_WINDOW=0");
  EXPECT_TRUE(wrong.says("sheaf info: SHEAF_WINDOW is '0'")) << wrong.text;
  EXPECT_EQ(wrong.code, 2);
}

}  // namespace
