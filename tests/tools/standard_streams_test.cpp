// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Commands that are started without a standard stream, or with one that takes nothing.
#include <gtest/gtest.h>

#include <string>

#include "tools/shell.hpp"
#include "transport/host/sanitizers.hpp"

namespace {

using namespace sheaf::test;

constexpr char const* two_threads = "SHEAF_TRANSPORT=thread SHEAF_LOCATIONS=2";

TEST(standard_streams, what_cannot_be_written_is_an_error) {
  for (std::string const command :
       {"info", "info --json", "--help", "--version", "sort --help", "run --dry-run -n 2 true"}) {
    shell_result const full = sheaf_tool(command + " > /dev/full");
    EXPECT_EQ(full.code, 2) << command;
    EXPECT_TRUE(full.says("sheaf: cannot write standard output")) << command << full.text;
    shell_result const closed = sheaf_tool(command + " >&-");
    EXPECT_EQ(closed.code, 2) << command;
    EXPECT_TRUE(closed.says("sheaf: cannot write standard output")) << command << closed.text;
    EXPECT_EQ(sheaf_tool(command + " 2>&- <&-").code, 0) << command;
  }
}

TEST(standard_streams, sort_without_an_input_or_output_ends) {
  shell_result const unread = sheaf_tool("sort <&-", two_threads);
  EXPECT_EQ(unread.code, 2);
  EXPECT_TRUE(unread.says("sheaf sort: location 0: cannot read -: Bad file descriptor")) << unread.text;
  for (std::string const to : {">&-", "> /dev/full"}) {
    shell_result const unwritten = sheaf_tool("sort /etc/passwd " + to, two_threads);
    EXPECT_EQ(unwritten.code, 2) << to;
    EXPECT_TRUE(unwritten.says("cannot write standard output: ")) << unwritten.text;
  }
  EXPECT_EQ(sheaf_tool("sort /etc/passwd 2>&- <&- > /dev/null", two_threads).code, 0);
}

TEST(standard_streams, a_refused_thread_names_the_limit_that_refuses_it) {
  if (SHEAF_HAS_ASAN || SHEAF_HAS_TSAN) GTEST_SKIP() << "the sanitizers need more addresses than the limit leaves";
  char const* const many = "SHEAF_TRANSPORT=thread SHEAF_LOCATIONS=500";
  shell_result const all = sheaf_tool("sort /etc/passwd", std::string("ulimit -v 1000000; ") + many);
  EXPECT_EQ(all.code, 2);
  EXPECT_TRUE(all.says("Ask for fewer locations, or raise its limit (ulimit -v).")) << all.text;
}

}  // namespace
