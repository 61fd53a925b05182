// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/arguments_codec.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using sheaf::arguments_codec;
using sheaf::byte_reader;
using sheaf::byte_writer;

struct point {
  float x, y;
};

using fixed_pack = arguments_codec<char, std::int64_t, std::pair<bool, point>, decltype([] {})>;
using free_pack = arguments_codec<int, std::string, std::vector<std::string>>;

static_assert(fixed_pack::fixed && fixed_pack::fixed_size == 1 + 8 + 1 + 8 + 0);
static_assert(!free_pack::fixed && free_pack::fixed_size == 0);
static_assert(arguments_codec<>::fixed && arguments_codec<>::fixed_size == 0);
static_assert(std::is_same_v<decltype(fixed_pack::load<1>(nullptr)), std::int64_t>);

TEST(arguments_codec, stores_and_loads_a_fixed_pack_in_place) {
  std::byte memory[fixed_pack::fixed_size + 1] = {};
  memory[fixed_pack::fixed_size] = std::byte{77};
  fixed_pack::encode(memory, 'c', -5, {true, {1.5F, 2.5F}}, {});
  EXPECT_EQ(fixed_pack::load<0>(memory), 'c');
  EXPECT_EQ(fixed_pack::load<1>(memory), -5);
  EXPECT_EQ(fixed_pack::load<2>(memory).second.y, 2.5F);
  EXPECT_EQ(memory[fixed_pack::fixed_size], std::byte{77});
}

TEST(arguments_codec, decodes_a_fixed_pack_with_one_check) {
  std::byte memory[fixed_pack::fixed_size];
  fixed_pack::encode(memory, 'c', -5, {true, {1.5F, 2.5F}}, {});
  byte_reader from(memory);
  EXPECT_EQ(std::get<1>(fixed_pack::decode(from)), -5);
  EXPECT_EQ(from.remaining(), 0U);
  byte_reader too_short(std::span<std::byte const>(memory).first(fixed_pack::fixed_size - 1));
  EXPECT_THROW((void)fixed_pack::decode(too_short), sheaf::decode_error);
}

TEST(arguments_codec, carries_a_pack_of_any_size) {
  std::vector<std::string> const words{"a", "", std::string(300, 'z')};
  std::vector<std::byte> bytes(free_pack::size(7, "seven", words));
  byte_writer to(bytes.data(), bytes.data() + bytes.size());
  free_pack::encode(to, 7, "seven", words);
  EXPECT_EQ(to.remaining(), 0U);
  byte_reader from(bytes);
  EXPECT_EQ(free_pack::decode(from), std::tuple(7, std::string("seven"), words));
}

TEST(arguments_codec, carries_no_arguments_in_no_bytes) {
  arguments_codec<>::encode(static_cast<std::byte*>(nullptr));
  byte_reader from({});
  EXPECT_EQ(arguments_codec<>::decode(from), std::tuple<>());
}

}  // namespace
