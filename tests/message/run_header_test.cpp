// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/run_header.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace {

using sheaf::run_header;
using sheaf::run_tag;

using wire = std::array<std::byte, run_header::wire_bytes>;

wire written(run_header const& h) {
  wire to;
  h.encode(to.data());
  return to;
}

void expect_same(run_header const& a, run_header const& b) {
  EXPECT_EQ(a.tag, b.tag);
  EXPECT_EQ(a.count, b.count);
  EXPECT_EQ(a.bytes, b.bytes);
  EXPECT_EQ(a.scope, b.scope);
  EXPECT_EQ(a.team_colour, b.team_colour);
  EXPECT_EQ(a.world_colour, b.world_colour);
}

TEST(run_tag, keeps_the_largest_numbers_of_each_field_apart) {
  constexpr std::uint32_t handler = (1u << run_tag::handler_bits) - 1;
  constexpr std::uint32_t object = (1u << run_tag::object_bits) - 1;
  constexpr std::uint32_t team = (1u << run_tag::team_bits) - 1;
  for (run_tag const t :
       {run_tag(handler, 0, 0), run_tag(0, object, 0), run_tag(0, 0, team), run_tag(handler, object, team)}) {
    EXPECT_EQ(run_tag(t.handler(), t.object(), t.team()), t);
  }
  EXPECT_EQ(run_tag(handler, 0, 0).object(), 0u);
  EXPECT_EQ(run_tag(0, object, 0).team(), 0u);
  EXPECT_EQ(run_tag(0, object, 0).handler(), 0u);
  EXPECT_EQ(run_tag(0, 0, team).object(), 0u);
  EXPECT_EQ(run_tag(handler, object, team).word(), ~std::uint64_t{run_tag::lone_bit});
}

TEST(run_tag, takes_a_handler_of_the_object) {
  run_tag const object(0, 8, 9);
  EXPECT_EQ(object.with_handler(11), run_tag(11, 8, 9));
  EXPECT_NE(object.with_handler(11), object);
}

TEST(run_header, comes_back_as_it_was_written_whatever_its_fields) {
  std::mt19937_64 random(2026);
  auto const draw = [&]<class T>(T) { return random() % 4 == 0 ? static_cast<T>(~T{0}) : static_cast<T>(random()); };
  for (int i = 0; i < 100'000; ++i) {
    run_header h;
    h.tag = run_tag(draw(std::uint64_t{}) & ~std::uint64_t{run_tag::lone_bit});
    h.count = draw(std::uint32_t{});
    h.bytes = draw(std::uint32_t{});
    h.scope = draw(std::uint16_t{});
    h.team_colour = draw(std::uint8_t{});
    h.world_colour = draw(std::uint8_t{});
    run_header read;
    EXPECT_EQ(run_header::read(written(h).data(), run_header::wire_bytes, read), run_header::wire_bytes);
    expect_same(read, h);
    h.count = 1;
    h.scope = 0;
    std::array<std::byte, run_header::lone_bytes> lone;
    h.encode_lone(lone.data());
    EXPECT_EQ(run_header::read(lone.data(), run_header::lone_bytes + std::size_t{h.bytes}, read),
              run_header::lone_bytes);
    expect_same(read, h);
    if (HasFailure()) return;
  }
}

TEST(run_header, any_bytes_are_a_header_that_writes_them_again) {
  std::mt19937 random(7);
  for (int i = 0; i < 10'000; ++i) {
    wire from;
    for (std::byte& b : from) b = static_cast<std::byte>(random());
    from[2] &= ~std::byte{run_tag::lone_bit >> 16};
    EXPECT_EQ(written(run_header::decode(from.data())), from);
  }
}

TEST(run_header, one_that_is_cut_off_is_none) {
  run_header h;
  wire const is = written(h);
  std::array<std::byte, run_header::lone_bytes> lone;
  h.encode_lone(lone.data());
  for (std::size_t left = 0; left < is.size(); ++left) EXPECT_EQ(run_header::read(is.data(), left, h), 0u);
  for (std::size_t left = 0; left < lone.size(); ++left) EXPECT_EQ(run_header::read(lone.data(), left, h), 0u);
}

TEST(run_header, lies_on_the_wire_as_documented) {
  run_header h;
  h.tag = run_tag(0x12345, 0x6789ab, 0xcdef0);
  h.count = 0x01020304;
  h.bytes = 0x05060708;
  h.scope = 0x090a;
  h.team_colour = 0x0b;
  h.world_colour = 0x0c;
  unsigned char const expected[] = {0x45, 0x23, 0xb1, 0x9a, 0x78, 0x06, 0xef, 0xcd, 0x0b, 0x0c,
                                    0x0a, 9,    4,    3,    2,    1,    8,    7,    6,    5};
  wire const is = written(h);
  for (std::size_t i = 0; i < is.size(); ++i) EXPECT_EQ(static_cast<unsigned>(is[i]), expected[i]) << "byte " << i;
  std::array<std::byte, run_header::lone_bytes> lone;
  h.encode_lone(lone.data());
  EXPECT_EQ(lone[2], std::byte{0xb9}) << "the mark of a lone record";
  lone[2] = is[2];
  for (std::size_t i = 0; i < lone.size(); ++i) EXPECT_EQ(lone[i], is[i]) << "byte " << i;
}

TEST(run_header, needs_no_alignment) {
  run_header h;
  h.tag = run_tag(1, 2, 3);
  h.count = 4;
  h.bytes = 5;
  std::byte room[run_header::wire_bytes + 8];
  for (std::size_t shift = 0; shift < 8; ++shift) {
    h.encode(room + shift);
    expect_same(run_header::decode(room + shift), h);
  }
}

}  // namespace
