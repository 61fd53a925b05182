// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/transport/simulator.hpp"

#include <cstdio>

#include "transport/sim/scheduler.hpp"

namespace sheaf {

// SplitMix64; the high half of the product with the number of alternatives.
std::uint32_t random_schedule::choose(std::uint32_t alternatives) {
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return static_cast<std::uint32_t>((z >> 32) * alternatives >> 32);
}

std::string random_schedule::describe() const { return "SHEAF_SEED=" + std::to_string(seed_); }

simulator::simulator(simulation const& settings) : scheduler_(std::make_unique<detail::scheduler>(settings)) {}
simulator::~simulator() = default;

simulation_result simulator::run(schedule& decisions, location_body& body) {
  return scheduler_->run(decisions, body, nullptr);
}

simulation_result simulate(simulation const& settings, schedule& decisions, location_body& body) {
  return detail::scheduler(settings).run(decisions, body, nullptr);
}

void launch_simulator(options const& settings, location_body& body) {
  random_schedule decisions(settings.seed);
  struct strict final : location_body {  // ends the process where a body breaks its promise not to throw
    explicit strict(location_body& of) : whose(of) {}
    void run(endpoint& connection) noexcept override { whose.run(connection); }
    location_body& whose;
  } promised(body);
  simulation_result const result =
      simulate({.job = settings, .order = settings.timed ? play::timed : play::mixed}, decisions, promised);
  // A deadlock's text, which every location's wait throws, says how to replay it; what a program throws does not.
  if (result.how == ending::failed) std::fprintf(stderr, "sheaf: replay: %s\n", replay_command(settings).c_str());
}

}  // namespace sheaf
