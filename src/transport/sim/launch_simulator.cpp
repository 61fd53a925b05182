// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <cstdio>

#include "sheaf/transport/launch.hpp"
#include "sheaf/transport/simulator.hpp"
#include "transport/sim/scheduler.hpp"

namespace sheaf {
namespace {

// Ends the process where a body breaks its promise not to throw, as a thread does.
class strict_body final : public location_body {
 public:
  explicit strict_body(location_body& body) : body_(body) {}
  void run(endpoint& connection) noexcept override { body_.run(connection); }

 private:
  location_body& body_;
};

}  // namespace

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
  strict_body strict(body);
  simulation_result const result = simulate({.job = settings}, decisions, strict);
  // A deadlock's text, which every location's wait throws, says how to replay it; what a program throws does not.
  if (result.how == ending::failed) std::fprintf(stderr, "sheaf: replay: %s\n", replay_command(settings).c_str());
}

}  // namespace sheaf
