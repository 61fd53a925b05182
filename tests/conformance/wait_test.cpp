// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <stdexcept>
#include <string>

#include "conformance/suite.hpp"
#include "message/router.hpp"
#include "sheaf/message/sender.hpp"

namespace {

using sheaf_test::suite;

class bell : public sheaf::distributed<bell> {
 public:
  explicit bell(suite& checks) : distributed(checks.world), s(checks) {}

  void ring() { ++rings; }
  std::uint64_t asked(std::uint64_t value) { return value; }
  void wait_for_rings(std::uint64_t n) {
    sheaf::wait_until([&] { return rings >= n; });
    ++served;
  }

  /// Waits in the method for `n` others.
  void wait_for(std::uint64_t n) {
    std::uint64_t const before = rings;
    for (std::uint64_t i = 1; i <= n; ++i) {
      sheaf::wait_for_request();
      s.that(rings >= before + i, "each wait_for_request of a method has seen one more request");
    }
    ++served;
  }

  suite& s;
  std::uint64_t rings = 0;
  std::uint64_t served = 0;
};

void poll_some() {
  for (int i = 0; i < 300; ++i) sheaf::poll();
}

}  // namespace

SHEAF_CASE(wait, three_requests_in_one_buffer_serve_three_waits) {
  bell object(s);
  sheaf::fence(s.world);
  for (int i = 0; i < 3; ++i) object.async<&bell::ring>(s.next());
  for (std::uint64_t i = 1; i <= 3; ++i) {
    sheaf::wait_for_request();
    s.that(object.rings >= i, "a wait has seen a request of its own");
  }
  s.same(object.rings, 3u, "the number of requests executed");
  sheaf::fence(s.world);
}

SHEAF_CASE(wait, returns_at_once_when_one_is_already_executed) {
  bell object(s);
  sheaf::fence(s.world);
  object.async<&bell::ring>(s.next());
  object.async<&bell::ring>(s.next());
  sheaf::flush();
  while (object.rings < 2) sheaf::poll();
  sheaf::wait_for_request();
  sheaf::wait_for_request();  // nothing more will come
  sheaf::fence(s.world);
}

SHEAF_CASE(wait, until_requests_and_answers_make_it_true) {
  bell object(s);
  sheaf::fence(s.world);
  for (int i = 0; i < 3; ++i) object.async<&bell::ring>(s.next());
  sheaf::wait_until([&] { return object.rings >= 3; });
  sheaf::wait_until([] { return true; });
  std::uint64_t answer = 0;
  static_cast<void>(object.ask<&bell::asked>(s.next(), 7u).then([&](std::uint64_t value) { answer = value; }));
  sheaf::wait_until([&] { return answer != 0; });
  s.same(answer, 7u, "what the continuation got");
  bool const waits = s.size() > 1 && s.rank() + 1 == s.size();
  if (s.size() > 1 && s.rank() == 0) {
    object.async<&bell::wait_for_rings>(s.size() - 1, 4u);  // waits in the method
    object.async<&bell::ring>(s.size() - 1);
  }
  sheaf::fence(s.world);
  s.same(object.served, waits ? 1u : 0u, "the number of methods that waited");
}

SHEAF_CASE(wait, until_looks_again_at_what_its_condition_has_taken) {
  bell object(s);
  sheaf::fence(s.world);
  if (s.size() > 1 && s.rank() == 0) {
    auto asked = object.ask<&bell::asked>(1, 8u);
    sheaf::wait_until([&] { return asked.ready(); });  // a poll of its own takes the answer, and nothing else will come
    s.same(asked.get(), 8u, "the answer that the condition took");
    object.async<&bell::ring>(1);
  } else if (s.rank() == 1) {
    sheaf::wait_until([&] { return object.rings != 0; });
  }
  sheaf::fence(s.world);
}

SHEAF_CASE(wait, until_throws_what_its_condition_throws) {
  bool thrown = false;
  try {
    sheaf::wait_until([]() -> bool { throw std::runtime_error("no condition"); });
  } catch (std::runtime_error const& error) {
    thrown = std::string(error.what()) == "no condition";
  }
  s.that(thrown, "the exception has passed through the wait");
  sheaf::fence(s.world);
}

SHEAF_CASE(wait, replies_and_control_do_not_count) {
  bell object(s);
  sheaf::fence(s.world);
  if (s.rank() == 0) {
    std::uint32_t const other = s.size() - 1;
    bool const alone = other == 0;
    if (!alone) {
      s.same(object.sync<&bell::asked>(other, 7u), 7u, "the answer");
      s.same(object.ask<&bell::asked>(other, 8u).get(), 8u, "the answer");
    }
  }
  sheaf::barrier(s.world);
  s.same(sheaf::all_gather(s.world, s.rank()).size(), s.size(), "the number of ranks");
  if (s.rank() + 1 == s.size()) {
    if (s.size() > 1) sheaf::wait_for_request();  // the two questions count on the side that was asked
    if (s.size() > 1) sheaf::wait_for_request();
    poll_some();
    object.async<&bell::ring>(0);
    sheaf::flush();
  }
  if (s.rank() == 0) {
    sheaf::wait_for_request();
    s.same(object.rings, 1u, "the number of requests executed when wait_for_request returned");
  }
  sheaf::fence(s.world);
}

SHEAF_CASE(wait, a_fence_forgets_what_was_executed) {
  bell object(s);
  for (int i = 0; i < 5; ++i) object.async<&bell::ring>(s.next());
  sheaf::fence(s.world);
  s.that(object.rings >= 5, "the fence has executed all requests before it");  // the next one may be here, too
  poll_some();
  object.async<&bell::ring>(s.next());
  sheaf::wait_for_request();
  s.same(object.rings, 6u, "the number of requests executed when wait_for_request returned");
  sheaf::fence(s.world);
}

SHEAF_CASE(wait, in_a_method) {
  bell object(s);
  sheaf::fence(s.world);
  // All is issued at once: a program that polls between may find itself below a method that waits for the rest.
  object.async<&bell::wait_for>(s.next(), 2u);
  object.async<&bell::ring>(s.next());
  object.async<&bell::ring>(s.next());
  sheaf::fence(s.world);
  s.same(object.served, 1u, "the number of methods that waited");
}

SHEAF_CASE(wait, in_a_method_does_not_count_the_method_itself) {
  bell object(s);
  sheaf::fence(s.world);
  std::uint32_t const last = s.size() - 1;
  if (s.rank() == 0) {
    for (int i = 0; i < 3; ++i) object.async<&bell::wait_for>(last, 1u);
    if (last != 0) sheaf::flush();
    if (last != 0) poll_some();
    for (int i = 0; i < 3; ++i) object.async<&bell::ring>(last);
  }
  sheaf::fence(s.world);
  if (s.rank() == last) s.same(object.served, 3u, "the number of methods that waited");
}

SHEAF_CASE(wait, in_a_continuation) {
  bell object(s);
  sheaf::fence(s.world);
  std::uint32_t const last = s.size() - 1;
  sheaf::future<std::uint64_t> seen;
  if (s.rank() == 0) {
    seen = object.ask<&bell::asked>(0, 1u).then([&](std::uint64_t) {
      sheaf::wait_for_request();  // served by the question itself
      sheaf::wait_for_request();
      return object.rings;
    });
  }
  if (s.rank() == last) {
    if (s.size() > 1) poll_some();
    object.async<&bell::ring>(0);
    sheaf::flush();
  }
  if (s.rank() == 0) s.same(seen.get(), 1u, "the number of requests executed when the continuation went on");
  sheaf::fence(s.world);
}

SHEAF_CASE(wait, flush_hands_everything_over) {
  bell object(s);
  sheaf::fence(s.world);
  std::uint64_t const each = s.scaled(2000);
  for (std::uint64_t i = 0; i < each; ++i) object.async<&bell::ring>(s.next());
  sheaf::flush();
  s.that(here_of(s.world).out().routes.all_taken(), "the transport has everything after flush");
  sheaf::barrier(s.world);
  while (object.rings < each) sheaf::poll();  // nobody else needs to do anything for these to arrive
  sheaf::fence(s.world);
}

SHEAF_CASE(wait, poll_tells_whether_there_was_something) {
  sheaf::fence(s.world);
  bell object(s);
  sheaf::fence(s.world);
  if (s.rank() == 0) object.async<&bell::ring>(s.size() - 1);
  sheaf::flush();
  if (s.rank() + 1 == s.size()) {
    bool any = object.rings != 0;  // it came while this location was still in the fence
    while (object.rings == 0) any = sheaf::poll();
    s.that(any, "poll says that it executed a request");
  }
  sheaf::fence(s.world);
}
