// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "sheaf/rmi/migrating.hpp"
#include "sheaf/rmi/published.hpp"
#include "sheaf/sheaf.hpp"

namespace sheaf_test {

/// A program that comes to a deadlock, and what its end must say.
struct hanging_job {
  char const* name;
  unsigned locations;
  std::function<void(sheaf::team const&)> program;
  std::vector<std::string> texts;
};

/// An object whose methods make others wait.
struct stubborn : sheaf::distributed<stubborn> {
  explicit stubborn(sheaf::team const& t) : distributed(t) {}
  int done = 0;

  void mark() { ++done; }
  int count() { return done; }
  int waits() {
    sheaf::wait_for_request();
    return ++done;
  }
  void refuses() { throw std::runtime_error("there is no answer"); }
  int asks(std::uint32_t other) { return sync<&stubborn::waits>(other); }
};

/// Neither sends a message, since each takes the other one for the root.
inline void different_collectives(sheaf::team const& world) {
  sheaf::barrier(world);
  sheaf::ask_broadcast(world, 1 - world.rank(), 1).get();
}

inline void never_called(sheaf::team const& world) {
  if (world.rank() == 0) sheaf::wait_for_request();
}

/// Nothing executes before both have issued.
inline void cycle_of_methods(sheaf::team const& world) {
  stubborn s(world);
  if (world.rank() < 2) s.async<&stubborn::waits>(1 - world.rank());
  sheaf::fence(world);
}

/// Throws where it would have answered.
inline void answer_that_never_comes(sheaf::team const& world) {
  stubborn s(world);
  if (world.rank() == 0) {
    s.async<&stubborn::refuses>(1);
    sheaf::wait_for_request();
  }
  sheaf::fence(world);
}

inline void missing_member(sheaf::team const& world) {
  stubborn const s(world);
  if (world.rank() == 2) sheaf::wait_for_request();
  sheaf::fence(world);
}

inline void never_registered(sheaf::team const& world) {
  stubborn const s(world);
  sheaf::fence(world);
  std::unique_ptr<stubborn> second;
  if (world.rank() == 0) {
    second = std::make_unique<stubborn>(world);
    for (int i = 0; i < 5; ++i) second->async<&stubborn::mark>(1);
    sheaf::flush();
  }
  sheaf::fence(world);
}

/// The other requests are entries of their own, which stay with the transport.
inline void behind_a_held_one(sheaf::team const& world) {
  stubborn const s(world);
  sheaf::fence(world);
  std::unique_ptr<stubborn> second;
  if (world.rank() == 0) second = std::make_unique<stubborn>(world);
  for (int i = 0; i < 3 && world.rank() == 0; ++i) {
    second->async<&stubborn::mark>(1);
    sheaf::flush();
  }
  sheaf::fence(world);
}

inline void no_reply(sheaf::team const& world) {
  stubborn s(world);
  sheaf::fence(world);
  if (world.rank() == 0) {
    auto answer = s.ask<&stubborn::asks>(1, 2u);
    answer.get();
  }
  sheaf::fence(world);
}

inline void different_teams(sheaf::team const& world) {
  auto const pair = world.subteam({0, 1});
  if (world.rank() == 0) sheaf::barrier(*pair);
  sheaf::all_gather(world, 1);
}

/// Coroutines that wait.
struct patient : sheaf::distributed<patient> {
  explicit patient(sheaf::team const& t) : distributed(t), other(t) {}
  stubborn other;
  sheaf::task<int> mine{};

  sheaf::task<int> asks(std::uint32_t whom) { co_return co_await other.ask<&stubborn::waits>(whom); }
  sheaf::task<int> asks_by_way_of(std::uint32_t whom) { co_return co_await asks(whom); }
  sheaf::task<int> asks_both(std::uint32_t whom) {
    auto const [a, b] = co_await sheaf::when_all(asks(whom), asks(whom));
    co_return a + b;
  }

  int nothing() { return 0; }
  sheaf::task<int> asks_when_resumed(std::uint32_t whom) {
    co_await ask<&patient::nothing>(rank());
    co_return other.sync<&stubborn::waits>(whom);
  }

  /// Location 0 asks 1, which asks 0, where the answer is what location 0 has asked for.
  void begins() { mine = begun(); }
  sheaf::task<int> begun() { co_return co_await ask<&patient::returns>(1, 0u); }
  sheaf::task<int> returns(std::uint32_t whom) { co_return co_await ask<&patient::gives>(whom); }
  sheaf::task<int> gives() { co_return co_await mine; }
};

inline void suspended_method(sheaf::team const& world) {
  patient p(world);
  if (world.rank() == 0) {
    for (int i = 0; i < 40; ++i) p.async<&patient::asks>(1, 2u);
    p.ask<&patient::asks_by_way_of>(1, 2u).get();
  }
  sheaf::fence(world);
}

inline void resumed_method(sheaf::team const& world) {
  patient p(world);
  if (world.rank() == 0) {
    p.ask<&patient::asks_when_resumed>(1, 2u).get();
  }
  sheaf::fence(world);
}

inline void suspended_program(sheaf::team const& world) {
  patient p(world);
  if (world.rank() == 1) {
    p.asks_both(2).get();
  }
  sheaf::fence(world);
}

inline void cycle_of_coroutines(sheaf::team const& world) {
  patient p(world);
  sheaf::fence(world);
  if (world.rank() == 0) p.begins();
  sheaf::fence(world);
}

struct wanderer {
  int number = 0;
  int waits() {
    sheaf::wait_for_request();
    return number;
  }
};

inline void moved_object(sheaf::team const& world) {
  sheaf::migrating<wanderer> all(world);
  sheaf::object_id id;
  if (world.rank() == 1) {
    all.create({1});
    id = all.create({2});
  }
  id = sheaf::broadcast(world, 1, id);
  if (world.rank() == 1) all.move(id, 2);
  sheaf::fence(world);
  if (world.rank() == 1) all.sync<&wanderer::waits>(id);
  if (world.rank() == 0) all.ask<&wanderer::waits>(id).get();
  sheaf::fence(world);
}

/// Two published objects of location 1, the second of which location 0 asks.
template <class Ask>
void published_object(sheaf::team const& world, Ask ask) {
  stubborn s(world);
  sheaf::published<stubborn> const first(s), second(s);
  auto const there = sheaf::broadcast(world, 1, handle_of(second));
  if (world.rank() == 0) ask(there);
  sheaf::fence(world);
}
inline void published_sync(sheaf::team const& world) {
  published_object(world, [](auto const& there) { sheaf::world().sync<&stubborn::waits>(there); });
}
inline void published_future(sheaf::team const& world) {
  published_object(world, [](auto const& there) { sheaf::world().ask<&stubborn::waits>(there).get(); });
}

inline void one_answer_of_all(sheaf::team const& world) {
  stubborn s(world);
  if (world.rank() == 0) s.ask<&stubborn::waits>(sheaf::to_all).get();
  sheaf::fence(world);
}

inline std::vector<hanging_job> calls_of_objects() {
  return {
      {"published_sync",
       3,
       published_sync,
       {"location 0 waits in sync, called at ", "hanging_jobs.hpp:",
        ", for location 1's answer to sheaf_test::stubborn::waits on the object published as number 1\n"}},
      {"published_future",
       3,
       published_future,
       {"location 0 waits in future::get, called at ",
        ", for location 1's answer to sheaf_test::stubborn::waits on the object published as number 1\n"}},
      {"different_collectives",
       2,
       different_collectives,
       {"location 0 waits in future::get, called at ",
        ", for the members of team 0, in a collective operation; location 1 calls another operation"}},
      {"one_answer_of_all",
       3,
       one_answer_of_all,
       {"location 0 waits in future::get, called at ",
        ", for the answers of all members to sheaf_test::stubborn::waits on object 1 of team 0"}},
  };
}

inline std::vector<hanging_job> waiting_coroutines() {
  return {
      {"suspended_method",
       3,
       suspended_method,
       {"location 0 waits in future::get, called at ", ", for location 1's answer to ",
        "patient::asks_by_way_of on object 1 of team 0", "location 1, in ",
        "patient::asks, called by location 0, waits in co_await, called at ",
        ", for location 2's answer to sheaf_test::stubborn::waits on object 2 of team 0; 40 coroutines wait so",
        "patient::asks_by_way_of, called by location 0, waits in co_await, called at ",
        ", for a coroutine that waits in co_await, called at ", "hanging_jobs.hpp:",
        "location 2, in sheaf_test::stubborn::waits, called by location 1, waits in wait_for_request"}},
      {"resumed_method",
       3,
       resumed_method,
       {"location 0 waits in future::get, called at ",
        "location 1, in sheaf_test::patient::asks_when_resumed, called by location 0, waits in sync, called at ",
        ", for location 2's answer to sheaf_test::stubborn::waits on object 2 of team 0",
        "location 2, in sheaf_test::stubborn::waits, called by location 1, waits in wait_for_request"}},
      {"suspended_program",
       3,
       suspended_program,
       {"location 1 waits in future::get, called at ", ", for a coroutine that waits in co_await, called at ",
        ", for location 2's answer to sheaf_test::stubborn::waits on object 2 of team 0\n"}},
      {"cycle_of_coroutines",
       2,
       cycle_of_coroutines,
       {"location 0, in sheaf_test::patient::gives, called by location 1, waits in co_await, called at ",
        ", for location 1's answer to sheaf_test::patient::returns on object 1 of team 0",
        "location 1, in sheaf_test::patient::returns, called by location 0, waits in co_await, called at ",
        "a cycle of waiting methods: location 0 (sheaf_test::patient::gives, called by location 1) waits for location "
        "1 (sheaf_test::patient::returns, called by location 0) waits for location 0"}},
  };
}

inline std::vector<hanging_job> waiting_methods() {
  return {
      {"never_called",
       2,
       never_called,
       {"location 0 waits in wait_for_request, called at ", "hanging_jobs.hpp:", ", for a request of any location",
        "location 1 waits in fence, called at the end of the program, for the members of team 0; location 0 has "
        "not come to it"}},
      {"cycle_of_methods",
       2,
       cycle_of_methods,
       {"location 0, in ", "stubborn::waits, called by location 1, waits in wait_for_request, called at ",
        "; all members are in it; of the team's requests, 2 were sent and 0 executed, and 0 wait for answers",
        "a cycle of waiting methods: location 0 (", "stubborn::waits, called by location 1) waits for location 1 (",
        "stubborn::waits, called by location 0) waits for location 0",
        "requests from location 0 to 1: 1 created, 1 sent, 1 received, 0 executed"}},
      {"answer_that_never_comes",
       2,
       answer_that_never_comes,
       {"location 0 waits in wait_for_request, called at ", "kept for the next fence of team 0: location 1, ",
        "stubborn::refuses called by location 0: there is no answer"}},
      {"no_reply",
       3,
       no_reply,
       {"location 0 waits in future::get, called at ",
        ", for location 1's answer to sheaf_test::stubborn::asks on object 1 of team 0", "location 1, in ",
        "stubborn::asks, called by location 0, waits in sync, called at ",
        "hanging_jobs.hpp:", ", for location 2's answer to ", "location 2, in ",
        "stubborn::waits, called by location 1, waits in wait_for_request"}},
  };
}

inline std::vector<hanging_job> missing_partners() {
  return {
      {"moved_object",
       3,
       moved_object,
       {"location 1 waits in migrating::sync, called at ",
        ", for the answer to sheaf_test::wanderer::waits on object 2 of member 1 of team 0, which was last known to be "
        "at location 2",
        "location 0 waits in future::get, called at ",
        ", for the answer to sheaf_test::wanderer::waits on object 2 of member 1 of team 0\n"}},
      {"missing_member",
       3,
       missing_member,
       {"location 2 waits in wait_for_request, called at ", "location 0 waits in fence, called at ",
        ", for the members of team 0; location 2 has not come to it", "location 1 waits in fence"}},
      {"never_registered",
       2,
       never_registered,
       {"location 1 holds 5 requests (",
        "stubborn::mark) of location 0 for object 2 of team 0, which was never registered",
        "all members are in it; of the team's requests, 5 were sent and 0 executed, and 0 wait for answers",
        "requests from location 0 to 1: 5 created, 5 sent, 5 received, 0 executed"}},
      {"behind_a_held_one",
       2,
       behind_a_held_one,
       {"location 1 holds 1 request (",
        "all members are in it; of the team's requests, 3 were sent and 0 executed, and 0 wait for answers",
        "requests from location 0 to 1: 3 created, 3 sent, 1 received, 0 executed"}},
      {"different_teams",
       2,
       different_teams,
       {"location 0 waits in barrier, called at ", "location 1 waits in all_gather, called at ",
        "hanging_jobs.hpp:", "; location 1 has not come to it", "; location 0 has not come to it",
        "a cycle of waits: location 0 waits for location 1 waits for location 0"}},
  };
}

inline std::vector<hanging_job> hanging_jobs() {
  std::vector<hanging_job> all = waiting_methods();
  for (auto const& more : {waiting_coroutines(), calls_of_objects(), missing_partners()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace sheaf_test
