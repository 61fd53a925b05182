// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/std.hpp"

#include <gtest/gtest.h>

#include <bitset>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <string>
#include <system_error>
#include <typeindex>
#include <unordered_map>
#include <valarray>
#include <variant>
#include <vector>

#include "codec_random.hpp"
#include "sheaf/message/arguments_codec.hpp"

/// What the properties of codec_property_test.cpp and std_types_property_test.cpp do not say.
namespace {

using namespace codec_test;
using sheaf::byte_reader;
using sheaf::codec;
using sheaf::codec_type;
using sheaf::usage_error;

struct shape {
  virtual ~shape() = default;
  int sides = 0;
};
struct square final : shape {
  void define_type(sheaf::typer& t) { t.local(sides); }
};

template <class T>
using with_function = std::set<T, std::function<bool(T, T)>>;
struct coded_hash {
  std::size_t salt;
  std::size_t operator()(int v) const { return static_cast<std::size_t>(v) ^ salt; }
};
struct free_it {
  void operator()(int* p) const { delete p; }
};

/// Looks like an adaptor from outside.
class own_queue {
 public:
  using value_type = int;
  using container_type = std::vector<int>;
  void push(int) {}
  void pop() {}

 private:
  std::vector<int> values_;
};

/// Has the functions of a std::type_index, but nothing to hide.
struct animal {
  std::string species;
  [[nodiscard]] std::string name() const { return species; }
  [[nodiscard]] std::size_t hash_code() const { return species.size(); }
};

static_assert(codec_type<animal>);
static_assert(codec_type<std::unique_ptr<int>> && codec_type<std::unique_ptr<square>> &&
              codec_type<std::shared_ptr<std::string const>> && codec_type<std::weak_ptr<int>>);
static_assert(!codec_type<std::unique_ptr<shape>> && !codec_type<std::shared_ptr<shape>> &&
              !codec_type<std::unique_ptr<int[]>> && !codec_type<std::shared_ptr<int[]>> &&
              !codec_type<std::unique_ptr<int, free_it>> && !codec_type<std::unique_ptr<int*>> &&
              !codec_type<std::shared_ptr<void>> && !codec_type<std::vector<std::unique_ptr<char*>>>);
static_assert(!codec_type<with_function<int>> && !codec_type<std::map<int, int, bool (*)(int, int)>> &&
              !codec_type<std::unordered_map<int, int, coded_hash>> &&
              !codec_type<std::priority_queue<int, std::vector<int>, std::function<bool(int, int)>>>);
static_assert(!codec_type<std::variant<int, int*>> && !codec_type<std::error_code> && !codec_type<std::type_index> &&
              !codec_type<std::function<void()>> && !codec_type<own_queue> && !codec_type<std::vector<bool>::iterator>);

// ---- owners --------------------------------------------------------------------------------------------------------

struct link {
  int value = 0;
  std::unique_ptr<link> next;
};

TEST(std_types, give_every_receiver_an_object_of_its_own) {
  auto const sent = std::make_unique<std::string>("one");
  auto const got = round_trip(sent);
  EXPECT_EQ(*got, "one");
  EXPECT_NE(got.get(), sent.get());
  EXPECT_EQ(round_trip(std::unique_ptr<int>()), nullptr);
}

TEST(std_types, carry_chains_to_a_limit) {
  auto const chain = [](std::uint32_t links) {
    link first;
    for (std::uint32_t i = 1; i < links; ++i) {
      auto next = std::make_unique<link>();
      next->value = static_cast<int>(i);
      next->next = std::move(first.next);
      first.next = std::move(next);
    }
    return first;
  };
  auto const got = round_trip(chain(sheaf::detail::most_nested));
  EXPECT_EQ(got.next->value, 199);
  EXPECT_THROW((void)codec<link>::size(chain(sheaf::detail::most_nested + 1)), usage_error);
  std::vector<std::byte> endless;
  for (int i = 0; i != 100'000; ++i) endless.insert(endless.end(), {std::byte{}, {}, {}, {}, std::byte{1}});
  EXPECT_NE(error_of<link>(endless).find("levels deep"), std::string::npos);
}

// ---- shared objects ------------------------------------------------------------------------------------------------

using text = std::shared_ptr<std::string>;

TEST(std_types, keep_one_shared_object_one) {
  auto const one = std::make_shared<std::string>("shared");
  auto const got = round_trip(std::vector<text>{one, nullptr, one, std::make_shared<std::string>("shared")});
  EXPECT_EQ(*got[0], "shared");
  EXPECT_EQ(got[1], nullptr);
  EXPECT_EQ(got[0], got[2]);
  EXPECT_NE(got[0], got[3]) << "equal is not the same";
  EXPECT_NE(got[0], one);
  EXPECT_EQ(got[0].use_count(), 2);
}

TEST(std_types, share_between_the_arguments_of_one_request) {
  using pack = sheaf::arguments_codec<text, std::map<int, text>, std::shared_ptr<std::string const>>;
  auto const one = std::make_shared<std::string>(100, 'x');
  std::map<int, text> const named{{1, one}, {2, one}};
  std::vector<std::byte> bytes(pack::size(one, named, one));
  EXPECT_LT(bytes.size(), 130U) << "its text travels once";
  sheaf::byte_writer to(bytes.data(), bytes.data() + bytes.size());
  pack::encode(to, one, named, one);
  EXPECT_EQ(to.remaining(), 0U);
  byte_reader from(bytes);
  auto const [a, b, c] = pack::decode(from);
  EXPECT_EQ(a, b.at(1));
  EXPECT_EQ(a, b.at(2));
  EXPECT_EQ(a, c);
}

TEST(std_types, arrive_as_two_objects_from_two_requests) {
  auto const one = std::make_shared<std::string>("x");
  EXPECT_NE(round_trip(one), round_trip(one));
}

struct member_of_ring {
  int value = 0;
  std::vector<std::shared_ptr<member_of_ring>> children;
  std::weak_ptr<member_of_ring> parent;
};

TEST(std_types, keep_rings_and_ways_back) {
  auto const root = std::make_shared<member_of_ring>();
  root->value = 1;
  root->children.push_back(std::make_shared<member_of_ring>());
  root->children[0]->parent = root;
  auto const got = round_trip(root);
  EXPECT_EQ(got->value, 1);
  EXPECT_EQ(got->children[0]->parent.lock(), got);
  root->children.push_back(root);
  auto const ring = round_trip(root);
  EXPECT_EQ(ring->children[1], ring);
  ring->children.clear();
  root->children.clear();
}

TEST(std_types, carry_a_weak_pointer_by_its_owner) {
  auto const owner = std::make_shared<int>(3);
  using both = std::pair<std::weak_ptr<int>, std::shared_ptr<int>>;
  auto const got = round_trip(both(owner, owner));
  EXPECT_EQ(got.first.lock(), got.second);
  EXPECT_EQ(*got.second, 3);
  EXPECT_TRUE(round_trip(std::weak_ptr<int>(owner)).expired()) << "nobody owns it there";
  EXPECT_TRUE(round_trip(std::weak_ptr<int>()).expired());
}

/// Can only be made with its value, so nothing in that can point to it.
struct sealed;
struct to_sealed {
  std::vector<std::shared_ptr<sealed>> others;
};
struct sealed {
  to_sealed const to;
  int const number;
};

TEST(std_types, carry_shared_objects_that_are_made_with_their_values_unless_in_a_ring) {
  static_assert(!std::is_default_constructible_v<sealed> || !std::is_move_assignable_v<sealed>);
  auto const inner = std::make_shared<sealed>(sealed{{}, 1});
  auto const got = round_trip(std::make_shared<sealed>(sealed{{{inner, inner}}, 2}));
  EXPECT_EQ(got->to.others[0], got->to.others[1]);
  EXPECT_EQ(got->to.others[0]->number, 1);

  auto const ring = std::make_shared<sealed>(sealed{{{inner}}, 3});
  auto& others = const_cast<std::vector<std::shared_ptr<sealed>>&>(ring->to.others);
  others[0] = ring;
  EXPECT_THROW((void)codec<std::shared_ptr<sealed>>::size(ring), usage_error);
  others.clear();
  auto bytes = encoded(std::make_shared<sealed>(sealed{{{inner}}, 3}));  // 1, count 1, 1, count 0, number 1, number 3
  EXPECT_EQ(bytes, bytes_of({1, 1, 1, 0, 1, 0, 0, 0, 3, 0, 0, 0}));
  EXPECT_NE(error_of<std::shared_ptr<sealed>>(bytes_of({1, 1, 2, 3, 0, 0, 0})).find("refers to shared object 0"),
            std::string::npos);
}

TEST(std_types, reject_references_to_objects_that_are_not_there) {
  using two = std::vector<std::shared_ptr<char>>;
  auto const one = std::make_shared<char>('c');
  EXPECT_EQ(encoded(two{one, one}), bytes_of({2, 1, 'c', 2}));
  EXPECT_NE(error_of<two>(bytes_of({2, 1, 'c', 3})).find("refers to shared object 1"), std::string::npos);
  EXPECT_NE(error_of<two>(bytes_of({1, 2})).find("refers to shared object 0, which is not one of 0"),
            std::string::npos);
  using mixed = std::pair<std::shared_ptr<char>, std::shared_ptr<bool>>;
  EXPECT_NE(error_of<mixed>(bytes_of({1, 'c', 2})).find("refers to shared object 0"), std::string::npos)
      << "it has another type";
}

// ---- others --------------------------------------------------------------------------------------------------------

TEST(std_types, carry_the_alternative_that_a_variant_holds) {
  using choice = std::variant<int, std::string, int>;
  EXPECT_EQ(encoded(choice(std::in_place_index<1>, "a")), bytes_of({1, 1, 'a'}));
  EXPECT_EQ(round_trip(choice(std::in_place_index<2>, 7)).index(), 2U);
  EXPECT_NE(error_of<choice>(bytes_of({3, 0, 0, 0, 0})).find("holds alternative 3 of a variant, legal are 0 to 2"),
            std::string::npos);
}

struct refusing {
  std::string text;
  refusing() = default;
  explicit refusing(int why) { throw why; }
  void define_type(sheaf::typer& t) { t.local(text); }
};

TEST(std_types, refuse_a_variant_that_lost_its_value) {
  std::variant<std::string, refusing> lost;
  EXPECT_THROW(lost.emplace<1>(1), int);
  ASSERT_TRUE(lost.valueless_by_exception());
  EXPECT_THROW((void)codec<decltype(lost)>::size(lost), usage_error);
}

TEST(std_types, drop_bits_that_a_bitset_does_not_have) {
  std::vector<std::byte> const all(sizeof(std::bitset<5>), std::byte{0xFF});
  byte_reader from(all);
  EXPECT_EQ(codec<std::bitset<5>>::decode(from).count(), 5U);
  struct flags {
    std::bitset<3> bits;
    int x;
  };
  std::vector<std::byte> const more(sheaf::fixed_wire_size<flags>, std::byte{0xFF});
  byte_reader from_more(more);
  EXPECT_EQ(codec<flags>::decode(from_more).bits.count(), 3U);
}

TEST(std_types, make_the_heap_of_a_priority_queue_anew) {
  auto const no_heap = bytes_of({3, 1, 2, 3});
  byte_reader from(no_heap);
  auto queue = codec<std::priority_queue<char>>::decode(from);
  EXPECT_EQ(queue.top(), 3);
  queue.pop();
  EXPECT_EQ(queue.top(), 2);
}

struct only_from_int {
  explicit only_from_int(int v) : value(v) {}
  int value;
};
struct move_only {
  std::unique_ptr<int> key;
  bool operator<(move_only const& other) const { return *key < *other.key; }
};

TEST(std_types, carry_elements_without_default_constructor_and_move_only_keys) {
  std::vector<only_from_int> const images{only_from_int(1), only_from_int(2)};
  EXPECT_EQ(round_trip(images)[1].value, 2);
  std::map<int, only_from_int> const named{{3, only_from_int(4)}};
  EXPECT_EQ(round_trip(named).at(3).value, 4);
  std::map<move_only, std::unique_ptr<std::string>> keyed;
  keyed.emplace(move_only{std::make_unique<int>(2)}, std::make_unique<std::string>("two"));
  keyed.emplace(move_only{std::make_unique<int>(1)}, nullptr);
  auto const got = round_trip(keyed);
  EXPECT_EQ(*got.begin()->first.key, 1);
  EXPECT_EQ(*got.rbegin()->second, "two");
}

/// As std::expected of C++23.
template <class V, class E>
class outcome {
 public:
  using value_type = V;
  using error_type = E;
  struct unexpected_type {
    explicit unexpected_type(E e) : error(std::move(e)) {}
    E error;
  };
  explicit outcome(V v) : held_(std::in_place_index<0>, std::move(v)) {}
  explicit outcome(unexpected_type e) : held_(std::in_place_index<1>, std::move(e.error)) {}
  [[nodiscard]] bool has_value() const { return held_.index() == 0; }
  [[nodiscard]] V const& operator*() const { return std::get<0>(held_); }
  [[nodiscard]] V const* operator->() const { return &**this; }
  [[nodiscard]] E const& error() const { return std::get<1>(held_); }

 private:
  std::variant<V, E> held_;
};

TEST(std_types, carry_values_or_errors) {
  using result = outcome<std::vector<int>, std::string>;
  EXPECT_EQ((*round_trip(result(std::vector{1, 2}))).size(), 2U);
  EXPECT_EQ(round_trip(result(result::unexpected_type("no"))).error(), "no");
  static_assert(!codec_type<outcome<int*, int>> && !codec_type<outcome<int, int*>>);
}

}  // namespace
