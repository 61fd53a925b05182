// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/rmi/reply_window.hpp"

#include <optional>

#include "rmi/jobs.hpp"

namespace {

using sheaf::reply_window;
using sheaf::team;
using sheaf_test::expect_in;
using sheaf_test::text_of;

class reply_window_test : public sheaf_test::over {};
SHEAF_OVER_ALL(reply_window_test);

struct store : sheaf::distributed<store> {
  explicit store(sheaf::team const& t) : distributed(t) {}
  std::uint64_t square(std::uint64_t v) const { return v * v; }
  std::string name(std::uint32_t n) const { return std::string(n, static_cast<char>('a' + rank())); }
  std::uint64_t odd_only(std::uint64_t v) const {
    if (v % 2 == 0) throw std::runtime_error(std::to_string(v) + " is even");
    return v;
  }
};

TEST_P(reply_window_test, each_result_lands_in_its_slot) {
  run(3, [](team const& world) {
    store s(world);
    reply_window<std::uint64_t> window(world, 100);
    for (int round = 0; round < 5; ++round) {
      for (std::uint32_t i = 0; i < 100; ++i) s.ask_into<&store::square>(i % 3, window, 99 - i, i);
      window.wait();
      EXPECT_EQ(window.awaited(), 0u);
      for (std::uint32_t i = 0; i < 100; ++i) EXPECT_EQ(window[99 - i], std::uint64_t{i} * i);
    }
    sheaf::fence(world);
  });
}

TEST_P(reply_window_test, asks_whatever_is_to_be_called) {
  run(2, [](team const& world) {
    store s(world);
    reply_window<std::uint64_t> window(world, 4);
    s.ask_into(1, window, 0, &store::square, 5);
    s.ask_into(1, window, 1, &store::square, 6U);
    auto const sum = [](store& of, std::uint64_t v) { return of.square(v) + of.rank(); };
    s.ask_into(1, window, 2, sum, 7);
    s.ask_into(1, window, 3, [](store& of) { return std::uint64_t{of.rank()}; });
    window.wait();
    EXPECT_EQ(window[0], 25U);
    EXPECT_EQ(window[1], 36U);
    EXPECT_EQ(window[2], 50U);
    EXPECT_EQ(window[3], 1U);
    sheaf::fence(world);
  });
}

TEST_P(reply_window_test, takes_results_of_any_size) {
  run(2, [](team const& world) {
    store s(world);
    reply_window<std::string> window(world, 60);
    for (std::uint32_t i = 0; i < 60; ++i) s.ask_into<&store::name>(i % 2, window, i, i * 3);
    window.wait();
    for (std::uint32_t i = 0; i < 60; ++i) EXPECT_EQ(window[i], std::string(i * 3, static_cast<char>('a' + i % 2)));
    sheaf::fence(world);
  });
}

TEST_P(reply_window_test, a_fence_waits_for_its_answers) {
  run(3, [](team const& world) {
    store s(world);
    reply_window<std::uint64_t> window(world, 9);
    for (std::uint32_t i = 0; i < 9; ++i) s.ask_into<&store::square>(i % 3, window, i, i);
    sheaf::fence(world);
    EXPECT_EQ(window.awaited(), 0u);
    EXPECT_EQ(window[8], 64u);
  });
}

TEST_P(reply_window_test, several_windows_do_not_meet) {
  run(2, [](team const& world) {
    store s(world);
    reply_window<std::uint64_t> a(world, 10), b(world, 10);
    reply_window<std::string> c(world, 10);
    for (std::uint32_t i = 0; i < 10; ++i) {
      s.ask_into<&store::square>(1, a, i, i);
      s.ask_into<&store::square>(1, b, i, i + 100);
      s.ask_into<&store::name>(1, c, i, i);
    }
    b.wait();
    c.wait();
    a.wait();
    for (std::uint32_t i = 0; i < 10; ++i) {
      EXPECT_EQ(a[i], i * i);
      EXPECT_EQ(b[i], (i + 100) * (i + 100));
      EXPECT_EQ(c[i].size(), i);
    }
    sheaf::fence(world);
  });
}

TEST_P(reply_window_test, wait_throws_the_first_exception_once_all_is_here) {
  run(2, [](team const& world) {
    store s(world);
    reply_window<std::uint64_t> window(world, 10);
    for (std::uint32_t i = 0; i < 10; ++i) s.ask_into<&store::odd_only>(1, window, i, i);
    std::string const text = text_of<sheaf::remote_error>([&] { window.wait(); });
    expect_in("0 is even", text);
    expect_in("location 1", text);
    EXPECT_EQ(window.awaited(), 0u);
    EXPECT_EQ(window[7], 7u);
    EXPECT_NO_THROW(window.wait());
    sheaf::fence(world);
  });
}

TEST_P(reply_window_test, an_error_that_no_wait_has_thrown_comes_out_of_the_next_fence) {
  run(2, [](team const& world) {
    store s(world);
    {
      reply_window<std::uint64_t> window(world, 2);
      s.ask_into<&store::odd_only>(1, window, 0, 4u);
    }
    std::string const text = text_of<sheaf::remote_error>([&] { sheaf::fence(world); });
    expect_in("in a result that nobody asked for", text);
    sheaf::fence(world);
  });
}

TEST_P(reply_window_test, may_outlive_its_team) {
  run(2, [](team const& world) {
    for (int i = 0; i < 1030; ++i) {  // more than a location may have at a time
      team const pair = world.split(0);
      reply_window<std::uint64_t> const window(pair, 1);
      pair.end();
    }
    auto pair = world.split(0);
    {
      reply_window<std::uint64_t> window(pair, 1);
      {
        store s(pair);
        s.ask_into<&store::odd_only>(1 - world.rank(), window, 0, 4);
        sheaf::fence(pair);
      }
      pair.end();
    }
    expect_in("4 is even", text_of<sheaf::remote_error>([&] { sheaf::fence(world); }));
  });
}

TEST_P(reply_window_test, its_end_waits_for_what_is_under_way) {
  run(2, [](team const& world) {
    store s(world);
    for (int i = 0; i < 20; ++i) {
      reply_window<std::uint64_t> window(world, 5);
      for (std::uint32_t k = 0; k < 5; ++k) s.ask_into<&store::square>(1 - world.rank(), window, k, k);
    }
    sheaf::fence(world);
  });
}

TEST_P(reply_window_test, refuses_sizes_and_slots_that_cannot_be) {
  run(1, [](team const& world) {
    store s(world);
    expect_in("0 slots", text_of<sheaf::usage_error>([&] { reply_window<int> none(world, 0); }));
    reply_window<std::uint64_t> window(world, 4);
    expect_in("slot 4", text_of<sheaf::usage_error>([&] { s.ask_into<&store::square>(0, window, 4, 1u); }));
    expect_in("0…3", text_of<sheaf::usage_error>([&] { s.ask_into<&store::square>(0, window, 4, 1u); }));
    EXPECT_EQ(window.slots(), 4u);
  });
}

TEST_P(reply_window_test, what_comes_when_an_exception_has_destroyed_the_window_is_dropped) {
  run(3, [](team const& world) {
    store s(world);
    for (std::uint32_t round = 0; round < 3; ++round) {
      try {
        reply_window<std::string> window(world, 20);
        for (std::uint32_t i = 0; i < 20; ++i) s.ask_into<&store::name>(i % 3, window, i, i * 5);
        throw std::runtime_error("no time to wait");
      } catch (std::runtime_error const&) {
      }
      reply_window<std::uint64_t> next(world, 3);
      for (std::uint32_t i = 0; i < 3; ++i) s.ask_into<&store::square>(i, next, i, i);
      if (round != 1) sheaf::fence(world);  // covers what nobody reads, too
      next.wait();
      EXPECT_EQ(next[2], 4u);
    }
    sheaf::fence(world);
  });
}

/// Asks two questions of a window, in the first run that there is, and answers these first: runs and places.
void answer(team const& world, std::vector<std::pair<std::uint64_t, std::uint32_t>> const& answers) {
  store s(world);
  reply_window<std::uint64_t> window(world, 4);
  for (std::uint32_t i = 0; i < 2; ++i) s.ask_into<&store::square>(0, window, i, i);
  using reply = sheaf::detail::prompt_answers<sheaf::detail::window_landing<std::uint64_t>>;
  sheaf::detail::location& here = here_of(world);
  for (auto const& [run, place] : answers) {
    auto const tag = sheaf::run_tag::of_answers(sheaf::detail::handler_number<reply>,
                                                run << sheaf::detail::question_run::place_bits | place);
    sheaf::detail::put<reply::codec>(here, here.answer_box(0), tag, {}, std::uint64_t{7});
  }
  here.request_box(0).flush();
  here.answer_box(0).flush();
  window.wait();
}

TEST_P(reply_window_test, answers_that_cannot_be_end_the_job) {
  auto const text = [](std::vector<std::pair<std::uint64_t, std::uint32_t>> answers) {
    return failure(1, [answers](team const& world) { answer(world, answers); });
  };
  expect_in("answered question 2 of run 0, which no reply window awaits", text({{0, 0}, {0, 2}}));
  expect_in("answered question 0 of run 0, which no reply window awaits", text({{0, 0}, {0, 1}, {0, 0}}));
  expect_in("answered question 1 of run 1, which no reply window awaits", text({{0, 0}, {1, 1}}));
}

/// Two names in a run that says one, and one in a run that says two.
TEST_P(reply_window_test, a_run_of_other_answers_than_it_counts_ends_the_job) {
  for (std::uint32_t const names : {1u, 2u}) {
    char const* const first_wrong =
        names == 1 ? "question 1 of run 0, which no reply" : "question 0 of run 0, which no";
    expect_in(first_wrong, failure(1, [names](team const& world) {
                store s(world);
                reply_window<std::string> window(world, 4);
                for (std::uint32_t i = 0; i < 3; ++i) s.ask_into<&store::name>(0, window, i, 1u);
                here_of(world).request_box(0).flush();
                using reply = sheaf::detail::prompt_answers<sheaf::detail::window_landing<std::string>>;
                auto const tag = sheaf::run_tag::of_answers(sheaf::detail::handler_number<reply>, 0);
                sheaf::detail::outbox& box = here_of(world).answer_box(0);
                std::size_t const each = sheaf::codec<std::string>::size("b");
                std::byte* const at = box.append_varying(tag, names * each);
                sheaf::byte_writer to(at, at + names * each);
                for (std::uint32_t i = 0; i < names; ++i) sheaf::codec<std::string>::encode(to, "b");
                if (names == 1) box.append_varying(tag, 0);
                box.flush();
                window.wait();
              }));
  }
}

TEST_P(reply_window_test, one_that_is_kept_beyond_its_job_has_its_results_and_awaits_nothing) {
  std::optional<reply_window<std::uint64_t>> kept;
  run(1, [&](team const& world) {
    store s(world);
    kept.emplace(world, 4);
    s.ask_into<&store::square>(0, *kept, 2, 5u);
    EXPECT_EQ(kept->awaited(), 1u);
    kept->wait();
    s.ask_into<&store::square>(0, *kept, 3, 5u);
    sheaf::fence(world);
  });
  EXPECT_EQ(kept->awaited(), 0u);
  EXPECT_EQ((*kept)[2], 25u);
}

TEST_P(reply_window_test, the_end_of_the_job_goes_through_a_destructor_that_waits) {
  expect_in("the last one gives up", failure(2, [](team const& world) {
              store s(world);
              if (world.rank() == 1) throw std::runtime_error("the last one gives up");
              reply_window<std::uint64_t> window(world, 1);
              s.ask_into<&store::square>(1, window, 0, 3u);
            }));
}

}  // namespace
