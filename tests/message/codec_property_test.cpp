// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "codec_properties.hpp"

#include <array>
#include <bitset>
#include <chrono>
#include <complex>
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

/// Properties of every codec, over random values of many types.
namespace {

using namespace codec_test;

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
                   std::vector<std::optional<std::pair<int, bool>>>, std::complex<float>,
                   std::vector<std::complex<double>>, std::bitset<5>, std::bitset<130>, std::vector<std::bitset<3>>,
                   std::chrono::nanoseconds, std::chrono::system_clock::time_point, std::u8string, std::u32string>;
TYPED_TEST_SUITE(codec_of, types, type_number);

TYPED_TEST(codec_of, decodes_what_it_encoded) { decodes_what_it_encoded<TypeParam>(); }
TYPED_TEST(codec_of, rejects_every_strict_prefix) { rejects_every_strict_prefix<TypeParam>(); }
TYPED_TEST(codec_of, survives_corrupted_bytes) { survives_corrupted_bytes<TypeParam>(); }

}  // namespace
