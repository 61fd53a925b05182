// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Records of DMCS that were damaged on their way: they are refused, or stay within their bytes.
#include "records.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "sheaf/base/error.hpp"
#include "simulation/seeds.hpp"

namespace {

using namespace sheaf_dmcs;
using sheaf_test::dice;

/// Random bytes in memory of just their length, beginning with a head some of whose numbers fit.
struct damaged {
  std::size_t size;
  std::unique_ptr<std::byte[]> bytes;

  template <class Head>
  damaged(Head const& head, std::size_t of, dice& random) : size(of), bytes(new std::byte[of]) {
    std::generate_n(bytes.get(), size, [&] { return static_cast<std::byte>(random.next()); });
    std::memcpy(bytes.get(), &head, std::min(size, sizeof head));
  }
  [[nodiscard]] std::byte const* begin() const { return bytes.get(); }
  [[nodiscard]] std::byte const* end() const { return bytes.get() + size; }
};

/// Small, or so large that a sum with it overflows.
std::uint64_t some_count(dice& random, std::uint64_t below) {
  return random.one_in(4) ? ~random.below(below) : random.below(below);
}

/// False: it was refused.
template <class Record>
bool read(damaged const& from, Record& into) {
  try {
    into = Record::read(from.begin(), from.end());
    return true;
  } catch (sheaf::decode_error const&) {
    return false;
  }
}

constexpr int tries = 100'000;

}  // namespace

TEST(dmcs_records, a_put_op_has_its_data_within_it) {
  dice random(1);
  int taken = 0;
  for (int i = 0; i < tries; ++i) {
    op_head head{.total = some_count(random, 64)};
    head.front = static_cast<std::uint8_t>(random.below(20));
    head.padded = static_cast<std::uint8_t>(random.below(2));
    damaged const from(head, random.below(128), random);
    op_record record;
    if (!read(from, record)) continue;
    ++taken;
    ASSERT_LE(record.head.length(), from.size);
    ASSERT_GE(record.data, from.begin() + sizeof head);
    ASSERT_LE(record.head.total, static_cast<std::size_t>(from.begin() + record.head.length() - record.data));
  }
  EXPECT_GT(taken, tries / 100);
  EXPECT_LT(taken, tries / 2);
}

TEST(dmcs_records, blocks_and_data_are_within_their_record) {
  dice random(2);
  int taken = 0;
  for (int i = 0; i < tries; ++i) {
    data_head head{.length = some_count(random, 256), .total = some_count(random, 64)};
    head.there = static_cast<std::uint32_t>(some_count(random, 4));
    head.here = static_cast<std::uint32_t>(some_count(random, 2));
    head.kind = static_cast<operation>(random.below(5));
    damaged const from(head, random.below(256), random);
    data_record record;
    if (!read(from, record)) continue;
    ++taken;
    ASSERT_LE(record.head.length, from.size);
    std::byte const* const record_end = from.begin() + record.head.length;
    std::uint64_t const blocks = std::uint64_t{record.head.there} + record.head.here;
    ASSERT_LE(blocks * sizeof(dmcs_block), static_cast<std::size_t>(record_end - record.blocks));
    if (record.data != nullptr) ASSERT_LE(record.head.total, static_cast<std::size_t>(record_end - record.data));
  }
  EXPECT_GT(taken, tries / 100);
  EXPECT_LT(taken, tries / 2);
}
