// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/host_list.hpp"

#include <gtest/gtest.h>

#include "sheaf/command_error.hpp"
#include "tools/temporary_folder.hpp"

namespace {

using sheaf::test::error_of;
using sheaf::test::temporary_folder;
using sheaf::tool::command_error;
using sheaf::tool::host;
using sheaf::tool::parse_hosts;
using sheaf::tool::place_on_hosts;
using hosts = std::vector<host>;

std::string refusal(std::string const& text) {
  return error_of<command_error>([&] { parse_hosts(text); });
}

TEST(host_list, words_and_numbers) {
  EXPECT_EQ(parse_hosts("a:4,b:65536"), (hosts{{"a", 4}, {"b", 65536}}));
  EXPECT_EQ(parse_hosts("node-1.example.org"), (hosts{{"node-1.example.org", 0}}));
  EXPECT_EQ(parse_hosts("10.0.0.1,10.0.0.2"), (hosts{{"10.0.0.1", 0}, {"10.0.0.2", 0}}));
}

TEST(host_list, a_file_of_hosts) {
  temporary_folder const folder;
  EXPECT_EQ(parse_hosts(folder.write("hosts", "# ours\n a:4 # old\n\nb slots=2\r\n")), (hosts{{"a", 4}, {"b", 2}}));
  std::string const wrong = folder.write("wrong", "a\nb slots=x\n");
  EXPECT_NE(refusal(wrong).find("wrong, line 2, has 'b slots=x', where 'x' is no such number"), std::string::npos)
      << refusal(wrong);
  EXPECT_NE(refusal(folder.write("twice", "a:1 slots=2")).find("more than a host and its number"), std::string::npos);
  EXPECT_NE(refusal(folder.write("empty", "# none\n")).find("names no host"), std::string::npos);
  EXPECT_NE(refusal(folder / "missing").find("cannot read the file"), std::string::npos);
}

TEST(host_list, what_is_no_list_is_refused_with_the_form) {
  for (char const* text : {"a:", "a:0", "a:65537", "a:-1", "a:4x", ":4", "a,,b", "a,", "-a", "a b", "a;b", "a:1:2"}) {
    EXPECT_NE(refusal(text).find("write hosts as NAME or NAME:LOCATIONS, with 1 to 65536"), std::string::npos) << text;
  }
  EXPECT_NE(refusal("a:1,b").find("give all or none"), std::string::npos);
}

TEST(host_list, numbered_hosts_are_filled_in_order) {
  EXPECT_EQ(place_on_hosts({{"a", 4}, {"b", 4}}, 8, 2), (hosts{{"a", 4}, {"b", 4}}));
  EXPECT_EQ(place_on_hosts({{"a", 4}, {"b", 4}, {"c", 4}}, 6, 2), (hosts{{"a", 4}, {"b", 2}}));
}

TEST(host_list, hosts_without_numbers_share_whole_processes) {
  EXPECT_EQ(place_on_hosts({{"a", 0}, {"b", 0}}, 6, 2), (hosts{{"a", 4}, {"b", 2}}));
  EXPECT_EQ(place_on_hosts({{"a", 0}, {"b", 0}, {"c", 0}}, 2, 1), (hosts{{"a", 1}, {"b", 1}}));
}

TEST(host_list, too_little_room_and_half_processes_are_refused_with_numbers) {
  EXPECT_EQ(error_of<command_error>([] {
              place_on_hosts({{"a", 1}, {"b", 1}}, 4, 1);
            }),
            "-n is 4, but --hosts has room for 2 locations: ask for at most that many, or give the hosts larger "
            "numbers");
  EXPECT_EQ(error_of<command_error>([] {
              place_on_hosts({{"a", 3}, {"b", 1}}, 4, 2);
            }),
            "--hosts gives a 3 locations, which is no multiple of -t 2: a process has its threads on one host");
}

}  // namespace
