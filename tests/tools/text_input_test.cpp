// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/text_input.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "sheaf/command_error.hpp"
#include "tools/temporary_folder.hpp"

namespace {

using namespace std::string_literals;
using sheaf::test::error_of;
using sheaf::test::temporary_folder;
using sheaf::tool::command_error;
using sheaf::tool::text_input;
using strings = std::vector<std::string>;

strings lines_of(text_input const& input, std::size_t parts) {
  strings lines;
  std::uint64_t next = 0;
  for (std::size_t i = 0; i < parts; ++i) {
    auto const part = input.part(i, parts);
    input.for_each_line(part, [&](std::string_view line, std::uint64_t position) {
      EXPECT_GE(position, next);
      EXPECT_TRUE(part.begin <= position && position < part.end);
      next = position + 1;
      lines.emplace_back(line);
    });
  }
  return lines;
}

void expect_lines(text_input const& input, strings const& expected) {
  for (std::size_t const parts : {1, 2, 3, 4, 7, 8, 100}) EXPECT_EQ(lines_of(input, parts), expected) << parts;
}

TEST(text_input, cuts_any_number_of_parts_on_line_boundaries) {
  temporary_folder const folder;
  text_input const input({folder.write("a", "one\ntwo\n\nfour\n"), folder.write("empty", ""),
                          folder.write("b", "five\ns\0x"s), folder.write("c", "\n"), folder.write("d", "end\n")});
  EXPECT_EQ(input.size(), 14U + 8U + 1U + 4U);
  expect_lines(input, {"one", "two", "", "four", "five", "s\0x"s, "", "end"});
}

TEST(text_input, parts_cover_all_bytes_evenly) {
  temporary_folder const folder;
  text_input const input({folder.write("a", std::string(1003, '\n'))});
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < 7; ++i) {
    auto const part = input.part(i, 7);
    EXPECT_EQ(part.begin, end);
    end = part.end;
    EXPECT_TRUE(part.end - part.begin == 143 || part.end - part.begin == 144);
  }
  EXPECT_EQ(end, input.size());
}

TEST(text_input, lines_longer_than_a_block) {
  temporary_folder const folder;
  std::string const giant(3'000'000, 'g');
  text_input const input({folder.write("a", "x\n" + giant + "\ny\n" + giant)});
  expect_lines(input, {"x", giant, "y", giant});
  expect_lines(text_input({folder.write("one", giant)}), {giant});
}

TEST(text_input, block_ends_anywhere_in_a_line) {
  temporary_folder const folder;
  strings lines;
  std::string text;
  for (std::size_t i = 0; i < 60'000; ++i) {
    lines.push_back(std::string(i % 23, static_cast<char>('a' + i % 26)));
    text += lines.back() + "\n";
  }
  text_input const input({folder.write("a", text)});
  for (std::size_t const parts : {1, 3}) EXPECT_TRUE(lines_of(input, parts) == lines);
}

TEST(text_input, streams_are_spooled_and_cut_as_well) {
  temporary_folder const folder;
  std::string const pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << "p\nq\n" << std::string(300'000, 'r'); });
  text_input input({folder.write("a", "a\n"), pipe, folder.write("b", "b")});
  EXPECT_TRUE(input.has_streams());
  input.spool_streams();
  writer.join();
  EXPECT_FALSE(input.has_streams());
  EXPECT_EQ(input.spooled_bytes(), 300'004U);
  expect_lines(input, {"a", "p", "q", std::string(300'000, 'r'), "b"});

  text_input const elsewhere({folder / "a", pipe, folder / "b"}, text_input::streams::absent);
  expect_lines(elsewhere, {"a", "b"});
}

TEST(text_input, files_without_a_size_are_streams) {
  text_input input({"/proc/self/status"});
  EXPECT_TRUE(input.has_streams());
  input.spool_streams();
  EXPECT_GT(lines_of(input, 2).size(), 5U);
}

TEST(text_input, samples_come_from_their_part_and_repeat) {
  temporary_folder const folder;
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += std::to_string(100'000 + i) + "\n";
  text_input const input({folder.write("a", text)});
  for (std::size_t i = 0; i < 3; ++i) {
    std::mt19937_64 one(5);
    std::mt19937_64 two(5);
    strings const sample = input.sample(input.part(i, 3), 200, one);
    EXPECT_EQ(sample, input.sample(input.part(i, 3), 200, two));
    std::set<std::string> all;
    input.for_each_line(input.part(i, 3), [&](std::string_view line, std::uint64_t) { all.emplace(line); });
    for (std::string const& line : sample) EXPECT_TRUE(all.contains(line)) << line;
    EXPECT_GT((std::set<std::string>(sample.begin(), sample.end()).size()), 150U);
  }
}

TEST(text_input, samples_do_not_favour_what_follows_long_lines) {
  temporary_folder const folder;
  std::string text;
  for (int i = 0; i < 2000; ++i) text += std::string(99, 'l') + "\ns\n";
  text_input const input({folder.write("a", text)});
  std::mt19937_64 random(6);
  strings const sample = input.sample(input.part(0, 1), 1000, random);
  auto const short_ones = std::count(sample.begin(), sample.end(), "s");
  EXPECT_GT(short_ones, 400);
  EXPECT_LT(short_ones, 600);
}

TEST(text_input, samples_of_giant_lines_are_cut_and_of_nothing_empty) {
  temporary_folder const folder;
  text_input const giant({folder.write("a", std::string(100'000, 'g'))});
  std::mt19937_64 random(7);
  for (std::string const& line : giant.sample(giant.part(1, 2), 10, random)) {
    EXPECT_EQ(line, std::string(text_input::sample_bytes, 'g').substr(0, line.size()));
  }
  text_input const nothing({folder.write("empty", "")}, text_input::streams::absent);
  EXPECT_TRUE(nothing.sample(nothing.part(0, 1), 10, random).empty());
  EXPECT_TRUE(lines_of(nothing, 3).empty());
}

TEST(text_input, errors_name_the_file_and_the_reason) {
  temporary_folder const folder;
  EXPECT_EQ(error_of<command_error>([&] { text_input({folder / "missing"}); }),
            "cannot read " + (folder / "missing") + ": No such file or directory");
  EXPECT_EQ(error_of<command_error>([&] { text_input({folder / ""}); }),
            "cannot read " + (folder / "") + ": Is a directory");
  std::string const name = folder.write("a", "one\ntwo\n");
  text_input const input({name});
  folder.write("a", "one\n");
  EXPECT_EQ(error_of<command_error>([&] { lines_of(input, 1); }),
            "cannot read " + name + ": it became shorter while it was read");
}

}  // namespace
