// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// What throws where it must not: the job ends with the text, wherever the program catches it, and nobody waits on.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>

#include "rmi/jobs.hpp"
#include "sheaf/rmi/migrating.hpp"
#include "sheaf/rmi/named_method.hpp"
#include "sheaf/rmi/reply_window.hpp"
#include "sheaf/runtime/attached_thread.hpp"
#include "sheaf/std.hpp"

namespace {

using sheaf_test::expect_in;
using sheaf_test::text_of;

/// Cannot be copied a third time, and has no move.
struct heavy {
  int value = 0, copies = 0;
  heavy() = default;
  explicit heavy(int v) : value(v) {}
  heavy(heavy const& from) : value(from.value), copies(from.copies + 1) { check(); }
  heavy& operator=(heavy const& from) {
    value = from.value;
    copies = from.copies + 1;
    return check(), *this;
  }
  void check() const {
    if (value == 13 && copies == 1) throw std::runtime_error("no room for a copy");
  }
  void define_type(sheaf::typer& t) { t.local(value); }
};

/// Cannot be read where it is 13.
struct unreadable {
  int value = 0;
};

/// A result that no window could take.
struct fixed_name {
  std::string const name = "a";
  void define_type(sheaf::typer&) {}
};

}  // namespace

template <>
struct sheaf::codec<unreadable> {
  static std::size_t size(unreadable const&) { return 4; }
  static void encode(byte_writer& to, unreadable const& u) { to.value(u.value); }
  static unreadable decode(byte_reader& from) {
    unreadable const u{from.value<int>()};
    if (u.value == 13) throw std::runtime_error("thirteen");
    return u;
  }
};

namespace {

class thrown : public sheaf_test::over {};
SHEAF_OVER_ALL(thrown);

struct teller : sheaf::distributed<teller> {
  explicit teller(sheaf::team const& on) : distributed(on) {}
  heavy get_heavy(int v) { return heavy(v); }
  unreadable get_unreadable(int v) { return {v}; }
  int plain() { return 5; }
  int sum(std::array<char, 320> const& of) { return of[319]; }
  fixed_name name() { return {}; }
};

struct wanderer {
  int seen = 0;
  void read(unreadable const& u) { seen = u.value; }
  void define_type(sheaf::typer& t) { t.local(seen); }
};

/// Catches what a wait throws, as a program may that does not know better, and waits again.
template <class F>
void stubborn(F f) {
  try {
    f();
  } catch (std::exception const&) {
  }
}

TEST_P(thrown, by_the_copy_of_a_result_it_ends_the_job) {
  std::string const text = failure(2, [](sheaf::team const& world) {
    teller all(world);
    if (world.rank() == 0) {
      auto asked = all.ask<&teller::get_heavy>(1, 13);
      stubborn([&] { asked.get(); });
      EXPECT_EQ(all.sync<&teller::plain>(1), 0) << "the job went on";
    }
    fence(world);
  });
  expect_in("no room for a copy", text);
}

TEST_P(thrown, by_the_codec_of_a_result_it_says_that_it_was_one) {
  std::string const text = failure(2, [](sheaf::team const& world) {
    teller all(world);
    if (world.rank() == 0) all.sync<&teller::get_unreadable>(1, 13);
    fence(world);
  });
  expect_in("a result from location 1 does not decode: thirteen", text);
}

TEST_P(thrown, by_the_codec_of_a_migrating_objects_request_it_ends_the_job) {
  std::string const text = failure(3, [](sheaf::team const& world) {
    sheaf::migrating<wanderer> all(world);
    sheaf::object_id const id = broadcast(world, 1, world.rank() == 1 ? all.create(wanderer{}) : sheaf::object_id());
    if (world.rank() == 0) all.async<&wanderer::read>(id, unreadable{13});
    stubborn([&] { fence(world); });
    fence(world);
  });
  expect_in("do not decode: thirteen", text);
}

TEST_P(thrown, by_the_operation_of_a_collective_it_ends_the_job) {
  std::string const text = failure(4, [](sheaf::team const& world) {
    auto const add = [](int a, int b) -> int {
      if (a + b > 2) throw std::runtime_error("too much");
      return a + b;
    };
    stubborn([&] { static_cast<void>(all_reduce(world, 1, add)); });
    barrier(world);
  });
  expect_in("the operation of a collective call threw, but must not throw: too much", text);
  std::string const of_scan = failure(3, [](sheaf::team const& world) {
    auto const add = [&](int a, int b) -> int {  // the last member combines nothing but its own result
      return world.rank() == 2 ? throw std::runtime_error("no sum") : a + b;
    };
    stubborn([&] { static_cast<void>(scan(world, 1, add)); });
    barrier(world);
  });
  expect_in("the operation of a collective call threw, but must not throw: no sum", of_scan);
  std::string const of_parts = failure(2, [](sheaf::team const& world) {
    auto const add = [](int, int) -> int { throw std::runtime_error("no part"); };
    stubborn([&] { static_cast<void>(reduce_scatter(world, std::vector<int>(2), add)); });
    barrier(world);
  });
  expect_in("the operation of a collective call threw, but must not throw: no part", of_parts);
}

TEST_P(thrown, by_one_program_it_ends_those_that_only_poll) {
  std::string const text = failure(3, [](sheaf::team const& world) {
    barrier(world);
    if (world.rank() == 0) throw std::runtime_error("rank 0 fails");
    while (true) sheaf::poll();
  });
  expect_in("rank 0 fails", text);
}

TEST_P(thrown, by_the_value_of_a_fence_it_ends_the_job) {
  std::string const text = failure(3, [](sheaf::team const& world) {
    auto const own = [&]() -> int { return world.rank() == 1 ? throw std::runtime_error("no value") : 1; };
    stubborn([&] { static_cast<void>(fence(world, own, [](int a, int b) { return a + b; })); });
    barrier(world);
  });
  expect_in("own() of a fence threw, but must not throw: no value", text);
}

TEST(thrown, by_an_attached_threads_wait_it_ends_the_job) {
  auto settings = sheaf_test::job_of(sheaf::transport_kind::thread, 2);
  settings.progress = sheaf::progress_kind::shared;
  for (int round = 0; round < 20; ++round) {
    std::string const text = text_of<sheaf::job_failed>([&] {
      sheaf::run(settings, [](sheaf::team const& world) {
        teller all(world);
        if (world.rank() == 0) {
          std::atomic<bool> over{false};
          std::thread other([&] {
            sheaf::attached_thread const self(world);
            stubborn([&] { all.sync<&teller::get_unreadable>(1, 13); });
            over = true;
          });
          stubborn([&] {
            while (!over) sheaf::poll();
          });
          other.join();
          all.sync<&teller::plain>(1);
        }
        fence(world);
      });
    });
    expect_in("thirteen", text);
  }
}

TEST(attached_thread, may_ask_and_wait_for_large_arguments_of_one_size) {
  auto settings = sheaf_test::job_of(sheaf::transport_kind::thread, 2);
  settings.progress = sheaf::progress_kind::shared;
  sheaf::run(settings, [](sheaf::team const& world) {
    teller all(world);
    std::atomic<bool> over{false};
    std::thread other([&] {
      sheaf::attached_thread const self(world);
      std::array<char, 320> bytes{};
      bytes[319] = 7;
      for (int i = 0; i < 300; ++i) {
        auto asked = all.ask<&teller::sum>(1 - world.rank(), bytes);
        EXPECT_EQ(all.sync<&teller::sum>(1 - world.rank(), bytes), 7);
        EXPECT_EQ(asked.get(), 7);
      }
      over = true;
    });
    while (!over) sheaf::poll();
    other.join();
    fence(world);
  });
}

TEST(attached_thread, is_refused_by_a_team_whose_job_is_over) {
  auto settings = sheaf_test::job_of(sheaf::transport_kind::thread, 2);
  settings.progress = sheaf::progress_kind::shared;
  std::vector<sheaf::team> kept;
  sheaf::run(settings, [&](sheaf::team const& world) {
    if (world.rank() == 0) kept.push_back(world);
    barrier(world);
  });
  expect_in("the job of the team is over",
            text_of<sheaf::usage_error>([&] { sheaf::attached_thread const self(kept[0]); }));
}

sheaf::task<int> failing(teller& all) {
  int const five = co_await all.ask<&teller::plain>(0);
  if (five == 5) throw std::runtime_error("five");
  co_return five;
}

TEST_P(thrown, by_a_task_that_outlives_its_job_it_is_dropped) {
  sheaf::task<int> kept, other;
  run(1, [&](sheaf::team const& world) {
    teller all(world);
    kept = failing(all);
    other = failing(all);
    fence(world);
  });
  EXPECT_TRUE(kept.ready());
  expect_in("outside of sheaf::run", text_of<sheaf::usage_error>([&] { sheaf::future<int> const f(std::move(kept)); }));
}

TEST_P(thrown, a_named_methods_result_need_not_be_assignable) {
  run(2, [](sheaf::team const& world) {
    teller all(world);
    if (world.rank() == 0) {
      EXPECT_EQ(all.sync<&teller::name>(1).name, "a");
    }
    fence(world);
  });
}

}  // namespace

template class sheaf::named_method<&teller::name>;
