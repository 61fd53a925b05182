// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/open_calls.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "sheaf/base/error.hpp"
#include "sheaf/message/byte_reader.hpp"

namespace {

using sheaf::detail::reply_status;
using sheaf::detail::reply_table;

void sink(void*, reply_status, sheaf::byte_reader&) {}

TEST(reply_table, gives_back_once_what_awaits_a_token) {
  reply_table table;
  int a = 0, b = 0;
  std::uint32_t const first = table.add(sink, &a);
  std::uint32_t const second = table.add(sink, &b);
  EXPECT_NE(first, second);
  EXPECT_EQ(table.awaited(), 2u);
  EXPECT_EQ(table.take(second).where, &b);
  EXPECT_EQ(table.take(first).where, &a);
  EXPECT_EQ(table.take(first).sink, nullptr);
  EXPECT_EQ(table.awaited(), 0u);
}

TEST(reply_table, does_not_know_an_old_token_whose_place_is_used_again) {
  reply_table table;
  std::uint32_t const old = table.add(sink, &table);
  table.take(old);
  std::uint32_t const fresh = table.add(sink, &table);
  EXPECT_NE(old, fresh);
  EXPECT_EQ(table.take(old).sink, nullptr);
  EXPECT_EQ(table.awaited(), 1u);
  EXPECT_NE(table.take(fresh).sink, nullptr);
}

TEST(reply_table, tells_those_who_await_one_still_that_there_will_be_none) {
  int told = 0, answered = 0;
  {
    reply_table table;
    auto const count = [](void* where, reply_status status, sheaf::byte_reader& bytes) {
      EXPECT_EQ(status, reply_status::none);
      EXPECT_EQ(bytes.remaining(), 0u);
      ++*static_cast<int*>(where);
    };
    table.add(count, &told);
    table.take(table.add(count, &answered));
  }
  EXPECT_EQ(told, 1);
  EXPECT_EQ(answered, 0);
}

TEST(reply_table, does_not_know_any_token_that_nobody_added) {
  reply_table table;
  EXPECT_EQ(table.take(0).sink, nullptr);
  EXPECT_EQ(table.take(~0u).sink, nullptr);
  std::uint32_t const token = table.add(sink, &table);
  std::mt19937 random(1);
  for (int i = 0; i < 100'000; ++i) {
    auto const guess = static_cast<std::uint32_t>(random());
    if (guess == token) continue;
    EXPECT_EQ(table.take(guess).sink, nullptr) << guess;
  }
  EXPECT_EQ(table.awaited(), 1u);
}

TEST(reply_table, keeps_many_apart_in_any_order) {
  reply_table table;
  std::mt19937 random(3);
  std::vector<std::pair<std::uint32_t, int>> awaited;
  std::vector<int> places(1000);
  for (int round = 0; round < 20; ++round) {
    for (int& p : places) awaited.emplace_back(table.add(sink, &p), static_cast<int>(&p - places.data()));
    std::shuffle(awaited.begin(), awaited.end(), random);
    for (auto const& [token, place] : awaited)
      EXPECT_EQ(table.take(token).where, &places[static_cast<unsigned>(place)]);
    awaited.clear();
  }
  EXPECT_EQ(table.awaited(), 0u);
}

TEST(reply_table, says_when_too_much_is_awaited) {
  reply_table table;
  constexpr std::uint32_t most = (1u << reply_table::index_bits) - 1;
  for (std::uint32_t i = 0; i < most; ++i) table.add(sink, &table);
  try {
    table.add(sink, &table);
    FAIL() << "took one more";
  } catch (sheaf::usage_error const& e) {
    EXPECT_NE(std::string(e.what()).find("16777215"), std::string::npos) << e.what();
  }
  EXPECT_NE(table.take(0).sink, nullptr);
  EXPECT_NO_THROW(table.add(sink, &table));
}

}  // namespace
