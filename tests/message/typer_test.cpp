// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/typer.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "codec_random.hpp"
#include "harness/text_of.hpp"
#include "sheaf/std.hpp"

namespace {

using codec_test::encoded;
using codec_test::error_of;
using codec_test::round_trip;
using sheaf::byte_reader;
using sheaf::codec;
using sheaf::typer;
using sheaf::usage_error;
using sheaf_test::text_of;

// ---- Fig. 4 of the ARMI paper, made public -------------------------------------------------------------------------

class object_b {
 public:
  int size;
  int* array;
  void define_type(typer& t) {
    t.local(size);
    t.dynamic(array, size);
  }
};

class object_a {
 public:
  double a[10];
  object_b b;
  void define_type(typer& t) {
    t.local(a, 10);
    t.local(b);
  }
};

TEST(typer, carries_the_papers_example) {
  int numbers[] = {4, 5, 6};
  object_a const sent{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {3, numbers}};
  object_a const got = round_trip(sent);
  for (int i = 0; i != 10; ++i) EXPECT_EQ(got.a[i], i + 1);
  ASSERT_EQ(got.b.size, 3);
  EXPECT_NE(got.b.array, numbers);
  EXPECT_EQ(got.b.array[2], 6);
  delete[] got.b.array;  // it came by new[]
}

TEST(typer, tells_null_from_an_empty_array) {
  EXPECT_EQ(round_trip(object_b{0, nullptr}).array, nullptr);
  EXPECT_EQ(round_trip(object_b{7, nullptr}).array, nullptr) << "null whatever the length is";
  EXPECT_EQ(round_trip(object_b{7, nullptr}).size, 7);
  int nothing = 0;
  object_b const empty = round_trip(object_b{0, &nothing});
  EXPECT_NE(empty.array, nullptr);
  delete[] empty.array;
}

TEST(typer, refuses_a_negative_length_before_anything_is_written) {
  int nothing = 0;
  std::string const text = text_of<usage_error>([&] { (void)codec<object_b>::size(object_b{-3, &nothing}); });
  EXPECT_NE(text.find("length -3, legal are 0 to"), std::string::npos) << text;
  std::vector<std::byte> bytes = encoded(object_b{1, &nothing});
  for (int i = 0; i != 4; ++i) bytes[static_cast<std::size_t>(i)] = std::byte{0xFF};
  EXPECT_NE(error_of<object_b>(bytes).find("length -1"), std::string::npos);
}

TEST(typer, allocates_nothing_that_the_bytes_do_not_warrant) {
  int nothing = 0;
  std::vector<std::byte> bytes = encoded(object_b{1, &nothing});
  bytes[3] = std::byte{0x7F};  // 2130706433 elements
  EXPECT_NE(error_of<object_b>(bytes).find("an array of 1 elements arrived where the length is 2130706433"),
            std::string::npos);
  bytes[3] = std::byte{0};
  bytes[0] = bytes[5] = std::byte{100};
  EXPECT_NE(error_of<object_b>(bytes).find("announces 100 elements of at least 4 bytes, legal here are 0 to 1"),
            std::string::npos);
}

// ---- arrays of classes, nested to any depth ------------------------------------------------------------------------

struct leaf {
  std::string text;
  std::unique_ptr<short[]> digits;
  unsigned count = 0;
  void define_type(typer& t) {
    t.local(text);
    t.local(count);
    t.dynamic(digits, count);
  }
};

struct branch {
  leaf* leaves = nullptr;
  std::size_t count = 0;
  branch* next = nullptr;
  branch() = default;
  branch(branch&& b) noexcept
      : leaves(std::exchange(b.leaves, nullptr)), count(b.count), next(std::exchange(b.next, nullptr)) {}
  ~branch() {
    delete[] leaves;
    delete next;
  }
  void define_type(typer& t) {
    t.local(count);
    t.dynamic(leaves, count);
    t.dynamic(next);
  }
};

branch branch_of(std::size_t leaves) {
  branch b;
  b.leaves = new leaf[leaves];
  b.count = leaves;
  for (std::size_t i = 0; i != leaves; ++i) {
    b.leaves[i].text = std::string(i, 'x');
    b.leaves[i].count = static_cast<unsigned>(i);
    if (i != 0) b.leaves[i].digits.reset(new short[i]{static_cast<short>(i)});
  }
  return b;
}

TEST(typer, recurses_into_dynamic_objects) {
  branch sent = branch_of(3);
  sent.next = new branch(branch_of(0));
  sent.next->next = new branch(branch_of(1));
  branch const got = round_trip(sent);
  ASSERT_EQ(got.count, 3U);
  EXPECT_EQ(got.leaves[2].text, "xx");
  EXPECT_EQ(got.leaves[2].digits[0], 2);
  EXPECT_EQ(got.leaves[0].digits, nullptr);
  EXPECT_EQ(got.next->count, 0U);
  EXPECT_NE(got.next->leaves, nullptr);
  EXPECT_EQ(got.next->next->count, 1U);
  EXPECT_EQ(got.next->next->next, nullptr);
}

TEST(typer, frees_what_was_read_when_the_rest_is_missing) {
  branch sent = branch_of(4);
  sent.next = new branch(branch_of(2));
  auto const bytes = encoded(sent);
  for (std::size_t size = 0; size != bytes.size(); ++size) {
    EXPECT_NE(error_of<branch>({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)}), "no error");
  }  // a sanitizer sees what is left
}

TEST(typer, refuses_chains_that_take_too_much_stack) {
  auto const chain = [](std::uint32_t links) {
    branch first;
    branch* last = &first;
    for (std::uint32_t i = 1; i < links; ++i) last = last->next = new branch;
    return first;
  };
  EXPECT_NO_THROW((void)round_trip(chain(sheaf::detail::most_nested)));
  auto const text = text_of<usage_error>([&] { (void)encoded(chain(sheaf::detail::most_nested + 1)); });
  EXPECT_NE(text.find("more than 200 levels deep"), std::string::npos) << text;
  std::vector<std::byte> endless;
  for (int i = 0; i != 100'000; ++i) {
    endless.insert(endless.end(), 9, std::byte{0});  // no leaves
    endless.push_back(std::byte{1});                 // a next one
  }
  EXPECT_NE(error_of<branch>(endless).find("more than 200 levels deep"), std::string::npos);
}

// ---- offsets -------------------------------------------------------------------------------------------------------

/// A vector of the paper's words: "a dynamic begin pointer, and an offset end pointer".
struct stretch {
  long* begin = nullptr;
  long* end = nullptr;
  long const* best = nullptr;
  std::vector<int> more;
  int* last = nullptr;
  stretch() = default;
  stretch(stretch&& s) noexcept
      : begin(std::exchange(s.begin, nullptr)), end(s.end), best(s.best), more(std::move(s.more)), last(s.last) {}
  ~stretch() { delete[] begin; }
  void define_type(typer& t) {
    auto length = end - begin;
    t.local(length);
    t.dynamic(begin, length);
    t.offset(end, begin);
    t.offset(best);
    t.local(more);
    t.offset(last);
  }
};

TEST(typer, keeps_offsets_into_what_came_before) {
  stretch sent;
  sent.begin = new long[3]{1, 5, 2};
  sent.end = sent.begin + 3;
  sent.best = sent.begin + 1;
  sent.more = {7, 8};
  sent.last = &sent.more[1];
  stretch const got = round_trip(sent);
  EXPECT_EQ(got.end, got.begin + 3);
  EXPECT_EQ(got.best, got.begin + 1);
  EXPECT_EQ(*got.best, 5);
  EXPECT_EQ(got.last, &got.more[1]);
}

TEST(typer, keeps_null_offsets_and_those_into_empty_arrays) {
  stretch const none = round_trip(stretch());
  EXPECT_EQ(none.begin, nullptr);
  EXPECT_EQ(none.end, nullptr);
  EXPECT_EQ(none.best, nullptr);
  stretch sent;
  sent.begin = sent.end = new long[0];
  sent.best = sent.begin;
  stretch const got = round_trip(sent);
  EXPECT_NE(got.begin, nullptr);
  EXPECT_EQ(got.end, got.begin);
  EXPECT_EQ(got.best, got.begin);
}

struct too_early {
  int* place = nullptr;
  int values[4] = {};
  too_early() = default;
  too_early(too_early const& t) : place(nullptr) { (void)t; }
  void define_type(typer& t) {
    t.offset(place);
    t.local(values, 4);
  }
};

TEST(typer, refuses_an_offset_before_its_target) {
  too_early sent;
  EXPECT_NO_THROW((void)encoded(sent)) << "null needs no target";
  sent.place = sent.values + 2;
  std::string const text = text_of<usage_error>([&] { (void)codec<too_early>::size(sent); });
  EXPECT_NE(text.find("offset() of a pointer into nothing of its type that this object has named before (0 members"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("name the target first"), std::string::npos) << text;
}

TEST(typer, refuses_an_offset_beyond_its_target) {
  long two[2] = {1, 2};
  stretch sent;
  sent.begin = new long[1];
  sent.end = sent.begin + 1;
  sent.best = &two[1];
  EXPECT_NE(text_of<usage_error>([&] { (void)codec<stretch>::size(sent); }), "nothing was thrown");
}

struct neighbours {
  int first[2] = {1, 2};
  int second[2] = {3, 4};
  int* end_of_first = nullptr;
  int* start_of_second = nullptr;
  void define_type(typer& t) {
    t.local(first);
    t.local(second);
    t.offset(end_of_first, first);
    t.offset(start_of_second);
  }
};

TEST(typer, tells_the_end_of_one_array_from_the_beginning_of_the_next) {
  neighbours sent;
  sent.end_of_first = sent.first + 2;
  sent.start_of_second = sent.second;
  ASSERT_EQ(sent.end_of_first, sent.start_of_second);
  auto const bytes = encoded(sent);
  // numbers of targets and elements: first is 1, second is 2
  std::vector<std::byte> const tail(bytes.end() - 4, bytes.end());
  EXPECT_EQ(tail, (std::vector<std::byte>{std::byte{1}, std::byte{2}, std::byte{2}, std::byte{0}}));
}

struct inside {
  int own = 0;
  int* outer = nullptr;
  void define_type(typer& t) {
    t.local(own);
    t.offset(outer);
  }
};
struct around {
  int* array = nullptr;
  inside part;
  int* into_part = nullptr;
  around() = default;
  around(around&& a) noexcept : array(std::exchange(a.array, nullptr)), part(a.part) {}
  ~around() { delete[] array; }
  void define_type(typer& t) {
    t.dynamic(array, 2);
    t.local(part);
    t.offset(into_part);
  }
};

TEST(typer, looks_for_targets_in_the_object_and_in_those_around_it) {
  around sent;
  sent.array = new int[2]{5, 6};
  sent.part.outer = &sent.array[1];
  around const got = round_trip(sent);
  EXPECT_EQ(got.part.outer, &got.array[1]);
  sent.into_part = &sent.part.own;
  EXPECT_THROW((void)codec<around>::size(sent), usage_error) << "what a part names is its own";
}

struct many_targets {
  std::array<char, 30> letters = {};
  char* place = nullptr;
  void define_type(typer& t) {
    for (char& each : letters) t.local(each);
    t.offset(place);
  }
};

TEST(typer, remembers_any_number_of_targets) {
  many_targets sent;
  sent.letters[25] = 'z';
  sent.place = &sent.letters[25];
  auto const bytes = encoded(sent);
  byte_reader from(bytes);
  alignas(many_targets) std::byte memory[sizeof(many_targets)];
  auto* const got = ::new (memory) many_targets(codec<many_targets>::decode(from));  // elided: not moved
  EXPECT_EQ(*got->place, 'z');
}

TEST(typer, rejects_offsets_to_what_was_not_read) {
  stretch sent;
  sent.begin = new long[1]{9};
  sent.end = sent.begin + 1;
  auto const bytes =
      encoded(sent);  // … length 8, there 1, count 1, value 8, end {number, element}, best 0, more 0, last 0
  std::size_t const number = bytes.size() - 5;
  ASSERT_EQ(bytes[number], std::byte{2}) << "the length is target 1, the array target 2";
  for (auto const& [at, value] : {std::pair{number, 3}, {number, 200}, {number + 1, 2}}) {
    auto wrong = bytes;
    wrong[at] = static_cast<std::byte>(value);
    EXPECT_NE(error_of<stretch>(wrong), "no error") << at << " " << value;
  }
  auto other_type = bytes;
  other_type[bytes.size() - 1] = std::byte{1};  // `last`, an int*, to the length, a long
  other_type.push_back(std::byte{0});
  EXPECT_NE(error_of<stretch>(other_type).find("an offset to an element that has not been read"), std::string::npos);
}

// ---- classes -------------------------------------------------------------------------------------------------------

class closed {
 public:
  closed() = default;
  explicit closed(int v) : value_(v) {}
  [[nodiscard]] int value() const { return value_; }

 private:
  friend sheaf::typer;
  void define_type(typer& t) { t.local(value_); }
  int value_ = 0;
};

struct derived : object_b {
  std::string name;
  void define_type(typer& t) {
    object_b::define_type(t);
    t.local(name);
    set_up = t.reading();
  }
  bool set_up = false;
};
struct forgetful : object_b {
  std::string name;
};

struct no_default {
  explicit no_default(int v) : value(v) {}
  int value;
  void define_type(typer& t) { t.local(value); }
};

static_assert(sheaf::codec_type<closed> && sheaf::codec_type<std::vector<closed>> && sheaf::codec_type<derived>);
static_assert(!sheaf::codec_type<forgetful> && !sheaf::codec_type<no_default>);
static_assert(!sheaf::fixed_size<closed>);

TEST(typer, calls_a_private_define_type_of_a_friend) { EXPECT_EQ(round_trip(closed(5)).value(), 5); }

TEST(typer, takes_part_in_containers_and_aggregates) {
  struct both {
    closed one;
    std::vector<closed> some;
    closed fixed[2];
  };
  both const got = round_trip(both{closed(1), {closed(2), closed(3)}, {closed(4), closed(5)}});
  EXPECT_EQ(got.one.value(), 1);
  EXPECT_EQ(got.some[1].value(), 3);
  EXPECT_EQ(got.fixed[1].value(), 5);
}

TEST(typer, lets_a_derived_class_call_its_base) {
  derived sent;
  sent.size = 0;
  sent.array = nullptr;
  sent.name = "d";
  derived const got = round_trip(sent);
  EXPECT_EQ(got.name, "d");
  EXPECT_TRUE(got.set_up);
}

TEST(typer, copies_only_the_used_part_of_an_array) {
  struct part {
    unsigned used = 0;
    short values[8] = {};
    void define_type(typer& t) {
      t.local(used);
      t.local(values, used);
    }
  };
  part sent{3, {1, 2, 3, 4}};
  EXPECT_EQ(encoded(sent).size(), 4U + 1U + 6U);
  part const got = round_trip(sent);
  EXPECT_EQ(got.values[2], 3);
  EXPECT_EQ(got.values[3], 0);
  sent.used = 9;
  std::string const text = text_of<usage_error>([&] { (void)encoded(sent); });
  EXPECT_NE(text.find("length 9, legal are 0 to 8"), std::string::npos) << text;
  auto bytes = encoded(part{3, {}});
  bytes[0] = std::byte{200};
  EXPECT_NE(error_of<part>(bytes).find("length 200, legal are 0 to 8"), std::string::npos);
}

}  // namespace
