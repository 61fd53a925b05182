// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Split-phase collectives, and those of spans.
#include <array>
#include <functional>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>

#include "runtime/job.hpp"
#include "sheaf/rmi/distributed.hpp"
#include "sheaf/runtime/collectives.hpp"
#include "sheaf/runtime/fence.hpp"
#include "sheaf/runtime/run.hpp"

namespace {

struct unencodable {};

}  // namespace

template <>
struct sheaf::codec<unencodable> {
  static std::size_t size(unencodable const&) { return 1; }
  static void encode(byte_writer&, unencodable const&) { throw std::domain_error("no bytes for it"); }
  static unencodable decode(byte_reader&) { return {}; }
};

namespace {

using sheaf::future;
using sheaf::team;
using sheaf_test::setting;

class begun_collectives : public sheaf_test::on_all {};

INSTANTIATE_TEST_SUITE_P(all, begun_collectives, testing::ValuesIn(sheaf_test::all_settings()), sheaf_test::test_name);

std::string joined(std::string const& a, std::string const& b) { return a + b; }
std::string word(std::uint32_t i) { return std::to_string(i * i * 7919) + ","; }

std::string words(std::uint32_t first, std::uint32_t end) {
  std::string all;
  for (std::uint32_t i = first; i < end; ++i) all += word(i);
  return all;
}

TEST_P(begun_collectives, each_gives_what_its_blocking_form_gives) {
  run([](team const& world) {
    std::uint32_t const me = world.rank(), n = world.size(), last = n - 1;
    std::vector<std::string> given;
    for (std::uint32_t r = 0; r < n; ++r) given.push_back(word(me) + word(r));
    auto nobody = ask_barrier(world);
    auto sent = ask_broadcast(world, last, word(me));
    auto sum = ask_all_reduce(world, word(me), joined);
    auto on_last = ask_reduce(world, last, word(me), joined);
    auto everybodys = ask_all_gather(world, word(me));
    auto theirs = ask_gather(world, last, word(me));
    auto exchanged = ask_all_to_all(world, given);
    auto part = ask_reduce_scatter(world, given, joined);
    auto upto = ask_scan(world, word(me), joined);
    auto before = ask_exclusive_scan(world, word(me), std::string("first:"), joined);
    EXPECT_EQ(before.get(), "first:" + words(0, me));  // in another order than they began
    EXPECT_EQ(upto.get(), words(0, me + 1));
    std::string mine;
    for (std::uint32_t r = 0; r < n; ++r) mine += word(r) + word(me);
    EXPECT_EQ(part.get(), mine);
    auto const got = exchanged.get();
    for (std::uint32_t r = 0; r < n; ++r) EXPECT_EQ(got[r], word(r) + word(me));
    EXPECT_EQ(theirs.get().size(), me == last ? n : 0u);
    EXPECT_EQ(everybodys.get()[last], word(last));
    EXPECT_EQ(on_last.get(), me == last ? words(0, n) : word(me));
    EXPECT_EQ(sum.get(), words(0, n));
    EXPECT_EQ(sent.get(), word(last));
    nobody.get();
  });
}

TEST_P(begun_collectives, mix_with_blocking_ones_and_end_in_a_fence) {
  run([](team const& world) {
    std::vector<future<std::uint64_t>> sums;
    std::vector<std::uint64_t> expected;
    for (std::uint64_t i = 0; i < 300; ++i) {
      if ((i + world.rank()) % 3 == 0) {
        EXPECT_EQ(all_reduce(world, i, std::plus<>()), i * world.size());
      } else {
        sums.push_back(ask_all_reduce(world, i, std::plus<>()));
        expected.push_back(i * world.size());
      }
    }
    sheaf::fence(world);
    for (auto const& one : sums) EXPECT_TRUE(one.ready());
    for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_EQ(sums[i].get(), expected[i]);
  });
}

/// More than may be open, of those whose messages go one way.
TEST_P(begun_collectives, of_a_root_do_not_run_away_from_the_others) {
  run([](team const& world) {
    std::vector<future<std::uint64_t>> all;
    for (std::uint64_t i = 0; i < 400; ++i) all.push_back(ask_broadcast(world, i % world.size(), i));
    for (std::uint64_t i = 0; i < 400; ++i) EXPECT_EQ(all[i].get(), i);
    for (std::uint64_t i = 0; i < 400; ++i) static_cast<void>(ask_reduce(world, 0, i, std::plus<>()));
    sheaf::fence(world);
  });
}

/// The last member comes when it has got a request that the others send after they have begun.
TEST_P(begun_collectives, go_on_while_others_have_not_begun) {
  struct bell : sheaf::distributed<bell> {
    using distributed::distributed;
    void ring() { ++rung; }
    std::uint32_t rung = 0;
  };
  run([](team const& world) {
    bell b(world);
    std::uint32_t const last = world.size() - 1;
    std::optional<future<std::uint32_t>> sum;
    if (world.rank() != last) {
      sum = ask_all_reduce(world, world.rank(), std::plus<>());
      EXPECT_FALSE(sum->ready());
      b.async<&bell::ring>(last);
    } else {
      while (b.rung != last) sheaf::wait_for_request();
      sum = ask_all_reduce(world, world.rank(), std::plus<>());
    }
    EXPECT_EQ(sum->get(), last * (last + 1) / 2);
  });
}

/// Longer than sequence numbers go, with one always open.
TEST(begun_collectives_overlapped, may_go_on_for_ever) {
  sheaf_test::run_job(setting{sheaf::transport_kind::thread, 2, sheaf::fence_form_kind::dissemination}.options(),
                      [](team const& world) {
                        auto last = ask_all_reduce(world, 0u, std::plus<>());
                        for (unsigned i = 1; i <= 70'000; ++i) {
                          auto next = ask_all_reduce(world, i, std::plus<>());
                          if (last.get() != 2 * (i - 1)) FAIL() << i;
                          last = std::move(next);
                        }
                      });
}

TEST_P(begun_collectives, have_operations_that_send) {
  struct sink : sheaf::distributed<sink> {
    using distributed::distributed;
    void take() { ++taken; }
    std::uint64_t taken = 0;
  };
  run([](team const& world) {
    sink s(world);
    auto const send_and_add = [&s](int a, int b) {
      for (std::uint32_t i = 0; i < 3000; ++i) s.async<&sink::take>(i % s.members().size());
      return a + b;
    };
    auto const n = static_cast<int>(world.size());
    std::vector<future<int>> sums;
    for (int i = 0; i < 5; ++i) sums.push_back(ask_all_reduce(world, 1, send_and_add));
    for (auto& sum : sums) EXPECT_EQ(sum.get(), n);
    sheaf::fence(world);
  });
}

TEST_P(begun_collectives, have_continuations_and_belong_to_teams) {
  run([](team const& world) {
    team const half = world.split(world.rank() % 2);
    auto doubled = ask_all_reduce(half, 1u, std::plus<>()).then([](unsigned n) { return 2 * n; });
    auto all = ask_all_reduce(world, 1u, std::plus<>());
    EXPECT_EQ(doubled.get(), 2 * half.size());
    EXPECT_EQ(all.get(), world.size());
    static_cast<void>(ask_all_reduce(half, 1u, std::plus<>()));  // which nobody waits for
    half.end();
  });
}

TEST_P(begun_collectives, spans_are_combined_element_by_element) {
  run([](team const& world) {
    std::uint64_t const me = world.rank(), n = world.size();
    std::vector<std::uint64_t> v(1000);
    std::iota(v.begin(), v.end(), me);
    all_reduce(world, std::span(v), std::plus<>());
    EXPECT_EQ(v[7], 7 * n + n * (n - 1) / 2);
    std::iota(v.begin(), v.end(), me);
    auto summed = ask_reduce(world, n - 1, std::span(v), std::plus<>());
    summed.get();
    EXPECT_EQ(v[7], me == n - 1 ? 7 * n + n * (n - 1) / 2 : 7 + me);
    std::iota(v.begin(), v.end(), me);
    broadcast(world, n - 1, std::span(v));
    EXPECT_EQ(v[999], 999 + n - 1);
    std::vector<std::uint32_t> const own(me + 1, static_cast<std::uint32_t>(me));
    auto const all = all_gather(world, std::span(own));
    ASSERT_EQ(all.size(), n * (n + 1) / 2);
    EXPECT_EQ(all.back(), n - 1);
    EXPECT_EQ(ask_gather(world, 0, std::span(own)).get().size(), me == 0 ? all.size() : 0);
    std::array<int, 2> few{1, 2};
    all_reduce(world, std::span(few), std::plus<>());
    EXPECT_EQ(few[1], 2 * static_cast<int>(n));
    std::span<double> const none;
    all_reduce(world, none, std::plus<>());
  });
}

TEST(begun_collectives_errors, spans_of_different_length_end_the_job) {
  auto const text = sheaf_test::text_of<sheaf::error>([] {
    sheaf::run(setting{sheaf::transport_kind::sim, 3, sheaf::fence_form_kind::dissemination}.options(),
               [](team const& world) {
                 std::vector<int> v(world.rank() == 1 ? 4 : 5);
                 all_reduce(world, std::span(v), std::plus<>());
               });
  });
  EXPECT_NE(text.find("in all_reduce members gave spans of "), text.npos) << text;
  EXPECT_NE(text.find("all give spans of one length (called at "), text.npos) << text;
}

TEST(begun_collectives_errors, of_use_are_thrown_at_once) {
  sheaf_test::run_job(
      setting{sheaf::transport_kind::sim, 2, sheaf::fence_form_kind::dissemination}.options(), [](team const& world) {
        auto const text =
            sheaf_test::text_of<sheaf::usage_error>([&] { static_cast<void>(ask_broadcast(world, 7, 1)); });
        EXPECT_NE(text.find("has no member 7"), text.npos) << text;
        EXPECT_NE(text.find("begun_collectives_test.cpp:"), text.npos) << text;
        auto const negative = sheaf_test::text_of<sheaf::usage_error>([&] { broadcast(world, std::uint64_t(-1), 1); });
        EXPECT_NE(negative.find("has no member -1"), text.npos) << negative;
        auto const few = sheaf_test::text_of<sheaf::usage_error>(
            [&] { static_cast<void>(ask_all_to_all(world, std::vector<int>(5))); });
        EXPECT_NE(few.find("all_to_all got 5 values in a team of 2"), few.npos) << few;
        auto const first = [](unencodable const& a, unencodable const&) { return a; };
        EXPECT_THROW(static_cast<void>(ask_all_reduce(world, unencodable(), first)), std::domain_error);
        EXPECT_THROW(static_cast<void>(ask_all_gather(world, unencodable())), std::domain_error);
        EXPECT_EQ(ask_all_reduce(world, 1, std::plus<>()).get(), 2);  // nothing of those has begun
      });
}

}  // namespace
