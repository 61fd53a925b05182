// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <gtest/gtest.h>

#include <atomic>
#include <complex>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <thread>
#include <type_traits>
#include <vector>

#include "memory/kernels.hpp"
#include "memory/shapes.hpp"

namespace {

using sheaf::memory_guards;
using sheaf::detail::change_kind;
using sheaf::detail::element_kind;
using sheaf::detail::paired_rows;
using sheaf_test::dice;
using sheaf_test::shape;

/// A heap with guards of its own.
struct guarded_heap final : sheaf::host_memory {
  std::byte* take(std::size_t bytes) override { return heap.take(bytes); }
  void give_back(std::byte* data, std::size_t bytes) noexcept override { heap.give_back(data, bytes); }
  memory_guards& guards_for(std::uintptr_t) const noexcept override { return *guards; }
  [[nodiscard]] std::size_t taken() const {
    std::size_t sum = 0;
    for (auto const& one : guards->all) sum += one.taken;
    return sum;
  }
  sheaf::heap_memory heap;
  std::unique_ptr<memory_guards> guards = std::make_unique<memory_guards>();
};

void yield(void*, std::uint32_t) { std::this_thread::yield(); }

constexpr std::size_t guard_bytes = memory_guards::bytes_of_one;

/// Memory that begins at a guard's first byte.
struct aligned_bytes {
  explicit aligned_bytes(std::size_t n) {
    data = static_cast<std::byte*>(::operator new (n, std::align_val_t{guard_bytes}));
    std::memset(data, 0, n);
  }
  aligned_bytes& operator=(aligned_bytes&&) = delete;
  ~aligned_bytes() { ::operator delete (data, std::align_val_t{guard_bytes}); }
  std::byte* data;
};

template <class T>
T at(std::byte const* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

template <class T>
void fill(std::byte* bytes, std::size_t n, std::uint64_t first) {
  for (std::size_t i = 0; i < n; ++i) {
    T value;
    if constexpr (std::is_arithmetic_v<T>) {
      value = static_cast<T>((first + i * 31) % 1000);
    } else {
      value =
          T(static_cast<typename T::value_type>((first + i * 31) % 1000), static_cast<typename T::value_type>(i % 17));
    }
    std::memcpy(bytes + i * sizeof(T), &value, sizeof value);
  }
}

template <class T>
class add_rows : public testing::Test {};
using kinds = testing::Types<std::uint32_t, std::int64_t, float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(add_rows, kinds);

/// The sums are of small whole numbers, so that they are exact in every order.
template <class T>
void check_shapes(T const* scale, std::uint64_t seed) {
  constexpr bool is_integer = std::is_integral_v<T>;
  dice random(seed);
  std::size_t const elements = sheaf_test::some_count(random);
  shape const to = some_shape(random, elements, sizeof(T), true, is_integer ? sizeof(T) : 1);
  shape const from = some_shape(random, elements, sizeof(T), true, sizeof(T));
  std::size_t const shift = is_integer ? 0 : random.below(3);  // floating-point numbers may lie anywhere
  std::vector<std::byte> source(from.room), target(to.room + shift);
  fill<T>(source.data(), from.room / sizeof(T), seed);
  auto const left = to.places(), right = from.places();
  for (std::size_t i = 0; i < left.size(); i += sizeof(T)) fill<T>(target.data() + shift + left[i], 1, i);
  std::vector<std::byte> plain = target;
  for (std::size_t i = 0; i < left.size(); i += sizeof(T)) {
    std::byte* const one = plain.data() + shift + left[i];
    T const sum = at<T>(one) + (scale == nullptr ? T{1} : *scale) * at<T>(source.data() + right[i]);
    std::memcpy(one, &sum, sizeof sum);
  }
  guarded_heap const memory;
  paired_rows(to.in(target.data() + shift), from.in(source.data())).each([&](paired_rows::block const& b) {
    sheaf::detail::add_rows(b, sheaf::detail::kind_of<T>(), scale, memory, {yield, nullptr});
  });
  ASSERT_EQ(target, plain) << "seed " << seed;
  ASSERT_EQ(memory.taken(), 0u) << "guards are kept";
}

TYPED_TEST(add_rows, of_random_shapes_are_the_sums_of_a_plain_loop) {
  for (std::uint64_t seed = 1; seed <= 600; ++seed) check_shapes<TypeParam>(nullptr, seed);
}

TYPED_TEST(add_rows, with_a_scale) {
  TypeParam three{3};
  if constexpr (!std::is_arithmetic_v<TypeParam>) three = TypeParam(3, -2);
  TypeParam const one{1};
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    check_shapes<TypeParam>(&three, seed);
    check_shapes<TypeParam>(&one, seed);
  }
}

TYPED_TEST(add_rows, integers_wrap_around) {
  if constexpr (std::is_integral_v<TypeParam>) {
    using word = std::make_unsigned_t<TypeParam>;
    word target = std::numeric_limits<word>::max();
    word const source = 5, scale = std::numeric_limits<word>::max();  // -1
    guarded_heap const memory;
    sheaf::detail::add_rows(
        {reinterpret_cast<std::byte*>(&target), reinterpret_cast<std::byte const*>(&source), sizeof target, 1, 0, 0},
        sheaf::detail::kind_of<TypeParam>(), &scale, memory, {yield, nullptr});
    EXPECT_EQ(target, static_cast<word>(-6));
  }
}

/// A row over four guards, whose elements lie across the borders: each once, with the guard taken in which it begins.
TYPED_TEST(add_rows, that_cross_guards) {
  constexpr std::size_t shift = std::is_integral_v<TypeParam> ? 0 : 3;
  constexpr std::size_t n = 3 * guard_bytes / sizeof(TypeParam) + 5;
  aligned_bytes target(4 * guard_bytes);
  std::vector<std::byte> source(n * sizeof(TypeParam));
  fill<TypeParam>(source.data(), n, 1);
  guarded_heap const memory;
  for (int times = 0; times < 2; ++times) {
    sheaf::detail::add_rows({target.data + shift, source.data(), source.size(), 1, 0, 0},
                            sheaf::detail::kind_of<TypeParam>(), nullptr, memory, {yield, nullptr});
  }
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i) {
    TypeParam const one = at<TypeParam>(source.data() + i * sizeof(TypeParam));
    wrong += at<TypeParam>(target.data + shift + i * sizeof(TypeParam)) != one + one ? 1 : 0;
  }
  EXPECT_EQ(wrong, 0u);
}

/// Numbers of several threads, at places that lie across guards' borders: no sum is lost.
TYPED_TEST(add_rows, of_several_threads_lose_nothing) {
  constexpr std::size_t shift = std::is_integral_v<TypeParam> ? 0 : 2;
  constexpr std::size_t n = 64, threads = 4;
  constexpr int rounds = 500;
  aligned_bytes target(2 * guard_bytes);
  std::byte* const first = target.data + guard_bytes - n / 2 * sizeof(TypeParam) + shift;
  std::vector<TypeParam> const ones(n, TypeParam{1});
  guarded_heap const memory;
  auto const work = [&] {
    for (int i = 0; i < rounds; ++i) {
      sheaf::detail::add_rows({first, reinterpret_cast<std::byte const*>(ones.data()), n * sizeof(TypeParam), 1, 0, 0},
                              sheaf::detail::kind_of<TypeParam>(), nullptr, memory, {yield, nullptr});
    }
  };
  std::vector<std::thread> all;
  for (std::size_t t = 1; t < threads; ++t) all.emplace_back(work);
  work();
  for (std::thread& t : all) t.join();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i) {
    wrong += at<TypeParam>(first + i * sizeof(TypeParam)) != TypeParam(threads * rounds) ? 1 : 0;
  }
  EXPECT_EQ(wrong, 0u);
}

/// What one does while another has a guard; it goes on when the guard is free.
TEST(add_rows_guard, waits_for_who_has_it_and_changes_nothing_if_the_wait_throws) {
  guarded_heap const memory;
  aligned_bytes target(2 * guard_bytes);
  double const one = 1;
  auto* const place = target.data + guard_bytes + 64;
  auto& guard = memory.guards->of(reinterpret_cast<std::uintptr_t>(place));
  paired_rows::block const block{place, reinterpret_cast<std::byte const*>(&one), sizeof one, 1, 0, 0};
  guard.taken = 1;
  auto const throws = [](void*, std::uint32_t) { throw 1; };
  EXPECT_THROW(sheaf::detail::add_rows(block, element_kind::float64, nullptr, memory, {throws, nullptr}), int);
  EXPECT_EQ(at<double>(place), 0);
  EXPECT_EQ(guard.taken, 1u) << "it is the other one's";

  struct other {
    sheaf::memory_guard& guard;
    std::byte* place;
    std::uint32_t rounds = 0;
  } holder{guard, place};
  auto const waits = [](void* context, std::uint32_t round) {
    auto& of = *static_cast<other*>(context);
    EXPECT_EQ(round, of.rounds++);
    EXPECT_EQ(at<double>(of.place), 0);
    if (round == 5) of.guard.taken = 0;
  };
  sheaf::detail::add_rows(block, element_kind::float64, nullptr, memory, {waits, &holder});
  EXPECT_EQ(holder.rounds, 6u);
  EXPECT_EQ(at<double>(place), 1);
  EXPECT_EQ(guard.taken, 0u);
}

/// Guards come again each 2 MiB: a row that has one does not wait for itself.
TEST(add_rows_guard, rows_under_one_guard_that_are_far_apart) {
  guarded_heap const memory;
  constexpr std::size_t turn = memory_guards::count * guard_bytes;
  aligned_bytes target(turn + guard_bytes);
  double const values[] = {1, 2};
  sheaf::detail::add_rows(
      {target.data, reinterpret_cast<std::byte const*>(values), 8, 2, static_cast<std::ptrdiff_t>(turn), 8},
      element_kind::float64, nullptr, memory, {[](void*, std::uint32_t) { FAIL() << "it waits"; }, nullptr});
  EXPECT_EQ(at<double>(target.data + turn), 2);
}

template <class T>
void check_words() {
  struct change {
    change_kind how;
    T operand, expected, before, after;
  };
  constexpr T top = std::numeric_limits<T>::max(), some = static_cast<T>(0x0123456789abcdefULL);
  for (change const& c :
       {change{change_kind::add, 5, 0, top, 4}, change{change_kind::swap, 7, 0, some, 7},
        change{change_kind::swap_if, 7, some, some, 7}, change{change_kind::swap_if, 7, 8, some, some},
        change{change_kind::bit_and, 0xff, 0, some, some & 0xff},
        change{change_kind::bit_or, 0xf0, 0, some, some | 0xf0},
        change{change_kind::bit_xor, top, 0, some, static_cast<T>(~some)}, change{change_kind::load, 1, 2, some, some},
        change{change_kind::store, 3, 0, some, 3}}) {
    T words[] = {top, c.before, top};
    std::uint64_t const old =
        sheaf::detail::change_word(reinterpret_cast<std::byte*>(&words[1]), sizeof(T), c.how, c.operand, c.expected);
    EXPECT_EQ(words[1], c.after) << "kind " << static_cast<int>(c.how);
    EXPECT_EQ(old, c.how == change_kind::store ? 0 : c.before) << "kind " << static_cast<int>(c.how);
    EXPECT_EQ(words[0], top);
    EXPECT_EQ(words[2], top) << "it changes what is beside it";
  }
}

TEST(change_word, of_all_kinds_and_widths) {
  check_words<std::uint32_t>();
  check_words<std::uint64_t>();
}

}  // namespace
