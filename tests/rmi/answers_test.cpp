// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Questions of one run, whose answers come late, out of turn, or as errors: each reaches the place of its own.
#include <atomic>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "rmi/jobs.hpp"
#include "sheaf/async/task.hpp"
#include "sheaf/rmi/reply_window.hpp"
#include "sheaf/runtime/attached_thread.hpp"

namespace {

/// Cannot be written.
struct moody {
  std::uint64_t v = 0;
};

}  // namespace

template <>
struct sheaf::codec<moody> {
  static std::size_t size(moody const&) { return 8; }
  static void encode(byte_writer& to, moody const& m) {
    to.value(m.v);
    throw std::runtime_error("not in the mood");
  }
  static moody decode(byte_reader& from) { return {from.value<std::uint64_t>()}; }
};
namespace {

using sheaf::future;
using sheaf::remote_error;
using sheaf::reply_window;
using sheaf::task;
using sheaf::team;

class answers : public sheaf_test::over {};
SHEAF_OVER_ALL(answers);

struct oracle : sheaf::distributed<oracle> {
  explicit oracle(sheaf::team const& on) : distributed(on) {}

  std::uint64_t own(std::uint64_t v) const { return v * 8 + rank(); }
  [[nodiscard]] std::uint32_t next() const { return (rank() + 1) % members().size(); }

  /// What `own` gives, some at once; by a wait, in which others are answered; not at all.
  std::uint64_t whatever(std::uint64_t v) {
    if (v % 13 == 5) throw std::runtime_error("not " + std::to_string(v));
    if (v % 7 == 3 && ++depth < 8) sync<&oracle::own>(next(), v);
    if (v % 7 == 3) --depth;
    return own(v);
  }
  std::string text(std::string const& v) {
    std::uint64_t const n = std::stoull(v);
    return std::to_string(whatever(n)) + std::string(n % 50, '.');
  }
  void check(std::uint64_t v) { whatever(v); }
  task<std::uint64_t> later(std::uint64_t v) {
    if (v % 3 == 0) co_return own(v);
    if (v % 13 == 5) throw std::runtime_error("not " + std::to_string(v));
    co_return co_await ask<&oracle::own>(next(), v) - next() + rank();
  }

  std::uint64_t length(std::string const& text) const { return text.size(); }
  std::uint64_t angry(moody) { return 0; }
  std::uint64_t now(std::uint64_t v) const { return own(v); }

  int depth = 0;
};

}  // namespace

template <>
inline constexpr bool sheaf::at_once<&oracle::now> = true;

namespace {

/// The result, or 0 where the question has none.
template <class Get>
std::uint64_t result_or_0(std::uint64_t v, Get get) {
  try {
    return get();
  } catch (remote_error const& e) {
    EXPECT_NE(std::string(e.what()).find("not " + std::to_string(v)), std::string::npos) << e.what();
    EXPECT_EQ(v % 13, 5u);
    return 0;
  }
}

/// Questions of all kinds about the numbers below 100, of random members.
struct futures {
  futures(oracle& o, std::mt19937& random) {
    for (std::uint64_t v = 0; v < 100; ++v) {
      std::uint32_t const dest = asked.emplace_back(static_cast<std::uint32_t>(random() % 3));
      numbers.push_back(o.ask<&oracle::whatever>(dest, v));
      if (v % 4 != 0) coroutines.push_back(o.ask<&oracle::later>(dest, v));
      if (v % 8 < 5) texts.push_back(o.ask<&oracle::text>(dest, std::to_string(v)));
      checks.push_back(o.ask<&oracle::check>(dest, v));
      if (random() % 30 == 0) sheaf::poll();
    }
  }
  void expect_right() {
    std::size_t next_text = 0, next_coroutine = 0;
    for (std::uint64_t v = 0; v < 100; ++v) {
      std::uint64_t const right = v * 8 + asked[v], or_none = v % 13 == 5 ? 0 : right;
      EXPECT_EQ(result_or_0(v, [&] { return numbers[v].get(); }), or_none);
      if (v % 4 != 0) {
        auto const got = result_or_0(v, [&] { return coroutines[next_coroutine++].get(); });
        EXPECT_EQ(got, v % 3 == 0 ? right : or_none);
      }
      if (v % 8 < 5) {
        std::string got;
        result_or_0(v, [&] { return got = texts[next_text++].get(), std::uint64_t{1}; });
        EXPECT_EQ(got, v % 13 == 5 ? "" : std::to_string(right) + std::string(v % 50, '.'));
      }
      result_or_0(v, [&] { return checks[v].get(), std::uint64_t{1}; });
    }
  }

  std::vector<std::uint32_t> asked;
  std::vector<future<std::uint64_t>> numbers, coroutines;
  std::vector<future<std::string>> texts;
  std::vector<future<void>> checks;
};

TEST_P(answers, come_to_the_future_that_asked) {
  run(3, [](team const& world) {
    oracle o(world);
    std::mt19937 random(world.rank());
    for (int round = 0; round < 20; ++round) futures(o, random).expect_right();
    sheaf::fence(world);
  });
}

/// Two windows in turn ask the same method: no run is for both.
TEST_P(answers, come_to_the_window_and_slot_that_asked) {
  run(3, [](team const& world) {
    oracle o(world);
    std::mt19937 random(world.rank());
    reply_window<std::uint64_t> one(world, 200), other(world, 200);
    reply_window<std::string> texts(world, 200);
    for (int round = 0; round < 20; ++round) {
      std::vector<std::uint32_t> asked(200);
      for (std::uint32_t v = 0; v < 200; ++v) {
        asked[v] = static_cast<std::uint32_t>(random() % 3);
        one[v] = other[v] = 0;
        texts[v].clear();
        o.ask_into<&oracle::whatever>(asked[v], one, v, v);
        if (random() % 4 == 0)
          o.ask_into<&oracle::whatever>(asked[v], other, v, v);
        else
          o.ask_into<&oracle::later>(asked[v], other, v, v);
        if (v % 2 == 0) o.ask_into<&oracle::text>(asked[v], texts, v, std::to_string(v));
      }
      EXPECT_LE(one.awaited(), 200u);
      for (reply_window<std::uint64_t>* const window : {&one, &other}) {
        EXPECT_THROW(window->wait(), remote_error);
        EXPECT_EQ(window->awaited(), 0u);
      }
      EXPECT_THROW(texts.wait(), remote_error);
      for (std::uint32_t v = 0; v < 200; ++v) {
        std::uint64_t const right = std::uint64_t{v} * 8 + asked[v];
        if (v % 13 != 5) {
          EXPECT_EQ(one[v], right);
          EXPECT_EQ(other[v], right);
          EXPECT_EQ(texts[v], v % 2 != 0 ? "" : std::to_string(right) + std::string(v % 50, '.'));
        } else {
          EXPECT_EQ(one[v], 0u);
          EXPECT_TRUE(other[v] == 0 || other[v] == right);
        }
      }
    }
    sheaf::fence(world);
  });
}

/// Of one kind, so that they go into one run.
TEST_P(answers, to_questions_of_any_size_in_turn) {
  run(2, [](team const& world) {
    oracle o(world);
    std::vector<std::size_t> const sizes{(1UL << 20U) + 7, 3, 1'500'000, 2UL << 20U, 0, 5};
    std::vector<future<std::uint64_t>> asked;
    for (std::size_t const size : sizes) asked.push_back(o.ask<&oracle::length>(1, std::string(size, 'x')));
    reply_window<std::uint64_t> window(world, static_cast<std::uint32_t>(sizes.size()));
    for (std::uint32_t i = 0; i < sizes.size(); ++i)
      o.ask_into<&oracle::length>(1, window, i, std::string(sizes[i], 'y'));
    window.wait();
    for (std::uint32_t i = 0; i < sizes.size(); ++i) {
      EXPECT_EQ(window[i], sizes[i]);
      EXPECT_EQ(asked[i].get(), sizes[i]);
    }
    sheaf::fence(world);
  });
}

/// A codec that throws leaves a run without questions, which a helper closes while the program asks on.
TEST(answers_beside_others, a_question_that_cannot_be_put_is_none) {
  auto options = sheaf_test::job_of(sheaf::transport_kind::thread, 2);
  options.progress = sheaf::progress_kind::hand_over;
  options.flush_age_ns = 1;
  sheaf::run(options, [](team const& world) {
    oracle o(world);
    std::atomic<bool> done{false};
    std::thread asks;
    if (world.rank() == 0) {
      asks = std::thread([&] {
        sheaf::attached_thread const self(world);
        while (!done.load()) o.ask<&oracle::own>(1, 1).get();
      });
      for (std::uint64_t i = 0; i < 2000; ++i) {
        reply_window<std::uint64_t> one_slot(world, 1);
        EXPECT_THROW(o.ask_into<&oracle::angry>(1, one_slot, 0, moody{}), std::runtime_error);
        for (std::uint64_t k = 0; k < i % 300; ++k) asm volatile("");  // what is old leaves now, or a little later
        auto one = o.ask<&oracle::now>(0, i), other = o.ask<&oracle::now>(0, i + 1);
        EXPECT_EQ(one.get(), i * 8);
        EXPECT_EQ(other.get(), i * 8 + 8);
      }
      done.store(true);
      asks.join();
    }
    sheaf::fence(world);
  });
}

TEST_P(answers, of_more_questions_than_a_run_takes) {
  auto options = sheaf_test::job_of(GetParam(), 2);
  options.buffer_bytes = std::size_t{1} << 24;
  sheaf::run(options, [](team const& world) {
    constexpr std::uint32_t all = sheaf::detail::question_run::most + 1000;
    oracle o(world);
    here_of(world).set_aggregation(std::size_t{1} << 24, std::size_t{1} << 24);
    if (world.rank() == 0) {
      reply_window<std::uint64_t> window(world, all);
      for (std::uint32_t v = 0; v < all; ++v) o.ask_into<&oracle::own>(1, window, v, v);
      EXPECT_EQ(window.awaited(), all);
      window.wait();
      std::uint64_t wrong = 0;
      for (std::uint64_t v = 0; v < all; ++v) wrong += window[static_cast<std::uint32_t>(v)] != v * 8 + 1;
      EXPECT_EQ(wrong, 0u);
    }
    sheaf::fence(world);
  });
}

}  // namespace
