// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sheaf/sheaf.hpp"

namespace sheaf_test {

/// A program that comes to a standstill, and what its end must say.
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
  int waits() {
    sheaf::rmi_wait();
    return ++done;
  }
  int asks(std::uint32_t other) { return sync<&stubborn::waits>(other); }
};

inline void never_called(sheaf::team const& world) {
  if (world.rank() == 0) sheaf::rmi_wait();
}

/// Nothing executes before both have issued.
inline void cycle_of_methods(sheaf::team const& world) {
  stubborn s(world);
  if (world.rank() < 2) s.async<&stubborn::waits>(1 - world.rank());
  sheaf::rmi_fence(world);
}

inline void missing_member(sheaf::team const& world) {
  stubborn const s(world);
  if (world.rank() == 2) sheaf::rmi_wait();
  sheaf::rmi_fence(world);
}

inline void never_registered(sheaf::team const& world) {
  stubborn const s(world);
  sheaf::rmi_fence(world);
  std::unique_ptr<stubborn> second;
  if (world.rank() == 0) {
    second = std::make_unique<stubborn>(world);
    for (int i = 0; i < 5; ++i) second->async<&stubborn::mark>(1);
    sheaf::rmi_flush();
  }
  sheaf::rmi_fence(world);
}

inline void no_reply(sheaf::team const& world) {
  stubborn s(world);
  sheaf::rmi_fence(world);
  if (world.rank() == 0) {
    auto answer = s.opaque<&stubborn::asks>(1, 2u);
    answer.get();
  }
  sheaf::rmi_fence(world);
}

inline void different_teams(sheaf::team const& world) {
  auto const pair = world.subteam({0, 1});
  if (world.rank() == 0) sheaf::barrier(*pair);
  sheaf::all_gather(world, 1);
}

inline std::vector<hanging_job> waiting_methods() {
  return {
      {"never_called",
       2,
       never_called,
       {"location 0 waits in rmi_wait, called at ", "hanging_jobs.hpp:", ", for a request of any location",
        "location 1 waits in rmi_fence, called at the end of the program, for the members of team 0; location 0 has "
        "not come to it"}},
      {"cycle_of_methods",
       2,
       cycle_of_methods,
       {"location 0, in ", "stubborn::waits, called by location 1, waits in rmi_wait, called at ",
        "; all members are in it; of its requests, 2 were sent and 0 executed, and 0 wait for answers",
        "a cycle of waiting methods: location 0 (", "stubborn::waits, called by location 1) waits for location 1 (",
        "stubborn::waits, called by location 0) waits for location 0",
        "requests from location 0 to 1: 1 created, 1 sent, 1 received, 0 executed"}},
      {"no_reply",
       3,
       no_reply,
       {"location 0 waits in future::get, called at ", ", for location 1's answer", "location 1, in ",
        "stubborn::asks, called by location 0, waits in sync_rmi, called at ",
        "hanging_jobs.hpp:", ", for location 2's answer to ", "location 2, in ",
        "stubborn::waits, called by location 1, waits in rmi_wait"}},
  };
}

inline std::vector<hanging_job> missing_partners() {
  return {
      {"missing_member",
       3,
       missing_member,
       {"location 2 waits in rmi_wait, called at ", "location 0 waits in rmi_fence, called at ",
        ", for the members of team 0; location 2 has not come to it", "location 1 waits in rmi_fence"}},
      {"never_registered",
       2,
       never_registered,
       {"location 1 holds 5 requests (",
        "stubborn::mark) of location 0 for object 2 of team 0, which was never registered",
        "all members are in it; of its requests, 5 were sent and 0 executed, and 0 wait for answers",
        "requests from location 0 to 1: 5 created, 5 sent, 5 received, 0 executed"}},
      {"different_teams",
       2,
       different_teams,
       {"location 0 waits in barrier, called at ", "location 1 waits in all_reduce or all_gather, called at ",
        "hanging_jobs.hpp:", "; location 1 has not come to it", "; location 0 has not come to it",
        "a cycle of waits: location 0 waits for location 1 waits for location 0"}},
  };
}

inline std::vector<hanging_job> hanging_jobs() {
  std::vector<hanging_job> all = waiting_methods();
  for (hanging_job const& each : missing_partners()) all.push_back(each);
  return all;
}

}  // namespace sheaf_test
