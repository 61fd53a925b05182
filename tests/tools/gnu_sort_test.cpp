// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// The order of lines against the system's own `sort`, on random small files and every combination of options.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>

#include "sheaf/line_arena.hpp"
#include "sheaf/text_input.hpp"
#include "sheaf/text_output.hpp"
#include "tools/temporary_folder.hpp"

namespace {

using namespace std::string_literals;
using sheaf::test::read_file;
using sheaf::test::temporary_folder;
using sheaf::tool::line_arena;
using sheaf::tool::line_order;
using sheaf::tool::text_input;
using sheaf::tool::text_output;

constexpr int files_per_order = 250;

std::uint64_t seed() {
  char const* const given = std::getenv("SHEAF_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 0) : 20'030'614;
}

std::string output_of(std::string const& command) {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> const pipe(::popen(command.c_str(), "r"), ::pclose);
  std::string text;
  char block[4096];
  while (std::size_t const n = std::fread(block, 1, sizeof block, pipe.get())) text.append(block, n);
  return text;
}

std::string random_word(std::mt19937_64& random) {
  static std::string const kinds[] = {"ab", "0123456789", "00.1-9 \tx",
                                      "\0\xff"s
                                      "a",
                                      " -.5"};
  std::string const& alphabet = kinds[random() % std::size(kinds)];
  std::string word(random() % (random() % 8 == 0 ? 40 : 7), ' ');
  for (char& c : word) c = alphabet[random() % alphabet.size()];
  return word;
}

std::string random_text(std::mt19937_64& random) {
  std::string const prefix = random() % 2 == 0 ? "" : random_word(random);
  std::string text;
  for (std::size_t n = random() % (random() % 4 == 0 ? 300 : 20); n > 0; --n) {
    if (random() % 4 != 0) text += prefix;
    text += random_word(random);
    if (n > 1 || random() % 2 == 0) text += '\n';
  }
  return text;
}

class gnu_sort : public testing::TestWithParam<unsigned> {
 protected:
  line_order order() const { return {(GetParam() & 1) != 0, (GetParam() & 2) != 0, (GetParam() & 4) != 0}; }
};

TEST_P(gnu_sort, gives_the_same_bytes) {
  if (output_of("LC_ALL=C sort --version 2>&1").find("coreutils") == std::string::npos) {
    GTEST_SKIP() << "no GNU sort here";
  }
  temporary_folder const folder;
  std::string const options =
      std::string(order().numeric ? " -n" : "") + (order().reverse ? " -r" : "") + (order().unique ? " -u" : "");
  std::mt19937_64 random(seed() + GetParam());
  for (int i = 0; i < files_per_order; ++i) {
    std::string const one = folder.write("one", random_text(random));
    std::string const two = folder.write("two", random_text(random));
    std::string const expected = output_of("LC_ALL=C sort" + options + " '" + one + "' '" + two + "'");
    text_output output(one);  // also an input
    text_input input({one, two});
    input.spool_streams();
    line_arena arena(order());
    for (std::size_t part = 2; part-- > 0;) {
      input.for_each_line(input.part(part, 2),
                          [&](std::string_view line, std::uint64_t at) { arena.append(line, at); });
    }
    arena.sort();
    output.resize(arena.text_bytes());
    output.write_at(0, arena.lines());
    output.close();
    ASSERT_TRUE(read_file(one) == expected) << "sort" << options << ", file " << i << "; replay: SHEAF_SEED=" << seed();
  }
}

INSTANTIATE_TEST_SUITE_P(every_combination, gnu_sort, testing::Range(0U, 8U));

}  // namespace
