// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// What a user's codec or define_type may do wrong, or others' requests may change, on a request's way out and in.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "rmi/jobs.hpp"
#include "sheaf/rmi/distributed.hpp"
#include "sheaf/rmi/migrating.hpp"
#include "sheaf/std.hpp"

namespace {

using sheaf::team;
using sheaf_test::text_of;

/// Its codec does what it is told.
struct moody {
  std::string text;
  enum mood : std::uint8_t {
    good,
    throws,
    writes_too_little,
    writes_too_much,
    throws_when_read,
    throws_measured_again
  } now = good;
  mutable int measured = 0;
};

}  // namespace

template <>
struct sheaf::codec<moody> {
  static std::size_t size(moody const& m) {
    if (m.now == moody::throws_measured_again && ++m.measured == 2) throw std::runtime_error("cannot measure");
    return 1 + codec<std::string>::size(m.text);
  }
  static void encode(byte_writer& to, moody const& m) {
    to.value(static_cast<std::uint8_t>(m.now));
    if (m.now == moody::throws) throw std::runtime_error("cannot write " + m.text);
    if (m.now != moody::writes_too_little) codec<std::string>::encode(to, m.text);
    if (m.now == moody::writes_too_much) codec<std::string>::encode(to, std::string(5000, 'x'));
  }
  static moody decode(byte_reader& from) {
    auto const mood = static_cast<moody::mood>(from.value<std::uint8_t>());
    if (mood == moody::throws_when_read) throw std::logic_error("cannot read");
    return {codec<std::string>::decode(from), mood};
  }
};

namespace {

class user_codec : public sheaf_test::over {};
SHEAF_OVER_ALL(user_codec);

struct listener : sheaf::distributed<listener> {
  explicit listener(sheaf::team const& t) : distributed(t) {}
  void hear(moody const& m) { heard.push_back(m.text); }
  std::size_t asked(moody const& m) { return m.text.size(); }
  moody answer(int mood) { return {"reply", static_cast<moody::mood>(mood)}; }
  std::vector<std::string> heard;
};

TEST_P(user_codec, that_throws_at_the_sender_takes_nothing_along) {
  run(2, [](team const& world) {
    listener all(world);
    std::uint32_t const to = 1 - world.rank();
    for (int i = 0; i < 200; ++i) {
      std::string const text(static_cast<std::size_t>(i % 50), 'x');
      all.async<&listener::hear>(to, moody{text});
      EXPECT_EQ(text_of<std::runtime_error>([&] {
                  all.async<&listener::hear>(to, moody{text, moody::throws});
                }),
                "cannot write " + text);
    }
    sheaf::fence(world);
    ASSERT_EQ(all.heard.size(), 200u);
    for (std::size_t i = 0; i < 200; ++i) EXPECT_EQ(all.heard[i].size(), i % 50);
  });
}

TEST_P(user_codec, that_throws_first_leaves_no_run_behind) {
  run(2, [](team const& world) {
    listener all(world);
    std::uint32_t const to = 1 - world.rank();
    EXPECT_THROW(all.async<&listener::hear>(to, moody{"x", moody::throws}), std::runtime_error);
    EXPECT_THROW((void)all.sync<&listener::asked>(to, moody{"x", moody::throws}), std::runtime_error);
    EXPECT_THROW((void)all.ask<&listener::asked>(to, moody{"x", moody::throws}), std::runtime_error);
    EXPECT_EQ(all.sync<&listener::asked>(to, moody{"four"}), 4u);
    sheaf::fence(world);
    EXPECT_TRUE(all.heard.empty());
  });
}

/// A place is made for the first request of a run, and others' requests may run meanwhile: it is measured again.
TEST_P(user_codec, that_throws_when_it_is_measured_again_takes_nothing_along) {
  run(2, [](team const& world) {
    listener all(world);
    std::uint32_t const to = 1 - world.rank();
    EXPECT_EQ(text_of<std::runtime_error>([&] {
                all.async<&listener::hear>(to, moody{"lost", moody::throws_measured_again});
              }),
              "cannot measure");
    all.async<&listener::hear>(to, moody{"four"});
    sheaf::fence(world);
    EXPECT_EQ(all.heard, std::vector<std::string>{"four"});
  });
}

TEST_P(user_codec, that_throws_in_a_reply_is_the_callers_error) {
  run(2, [](team const& world) {
    listener all(world);
    std::uint32_t const to = 1 - world.rank();
    auto const text = text_of<sheaf::remote_error>([&] { (void)all.sync<&listener::answer>(to, moody::throws); });
    EXPECT_NE(text.find("cannot write reply"), std::string::npos) << text;
    auto bad = all.ask<&listener::answer>(to, moody::throws);
    auto good = all.ask<&listener::answer>(to, moody::good);
    EXPECT_THROW((void)bad.get(), sheaf::remote_error);
    EXPECT_EQ(good.get().text, "reply");
    EXPECT_EQ(all.sync<&listener::answer>(to, moody::good).text, "reply");
    sheaf::fence(world);
  });
}

TEST_P(user_codec, that_writes_less_than_its_size_is_refused_at_the_sender) {
  run(2, [](team const& world) {
    listener all(world);
    std::uint32_t const to = 1 - world.rank();
    auto const text = text_of<sheaf::usage_error>([&] {
      all.async<&listener::hear>(to, moody{"four", moody::writes_too_little});
    });
    EXPECT_NE(text.find("measured 6 bytes, but 1 were written"), std::string::npos) << text;
    all.async<&listener::hear>(to, moody{"next"});
    sheaf::fence(world);
    EXPECT_EQ(all.heard, std::vector<std::string>{"next"});
  });
}

TEST_P(user_codec, that_writes_more_than_its_size_is_refused_before_it_has_written_it) {
  run(2, [](team const& world) {
    listener all(world);
    std::uint32_t const to = 1 - world.rank();
    auto const text = text_of<sheaf::usage_error>([&] {
      all.async<&listener::hear>(to, moody{"four", moody::writes_too_much});
    });
    EXPECT_NE(text.find("left room for 0; a codec's encode writes exactly what its size says"), text.npos) << text;
    all.async<&listener::hear>(to, moody{"next"});
    sheaf::fence(world);
    EXPECT_EQ(all.heard, std::vector<std::string>{"next"});
  });
}

/// To a whole team, to the caller itself, and where a reply is awaited: a fence must not wait for what was never sent.
TEST_P(user_codec, that_throws_or_lies_takes_no_call_to_a_team_along) {
  run(3, [](team const& world) {
    listener all(world);
    for (auto const mood : {moody::throws, moody::writes_too_little}) {
      moody const bad{"x", mood};
      auto const refused = [&](auto call) {
        std::string const text = text_of<std::exception>(call);
        EXPECT_NE(text.find(mood == moody::throws ? "cannot write x" : "were written"), std::string::npos) << text;
      };
      refused([&] { all.async<&listener::hear>(sheaf::to_all, bad); });
      refused([&] { all.async<&listener::hear>(sheaf::in_pair_order(sheaf::to_all), bad); });
      refused([&] { (void)all.reduce<&listener::asked>(sheaf::to_all, std::plus<std::size_t>(), bad); });
      refused([&] { (void)all.ask<&listener::asked>(sheaf::to_all, bad); });
      refused([&] { (void)all.try_async<&listener::hear>(world.rank(), bad); });
      refused([&] { (void)sheaf::all_gather(world, bad); });
    }
    sheaf::fence(world);
    all.async<&listener::hear>(sheaf::to_all, moody{"y"});
    EXPECT_EQ(all.reduce<&listener::asked>(sheaf::to_all, std::plus<std::size_t>(), moody{"four"}).get(), 12u);
    while (!all.try_async<&listener::hear>(world.rank(), moody{"z"})) sheaf::poll();
    sheaf::fence(world);
    std::sort(all.heard.begin(), all.heard.end());
    EXPECT_EQ(all.heard, (std::vector<std::string>{"y", "y", "y", "z"}));
  });
}

TEST_P(user_codec, that_throws_in_a_method_of_a_whole_team_is_an_error_of_who_asked) {
  run(3, [](team const& world) {
    listener all(world);
    for (auto const mood : {moody::throws, moody::writes_too_little}) {
      auto asked = all.ask<&listener::answer>(sheaf::to_all, int{mood});
      auto const text = text_of<sheaf::remote_error>([&] { (void)asked.get(); });
      EXPECT_NE(text.find(mood == moody::throws ? "cannot write reply" : "were written"), text.npos) << text;
    }
    sheaf::fence(world);
  });
}

TEST_P(user_codec, that_throws_when_a_result_or_value_of_a_team_is_read_ends_the_job) {
  auto const ends = [](auto call) {
    auto const text = text_of<sheaf::error>([&] {
      run(3, [&](team const& world) {
        listener all(world);
        call(world, all);
        sheaf::fence(world);
      });
    });
    EXPECT_NE(text.find("does not decode: cannot read; the processes run different builds"), std::string::npos) << text;
  };
  static constexpr auto first = [](moody a, moody const&) { return a; };
  moody const bad{"x", moody::throws_when_read};
  int const mood = moody::throws_when_read;
  ends([&](team const& world, listener& all) {
    if (world.rank() == 0) (void)all.ask<&listener::answer>(sheaf::to_all, mood).get();
  });
  ends([&](team const&, listener& all) { (void)all.reduce<&listener::answer>(sheaf::to_all, first, mood).get(); });
  ends([&](team const& world, listener&) { (void)sheaf::broadcast(world, 0, bad); });
  ends([&](team const& world, listener&) { (void)sheaf::all_reduce(world, bad, first); });
}

TEST_P(user_codec, that_throws_at_the_receiver_ends_the_job) {
  auto const text = text_of<sheaf::error>([] {
    run(2, [](team const& world) {
      listener all(world);
      if (world.rank() == 0) all.async<&listener::hear>(1, moody{"x", moody::throws_when_read});
      sheaf::fence(world);
    });
  });
  EXPECT_NE(text.find("do not decode: cannot read"), std::string::npos) << text;
}

// ---- Migrating objects ---------------------------------------------------------------------------------------------

/// Its codec and its constructors do what it is told.
struct nomad {
  explicit nomad(moody m) : mood(std::move(m)) {}
  nomad(nomad&& other) : mood(std::move(other.mood)) {
    if (moves_left == 0) throw std::runtime_error("cannot move");
    --moves_left;
  }
  void hear(moody const& m) { mood.text += m.text; }
  void become(int m) { mood.now = static_cast<moody::mood>(m); }
  std::string text() { return mood.text; }

  moody mood;
  static inline int moves_left = 1000;  // NOLINT: constructors have no other way to learn it
};

}  // namespace

template <>
struct sheaf::codec<nomad> {
  static std::size_t size(nomad const& n) { return codec<moody>::size(n.mood); }
  static void encode(byte_writer& to, nomad const& n) { codec<moody>::encode(to, n.mood); }
  static nomad decode(byte_reader& from) { return nomad(codec<moody>::decode(from)); }
};

namespace {

TEST_P(user_codec, that_throws_takes_no_request_to_a_migrating_object_along) {
  run(2, [](team const& world) {
    sheaf::migrating<nomad> all(world);
    auto const id = sheaf::broadcast(world, 0, world.rank() == 0 ? all.create(nomad({""})) : sheaf::object_id());
    for (auto const mood : {moody::throws, moody::writes_too_little}) {
      EXPECT_ANY_THROW(all.async<&nomad::hear>(id, moody{"x", mood}));
      all.async<&nomad::hear>(id, moody{"y"});
    }
    sheaf::fence(world);  // does not wait for numbers that were skipped
    EXPECT_EQ(all.sync<&nomad::text>(id), "yyyy");
    sheaf::fence(world);
  });
}

TEST_P(user_codec, that_throws_keeps_an_object_from_moving_and_the_fence_says_so) {
  run(2, [](team const& world) {
    sheaf::migrating<nomad> all(world);
    auto const id = sheaf::broadcast(world, 0, world.rank() == 0 ? all.create(nomad({"x"})) : sheaf::object_id());
    if (world.rank() == 1) {
      all.async<&nomad::become>(id, int{moody::throws});
      all.move(id, 1);
      all.async<&nomad::hear>(id, moody{"y"});
    }
    auto const text = text_of<sheaf::remote_error>([&] { sheaf::fence(world); });
    EXPECT_NE(text.find("the move of a migrating object called by location 1: cannot write x"), text.npos) << text;
    EXPECT_EQ(all.sync<&nomad::text>(id), "xy");
    EXPECT_EQ(all.find(id) != nullptr, world.rank() == 0);
    sheaf::fence(world);
    if (world.rank() == 1) {
      all.async<&nomad::become>(id, int{moody::good});
      all.move(id, 1);
    }
    sheaf::fence(world);
    EXPECT_EQ(all.find(id) != nullptr, world.rank() == 1);
    EXPECT_EQ(all.sync<&nomad::text>(id), "xy");
    sheaf::fence(world);
  });
}

TEST(migrating_objects, do_without_their_move_constructors_when_they_move) {
  sheaf::run(sheaf_test::job_of(sheaf::transport_kind::sim, 2), [](team const& world) {
    sheaf::migrating<nomad> all(world);
    auto const id = sheaf::broadcast(world, 0, world.rank() == 0 ? all.create(nomad({"x"})) : sheaf::object_id());
    int const before = std::exchange(nomad::moves_left, 0);
    if (world.rank() == 1) all.move(id, 1);
    sheaf::fence(world);
    EXPECT_EQ(all.sync<&nomad::text>(id), "x");
    sheaf::fence(world);
    nomad::moves_left = before == 0 ? 1000 : before;
  });
}

/// Sends what its own handler changes.
struct grower : sheaf::distributed<grower> {
  explicit grower(sheaf::team const& t) : distributed(t) {}
  void take(std::shared_ptr<std::string> const& theirs) {
    received += theirs->size();
    *mine += std::string(300, 'x');
    if (mine->size() > 5000) mine->clear();
    ++taken;
  }
  std::shared_ptr<std::string> mine = std::make_shared<std::string>("x");
  std::size_t received = 0, taken = 0;
};

TEST_P(user_codec, pointers_may_lead_to_what_a_poll_changes) {
  sheaf::options settings = sheaf_test::job_of(GetParam(), 2);
  settings.poll_every = 3;
  settings.first_flush_bytes = settings.buffer_bytes = 1024;
  sheaf::run(settings, [](team const& world) {
    grower all(world);
    for (int i = 0; i < 3000; ++i) all.async<&grower::take>(1 - world.rank(), all.mine);
    sheaf::fence(world);
    EXPECT_EQ(all.taken, 3000u);
    EXPECT_GT(all.received, 0u);
  });
}

}  // namespace
