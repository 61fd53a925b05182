// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/packet.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace {

using namespace sheaf::net;

void expect_same(packet_header const& a, packet_header const& b) {
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.counts_window, b.counts_window);
  EXPECT_EQ(a.is_part, b.is_part);
  EXPECT_EQ(a.sequence, b.sequence);
  EXPECT_EQ(a.consumed[0], b.consumed[0]);
  EXPECT_EQ(a.consumed[1], b.consumed[1]);
}

TEST(packet_header, comes_back_as_it_was_written_whatever_its_fields) {
  std::mt19937 random(5);
  auto const below = [&](std::uint32_t end) {
    return static_cast<std::uint32_t>(random() % 4 == 0 ? end - 1 : random() % end);
  };
  for (int i = 0; i < 100'000; ++i) {
    packet_header h;
    h.kind = static_cast<packet_kind>(below(3));
    h.counts_window = static_cast<std::uint8_t>(below(2));
    h.is_part = static_cast<std::uint8_t>(below(2));
    h.sequence = below(sequences);
    h.consumed[0] = below(most_consumed + 1);
    h.consumed[1] = below(most_consumed + 1);
    std::byte room[16] = {};
    write_header(room + 8, h);
    expect_same(read_header(room + 8), h);
    if (HasFailure()) return;
  }
}

TEST(packet_header, any_bytes_are_a_header_that_writes_them_again) {
  std::mt19937 random(6);
  for (int i = 0; i < 10'000; ++i) {
    std::array<std::byte, 8> from{};
    for (std::size_t b = from.size() - header_bytes; b < from.size(); ++b) from[b] = static_cast<std::byte>(random());
    std::array<std::byte, 8> to{};
    write_header(to.data() + to.size(), read_header(from.data() + from.size()));
    EXPECT_EQ(to, from);
  }
}

TEST(packet_header, lies_on_the_wire_as_documented) {
  packet_header h;
  h.kind = packet_kind::answer;
  h.counts_window = 1;
  h.is_part = 1;
  h.sequence = 0x123;
  h.consumed[0] = 0x456;
  h.consumed[1] = 0x789;
  std::array<std::byte, 8> room{};
  write_header(room.data() + room.size(), h);
  unsigned char const expected[] = {0x3d, 0x12, 0x56, 0x94, 0x78};
  for (std::size_t i = 0; i < header_bytes; ++i) {
    EXPECT_EQ(std::to_integer<unsigned>(room[room.size() - header_bytes + i]), expected[i]) << "byte " << i;
  }
}

}  // namespace
