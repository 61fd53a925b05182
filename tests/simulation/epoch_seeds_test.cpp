// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Random programs of typed messages over random schedules: an epoch that has ended on a member has no message anywhere,
// whichever way its members end it. A failure prints the command that has its job again.
#include <array>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "runtime/job.hpp"
#include "sheaf/async/task.hpp"
#include "sheaf/messages.hpp"
#include "sheaf/rmi/distributed.hpp"
#include "sheaf/rmi/remote_calls.hpp"
#include "simulation/rmi_player.hpp"

namespace {

using sheaf_test::dice;
using sheaf_test::run_seeds;

constexpr unsigned epochs = 5;

/// Of all locations: they are fibers of one thread.
struct ledger {
  std::array<std::uint64_t, epochs> sent{}, handled{};
  std::string problem;

  void check(unsigned epoch, char const* how) {
    if (sent[epoch] == handled[epoch] || !problem.empty()) return;
    problem = std::string(how) + " of epoch " + std::to_string(epoch) + ": " + std::to_string(sent[epoch]) +
              " messages sent, " + std::to_string(handled[epoch]) + " handled";
  }
};

struct message {
  std::uint64_t seed;
  std::uint32_t epoch;
  std::uint32_t depth;
};

/// What a handler asks in a call is one generation more than the messages.
constexpr sheaf::detection all_detectors[] = {{},
                                              {sheaf::detector::four_counter},
                                              {sheaf::detector::channel_counting},
                                              {sheaf::detector::sinha_kale_ramkumar},
                                              sheaf::nesting_depth(4),
                                              sheaf::nesting_depth(7)};

/// A policy that keeps some messages back.
struct keeps_some {
  template <class T>
  class stage {
   public:
    explicit stage(keeps_some const&) {}
    void send(std::uint64_t dest, T const& value, auto next) {
      kept_.emplace_back(dest, value);
      if (kept_.size() > 2) give(next);
    }
    void flush(auto next) {
      while (!kept_.empty()) give(next);
    }
    [[nodiscard]] bool empty() const { return kept_.empty(); }
    void forget() {}
    [[nodiscard]] std::size_t bytes() const { return 0; }

   private:
    void give(auto const& next) {
      auto const one = kept_.back();
      kept_.pop_back();
      next(one.first, one.second);
    }
    std::vector<std::pair<std::uint64_t, T>> kept_;
  };
};

/// How an epoch ends; the same on all members, each of which may wait for it by a future or not.
enum class ending { plain, beside, with_value, handler_throws, poisoned };

class player {
 public:
  player(sheaf::team const& world, ledger& all, std::uint64_t seed)
      : world_(world),
        all_(all),
        common_(seed * 7 + 3),
        random_(seed * 131 + world.rank()),
        ordered_(world, [this](message const& m) { handle(m); }),
        unordered_(world, [this](message const& m) { handle(m); }),
        held_(world, [this](message const& m) { handle(m); }),
        detects_(world, common_.pick(all_detectors)) {}

  void play() {
    for (unsigned e = 0; e < epochs; ++e) {
      auto const how = static_cast<ending>(common_.below(5));
      auto const chosen = static_cast<std::uint32_t>(common_.below(world_.size()));
      if (how != ending::beside) take_pending();
      if (how == ending::poisoned) {
        leave_by_exception(e, chosen);
        continue;
      }
      auto now = std::make_unique<sheaf::scoped_epoch>(world_);
      send_some(e, 3);
      if (how == ending::handler_throws && world_.rank() == chosen) send({0, e, refused});
      if (how == ending::beside && random_.one_in(2)) {
        auto ends = now->ask_end();
        pending_.push_back({std::move(now), std::move(ends), e});
      } else if (how == ending::with_value) {
        check_value(e, *now);
      } else {
        finish(e, how, *now);
      }
    }
    take_pending();
    if (fences_at_end_) sheaf::fence(world_);
  }

 private:
  static constexpr std::uint32_t refused = 99;  // a depth

  struct pending {
    std::unique_ptr<sheaf::scoped_epoch> epoch;
    sheaf::future<void> ends;
    unsigned number;
  };

  void send(message const& m) {
    ++all_.sent[m.epoch];
    auto const to = static_cast<std::uint32_t>(random_.below(world_.size()));
    switch (random_.below(3)) {
      case 0:
        return ordered_.send(to, m);
      case 1:
        return unordered_.send(to, m);
      default:
        return held_.send(to, m);
    }
  }

  void send_some(unsigned e, std::uint32_t depth) {
    for (std::uint64_t n = random_.below(5); n != 0; --n) send({random_.next(), e, depth});
    if (random_.one_in(3))
      world_.async(
          random_.below(world_.size()), [](int) {}, 1);  // belongs to no epoch
    if (random_.one_in(4)) sheaf::poll();
  }

  void handle(message const& m) {
    sheaf::detail::at_end const over{[&] {
      ++all_.handled[m.epoch];
      ++handled_[m.epoch];
    }};
    if (m.depth == refused) throw std::runtime_error("refused");
    dice own(m.seed);
    if (own.one_in(4))
      world_.sync(
          own.below(world_.size()), [](int) {}, 1);  // the rest of its run goes on meanwhile
    for (std::uint64_t n = m.depth == 0 ? 0 : own.below(3); n != 0; --n) send({own.next(), m.epoch, m.depth - 1});
  }

  void finish(unsigned e, ending how, sheaf::scoped_epoch& now) {
    bool const beside = random_.one_in(2);
    bool thrown = false;
    try {
      beside ? now.ask_end().get() : now.end();
    } catch (sheaf::remote_error const&) {
      thrown = true;
    }
    if (thrown != (how == ending::handler_throws)) all_.problem = "an exception is lost, or thrown too often";
    all_.check(e, beside ? "ask_end" : "end");
  }

  void check_value(unsigned e, sheaf::scoped_epoch& now) {
    auto const own = [this, e] { return handled_[e]; };
    std::uint64_t const sum = random_.one_in(2) ? now.ask_end(own, std::plus<>{}).get() : now.end(own, std::plus<>{});
    all_.check(e, "an end with a value");
    if (sum != all_.handled[e]) all_.problem = "the value of an epoch is older than its last message";
  }

  void leave_by_exception(unsigned e, std::uint32_t chosen) {
    bool told = false;
    try {
      sheaf::scoped_epoch const now(world_);
      send_some(e, 2);
      if (world_.rank() == chosen) throw std::out_of_range("leaves");
    } catch (sheaf::remote_error const&) {
      // Else who has left destroys its types, and messages for them are dropped.
      if (fences_at_end_) all_.check(e, "a poisoned end");
      told = true;
    } catch (std::out_of_range const&) {
    }
    if (told == (world_.rank() == chosen)) all_.problem = "a member is not told that another has left an epoch";
  }

  void take_pending() {
    for (auto& each : pending_) {
      while (random_.one_in(2) && !each.ends.ready()) continue;
      each.ends.get();
      all_.check(each.number, "ask_end");
    }
    pending_.clear();
  }

  sheaf::team const world_;
  ledger& all_;
  dice common_, random_;
  bool const fences_at_end_ = common_.one_in(2);
  std::array<std::uint64_t, epochs> handled_{};  // here
  std::vector<pending> pending_;
  sheaf::message_type<message> ordered_;
  sheaf::message_type<message, sheaf::unordered> unordered_;
  sheaf::message_type<message, keeps_some, keeps_some> held_;
  sheaf::detection_request const detects_;
};

class epoch_body final : public sheaf::location_body {
 public:
  epoch_body(sheaf::options const& job, std::uint64_t seed)
      : job_(job), seed_(seed), all_(std::make_unique<ledger>()) {}

  void run(sheaf::endpoint& connection) override {
    sheaf_test::play(connection, job_, [this](sheaf::team const& world) { player(world, *all_, seed_).play(); });
  }
  [[nodiscard]] std::string check() const { return all_->problem; }
  [[nodiscard]] ledger const& seen() const { return *all_; }

 private:
  sheaf::options const& job_;
  std::uint64_t const seed_;
  std::unique_ptr<ledger> all_;
};

constexpr std::uint64_t kinds = 48;

sheaf::options some_settings(std::uint64_t kind) {
  dice random(kind + 29);
  sheaf::options o;
  o.locations = 1 + static_cast<unsigned>(random.below(5));
  o.ring_slots = random.pick({1u, 2u, 16u});
  o.window = random.pick({1u, 2u, 4u});
  o.buffer_bytes = random.pick({std::size_t{128}, std::size_t{256}, std::size_t{1024}});
  o.first_flush_bytes = random.pick({std::size_t{1}, std::size_t{100}});
  o.reserve_bytes = random.pick({std::size_t{1}, std::size_t{300}, std::size_t{1} << 20});
  o.poll_every = random.pick({1u, 3u, 256u});
  o.fence_form = random.pick({sheaf::fence_form_kind::tree, sheaf::fence_form_kind::dissemination});
  o.tree_arity = random.pick({1u, 2u, 4u});
  using enum sheaf::route_kind;
  o.path = random.pick({direct, direct, ring, hypercube, dissemination, grid, node_wise});
  return o;
}

TEST(epoch_seeds, an_epoch_that_has_ended_has_no_message_anywhere) {
  run_seeds("epoch_seeds.an_epoch_that_has_ended_has_no_message_anywhere", 6000, kinds, some_settings,
            [](auto const& job, std::uint64_t seed) { return epoch_body(job, seed); });
}

/// In the last round of a declared depth a member may execute what others have sent after its own last cut.
class failing_body final : public sheaf::location_body {
 public:
  failing_body(sheaf::options const& job, std::uint64_t) : job_(job), told_(std::make_unique<std::uint32_t>(0)) {}

  void run(sheaf::endpoint& connection) override {
    sheaf_test::play(connection, job_, [this](sheaf::team const& world) {
      sheaf::message_type<int> fail(world, [](int) { throw std::runtime_error("refused"); });
      sheaf::detection_request const flat(world, sheaf::nesting_depth(0));
      try {
        sheaf::epoch(world, [&] {
          if (world.rank() == 0) fail.send(world.size() - 1, 1);
        });
      } catch (sheaf::remote_error const&) {
        ++*told_;
      }
    });
  }
  [[nodiscard]] std::string check() const {
    return *told_ == job_.locations ? "" : "told " + std::to_string(*told_) + " members of an error";
  }

 private:
  sheaf::options const& job_;
  std::unique_ptr<std::uint32_t> told_;
};

/// What a handler of the last generation calls suspends in a coroutine, which may be after its member's last cut.
struct slow : sheaf::distributed<slow> {
  using distributed::distributed;
  sheaf::task<int> hop(int left) {
    if (left == 0) co_return 1;
    co_return co_await ask<&slow::hop>((rank() + 1) % members().size(), left - 1);
  }
};
struct worker : sheaf::distributed<worker> {
  worker(sheaf::team const& on, slow& to) : distributed(on), far(to) {}
  sheaf::task<> work() { done += co_await far.ask<&slow::hop>((rank() + 1) % members().size(), 12); }
  slow& far;
  int done = 0;
};

class suspending_body final : public sheaf::location_body {
 public:
  suspending_body(sheaf::options const& job, std::uint64_t) : job_(job), problem_(std::make_unique<std::string>()) {}

  void run(sheaf::endpoint& connection) override {
    sheaf_test::play(connection, job_, [this](sheaf::team const& world) {
      sheaf::team const others = world.split(0);
      slow far(others);
      worker object(world, far);
      sheaf::message_type<int> start(world, [&](int) { object.async<&worker::work>(world.size() - 1); });
      sheaf::detection_request const one(world, sheaf::nesting_depth(1));
      sheaf::barrier(world);
      sheaf::epoch(world, [&] {
        if (world.rank() == 0) start.send(world.size() / 2, 1);
      });
      if (world.rank() == world.size() - 1 && object.done != 1) *problem_ = "a coroutine is suspended behind the end";
      sheaf::fence(world);
    });
  }
  [[nodiscard]] std::string check() const { return *problem_; }

 private:
  sheaf::options const& job_;
  std::unique_ptr<std::string> problem_;
};

TEST(epoch_seeds, a_declared_depth_waits_for_coroutines_of_its_last_round) {
  run_seeds("epoch_seeds.a_declared_depth_waits_for_coroutines_of_its_last_round", 1000, kinds, some_settings,
            [](auto const& job, std::uint64_t seed) { return suspending_body(job, seed); });
}

/// A member leaves by an exception while its split-phase end goes on, perhaps after its last cut: then the error comes
/// at the team's fence.
class leaving_body final : public sheaf::location_body {
 public:
  leaving_body(sheaf::options const& job, std::uint64_t seed)
      : job_(job), seed_(seed), told_(std::make_unique<std::uint32_t>(0)), late_(std::make_unique<bool>(false)) {}

  void run(sheaf::endpoint& connection) override {
    sheaf_test::play(connection, job_, [this](sheaf::team const& world) {
      dice random(seed_ + world.rank());
      try {
        sheaf::scoped_epoch now(world);
        auto ends = now.ask_end();
        for (auto n = random.below(6); n != 0; --n) sheaf::poll();
        if (world.rank() == 0 && state_of(world).is_any_fenced()) *late_ = true, throw std::out_of_range("leaves");
        ends.get();
      } catch (sheaf::remote_error const&) {
        ++*told_;
      } catch (std::out_of_range const&) {
      }
      try {
        sheaf::fence(world);
      } catch (sheaf::remote_error const&) {
        ++*told_;
      }
    });
  }
  [[nodiscard]] std::string check() const {
    bool const right = *late_ ? *told_ + 1 >= job_.locations : *told_ == 0;
    return right ? "" : "told " + std::to_string(*told_) + " times that a member has left";
  }

 private:
  sheaf::options const& job_;
  std::uint64_t const seed_;
  std::unique_ptr<std::uint32_t> told_;
  std::unique_ptr<bool> late_;
};

TEST(epoch_seeds, an_error_behind_the_last_cut_comes_at_the_fence) {
  run_seeds("epoch_seeds.an_error_behind_the_last_cut_comes_at_the_fence", 1000, kinds, some_settings,
            [](auto const& job, std::uint64_t seed) { return leaving_body(job, seed); });
}

TEST(epoch_seeds, all_members_are_told_of_errors_in_the_last_round_of_a_declared_depth) {
  run_seeds("epoch_seeds.all_members_are_told_of_errors_in_the_last_round_of_a_declared_depth", 1000, kinds,
            some_settings, [](auto const& job, std::uint64_t seed) { return failing_body(job, seed); });
}

}  // namespace
