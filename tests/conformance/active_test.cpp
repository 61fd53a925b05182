// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "conformance/suite.hpp"
#include "sheaf/messages.hpp"

namespace {

using sheaf_test::suite;

struct stamped {
  std::uint32_t sender;
  std::uint64_t number;
};

/// Sends `n` numbered messages to each member, of a type with these policies.
template <class... Policy>
struct flood {
  flood(suite& checks, std::uint64_t n)
      : s(checks), numbers(s.size()), type(s.world, [this](stamped m, std::uint64_t sender) {
          s.that(m.sender == sender, "the handler gets the sender's rank");
          numbers[m.sender].push_back(m.number);
        }) {
    sheaf::epoch(s.world, [&] {
      for (std::uint64_t i = 0; i < n; ++i) {
        for (std::uint32_t d = 0; d < s.size(); ++d) type.send(d, {s.rank(), i});
      }
    });
  }

  /// Whether exactly the numbers 0…n−1 came of each.
  void check(std::uint64_t n, bool in_order) {
    for (auto& of_one : numbers) {
      if (!in_order) std::sort(of_one.begin(), of_one.end());
      std::vector<std::uint64_t> all(n);
      std::iota(all.begin(), all.end(), 0u);
      s.that(of_one == all, "each message has been handled once, in order where its type has one");
    }
  }

  suite& s;
  std::vector<std::vector<std::uint64_t>> numbers;
  sheaf::message_type<stamped, Policy...> type;
};

/// What an object's method does with messages.
struct relay : sheaf::distributed<relay> {
  relay(suite& checks, sheaf::message_type<int>& to) : distributed(checks.world), out(to) {}
  void pass(int n) { out.send(0, n); }
  sheaf::message_type<int>& out;
};

}  // namespace

SHEAF_CASE(active, each_message_is_handled_once_and_in_order) {
  std::uint64_t const n = s.scaled(1000);
  flood<>(s, n).check(n, true);
}

SHEAF_CASE(active, each_unordered_message_is_handled_once) {
  std::uint64_t const n = s.scaled(1000);
  flood<sheaf::unordered>(s, n).check(n, false);
}

SHEAF_CASE(active, values_of_any_codec_type_travel) {
  std::uint64_t bytes = 0;
  sheaf::message_type<std::pair<std::string, std::vector<int>>> words(
      s.world, [&](auto const& word) { bytes += word.first.size() + word.second.size(); });
  sheaf::message_type<std::string, sheaf::unordered> more(s.world, [&](std::string&& text) { bytes += text.size(); });
  sheaf::epoch(s.world, [&] {
    for (int i = 0; i < 10; ++i) words.send(s.next(), {std::string(100, 'x'), std::vector<int>(10)});
    more.send(s.next(), std::string(5000, 'y'));
  });
  s.same(bytes, 6100u, "bytes that came");
}

SHEAF_CASE(active, handlers_send_to_any_depth) {
  std::uint64_t handled = 0;
  sheaf::message_type<std::uint32_t> hop(s.world, [&](std::uint32_t left) {
    ++handled;
    if (left != 0) hop.send(s.next(), left - 1);
  });
  sheaf::message_type<int, sheaf::unordered> start(s.world, [&](int) { hop.send(s.next(), 50); });
  sheaf::epoch(s.world, [&] { start.send(s.next(), 0); });
  s.same(handled, 51u, "messages of chains that begin on every member");
}

SHEAF_CASE(active, a_noexcept_handler_gets_whole_runs) {
  std::uint64_t sum = 0, touched = 0;
  sheaf::message_type<std::uint64_t> add(s.world);
  add.set_handler([&](std::uint64_t v) noexcept { sum += v; },
                  [&](std::uint64_t) -> void const* {
                    ++touched;
                    return &sum;
                  });
  std::uint64_t const n = s.scaled(5000);
  sheaf::epoch(s.world, [&] {
    for (std::uint64_t i = 1; i <= n; ++i) add.send(s.next(), i);
  });
  s.same(sum, n * (n + 1) / 2, "the sum");
  s.same(touched, n, "addresses asked for");
}

SHEAF_CASE(active, a_handler_may_wait_and_call_methods) {
  struct oracle : sheaf::distributed<oracle> {
    using distributed::distributed;
    int twice(int n) { return 2 * n; }
  } object(s.world);
  int sum = 0;
  sheaf::message_type<int> ask(s.world, [&](int n) { sum += object.sync<&oracle::twice>(s.next(), n); });
  sheaf::barrier(s.world);
  sheaf::epoch(s.world, [&] {
    for (int i = 1; i <= 10; ++i) ask.send(s.next(), i);
  });
  s.same(sum, 110, "what ten questions gave");
}

SHEAF_CASE(active, the_end_brings_a_reduction) {
  std::uint64_t handled = 0;
  sheaf::message_type<int> count(s.world, [&](int) { ++handled; });
  auto const send = [&] {
    for (std::uint32_t d = 0; d < s.size(); ++d) count.send(d, 1);
  };
  std::uint64_t const all = std::uint64_t{s.size()} * s.size();
  s.same(sheaf::epoch(
             s.world, send, [&] { return handled; }, std::plus<>{}),
         all, "messages handled everywhere");
  sheaf::scoped_epoch second(s.world);
  send();
  s.same(second.end([&] { return handled; }, std::plus<>{}), 2 * all, "messages handled everywhere");
}

SHEAF_CASE(active, the_end_may_be_split_phase) {
  std::uint64_t handled = 0;
  sheaf::message_type<std::uint32_t> hop(s.world, [&](std::uint32_t left) {
    ++handled;
    if (left != 0) hop.send(s.next(), left - 1);
  });
  sheaf::scoped_epoch first(s.world);
  hop.send(s.next(), 10);
  sheaf::future<void> ended = first.ask_end();
  sheaf::scoped_epoch second(s.world);  // begins before the first one has ended
  hop.send(s.next(), 20);
  auto sum = second.ask_end([&] { return handled; }, std::plus<>{});
  ended.get();
  s.that(handled >= 11, "the messages of the first epoch have been handled");
  while (!sum.ready()) continue;  // a test polls
  s.same(sum.get(), 32u * s.size(), "messages handled everywhere");
  sheaf::scoped_epoch third(s.world);
  if (s.rank() == 0) return third.end();
  third.ask_end().get();  // both forms may meet
}

SHEAF_CASE(active, an_inner_epoch_ends_without_the_outer_one) {
  std::uint64_t inner = 0, outer = 0;
  sheaf::message_type<int> in(s.world, [&](int) { ++inner; }), out(s.world, [&](int) { ++outer; });
  sheaf::epoch(s.world, [&] {
    out.send(s.next(), 1);
    sheaf::epoch(s.world, [&] { in.send(s.next(), 1); });
    s.same(inner, 1u, "messages of the inner epoch");
    for (int i = 0; i < 70; ++i) sheaf::epoch(s.world, [] {});  // the numbers of epochs go round
    out.send(s.next(), 1);
  });
  s.same(outer, 2u, "messages of the outer epoch");
}

SHEAF_CASE(active, epochs_of_disjoint_teams_do_not_meet) {
  sheaf::team const half = s.world.split(s.rank() % 2);
  std::uint64_t handled = 0;
  sheaf::message_type<int> count(half, [&](int) { ++handled; });
  for (std::uint32_t i = 0; i < 1 + 3 * (s.rank() % 2); ++i) {  // the odd ones have more epochs
    sheaf::epoch(half, [&] {
      for (std::uint32_t d = 0; d < half.size(); ++d) count.send(d, 1);
    });
    s.same(handled, std::uint64_t{i + 1} * half.size(), "messages handled here");
    sheaf::barrier(half);
  }
}

SHEAF_CASE(active, an_epoch_covers_what_handlers_call_but_not_what_the_program_calls) {
  struct counter : sheaf::distributed<counter> {
    using distributed::distributed;
    std::uint64_t calls = 0;
    void add() { ++calls; }
  } object(s.world);
  sheaf::message_type<int> call(s.world, [&](int) { object.async<&counter::add>(s.next()); });
  sheaf::barrier(s.world);
  sheaf::epoch(s.world, [&] { call.send(s.next(), 0); });
  s.same(object.calls, 1u, "methods called by handlers");
  sheaf::barrier(s.world);
  sheaf::epoch(s.world, [&] { object.async<&counter::add>(s.next()); });
  sheaf::fence(s.world);
  s.same(object.calls, 2u, "methods called");
}

SHEAF_CASE(active, what_handlers_throw_the_end_throws_on_every_member) {
  sheaf::message_type<int> fail(s.world, [&](int n) {
    if (n == 3) throw std::runtime_error("three is refused");
  });
  s.throws<sheaf::remote_error>(
      [&] {
        sheaf::epoch(s.world, [&] {
          for (int i = 0; s.rank() == 0 && i < 5; ++i) fail.send(s.size() - 1, i);
        });
      },
      {"1 error in an epoch of team 0:", "three is refused"});
  sheaf::scoped_epoch again(s.world);
  if (s.rank() == 0) fail.send(s.size() - 1, 3);
  s.throws<sheaf::remote_error>([&] { again.ask_end().get(); }, {"three is refused"});
}

SHEAF_CASE(active, an_epoch_that_is_left_by_an_exception_is_poisoned) {
  std::uint64_t handled = 0;
  sheaf::message_type<int> count(s.world, [&](int) { ++handled; });
  auto const leave = [&] {
    count.send(s.next(), 1);
    if (s.rank() == 0) throw std::out_of_range("rank 0 leaves");
  };
  if (s.rank() == 0) {
    s.throws<std::out_of_range>([&] { sheaf::epoch(s.world, leave); }, {"rank 0 leaves"});
  } else {
    s.throws<sheaf::remote_error>([&] { sheaf::epoch(s.world, leave); },
                                  {"location 0 left an epoch by an exception: rank 0 leaves"});
  }
  s.same(handled, 1u, "messages of the poisoned epoch");
  sheaf::barrier(s.world);
  auto const scoped = [&] {
    sheaf::scoped_epoch own(s.world);
    leave();
  };
  if (s.rank() == 0) {
    s.throws<std::out_of_range>(scoped, {"rank 0 leaves"});  // without a wait
  } else {
    s.throws<sheaf::remote_error>(scoped, {"location 0 left an epoch by an exception"});
  }
  sheaf::epoch(s.world, [&] { count.send(s.next(), 1); });
  s.same(handled, 3u, "messages of three epochs");
}

SHEAF_CASE(active, a_team_ends_after_an_epoch_that_all_have_left) {
  sheaf::team const half = s.world.split(s.rank() % 2);
  s.throws<std::runtime_error>(
      [&] {
        sheaf::message_type<int> gone(half, [](int) {});  // before its messages have come
        sheaf::scoped_epoch own(half);
        for (std::uint32_t d = 0; d < half.size(); ++d) gone.send(d, 1);
        throw std::runtime_error("all leave");
      },
      {"all leave"});
  half.end();
}

SHEAF_CASE(active, what_the_program_calls_belongs_to_no_epoch) {
  sheaf::message_type<int> type(s.world, [](int) {});
  relay object(s, type);
  sheaf::barrier(s.world);
  std::string text;
  auto const caught = [&](auto f) {
    try {
      f();
    } catch (sheaf::remote_error const& e) {
      text += e.what();
    }
  };
  caught([&] {
    sheaf::epoch(s.world, [&] {
      if (s.rank() == 0) object.async<&relay::pass>(s.size() - 1, 1);
    });
  });
  caught([&] { sheaf::fence(s.world); });
  s.holds_parts(text, {"outside of an epoch"});
}

SHEAF_CASE(active, wrong_uses_say_what_to_do) {
  sheaf::message_type<int> type(s.world, [](int) {});
  s.throws<sheaf::usage_error>([&] { type.send(0, 1); },
                               {"outside of an epoch", "sheaf::epoch(team, f)", "called at "});
  relay object(s, type);
  s.throws<sheaf::usage_error>([&] { object.pass(1); }, {"outside of an epoch"});
  sheaf::epoch(s.world, [&] {
    s.throws<sheaf::usage_error>([&] { type.send(s.size(), 1); }, {"is not a member of team 0", "called at "});
    s.throws<sheaf::usage_error>([&] { type.set_handler([](int) {}); }, {"was set in an epoch"});
    s.throws<sheaf::usage_error>([&] { sheaf::message_type<int> late(s.world); }, {"was created in an epoch"});
  });
  sheaf::team const own = s.world.split(s.rank());
  sheaf::message_type<int> other(own, [](int) {});
  sheaf::epoch(s.world,
               [&] { s.throws<sheaf::usage_error>([&] { other.send(0, 1); }, {"was sent in an epoch of team 0"}); });
  sheaf::scoped_epoch twice(s.world);
  twice.end();
  s.throws<sheaf::usage_error>([&] { twice.end(); }, {"was ended twice"});
  sheaf::message_type<int> inside(s.world, [&](int) { sheaf::epoch(s.world, [] {}); });
  s.throws<sheaf::remote_error>([&] { sheaf::epoch(s.world, [&] { inside.send(s.next(), 1); }); },
                                {"an epoch was called in a remotely invoked method"});
}

SHEAF_CASE(active, every_detector_ends_epochs_with_values_and_errors) {
  std::uint64_t handled = 0;
  sheaf::message_type<std::uint32_t> hop(s.world, [&](std::uint32_t left) {
    ++handled;
    if (left == 99) throw std::runtime_error("refused");
    if (left != 0) hop.send(s.next(), left - 1);
  });
  std::uint64_t expected = 0;
  for (sheaf::detection const how :
       {sheaf::nesting_depth(3), sheaf::nesting_depth(12), sheaf::detection{},
        sheaf::detection{sheaf::detector::four_counter}, sheaf::detection{sheaf::detector::channel_counting},
        sheaf::detection{sheaf::detector::sinha_kale_ramkumar}}) {
    sheaf::detection_request const asked(s.world, how);
    auto const chains = [&] {
      for (std::uint64_t i = 0; i < s.scaled(20); ++i) hop.send(i % s.size(), 3);
    };
    expected += 4 * s.scaled(20) * s.size();
    s.same(sheaf::epoch(
               s.world, chains, [&] { return handled; }, std::plus<>{}),
           expected, "messages handled everywhere");
    sheaf::scoped_epoch beside(s.world);
    chains();
    expected += 4 * s.scaled(20) * s.size();
    s.same(beside.ask_end([&] { return handled; }, std::plus<>{}).get(), expected, "after a split-phase end");
    s.throws<sheaf::remote_error>(
        [&] {
          sheaf::epoch(s.world, [&] {
            if (s.rank() == s.size() - 1) hop.send(0, 99);
          });
        },
        {"refused"});
    expected += 1;
  }
}

SHEAF_CASE(active, the_strongest_request_for_a_detector_wins_and_sending_deeper_is_an_error) {
  std::uint64_t handled = 0;
  sheaf::message_type<std::uint32_t> hop(s.world, [&](std::uint32_t left) {
    ++handled;
    if (left != 0) hop.send(s.next(), left - 1);
  });
  sheaf::detection_request const flat(s.world, sheaf::nesting_depth(0));
  {
    sheaf::detection_request const deeper(s.world, sheaf::nesting_depth(2));
    auto const all_of = [&](std::uint32_t depth) {
      return sheaf::epoch(
          s.world, [&] { hop.send(s.next(), depth); }, [&] { return handled; }, std::plus<>{});
    };
    s.same(all_of(2), 3u * s.size(), "messages of chains of depth 2");
    sheaf::detection_request const any(s.world, {});
    s.same(all_of(30), 34u * s.size(), "messages of chains of depth 30");
  }
  sheaf::epoch(s.world, [&] { hop.send(s.next(), 0); });
  s.throws<sheaf::remote_error>([&] { sheaf::epoch(s.world, [&] { hop.send(s.next(), 1); }); },
                                {"sends deeper than the epoch has declared"});
  s.throws<sheaf::usage_error>([&] { sheaf::detection_request const wrong(s.world, sheaf::nesting_depth(13)); },
                               {"at most 12"});
  sheaf::fence(s.world);
}

SHEAF_CASE(active, a_declared_depth_waits_for_coroutines_of_the_last_handlers) {
  struct elsewhere : sheaf::distributed<elsewhere> {
    using distributed::distributed;
    sheaf::task<int> slow(int hops) {  // longer than an end that does not wait for it
      if (hops == 0) co_return 1;
      co_return co_await ask<&elsewhere::slow>((rank() + 1) % members().size(), hops - 1);
    }
  };
  sheaf::team const others = s.world.split(0);
  elsewhere far(others);
  struct worker : sheaf::distributed<worker> {
    worker(sheaf::team const& on, elsewhere& to) : distributed(on), far(to) {}
    sheaf::task<> work(int hops) {
      done += static_cast<std::uint64_t>(co_await far.ask<&elsewhere::slow>((rank() + 1) % members().size(), hops));
    }
    elsewhere& far;
    std::uint64_t done = 0;
  } object(s.world, far);
  sheaf::message_type<int> start(s.world, [&](int n) { object.async<&worker::work>(s.next(), n); });
  sheaf::detection_request const one(s.world, sheaf::nesting_depth(1));
  sheaf::barrier(s.world);
  std::uint64_t const n = s.scaled(20);
  sheaf::epoch(s.world, [&] {
    for (std::uint64_t i = 0; i < n; ++i) start.send(s.next(), 40);
  });
  s.same(object.done, n, "what coroutines have added");
  sheaf::fence(others);
}
