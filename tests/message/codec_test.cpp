// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/codec.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstring>
#include <forward_list>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "codec_random.hpp"

namespace {

using codec_test::bytes_of;
using codec_test::encoded;
using codec_test::error_of;
using codec_test::round_trip;
using sheaf::byte_reader;
using sheaf::codec;
using sheaf::codec_type;
using sheaf::fixed_size;
using sheaf::fixed_wire_size;

class account {  // neither a default constructor nor copies
 public:
  explicit account(std::string name) : name_(std::move(name)) {}
  account(account&&) = default;
  account& operator=(account&&) = default;
  [[nodiscard]] std::string const& name() const { return name_; }

 private:
  std::string name_;
};

struct only_from_int {
  explicit only_from_int(int v) : value(v) {}
  int value;
};

struct without_default {
  int number;
  only_from_int part;
  std::string const text;
};

struct holds_pointer {
  int a;
  int* p;
};
struct holds_reference {
  std::string a;
  int const& r;
};
struct holds_view {
  int a;
  std::string_view v;
};
struct holds_holder {
  std::string a;
  std::vector<std::optional<holds_pointer>> deep;
};
struct derived : without_default {
  int more;
};
struct with_union {
  int tag;
  union {
    int i;
    float f;
  };
};
struct image {
  char name[4096];
  int id;
};
struct bools {
  int a;
  bool b;
};
struct abstract {
  virtual ~abstract() = default;
  virtual void f() = 0;
};
struct handle {
  std::uint64_t number;
  int* operator->() const { return nullptr; }
};
struct same_with_permission : handle {};

}  // namespace

template <>
struct sheaf::codec<account> {
  static std::size_t size(account const& a) { return codec<std::string>::size(a.name()); }
  static void encode(byte_writer& to, account const& a) { codec<std::string>::encode(to, a.name()); }
  static account decode(byte_reader& from) { return account(codec<std::string>::decode(from)); }
};
template <>
inline constexpr bool sheaf::travels_as_bytes<with_union> = true;
template <>
inline constexpr bool sheaf::travels_as_bytes<same_with_permission> = true;

namespace {

static_assert(codec_type<int> && codec_type<int const> && codec_type<std::string> && codec_type<image>);
static_assert(codec_type<with_union> && codec_type<same_with_permission> && codec_type<account>);
static_assert(codec_type<without_default> && !codec_type<std::unique_ptr<int>>);  // needs sheaf/std.hpp
static_assert(!codec_type<int&> && !codec_type<int*> && !codec_type<char const*> && !codec_type<void> &&
              !codec_type<int()> && !codec_type<int account::*> && !codec_type<decltype(nullptr)> &&
              !codec_type<std::string_view> && !codec_type<std::span<int>> &&
              !codec_type<std::reference_wrapper<int>> && !codec_type<std::vector<int>::iterator> &&
              !codec_type<int volatile> && codec_type<std::variant<int>>);
static_assert(!codec_type<holds_pointer> && !codec_type<holds_reference> && !codec_type<holds_view> &&
              !codec_type<holds_holder> && !codec_type<derived> && !codec_type<handle> && !codec_type<abstract> &&
              !codec_type<std::vector<int*>> && !codec_type<std::array<int*, 2>> &&
              !codec_type<std::tuple<int, int&>> && !codec_type<std::map<int, char*>>);

static_assert(fixed_wire_size<int> == 4 && fixed_wire_size<bool> == 1 && fixed_wire_size<image> == sizeof(image));
static_assert(fixed_wire_size<std::pair<char, double>> == 9 && fixed_wire_size<std::tuple<>> == 0);
static_assert(fixed_wire_size<std::array<std::pair<char, int>, 3>> == 15 && fixed_wire_size<bools> == 5);
static_assert(fixed_wire_size<decltype([] {})> == 0 && fixed_wire_size<decltype([x = 1] { return x; })> == 4);
static_assert(!fixed_size<std::string> && !fixed_size<std::vector<int>> && !fixed_size<account>);

TEST(codec, writes_fixed_types_packed) {
  if (std::endian::native != std::endian::little) GTEST_SKIP() << "the bytes below are little-endian";
  EXPECT_EQ(encoded(std::pair<char, std::int16_t>{'a', 2}), bytes_of({'a', 2, 0}));
  EXPECT_EQ(encoded(bools{3, true}), bytes_of({3, 0, 0, 0, 1}));
}

TEST(codec, writes_containers_as_count_and_elements) {
  EXPECT_EQ(encoded(std::string("ab")), bytes_of({2, 'a', 'b'}));
  EXPECT_EQ(encoded(std::vector<std::string>{"a", ""}), bytes_of({2, 1, 'a', 0}));
  EXPECT_EQ(encoded(std::vector<bool>{true, false}), bytes_of({2, 1, 0}));
  EXPECT_EQ(encoded(std::vector<std::tuple<>>(3)), bytes_of({3, 0, 0, 0}));
  EXPECT_EQ(encoded(std::string(200, 'x')).size(), 202U);
}

TEST(codec, reads_any_byte_but_zero_as_true) {
  for (int byte = 0; byte != 256; ++byte) {
    auto const bytes = bytes_of({0, 0, 0, 0, byte});
    byte_reader from(bytes);
    EXPECT_EQ(std::bit_cast<unsigned char>(codec<bools>::decode(from).b), byte != 0 ? 1 : 0);
  }
}

/// Cannot be taken apart into its members.
class opaque {
 public:
  opaque() = default;
  opaque(int number, bool yes) : number_(number), yes_{false, yes} {}
  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool yes(int i) const { return yes_[i]; }

 private:
  int number_ = 0;
  bool yes_[2] = {};
};
struct opaque_in_array {
  opaque all[2];
};

TEST(codec, reads_no_other_bool_than_true_and_false_in_a_class_that_is_sent_as_its_bytes) {
  auto const bytes = bytes_of({2, 3, 4, 5, 2, 0, 255, 255});
  byte_reader from(bytes);
  auto const one = codec<opaque>::decode(from);
  auto const image = std::bit_cast<std::array<unsigned char, sizeof(opaque)>>(one);
  EXPECT_EQ(image[4], 1);
  EXPECT_EQ(image[5], 0);
  EXPECT_EQ(one.number(), 0x05040302);
  auto const answer = [number = 3, yes = true] { return yes ? number : 0; };
  auto sent = encoded(answer);
  sent[4] = std::byte{2};
  byte_reader closure(sent);
  auto const come = codec<std::remove_const_t<decltype(answer)>>::decode(closure);
  std::byte place{};
  std::memcpy(&place, reinterpret_cast<std::byte const*>(&come) + 4, 1);
  EXPECT_EQ(place, std::byte{1});
  EXPECT_EQ(come(), 3);
}

TEST(codec, keeps_classes_with_bools_in_containers) {
  std::vector<opaque> const all = {{1, true}, {2, false}, {3, true}};
  auto const bytes = encoded(all);
  byte_reader from(bytes);
  auto const come = codec<std::vector<opaque>>::decode(from);
  ASSERT_EQ(come.size(), 3u);
  EXPECT_TRUE(come[2].yes(1) && !come[2].yes(0) && !come[1].yes(1));
  auto const pair = encoded(opaque_in_array{{{4, true}, {5, false}}});
  byte_reader array(pair);
  EXPECT_EQ(codec<opaque_in_array>::decode(array).all[1].number(), 5);
}

TEST(codec, says_what_was_wanted_and_what_was_left) {
  EXPECT_EQ(error_of<std::uint64_t>(bytes_of({1, 2, 3})),
            "sheaf: a message is too short: 8 bytes were wanted, 3 are left; "
            "sender and receiver must run the same build, and a codec's decode read what its encode wrote");
  EXPECT_EQ(error_of<std::vector<std::int32_t>>(bytes_of({3, 0, 0, 0, 0, 0, 0, 0, 0})),
            "sheaf: a message announces 3 elements of at least 4 bytes, legal here are 0 to 2 (8 bytes are left); "
            "sender and receiver must run the same build, and a codec's decode read what its encode wrote");
}

TEST(codec, rejects_a_count_whose_bytes_would_overflow) {
  std::vector<std::byte> const largest = bytes_of({255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 0, 0});
  EXPECT_NE(error_of<std::vector<std::uint64_t>>(largest).find("announces 18446744073709551615"), std::string::npos);
  EXPECT_NE(error_of<std::vector<std::tuple<>>>(largest).find("legal here are 0 to 2"), std::string::npos);
  EXPECT_NE(error_of<std::vector<account>>(largest).find("legal here are 0 to 2"), std::string::npos);
  EXPECT_NE(error_of<std::list<std::string>>(largest).find("announces"), std::string::npos);
}

TEST(codec, rejects_a_count_whose_bytes_wrap_around_to_none) {
  std::vector<std::byte> const two_to_61 = bytes_of({128, 128, 128, 128, 128, 128, 128, 128, 32});
  EXPECT_NE(error_of<std::vector<std::uint64_t>>(two_to_61).find("announces 2305843009213693952"), std::string::npos);
}

TEST(codec, rejects_a_count_beyond_64_bits) {
  std::vector<std::byte> const beyond = bytes_of({255, 255, 255, 255, 255, 255, 255, 255, 255, 2, 0, 0});
  EXPECT_NE(error_of<std::string>(beyond).find("count above 2^64 - 1"), std::string::npos);
}

TEST(codec, carries_members_without_default_constructor) {
  auto const copy = round_trip(without_default{1, only_from_int(2), "three"});
  EXPECT_EQ(copy.number, 1);
  EXPECT_EQ(copy.part.value, 2);
  EXPECT_EQ(copy.text, "three");
}

TEST(codec, uses_the_codec_of_a_move_only_type_everywhere) {
  EXPECT_EQ(round_trip(account("eve")).name(), "eve");
  std::vector<account> many;
  many.emplace_back("a");
  many.emplace_back("bc");
  EXPECT_EQ(encoded(many), bytes_of({2, 0, 1, 'a', 0, 2, 'b', 'c'}));
  EXPECT_EQ(round_trip(many)[1].name(), "bc");
  EXPECT_EQ(std::get<0>(round_trip(std::tuple<account, int>(account("f"), 1))).name(), "f");
}

TEST(codec, carries_closures_by_value) {
  auto const add = [x = 40L, y = 'b'](int z) { return x + z + (y == 'b' ? 0 : 1); };
  EXPECT_EQ(round_trip(add)(2), 42);
  EXPECT_EQ(round_trip([] { return 7; })(), 7);
}

TEST(codec, carries_what_the_user_declares_as_bytes) {
  EXPECT_EQ(round_trip(with_union{1, {5}}).i, 5);
  EXPECT_EQ(round_trip(same_with_permission{{9}}).number, 9U);
}

// ---- types that contain themselves, and are no aggregates --------------------------------------------------------

struct json : std::map<std::string, json> {};
struct words : std::vector<std::variant<std::string, words>> {};
struct perhaps : std::optional<std::vector<perhaps>> {};
struct forest : std::forward_list<forest> {};

/// One inside the other.
template <class T, class Put>
T nested(std::uint32_t levels, Put put) {
  T all;
  for (std::uint32_t i = 1; i < levels; ++i) {
    T next;
    put(next, std::move(all));
    all = std::move(next);
  }
  return all;
}

/// Of a type of which each value inside another takes `levels_each` levels.
template <class T, class Put>
void expect_limit(std::uint32_t levels_each, Put put, std::initializer_list<std::byte> hostile) {
  std::uint32_t const most = sheaf::detail::most_nested / levels_each;
  auto const deepest = nested<T>(most, put);
  EXPECT_EQ(encoded(round_trip(deepest)), encoded(deepest));
  EXPECT_THROW((void)codec<T>::size(nested<T>(most + 1, put)), sheaf::usage_error);
  std::vector<std::byte> endless;
  for (int i = 0; i != 1'000'000; ++i) endless.insert(endless.end(), hostile);
  EXPECT_NE(error_of<T>(endless).find("more than 200 levels deep"), std::string::npos) << error_of<T>(endless);
}

TEST(codec, limits_the_depth_of_containers_that_hold_themselves) {
  static_assert(sheaf::detail::level_itself<json> && sheaf::detail::level_itself<words>);
  static_assert(!sheaf::detail::level_itself<std::vector<std::vector<int>>>);
  constexpr std::byte one{1};
  expect_limit<json>(1, [](json& to, json&& part) { to.emplace("", std::move(part)); }, {one, std::byte{}});
  expect_limit<words>(2, [](words& to, words&& part) { to.emplace_back(std::move(part)); }, {one, one});
  expect_limit<perhaps>(2, [](perhaps& to, perhaps&& part) { to.emplace().push_back(std::move(part)); }, {one, one});
  expect_limit<forest>(1, [](forest& to, forest&& part) { to.push_front(std::move(part)); }, {one});
}

}  // namespace
