// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/rmi/distributed.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>

#include "rmi/jobs.hpp"
#include "rmi/library/counter.hpp"

namespace {

using sheaf::team;
using sheaf::to_all;
using sheaf::to_others;
using sheaf_test::expect_in;
using sheaf_test::text_of;

/// Where, on how many locations, with how many children per member.
struct shape {
  sheaf::transport_kind transport;
  unsigned locations;
  unsigned arity;
};
void PrintTo(shape const& s, std::ostream* to) {
  *to << name(s.transport) << "_n" << s.locations << "_arity" << s.arity;
}

class broadcasts : public testing::TestWithParam<shape> {
 protected:
  template <class F>
  static void run(F f) {
    sheaf::options o = sheaf_test::job_of(GetParam().transport, GetParam().locations);
    o.tree_arity = GetParam().arity;
    o.poll_every = 3;
    sheaf::run(o, f);
  }
};

std::vector<shape> shapes() {
  std::vector<shape> all;
  for (auto const transport : {sheaf::transport_kind::thread, sheaf::transport_kind::sim}) {
    for (unsigned const n : {1u, 2u, 3u, 4u, 7u, 8u}) {
      for (unsigned const arity : {1u, 2u, 4u}) all.push_back({transport, n, arity});
    }
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(all, broadcasts, testing::ValuesIn(shapes()), testing::PrintToStringParamName());

class board : public sheaf::distributed<board> {
 public:
  explicit board(sheaf::team const& on) : distributed(on) {}

  void note(std::uint32_t issuer, std::uint32_t number) {
    EXPECT_FALSE(inside) << "another method runs";
    got[issuer].push_back(number);
  }
  void note_next() { this->async<&board::note>(to_all, rank(), issued++); }
  void note_text(std::string const& text, std::vector<std::uint16_t> numbers) {
    texts += text + std::to_string(numbers.size()) + ";";
  }
  void spread_on(std::uint32_t depth) {
    ++spread;
    if (depth != 0) this->async<&board::spread_on>(to_others, depth - 1);
  }
  /// Sends enough for the program to have executed others' requests in between.
  std::uint32_t send_much(std::uint32_t number) {
    inside = true;
    for (std::uint32_t i = 0; i < 50; ++i) async<&board::note>(i % members().size(), 100 + rank(), number);
    inside = false;
    return number + rank();
  }
  void fail(int code) {
    if (code != 0) throw std::runtime_error("code " + std::to_string(code));
  }
  int fail_here(int code, std::uint32_t where) {
    if (where == rank()) fail(code);
    return code;
  }

  std::map<std::uint32_t, std::vector<std::uint32_t>> got;
  std::string texts;
  std::uint32_t spread = 0;
  std::uint32_t issued = 0;
  bool inside = false;
};

TEST_P(broadcasts, each_member_executes_once_with_or_without_the_caller) {
  run([](team world) {
    board here(world);
    for (std::uint32_t i = 0; i < 10; ++i) {
      here.async<&board::note>(to_all, world.rank(), i);
      here.async<&board::note>(to_others, 50 + world.rank(), i);
    }
    sheaf::fence(world);
    for (std::uint32_t r = 0; r < world.size(); ++r) {
      EXPECT_EQ(here.got[r].size(), 10u);
      EXPECT_EQ(here.got[50 + r].size(), r == world.rank() ? 0u : 10u);
    }
  });
}

TEST_P(broadcasts, arguments_of_any_size_and_callables) {
  run([](team world) {
    board here(world);
    std::string expected;
    for (std::uint32_t i = 0; i < 20; ++i) {
      std::string const text(i * 40, 'a');
      expected += text + std::to_string(i) + ";";
      if (world.rank() == world.size() - 1) here.async<&board::note_text>(to_all, text, std::vector<std::uint16_t>(i));
    }
    sheaf::fence(world);
    EXPECT_EQ(here.texts, expected);
    here.async(
        to_all, [](board& b, std::uint32_t n) { b.spread += n; }, 5u);
    sheaf::fence(world);
    EXPECT_EQ(here.spread, 5 * world.size());
  });
}

/// What a pointer names at run time: virtual, inherited or overloaded methods, and one of a library.
struct base_board {
  virtual ~base_board() = default;
  virtual std::uint32_t twice(std::uint32_t n) { return 2 * n; }
  std::uint64_t inherited = 0;
  void keep(std::uint64_t n) { inherited += n; }
};
struct named_board : sheaf_test::library_counter, base_board, sheaf::distributed<named_board> {
  explicit named_board(sheaf::team const& t) : distributed(t) {}
  std::uint32_t twice(std::uint32_t n) override { return 2 * n + 1; }
  void put(std::string const& text) { words += text; }
  void put(int n) { words += std::to_string(n); }
  void fail(int) { throw std::runtime_error("as asked"); }
  std::string words;
};

TEST_P(broadcasts, take_pointers_to_methods) {
  run([](team world) {
    named_board here(world);
    std::uint32_t const last = world.size() - 1;
    if (world.rank() == last) {
      for (auto const method : {&named_board::add, &named_board::grow}) here.async(to_all, method, 1u);
      here.async(to_others, &named_board::keep, 5);
      here.async(to_all, sheaf::overload<std::string const&>(&named_board::put), "ab");
      here.async(to_all, sheaf::overload<int>(&named_board::put), 7);
      here.async(to_all, sheaf_test::subtract(), 4u);
    }
    sheaf::fence(world);
    EXPECT_EQ(here.value(), 7u);
    EXPECT_EQ(here.inherited, world.rank() == last ? 0u : 5u);
    EXPECT_EQ(here.words, "ab7");
    here.async(to_all, &named_board::fail, 1);
    expect_in("as asked", text_of<sheaf::remote_error>([&] { sheaf::fence(world); }));
    void (named_board::*const nothing)(int) = nullptr;
    expect_in("a remote call through a null pointer to a method or function",
              text_of<sheaf::usage_error>([&] { here.async(to_all, nothing, 1); }));
    sheaf::fence(world);
  });
}

TEST_P(broadcasts, of_one_location_start_in_its_order_everywhere) {
  run([](team world) {
    board here(world);
    for (std::uint32_t i = 0; i < 200; ++i) here.async<&board::note>(to_all, world.rank(), i);
    sheaf::fence(world);
    for (std::uint32_t r = 0; r < world.size(); ++r) {
      ASSERT_EQ(here.got[r].size(), 200u);
      EXPECT_TRUE(std::is_sorted(here.got[r].begin(), here.got[r].end()));
    }
  });
}

/// Some of them are issued by methods, which the program's own calls may execute.
TEST_P(broadcasts, of_programs_and_methods_start_in_one_order) {
  run([](team world) {
    board here(world);
    for (std::uint32_t i = 0; i < 100; ++i) {
      here.note_next();
      for (std::uint32_t r = 0; r < world.size(); ++r) here.async<&board::note_next>(r);
    }
    sheaf::fence(world);
    auto const everybodys = sheaf::all_gather(world, here.got);
    for (std::uint32_t r = 0; r < world.size(); ++r) {
      EXPECT_EQ(here.got[r].size(), 100 * (1 + world.size()));
      EXPECT_EQ(everybodys[r], everybodys[0]);
    }
  });
}

TEST_P(broadcasts, in_pair_order_start_behind_earlier_requests) {
  run([](team world) {
    board here(world);
    for (std::uint32_t i = 0; i < 60; i += 3) {
      for (std::uint32_t r = 0; r < world.size(); ++r) here.async<&board::note>(r, world.rank(), i);
      if (i % 2 == 0) here.async<&board::note>(sheaf::in_pair_order(to_others), world.rank(), i + 1);
      if (i % 2 != 0) here.async(sheaf::in_pair_order(to_others), &board::note, world.rank(), i + 1);
      here.async(
          sheaf::in_pair_order(to_all), [](board& b, std::uint32_t issuer, std::uint32_t n) { b.note(issuer, n); },
          world.rank(), i + 2);
    }
    sheaf::fence(world);
    for (std::uint32_t r = 0; r < world.size(); ++r) {
      ASSERT_EQ(here.got[r].size(), r == world.rank() ? 40u : 60u);
      EXPECT_TRUE(std::is_sorted(here.got[r].begin(), here.got[r].end()));
    }
  });
}

/// n−1 others, each of which sends to n−1 others: what a fence must wait for grows while it waits.
TEST_P(broadcasts, a_fence_waits_for_all_that_broadcasts_cause) {
  run([](team world) {
    board here(world);
    std::uint32_t const others = world.size() - 1;
    if (world.rank() == others / 2) here.async<&board::spread_on>(to_others, 2u);
    sheaf::fence(world);
    auto const total = sheaf::all_reduce(world, here.spread, std::plus<>());
    EXPECT_EQ(total, others + others * others + others * others * others);
  });
}

TEST_P(broadcasts, exceptions_come_out_of_the_fence_and_name_the_issuer) {
  run([](team world) {
    board here(world);
    if (world.rank() == 0) here.async<&board::fail>(to_all, 7);
    std::string const text = text_of<sheaf::remote_error>([&] { sheaf::fence(world); });
    expect_in((std::to_string(world.size()) + " remotely invoked method").c_str(), text);
    expect_in("board::fail called by location 0: code 7", text);
    EXPECT_EQ(text.find("called by location 1"), std::string::npos);
    sheaf::fence(world);
  });
}

TEST_P(broadcasts, each_serves_one_wait_of_each_member) {
  run([](team world) {
    board here(world);
    sheaf::fence(world);
    if (world.rank() == 0) {
      for (std::uint32_t i = 0; i < 5; ++i) here.async<&board::note>(to_others, 0u, i);
    } else {
      for (std::uint32_t i = 0; i < 5; ++i) {
        sheaf::wait_for_request();
        EXPECT_GT(here.got[0].size(), i);
      }
    }
    EXPECT_EQ(here_of(world).in().unclaimed_requests(), 0u);
    sheaf::fence(world);
  });
}

TEST_P(broadcasts, members_that_register_later_get_it_then) {
  run([](team world) {
    std::optional<board> here;
    if (world.rank() == 0) {
      here.emplace(world);
      here->async<&board::note>(to_all, 0u, 1u);
      sheaf::flush();
    }
    sheaf::barrier(world);
    if (!here) here.emplace(world);
    sheaf::fence(world);
    EXPECT_EQ(here->got[0].size(), 1u);
  });
}

TEST_P(broadcasts, of_teams_that_are_reversed_or_a_part) {
  run([](team world) {
    team const reversed = world.split(0, world.size() - world.rank());
    auto const odd = world.subteam_if([](std::uint32_t r) { return r % 2 == 1; });
    board in_reversed(reversed);
    std::optional<board> in_odd;
    if (odd) in_odd.emplace(*odd);
    in_reversed.async<&board::note>(to_all, reversed.rank(), 1u);
    if (odd) {
      in_odd->async<&board::note>(to_others, odd->rank(), 1u);
      sheaf::fence(*odd);
      EXPECT_EQ(in_odd->got.size(), odd->size() - 1);
    }
    sheaf::fence(reversed);
    EXPECT_EQ(in_reversed.got.size(), world.size());
  });
}

TEST(broadcasts_errors, of_use) {
  sheaf::run(sheaf_test::job_of(sheaf::transport_kind::sim, 2), [](team world) {
    board here(world);
    expect_in("names no object",
              text_of<sheaf::usage_error>([] { (sheaf::handle<board>()).async<&board::fail>(to_all, 1); }));
    sheaf::fence(world);
  });
}

}  // namespace
