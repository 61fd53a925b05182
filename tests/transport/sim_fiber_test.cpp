// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/sim/fiber.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "sheaf/base/ambient.hpp"
#include "sheaf/base/error.hpp"
#include "transport/host/sanitizers.hpp"

namespace {

using sheaf::detail::ambient_location;
using sheaf::detail::fiber;
using sheaf::detail::fiber_stacks;

constexpr std::size_t stack_bytes = 64 << 10;

/// Fibers on stacks of their own, each running a callable of the test.
class fibers {
 public:
  explicit fibers(std::uint32_t count, std::size_t bytes = stack_bytes) : stacks_(count, bytes), all_(count) {}
  fiber& operator[](std::size_t i) { return all_[i]; }

  template <class Function>
  void prepare(std::uint32_t i, Function& function) {
    all_[i].prepare(
        stacks_.stack(i), [](void* f) noexcept { (*static_cast<Function*>(f))(); }, &function);
  }

 private:
  fiber_stacks stacks_;
  std::deque<fiber> all_;
};

TEST(fiber, runs_in_pieces) {
  fibers f(1);
  std::string text;
  auto write = [&] {
    text += "a";
    f[0].suspend();
    text += "b";
  };
  f.prepare(0, write);
  f[0].resume();
  EXPECT_EQ(text, "a");
  EXPECT_FALSE(f[0].ended());
  f[0].resume();
  EXPECT_EQ(text, "ab");
  EXPECT_TRUE(f[0].ended());
}

TEST(fiber, keeps_the_exception_it_handles) {
  fibers f(2);
  std::string seen[2];
  auto handle = [&](std::size_t i) {
    try {
      throw std::runtime_error("of fiber " + std::to_string(i));
    } catch (...) {
      f[i].suspend();  // the other one throws and catches meanwhile
      try {
        throw;
      } catch (std::exception const& e) {
        f[i].suspend();
        seen[i] = e.what();
      }
    }
  };
  auto first = [&] { handle(0); };
  auto second = [&] { handle(1); };
  f.prepare(0, first);
  f.prepare(1, second);
  for (int round = 0; round < 3; ++round) {
    f[0].resume();
    f[1].resume();
    EXPECT_EQ(std::current_exception(), nullptr) << "the resumer handles an exception of a fiber";
  }
  EXPECT_EQ(seen[0], "of fiber 0");
  EXPECT_EQ(seen[1], "of fiber 1");
}

TEST(fiber, keeps_the_count_of_exceptions_on_their_way) {
  struct guard {
    fiber& at;
    int& inside;
    ~guard() {
      at.suspend();
      inside = std::uncaught_exceptions();
    }
  };
  fibers f(2);
  int inside = -1;
  int calm = -1;
  auto unwinding = [&] {
    try {
      guard const g{f[0], inside};
      throw std::runtime_error("unwinding");
    } catch (std::exception const&) {
    }
  };
  auto other = [&] { calm = std::uncaught_exceptions(); };
  f.prepare(0, unwinding);
  f.prepare(1, other);
  f[0].resume();  // stopped in the destructor
  EXPECT_EQ(std::uncaught_exceptions(), 0);
  f[1].resume();
  f[0].resume();
  EXPECT_EQ(calm, 0);
  EXPECT_EQ(inside, 1);
  EXPECT_EQ(std::uncaught_exceptions(), 0);
}

TEST(fiber, has_its_own_ambient_location) {
  fibers f(2);
  auto* const mine = reinterpret_cast<sheaf::detail::location*>(&f);
  bool kept[2] = {false, false};
  auto use = [&](std::size_t i) {
    kept[i] = ambient_location == nullptr;
    auto* const its = reinterpret_cast<sheaf::detail::location*>(&f[i]);
    ambient_location = its;
    f[i].suspend();
    kept[i] &= ambient_location == its;
  };
  auto first = [&] { use(0); };
  auto second = [&] { use(1); };
  f.prepare(0, first);
  f.prepare(1, second);
  ambient_location = mine;
  for (int round = 0; round < 2; ++round) {
    f[0].resume();
    EXPECT_EQ(ambient_location, mine);
    f[1].resume();
    EXPECT_EQ(ambient_location, mine);
  }
  ambient_location = nullptr;
  EXPECT_TRUE(kept[0] && kept[1]);
}

std::size_t descend(fiber& at, int depth) {
  unsigned char volatile frame[1024];
  frame[depth % 1024] = 1;
  if (depth == 0) {
    at.suspend();
    throw std::runtime_error("from the deep");
  }
  return frame[depth % 1024] + descend(at, depth - 1);
}

TEST(fiber, has_the_stack_it_asks_for) {
  fibers f(2, 4 << 20);
  bool caught[2] = {false, false};
  auto deep = [&](std::size_t i) {
    try {
      descend(f[i], 3000);  // about 3 MiB
    } catch (std::exception const&) {
      caught[i] = true;
    }
  };
  auto first = [&] { deep(0); };
  auto second = [&] { deep(1); };
  f.prepare(0, first);
  f.prepare(1, second);
  for (std::size_t i : {0u, 1u, 0u, 1u}) f[i].resume();
  EXPECT_TRUE(caught[0] && caught[1]);
}

TEST(fiber_stacks_death_test, a_stack_that_overflows_ends_the_process) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  fiber_stacks const stacks(2, stack_bytes);
  std::byte* const below = stacks.stack(1).data() - 1;
  EXPECT_DEATH(*const_cast<std::byte volatile*>(below) = std::byte{1}, "");
}

TEST(fiber, ten_thousand_at_once) {
  std::uint32_t const count = SHEAF_HAS_TSAN ? 1000 : 10'000;
  fibers f(count);
  std::vector<int> steps(count, 0);
  struct worker {
    fiber& at;
    int& steps;
    void operator()() {
      for (int i = 0; i < 3; ++i) {
        try {
          throw i;
        } catch (int thrown) {
          at.suspend();
          steps += thrown == i;
        }
      }
    }
  };
  std::deque<worker> workers;
  for (std::uint32_t i = 0; i < count; ++i) {
    workers.push_back({f[i], steps[i]});
    f.prepare(i, workers.back());
  }
  for (int round = 0; round < 4; ++round) {
    for (std::uint32_t i = 0; i < count; ++i) f[i].resume();
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    ASSERT_TRUE(f[i].ended());
    ASSERT_EQ(steps[i], 3);
  }
}

TEST(fiber_stacks, more_than_can_be_mapped_is_an_error_with_a_remedy) {
  try {
    fiber_stacks const none(65536, std::size_t{1} << 40);
    FAIL() << "64 PiB were mapped";
  } catch (sheaf::option_error const& e) {
    EXPECT_NE(std::string(e.what()).find("lower options::stack_bytes or SHEAF_LOCATIONS"), std::string::npos)
        << e.what();
  }
}

}  // namespace
