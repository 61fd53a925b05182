// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Methods that are coroutines, over threads and in the simulator.
#include "sheaf/rmi/detail/coroutine.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <stdexcept>

#include "rmi/jobs.hpp"
#include "sheaf/rmi/distributed.hpp"
#include "sheaf/rmi/migrating.hpp"
#include "sheaf/rmi/published.hpp"
#include "sheaf/rmi/reply_window.hpp"

namespace {

using sheaf::task;
using sheaf::team;
using sheaf_test::expect_in;
using sheaf_test::text_of;

class coroutines : public sheaf_test::over {};
SHEAF_OVER_ALL(coroutines);

struct office : sheaf::distributed<office> {
  explicit office(sheaf::team const& t) : distributed(t) {}

  std::uint64_t value = 0;
  int inside = 0;  // coroutines between two suspensions
  std::string heard;

  [[nodiscard]] std::uint32_t next() const { return (rank() + 1) % members().size(); }
  std::uint64_t twice(std::uint64_t v) { return 2 * v; }
  void add(std::uint64_t v) { value += v; }

  /// Asks the next one, by way of `hops` others.
  task<std::uint64_t> around(std::uint64_t hops) {
    if (hops == 0) co_return 1;
    co_return co_await ask<&office::around>(next(), hops - 1) + 1;
  }
  task<> around_and_add(std::uint64_t hops) { value += co_await ask<&office::around>(next(), hops); }
  /// Its argument by reference, looked at when the request is long gone.
  task<std::uint64_t> length_of(std::string const& text, std::vector<int> const& numbers) {
    co_await ask<&office::twice>(next(), 1u);
    heard = text;
    co_return text.size() + numbers.size();
  }
  task<> refuse(std::uint64_t v) {
    co_await ask<&office::twice>(next(), v);
    throw std::runtime_error("no to " + std::to_string(v));
  }
  task<std::uint64_t> refuse_at_once(std::uint64_t v) {
    if (v != 0) throw std::runtime_error("not even " + std::to_string(v));
    co_return co_await ask<&office::twice>(next(), v);
  }
  /// Blocks, awaits, and blocks again.
  task<std::uint64_t> mixed(std::uint64_t v) {
    v = sync<&office::twice>(next(), v);
    v = co_await ask<&office::twice>(next(), v);
    co_return sync<&office::twice>(next(), v);
  }
  task<> fence_inside() {
    co_await ask<&office::twice>(next(), 1u);
    fence(members());
  }
  /// Nothing of this location runs between its suspensions.
  task<> atomic(std::uint64_t steps) {
    for (std::uint64_t i = 0; i < steps; ++i) {
      ++inside;
      async<&office::look>(next());
      EXPECT_EQ(inside, 1);
      --inside;
      co_await ask<&office::twice>(next(), i);
    }
    ++value;
  }
  void look() { EXPECT_EQ(inside, 0); }
};

TEST_P(coroutines, every_form_gives_the_result) {
  run(3, [](team const& world) {
    office o(world);
    auto const h = handle_of(o);
    std::uint32_t const to = o.next();
    EXPECT_EQ(o.sync<&office::around>(to, 5u), 6u);
    EXPECT_EQ(o.ask<&office::around>(to, 5u).get(), 6u);
    EXPECT_EQ(h.sync(to, &office::around, 4u), 5u);
    EXPECT_EQ(h.ask(to, &office::around, 4u).get(), 5u);
    sheaf::reply_window<std::uint64_t> window(world, 10);
    for (std::uint32_t i = 0; i < 10; ++i) h.ask_into<&office::around>(i % 3, window, i, std::uint64_t{i});
    window.wait();
    for (std::uint32_t i = 0; i < 10; ++i) EXPECT_EQ(window[i], i + 1);
    fence(world);

    o.async<&office::around_and_add>(to, 1u);
    auto const bound = o.bind<&office::around_and_add>();
    bound(to, 1u);
    o.async(to, &office::around_and_add, 1u);
    o.bind (&office::around_and_add)(to, 1u);
    while (!h.try_async<&office::around_and_add>(to, 1u)) sheaf::poll();
    fence(world);
    EXPECT_EQ(o.value, 10u);
    barrier(world);
    o.async<&office::around_and_add>(sheaf::to_all, 2u);
    fence(world);
    EXPECT_EQ(o.value, 19u);
    auto const sum = [](std::uint64_t a, std::uint64_t b) { return a + b; };
    EXPECT_EQ(o.reduce<&office::around>(sheaf::to_all, sum, 3u).get(), 12u);
    EXPECT_EQ(o.ask<&office::around>(sheaf::to_all, 3u).get(), (std::vector<std::uint64_t>(3, 4)));
    fence(world);
  });
}

TEST_P(coroutines, own_their_arguments_and_their_closure) {
  run(2, [](team const& world) {
    office o(world);
    std::string const text(10'000, 'x');
    EXPECT_EQ(o.sync<&office::length_of>(o.next(), text, std::vector<int>(7)), 10'007u);
    EXPECT_EQ(o.ask(o.next(), &office::length_of, text, std::vector<int>(9)).get(), 10'009u);
    struct {
      std::uint64_t a, b;
    } const inside{20, 1};
    auto const closure = [inside](office& there, std::string const& word) -> task<std::uint64_t> {
      co_await there.ask<&office::twice>(there.next(), 1u);
      co_return inside.a + inside.b + word.size();
    };
    EXPECT_EQ(o.sync(o.next(), closure, std::string(100, 'w')), 121u);
    EXPECT_EQ(o.ask(o.next(), closure, std::string(200, 'w')).get(), 221u);
    fence(world);
    EXPECT_EQ(o.heard, text);
  });
}

TEST_P(coroutines, the_fence_waits_for_them) {
  run(4, [](team const& world) {
    office o(world);
    for (int round = 0; round < 5; ++round) {
      for (std::uint32_t to = 0; to < 4; ++to) o.async<&office::around_and_add>(to, 20u);
      fence(world);
      EXPECT_EQ(o.value, 84u * (static_cast<std::uint64_t>(round) + 1));
    }
  });
}

TEST_P(coroutines, exceptions_go_where_others_go) {
  run(2, [](team const& world) {
    office o(world);
    std::string const here = std::to_string(world.rank()), there = std::to_string(o.next());
    auto const expect_text = [&](std::string const& text, char const* what) {
      expect_in(what, text);
      expect_in(("location " + there).c_str(), text);
      expect_in(("called by location " + here).c_str(), text);
    };
    expect_text(text_of<sheaf::remote_error>([&] { o.sync<&office::refuse>(o.next(), 3u); }), "no to 3");
    expect_text(text_of<sheaf::remote_error>([&] { o.ask<&office::refuse>(o.next(), 4u).get(); }), "no to 4");
    expect_text(text_of<sheaf::remote_error>([&] { o.sync<&office::refuse_at_once>(o.next(), 5u); }), "not even 5");
    fence(world);
    if (world.rank() == 0) o.async<&office::refuse>(1, 6u);
    std::string const text = text_of<sheaf::remote_error>([&] { fence(world); });
    expect_in("1 remotely invoked method threw", text);
    expect_in("office::refuse called by location 0: no to 6", text);
    sheaf::reply_window<std::uint64_t> window(world, 1);
    o.ask_into<&office::refuse_at_once>(o.next(), window, 0, 7u);
    expect_text(text_of<sheaf::remote_error>([&] { window.wait(); }), "not even 7");
    if (world.rank() == 0) o.async<&office::refuse>(sheaf::to_all, 8u);
    expect_in("2 remotely invoked methods threw", text_of<sheaf::remote_error>([&] { fence(world); }));
    auto const sum = [](std::uint64_t a, std::uint64_t b) { return a + b; };
    expect_in("not even 9", text_of<sheaf::remote_error>([&] {
                static_cast<void>(o.reduce<&office::refuse_at_once>(sheaf::to_all, sum, 9u).get());
              }));
    fence(world);
  });
}

TEST_P(coroutines, recursion_beyond_every_nesting_limit) {
  auto job = sheaf_test::job_of(GetParam(), 3);
  job.nesting_limit = 2;
  sheaf::run(job, [](team const& world) {
    office o(world);
    EXPECT_EQ(o.sync<&office::around>(o.next(), 3000u), 3001u);
    fence(world);
  });
}

TEST_P(coroutines, may_wait_in_between_as_methods_do) {
  run(3, [](team const& world) {
    office o(world);
    EXPECT_EQ(o.sync<&office::mixed>(o.next(), 5u), 40u);
    for (int i = 0; i < 20; ++i) o.async<&office::mixed>(static_cast<std::uint32_t>(i % 3), 1u);
    fence(world);
    o.async<&office::fence_inside>(o.next());
    expect_in("fence was called in a remotely invoked method", text_of<sheaf::remote_error>([&] { fence(world); }));
  });
}

TEST_P(coroutines, are_atomic_between_suspensions) {
  run(3, [](team const& world) {
    office o(world);
    for (std::uint32_t to = 0; to < 3; ++to) o.async<&office::atomic>(to, 50u);
    fence(world);
    EXPECT_EQ(o.value, 3u);
  });
}

/// What location 0 registers last of all: until then whoever asks it waits.
struct gate {
  void pass() {}
};

struct queue : sheaf::distributed<queue> {
  explicit queue(sheaf::team const& t) : distributed(t) {}
  sheaf::handle<gate> door;
  std::uint64_t waiting = 0;
  task<std::uint64_t> stand(std::uint64_t v) {
    ++waiting;
    co_await door.ask<&gate::pass>(0);
    --waiting;
    co_return v;
  }
  [[nodiscard]] std::uint64_t length() const { return waiting; }
};

TEST_P(coroutines, ten_thousand_are_suspended_at_once) {
  run(2, [](team const& world) {
    queue q(world);
    gate g;
    std::optional<sheaf::registration<gate>> door;
    if (world.rank() == 1) door.emplace(world, g);
    q.door = broadcast(world, 1, world.rank() == 1 ? handle_of(*door) : sheaf::handle<gate>());
    barrier(world);
    std::vector<sheaf::future<std::uint64_t>> all;
    if (world.rank() == 0) {
      for (std::uint64_t i = 0; i < 10'000; ++i) all.push_back(q.ask<&queue::stand>(1, i));
      EXPECT_EQ(q.sync<&queue::length>(1), 10'000u);
      door.emplace(world, g);
    }
    for (std::uint64_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].get(), i);
    fence(world);
    EXPECT_EQ(q.waiting, 0u);
  });
}

// ---- the program ---------------------------------------------------------------------------------------------------

TEST_P(coroutines, the_program_has_coroutines_too) {
  run(3, [](team const& world) {
    office o(world);
    auto const sum = [](office& there, std::uint32_t to) -> task<std::uint64_t> {
      auto a = there.ask<&office::twice>(to, 1u), b = there.ask<&office::around>(to, 2u);
      std::uint64_t const first = co_await a;
      co_return first + co_await b;
    };
    EXPECT_EQ(sum(o, o.next()).get(), 5u);
    auto const [x, y] = when_all(sum(o, 0), o.ask<&office::twice>(1, 4u)).get();
    EXPECT_EQ(x + y, 13u);
    sheaf::future<std::uint64_t> const dropped = sum(o, o.next());
    static_cast<void>(sum(o, 0));  // stops where it stands
    auto const fails = [](office& there) -> task<> { co_await there.ask<&office::refuse>(there.next(), 1u); };
    expect_in("no to 1", text_of<sheaf::remote_error>([&] { fails(o).get(); }));
    fence(world);
    EXPECT_TRUE(dropped.ready());
  });
}

TEST_P(coroutines, an_error_that_nobody_asks_for_is_thrown_by_the_fence) {
  run(2, [](team const& world) {
    office o(world);
    auto const at_once = []() -> task<int> {
      if (true) throw std::runtime_error("before it suspended");
      co_return 1;
    };
    auto const later = [](office& there) -> task<> { co_await there.ask<&office::refuse>(there.next(), 2u); };
    if (world.rank() == 0) {
      static_cast<void>(at_once());
      static_cast<void>(sheaf::future<void>(later(o)));
    }
    std::string const text = text_of<sheaf::remote_error>([&] { fence(world); });
    expect_in("before it suspended", text);
    expect_in("no to 2", text);
  });
}

// ---- objects that go -----------------------------------------------------------------------------------------------

struct clerk {
  std::uint64_t value = 0;
  sheaf::handle<gate> door;
  task<std::uint64_t> wait() {
    ++value;
    co_await door.ask<&gate::pass>(0);
    co_return ++value;
  }
};

/// Location 0 asks the clerk of location 1 twice, who waits at a door that is not there yet.
struct asked_clerk {
  gate g;
  clerk own;
  std::optional<sheaf::registration<gate>> door;
  std::unique_ptr<sheaf::published<clerk>> as;
  sheaf::future<std::uint64_t> asked;

  explicit asked_clerk(team const& world) {
    if (world.rank() == 1) door.emplace(world, g);
    own.door = broadcast(world, 1, world.rank() == 1 ? handle_of(*door) : sheaf::handle<gate>());
    as = std::make_unique<sheaf::published<clerk>>(own);
    auto const theirs = broadcast(world, 1, handle_of(*as));
    if (world.rank() == 0) {
      asked = sheaf::world().ask<&clerk::wait>(theirs);
      sheaf::world().async<&clerk::wait>(theirs);
      sheaf::flush();
    }
    while (world.rank() == 1 && own.value < 2) sheaf::poll();
  }
  void open_the_door(team const& world) {
    barrier(world);
    if (world.rank() == 0) door.emplace(world, g);
  }
};

TEST_P(coroutines, an_object_that_goes_takes_its_coroutines_with_it) {
  run(2, [](team const& world) {
    asked_clerk c(world);
    c.as.reset();
    c.open_the_door(world);
    if (world.rank() == 0) {
      expect_in("clerk::wait called by location 0: its object was destroyed or withdrawn while",
                text_of<sheaf::remote_error>([&] { c.asked.get(); }));
    }
    std::string const text = text_of<sheaf::remote_error>([&] { fence(world); });
    expect_in("1 remotely invoked method threw", text);
    expect_in("fence (the world, for a published object) before you destroy it", text);
    EXPECT_EQ(c.own.value, world.rank() == 1 ? 2u : 0u);
  });
}

TEST_P(coroutines, an_object_may_lose_one_of_its_names) {
  run(2, [](team const& world) {
    asked_clerk c(world);
    sheaf::published<clerk> const another(c.own);
    c.as.reset();
    c.open_the_door(world);
    fence(world);
    EXPECT_EQ(c.own.value, world.rank() == 1 ? 4u : 0u);
  });
}

/// Goes away in a method of its own.
struct guest {
  std::unique_ptr<sheaf::published<guest>> as;
  std::unique_ptr<guest>* owner = nullptr;
  std::uint64_t said = 0;
  void say(std::uint64_t v) { said += v; }
  void leave() { owner->reset(); }
  task<> leave_later(sheaf::handle<office> o) {
    co_await o.ask<&office::twice>(0, 1u);
    owner->reset();
  }
};

TEST_P(coroutines, a_method_may_end_its_object_but_not_before_the_rest_of_its_run) {
  for (bool const more : {false, true}) {
    std::string const text = failure(2, [more](team const& world) {
      std::unique_ptr<guest> own = std::make_unique<guest>();
      own->as = std::make_unique<sheaf::published<guest>>(*own);
      own->owner = &own;
      auto const theirs = broadcast(world, 1, handle_of(*own->as));
      if (world.rank() == 0) {
        sheaf::world().async<&guest::say>(theirs, 1u);
        sheaf::world().async<&guest::leave>(theirs);
        for (int i = 0; more && i < 3; ++i) sheaf::world().async<&guest::leave>(theirs);  // in the same run
      }
      fence(world);
      EXPECT_EQ(own == nullptr, world.rank() == 1);
    });
    if (more) {
      expect_in("3 requests (", text);
      expect_in("guest::leave) of location 0 came too late: an earlier method of the same run destroyed", text);
    } else {
      EXPECT_EQ(text, "it did not fail");
    }
  }
}

TEST_P(coroutines, a_coroutine_may_end_its_own_object) {
  run(2, [](team const& world) {
    office const o(world);
    std::unique_ptr<guest> own = std::make_unique<guest>();
    own->as = std::make_unique<sheaf::published<guest>>(*own);
    own->owner = &own;
    auto const theirs = broadcast(world, 1, handle_of(*own->as));
    if (world.rank() == 0) sheaf::world().async<&guest::leave_later>(theirs, handle_of(o));
    fence(world);
    EXPECT_EQ(own == nullptr, world.rank() == 1);
  });
}

// ---- objects that move ---------------------------------------------------------------------------------------------

struct parcel {
  std::uint64_t value = 0;
  std::uint64_t stays = 0;
  task<std::uint64_t> look_up(sheaf::handle<office> o, std::uint32_t at) {
    parcel const* const before = this;
    std::uint64_t const v = co_await o.ask<&office::around>(at, 10u);
    if (this == before) ++stays;
    co_return value += v;
  }
  task<> refuse(sheaf::handle<office> o) { co_await o.ask<&office::refuse>(0, 11u); }
};

TEST_P(coroutines, a_migrating_object_stays_until_they_end) {
  run(3, [](team const& world) {
    office o(world);
    sheaf::migrating<parcel> parcels(world);
    sheaf::object_id id;
    if (world.rank() == 0) id = parcels.create({});
    id = broadcast(world, 0, id);
    fence(world);
    for (std::uint32_t i = 0; i < 5; ++i) {
      parcels.async<&parcel::look_up>(id, handle_of(o), i % 3);
      parcels.move(id, world.rank());
      auto f = parcels.ask<&parcel::look_up>(id, handle_of(o), i % 3);
      EXPECT_EQ(parcels.sync<&parcel::look_up>(id, handle_of(o), 0u) % 11, 0u);
      EXPECT_EQ(f.get() % 11, 0u);
    }
    fence(world);
    if (auto const* const here = parcels.find(id)) {
      EXPECT_EQ(here->value, 45u * 11);
      EXPECT_EQ(here->stays, 45u);
    }
    if (world.rank() == 1) parcels.async<&parcel::refuse>(id, handle_of(o));
    expect_in("no to 11", text_of<sheaf::remote_error>([&] { fence(world); }));
  });
}

// ---- jobs that fail ------------------------------------------------------------------------------------------------

struct counted {
  static inline std::atomic<int> alive = 0;
  counted() { ++alive; }
  counted(counted const&) = delete;
  counted& operator=(counted const&) = delete;
  ~counted() { --alive; }
};

struct trap : sheaf::distributed<trap> {
  explicit trap(sheaf::team const& t) : distributed(t) {}
  std::vector<int> mine = std::vector<int>(100, 1);
  task<> forever(std::string const& text) {
    counted const c;
    struct at_end {  // what it refers to is still there, except where the program threw, which destroys its object
                     // first
      std::vector<int>* of;
      std::string const& text;
      ~at_end() {
        if (of != nullptr) (*of)[0] += static_cast<int>(text.size());
      }
    } const touch{rank() != 1 ? &mine : nullptr, text};
    while (true) co_await ask<&trap::nothing>((rank() + 1) % members().size());
  }
  void nothing() {}
};

TEST_P(coroutines, the_end_of_a_failed_job_destroys_them) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    auto job = sheaf_test::job_of(GetParam(), 3);
    job.seed = seed;
    std::string const text = text_of<sheaf::job_failed>([&] {
      sheaf::run(job, [](team const& world) {
        trap t(world);
        for (int i = 0; i < 10; ++i) t.async<&trap::forever>((world.rank() + 1) % 3, std::string(100, 'x'));
        auto const own = [](trap& there) -> task<> {
          counted const c;
          co_await there.forever(std::string(100, 'y'));
        };
        auto const mine = own(t);
        static_cast<void>(sheaf::future<void>(own(t)));
        if (world.rank() == 1) {
          t.sync<&trap::nothing>(2);
          throw std::runtime_error("enough");
        }
        fence(world);
      });
    });
    expect_in("location 1: enough", text);
    EXPECT_EQ(counted::alive, 0);
  }
}

}  // namespace
