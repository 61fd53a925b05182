// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <memory>
#include <string>

#include "conformance/suite.hpp"
#include "sheaf/container/vector.hpp"

namespace {

class subject : public sheaf::distributed<subject> {
 public:
  explicit subject(sheaf::team const& on) : distributed(on) {}
  void nothing() {}
  int something() { return 1; }
};

using sheaf::usage_error;
using sheaf_test::suite;

/// Calls `f` in a method of the neighbour; its error must hold `parts`.
template <class F>
void method_throws(suite& s, subject& object, F f, std::initializer_list<std::string_view> parts) {
  s.throws<sheaf::remote_error>([&] { object.sync(s.next(), f); }, parts);
}

}  // namespace

SHEAF_CASE(usage, rank_that_does_not_exist) {
  subject object(s.world);
  auto const bad = std::to_string(s.size()), last = "0 to " + std::to_string(s.size() - 1);
  s.throws<usage_error>([&] { object.async<&subject::nothing>(s.size()); }, {"destination " + bad, "team 0", last});
  s.throws<usage_error>([&] { object.sync<&subject::something>(s.size()); }, {"destination " + bad, last});
  s.throws<usage_error>([&] { static_cast<void>(object.ask<&subject::something>(s.size())); }, {"destination " + bad});
  s.throws<usage_error>([&] { object.async<&subject::nothing>(1ULL << 40); }, {"destination 1099511627776"});
  s.throws<usage_error>([&] { static_cast<void>(s.world.location_of(s.size())); }, {"no member " + bad});
  s.throws<usage_error>([&] { sheaf::broadcast(s.world, s.size(), 1); }, {"no member " + bad});
  sheaf::fence(s.world);
}

SHEAF_CASE(usage, team_that_the_caller_is_not_in) {
  sheaf::team const part = s.world.split(s.rank() == 0 ? 0 : 1);
  subject object(part);
  auto const foreign = sheaf::broadcast(s.world, 0, handle_of(object));
  if (s.rank() != 0) {
    s.throws<usage_error>([&] { foreign.async<&subject::nothing>(0); },
                          {"location " + std::to_string(s.rank()) + " is not a member of team",
                           "only the team's members may call the object"});
  }
  s.throws<usage_error>([&] { (sheaf::handle<subject>(99'999, 1)).sync<&subject::something>(0); }, {"team 99999"});
  sheaf::fence(s.world);
}

SHEAF_CASE(usage, a_method_may_not_wait_for_a_team) {
  subject object(s.world);
  auto const where = "remotely invoked method of location " + std::to_string(s.next());
  method_throws(s, object, [](subject& o) { sheaf::fence(o.members()); },
                {"fence was called in a", where, "from the function given to sheaf::run"});
  method_throws(s, object, [](subject& o) { sheaf::barrier(o.members()); }, {"barrier was called in a", where});
  method_throws(s, object, [](subject& o) { return sheaf::broadcast(o.members(), 0, 1); }, {"broadcast", where});
  method_throws(s, object, [](subject& o) { return sheaf::scan(o.members(), 1, [](int a, int b) { return a + b; }); },
                {"scan"});
  method_throws(s, object, [](subject& o) { return sheaf::all_gather(o.members(), 1); }, {"all_gather", where});
  method_throws(s, object, [](subject& o) { return o.members().split(0).size(); }, {"team::split", where});
  sheaf::fence(s.world);
  // A continuation is as a method.
  auto chained = object.ask<&subject::something>(s.next()).then([&](int) { sheaf::fence(s.world); });
  s.throws<sheaf::remote_error>([&] { chained.get(); }, {"fence was called in a"});
  sheaf::fence(s.world);
}

SHEAF_CASE(usage, a_job_within_a_job) {
  s.throws<usage_error>([] { sheaf::run(sheaf::options(), [] {}); },
                        {"run() was called by a location of a running job"});
}

SHEAF_CASE(usage, vector_beyond_its_end) {
  sheaf::vector<int> values(s.world, 10);
  s.throws<usage_error>([&] { static_cast<void>(values.get(10)); }, {"index 10", "10 elements", "update_bounds()"});
  s.throws<usage_error>([&] { values[11] = 1; }, {"index 11"});
  sheaf::fence(s.world);
}
