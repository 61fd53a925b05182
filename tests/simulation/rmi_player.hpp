// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/job.hpp"
#include "sheaf/rmi/distributed.hpp"
#include "simulation/rmi_trace.hpp"
#include "simulation/seeds.hpp"

namespace sheaf_test {

class rmi_player;

/// What a request carries: its name in the trace and what to do.
struct task {
  std::uint64_t seed = 0;
  std::uint32_t id = 0;
  std::uint32_t depth = 0;  ///< generations that it may start
  std::uint16_t phase = 0;
  std::uint8_t team = 0;
  bool throws = false;
  bool asked = false;  ///< somebody gets its result or exception
};

/// A distributed object whose method does what a task says.
struct task_object {
  explicit task_object(rmi_player& p) : player(p) {}
  std::uint64_t work(task const& t);
  std::uint64_t work_text(task const& t, std::string const& text);
  rmi_player& player;
};

/// What a random program consists of.
struct program_shape {
  unsigned phases = 3;
  unsigned actions = 6;  ///< of each location in a phase
  unsigned depth = 2;
  bool syncs = true;
  bool throws = true;
  bool late_object = true;  ///< an object that locations register at different times
  bool waits = true;        ///< wait_for_request
};

/// One location's part in a random program of requests of all forms on objects of two teams, checked by a trace.
class rmi_player {
 public:
  rmi_player(sheaf::team const& world, rmi_trace& trace, program_shape const& shape, std::uint64_t seed)
      : world_(world), trace_(trace), shape_(shape), seed_(seed), random_(seed * 131 + world.rank()) {}

  void play() {
    sheaf::team const half = world_.split(world_.rank() % 2);
    teams_[0] = world_;
    teams_[1] = half;
    sheaf::registration<task_object> const first(world_, objects_[0]);
    sheaf::registration<task_object> const second(half, objects_[1]);
    std::optional<sheaf::registration<task_object>> late;
    for (unsigned phase = 0; phase < shape_.phases; ++phase) {
      phase_ = phase;
      play_phase(late);
    }
  }

  std::uint64_t execute(task const& t) {
    trace_.start(t.id, self());
    struct finish {
      rmi_player& me;
      std::uint32_t id;
      ~finish() { me.trace_.finish(id, me.self()); }
    } const guard{*this, t.id};
    dice random(t.seed);
    for (std::uint64_t n = t.depth == 0 ? 0 : random.below(3); n != 0; --n)
      act(random, t.depth - 1, t.phase, t.team != 0 ? 1 : 0);
    if (t.throws) {
      if (!t.asked) trace_.threw(t.team, t.phase);
      throw std::runtime_error("task " + std::to_string(t.id));
    }
    return t.seed + 1;
  }

 private:
  [[nodiscard]] std::uint32_t self() const { return number(here_of(world_).id()); }
  /// In the trace: 0 the world, then the halves by what their members have in common.
  [[nodiscard]] std::uint8_t team_key(std::uint32_t which) const {
    return which == 0 ? 0 : static_cast<std::uint8_t>(1 + world_.rank() % 2);
  }

  void play_phase(std::optional<sheaf::registration<task_object>>& late) {
    bool const calm = shape_.late_object && phase_ == 0;  // no waits until all objects are there
    std::uint64_t const register_at = random_.below(shape_.actions);
    for (unsigned i = 0; i < shape_.actions; ++i) {
      if (calm && i == register_at) late.emplace(world_, objects_[2]);
      if (random_.one_in(8)) sheaf::poll();
      if (random_.one_in(8)) sheaf::flush();
      calm_ = calm;
      act(random_, shape_.depth, phase_, static_cast<std::uint32_t>(random_.below(late ? 3 : 2)));
    }
    // What a location executes before its fence serves none of its later waits: only a world's fence keeps phases
    // apart.
    if (shape_.waits && phase_ != 0 && is_of_world(phase_ - 1)) wait_for_neighbour();
    fence(is_of_world(phase_) ? 0 : 1);
  }

  /// Whether a phase ends with a fence of the world; the same on all locations.
  [[nodiscard]] bool is_of_world(std::uint32_t phase) const {
    return phase == 0 || phase + 1 == shape_.phases || dice(seed_ * 977 + phase).one_in(2);
  }

  void wait_for_neighbour() {
    issue_async(random_, {random_.next(), 0, 0, static_cast<std::uint16_t>(phase_), 0, false, false}, 0,
                (world_.rank() + 1) % world_.size());
    trace_.wait(self(), true);
    sheaf::wait_for_request();
    trace_.wait(self(), false);
  }

  void fence(std::uint32_t which) {
    std::uint64_t count = 0;
    try {
      sheaf::fence(*teams_[which]);
    } catch (sheaf::remote_error const& e) {
      count = e.count();
    }
    trace_.fenced(team_key(which), phase_);
    std::uint64_t expected = trace_.thrown(team_key(which), reported_[which], phase_);
    if (which == 0) expected += trace_.thrown(1, reported_[1], phase_) + trace_.thrown(2, reported_[1], phase_);
    if (count != expected) {
      trace_.fail("a fence reports " + std::to_string(count) + " exceptions of " + std::to_string(expected));
    }
    reported_[which] = phase_;
    if (which == 0) reported_[1] = phase_;
  }

  /// Issues one request of a random form on object `object` (0 and 2: of the world, 1: of the half).
  void act(dice& random, std::uint32_t depth, std::uint32_t phase, std::uint32_t object) {
    auto const& team = *teams_[object == 1 ? 1 : 0];
    auto const dest = static_cast<std::uint32_t>(random.below(team.size()));
    task t{random.next(), 0, depth, static_cast<std::uint16_t>(phase), team_key(object == 1 ? 1 : 0), false, false};
    t.throws = shape_.throws && random.one_in(10);
    std::uint64_t const form = random.below(shape_.syncs && !calm_ ? 6 : 4);
    if (form <= 1) return issue_async(random, t, object, dest);
    // Their futures are dropped, so the fence tells what they throw.
    if (form == 2) return issue_then(t, object, dest);
    if (form == 3) return issue_opaque(t, object, dest);
    t.asked = true;
    issue_waiting(t, object, dest, form == 5);
  }

  sheaf::handle<task_object> handle_of(std::uint32_t object) const {
    return {teams_[object == 1 ? 1 : 0]->id(), object == 2 ? 2u : 1u};
  }
  void begin(task& t, std::uint32_t object, std::uint32_t dest) {
    auto const to = number(teams_[object == 1 ? 1 : 0]->location_of(dest));
    t.id = trace_.begin_issue(self(), to, t.team, t.phase);
  }

  void issue_async(dice& random, task t, std::uint32_t object, std::uint32_t dest) {
    begin(t, object, dest);
    if (random.one_in(3)) {
      handle_of(object).async<&task_object::work_text>(dest, t, std::string(random.below(60), 'x'));
    } else {
      handle_of(object).async<&task_object::work>(dest, t);
    }
    trace_.end_issue(t.id);
  }

  void issue_opaque(task t, std::uint32_t object, std::uint32_t dest) {
    begin(t, object, dest);
    static_cast<void>(handle_of(object).ask<&task_object::work>(dest, t));
    trace_.end_issue(t.id);
  }

  void issue_then(task t, std::uint32_t object, std::uint32_t dest) {
    begin(t, object, dest);
    auto asked = handle_of(object).ask<&task_object::work>(dest, t);
    trace_.end_issue(t.id);
    if (t.throws) return;  // the continuation would not be called
    trace_.promise(t.team, t.phase);
    static_cast<void>(asked.then([this, t](std::uint64_t result) { go_on(t, result); }));
  }

  void go_on(task const& t, std::uint64_t result) {
    expect_result(t, result);
    trace_.enter(self());
    dice random(result);
    if (t.depth != 0) act(random, t.depth - 1, t.phase, t.team != 0 ? 1 : 0);
    trace_.leave(self());
    trace_.keep(t.team, t.phase);
  }

  /// sync, or a future that is waited for.
  void issue_waiting(task t, std::uint32_t object, std::uint32_t dest, bool by_future) {
    begin(t, object, dest);
    bool issued = false;
    struct waits {
      rmi_player& me;
      explicit waits(rmi_player& p) : me(p) { me.trace_.wait(me.self(), true); }
      ~waits() { me.trace_.wait(me.self(), false); }
    };
    try {
      std::uint64_t result = 0;
      if (by_future) {
        auto asked = handle_of(object).ask<&task_object::work>(dest, t);
        trace_.end_issue(t.id);
        issued = true;
        waits const now(*this);
        result = asked.get();
      } else {
        waits const now(*this);
        result = handle_of(object).sync<&task_object::work>(dest, t);
      }
      expect_result(t, result);
      if (t.throws) trace_.fail("an exception did not come to the caller");
    } catch (sheaf::nesting_limit const&) {
      if (!issued) return trace_.withdraw(t.id);
      if (t.throws) trace_.threw(t.team, t.phase);  // its future is gone
    } catch (sheaf::remote_error const& e) {
      expect_thrown(t, e.what());
    }
    if (!issued) trace_.end_issue(t.id);
  }

  void expect_result(task const& t, std::uint64_t result) {
    if (result != t.seed + 1) trace_.fail("request " + std::to_string(t.id) + " has another's result");
  }
  void expect_thrown(task const& t, std::string const& text) {
    if (t.throws && text.find("task " + std::to_string(t.id)) != std::string::npos) return;
    trace_.fail("an exception came to the wrong caller: " + text);
  }

  sheaf::team const world_;
  rmi_trace& trace_;
  program_shape const shape_;
  std::uint64_t const seed_;
  dice random_;
  std::optional<sheaf::team> teams_[2];
  task_object objects_[3] = {task_object(*this), task_object(*this), task_object(*this)};
  std::uint32_t phase_ = 0;
  bool calm_ = false;
  std::int64_t reported_[2] = {-1, -1};
};

inline std::uint64_t task_object::work(task const& t) { return player.execute(t); }
inline std::uint64_t task_object::work_text(task const& t, std::string const&) { return player.execute(t); }

/// One simulated job of players.
class rmi_body final : public sheaf::location_body {
 public:
  rmi_body(sheaf::options const& job, program_shape const& shape, std::uint64_t seed)
      : job_(job), shape_(shape), seed_(seed), trace_(std::make_unique<rmi_trace>()) {}

  void run(sheaf::endpoint& connection) override {
    sheaf_test::play(connection, job_,
                     [this](sheaf::team const& world) { rmi_player(world, *trace_, shape_, seed_).play(); });
  }
  [[nodiscard]] std::string check() const { return trace_->check(); }
  [[nodiscard]] rmi_trace const& trace() const { return *trace_; }

 private:
  sheaf::options const& job_;
  program_shape const shape_;
  std::uint64_t const seed_;
  std::unique_ptr<rmi_trace> trace_;
};

}  // namespace sheaf_test
