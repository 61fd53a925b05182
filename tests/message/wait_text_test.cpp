// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "message/reports.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <utility>
#include <vector>

#include "async/by_hand.hpp"
#include "message/probe.hpp"
#include "sheaf/async/task.hpp"

namespace {

using sheaf::future;
using sheaf::location_id;
using sheaf::run_tag;
using sheaf::task;
using sheaf_test::probe_value;
using sheaf_test::tag_of;
using namespace sheaf::detail;

std::string const method = readable(handler_name<probe_value>());
std::string const handler_text(handler_name<probe_value>());

/// Who makes futures and coroutines.
struct wait_text : sheaf_test::by_hand {
  future_state<int>* new_state() {
    return ::new (calls.cells.take()) future_state<int>(sheaf_test::services, &counted);
  }
  future<int> ask(asked_of const& of) {
    auto* const state = new_state();
    last = calls.questions.alone({token_of<int>(), &counted, nullptr}, of, question_run::place_of(state));
    return future<int>(state);
  }
  future<int> ask(std::uint32_t on, std::uint32_t object, std::uint32_t team = 0) {
    return ask({tag_of<probe_value>(object, team), on});
  }
  [[nodiscard]] asked_calls known() const { return asked_calls(calls); }
  [[nodiscard]] awaited_text text_of(future<int> const& f) const {
    return purpose({.future = &async_parts::state_of(f)}, known());
  }
  [[nodiscard]] std::string text_of(wait_site const& site) const { return purpose(site, known()).text; }

  std::uint64_t counted = 0;
  open_calls calls;
  std::uint64_t last = 0;  ///< the question that was asked last
};

TEST(wait_places, say_file_and_line_as_far_as_they_are_known) {
  EXPECT_EQ(place({}), "");
  EXPECT_EQ(place({"app.cpp", 41}), ", called at app.cpp:41,");
  EXPECT_EQ(place({"the end of the program", 0}), ", called at the end of the program,");
}

TEST(wait_places, a_coroutine_is_named_where_it_is_a_requests) {
  EXPECT_EQ(coroutine_text({}), "a coroutine");
  EXPECT_EQ(coroutine_text({handler_text, 3, 0}), method + ", called by location 3");
}

TEST_F(wait_text, an_answer_is_somebodys) {
  wait_site const asked{.for_what = awaited::answer, .on = 2, .tag = tag_of<probe_value>(5, 2), .call = 77};
  EXPECT_EQ(text_of(asked), " for location 2's answer to " + method + " on object 5 of team 2");
  EXPECT_EQ(purpose(asked, known()).on, 2u);
  EXPECT_EQ(purpose(asked, known()).call, 77u);
  EXPECT_EQ(text_of({.for_what = awaited::answer}), " for others' answers");
  run_tag const of_published = run_tag::of_published(8, 3).with_handler(handler_number<probe_value>);
  EXPECT_EQ(text_of({.for_what = awaited::answer, .on = 1, .tag = of_published}),
            " for location 1's answer to " + method + " on the object published as number 8");
  run_tag const unnamed(run_tag::lone_bit - 1, 5, 0);  // as numbers of introduced methods are
  EXPECT_EQ(text_of({.for_what = awaited::answer, .on = 1, .tag = unnamed}),
            " for location 1's answer to a method named by a pointer on object 5 of team 0");
}

TEST_F(wait_text, an_object_that_migrates_is_named_by_its_birth) {
  wait_site site{.for_what = awaited::answer, .on = 2, .tag = tag_of<probe_value>()};
  site.object = 9;
  site.birth = 1;
  EXPECT_EQ(text_of(site), " for the answer to " + method +
                               " on object 9 of member 1 of team 0, which was last known to be at location 2");
}

TEST_F(wait_text, room_is_somewhere_and_for_a_request) {
  EXPECT_EQ(text_of({.for_what = awaited::room}), " for room at others, which have not executed what they were sent");
  EXPECT_EQ(text_of({.for_what = awaited::room, .on = 1, .tag = tag_of<probe_value>(5)}),
            " for room at location 1, which has not executed what it was sent; the request is to " + method +
                " on object 5 of team 0");
}

TEST_F(wait_text, members_are_those_of_a_team) {
  EXPECT_EQ(text_of({.for_what = awaited::members, .tag = run_tag(0, 0, 2)}), " for the members of team 2");
}

TEST_F(wait_text, a_future_says_whom_it_asks) {
  EXPECT_EQ(text_of(ask(2, 5, 2)).text, " for location 2's answer to " + method + " on object 5 of team 2");
  EXPECT_EQ(text_of(ask(2, 5, 2)).on, 2u);
  run_tag const of_published = run_tag::of_published(6, 3).with_handler(handler_number<probe_value>);
  EXPECT_EQ(text_of(ask({of_published, 1})).text,
            " for location 1's answer to " + method + " on the object published as number 6");
  auto const migrates = ask({tag_of<probe_value>(), wait_site::several, 1, 7});
  EXPECT_EQ(text_of(migrates).text, " for the answer to " + method + " on object 7 of member 1 of team 0");
  EXPECT_EQ(text_of(migrates).on, wait_site::several);
  EXPECT_EQ(text_of(ask(wait_site::several, 5)).text,
            " for the answers of all members to " + method + " on object 5 of team 0");
}

TEST_F(wait_text, a_future_names_its_call_by_its_question) {
  auto const other = ask(2, 5);
  auto const f = ask(1, 5);
  EXPECT_EQ(text_of(f).call, call_number(call_space::gathered, last));
  EXPECT_NE(text_of(f).call, text_of(other).call);
  calls.questions.end_alone(last);
  EXPECT_EQ(text_of(f).call, 0u);
}

TEST_F(wait_text, an_attached_threads_future_says_it_too) {
  auto* const state = new_state();
  future<int> const f(state);
  asked_of const of{tag_of<probe_value>(5), 1};
  auto const ignore = [](void*, reply_status, sheaf::byte_reader&) {};
  std::uint32_t const token = calls.replies.add(ignore, static_cast<future_state_base*>(state), &of);
  EXPECT_EQ(text_of(f).text, " for location 1's answer to " + method + " on object 5 of team 0");
  calls.replies.take(token);
  EXPECT_NE(text_of(f).text, " for location 1's answer to " + method + " on object 5 of team 0");
}

TEST_F(wait_text, a_future_whose_result_is_there_or_comes_from_here_says_so) {
  future<int> f(new_state());
  EXPECT_EQ(text_of(f).text, " for the result of a coroutine or a continuation");
  async_parts::state_of(f).set_value(1);
  EXPECT_EQ(text_of(f).text, ", and its result is there");
}

// ---- coroutines ----------------------------------------------------------------------------------------------------

task<int> awaits(future<int> f) { co_return co_await std::move(f); }
task<int> awaits_by_way_of(future<int> f) { co_return co_await awaits(std::move(f)); }

/// Whom it answers is in its notes.
struct call_notes {
  std::uint32_t caller;
  std::uint64_t answers;
};
constexpr frame_keeper keeper{[](task_frame& frame, frame_end) { frame.destroy(); },
                              [](task_frame const& frame) -> frame_origin {
                                auto const& notes = frame.notes<call_notes>();
                                return {handler_text, notes.caller, notes.answers};
                              }};

struct suspended_text : wait_text {
  ~suspended_text() override { sheaf_test::kept.end_those_of(nullptr); }
  void keep(task<int> begun, std::uint32_t caller, std::uint64_t answers) {
    auto& frame = async_parts::release(std::move(begun));
    frame.make_notes(call_notes{caller, answers});
    frame.hand_over(keeper);
  }
  [[nodiscard]] location_report report() const {
    location_report to;
    report_suspended(sheaf_test::kept, known(), to);
    return to;
  }
};

TEST_F(suspended_text, who_is_suspended_for_what_is_one_line) {
  keep(awaits(ask(2, 5)), 1, 9);
  location_report const all = report();
  ASSERT_EQ(all.suspended.size(), 1u);
  wait_report const& line = all.suspended[0];
  EXPECT_EQ(line.in, method + ", called by location 1");
  EXPECT_EQ(line.text.rfind(std::string("co_await, called at ") + __FILE__ + ":", 0), 0u) << line.text;
  EXPECT_NE(line.text.find(", for location 2's answer to " + method + " on object 5 of team 0"), std::string::npos);
  EXPECT_EQ(line.on, 2u);
  ASSERT_EQ(line.calls.size(), 1u);
  EXPECT_EQ(line.calls[0].caller, 1u);
  EXPECT_EQ(line.calls[0].answers, 9u);
  EXPECT_NE(line.calls[0].awaits, 0u);
}

TEST_F(suspended_text, who_awaits_a_coroutine_says_where_that_waits) {
  keep(awaits_by_way_of(ask(2, 5)), 1, 0);
  location_report const all = report();
  ASSERT_EQ(all.suspended.size(), 1u);
  EXPECT_NE(all.suspended[0].text.find(", for a coroutine that waits in co_await, called at "), std::string::npos)
      << all.suspended[0].text;
  EXPECT_NE(all.suspended[0].text.find("answer to " + method), std::string::npos) << all.suspended[0].text;
}

TEST_F(suspended_text, those_that_wait_alike_are_counted_and_the_first_are_told) {
  for (std::uint64_t i = 0; i < 40; ++i) keep(awaits(ask(2, 5)), 1, i);
  keep(awaits(ask(2, 6)), 1, 0);
  keep(awaits(ask(2, 5)), 0, 0);
  location_report const all = report();
  ASSERT_EQ(all.suspended.size(), 3u);
  std::uint64_t most = 0;
  for (auto const& line : all.suspended) {
    most = std::max(most, line.count);
    EXPECT_EQ(line.calls.size(), line.count == 40 ? 32u : 1u);
  }
  EXPECT_EQ(most, 40u);
  EXPECT_EQ(all.more_suspended, 0u);
}

TEST_F(suspended_text, only_eight_kinds_have_a_line) {
  for (std::uint32_t caller = 0; caller < 10; ++caller) keep(awaits(ask(2, 5)), caller, 0);
  location_report const all = report();
  EXPECT_EQ(all.suspended.size(), 8u);
  EXPECT_EQ(all.more_suspended, 2u);
}

TEST_F(suspended_text, none_suspended_is_no_line) { EXPECT_TRUE(report().suspended.empty()); }

}  // namespace
