// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "codec_random.hpp"
#include "sheaf/message/codec.hpp"

/// Properties of every codec, over random values of many types.
namespace {

using namespace codec_test;
using sheaf::byte_reader;
using sheaf::codec;
using sheaf::decode_error;

enum class colour : std::int8_t { red, green };
enum plain { first, second };
enum class yes_no : bool { no, yes };

struct nothing {
  bool operator==(nothing const&) const = default;
};

struct point {
  int x;
  double y;
  char tag[3];
  bool operator==(point const&) const = default;
};

struct flagged {
  int x;
  bool flag;
  bool more[2];
  bool operator==(flagged const&) const = default;
};

struct person {
  std::string name;
  std::vector<point> places;
  std::string aliases[2];
  std::optional<colour> favourite;
  flagged flags;
  nothing none;
  bool operator==(person const&) const = default;
};

struct many {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w;
  std::string last;
  bool operator==(many const&) const = default;
};

}  // namespace

template <>
inline constexpr bool codec_test::open_enum<plain> = true;

namespace {

template <class T>
class codec_of : public testing::Test {};

using types =
    testing::Types<bool, char, std::int8_t, std::uint16_t, int, std::uint64_t, float, double, colour, plain, yes_no,
                   nothing, point, flagged, person, many, std::string, std::u16string, std::vector<int>,
                   std::vector<bool>, std::vector<std::string>, std::vector<nothing>, std::vector<flagged>,
                   std::vector<std::vector<person>>, std::vector<std::pair<char, double>>, std::pair<int, std::string>,
                   std::tuple<>, std::tuple<std::string>, std::tuple<char, double, bool, std::vector<std::string>>,
                   std::array<int, 5>, std::array<std::string, 3>, std::array<bool, 2>, std::array<point, 0>,
                   std::deque<std::string>, std::list<int>, std::map<std::string, person>, std::set<int>,
                   std::unordered_map<int, std::string>, std::multimap<int, bool>, std::optional<std::string>,
                   std::vector<std::optional<std::pair<int, bool>>>>;

class type_number {
 public:
  template <class T>
  static std::string GetName(int i) {
    return std::to_string(i);
  }
};

TYPED_TEST_SUITE(codec_of, types, type_number);

constexpr int rounds = 60;

TYPED_TEST(codec_of, decodes_what_it_encoded) {
  SCOPED_TRACE(replay());
  generator random(seed());
  for (int i = 0; i != rounds; ++i) {
    auto const value = random_value<TypeParam>(random);
    auto const bytes = encoded(value);
    byte_reader from(bytes);
    EXPECT_TRUE(codec<TypeParam>::decode(from) == value);
    EXPECT_EQ(from.remaining(), 0U);
    if constexpr (sheaf::fixed_size<TypeParam>) {
      EXPECT_EQ(bytes.size(), sheaf::fixed_wire_size<TypeParam>);
    }
  }
}

TYPED_TEST(codec_of, rejects_every_strict_prefix) {
  SCOPED_TRACE(replay());
  generator random(seed());
  for (int i = 0; i != rounds / 4; ++i) {
    auto const bytes = encoded(random_value<TypeParam>(random));
    std::size_t const step = 1 + bytes.size() / 200;
    for (std::size_t size = 0; size < bytes.size(); size += step) {
      std::vector<std::byte> const prefix(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
      byte_reader from(prefix);
      EXPECT_THROW((void)codec<TypeParam>::decode(from), decode_error) << size << " of " << bytes.size() << " bytes";
    }
  }
}

TYPED_TEST(codec_of, survives_corrupted_bytes) {
  if constexpr (codec_test::open_enum<TypeParam>)
    GTEST_SKIP() << "without a fixed type an enum has values that are none";
  SCOPED_TRACE(replay());
  generator random(seed());
  for (int i = 0; i != rounds * 4; ++i) {
    auto bytes = encoded(random_value<TypeParam>(random));
    std::size_t const hits = bytes.empty() ? 0 : 1 + random() % 3;
    for (std::size_t hit = 0; hit != hits; ++hit) {
      bytes[random() % bytes.size()] = random() % 2 == 0 ? std::byte{0xFF} : static_cast<std::byte>(random());
    }
    byte_reader from(bytes);
    try {
      auto const value = codec<TypeParam>::decode(from);
      auto const again = encoded(value);  // reads every byte of it; whatever it is, it is a value
      byte_reader from_again(again);
      (void)codec<TypeParam>::decode(from_again);
      EXPECT_EQ(from_again.remaining(), 0U);
    } catch (decode_error const&) {
      SUCCEED();
    }
  }
}

}  // namespace
