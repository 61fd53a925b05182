// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Calls without an object, and functions that are called on objects.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "rmi/jobs.hpp"
#include "sheaf/rmi/distributed.hpp"
#include "sheaf/rmi/published.hpp"

// A function at an odd address, as compilers that do not align functions place some.
asm(R"(
  .pushsection .text
  .p2align 4
  nop
  .globl sheaf_test_odd_function
  .type sheaf_test_odd_function, @function
sheaf_test_odd_function:
  leal 1(%rdi), %eax
  ret
)");
extern "C" int sheaf_test_odd_function(int);

namespace {

using sheaf::team;
using sheaf::to_all;
using sheaf_test::expect_in;
using sheaf_test::text_of;

class team_calls : public sheaf_test::over {};
SHEAF_OVER_ALL(team_calls);

int twice(int n) { return 2 * n; }
int thrice(int n) noexcept { return 3 * n; }
std::string where(team members, std::string const& word) { return word + std::to_string(members.rank()); }
sheaf::task<int> by_way_of(team members, std::uint32_t rank, int n) {
  co_return co_await members.ask<&twice>(rank, n) + 1;
}
void refuse(int) { throw std::runtime_error("not that"); }
int put(int n) { return n; }
int put(int a, int b) { return a + b; }

struct sum : sheaf::distributed<sum> {
  using distributed::distributed;
  std::uint64_t value = 0;
};
void add(sum& to, std::uint64_t n) { to.value += n; }
void add_hundred(sheaf::handle<sum> to, std::uint32_t rank) { to.async<&add>(rank, 100u); }
std::uint64_t read(sum const& from, std::uint64_t more) noexcept { return from.value + more; }

TEST_P(team_calls, call_what_is_named_or_given) {
  run(3, [](team const& world) {
    std::uint32_t const next = (world.rank() + 1) % 3;
    EXPECT_EQ(world.sync<&twice>(next, 21), 42);
    EXPECT_EQ(world.sync(next, &twice, 4), 8);
    EXPECT_EQ(world.sync<&thrice>(next, 4), 12);
    EXPECT_EQ(world.ask(next, &thrice, 5).get(), 15);
    EXPECT_EQ(world.sync(next, &sheaf_test_odd_function, 6), 7);
    EXPECT_EQ(world.sync<[](int n) { return n + 1; }>(next, 6), 7);
    int const more = static_cast<int>(world.rank());
    auto const with_more = [more](int n) { return n + more; };
    EXPECT_EQ(world.ask(next, with_more, 5).get(), 5 + more);
    EXPECT_EQ((world.sync<sheaf::overload<int, int>(&put)>(next, 3, 4)), 7);
    EXPECT_EQ(world.sync(next, sheaf::overload<int>(&put), 3), 3);
    sheaf::fence(world);
  });
}

TEST_P(team_calls, may_take_the_team) {
  run(4, [](team const& world) {
    team const half = world.split(world.rank() % 2, 10 - world.rank());
    EXPECT_EQ(half.sync<&where>(1, "at "), "at 1");
    EXPECT_EQ(half.sync(0, &where, std::string("at ")), "at 0");
    EXPECT_EQ(half.ask<&where>(to_all, "").get(), (std::vector<std::string>{"0", "1"}));
    EXPECT_EQ(half.sync(1, [](team members) { return members.size(); }), 2u);
    EXPECT_EQ(half.ask<&by_way_of>(1, 0u, 5).get(), 11);
    sheaf::fence(half);
    sheaf::fence(world);
  });
}

TEST_P(team_calls, go_to_all_and_into_windows) {
  run(3, [](team const& world) {
    sum own(world);
    sheaf::published<sum> const shown(own);
    auto const handles = all_gather(world, handle_of(shown));
    auto const tell = [](sheaf::published_handle<sum> to) { sheaf::world().async(to, &add, 1u); };
    world.async(to_all, tell, handles[0]);
    world.async(sheaf::to_others, tell, handles[1]);
    world.async(sheaf::in_pair_order(to_all), tell, handles[2]);
    auto const bound = world.bind<&add_hundred>();
    bound((world.rank() + 1) % 3, handle_of(own), 0u);
    while (!world.try_async<[](sheaf::handle<sum> to) { to.async<&add>(1, 1000u); }>(0, handle_of(own))) sheaf::poll();
    sheaf::fence(world);
    std::uint64_t const expected[] = {9 + 300, 6 + 3000, 9};
    EXPECT_EQ(own.value, expected[world.rank()]);
    EXPECT_EQ(world.reduce<&twice>(to_all, std::plus<>{}, 7).get(), 42);
    sheaf::reply_window<int> window(world, 3);
    for (std::uint32_t r = 0; r < 3; ++r) world.ask_into<&twice>(r, window, r, static_cast<int>(r));
    window.wait();
    EXPECT_EQ(window[2], 4);
    sheaf::fence(world);
  });
}

TEST_P(team_calls, tell_their_errors) {
  run(2, [](team const& world) {
    std::uint32_t const next = 1 - world.rank();
    expect_in("refuse called by location", text_of<sheaf::remote_error>([&] { world.sync<&refuse>(next, 1); }));
    expect_in("a function named by a pointer called by location",
              text_of<sheaf::remote_error>([&] { world.sync(next, &refuse, 1); }));
    expect_in("destination -1 is not a member of team 0",
              text_of<sheaf::usage_error>([&] { world.async<&twice>(-1, 1); }));
    expect_in("team_calls_test.cpp:", text_of<sheaf::usage_error>([&] { (void)world.try_async<&twice>(7, 1); }));
    int (*const none)(int) = nullptr;
    expect_in("null", text_of<sheaf::usage_error>([&] { world.async(next, none, 1); }));
    barrier(world);
    world.async<&refuse>(next, 1);
    expect_in("not that", text_of<sheaf::remote_error>([&] { sheaf::fence(world); }));
  });
}

TEST_P(team_calls, functions_are_called_on_objects) {
  run(2, [](team const& world) {
    sum all(world);
    std::uint32_t const next = 1 - world.rank();
    all.async<&add>(next, 1);
    all.async(next, &add, 10);
    all.async<&add>(to_all, 100);
    sheaf::fence(world);
    EXPECT_EQ(all.value, 211u);
    EXPECT_EQ(all.sync<&read>(next, 1), 212u);
    EXPECT_EQ(all.ask(next, &read, 2).get(), 213u);
    EXPECT_EQ(handle_of(all).sync<[](sum& s) { return s.value; }>(next), 211u);
    sheaf::published<sum> const shown(all);
    auto const theirs = all_gather(world, handle_of(shown))[next];
    EXPECT_EQ(world.sync<&read>(theirs, 3), 214u);
    team const alone = world.split(world.rank());
    expect_in("was called through team ", text_of<sheaf::usage_error>([&] { alone.sync<&read>(theirs, 3); }));
    sheaf::fence(world);
  });
}

}  // namespace
