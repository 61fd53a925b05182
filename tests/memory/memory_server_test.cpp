// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "memory/memory_server.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "sheaf/base/error.hpp"
#include "sheaf/transport/memory_guards.hpp"

namespace sheaf_test {
namespace {

using namespace sheaf::detail;

/// Keeps what is sent. The job has failed for who asks.
class kept_wire final : public side_wire {
 public:
  void send(std::uint32_t, std::span<std::byte const> head, std::span<std::byte const> body) override {
    answers.insert(answers.end(), head.begin(), head.end());
    answers.insert(answers.end(), body.begin(), body.end());
    ++messages;
  }
  [[nodiscard]] std::uint64_t sent(std::uint32_t) const noexcept override { return 0; }
  [[nodiscard]] std::uint64_t taken(std::uint32_t) const noexcept override { return 0; }
  [[nodiscard]] std::size_t queued(std::uint32_t) const noexcept override { return 0; }
  bool progress() override { return false; }
  [[nodiscard]] bool is_used() const noexcept override { return true; }
  void check() override { throw sheaf::job_aborted("waited for a guard"); }
  void fail(std::string_view why) noexcept override { failure = why; }
  side_server& server() override { std::terminate(); }

  std::vector<std::byte> answers;
  std::string failure;
  int messages = 0;
};

/// A process that shares memory with others of its host: all but this memory is changed inside guards.
class shared_memory final : public sheaf::host_memory {
 public:
  std::byte* take(std::size_t) override { throw std::bad_alloc(); }
  void give_back(std::byte*, std::size_t) noexcept override {}
  [[nodiscard]] std::span<std::byte const> shared() const noexcept override { return segment_; }
  [[nodiscard]] sheaf::memory_guards& guards_for(std::uintptr_t) const noexcept override { return guards; }

  sheaf::memory_guards mutable guards;

 private:
  std::byte segment_[64] = {};
};

struct memory_server_test : testing::Test {
  template <class T>
  const_strided part(std::vector<T> const& of) {
    return {reinterpret_cast<std::byte const*>(of.data()), of.size() * sizeof(T), {}, {}};
  }
  static std::vector<std::byte> message(served_head head, const_strided const& of) {
    std::vector<std::byte> made;
    write_order(made, head, of);
    return made;
  }

  kept_wire wire;
  shared_memory memory;
  memory_server server{{wire, memory, 0, 1}};
};

TEST_F(memory_server_test, a_word_that_is_not_shared_is_changed_inside_its_guard) {
  std::vector<std::uint64_t> word{5};
  served_head head{.what = served::change, .kind = static_cast<std::uint8_t>(change_kind::add), .answers = 1};
  std::uint64_t const added = 2;
  std::memcpy(head.operands, &added, sizeof added);
  auto const order = message(head, part(word));
  auto& guard = memory.guards.of(reinterpret_cast<std::uintptr_t>(word.data())).taken;
  guard = 1;
  server.take(1, order);
  EXPECT_EQ(wire.failure, "waited for a guard");
  EXPECT_EQ(word[0], 5u);
  guard = 0;
  server.take(1, order);
  EXPECT_EQ(word[0], 7u);
  EXPECT_EQ(wire.answers.size(), sizeof(served_head));
}

TEST_F(memory_server_test, data_of_a_put_in_a_row_have_a_place) {
  std::vector<double> row(1000);
  std::size_t const bytes = 900 * sizeof(double);
  auto const order = message({.what = served::put, .answers = 1, .offset = 800, .bytes = bytes}, part(row));
  std::size_t const length = order.size() + bytes;
  auto const place = server.place_for(1, order, length);
  EXPECT_EQ(place.data(), reinterpret_cast<std::byte*>(&row[100]));
  EXPECT_EQ(place.size(), bytes);
  EXPECT_TRUE(wire.answers.empty());
  server.take_placed(1, order);
  EXPECT_EQ(wire.answers.size(), sizeof(served_head));
  EXPECT_EQ(wire.failure, "");
}

TEST_F(memory_server_test, other_data_have_none) {
  std::vector<double> row(1000);
  auto const place = [&](served_head head, std::size_t more) {
    auto const order = message(head, part(row));
    return server.place_for(1, order, order.size() + head.bytes + more).size();
  };
  EXPECT_EQ(place({.what = served::put, .bytes = 800}, 0), 800u);
  EXPECT_EQ(place({.what = served::put, .bytes = 800}, 100), 0u) << "several orders";
  EXPECT_EQ(place({.what = served::add, .kind = 3, .bytes = 800}, 0), 0u);
  EXPECT_EQ(place({.what = served::put, .offset = 7300, .bytes = 800}, 0), 0u) << "beyond the part";
  EXPECT_EQ(place({.what = served::answer, .to = 0, .bytes = 800}, 0), 0u) << "nobody has asked";
  EXPECT_EQ(place({.what = served::answer, .to = 9, .bytes = 800}, 0), 0u) << "no location of this process";
  auto const order = message({.what = served::put, .bytes = 800}, part(row));
  EXPECT_TRUE(server.place_for(1, std::span(order).first(20), order.size() + 800).empty()) << "a part of the head";
}

TEST_F(memory_server_test, answers_to_one_message_leave_together_and_in_order) {
  std::vector<std::uint64_t> row(1000);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = i;
  std::vector<std::byte> orders;
  auto const add = [&](std::uint32_t slot, std::size_t first, std::size_t count) {
    served_head const head{.what = served::get, .answers = 1, .slot = slot, .offset = 8 * first, .bytes = 8 * count};
    write_order(orders, head, part(row));
  };
  for (std::uint32_t i = 0; i < 5; ++i) add(i, i, 2);
  add(5, 100, 900);  // large: from where it is, behind what is before it
  add(6, 7, 1);
  server.take(1, orders);
  EXPECT_EQ(wire.messages, 3);
  std::span<std::byte const> answers = wire.answers;
  served_order one;
  for (std::uint32_t i = 0; i < 7; ++i) {
    ASSERT_TRUE(read_order(answers, one));
    EXPECT_EQ(one.head.slot, i);
    std::uint64_t first = 0;
    std::memcpy(&first, one.data.data(), sizeof first);
    EXPECT_EQ(first, i < 5 ? i : i == 5 ? 100 : 7);
  }
  EXPECT_TRUE(answers.empty());
}

TEST_F(memory_server_test, answers_are_no_longer_than_a_message) {
  constexpr std::size_t count = 200;
  std::vector<std::byte> part_of(8192, std::byte{1}), orders;
  std::size_t const counts[] = {4096};
  std::ptrdiff_t const steps[] = {2};
  const_strided const every_second{part_of.data(), 1, counts, steps};
  for (std::size_t i = 0; i < count; ++i) {
    write_order(orders, {.what = served::get, .answers = 1, .bytes = 4096}, every_second);
  }
  server.take(1, orders);
  EXPECT_EQ(wire.answers.size(), count * (sizeof(served_head) + 4096));
  EXPECT_GE(static_cast<std::size_t>(wire.messages) * side_wire::most_bytes, wire.answers.size());
  EXPECT_LE(wire.messages, 5);
}

TEST_F(memory_server_test, a_get_of_more_than_a_message_is_damage) {
  std::vector<std::byte> large(2 * side_wire::most_bytes);
  server.take(1, message({.what = served::get, .answers = 1, .bytes = large.size()}, part(large)));
  EXPECT_NE(wire.failure.find("damaged"), std::string::npos);
  EXPECT_TRUE(wire.answers.empty());
}

}  // namespace
}  // namespace sheaf_test
