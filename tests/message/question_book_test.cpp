// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "sheaf/async/future.hpp"
#include "sheaf/message/open_calls.hpp"
#include "sheaf/message/outbox.hpp"

namespace {

using sheaf::detail::asker;
using sheaf::detail::future_state;
using sheaf::detail::future_state_base;
using sheaf::detail::outbox;
using sheaf::detail::question_book;
using sheaf::detail::question_run;
using sheaf::detail::token_of;
using sheaf::detail::window_state;

/// Of ten slots, from this address on.
struct a_window : window_state {
  explicit a_window(int& ends, std::uintptr_t from = 0)
      : window_state([](window_state* self) { delete static_cast<a_window*>(self); }), ended(ends) {
    first = from;
    end = from + 10;
  }
  ~a_window() { ++ended; }
  int& ended;
};

struct questions : testing::Test {
  question_run& of_three(asker const& who) {
    question_run& run = book.begin(who, {});
    for (std::uintptr_t place = 1; place <= 3; ++place) run.places[place - 1] = place;
    book.close(run, 3);
    return run;
  }

  /// The first that have no answer.
  void answer(question_run& run, std::uint32_t questions) {
    book.answered(run, run.first_id() + (run.count - run.open), questions);
  }

  std::uint64_t unanswered = 0;
  asker futures{token_of<int>(), &unanswered, nullptr};
  question_book book;
};

TEST_F(questions, a_team_counts_a_run_while_one_of_its_questions_is_open) {
  question_run& run = book.begin(futures, {});
  EXPECT_EQ(unanswered, 1u);
  book.close(run, 2);
  answer(run, 1);
  EXPECT_EQ(unanswered, 1u);
  answer(run, 1);
  EXPECT_EQ(unanswered, 0u);
}

TEST_F(questions, only_those_that_are_open_are_found) {
  question_run& begun = book.begin(futures, {});
  EXPECT_EQ(book.find(begun.first_id(), 1), nullptr) << "has not left";
  question_run& run = of_three(futures);
  std::uint64_t const first = run.first_id();
  EXPECT_EQ(book.find(first, 1), &run);
  EXPECT_EQ(book.find(first, 3), &run);
  EXPECT_EQ(book.find(first + 2, 1), &run);
  EXPECT_EQ(book.find(first, 4), nullptr);
  EXPECT_EQ(book.find(first + 1, 3), nullptr);
  EXPECT_EQ(book.find(first + 3, 1), nullptr);
  EXPECT_EQ(book.find(first + question_run::most, 1), nullptr) << "no such run";
  EXPECT_EQ(book.find(~std::uint64_t{0}, 1), nullptr);
  answer(run, 2);
  EXPECT_EQ(book.find(first, 2), nullptr) << "one is open";
  answer(run, 1);
  EXPECT_EQ(book.find(first, 1), nullptr) << "has ended";
}

TEST_F(questions, the_number_of_a_run_that_has_ended_is_used_again) {
  std::set<std::uint32_t> numbers;
  for (int round = 0; round < 100; ++round) {
    question_run& one = of_three(futures);
    question_run& other = of_three(futures);
    numbers.insert({one.number, other.number});
    answer(one, 3);
    answer(other, 3);
  }
  EXPECT_EQ(numbers.size(), 2u);
  EXPECT_EQ(unanswered, 0u);
}

TEST_F(questions, a_run_without_questions_ends) {
  question_run& run = book.begin(futures, {});
  book.close(run, 0);
  EXPECT_EQ(unanswered, 0u);
  EXPECT_EQ(&book.begin(futures, {}), &run);
}

TEST_F(questions, places_stay_while_their_room_grows) {
  question_run& run = book.begin(futures, {});
  std::uint32_t noted = 0;
  for (std::uintptr_t* next = run.places; noted < 1000; ++noted) {
    if (noted == run.capacity) next = run.grow();
    *next++ = noted;
  }
  for (std::uint32_t i = 0; i < noted; ++i) EXPECT_EQ(run.places[i], i);
  EXPECT_LT(run.capacity, 2u * noted);
}

TEST_F(questions, one_that_carries_its_id_is_a_run_of_its_own_until_it_is_answered_or_forgotten) {
  std::uint64_t const id = book.alone(futures, {}, 7);
  question_run* const run = book.find(id, 1);
  ASSERT_NE(run, nullptr);
  EXPECT_EQ(run->places[question_run::place_of(id)], 7u);
  book.end_alone(id);
  EXPECT_EQ(book.find(id, 1), nullptr);
  EXPECT_EQ(unanswered, 0u);
}

TEST_F(questions, those_of_futures_are_visited_while_they_have_no_answer) {
  future_state<int> asked[4];
  auto const place = [&](int i) { return question_run::place_of(&asked[i]); };
  auto const visited = [&] {
    std::vector<std::pair<int, std::uint64_t>> all;
    book.each_of_futures([&](future_state_base const* state, question_run const& run, std::uint64_t id) {
      EXPECT_EQ(run.of.on, 3u);
      all.emplace_back(static_cast<future_state<int> const*>(state) - asked, id);
    });
    return all;
  };
  int ended = 0;
  a_window window(ended);
  question_run& of_window = of_three({token_of<int>(), &unanswered, &window});
  question_run& left = book.begin(futures, {.on = 3});
  for (int i : {0, 1}) left.places[i] = place(i);
  book.close(left, 2);
  std::exchange(left.places[0], 0);
  book.answered(left, left.first_id(), 1);
  book.end_alone(book.alone(futures, {.on = 3}, place(3)));
  question_run& open = book.begin(futures, {.on = 3});
  for (int i : {2, 3}) open.places[i - 2] = place(i);
  outbox box;
  box.place = open.places + 1;
  open.in = &box;
  std::vector<std::pair<int, std::uint64_t>> const expected{{1, left.first_id() + 1}, {2, open.first_id()}};
  EXPECT_EQ(visited(), expected) << "one has its answer, and one is not noted yet";
  answer(of_window, 3);
}

TEST_F(questions, a_window_stays_until_it_is_gone_and_its_last_run_has_ended) {
  int ended = 0;
  auto* const window = new a_window(ended);
  asker const who{token_of<int>(), &unanswered, window};
  question_run& first = of_three(who);
  question_run& second = of_three(who);
  of_three(futures);
  EXPECT_EQ(book.awaited(*window), 6u);
  answer(first, 1);
  EXPECT_EQ(book.awaited(*window), 5u);
  answer(first, 2);
  window->gone = true;
  window->release();
  EXPECT_EQ(ended, 0);
  answer(second, 3);
  EXPECT_EQ(ended, 1);
}

TEST_F(questions, a_run_may_be_of_several_windows) {
  int ended = 0;
  a_window one(ended, 100), other(ended, 200);
  question_run& run = book.begin({token_of<int>(), &unanswered, &one}, {});
  run.serve(other);
  run.serve(one);
  run.places[0] = 100;
  run.places[1] = 209;
  run.places[2] = 109;
  book.close(run, 3);
  EXPECT_EQ(one.runs + other.runs, 2u);
  EXPECT_EQ(book.awaited(one), 2u);
  EXPECT_EQ(book.awaited(other), 1u);
  EXPECT_EQ(book.awaited_by(unanswered), 3u);
  answer(run, 2);
  EXPECT_EQ(book.awaited(one), 1u);
  EXPECT_EQ(book.awaited(other), 0u);
  answer(run, 1);
  EXPECT_EQ(book.awaited(one), 0u);
  EXPECT_EQ(one.runs + other.runs, 0u);
}

TEST(questions_end, releases_windows_that_await_answers) {
  int ended = 0;
  std::uint64_t unanswered = 0;
  auto* const window = new a_window(ended);
  {
    question_book book;
    asker const who{token_of<int>(), &unanswered, window};
    book.close(book.begin(who, {}), 3);
    book.begin(who, {});  // and one that has not left
    window->gone = true;
    window->release();
    EXPECT_EQ(ended, 0);
  }
  EXPECT_EQ(ended, 1);
}

}  // namespace
