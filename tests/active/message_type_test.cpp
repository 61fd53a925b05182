// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// More of typed messages is in conformance/ and simulation/.
#include "sheaf/active/message_type.hpp"

#include <array>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "rmi/jobs.hpp"
#include "sheaf/active/epoch.hpp"
#include "sheaf/base/partition.hpp"
#include "sheaf/runtime/attached_thread.hpp"

namespace {

using sheaf::epoch;
using sheaf::message_type;
using sheaf::team;
using sheaf_test::expect_in;
using sheaf_test::text_of;

class messages : public sheaf_test::over {};
SHEAF_OVER_ALL(messages);

TEST_P(messages, to_a_member_without_a_handler_are_told_by_the_end_of_the_epoch) {
  std::string const text = failure(2, [](team const& world) {
    message_type<int> type(world);
    if (world.rank() == 0) type.set_handler([](int) {});
    epoch(world, [&] { type.send(1, 7); });
  });
  expect_in("location 1, message_type<int> called by location 0", text);
  expect_in(
      "dropped, since its message_type has no handler here; give one to its constructor or to set_handler on every "
      "member",
      text);
}

TEST_P(messages, of_types_that_differ_between_members_end_the_job) {
  std::string const text = failure(2, [](team const& world) {
    std::optional<message_type<int>> whole;
    std::optional<message_type<double>> broken;
    world.rank() == 0 ? static_cast<void>(whole.emplace(world, [](int) {}))
                      : static_cast<void>(broken.emplace(world, [](double) {}));
    epoch(world, [&] {
      if (world.rank() == 0) whole->send(1, 7);
    });
  });
  expect_in("message_type<int>", text);
}

TEST_P(messages, to_a_type_that_was_destroyed_end_the_job) {
  std::string const text = failure(2, [](team const& world) {
    std::optional<message_type<int>> type(std::in_place, world, [](int) {});
    if (world.rank() == 1) type.reset();
    epoch(world, [&] {
      if (world.rank() == 0) type->send(1, 7);
    });
  });
  expect_in("after the object was destroyed here", text);
}

TEST_P(messages, of_a_team_get_ranks_of_that_team) {
  run(4, [](team const& world) {
    team const turned = world.split(0, world.size() - world.rank());
    std::vector<std::uint64_t> senders;
    message_type<int> type(turned, [&](int, std::uint64_t sender) { senders.push_back(sender); });
    epoch(turned, [&] { type.send((turned.rank() + 1) % turned.size(), 0); });
    EXPECT_EQ(senders, std::vector<std::uint64_t>{(turned.rank() + 3) % 4});
  });
}

TEST_P(messages, may_change_their_handler_between_epochs) {
  run(3, [](team const& world) {
    std::array<int, 2> handled{};
    message_type<int> type(world, [&](int) { ++handled[0]; });
    epoch(world, [&] { type.send(0, 1); });
    if (world.rank() == 0) type.set_handler([&](int n) { handled[1] += n; });
    barrier(world);
    epoch(world, [&] { type.send(0, 10); });
    EXPECT_EQ(handled, world.rank() == 0 ? (std::array<int, 2>{3, 30}) : (std::array<int, 2>{0, 0}));
  });
}

TEST_P(messages, types_may_outlive_their_job) {
  std::vector<std::unique_ptr<message_type<int, sheaf::unordered>>> kept(2);
  run(2, [&](team const& world) {
    kept[world.rank()] = std::make_unique<message_type<int, sheaf::unordered>>(world, [](int) {});
    epoch(world, [&] { kept[world.rank()]->send(1 - world.rank(), 0); });
  });
  expect_in("after sheaf::run had returned", text_of<sheaf::usage_error>([&] { kept[0]->send(1, 0); }));
  kept.clear();
}

TEST_P(messages, only_some_members_end_their_epoch) {
  sheaf::options job = sheaf_test::job_of(GetParam(), 2);
  job.watchdog_ms = 100;
  auto const hang = [&] {
    sheaf::run(job, [](team const& world) {
      sheaf::scoped_epoch its(world);
      if (world.rank() == 0) return its.end();
      sheaf::wait_until([] { return false; });
    });
  };
  std::string const text = text_of<sheaf::job_failed>(hang);
  expect_in("location 0 waits in the end of an epoch, called at ", text);
}

TEST_P(messages, an_exception_between_ask_end_and_get_is_told_to_the_others) {
  run(3, [](team const& world) {
    message_type<int> type(world, [](int) {});
    auto const leave = [&] {
      long own = 1;
      sheaf::scoped_epoch its(world);
      type.send(0, 1);
      auto sum = its.ask_end([&own] { return own; }, std::plus<>());
      if (world.rank() == 0) throw std::out_of_range("rank 0 leaves");
      static_cast<void>(sum.get());
    };
    if (world.rank() == 0) {
      EXPECT_EQ(text_of<std::out_of_range>(leave), "rank 0 leaves");
    } else {
      expect_in("location 0 left an epoch by an exception", text_of<sheaf::remote_error>(leave));
    }
    // The future of location 0 was destroyed with an error that nobody asked for; a fence tells that.
    expect_in("in a result that nobody asked for", text_of<sheaf::remote_error>([&] { fence(world); }));
  });
}

TEST_P(messages, epochs_that_never_end_are_limited) {
  std::string const text = failure(1, [](team const& world) {
    std::vector<std::unique_ptr<sheaf::scoped_epoch>> open;
    for (int i = 0; i < 100; ++i) open.push_back(std::make_unique<sheaf::scoped_epoch>(world));
  });
  expect_in("team 0 has 64 open epochs, and no team has more", text);
}

TEST_P(messages, that_a_policy_holds_are_told_where_their_type_is_destroyed_in_the_epoch) {
  std::string const text = failure(2, [](team const& world) {
    std::optional<message_type<std::pair<int, int>, sheaf::combine<std::plus<>>>> sums(std::in_place, world,
                                                                                       [](auto const&) {});
    epoch(world, [&] {
      sums->send(1 - world.rank(), {1, 1});
      sums.reset();
    });
  });
  expect_in("messages that its policies held were dropped, since it was destroyed in their epoch", text);
}

TEST_P(messages, an_outer_epoch_cannot_be_ended_before_the_inner_one) {
  run(2, [](team const& world) {
    sheaf::scoped_epoch outer(world);
    sheaf::scoped_epoch inner(world);
    expect_in("ended before one that the program began inside it", text_of<sheaf::usage_error>([&] { outer.end(); }));
    inner.end();
    outer.end();
    expect_in("was ended twice", text_of<sheaf::usage_error>([&] { outer.end(); }));
  });
}

/// A policy whose flush hands nothing on.
struct keeps_all {
  template <class T>
  class stage {
   public:
    explicit stage(keeps_all const&) {}
    void send(std::uint64_t, T const&, auto) { ++held_; }
    void flush(auto) {}
    [[nodiscard]] bool empty() const { return held_ == 0; }
    void forget() { held_ = 0; }
    [[nodiscard]] static std::size_t bytes() { return 0; }

   private:
    int held_ = 0;
  };
};

TEST_P(messages, a_policy_that_keeps_messages_in_its_flush_is_told) {
  std::string const text = failure(1, [](team const& world) {
    message_type<int, keeps_all> type(world, [](int) {});
    epoch(world, [&] { type.send(0, 1); });
  });
  expect_in("a policy of message_type<int> still holds messages after its flush", text);
}

/// Waits for credit flush by age, and what that hands on waits for credit: such waits must not nest without an end.
TEST(messages_by_routes, of_types_that_hold_beside_a_type_with_an_age) {
  sheaf::options job = sheaf_test::job_of(sheaf::transport_kind::sim, 7);
  for (job.seed = 1; job.seed <= 5; ++job.seed) {
    sheaf::run(job, [](team const& world) {
      using number = std::pair<std::uint64_t, std::uint32_t>;
      std::uint64_t handled = 0, sent = 0;
      message_type<int, sheaf::coalescing> aged(
          world, [](int) {}, sheaf::coalescing{.age_ns = 1000});
      message_type<number, sheaf::combine<std::plus<>>, sheaf::routed>* again = nullptr;
      auto const send = [&](std::uint64_t random, std::uint32_t depth) {
        ++sent;
        again->send(random % world.size(), {random << 3U | depth, 1});
      };
      message_type<number, sheaf::combine<std::plus<>>, sheaf::routed> type(
          world,
          [&](number const& n) {
            handled += n.second;
            auto const depth = static_cast<std::uint32_t>(n.first & 7U);
            if (depth != 0) send((n.first >> 3U) * 6364136223846793005U >> 3U, depth - 1);
          },
          {}, sheaf::routed{sheaf::route_kind::ring});
      again = &type;
      epoch(world, [&] {
        for (std::uint64_t i = 0; i < 1000; ++i) send((i * 0x9E3779B97F4A7C15U + world.rank()) >> 5U, 6);
      });
      EXPECT_EQ(sheaf::all_reduce(world, handled, std::plus<>()), sheaf::all_reduce(world, sent, std::plus<>()));
    });
  }
}

TEST(messages_of_threads, without_a_part_that_is_expected_are_refused) {
  sheaf::options job = sheaf_test::job_of(sheaf::transport_kind::thread, 1);
  job.progress = sheaf::progress_kind::shared;
  sheaf::run(job, [](team const& world) {
    sheaf::scoped_epoch all(world);
    std::thread([&] {
      sheaf::attached_thread const self(world);
      expect_in("more epoch_parts", text_of<sheaf::usage_error>([&] { sheaf::epoch_part const part(all); }));
    }).join();
    all.end();
  });
}

TEST(messages_of_threads, are_not_expected_where_they_cannot_come) {
  sheaf::options job = sheaf_test::job_of(sheaf::transport_kind::thread, 1);
  job.progress = sheaf::progress_kind::inlined;
  sheaf::run(job, [](team const& world) {
    sheaf::scoped_epoch all(world);
    expect_in("no thread can attach", text_of<sheaf::usage_error>([&] { all.expect_parts(1); }));
    all.end();
  });
  job.progress = sheaf::progress_kind::shared;
  sheaf::run(job, [](team const& world) {
    sheaf::scoped_epoch all(world);
    std::thread([&] {
      expect_in("make a sheaf::attached_thread first",
                text_of<sheaf::usage_error>([&] { sheaf::epoch_part const part(all); }));
    }).join();
    expect_in("expect_parts(4294967295) after 0 others",
              text_of<sheaf::usage_error>([&] { all.expect_parts(~std::uint32_t{0}); }));
    all.end();
    expect_in("has been ended", text_of<sheaf::usage_error>([&] { all.expect_parts(1); }));
    std::thread([&] {
      sheaf::attached_thread const self(world);
      expect_in("has been ended", text_of<sheaf::usage_error>([&] { sheaf::epoch_part const part(all); }));
    }).join();
  });
}

/// A stream that repeats as late as the table has slots is worth a look.
TEST(messages_behind_a_table, are_dropped_where_they_repeat_late) {
  sheaf::run(sheaf_test::job_of(sheaf::transport_kind::thread, 1), [](team const& world) {
    std::uint64_t handled = 0;
    message_type<std::uint64_t, sheaf::unique<>> type(world, [&](std::uint64_t) { ++handled; });
    constexpr std::uint64_t values = 1500, times = 10;
    epoch(world, [&] {
      for (std::uint64_t i = 0; i < times * values; ++i) type.send(0, i % values);
    });
    EXPECT_LT(handled, values * times / 2);
  });
}

/// A table that is passed over is asked again after about 64 samples, also where nothing counts single messages.
TEST(messages_behind_a_table, are_looked_up_again_where_the_stream_begins_to_repeat) {
  sheaf::run(sheaf_test::job_of(sheaf::transport_kind::thread, 1), [](team const& world) {
    constexpr std::uint64_t sample = 1024, repeats = 200 * sample;
    std::uint64_t handled = 0;
    auto const count = [&](std::uint64_t) noexcept { ++handled; };
    message_type<std::uint64_t, sheaf::unordered, sheaf::unique<>> apart(world, count, {}, {.slots = 64});
    message_type<std::uint64_t, sheaf::unique<>> together(world, count, {.slots = 64});
    message_type<std::uint64_t, sheaf::unordered, sheaf::unique<>, sheaf::unique<>> twice(world, count, {},
                                                                                          {.slots = 64}, {.slots = 2});
    auto const saved = [&](auto& type) {
      epoch(world, [&] {
        for (std::uint64_t i = 0; i < 2 * sample + 1; ++i) type.send(0, i);
      });
      handled = 0;
      epoch(world, [&] {
        for (std::uint64_t i = 0; i < repeats; ++i) type.send(0, i % 2);
      });
      return repeats - handled;
    };
    for (std::uint64_t const each : {saved(apart), saved(together), saved(twice)}) {
      EXPECT_GT(each, 130 * sample);
      EXPECT_LT(each, repeats - 20 * sample);
    }
  });
}

/// Runs of messages for such a handler are given to a copy of it.
TEST(messages_for_a_handler_that_can_be_copied, are_counted_in_its_own_members) {
  struct counting {
    std::uint64_t* last;
    mutable std::uint64_t count = 0;
    void operator()(int) const noexcept { *last = ++count; }
  };
  sheaf::run(sheaf_test::job_of(sheaf::transport_kind::thread, 1), [](team const& world) {
    std::uint64_t last = 0;
    message_type<int> type(world, counting{&last});
    for (int round = 0; round < 3; ++round) {
      epoch(world, [&] {
        for (int i = 0; i < 1000; ++i) type.send(0, i);
      });
    }
    EXPECT_EQ(last, 3000u);
  });
}

/// While a run goes on, a message to the own location calls the handler at once: not a copy of it.
TEST(messages_for_a_handler_that_can_be_copied, are_counted_where_they_call_it_at_once) {
  using to_itself = sheaf::addressed<sheaf::cyclic_partition>;
  struct counting {
    message_type<std::uint64_t, to_itself>** again;
    std::uint64_t* last;
    mutable std::uint64_t count = 0;
    void operator()(std::uint64_t v) const noexcept {
      *last = ++count;
      if (v < 100) (*again)->send(v + 100);
    }
  };
  sheaf::run(sheaf_test::job_of(sheaf::transport_kind::thread, 1), [](team const& world) {
    std::uint64_t last = 0;
    message_type<std::uint64_t, to_itself>* again = nullptr;
    message_type<std::uint64_t, to_itself> type(world, counting{&again, &last}, to_itself{{1000, 1}, true});
    again = &type;
    epoch(world, [&] {
      for (std::uint64_t i = 0; i < 10; ++i) type.send({0}, i);
    });
    EXPECT_EQ(last, 20u);
  });
}

TEST(messages_that_are_dropped, give_back_what_was_lent) {
  sheaf::run(sheaf_test::job_of(sheaf::transport_kind::thread, 2), [](team const& world) {
    std::vector<int> const values(1000, 7);
    std::uint64_t released = 0;
    message_type<sheaf::lent<int>> type(world);
    EXPECT_THROW(epoch(world,
                       [&] {
                         for (int i = 0; i < 20; ++i)
                           type.send(1 - world.rank(), sheaf::lent<int>(std::span(values), [&] { ++released; }));
                       }),
                 sheaf::remote_error);
    sheaf::wait_until([&] { return released == 20; });
    sheaf::barrier(world);
  });
}

TEST(messages_behind_a_table, need_one_of_a_sensible_size) {
  sheaf::run(sheaf_test::job_of(sheaf::transport_kind::thread, 1), [](team const& world) {
    using unique_type = message_type<int, sheaf::unique<>>;
    auto const make = [&](std::size_t slots) { unique_type const type(world, [](int) {}, {.slots = slots}); };
    expect_in("18446744073709551615 slots; its table has at most 2147483648",
              text_of<sheaf::usage_error>([&] { make(~std::size_t{0}); }));
    make(0);
  });
}

TEST(messages_of_threads, that_are_attached_are_refused_outside_of_an_epoch) {
  sheaf::options job = sheaf_test::job_of(sheaf::transport_kind::thread, 1);
  job.progress = sheaf::progress_kind::shared;
  sheaf::run(job, [](team const& world) {
    message_type<int> type(world, [](int) {});
    std::thread other([&] {
      sheaf::attached_thread const self(world);
      expect_in("outside of an epoch", text_of<sheaf::usage_error>([&] { type.send(0, 1); }));
      expect_in("a thread that is not its own", text_of<sheaf::usage_error>([&] { epoch(world, [] {}); }));
    });
    other.join();
  });
}

TEST(messages_of_threads, that_are_attached_end_their_parts_before_the_epoch) {
  for (auto const mode : {sheaf::progress_kind::shared, sheaf::progress_kind::helper}) {
    sheaf::options job = sheaf_test::job_of(sheaf::transport_kind::thread, 2);
    job.progress = mode;
    sheaf::run(job, [](team const& world) {
      constexpr std::uint32_t threads = 3, each = 1000;
      std::uint64_t handled = 0;
      message_type<int> type(world, [&](int) { ++handled; });
      message_type<int, sheaf::unordered> apart(world, [&](int) { ++handled; });
      for (std::uint64_t round = 1; round <= 5; ++round) {
        sheaf::scoped_epoch all(world);
        all.expect_parts(threads);
        std::vector<std::thread> others;
        for (std::uint32_t t = 0; t < threads; ++t) {
          others.emplace_back([&] {
            sheaf::attached_thread const self(world);
            sheaf::epoch_part const part(all);
            for (std::uint32_t i = 0; i < each; ++i) type.send(i % 2, 1), apart.send(i % 2, 1);
          });
        }
        std::uint64_t const sum = all.end([&] { return handled; }, std::plus<>{});
        EXPECT_EQ(sum, round * 2 * 2 * threads * each);
        for (auto& other : others) other.join();
      }
      sheaf::scoped_epoch all(world);
      expect_in("for threads that are attached",
                text_of<sheaf::usage_error>([&] { sheaf::epoch_part const own(all); }));
    });
  }
}

/// The end of the first epoch goes on, on the location's thread, while others send in the second one.
TEST(messages_of_threads, that_are_attached_send_beside_the_end_of_an_epoch) {
  sheaf::options job = sheaf_test::job_of(sheaf::transport_kind::thread, 2);
  job.progress = sheaf::progress_kind::helper;
  sheaf::run(job, [](team const& world) {
    constexpr int each = 500;
    std::uint64_t handled = 0;
    message_type<int, sheaf::unordered> type(world, [&](int) { ++handled; });
    for (std::uint64_t round = 1; round <= 20; ++round) {
      sheaf::scoped_epoch first(world);
      type.send((world.rank() + 1) % 2, 1);
      sheaf::future<void> ended = first.ask_end();
      sheaf::scoped_epoch second(world);
      second.expect_parts(1);
      std::thread other([&] {
        sheaf::attached_thread const self(world);
        sheaf::epoch_part const part(second);
        for (int i = 0; i < each; ++i) type.send(static_cast<std::uint64_t>(i % 2), 1), type.flush();
      });
      ended.get();
      EXPECT_EQ(second.end([&] { return handled; }, std::plus<>{}), round * 2 * (each + 1));
      other.join();
    }
  });
}

TEST(messages_of_threads, that_may_not_enter_are_refused_behind_policies) {
  sheaf::run(sheaf_test::job_of(sheaf::transport_kind::thread, 1), [](team const& world) {
    message_type<std::pair<int, int>, sheaf::combine<std::plus<>>> sums(world, [](auto const&) {});
    epoch(world, [&] {
      std::thread([&] {
        expect_in("came from a thread that is not its own", text_of<sheaf::usage_error>([&] { sums.send(0, {1, 1}); }));
      }).join();
    });
  });
}

TEST(messages_of_threads, are_refused_by_types_that_are_their_owners_alone) {
  sheaf::options job = sheaf_test::job_of(sheaf::transport_kind::thread, 1);
  job.progress = sheaf::progress_kind::shared;
  sheaf::run(job, [](team const& world) {
    int handled = 0;
    using alone = sheaf::sent_by<sheaf::sending_threads::owner_alone>;
    message_type<int, alone> type(world, [&](int) { ++handled; });
    message_type<std::pair<int, int>, alone, sheaf::combine<std::plus<>>> sums(world, [](auto const&) {});
    sheaf::scoped_epoch all(world);
    all.expect_parts(1);
    std::thread other([&] {
      sheaf::attached_thread const self(world);
      sheaf::epoch_part const part(all);
      expect_in("not the location's own", text_of<sheaf::usage_error>([&] { type.send(0, 1); }));
      expect_in("not the location's own", text_of<sheaf::usage_error>([&] { sums.send(0, {1, 1}); }));
    });
    other.join();
    type.send(0, 1);
    all.end();
    EXPECT_EQ(handled, 1);
  });
}

/// Handlers wait until two threads are in them, so one thread alone would not end.
TEST(messages_of_threads, run_parallel_handlers_on_several_threads_once_each) {
  sheaf::options job = sheaf_test::job_of(sheaf::transport_kind::thread, 2);
  job.progress = sheaf::progress_kind::helper;
  sheaf::run(job, [](team const& world) {
    std::atomic<std::uint64_t> handled{0}, nested{0};
    std::mutex lock;
    std::condition_variable met;
    std::set<std::thread::id> threads;
    message_type<int> more(world, [&](int) { ++nested; });
    message_type<int, sheaf::parallel<16>> work(world, [&](int v) {
      ++handled;
      if (v % 8 == 0) more.send(0, 0);
      std::unique_lock own(lock);
      threads.insert(std::this_thread::get_id());
      met.notify_all();
      met.wait(own, [&] { return threads.size() > 1; });
    });
    message_type<int, sheaf::parallel<1>> plain(world, [&](int) noexcept { ++handled; });
    barrier(world);  // what comes before its type is here is for the owner alone
    auto const begin = [&] {
      if (world.rank() != 0) return;
      for (int i = 0; i < 2000; ++i) work.send(1, i);
      for (int i = 0; i < 2000; ++i) plain.send(1, i);
    };
    std::uint64_t const sum = epoch(
        world, begin, [&] { return handled.load() + nested.load(); }, std::plus<>{});
    EXPECT_EQ(handled, world.rank() == 0 ? 0u : 4000u);
    EXPECT_EQ(sum, 4250u);
  });
}

}  // namespace
