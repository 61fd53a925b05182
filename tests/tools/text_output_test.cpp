// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/text_output.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>
#include <thread>
#include <vector>

#include "sheaf/command_error.hpp"
#include "tools/temporary_folder.hpp"

namespace {

using sheaf::test::error_of;
using sheaf::test::read_file;
using sheaf::test::temporary_folder;
using sheaf::tool::command_error;
using sheaf::tool::line_arena;
using sheaf::tool::text_output;

/// Fills an arena and returns the text its lines make.
std::string fill(line_arena& arena, std::size_t count, std::size_t longest) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    std::string const line(i * 7919 % (longest + 1), static_cast<char>('a' + i % 26));
    arena.append(line);
    text += line + "\n";
  }
  return text;
}

TEST(text_output, writes_ranges_of_one_file_at_once) {
  temporary_folder const folder;
  std::string const name = folder.write("out", std::string(5'000'000, 'x'));
  line_arena first({});
  line_arena second({});
  std::string const expected = fill(first, 20'000, 100) + fill(second, 10, 3'000'000);
  text_output output(name);
  ASSERT_TRUE(output.seekable());
  EXPECT_EQ(read_file(name).size(), 5'000'000U);
  output.resize(expected.size());
  std::uint64_t reported = 0;
  std::thread other([&] { EXPECT_EQ(output.write_at(first.text_bytes(), second.lines()), expected.size()); });
  EXPECT_EQ(output.write_at(0, first.lines(), [&](std::uint64_t bytes) { reported += bytes; }), first.text_bytes());
  other.join();
  output.close();
  EXPECT_EQ(reported, first.text_bytes());
  EXPECT_TRUE(read_file(name) == expected);
}

TEST(text_output, line_sizes_around_the_block) {
  temporary_folder const folder;
  line_arena arena({});
  std::string expected;
  for (int difference = -3; difference <= 3; ++difference) {
    std::string const line(static_cast<std::size_t>((1 << 20) + difference), 'b');
    arena.append(line);
    arena.append("s");
    expected += line + "\ns\n";
  }
  text_output output(folder / "out");
  output.write_at(0, arena.lines());
  output.close();
  EXPECT_TRUE(read_file(folder / "out") == expected);
}

TEST(text_output, pipes_are_written_in_order) {
  temporary_folder const folder;
  std::string const pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = read_file(pipe); });
  line_arena first({});
  line_arena second({});
  std::string const expected = fill(first, 5000, 200) + fill(second, 3, 10);
  text_output output(pipe);
  EXPECT_FALSE(output.seekable());
  output.resize(expected.size());
  output.write_next(first.lines());
  output.write_next(second.lines());
  output.close();
  reader.join();
  EXPECT_TRUE(got == expected);
}

TEST(text_output, errors_name_the_file_and_the_reason) {
  temporary_folder const folder;
  std::string const name = folder / "missing/out";
  EXPECT_EQ(error_of<command_error>([&] { text_output output(name); }),
            "cannot open for writing " + name + ": No such file or directory");
  text_output full("/dev/full");
  line_arena arena({});
  arena.append("line");
  EXPECT_EQ(error_of<command_error>([&] { full.write_next(arena.lines()); }),
            "cannot write /dev/full: No space left on device");
}

}  // namespace
