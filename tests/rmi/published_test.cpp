// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/rmi/published.hpp"

#include <memory>
#include <optional>
#include <random>

#include "rmi/jobs.hpp"

namespace {

using sheaf::published;
using sheaf::published_handle;
using sheaf::team;
using sheaf_test::expect_in;
using sheaf_test::text_of;

class published_objects : public sheaf_test::over {};
SHEAF_OVER_ALL(published_objects);

struct counter {
  std::uint64_t value = 0;
  void add(std::uint64_t v) { value += v; }
  [[nodiscard]] std::uint64_t get() const { return value; }
};

/// Where a handle arrives.
struct mailbox : sheaf::distributed<mailbox> {
  explicit mailbox(sheaf::team const& t) : distributed(t) {}
  std::vector<published_handle<counter>> got;
  void take(published_handle<counter> h) { got.push_back(h); }
  void take_and_call(published_handle<counter> h) { sheaf::world().async<&counter::add>(h, 1u); }
};

TEST_P(published_objects, one_locations_object_is_called_by_all_that_have_its_handle) {
  run(4, [](team const& world) {
    mailbox m(world);
    counter own;
    std::unique_ptr<published<counter>> const p =
        world.rank() == 2 ? std::make_unique<published<counter>>(own) : nullptr;
    if (p != nullptr) {
      for (std::uint32_t d = 0; d < 4; ++d) m.async<&mailbox::take>(d, handle_of(*p));
    }
    fence(world);
    published_handle<counter> const h = m.got.at(0);
    EXPECT_EQ(number(h.owner()), 2u);
    sheaf::world().async<&counter::add>(h, 1u);
    sheaf::world().async(h, &counter::add, 10u);
    sheaf::world().async(
        h, [](counter& c, std::uint64_t v) { c.value += v; }, 100u);
    fence(world);
    EXPECT_EQ(own.value, world.rank() == 2 ? 444u : 0u);
    EXPECT_EQ(sheaf::world().sync<&counter::get>(h), 444u);
    EXPECT_EQ(sheaf::world().sync(h, &counter::get), 444u);
    EXPECT_EQ(sheaf::world().ask<&counter::get>(h).get(), 444u);
    EXPECT_EQ(sheaf::world().ask(h, [](counter& c) { return c.value + 1; }).get(), 445u);
    fence(world);
  });
}

TEST_P(published_objects, a_method_may_call_what_its_argument_names) {
  run(3, [](team const& world) {
    mailbox m(world);
    counter own;
    published<counter> const p(own);
    for (std::uint32_t d = 0; d < 3; ++d) m.async<&mailbox::take_and_call>(d, handle_of(p));
    fence(world);
    EXPECT_EQ(own.value, 3u);
    fence(world);
  });
}

TEST_P(published_objects, a_stale_handle_is_an_error_that_explains_itself) {
  std::string const text = failure(2, [](team const& world) {
    counter first, second;
    auto p = std::make_unique<published<counter>>(first);
    auto const h = broadcast(world, 1, handle_of(*p));
    if (world.rank() == 1) {
      p.reset();
      p = std::make_unique<published<counter>>(second);  // at the same place
    }
    barrier(world);
    if (world.rank() == 0) sheaf::world().async<&counter::add>(h, 1u);
    fence(world);
    EXPECT_EQ(second.value, 0u);
  });
  expect_in(
      "counter::add) of location 0 for the object published as number 0, generation 0, came to location 1 after "
      "the object was withdrawn",
      text);
  expect_in("Fence the world before", text);
}

/// Its method waits, and meanwhile a request with a stale handle comes.
struct prober : sheaf::distributed<prober> {
  explicit prober(sheaf::team const& t) : distributed(t) {}
  published_handle<counter> stale;
  void wait_for(std::uint32_t other) { sync<&prober::provoke>(other, rank()); }
  void provoke(std::uint32_t back) {
    sheaf::world().async<&counter::add>(stale, 1u);
    sync<&prober::nothing>(back);  // goes behind it
  }
  void nothing() {}
};

TEST_P(published_objects, a_stale_handle_ends_the_job_in_the_wait_of_a_method_too) {
  expect_in("came to location 1 after the object was withdrawn", failure(2, [](team const& world) {
              prober here(world);
              counter c;
              auto p = std::make_unique<published<counter>>(c);
              here.stale = broadcast(world, 1, handle_of(*p));
              p.reset();
              barrier(world);
              if (world.rank() == 0) here.async<&prober::wait_for>(1, 0u);
              fence(world);
            }));
}

TEST_P(published_objects, who_catches_the_error_of_a_stale_handle_gets_it_again) {
  int caught = 0;
  std::string const text = failure(2, [&](team const& world) {
    counter c;
    auto p = std::make_unique<published<counter>>(c);
    auto const h = broadcast(world, 1, handle_of(*p));
    p.reset();
    if (world.rank() == 0) {
      barrier(world);
      sheaf::world().sync<&counter::get>(h);  // whose answer never comes
    }
    for (bool met = false; caught < 2 && world.rank() == 1;) {
      try {
        if (!std::exchange(met, true)) barrier(world);
        fence(world);
      } catch (sheaf::usage_error const& e) {
        expect_in("came to location 1 after the object was withdrawn", e.what());
        ++caught;
      }
    }
  });
  expect_in("came to location 1 after the object was withdrawn", text);
  EXPECT_EQ(caught, 2);
}

TEST_P(published_objects, a_handle_that_was_never_given_is_an_error) {
  expect_in("which location 0 never published", failure(1, [](team const& world) {
              sheaf::world().async<&counter::add>(
                  published_handle<counter>(here_of(world).id(), sheaf::run_tag::of_published(3, 0)), 1u);
              fence(world);
            }));
  run(1, [](team const&) {
    expect_in("names no object", text_of<sheaf::usage_error>(
                                     [] { sheaf::world().async<&counter::add>(published_handle<counter>(), 1u); }));
  });
}

TEST_P(published_objects, a_world_of_another_job_is_recognised) {
  std::optional<team> old;
  run(1, [&](team const& world) { old = world; });
  run(1, [&](team const&) {
    counter c;
    published<counter> const p(c);
    expect_in("was used by another location, or in another job",
              text_of<sheaf::usage_error>([&] { old->async<&counter::add>(handle_of(p), 1u); }));
  });
}

TEST_P(published_objects, places_are_used_again_with_another_generation) {
  run(1, [](team const&) {
    counter c;
    published_handle<counter> before;
    for (int i = 0; i < 10'000; ++i) {  // more than a place has generations
      published<counter> const p(c);
      EXPECT_NE(handle_of(p), before);
      EXPECT_LE(handle_of(p).tag().object(), 3u);
      before = handle_of(p);
      sheaf::world().async<&counter::add>(handle_of(p), 1u);
      while (c.value != static_cast<std::uint64_t>(i) + 1) sheaf::poll();
    }
  });
}

/// Objects come and go at random, and each request reaches the one that it was for.
TEST_P(published_objects, random_lives) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    auto job = sheaf_test::job_of(GetParam(), 3);
    job.seed = seed;
    sheaf::run(job, [&](team const& world) {
      std::mt19937_64 random(seed * 3 + world.rank());
      for (int round = 0; round < 20; ++round) {
        std::vector<counter> own(1 + random() % 10);
        std::vector<std::unique_ptr<published<counter>>> lives;
        std::vector<published_handle<counter>> handles;
        for (auto& c : own) {
          lives.push_back(std::make_unique<published<counter>>(c));
          handles.push_back(handle_of(*lives.back()));
        }
        auto const all = all_gather(world, handles);
        for (auto const& theirs : all) {
          for (std::size_t i = 0; i < theirs.size(); ++i) sheaf::world().async<&counter::add>(theirs[i], i + 1);
        }
        fence(world);
        for (std::size_t i = 0; i < own.size(); ++i) EXPECT_EQ(own[i].value, 3 * (i + 1)) << "seed " << seed;
        std::shuffle(lives.begin(), lives.end(), random);
      }
    });
  }
}

struct waiter {
  int waits() {
    sheaf::wait_for_request();
    return 0;
  }
};
struct heir : waiter {};

/// What a job of the simulator says that is deadlocked since location 0 asks location 1's object, which never answers.
template <class Ask>
std::string deadlock_of(Ask ask) {
  sheaf::options const job = sheaf_test::job_of(sheaf::transport_kind::sim, 2);
  return text_of<sheaf::job_failed>([&] {
    sheaf::run(job, [&](team const& world) {
      heir own;
      published<heir> const p(own);
      auto const there = broadcast(world, 1, handle_of(p));
      if (world.rank() == 0) ask(there);
      fence(world);
    });
  });
}

std::string called_at(unsigned line) { return std::string("sync, called at ") + __FILE__ + ":" + std::to_string(line); }

TEST(published_report, a_sync_says_where_it_was_called_in_every_form) {
  using there = published_handle<heir>;
  unsigned line = 0;
  auto const expect_line = [&](std::string const& text) {
    expect_in((called_at(line) + ", for location 1's answer to ").c_str(), text);
    expect_in(" on the object published as number 0\n", text);
  };
  expect_line(deadlock_of([&](there const& h) { line = __LINE__, sheaf::world().sync<&heir::waits>(h); }));
  expect_line(deadlock_of([&](there const& h) { line = __LINE__, sheaf::world().sync<&waiter::waits>(h); }));
  expect_line(deadlock_of([&](there h) { line = __LINE__, sheaf::world().sync(h, &heir::waits); }));
  expect_line(
      deadlock_of([&](there h) { line = __LINE__, sheaf::world().sync(there(h), [](auto& o) { o.waits(); }); }));
}

TEST(published_report, a_handle_stays_two_words_that_travel_as_bytes) {
  static_assert(sizeof(published_handle<counter>) == 16);
  static_assert(std::is_trivially_copyable_v<published_handle<counter>>);
  constexpr published_handle<counter> none;
  EXPECT_FALSE(none.valid());
  EXPECT_EQ(none, published_handle<counter>());
  published_handle<counter> const h(sheaf::location_id{7}, sheaf::run_tag::of_published(3, 2));
  EXPECT_EQ(number(h.owner()), 7u);
  EXPECT_EQ(h.tag(), sheaf::run_tag::of_published(3, 2));
  EXPECT_NE(h, published_handle<counter>(sheaf::location_id{6}, h.tag()));
  EXPECT_NE(h, published_handle<counter>(h.owner(), sheaf::run_tag::of_published(3, 1)));
}

}  // namespace
