// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "codec_random.hpp"
#include "sheaf/message/codec.hpp"

/// What every codec promises, over random values of T.
namespace codec_test {

using sheaf::byte_reader;
using sheaf::codec;
using sheaf::decode_error;

class type_number {
 public:
  template <class T>
  static std::string GetName(int i) {
    return std::to_string(i);
  }
};

constexpr int rounds = 60;

template <class T>
void decodes_what_it_encoded() {
  SCOPED_TRACE(replay());
  generator random(seed());
  for (int i = 0; i != rounds; ++i) {
    auto const value = random_value<T>(random);
    auto const bytes = encoded(value);
    byte_reader from(bytes);
    EXPECT_TRUE(same(codec<T>::decode(from), value));
    EXPECT_EQ(from.remaining(), 0U);
    if constexpr (sheaf::fixed_size<T>) {
      EXPECT_EQ(bytes.size(), sheaf::fixed_wire_size<T>);
    }
  }
}

template <class T>
void rejects_every_strict_prefix() {
  SCOPED_TRACE(replay());
  generator random(seed());
  for (int i = 0; i != rounds / 4; ++i) {
    auto const bytes = encoded(random_value<T>(random));
    std::size_t const step = 1 + bytes.size() / 200;
    for (std::size_t size = 0; size < bytes.size(); size += step) {
      std::vector<std::byte> const prefix(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
      byte_reader from(prefix);
      EXPECT_THROW((void)codec<T>::decode(from), decode_error) << size << " of " << bytes.size() << " bytes";
    }
  }
}

template <class T>
void survives_corrupted_bytes() {
  if constexpr (codec_test::open_enum<T>) GTEST_SKIP() << "without a fixed type an enum has values that are none";
  SCOPED_TRACE(replay());
  generator random(seed());
  for (int i = 0; i != rounds * 4; ++i) {
    auto bytes = encoded(random_value<T>(random));
    std::size_t const hits = bytes.empty() ? 0 : 1 + random() % 3;
    for (std::size_t hit = 0; hit != hits; ++hit) {
      bytes[random() % bytes.size()] = random() % 2 == 0 ? std::byte{0xFF} : static_cast<std::byte>(random());
    }
    byte_reader from(bytes);
    try {
      auto const value = codec<T>::decode(from);
      auto const again = encoded(value);  // reads every byte of it; whatever it is, it is a value
      byte_reader from_again(again);
      (void)codec<T>::decode(from_again);
      EXPECT_EQ(from_again.remaining(), 0U);
    } catch (decode_error const&) {
      SUCCEED();
    }
  }
}

}  // namespace codec_test
