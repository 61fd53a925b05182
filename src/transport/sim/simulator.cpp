// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/transport/simulator.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "sheaf/base/error.hpp"
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

replay_schedule::replay_schedule(std::string_view choices) {
  char const* at = choices.data();
  char const* const end = at + choices.size();
  while (at != end) {
    std::uint32_t value = 0;
    auto const [next, failure] = std::from_chars(at, end, value);
    bool const goes_on = next != end && *next == '.' && next + 1 != end;
    if (failure != std::errc{} || (next != end && !goes_on)) {
      throw option_error("sheaf: " + std::string(choices) +
                         " is not a sequence of choices; write numbers with dots, as 0.2.1");
    }
    choices_.push_back(value);
    at = goes_on ? next + 1 : next;
  }
}

std::uint32_t replay_schedule::choose(std::uint32_t alternatives) {
  std::size_t const i = taken_++;
  if (i >= choices_.size()) return static_cast<std::uint32_t>((i - choices_.size()) % alternatives);
  return std::min(choices_[i], alternatives - 1);
}

std::string replay_schedule::describe() const { return "replay_schedule(\"" + text() + "\")"; }

std::string replay_schedule::text() const {
  std::string joined;
  for (std::uint32_t c : choices_) {
    if (!joined.empty()) joined += '.';
    joined += std::to_string(c);
  }
  return joined;
}

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
