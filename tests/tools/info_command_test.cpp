// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/info_command.hpp"

#include <gtest/gtest.h>

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
  EXPECT_EQ(
      all.json(),
      "{\"one\": {\"word\": \"a\\\"\\\\\\u000a\", \"n\": 3},\n \"list\": [\n  {\"x\": 1.5, \"long name\": \"b\"},\n"
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
    EXPECT_NE(line_of(result.text, row.variable).find(row.meaning), std::string::npos) << row.variable;
  }
  EXPECT_EQ(line_of(result.text, "SHEAF_WINDOW").rfind(" SHEAF_WINDOW 3 environment a whole number from 1 to ", 0), 0u);
  EXPECT_EQ(line_of(result.text, "SHEAF_LOCATIONS").rfind(" SHEAF_LOCATIONS 5 command line ", 0), 0u);
  EXPECT_EQ(line_of(result.text, "SHEAF_RING_SLOTS").rfind(" SHEAF_RING_SLOTS 16 default of sim ", 0), 0u);
  EXPECT_EQ(line_of(result.text, "SHEAF_NESTING_LIMIT").rfind(" SHEAF_NESTING_LIMIT 64 default ", 0), 0u);
}

TEST(info_command, tells_the_build_the_machine_and_its_limits) {
  shell_result const result = sheaf_tool("info");
  for (char const* word : {"version", "compiler", "identity of sheaf and libsheaf", "openmpi", "mpich",
                           "this process may use", "/dev/shm", "open files (ulimit -n)", "memory available"}) {
    EXPECT_TRUE(result.says(word)) << word;
  }
}

TEST(info_command, starved_limits_are_findings) {
  shell_result const result = shell("ulimit -n 50; " SHEAF_TOOL_PATH " info --transport mpi");
  EXPECT_TRUE(result.says("a process may have 50 files open, and each of 1 process over MPI needs about 64"))
      << result.text;
}

TEST(info_command, json_is_json) {
  if (shell("python3 -c pass").code != 0) GTEST_SKIP() << "no python3 here";
  shell_result const result = shell(SHEAF_TOOL_PATH
                                    " info --json | python3 -c 'import json, sys; d = json.load(sys.stdin); "
                                    "print(sorted(d), len(d[\"settings\"]))'");
  EXPECT_EQ(result.text, "['MPI', 'build', 'findings', 'limits', 'machine', 'settings'] " +
                             std::to_string(sheaf::detail::all_settings().size()) + "\n");
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
