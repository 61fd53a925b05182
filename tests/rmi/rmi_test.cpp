// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/rmi/distributed.hpp"

#include <array>
#include <numeric>
#include <vector>

#include "rmi/jobs.hpp"
#include "sheaf/rmi/published.hpp"

namespace sheaf_test {

/// Cannot travel when it is 13.
struct touchy {
  std::uint64_t value = 0;
};

}  // namespace sheaf_test

template <>
struct sheaf::codec<sheaf_test::touchy> {
  static std::size_t size(sheaf_test::touchy const& t) {
    if (t.value == 13) throw std::runtime_error("unlucky");
    return sizeof t.value;
  }
  static void encode(byte_writer& to, sheaf_test::touchy const& t) { to.value(t.value); }
  static sheaf_test::touchy decode(byte_reader& from) { return {from.value<std::uint64_t>()}; }
};

namespace {

using sheaf::handle;
using sheaf::team;
using sheaf_test::expect_in;
using sheaf_test::text_of;

class rmi : public sheaf_test::over {};
SHEAF_OVER_ALL(rmi);

struct desk : sheaf::distributed<desk> {
  explicit desk(sheaf::team const& t) : distributed(t) {}

  std::vector<std::uint64_t> noted;
  std::string text;

  void note(std::uint64_t v) { noted.push_back(v); }
  void write(std::string const& t) { text += t; }
  std::uint64_t count() const noexcept { return noted.size(); }
  std::uint64_t twice(std::uint64_t v) { return 2 * v; }
  std::vector<std::string> split(std::string const& a, std::uint32_t times) {
    return std::vector<std::string>(times, a);
  }
  void nothing() {}
  std::uint64_t touch(sheaf_test::touchy const& t) { return t.value; }
  void fail(std::string const& why) { throw std::runtime_error(why); }
  int fail_strangely() { throw 5; }
  std::uint64_t around(std::uint32_t hops) {
    return hops == 0 ? rank() : sync<&desk::around>((rank() + 1) % members().size(), hops - 1);
  }
};

TEST_P(rmi, an_async_method_has_run_everywhere_after_the_fence) {
  run(4, [](team const& world) {
    desk d(world);
    for (std::uint64_t i = 0; i < 1000; ++i) d.async<&desk::note>(i % 4, i * 10 + world.rank());
    sheaf::fence(world);
    EXPECT_EQ(d.noted.size(), 1000u);
    std::vector<std::uint64_t> last(4, 0);
    for (std::uint64_t const v : d.noted) {
      EXPECT_EQ(v / 10 % 4, world.rank());
      EXPECT_LE(last[v % 10], v) << "in order from each";
      last[v % 10] = v;
    }
    sheaf::fence(world);
  });
}

/// The program's arguments are elements that handlers, which run inside of its calls, move in memory.
TEST_P(rmi, arguments_may_be_moved_by_handlers_while_they_are_sent) {
  struct walk : sheaf::distributed<walk> {
    using distributed::distributed;
    using block = std::array<std::uint64_t, 16>;
    void visit(std::string const& name) {
      if (name.size() != 40) ++wrong;
      names.push_back(name);
    }
    void keep(block const& all) {
      if (all[0] != all[15]) ++wrong;
      blocks.push_back(all);
    }
    std::vector<std::string> names = {std::string(40, 'x')};
    std::vector<block> blocks = {block{}};
    std::uint64_t wrong = 0;
  };
  run(2, [](team const& world) {
    walk w(world);
    for (std::uint32_t i = 0; i < 4000; ++i) {
      w.async<&walk::visit>(i % 2, w.names[i % w.names.size()]);
      w.async<&walk::keep>(i % 2, w.blocks[i % w.blocks.size()]);
      if (i % 1000 == 0) w.ask<&walk::visit>(1 - world.rank(), w.names.back()).get();
    }
    sheaf::fence(world);
    EXPECT_EQ(w.wrong, 0u);
    EXPECT_GT(w.names.size(), 4000u);
  });
}

TEST_P(rmi, a_sync_method_returns_what_it_returned_there) {
  run(3, [](team const& world) {
    desk d(world);
    std::uint32_t const next = (world.rank() + 1) % 3;
    for (std::uint64_t i = 0; i < 50; ++i) EXPECT_EQ(d.sync<&desk::twice>(next, i), 2 * i);
    EXPECT_EQ(d.sync<&desk::split>(next, "ab", 3u), (std::vector<std::string>{"ab", "ab", "ab"}));
    d.sync<&desk::nothing>(next);
    EXPECT_EQ(d.sync<&desk::twice>(world.rank(), 8u), 16u) << "to oneself";
    EXPECT_EQ(d.sync<&desk::around>(next, 30u), (next + 30) % 3);
    sheaf::fence(world);
  });
}

TEST_P(rmi, a_sync_method_comes_behind_all_that_was_issued_before) {
  run(2, [](team const& world) {
    desk d(world);
    std::uint32_t const other = 1 - world.rank();
    for (std::uint64_t i = 1; i <= 300; ++i) {
      d.async<&desk::note>(other, i);
      if (i % 7 != 0) continue;
      EXPECT_EQ(d.sync<&desk::count>(other), i);
    }
    sheaf::fence(world);
  });
}

TEST_P(rmi, an_opaque_method_is_asked_now_and_answers_later) {
  run(3, [](team const& world) {
    desk d(world);
    std::vector<sheaf::future<std::uint64_t>> asked;
    for (std::uint64_t i = 0; i < 100; ++i) asked.push_back(d.ask<&desk::twice>(i % 3, i));
    for (std::uint64_t i = 100; i-- != 0;) EXPECT_EQ(asked[i].get(), 2 * i);
    auto void_one = d.ask<&desk::write>(0, "x");
    void_one.get();
    sheaf::fence(world);
  });
}

TEST_P(rmi, an_opaque_method_may_answer_with_nothing_with_little_and_with_much) {
  run(2, [](team const& world) {
    desk d(world);
    std::vector<sheaf::future<void>> nothings;
    std::vector<sheaf::future<std::uint64_t>> numbers;
    std::vector<sheaf::future<std::vector<std::string>>> lists;
    for (std::uint32_t i = 0; i < 200; ++i) {
      nothings.push_back(d.ask<&desk::nothing>(i % 2));
      numbers.push_back(d.ask<&desk::twice>(i % 2, i));
      lists.push_back(d.ask<&desk::split>(i % 2, "w", i));
    }
    for (std::uint32_t i = 200; i-- > 0;) {
      nothings[i].get();
      EXPECT_EQ(numbers[i].get(), 2 * i);
      EXPECT_EQ(lists[i].get().size(), i);
    }
    EXPECT_EQ(state_of(world).awaited, 0u);
    sheaf::fence(world);
  });
}

TEST_P(rmi, a_request_that_cannot_be_written_awaits_no_reply) {
  run(2, [](team const& world) {
    desk d(world);
    std::vector<sheaf::future<std::uint64_t>> asked;
    for (std::uint64_t i = 10; i < 16; ++i) {
      try {
        asked.push_back(d.ask<&desk::touch>(1, sheaf_test::touchy{i}));
      } catch (std::runtime_error const&) {
        EXPECT_EQ(i, 13u);
      }
    }
    sheaf::fence(world);  // would wait for the reply to the request that was not sent
    EXPECT_EQ(asked.size(), 5u);
    EXPECT_EQ(asked.back().get(), 15u);
  });
}

TEST_P(rmi, a_fence_waits_for_answers_and_their_continuations) {
  run(3, [](team const& world) {
    desk d(world);
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < 100; ++i) {
      static_cast<void>(d.ask<&desk::twice>(i % 3, i).then([&](std::uint64_t v) {
        sum += v;
        d.async<&desk::note>(static_cast<std::uint32_t>(v % 3), v);
      }));
    }
    auto kept = d.ask<&desk::twice>(0, 4u);
    sheaf::fence(world);
    EXPECT_EQ(sum, 9900u);
    EXPECT_TRUE(kept.ready());
    auto const plus = [](std::uint64_t a, std::uint64_t b) { return a + b; };
    EXPECT_EQ(all_reduce(world, std::uint64_t{d.noted.size()}, plus), 300u);
    sheaf::fence(world);
  });
}

TEST_P(rmi, callables_travel_with_what_they_captured) {
  run(2, [](team const& world) {
    desk d(world);
    std::uint64_t const mine = world.rank() + 10;
    d.async(
        1 - world.rank(), [mine](desk& there, std::uint64_t v) { there.note(v + mine); }, std::uint64_t{100});
    d.async(world.rank(), [](desk& here) { here.note(1); });
    sheaf::fence(world);
    EXPECT_EQ(std::accumulate(d.noted.begin(), d.noted.end(), std::uint64_t{0}), 101 + 11 - world.rank());
    EXPECT_EQ(d.sync(0, [](desk& there) { return there.noted.size(); }), 2u);
    EXPECT_EQ(d.sync(
                  0, [](desk&, std::string a, std::string b) { return a + b; }, std::string("a"), std::string("b")),
              "ab");
    EXPECT_EQ(d.ask(
                   0, [](desk&, int v) { return v + 1; }, 4)
                  .get(),
              5);
    sheaf::fence(world);
  });
}

TEST_P(rmi, arguments_that_need_conversion_arrive_as_the_methods_parameters) {
  run(1, [](team const& world) {
    desk d(world);
    d.async<&desk::write>(0, "literal ");
    d.async<&desk::note>(0, short{7});
    EXPECT_EQ(d.sync<&desk::twice>(0, 'a'), 2u * 'a');
    sheaf::fence(world);
    EXPECT_EQ(d.text, "literal ");
    EXPECT_EQ(d.noted, std::vector<std::uint64_t>{7});
  });
}

// ---- Exceptions ----------------------------------------------------------------------------------------------------

TEST_P(rmi, an_exception_comes_to_the_caller_who_waits_with_text_and_place) {
  run(2, [](team const& world) {
    desk d(world);
    std::uint32_t const other = 1 - world.rank();
    std::string const text = text_of<sheaf::remote_error>([&] { d.sync<&desk::fail>(other, "too bad"); });
    expect_in("too bad", text);
    expect_in(("location " + std::to_string(other) + ",").c_str(), text);
    expect_in("desk::fail", text);
    expect_in(("called by location " + std::to_string(world.rank())).c_str(), text);
    expect_in("an unknown exception", text_of<sheaf::remote_error>([&] { d.sync<&desk::fail_strangely>(other); }));
    auto f = d.ask<&desk::fail>(other, "later");
    expect_in("later", text_of<sheaf::remote_error>([&] { f.get(); }));
    EXPECT_EQ(d.sync<&desk::twice>(other, 4u), 8u) << "all goes on";
    sheaf::fence(world);
  });
}

TEST_P(rmi, an_exception_of_an_async_method_is_thrown_by_the_next_fence_on_every_member) {
  run(3, [](team const& world) {
    desk d(world);
    if (world.rank() == 0) {
      for (int i = 0; i < 10; ++i) d.async<&desk::fail>(1, "number " + std::to_string(i));
    }
    std::uint64_t count = 0;
    std::string text;
    try {
      sheaf::fence(world);
    } catch (sheaf::remote_error const& e) {
      count = e.count();
      text = e.what();
    }
    EXPECT_EQ(count, 10u);
    expect_in("10 remotely invoked methods threw", text);
    expect_in("number 0", text);
    expect_in("location 1", text);
    EXPECT_EQ(text.find("number 9"), std::string::npos);
    EXPECT_NO_THROW(sheaf::fence(world));
  });
}

TEST_P(rmi, an_exception_of_the_program_ends_the_job_by_name) {
  std::string const text = failure(3, [](team const& world) {
    desk d(world);
    if (world.rank() == 1) throw std::runtime_error("no more");
    sheaf::fence(world);
  });
  expect_in("location 1: no more", text);
}

TEST_P(rmi, the_limit_on_nesting_is_thrown_before_anything_is_sent) {
  sheaf::options o = sheaf_test::job_of(GetParam(), 2);
  o.nesting_limit = 3;
  sheaf::run(o, [](team const& world) {
    desk d(world);
    if (world.rank() == 0) {
      EXPECT_EQ(d.sync<&desk::around>(1, 6u), 1u);
      std::string const text = text_of<sheaf::remote_error>([&] { d.sync<&desk::around>(1, 7u); });
      expect_in("options::nesting_limit", text);
    }
    sheaf::fence(world);
  });
}

// ---- Misuse --------------------------------------------------------------------------------------------------------

TEST_P(rmi, a_rank_that_does_not_exist_is_the_callers_error) {
  run(2, [](team const& world) {
    desk d(world);
    for (auto const& text : {text_of<sheaf::usage_error>([&] { d.async<&desk::note>(2, 1u); }),
                             text_of<sheaf::usage_error>([&] { d.sync<&desk::count>(2); }),
                             text_of<sheaf::usage_error>([&] { static_cast<void>(d.ask<&desk::count>(2)); })}) {
      expect_in("destination 2 is not a member of team 0", text);
      expect_in("0 to 1", text);
    }
    sheaf::fence(world);
  });
}

TEST_P(rmi, only_members_may_call) {
  run(2, [](team const& world) {
    team const alone = world.split(world.rank());
    desk d(alone);
    handle<desk> const foreign(alone.id() + (world.rank() == 0 ? 1 : -1u), 1);
    expect_in("not a member of team", text_of<sheaf::usage_error>([&] { foreign.async<&desk::note>(0, 1u); }));
    sheaf::fence(world);
  });
}

TEST_P(rmi, a_call_that_finds_no_object_says_where_it_stands) {
  run(2, [](team const& world) {
    team const alone = world.split(world.rank());
    handle<desk> const foreign(alone.id() + (world.rank() == 0 ? 1 : -1u), 1), none;
    auto const stands = [](int line, auto call) {
      expect_in(("rmi_test.cpp:" + std::to_string(line) + ")").c_str(), text_of<sheaf::usage_error>(call));
    };
    stands(__LINE__, [&] { foreign.async<&desk::note>(0, 1u); });
    stands(__LINE__, [&] { none.async<&desk::note>(0, 1u); });
    stands(__LINE__, [&] { none.async(0, &desk::note, 1u); });
    stands(__LINE__, [&] { none.sync<&desk::count>(0); });
    stands(__LINE__, [&] { static_cast<void>(none.ask<&desk::count>(0)); });
    stands(__LINE__, [&] { static_cast<void>(none.bind<&desk::note>()); });
    stands(__LINE__, [&] { none.async<&desk::note>(sheaf::to_all, 1u); });
    stands(__LINE__, [&] { sheaf::world().async<&desk::note>(sheaf::published_handle<desk>(), 1u); });
    sheaf::fence(world);
  });
}

TEST_P(rmi, a_method_may_not_wait_for_all) {
  run(2, [](team const& world) {
    desk d(world);
    for (auto const method : {0, 1, 2}) {
      std::string const text = text_of<sheaf::remote_error>([&] {
        d.sync(
            1 - world.rank(),
            [](desk& there, int which) {
              if (which == 0) sheaf::fence(there.members());
              if (which == 1) barrier(there.members());
              if (which == 2) all_gather(there.members(), 1);
            },
            int{method});
      });
      expect_in("only the program itself may wait for a whole team", text);
    }
    sheaf::fence(world);
  });
}

TEST(rmi_outside, calls_outside_of_a_job_say_so) {
  expect_in("outside of sheaf::run", text_of<sheaf::usage_error>([] { sheaf::fence(sheaf::world()); }));
  expect_in("async", text_of<sheaf::usage_error>([] { (handle<desk>()).async<&desk::note>(0, 1u); }));
}

// ---- wait_for_request
// ------------------------------------------------------------------------------------------------------

TEST_P(rmi, each_request_of_one_buffer_satisfies_one_wait) {
  run(2, [](team const& world) {
    desk d(world);
    sheaf::fence(world);
    if (world.rank() == 0) {
      for (std::uint64_t i = 0; i < 3; ++i) d.async<&desk::note>(1, i);
    } else {
      for (int i = 0; i < 3; ++i) sheaf::wait_for_request();
      EXPECT_EQ(d.noted.size(), 3u);
    }
    sheaf::fence(world);
  });
}

TEST_P(rmi, a_wait_in_a_continuation_is_for_a_request_that_comes) {
  run(2, [](team const& world) {
    desk d(world);
    sheaf::fence(world);
    if (world.rank() == 0) {
      auto done = d.ask<&desk::twice>(1, 4u).then([&](std::uint64_t) {
        sheaf::wait_for_request();
        return d.noted.size();
      });
      EXPECT_EQ(done.get(), 1u);
    } else {
      sheaf::wait_for_request();
      d.async<&desk::note>(0, 5u);
    }
    sheaf::fence(world);
  });
}

}  // namespace
