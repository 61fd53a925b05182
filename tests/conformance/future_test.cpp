// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <stdexcept>
#include <string>
#include <utility>

#include "conformance/suite.hpp"

namespace {

using sheaf_test::suite;

class oracle : public sheaf::distributed<oracle> {
 public:
  oracle(sheaf::team const& on, suite& checks) : distributed(on), s(checks) {}
  explicit oracle(suite& checks) : oracle(checks.world, checks) {}

  std::uint64_t twice(std::uint64_t value) { return 2 * value; }
  std::string say(std::string const& word, std::uint32_t times) {
    std::string all;
    for (std::uint32_t i = 0; i < times; ++i) all += word;
    return all;
  }
  void count() { ++counted; }
  std::uint64_t refuse(std::uint64_t value) { throw std::runtime_error("no answer to " + std::to_string(value)); }

  /// A method that waits for a future of its own.
  std::uint64_t by_way_of(std::uint32_t other, std::uint64_t value) {
    return ask<&oracle::twice>(other, value).get() + 1;
  }

  suite& s;
  std::uint64_t counted = 0;
};

}  // namespace

SHEAF_CASE(future, ready_and_get) {
  oracle object(s);
  auto answer = object.ask<&oracle::twice>(s.next(), 21u);
  s.that(answer.valid(), "a new future is valid");
  while (!answer.ready()) continue;  // a test polls
  s.same(answer.get(), 42u, "the answer");
  s.that(!answer.valid(), "a future that was used up is not valid");
  s.throws<sheaf::usage_error>([&] { answer.get(); },
                               {"used already", "get(), then() and co_await use it up (called at "});
  s.throws<sheaf::usage_error>([&] { static_cast<void>(sheaf::future<int>().ready()); },
                               {"used already or is empty", "(called at "});
  s.same(object.ask<&oracle::say>(s.next(), "ha", 4000u).get().size(), 8000u, "the length of a long answer");
  object.ask<&oracle::count>(s.next()).get();
  sheaf::fence(s.world);
  s.same(object.counted, 1u, "the number of questions without a value");
}

SHEAF_CASE(future, polling_alone_gets_there) {
  oracle object(s);
  sheaf::fence(s.world);
  // Nobody flushes or waits: neither who asks, nor who answers, nor whose method sends on.
  auto answer = object.ask<&oracle::twice>(s.next(), 21u);
  while (!answer.ready()) sheaf::poll();
  s.same(answer.get(), 42u, "the answer");
  auto const send_on = [](oracle& here) { here.async<&oracle::count>((here.rank() + 1) % here.members().size()); };
  object.async(s.next(), send_on);
  while (object.counted == 0) sheaf::poll();
  // Everybody polls until all are through; a location that waits would answer in any case.
  auto const through = [](oracle& root) { ++root.counted; };
  object.async(0, through);
  while (s.rank() == 0 && object.counted < 1 + s.size()) sheaf::poll();
  sheaf::fence(s.world);
}

SHEAF_CASE(future, thousands_outstanding_in_any_order_of_get) {
  oracle object(s);
  std::uint64_t const each = s.scaled(20'000);
  std::vector<sheaf::future<std::uint64_t>> answers;
  for (std::uint64_t i = 0; i < each; ++i) {
    answers.push_back(object.ask<&oracle::twice>(static_cast<std::uint32_t>(i % s.size()), i));
  }
  std::uint64_t wrong = 0;
  for (std::uint64_t i = each; i-- > 0;) wrong += answers[i].get() != 2 * i ? 1 : 0;
  s.same(wrong, 0u, "the number of wrong answers");
  sheaf::fence(s.world);
}

SHEAF_CASE(future, chains) {
  oracle object(s);
  auto text = object.ask<&oracle::twice>(s.next(), 4u)
                  .then([](std::uint64_t v) { return v + 1; })
                  .then([](std::uint64_t v) { return std::to_string(v); })
                  .then([](std::string const& v) { return v + "!"; });
  s.same(text.get(), "9!", "the end of the chain");

  std::uint64_t seen = 0;
  auto done = object.ask<&oracle::count>(s.next()).then([&] { seen = 7; });
  done.get();
  s.same(seen, 7u, "what a continuation without a value wrote");

  auto ready = object.ask<&oracle::twice>(s.next(), 1u);
  while (!ready.ready()) {
    sheaf::flush();
    sheaf::poll();
  }
  bool ran = false;
  auto late = ready.then([&](std::uint64_t v) {
    ran = true;
    return v * 5;
  });
  s.that(!ran, "a continuation does not run inside then()");
  s.same(late.get(), 10u, "a continuation of a ready future");
  sheaf::fence(s.world);
}

SHEAF_CASE(future, errors_go_along_the_chain) {
  oracle object(s);
  auto const me = std::to_string(s.rank()), other = std::to_string(s.next());
  auto refused = object.ask<&oracle::refuse>(s.next(), 13u);
  s.throws<sheaf::remote_error>([&] { refused.get(); },
                                {"no answer to 13", "location " + other, "location " + me, "refuse"});
  bool ran = false;
  auto chain = object.ask<&oracle::refuse>(s.next(), 14u).then([&](std::uint64_t v) {
    ran = true;
    return v;
  });
  s.throws<sheaf::remote_error>([&] { chain.get(); }, {"no answer to 14"});
  s.that(!ran, "a continuation does not run after an error");
  auto own = object.ask<&oracle::twice>(s.next(), 1u).then([](std::uint64_t v) -> int {
    throw std::runtime_error("the continuation got " + std::to_string(v));
  });
  s.throws<sheaf::remote_error>([&] { own.get(); }, {"the continuation got 2"});
  sheaf::fence(s.world);
}

SHEAF_CASE(future, in_a_method) {
  oracle object(s);
  s.same(object.sync<&oracle::by_way_of>(s.next(), s.rank(), 10u), 21u, "the answer by way of another");
  std::vector<sheaf::future<std::uint64_t>> all;
  for (std::uint64_t i = 0; i < 10; ++i) all.push_back(object.ask<&oracle::by_way_of>(s.next(), s.rank(), i));
  for (std::uint64_t i = 0; i < all.size(); ++i) s.same(all[i].get(), 2 * i + 1, "the answer by way of another");
  sheaf::fence(s.world);
}

SHEAF_CASE(future, continuations_are_part_of_the_fence) {
  oracle object(s);
  // Each continuation asks again, to a depth; the last one says so to the neighbour.
  struct step {
    static void go(oracle& here, std::uint64_t more) {
      auto const dest = static_cast<std::uint32_t>((here.rank() + more) % here.members().size());
      static_cast<void>(here.ask<&oracle::twice>(dest, more).then([&here, more](std::uint64_t) {
        if (more != 0) return go(here, more - 1);
        here.async<&oracle::count>((here.rank() + 1) % here.members().size());
      }));
    }
  };
  for (int i = 0; i < 5; ++i) step::go(object, 6);
  sheaf::fence(s.world);
  s.same(object.counted, 5u, "the number of chains that ended before the fence");
}

SHEAF_CASE(future, the_worlds_fence_waits_for_continuations_of_smaller_teams) {
  sheaf::team const half = s.world.split(s.rank() % 2);
  oracle inner(half, s), outer(s);
  auto const neighbour = s.next();
  static_cast<void>(inner.ask<&oracle::twice>(half.size() - 1, 1u).then([&](std::uint64_t) {
    outer.async<&oracle::count>(neighbour);
  }));
  sheaf::fence(s.world);
  s.same(outer.counted, 1u, "the number of requests that continuations issued before the fence ended");
  sheaf::fence(s.world);
}

SHEAF_CASE(window, results_land_in_their_slots) {
  oracle object(s);
  auto const slots = static_cast<std::uint32_t>(s.scaled(5000));
  sheaf::reply_window<std::uint64_t> numbers(s.world, slots);
  sheaf::reply_window<std::string> texts(s.world, 20);
  for (int round = 0; round < 3; ++round) {
    for (std::uint32_t i = 0; i < slots; ++i) {
      object.ask_into<&oracle::twice>(i % s.size(), numbers, slots - 1 - i, std::uint64_t{i});
    }
    for (std::uint32_t i = 0; i < 20; ++i) object.ask_into<&oracle::say>(i % s.size(), texts, i, "ab", i * 50);
    numbers.wait();
    texts.wait();
    std::uint64_t wrong = 0;
    for (std::uint32_t i = 0; i < slots; ++i) wrong += numbers[slots - 1 - i] != 2ULL * i ? 1 : 0;
    for (std::uint32_t i = 0; i < 20; ++i) wrong += texts[i].size() != 100ULL * i ? 1 : 0;
    s.same(wrong, 0u, "the number of wrong results");
  }
  s.same(numbers.awaited(), 0u, "what is awaited after wait()");
  sheaf::fence(s.world);
}

SHEAF_CASE(window, errors_and_limits) {
  oracle object(s);
  sheaf::reply_window<std::uint64_t> window(s.world, 4);
  for (std::uint32_t i = 0; i < 4; ++i) {
    if (i % 2 == 0) object.ask_into<&oracle::twice>(s.next(), window, i, std::uint64_t{i});
    if (i % 2 == 1) object.ask_into<&oracle::refuse>(s.next(), window, i, std::uint64_t{i});
  }
  s.throws<sheaf::remote_error>([&] { window.wait(); }, {"no answer to ", "location " + std::to_string(s.next())});
  s.same(window[2], 4u, "a result beside an error");
  window.wait();  // the error was told
  s.throws<sheaf::usage_error>([&] { object.ask_into<&oracle::twice>(0, window, 4, 1u); }, {"slot 4", "slots 0…3"});
  s.throws<sheaf::usage_error>([&] { sheaf::reply_window<int>(s.world, 0); }, {"reply_window of 0 slots", "1…"});
  sheaf::fence(s.world);
}

SHEAF_CASE(window, the_fence_waits_for_its_replies) {
  oracle object(s);
  sheaf::reply_window<std::uint64_t> window(s.world, 100);
  for (std::uint32_t i = 0; i < 100; ++i) object.ask_into<&oracle::twice>(i % s.size(), window, i, std::uint64_t{i});
  sheaf::fence(s.world);
  s.same(window.awaited(), 0u, "what is awaited after the fence");
  s.same(window[99], 198u, "a result after the fence");
}
