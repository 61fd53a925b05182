// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Arrivals that are read beyond their execution, and memory that a sender lends.
#include <gtest/gtest.h>

#include <cstring>
#include <utility>
#include <vector>

#include "message/probe.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/message/lent.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"

namespace {

using sheaf::lease;
using sheaf::traffic;
using sheaf::detail::kept_bytes;
using sheaf::detail::lend;
using sheaf::detail::take_back;
using sheaf_test::entry_writer;
using sheaf_test::lone_location;
using sheaf_test::probe_value;
using sheaf_test::tag_of;

std::vector<kept_bytes> kept;

/// Keeps each record, of eight bytes, and waits in the last one if that is a nine. Only in its own tests, as others
/// send random bytes, which may call any handler, and what is kept must go before the location does.
struct keeping {
  static inline bool is_tested = false;
  static constexpr sheaf::detail::type_token object_type = sheaf::detail::token_of<sheaf_test::probe>();
  static constexpr traffic kind = traffic::request;
  static constexpr std::uint32_t record_bytes = 8;
  static void run(sheaf::detail::location& here, void*, sheaf::detail::execution& state) {
    if (!is_tested) {
      state.at = state.run_end;
      return;
    }
    while (state.at != state.run_end) {
      std::span<std::byte const> const record(std::exchange(state.at, state.at + 8), 8);
      kept.push_back(here.in().keep(record, 4));
    }
    if (value_of(kept.back()) == 9) here.wait(sheaf::detail::wait_kind::answer, [] { return true; });
  }
  static std::uint64_t value_of(kept_bytes const& of) {
    std::uint64_t value = 0;
    std::memcpy(&value, of.bytes.data(), 8);
    return value;
  }
};

/// A place, of which the location is said behind it.
struct borrowing {
  static constexpr sheaf::detail::type_token object_type = sheaf::detail::token_of<sheaf_test::probe>();
  static constexpr traffic kind = traffic::request;
  static constexpr std::uint32_t record_bytes = sizeof(sheaf::detail::lent_bytes) + 8;
  static inline std::vector<bool> refused;
  static void run(sheaf::detail::location& here, void*, sheaf::detail::execution& state) {
    std::byte const* const at = std::exchange(state.at, state.run_end);
    sheaf::detail::lent_bytes place;
    std::memcpy(&place, at, sizeof place);
    std::memcpy(&place.source, at + sizeof place, sizeof place.source);
    try {
      static_cast<void>(here.in().borrow(place, at));
      refused.push_back(false);
    } catch (sheaf::decode_error const&) {
      refused.push_back(true);
    }
  }
};

/// An entry with one run; of eight records and more it is no inline entry.
template <class... V>
void arrive(lone_location& l, std::uint32_t source, V... values) {
  entry_writer entry;
  l.net.arrive(source, traffic::request, entry.run(tag_of<keeping>(), sizeof...(V), std::uint64_t(values)...).data());
}

class lending : public testing::Test {
 protected:
  void SetUp() override {
    keeping::is_tested = true;
    borrowing::refused.clear();
  }
  void TearDown() override {
    kept.clear();  // before the location ends
    keeping::is_tested = false;
  }

  lone_location l;
};

TEST_F(lending, an_entry_stays_in_place_while_a_part_is_kept_and_its_pair_goes_on) {
  arrive(l, 2, 1, 2, 3, 4, 5, 6, 7, 8);
  arrive(l, 2, 11, 12, 13, 14, 15, 16, 17, 18);
  l.work();
  ASSERT_EQ(kept.size(), 16u);
  EXPECT_FALSE(l.net.held(2, traffic::request)) << "the pair has its credit";
  ASSERT_EQ(l.net.kept.blocks.size(), 2u);
  EXPECT_EQ(kept[0].bytes.data(), l.net.kept.blocks[0]->data() + sheaf::run_header::wire_bytes) << "no copy";
  std::size_t const both = 2 * (sheaf::run_header::wire_bytes + 64);
  EXPECT_EQ(l.here.out().kept_arrivals.load(), both) << "it counts in the budget";
  kept.erase(kept.begin(), kept.begin() + 7);
  EXPECT_EQ(l.net.kept.blocks.size(), 2u) << "the last part is still read";
  EXPECT_EQ(keeping::value_of(kept[0]), 8u);
  kept.erase(kept.begin());
  EXPECT_EQ(l.net.kept.blocks.size(), 1u);
  EXPECT_EQ(l.here.out().kept_arrivals.load(), both / 2);
  kept.clear();
  EXPECT_EQ(l.net.kept.blocks.size(), 0u);
  EXPECT_EQ(l.here.out().kept_arrivals.load(), 0u);
}

TEST_F(lending, a_small_entry_is_copied) {
  arrive(l, 2, 7);
  l.work();
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(keeping::value_of(kept[0]), 7u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(kept[0].bytes.data()) % 64, 0u);
  EXPECT_EQ(l.net.kept.blocks.size(), 0u);
}

TEST_F(lending, what_is_read_no_more_when_its_entry_ends_goes_back_with_it) {
  l.object.on_value = [](std::uint64_t) { kept.clear(); };
  entry_writer entry;
  entry.run(tag_of<keeping>(), 8, std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{4},
            std::uint64_t{5}, std::uint64_t{6}, std::uint64_t{7}, std::uint64_t{8});
  l.net.arrive(2, traffic::request, entry.run(tag_of<probe_value>(), 1, std::uint64_t{1}).data());
  l.work();
  EXPECT_TRUE(kept.empty());
  EXPECT_FALSE(l.net.held(2, traffic::request));
  EXPECT_EQ(l.here.out().kept_arrivals.load(), 0u);
}

TEST_F(lending, a_handler_that_waits_reads_on_though_the_credit_is_back) {
  arrive(l, 2, 1, 2, 3, 4, 5, 6, 7, 9);
  l.work();
  ASSERT_EQ(kept.size(), 8u);
  EXPECT_EQ(l.net.kept.blocks.size(), 1u);
  EXPECT_EQ(keeping::value_of(kept[7]), 9u);
}

TEST_F(lending, of_a_held_entry_stays_until_what_is_kept_ends) {
  entry_writer entry;
  entry.run(tag_of<keeping>(), 8, std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{4},
            std::uint64_t{5}, std::uint64_t{6}, std::uint64_t{7}, std::uint64_t{8});
  l.net.arrive(2, traffic::request, entry.run(tag_of<probe_value>(2), 1, std::uint64_t{1}).data());
  l.work();
  EXPECT_TRUE(l.net.held(2, traffic::request)) << "its object is not registered yet";
  l.add_probe();
  l.work();
  EXPECT_FALSE(l.net.held(2, traffic::request));
  EXPECT_EQ(l.net.kept.blocks.size(), 1u);
  EXPECT_EQ(keeping::value_of(kept[7]), 8u);
}

int ended = 0;
lease counting_lease() {
  ended = 0;
  return {[](void*) { ++ended; }, nullptr};
}

TEST_F(lending, a_loan_ends_as_a_continuation_when_its_token_comes_back) {
  std::uint64_t const value = 5;
  lease owner = counting_lease();
  sheaf::detail::lent_bytes place;
  ASSERT_TRUE(lend(l.here, 0, std::as_bytes(std::span(&value, 1)), owner, place));
  EXPECT_FALSE(owner);
  l.net.loop_back = true;
  {
    kept_bytes const read = l.here.in().borrow(place, nullptr);
    EXPECT_EQ(static_cast<void const*>(read.bytes.data()), &value);
    l.here.out().flush();
    l.work();
    EXPECT_EQ(ended, 0) << "it is still read";
  }
  EXPECT_EQ(ended, 0) << "its token is on the way";
  l.here.out().flush();
  l.work();
  EXPECT_EQ(ended, 1);
}

TEST_F(lending, a_loan_that_is_taken_back_or_never_returned_ends_once) {
  std::uint64_t const value = 5;
  lease owner = counting_lease();
  sheaf::detail::lent_bytes place;
  {
    lone_location other;
    ASSERT_TRUE(lend(other.here, 1, std::as_bytes(std::span(&value, 1)), owner, place));
    owner = take_back(other.here, place);
    EXPECT_TRUE(owner);
    EXPECT_EQ(ended, 0);
    ASSERT_TRUE(lend(other.here, 1, std::as_bytes(std::span(&value, 1)), owner, place));
  }
  EXPECT_EQ(ended, 1) << "with the endpoint";
}

TEST_F(lending, a_false_place_is_refused) {
  std::uint64_t const value = 5;
  sheaf::detail::lent_bytes const place{reinterpret_cast<std::byte const*>(&value), 8, 0, 4};
  EXPECT_THROW(static_cast<void>(l.here.in().borrow(place, nullptr)), sheaf::decode_error);
  entry_writer entry;
  l.net.arrive(2, traffic::request, entry.run(tag_of<borrowing>(), 1, place, std::uint64_t{3}).data());
  l.net.arrive(3, traffic::request, entry_writer().run(tag_of<borrowing>(), 1, place, std::uint64_t{3}).data());
  l.work();
  EXPECT_EQ(borrowing::refused, (std::vector<bool>{true, false})) << "of location 3 only that lends";
}

}  // namespace
