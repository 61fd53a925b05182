// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// What a user's codec or define_type may do wrong, or others' requests may change, on a request's way out and in.
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "rmi/jobs.hpp"
#include "sheaf/std.hpp"

namespace {

using sheaf::team;
using sheaf_test::text_of;

/// Its codec does what it is told.
struct moody {
  std::string text;
  enum mood : std::uint8_t { good, throws, writes_too_little, throws_when_read } now = good;
};

}  // namespace

template <>
struct sheaf::codec<moody> {
  static std::size_t size(moody const& m) { return 1 + codec<std::string>::size(m.text); }
  static void encode(byte_writer& to, moody const& m) {
    to.value(static_cast<std::uint8_t>(m.now));
    if (m.now == moody::throws) throw std::runtime_error("cannot write " + m.text);
    if (m.now != moody::writes_too_little) codec<std::string>::encode(to, m.text);
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
  std::size_t ask(moody const& m) { return m.text.size(); }
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
    sheaf::rmi_fence(world);
    ASSERT_EQ(all.heard.size(), 200u);
    for (std::size_t i = 0; i < 200; ++i) EXPECT_EQ(all.heard[i].size(), i % 50);
  });
}

TEST_P(user_codec, that_throws_first_leaves_no_run_behind) {
  run(2, [](team const& world) {
    listener all(world);
    std::uint32_t const to = 1 - world.rank();
    EXPECT_THROW(all.async<&listener::hear>(to, moody{"x", moody::throws}), std::runtime_error);
    EXPECT_THROW((void)all.sync<&listener::ask>(to, moody{"x", moody::throws}), std::runtime_error);
    EXPECT_THROW((void)all.opaque<&listener::ask>(to, moody{"x", moody::throws}), std::runtime_error);
    EXPECT_EQ(all.sync<&listener::ask>(to, moody{"four"}), 4u);
    sheaf::rmi_fence(world);
    EXPECT_TRUE(all.heard.empty());
  });
}

TEST_P(user_codec, that_throws_in_a_reply_is_the_callers_error) {
  run(2, [](team const& world) {
    listener all(world);
    std::uint32_t const to = 1 - world.rank();
    auto const text = text_of<sheaf::remote_error>([&] { (void)all.sync<&listener::answer>(to, moody::throws); });
    EXPECT_NE(text.find("cannot write reply"), std::string::npos) << text;
    auto bad = all.opaque<&listener::answer>(to, moody::throws);
    auto good = all.opaque<&listener::answer>(to, moody::good);
    EXPECT_THROW((void)bad.get(), sheaf::remote_error);
    EXPECT_EQ(good.get().text, "reply");
    EXPECT_EQ(all.sync<&listener::answer>(to, moody::good).text, "reply");
    sheaf::rmi_fence(world);
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
    sheaf::rmi_fence(world);
    EXPECT_EQ(all.heard, std::vector<std::string>{"next"});
  });
}

TEST_P(user_codec, that_throws_at_the_receiver_ends_the_job) {
  auto const text = text_of<sheaf::error>([] {
    run(2, [](team const& world) {
      listener all(world);
      if (world.rank() == 0) all.async<&listener::hear>(1, moody{"x", moody::throws_when_read});
      sheaf::rmi_fence(world);
    });
  });
  EXPECT_NE(text.find("do not decode: cannot read"), std::string::npos) << text;
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
    sheaf::rmi_fence(world);
    EXPECT_EQ(all.taken, 3000u);
    EXPECT_GT(all.received, 0u);
  });
}

}  // namespace
