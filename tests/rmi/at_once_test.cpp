// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/rmi/method_traits.hpp"

#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "jobs.hpp"
#include "sheaf/async/task.hpp"
#include "sheaf/rmi/distributed.hpp"
#include "sheaf/rmi/reply_window.hpp"
#include "sheaf/runtime/attached_thread.hpp"

namespace {

using sheaf::team;
using sheaf_test::expect_in;

/// Writes down what runs, in order.
struct log_book : sheaf::distributed<log_book> {
  using distributed::distributed;
  std::vector<int> done;

  void queued(int what) { done.push_back(what); }
  void now(int what) { done.push_back(what); }
  std::size_t size() const { return done.size(); }
  void boom(std::string const& text) { throw std::runtime_error(text); }
  int boom_if(bool yes) { return yes ? throw std::runtime_error("it was yes") : 7; }
  void twice(int what) {
    async<&log_book::now>(rank(), what);
    done.push_back(-what);
  }
  void sends_much() {
    int const before = noted_here;
    for (int i = 0; i < 20000; ++i) async<&log_book::noted>((rank() + 1) % size_of_team(), i);
    seen = noted_here - before;
  }
  void noted(int) { ++noted_here; }
  [[nodiscard]] std::uint64_t size_of_team() const { return members().size(); }
  sheaf::task<int> asks(std::uint64_t whom) {
    done.push_back(1);
    co_return 10 + static_cast<int>(co_await ask<&log_book::size_of_team>(whom));
  }

  int noted_here = 0;
  int seen = 0;
};

/// All of its methods.
struct counter : sheaf::distributed<counter> {
  using distributed::distributed;
  long total = 0;
  void add(long n) { total += n; }
  long read() const { return total; }
};

}  // namespace

template <>
inline constexpr bool sheaf::at_once<&log_book::now> = true;
template <>
inline constexpr bool sheaf::at_once<&log_book::boom> = true;
template <>
inline constexpr bool sheaf::at_once<&log_book::boom_if> = true;
template <>
inline constexpr bool sheaf::at_once<&log_book::twice> = true;
template <>
inline constexpr bool sheaf::at_once<&log_book::sends_much> = true;
template <>
inline constexpr bool sheaf::at_once<&log_book::asks> = true;
template <>
inline constexpr bool sheaf::all_at_once<counter> = true;

namespace {

class at_once : public sheaf_test::over {};

TEST_P(at_once, a_call_to_oneself_has_run_when_it_returns) {
  run(2, [](team const& world) {
    counter c(world);
    c.async<&counter::add>(world.rank(), 3);
    EXPECT_EQ(c.total, 3);
    auto const add = c.bind<&counter::add>();
    add(world.rank(), 4);
    c.async<&counter::add>(world.rank(), 5);
    EXPECT_TRUE((c.try_async<&counter::add>(world.rank(), 6)));
    EXPECT_EQ(c.total, 18);
    EXPECT_EQ(c.sync<&counter::read>(world.rank()), 18);
    EXPECT_EQ(state_of(world).sent, 0u) << "no request";
    sheaf::barrier(world);
    c.async<&counter::add>(1 - world.rank(), 100);
    sheaf::fence(world);
    EXPECT_EQ(c.total, 118) << "to another location it is one";
  });
}

TEST_P(at_once, it_gives_up_its_place_in_the_order) {
  run(1, [](team const& world) {
    log_book b(world);
    b.async<&log_book::queued>(0, 1);
    b.async<&log_book::now>(0, 2);
    b.async<&log_book::queued>(0, 3);
    sheaf::fence(world);
    EXPECT_EQ(b.done, (std::vector<int>{2, 1, 3}));
  });
}

TEST_P(at_once, it_runs_inside_of_a_method_that_makes_it) {
  run(1, [](team const& world) {
    log_book b(world);
    b.async<&log_book::twice>(0, 5);
    EXPECT_EQ(b.done, (std::vector<int>{5, -5}));
    sheaf::fence(world);
  });
}

TEST_P(at_once, nothing_of_others_runs_while_it_sends) {
  run(2, [](team const& world) {
    log_book b(world);
    sheaf::barrier(world);
    b.sync<&log_book::sends_much>(world.rank());
    EXPECT_EQ(b.seen, 0) << "it ran as a method does";
    sheaf::fence(world);
    EXPECT_EQ(b.noted_here, 20000);
  });
}

TEST_P(at_once, an_exception_waits_for_the_fence) {
  run(2, [](team const& world) {
    log_book b(world);
    if (world.rank() == 1) b.async<&log_book::boom>(1, "bang");
    std::string const text = sheaf_test::text_of<sheaf::remote_error>([&] { sheaf::fence(world); });
    expect_in("bang", text);
    expect_in("log_book::boom", text);
  });
}

TEST_P(at_once, a_blocking_call_throws_what_it_would_throw_from_elsewhere) {
  run(1, [](team const& world) {
    log_book b(world);
    EXPECT_EQ(b.sync<&log_book::boom_if>(0, false), 7);
    std::string const text = sheaf_test::text_of<sheaf::remote_error>([&] { b.sync<&log_book::boom_if>(0, true); });
    expect_in("it was yes", text);
    expect_in("log_book::boom_if", text);
  });
}

TEST_P(at_once, futures_and_windows_get_what_it_gave) {
  run(2, [](team const& world) {
    log_book b(world);
    counter c(world);
    c.async<&counter::add>(world.rank(), 9);
    auto value = c.ask<&counter::read>(world.rank());
    c.async<&counter::add>(world.rank(), 1);
    EXPECT_EQ(value.get(), 9) << "read when it was asked";
    auto error = b.ask<&log_book::boom_if>(world.rank(), true);
    expect_in("it was yes", sheaf_test::text_of<sheaf::remote_error>([&] { error.get(); }));
    sheaf::reply_window<long> window(world, 3);
    for (std::uint32_t i = 0; i < 3; ++i) c.ask_into<&counter::read>(world.rank(), window, i);
    c.async<&counter::add>(world.rank(), 1);
    window.wait();
    EXPECT_EQ(window[0] + window[1] + window[2], 30);
    sheaf::fence(world);
  });
}

TEST_P(at_once, a_coroutine_begins_at_once) {
  run(2, [](team const& world) {
    log_book b(world);
    b.async<&log_book::queued>(1 - world.rank(), 4);
    sheaf::fence(world);
    auto answer = b.ask<&log_book::asks>(world.rank(), 1 - world.rank());
    EXPECT_EQ(b.done, (std::vector<int>{4, 1}));
    EXPECT_GE(answer.get(), 11);
    b.async<&log_book::asks>(world.rank(), world.rank());
    EXPECT_EQ(b.sync<&log_book::asks>(world.rank(), world.rank()), 12);
    sheaf::fence(world);
    EXPECT_EQ(state_of(world).awaited, 0u);
  });
}

TEST_P(at_once, a_rank_of_a_team_is_meant) {
  run(3, [](team const& world) {
    team const others = world.split(world.rank() == 0 ? 0 : 1);
    counter c(others);
    c.async<&counter::add>(others.rank(), 2);
    EXPECT_EQ(c.total, 2);
    sheaf::fence(world);
    if (world.rank() == 1) c.async<&counter::add>(1, 5);
    sheaf::fence(others);
    EXPECT_EQ(c.total, world.rank() == 2 ? 7 : 2);
    sheaf::fence(world);
  });
}

TEST_P(at_once, an_object_that_is_not_there_any_more_is_an_error_as_ever) {
  std::string const text = failure(1, [](team const& world) {
    sheaf::handle<counter> gone;
    {
      counter c(world);
      gone = handle_of(c);
    }
    gone.async<&counter::add>(0, 1);
    sheaf::fence(world);
  });
  expect_in("after the object was destroyed here", text);
}

SHEAF_OVER_ALL(at_once);

TEST(at_once_beside_others, an_attached_thread_sends_a_request_and_the_program_calls) {
  for (auto const progress : {sheaf::progress_kind::shared, sheaf::progress_kind::helper}) {
    sheaf::options job = sheaf_test::job_of(sheaf::transport_kind::thread, 2);
    job.progress = progress;
    sheaf::run(job, [](team const& world) {
      counter c(world);
      std::uint64_t const own = world.rank();
      std::thread other([&] {
        sheaf::attached_thread const here(world);
        c.async<&counter::add>(own, 10);
      });
      other.join();
      EXPECT_EQ(c.total, 0) << "only the location's own thread runs its methods";
      c.async<&counter::add>(own, 5);
      EXPECT_EQ(c.total, 5);
      sheaf::fence(world);
      EXPECT_EQ(c.total, 15);
    });
  }
}

}  // namespace
