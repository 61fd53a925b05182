// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/algorithm/detail/local_sort.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <compare>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using sheaf::detail::has_kernel;
using sheaf::detail::sort_local;

static_assert(has_kernel<long> && has_kernel<long long> && has_kernel<char> && has_kernel<char32_t>);
static_assert(!has_kernel<bool> && !has_kernel<long double> && !has_kernel<int*> && !has_kernel<std::string>);

constexpr std::size_t sizes[] = {0, 1, 2, 3, 17, 256, 1000, 40'000};

template <typename T>
class local_sort_kernel : public testing::Test {};

using numbers = testing::Types<char, signed char, unsigned char, std::int16_t, std::uint16_t, char32_t, std::int32_t,
                               std::uint32_t, long, unsigned long, long long, unsigned long long, float, double>;
TYPED_TEST_SUITE(local_sort_kernel, numbers);

/// Random bit patterns, so for floating-point types NaNs and infinities of both signs, too.
template <typename T>
T random_value(std::mt19937_64& random) {
  std::uint64_t const bits = random();
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  if constexpr (std::is_same_v<T, double>) return std::bit_cast<double>(bits);
  return static_cast<T>(bits);
}

template <typename T>
bool bits_less(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::strong_order(a, b) < 0;
  } else {
    return a < b;
  }
}

template <typename T>
void expect_sorted_as_std(std::vector<T> values) {
  std::vector<T> expected = values;
  std::sort(expected.begin(), expected.end(), bits_less<T>);
  sort_local(std::span<T>(values));
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_FALSE(bits_less(values[i], expected[i]) || bits_less(expected[i], values[i])) << "at " << i;
  }
}

TYPED_TEST(local_sort_kernel, random_values_are_in_the_order_of_std) {
  std::mt19937_64 random(11);
  for (std::size_t const n : sizes) {
    std::vector<TypeParam> values(n);
    for (TypeParam& value : values) value = random_value<TypeParam>(random);
    expect_sorted_as_std(values);
  }
}

TYPED_TEST(local_sort_kernel, few_distinct_values_and_the_extremes) {
  using limits = std::numeric_limits<TypeParam>;
  TypeParam const choice[] = {limits::lowest(), limits::max(), TypeParam{0}, TypeParam{1}};
  std::mt19937_64 random(12);
  for (std::size_t const n : sizes) {
    std::vector<TypeParam> values(n);
    for (TypeParam& value : values) value = choice[random() % 4];
    expect_sorted_as_std(values);
    expect_sorted_as_std(std::vector<TypeParam>(n, limits::max()));
  }
}

TEST(local_sort, floating_point_has_a_total_order) {
  double const inf = std::numeric_limits<double>::infinity();
  double const nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> values{nan, 0.0, inf, 1.0, -0.0, -inf, -nan, -1.0};
  sort_local(std::span<double>(values));
  EXPECT_TRUE(std::isnan(values[0]) && std::signbit(values[0]));
  EXPECT_EQ((std::vector<double>(values.begin() + 1, values.end() - 1)),
            (std::vector<double>{-inf, -1.0, -0.0, 0.0, 1.0, inf}));
  EXPECT_TRUE(std::signbit(values[3]) && !std::signbit(values[4]));
  EXPECT_TRUE(std::isnan(values[7]) && !std::signbit(values[7]));
}

TEST(local_sort, other_types_and_comparisons) {
  std::vector<std::string> words{"b", "", "a", "ab"};
  sort_local(std::span<std::string>(words));
  EXPECT_EQ(words, (std::vector<std::string>{"", "a", "ab", "b"}));
  std::vector<int> values{3, 1, 2};
  sort_local(std::span<int>(values), std::greater<>());
  EXPECT_EQ(values, (std::vector<int>{3, 2, 1}));
}

}  // namespace
