// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Requests to whole teams and their results on the wire, right and wrong.
#include <gtest/gtest.h>

#include <optional>

#include <cstring>
#include <random>

#include "rmi/wire_bytes.hpp"
#include "sheaf/base/lease.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/rmi/distributed.hpp"

namespace {

using sheaf::traffic;
using sheaf_test::bytes;
using sheaf_test::expect_part;
using sheaf_test::read_at;
using sheaf_test::runs_of;
using sheaf_test::with;

struct meter : sheaf::distributed<meter> {
  explicit meter(sheaf::team const& t) : distributed(t) {}
  void add(std::uint32_t by) { sum += by; }
  std::string name() { return std::to_string(rank()) + "m"; }
  std::uint32_t sum = 0;
};
constexpr auto joined = [](std::string const& a, std::string const& b) { return a + b; };

/// A member of a team of four, alone. In a tree of arity 1 member 1 passes on to 2, and has its answer.
struct member {
  explicit member(std::uint32_t self)
      : net(4, self), here(net, how), first(team_of(here, here.registered().world())), second(first.members()) {
    made.reset();
  }
  ~member() { sheaf::detail::destroy_collectives(here); }
  static sheaf::options settings() {
    sheaf::options o;
    o.transport = sheaf::transport_kind::thread;
    o.locations = 4;
    o.tree_arity = 1;
    return o.resolved();
  }
  template <class F>
  bytes sent(F calls) {
    sheaf::detail::restoring<sheaf::detail::location*> const ambient{sheaf::detail::ambient_location, &here};
    net.sent.clear();
    calls(*this);
    here.out().flush();
    return net.sent.at(0).data;
  }
  /// What it says.
  std::string take(std::uint32_t source, traffic kind, bytes const& entry) {
    sheaf::detail::restoring<sheaf::detail::location*> const ambient{sheaf::detail::ambient_location, &here};
    net.arrive(source, kind, entry);
    try {
      while (here.step()) {
      }
    } catch (sheaf::wire_error const& e) {
      return e.what();
    }
    return "accepted";
  }

  sheaf::options const how = settings();
  sheaf_test::fake_endpoint net;
  sheaf::detail::location here;
  std::optional<sheaf::detail::restoring<sheaf::detail::location*>> made{std::in_place, sheaf::detail::ambient_location,
                                                                         &here};
  meter first, second;
};

bytes broadcast_of(member& from) {
  return from.sent([](member& m) { m.second.async<&meter::add>(sheaf::to_others, 5u); });
}
bytes question_of(member& from) {
  return from.sent([](member& m) { static_cast<void>(m.second.reduce<&meter::name>(sheaf::to_all, joined)); });
}

constexpr std::size_t tag_at = 0, origin_at = 20, sum_at = 24;

TEST(team_wire, a_broadcast_carries_who_issued_it_and_is_passed_on_for_the_object_that_its_run_names) {
  member zero(0), one(1);
  bytes const entry = broadcast_of(zero);
  EXPECT_EQ(runs_of(entry).at(0).records.size(), 8u) << "a rank and the argument";
  sheaf::run_tag const tag(read_at<std::uint64_t>(entry, tag_at));
  EXPECT_EQ(tag.object(), 2u);
  // Nothing but the header says which object it is: what arrives for the first one goes on for the first one.
  bytes const other = with(entry, tag_at, sheaf::run_tag(tag.handler(), 1, 0).word());
  EXPECT_EQ(one.take(0, traffic::request, other), "accepted");
  EXPECT_EQ(one.first.sum, 5u);
  EXPECT_EQ(one.second.sum, 0u);
  one.here.out().flush();
  ASSERT_EQ(one.net.sent.size(), 1u);
  EXPECT_EQ(one.net.sent[0].dest, 2u);
  EXPECT_EQ(runs_of(one.net.sent[0].data).at(0).header.tag.object(), 1u);
}

TEST(team_wire, a_broadcast_of_nobody_is_refused) {
  member zero(0), one(1);
  expect_part("a broadcast of rank 4 of team 0, whose ranks are 0 to 3",
              one.take(0, traffic::request, with(broadcast_of(zero), origin_at, std::uint32_t{4})));
}

TEST(team_wire, a_second_request_for_a_sum_and_answers_that_nobody_awaits_are_refused) {
  member zero(0), one(1), two(2);
  bytes const question = question_of(zero);
  EXPECT_EQ(one.take(0, traffic::request, question), "accepted");
  expect_part("a second request for sum 0 of rank 0 in team 0, which does not await it",
              one.take(0, traffic::request, question));
  member fresh(1);
  expect_part("an own value for sum 7 of rank 1",
              fresh.take(0, traffic::request, with(with(question, sum_at, 7u), origin_at, 1u)));
}

/// The answer of the last member, as it comes to the one before it.
struct answered {
  answered() : two(2), three(3) {
    member zero(0), one(1);
    EXPECT_EQ(one.take(0, traffic::request, question_of(zero)), "accepted");
    one.here.out().flush();
    EXPECT_EQ(two.take(1, traffic::request, one.net.sent.at(0).data), "accepted");
    two.here.out().flush();
    EXPECT_EQ(three.take(2, traffic::request, two.net.sent.at(0).data), "accepted");
    EXPECT_EQ(three.net.sent.back().dest, 2u);
    answer = three.net.sent.back().data;
  }
  member two, three;
  bytes answer;
};

TEST(team_wire, an_answer_that_does_not_decode_ends_the_job_and_says_why) {
  answered good;
  EXPECT_EQ(good.two.take(3, traffic::answer, good.answer), "accepted");
  EXPECT_EQ(good.two.net.sent.back().dest, 1u);
  expect_part("an answer for sum 0 of rank 0 in team 0, which does not await it",
              good.two.take(3, traffic::answer, good.answer));
  answered longer;
  bytes const more = [&] {
    bytes all = longer.answer;
    all.insert(all.end(), 3, std::byte{0});
    return all;
  }();
  expect_part("a value of a collective operation or a reduction does not decode: 3 bytes are left",
              longer.two.take(3, traffic::answer, more));
  answered shorter;
  bytes const less(shorter.answer.begin(), shorter.answer.end() - 2);
  expect_part("does not decode: sheaf: a message announces", shorter.two.take(3, traffic::answer, less));
}

TEST(team_wire, survives_any_answers) {
  std::mt19937_64 random(18);
  std::uint64_t accepted = 0, refused = 0;
  for (int i = 0; i < 500; ++i) {
    answered good;
    bytes entry = good.answer;
    for (auto n = 1 + random() % 3; n != 0; --n) entry[10 + random() % (entry.size() - 10)] = std::byte(random());
    (good.two.take(3, traffic::answer, entry) == "accepted" ? accepted : refused) += 1;
  }
  EXPECT_GT(accepted, 20u);
  EXPECT_GT(refused, 20u);
}

}  // namespace
