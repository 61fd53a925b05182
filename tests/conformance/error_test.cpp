// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <stdexcept>
#include <string>

#include "conformance/suite.hpp"

namespace {

using sheaf_test::suite;

class thrower : public sheaf::distributed<thrower> {
 public:
  explicit thrower(sheaf::team const& on) : distributed(on) {}

  int fail(std::string const& text) { throw std::runtime_error(text); }
  void fail_without_text() { throw 42; }
  void fail_later(std::uint32_t hops) {
    if (hops == 0) throw std::logic_error("thrown after all hops");
    async<&thrower::fail_later>((rank() + 1) % members().size(), hops - 1);
  }
  int fail_behind(std::uint32_t other) { return sync<&thrower::fail>(other, std::string("from far behind")); }
  void count() { ++counted; }

  std::uint64_t counted = 0;
};

/// The fence of `on` throws everywhere for `count` exceptions, with a text of `parts`.
void fence_throws(suite& s, sheaf::team const& on, std::uint64_t count, std::initializer_list<std::string_view> parts) {
  try {
    sheaf::fence(on);
    s.that(false, "the fence throws");
  } catch (sheaf::remote_error const& thrown) {
    s.same(thrown.count(), count, "the number of exceptions that the fence tells");
    s.holds_parts(thrown.what(), parts);
  }
  sheaf::fence(on);  // told once
}

}  // namespace

SHEAF_CASE(error, of_a_question_is_thrown_at_its_caller) {
  thrower object(s.world);
  auto const me = std::to_string(s.rank()), other = std::to_string(s.next());
  s.throws<sheaf::remote_error>([&] { object.sync<&thrower::fail>(s.next(), "this is the text"); },
                                {"this is the text", "location " + other, "called by location " + me, "fail"});
  s.throws<sheaf::remote_error>([&] { object.sync<&thrower::fail_without_text>(s.next()); }, {"an unknown exception"});
  s.throws<sheaf::remote_error>([&] { object.sync<&thrower::fail_behind>(s.next(), s.rank()); }, {"from far behind"});
  s.throws<sheaf::remote_error>(
      [&] { object.sync(s.next(), [](thrower&) -> int { throw std::out_of_range("in a callable"); }); },
      {"in a callable"});
  std::string const large(300'000, 'e');
  s.throws<sheaf::remote_error>([&] { object.sync<&thrower::fail>(s.next(), large); }, {large});
  sheaf::fence(s.world);  // nothing is left for it
}

SHEAF_CASE(error, of_statements_is_thrown_at_the_fence_of_every_member) {
  thrower object(s.world);
  object.async<&thrower::count>(s.next());
  for (int i = 0; i < 3; ++i) object.async<&thrower::fail>(s.next(), "statement " + std::to_string(i));
  object.async<&thrower::count>(s.next());
  auto const all = std::to_string(3 * s.size());
  fence_throws(s, s.world, 3 * s.size(),
               {all + " remotely invoked methods threw", "team 0", "statement 0", "location 0"});
  s.same(object.counted, 2u, "the number of requests around those that threw");
}

SHEAF_CASE(error, one_single_exception_reaches_all) {
  thrower object(s.world);
  if (s.rank() == 0) object.async<&thrower::fail_later>(s.next(), 3 * s.size());
  fence_throws(s, s.world, 1, {"1 remotely invoked method threw", "thrown after all hops", "fail_later"});
  if (s.rank() == 0) object.async<&thrower::fail_without_text>(s.next());
  fence_throws(s, s.world, 1, {"an unknown exception"});
}

SHEAF_CASE(error, of_a_smaller_team_stays_there) {
  sheaf::team const part = s.world.split(s.rank() % 2);
  thrower inner(part), outer(s.world);
  bool const mine = s.rank() % 2 == 1;
  if (mine) inner.async<&thrower::fail>((part.rank() + 1) % part.size(), "odd ones only");
  if (mine) fence_throws(s, part, part.size(), {"odd ones only", "team " + std::to_string(part.id())});
  if (!mine) sheaf::fence(part);
  sheaf::fence(s.world);
}

SHEAF_CASE(error, of_a_smaller_team_is_told_at_the_worlds_fence) {
  sheaf::team const part = s.world.split(s.rank() % 2);
  thrower inner(part);
  if (s.rank() == 0) inner.async<&thrower::fail>(0, "nobody fenced the small team");
  fence_throws(s, s.world, 1, {"nobody fenced the small team"});
  sheaf::fence(part);
}

SHEAF_CASE(error, many_are_counted_and_the_first_few_shown) {
  thrower object(s.world);
  std::uint64_t const each = s.scaled(1000);
  for (std::uint64_t i = 0; i < each; ++i) object.async<&thrower::fail>(s.next(), "one of many");
  try {
    sheaf::fence(s.world);
  } catch (sheaf::remote_error const& thrown) {
    s.same(thrown.count(), each * s.size(), "the number of exceptions");
    std::string const text = thrown.what();
    s.that(text.size() < 3000, "the text shows only the first few");
    for (std::uint32_t rank = 0; rank < std::min(s.size(), 4U); ++rank) {
      s.that(text.find("\n  location " + std::to_string(rank) + ",") != text.npos, "every member has its turn");
    }
  }
}
