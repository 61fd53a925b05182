// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "runtime/parcel_shelf.hpp"

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "runtime/job.hpp"
#include "sheaf/runtime/scope.hpp"

namespace {

using sheaf::team;
using sheaf_test::setting;

/// A call of a collective operation, and what a report says of it.
struct call {
  std::function<void(team const&)> make;
  std::string text;
};

auto const plus = std::plus<>();

/// Two that do not go together, and whose values decode as the other's, where there are some.
struct pair_of_calls {
  call usual, odd;
  bool may_stand_still = false;  ///< who receives in either may wait for the other, without a message between them
};

std::vector<pair_of_calls> pairs_that_differ() {
  call const sum{[](team const& t) { all_reduce(t, 1, plus); }, "all_reduce of int"};
  call const broadcast_0{[](team const& t) { broadcast(t, 0, 1.0); }, "broadcast of double with root 0"};
  call const gather_0{[](team const& t) { gather(t, 0, 1); }, "gather of int with root 0"};
  auto const all_to_all_of = [](auto value, char const* text) {
    return call{[value](team const& t) { all_to_all(t, std::vector(t.size(), value)); }, text};
  };
  auto const in_scope = [](std::uint32_t which, char const* text) {
    return call{[which](team const& t) {
                  sheaf::detail::scope const one(t), two(t);
                  (which == 1 ? one : two).fence();
                },
                text};
  };
  return {{sum, {[](team const& t) { all_gather(t, 1); }, "all_gather of int"}},
          {sum, {[](team const& t) { all_reduce(t, 1.0F, plus); }, "all_reduce of float"}},
          {sum, {[](team const& t) { barrier(t); }, "barrier"}},
          {sum, {[](team const& t) { fence(t); }, "fence"}},
          {{[](team const& t) { fence(t, 1, plus); }, "fence of int"},
           {[](team const& t) { fence(t); }, "fence, called at"}},
          {{[](team const& t) { fence(t, 1, plus); }, "fence of int"},
           {[](team const& t) { fence(t, 1U, plus); }, "fence of unsigned int"}},
          {in_scope(1, "the end of an epoch of scope 1, called at"),
           in_scope(2, "the end of an epoch of scope 2, called at")},
          {sum, {[](team const& t) { static_cast<void>(t.split(0)); }, "team::split, called at"}},
          {broadcast_0, {[](team const& t) { broadcast(t, 1, 1.0); }, "broadcast of double with root 1"}, true},
          {broadcast_0, {[](team const& t) { reduce(t, 0, 1.0, plus); }, "reduce of double with root 0"}, true},
          {gather_0, {[](team const& t) { gather(t, 1, 1); }, "gather of int with root 1"}, true},
          {gather_0, {[](team const& t) { reduce(t, 0, 1, plus); }, "reduce of int with root 0"}},
          {{[](team const& t) { scan(t, 1, plus); }, "scan of int"},
           {[](team const& t) { exclusive_scan(t, 1, 0, plus); }, "exclusive_scan of int"}},
          {all_to_all_of(1, "all_to_all of int"), all_to_all_of(1U, "all_to_all of unsigned int")},
          {all_to_all_of(1, "all_to_all of int"),
           {[](team const& t) { reduce_scatter(t, std::vector(t.size(), 1), plus); }, "reduce_scatter of int"}}};
}

/// Whether the text names the calls of two locations, one of which is the odd one.
void expect_report(std::string const& text, pair_of_calls const& calls, std::uint32_t odd) {
  auto const has = [&](std::string const& part) { return text.find(part) != text.npos; };
  if (calls.may_stand_still && has("deadlock: ")) {
    std::string const verb = calls.odd.text.substr(0, calls.odd.text.find(' '));
    EXPECT_TRUE(has("location " + std::to_string(odd) + " waits in " + verb + ", called at ")) << text;
    EXPECT_TRUE(has(calls.odd.text.substr(calls.odd.text.find(" with root")))) << text;
    EXPECT_TRUE(has(" another operation")) << text;
    return;
  }
  EXPECT_TRUE(has("members of team 0 call different collective operations: ")) << text;
  EXPECT_TRUE(has("location " + std::to_string(odd) + " " + calls.odd.text)) << calls.odd.text << " is not in " << text;
  EXPECT_TRUE(has(" " + calls.usual.text)) << calls.usual.text << " is not in " << text;
  EXPECT_TRUE(has("parcel_shelf_test.cpp:")) << text;
}

/// All call the usual operation, and one of them the odd one, between operations that all call alike.
void run_mismatch(sheaf::options const& settings, pair_of_calls const& calls, std::uint32_t odd) {
  std::atomic<unsigned> ended{0};
  sheaf_test::job body(settings, [&](team const& world) {
    all_reduce(world, 1, plus);
    for (int i = 0; i < 3; ++i) broadcast(world, 0, 1);
    (world.rank() == odd ? calls.odd : calls.usual).make(world);
    for (int i = 0; i < 3; ++i) broadcast(world, 0, 1);
    barrier(world);
    ++ended;
  });
  settings.transport == sheaf::transport_kind::sim ? launch_simulator(settings, body) : launch_threads(settings, body);
  expect_report(body.problem(), calls, odd);
  EXPECT_EQ(ended.load(), 0u) << "of " << settings.locations << ", odd " << odd;
}

class mismatches : public testing::TestWithParam<setting> {};

INSTANTIATE_TEST_SUITE_P(all, mismatches, testing::ValuesIn([] {
                           std::vector<setting> all;
                           for (setting const& s : sheaf_test::all_settings()) {
                             if (s.locations > 1) all.push_back(s);
                           }
                           return all;
                         }()),
                         sheaf_test::test_name);

TEST_P(mismatches, are_told_to_all_with_both_calls) {
  for (auto const& calls : pairs_that_differ()) {
    if (calls.may_stand_still && GetParam().transport == sheaf::transport_kind::thread) continue;  // for seconds
    sheaf::options settings = GetParam().options();
    run_mismatch(settings, calls, 0);
    run_mismatch(settings, calls, settings.locations / 2);
    run_mismatch(settings, calls, settings.locations - 1);
  }
}

TEST(mismatches, are_told_in_every_schedule) {
  for (auto const form : {sheaf::fence_form_kind::dissemination, sheaf::fence_form_kind::tree}) {
    sheaf::options settings = setting{sheaf::transport_kind::sim, 5, form}.options();
    for (settings.seed = 1; settings.seed <= 40; ++settings.seed) {
      for (auto const& calls : pairs_that_differ())
        run_mismatch(settings, calls, static_cast<std::uint32_t>(settings.seed % 5));
    }
  }
}

/// Two teams of one job: the text names the right one, and the other goes on.
TEST(mismatches, are_of_one_team) {
  setting const four{sheaf::transport_kind::sim, 4, sheaf::fence_form_kind::dissemination};
  sheaf_test::job body(four.options(), [&](team const& world) {
    team const half = world.split(world.rank() % 2);
    if (world.rank() % 2 == 0) return barrier(half);
    world.rank() == 1 ? static_cast<void>(broadcast(half, 0, 1)) : static_cast<void>(broadcast(half, 1, 1));
    barrier(half);
  });
  launch_simulator(four.options(), body);
  EXPECT_EQ(body.problem().find("sheaf: members of team 0"), std::string::npos) << body.problem();
  EXPECT_NE(body.problem().find("broadcast of int with root 1"), std::string::npos) << body.problem();
}

using sheaf::detail::call_history;
using sheaf::detail::collective_call;
using sheaf::detail::says;

TEST(call_history, knows_the_last_calls_and_agrees_to_others) {
  setting const one{sheaf::transport_kind::sim, 1, sheaf::fence_form_kind::dissemination};
  sheaf_test::run_job(one.options(), [](team const& world) {
    call_history calls;
    std::vector<std::uint32_t> marks;
    for (std::size_t i = 0; i < 3 * call_history::kept; ++i) marks.push_back(calls.add({world, says("a")}));
    for (std::size_t i = 0; i <= marks.size(); ++i) {
      auto const sequence = static_cast<std::uint16_t>(i);
      bool const is_known = i + call_history::kept >= marks.size() && i < marks.size();
      if (i < marks.size()) {
        EXPECT_TRUE(calls.agrees(sequence, marks[i])) << i;
      }
      EXPECT_EQ(calls.agrees(sequence, 1), !is_known) << i;
    }
  });
}

TEST(call_history, marks_differ_with_all_that_members_say) {
  setting const one{sheaf::transport_kind::sim, 1, sheaf::fence_form_kind::dissemination};
  sheaf_test::run_job(one.options(), [](team const& world) {
    auto const mark = [&](collective_call const& last) {
      call_history calls;
      calls.add({world, says("a")});
      return calls.add(last);
    };
    std::uint32_t const usual = mark({world, says<int>("a"), {}, 1, 2});
    EXPECT_EQ(mark({world, says<int>("a"), sheaf::call_site::here(), 1, 2}), usual);
    EXPECT_NE(mark({world, says<int>("b"), {}, 1, 2}), usual);
    EXPECT_NE(mark({world, says<float>("a"), {}, 1, 2}), usual);
    EXPECT_NE(mark({world, says<int>("a"), {}, 0, 2}), usual);
    EXPECT_NE(mark({world, says<int>("a"), {}, 1, 3}), usual);
    call_history calls;
    EXPECT_NE(calls.add({world, says<int>("a"), {}, 1, 2}), usual) << "what came before";
  });
}

TEST(call_history, histories_that_have_nothing_in_common_are_told_of) {
  EXPECT_EQ(
      sheaf_test::usage_text([] { call_history().compare(sheaf::location_id{1}, 5, sheaf::location_id{2}, {}); }),
      "sheaf: members of team 5 call different collective operations, locations 1 and 2 since more than 128 calls; "
      "all members of a team call the same ones in the same order, with the same type, root, arrays and sections");
}

}  // namespace
