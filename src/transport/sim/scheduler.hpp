// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/threading.hpp"
#include "sheaf/transport/simulator.hpp"
#include "transport/sim/sim_network.hpp"

namespace sheaf::detail {

/// Takes the next step out of those possible in the way of a `play`, and says how often a location loses its core.
class step_picker {
 public:
  /// Draws what the play leaves open. Called at the start of each run.
  void start(play order, std::uint32_t locations, schedule& decisions);

  /// One of `possible`, which is not empty.
  [[nodiscard]] step& pick(step_set const& possible);

  /// A priority for a new location or link.
  [[nodiscard]] std::uint32_t priority() { return order_ == play::priorities ? decisions_->choose(1u << 16) : 0; }

  /// Whether a location is to lose its core at this send or receive.
  [[nodiscard]] bool preempt() { return preempt_one_in_ != 0 && decisions_->choose(preempt_one_in_) == 0; }

  /// How long the next arrival takes; mostly below a microsecond, rarely a millisecond. Not asked in a timed play.
  [[nodiscard]] std::uint64_t delay();

 private:
  [[nodiscard]] step& any(step_set const& possible) {
    return possible.size() == 1 ? possible[0] : possible[decisions_->choose(possible.size())];
  }
  [[nodiscard]] step& highest(step_set const& possible);
  [[nodiscard]] step& not_slow(step_set const& possible);
  [[nodiscard]] bool rarely(std::uint32_t one_in) { return decisions_->choose(one_in) == 0; }

  schedule* decisions_ = nullptr;
  play order_ = play::plain;
  std::uint32_t preempt_one_in_ = 0;
  std::uint32_t slow_location_ = 0;
};

/// Decides a plain play with a view of the steps, where a number of alternatives is not enough.
class step_chooser {
 public:
  /// The index of the next step.
  virtual std::uint32_t choose_step(step_set const& possible) = 0;

 protected:
  ~step_chooser() = default;
};

/// A thread of a location that is not its own. Kept for the next one when it has ended.
struct sim_outsider : sim_thread {
  explicit sim_outsider(std::size_t stack_bytes) : stack(1, stack_bytes) {}
  fiber_stacks stack;
  std::function<void()> what;
  scheduler* by = nullptr;
};

class sim_side;

/// Plays jobs: takes one step after the other, runs locations as fibers, notices deadlock and livelock.
///
/// In a timed play it takes the earliest step. A location that runs is ahead of the others' steps that were possible
/// when its time moved on. Where it would see what these do, it lets them go first (`catch_up`).
class scheduler final : public threading {
 public:
  explicit scheduler(simulation const& settings);
  scheduler& operator=(scheduler&&) = delete;
  ~scheduler();

  /// `chooser`: instead of `decisions` for the steps, but of a timed play; else null.
  simulation_result run(schedule& decisions, location_body& body, step_chooser* chooser);

  [[nodiscard]] simulation const& settings() const noexcept { return settings_; }

  /// What endpoints ask for, on their fiber.
  sim_network& network() noexcept { return network_; }
  bool receive(sim_location& at, wanted which, arrival& out);
  bool idle(sim_location& at, std::uint64_t deadline, gate* shared);  ///< true: it waited
  void attend(sim_location& at, std::uint64_t deadline, gate* shared);
  void throw_if_ended() const;
  void ring(sim_location& at) noexcept {
    if (at.at_bell != 0) agenda_.wake(at);
  }
  std::uint64_t look_at_clock() noexcept;
  bool catch_up() noexcept;  ///< true: others have run
  void charge(std::uint64_t ns) noexcept;
  void fail(sim_location& me, std::string_view reason) noexcept;

  /// What side wires ask for, on a fiber or between two steps.
  void may_switch_in_location() noexcept {
    if (running_ != nullptr) may_switch();
  }
  void make_possible(step& s, std::uint64_t when) { agenda_.make_possible(s, std::max(when, agenda_.now())); }
  void record(std::uint64_t what) noexcept { agenda_.record(what); }
  void wake(sim_location& l) { agenda_.wake(l); }

  /// And what their threads ask for.
  [[nodiscard]] void const* self() noexcept override;
  void may_switch() noexcept override;
  void yield() noexcept override;
  void wait(void const* what, std::uint64_t until) noexcept override;
  void notify(void const* what) noexcept override { agenda_.notify(what); }
  std::uint64_t start(std::function<void()> what) override;
  void join(std::uint64_t number) noexcept override;

 private:
  friend class sim_side;  // whose messages cost what entries do

  /// A message leaves a process, whose first location's interface a server uses; in a timed play: when it is there.
  [[nodiscard]] std::uint64_t leave_beside(sim_location& first, std::size_t bytes) noexcept;
  /// In a timed play: when a message whose first byte is there now has passed the interface of its receiver.
  [[nodiscard]] std::uint64_t enter_beside(sim_location& first, std::size_t bytes) noexcept;

  static void play_location(void* its_endpoint) noexcept;
  static void play_outsider(void* thread) noexcept;

  void start_sides();
  void start_location(sim_endpoint& e);
  void take_steps();
  void take_step(step& s);
  void take_earliest();
  void run_thread(sim_thread& t);
  void start_thread(sim_thread& t, sim_location& at, std::uint64_t label);
  void unwind_all();
  void end_job(ending how, std::string_view what);
  [[nodiscard]] std::string deadlock_text() const;
  [[nodiscard]] std::string livelock_text() const;
  /// What was sent by side wires before the last location returned still arrives.
  [[nodiscard]] bool has_more() const noexcept { return goes_on() && (unfinished_ != 0 || beside_ != 0); }
  [[nodiscard]] bool goes_on() const noexcept { return result_.how == ending::finished; }
  void rest(sim_thread& me, std::uint64_t deadline, void const* what);
  void step_aside() noexcept;
  [[nodiscard]] std::uint64_t latest_clock() const noexcept;

  simulation const settings_;
  agenda agenda_;
  step_picker picker_;
  std::vector<std::vector<std::uint32_t>> near_;  ///< by host: of all locations, their number there, or `elsewhere`
  std::deque<sim_endpoint> locations_;
  sim_network network_;
  std::vector<std::unique_ptr<sim_side>> sides_;  ///< by process, of one run; none where no location is far
  fiber_stacks stacks_;
  std::deque<sim_outsider> outsiders_;
  std::uint64_t started_ = 0;  ///< outsiders in this run
  std::uint32_t outside_ = 0;  ///< of these, those that have not ended
  sim_thread* running_ = nullptr;
  void const* thread_ = nullptr;  ///< the system's that runs all of them

  schedule* decisions_ = nullptr;
  location_body* body_ = nullptr;
  step_chooser* chooser_ = nullptr;
  std::uint32_t unfinished_ = 0;
  std::uint64_t beside_ = 0;  ///< messages of side wires that travel
  std::uint64_t quiet_steps_ = 0;
  std::uint64_t quiet_deadlines_ = 0;  ///< waits until a time that all were in, since something arrived
  simulation_result result_;
};

/// How to have this run again.
std::string replay_text(simulation const& settings, schedule const& decisions);

}  // namespace sheaf::detail
