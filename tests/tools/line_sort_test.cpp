// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/line_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "sheaf/line_arena.hpp"
#include "sheaf/line_order.hpp"

namespace {

using namespace std::string_literals;
using sheaf::tool::compare_lines;
using sheaf::tool::compare_numeric;
using sheaf::tool::line_arena;
using sheaf::tool::line_key;
using sheaf::tool::line_order;
using sheaf::tool::numeric_key;
using strings = std::vector<std::string>;

std::vector<line_order> all_orders() {
  std::vector<line_order> orders;
  for (unsigned bits = 0; bits < 8; ++bits) orders.push_back({(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0});
  return orders;
}

std::string name_of(line_order order) {
  return "options:"s + (order.numeric ? " -n" : "") + (order.reverse ? " -r" : "") + (order.unique ? " -u" : "");
}

strings sorted(strings const& lines, line_order order) {
  line_arena arena(order);
  for (std::size_t i = 0; i < lines.size(); ++i) arena.append(lines[i], i);
  arena.sort();
  strings result;
  std::size_t bytes = 0;
  for (auto const& line : arena.lines()) {
    result.emplace_back(line.view());
    bytes += line.size() + 1;
  }
  EXPECT_EQ(arena.text_bytes(), bytes);
  return result;
}

/// The definition: stable by the comparison, then the first of equals.
strings expected(strings lines, line_order order) {
  std::stable_sort(lines.begin(), lines.end(),
                   [order](std::string const& a, std::string const& b) { return compare_lines(order, a, b) < 0; });
  if (!order.unique) return lines;
  auto const end = std::unique(lines.begin(), lines.end(), [order](std::string const& a, std::string const& b) {
    return compare_lines(order, a, b) == 0;
  });
  lines.erase(end, lines.end());
  return lines;
}

void expect_all_orders(strings const& lines) {
  for (line_order const order : all_orders()) {
    SCOPED_TRACE(name_of(order));
    ASSERT_TRUE(sorted(lines, order) == expected(lines, order));
  }
}

strings random_lines(std::mt19937_64& random, std::size_t count, std::string const& alphabet, std::size_t longest) {
  strings lines(count);
  for (std::string& line : lines) {
    line.resize(random() % (longest + 1));
    for (char& c : line) c = alphabet[random() % alphabet.size()];
  }
  return lines;
}

TEST(line_order, bytes_are_unsigned_and_prefixes_first) {
  EXPECT_LT(compare_lines({}, "a", "ab"), 0);
  EXPECT_LT(compare_lines({}, "", "\0"s), 0);
  EXPECT_LT(compare_lines({}, "z", "\xe4"), 0);
  EXPECT_GT(compare_lines({.reverse = true}, "a", "ab"), 0);
  EXPECT_EQ(compare_lines({}, "ab", "ab"), 0);
}

TEST(line_order, numbers_are_read_as_sort_n_reads_them) {
  char const* const ascending[] = {"-1000000000000000000001",
                                   "-1000000000000000000000",
                                   "-12",
                                   "-1.5",
                                   "-0.01",
                                   "-0.00000000000000000001",
                                   "0",
                                   "0.00000000000000000001",
                                   ".5",
                                   " \t0.75",
                                   "7",
                                   "10",
                                   "9999999999999999.4",
                                   "9999999999999999.5",
                                   "10000000000000000",
                                   "10000000000000001",
                                   "100000000000000000000.25",
                                   "100000000000000000000.251"};
  for (std::size_t i = 0; i + 1 < std::size(ascending); ++i) {
    EXPECT_LT(compare_numeric(ascending[i], ascending[i + 1]), 0) << ascending[i];
    EXPECT_GT(compare_numeric(ascending[i + 1], ascending[i]), 0) << ascending[i];
    EXPECT_LE(numeric_key(ascending[i]), numeric_key(ascending[i + 1])) << ascending[i];
  }
  for (char const* const zero : {"", "-", "-0", "000", "-0.000", ".", "abc", "+5", "- 5", "-.", "\v1"}) {
    EXPECT_EQ(compare_numeric(zero, "0"), 0) << zero;
    EXPECT_EQ(numeric_key(zero), numeric_key("0")) << zero;
  }
  EXPECT_EQ(compare_numeric("1.50", " 001.5x"), 0);
  EXPECT_EQ(numeric_key("1.50"), numeric_key(" 001.5x"));
}

TEST(line_order, keys_never_contradict_the_order) {
  std::mt19937_64 random(21);
  strings numbers = random_lines(random, 400, "0001259.-", 24);
  numbers.push_back(std::string(254, '9'));
  numbers.push_back(std::string(255, '9'));
  numbers.push_back("-" + std::string(300, '1'));
  for (std::string const& a : numbers) {
    for (std::string const& b : numbers) {
      std::uint64_t const x = numeric_key(a);
      std::uint64_t const y = numeric_key(b);
      if (x < y) {
        EXPECT_LT(compare_numeric(a, b), 0) << a << " and " << b;
      } else if (x == y && sheaf::tool::is_exact_numeric_key(x)) {
        EXPECT_EQ(compare_numeric(a, b), 0) << a << " and " << b;
      }
    }
  }
}

TEST(line_arena, keeps_lines_of_any_size_and_their_positions) {
  strings const lines{"",     "a", std::string(65'534, 'x'), std::string(65'535, 'y'), std::string(3'000'000, 'z'),
                      "\0\n"s};
  line_arena arena({.numeric = true, .unique = true});
  for (std::size_t i = 0; i < lines.size(); ++i) arena.append(lines[i], 1000 + i);
  ASSERT_EQ(arena.size(), lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_TRUE(arena.lines()[i].view() == lines[i]) << i;
    EXPECT_EQ(arena.lines()[i].position(), 1000 + i);
    EXPECT_EQ(arena.lines()[i].key, line_key(arena.order(), lines[i]));
  }
}

TEST(line_sort, nothing_and_one_line) {
  expect_all_orders({});
  expect_all_orders({""});
  expect_all_orders({"one"});
}

TEST(line_sort, random_lines_of_each_alphabet) {
  std::mt19937_64 random(22);
  strings const alphabets{"ab", "\0a"s, "\0\x7f\x80\xff"s, "0123456789.- ", "01", "abcdefghijklmnopqrstuvwxyz"};
  for (std::string const& alphabet : alphabets) {
    for (std::size_t const count : {2, 31, 33, 300, 5000}) {
      for (std::size_t const longest : {1, 9, 40}) expect_all_orders(random_lines(random, count, alphabet, longest));
    }
  }
}

TEST(line_sort, the_largest_key_is_not_lost) {
  strings lines;
  for (std::size_t i = 0; i < 300; ++i) lines.push_back(std::string(i % 20, '\xff') + std::to_string(i * 7 % 300));
  expect_all_orders(lines);
  for (std::size_t i = 0; i < lines.size(); ++i)
    lines[i] = std::string(250 + i % 30, '9') + std::to_string(i * 7 % 300);
  expect_all_orders(lines);
}

TEST(line_sort, common_prefixes_of_every_length) {
  std::mt19937_64 random(23);
  for (std::size_t length = 0; length < 40; ++length) {
    strings lines = random_lines(random, 200, "\0ab"s, 12);
    for (std::string& line : lines) line.insert(0, length, 'p');
    expect_all_orders(lines);
  }
}

TEST(line_sort, prefixes_of_each_other) {
  strings lines;
  for (std::size_t i = 0; i < 2000; ++i) lines.emplace_back((i * 37) % 2000, 'a');
  expect_all_orders(lines);
  for (std::string& line : lines) std::replace(line.begin(), line.end(), 'a', '\0');
  expect_all_orders(lines);
}

TEST(line_sort, long_lines_that_differ_late) {
  strings lines;
  for (std::size_t i = 0; i < 100; ++i) lines.push_back(std::string(70'000 - i % 3, 'x') + std::to_string(i % 7));
  lines.push_back(std::string(5'000'000, 'x'));
  expect_all_orders(lines);
}

TEST(line_sort, many_equal_lines_take_one_pass) {
  // Comparing each with each would not end, and by eight bytes at a time would be a hundred passes.
  strings const two{std::string(1000, 'e'), std::string(1000, 'e') + "f"};
  line_arena arena({.unique = true});
  for (std::size_t i = 0; i < 200'000; ++i) arena.append(two[i % 3 == 0 ? 1 : 0]);
  arena.sort();
  ASSERT_EQ(arena.size(), 2U);
  EXPECT_TRUE(arena.lines()[0].view() == two[0]);
  EXPECT_TRUE(arena.lines()[1].view() == two[1]);
  EXPECT_EQ(arena.text_bytes(), 2003U);
}

TEST(line_sort, equal_numbers_keep_the_first_of_the_input) {
  line_arena arena({.numeric = true, .unique = true});
  arena.append("1.0 third", 30);
  arena.append("01 first", 10);
  arena.append("1 second", 20);
  arena.append("100000000000000000000000000001 b", 60);
  arena.append("100000000000000000000000000001 c", 50);
  arena.sort();
  ASSERT_EQ(arena.size(), 2U);
  EXPECT_EQ(arena.lines()[0].view(), "01 first");
  EXPECT_EQ(arena.lines()[1].view(), "100000000000000000000000000001 c");
}

}  // namespace
