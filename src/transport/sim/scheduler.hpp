// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/transport/simulator.hpp"
#include "transport/sim/agenda.hpp"
#include "transport/sim/fiber_stacks.hpp"
#include "transport/sim/sim_endpoint.hpp"
#include "transport/sim/sim_network.hpp"
#include "transport/sim/step_picker.hpp"

namespace sheaf::detail {

/// Decides a plain play with a view of the steps, where a number of alternatives is not enough.
class step_chooser {
 public:
  /// The index of the next step.
  virtual std::uint32_t choose_step(step_set const& possible) = 0;

 protected:
  ~step_chooser() = default;
};

/// Plays jobs: takes one step after the other, runs locations as fibers, notices deadlock and livelock.
class scheduler {
 public:
  explicit scheduler(simulation const& settings);
  scheduler(scheduler const&) = delete;
  scheduler& operator=(scheduler const&) = delete;

  /// `chooser`: instead of `decisions` for the steps; else null.
  simulation_result run(schedule& decisions, location_body& body, step_chooser* chooser);

  [[nodiscard]] simulation const& settings() const noexcept { return settings_; }

  /// What endpoints ask for, on their fiber.
  sim_network& network() noexcept { return network_; }
  void may_preempt(sim_location& me);
  bool receive(sim_location& me, wanted which, arrival& out);
  bool idle(sim_location& me, std::uint64_t deadline);  ///< true: it waited
  std::uint64_t look_at_clock() noexcept;
  void fail(sim_location& me, std::string_view reason) noexcept;

 private:
  static void play_location(void* its_endpoint) noexcept;

  void start(schedule& decisions, location_body& body, step_chooser* chooser);
  void start_location(sim_endpoint& e);
  void take_steps();
  void take_step(step& s);
  void run_location(sim_location& l);
  void unwind_all();
  [[nodiscard]] bool too_long();
  void end_job(ending how, std::string_view what);
  void throw_if_ended() const;
  void pause(sim_location& me);

  simulation const settings_;
  agenda agenda_;
  step_picker picker_;
  std::vector<std::vector<std::uint32_t>>
      near_;  ///< by host: of all locations, their number there or endpoint::elsewhere
  std::deque<sim_endpoint> locations_;
  sim_network network_;
  fiber_stacks stacks_;

  schedule* decisions_ = nullptr;
  location_body* body_ = nullptr;
  step_chooser* chooser_ = nullptr;
  std::uint32_t unfinished_ = 0;
  std::uint64_t quiet_steps_ = 0;
  simulation_result result_;
};

}  // namespace sheaf::detail
