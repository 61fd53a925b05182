// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/sim/sim_report.hpp"

#include <array>
#include <vector>

#include "transport/standstill.hpp"

namespace sheaf {
namespace {

std::string settings_text(options const& job) {
  std::string text = "SHEAF_TRANSPORT=sim SHEAF_LOCATIONS=" + std::to_string(job.locations);
  for (auto const& [variable, value] : changed_from_default(job)) text += " " + variable + "=" + value;
  return text;
}

template <class Chosen>
std::string name_those(std::deque<detail::sim_endpoint> const& locations, Chosen chosen) {
  std::vector<std::uint32_t> those;
  for (detail::sim_endpoint const& e : locations) {
    if (chosen(e.state())) those.push_back(number(e.self()));
  }
  return those.empty() ? "none" : detail::listed(those);
}

// What the locations that have not returned say of themselves.
std::string explanations(std::deque<detail::sim_endpoint> const& locations) {
  std::vector<detail::location_report> all;
  for (detail::sim_endpoint const& e : locations) {
    if (!e.state().finished && !e.explain(all.emplace_back())) all.pop_back();
  }
  return detail::standstill_text(all);
}

bool has_undelivered(detail::sim_location const& l) { return l.waiting && !(l.ready[0].empty() && l.ready[1].empty()); }

}  // namespace

std::string replay_command(options const& asked) {
  options job = asked;
  job.transport = transport_kind::sim;
  job = job.resolved();
  return settings_text(job) + " SHEAF_SEED=" + std::to_string(job.seed);
}

namespace detail {

std::string deadlock_text(std::deque<sim_endpoint> const& locations) {
  auto const waits = [](sim_location const& l) { return l.waiting; };
  return "deadlock: nothing is travelling and no deadline is set; waiting for an arrival or a credit that cannot "
         "come: " +
         name_those(locations, waits) + " of " + std::to_string(locations.size()) +
         " locations; of these with arrivals that they did not receive: " + name_those(locations, has_undelivered) +
         "; the others have returned" + explanations(locations);
}

std::string livelock_text(simulation const& settings, std::uint64_t quiet_steps,
                          std::deque<sim_endpoint> const& locations) {
  bool const quiet = quiet_steps > settings.quiet_limit;
  auto const runs = [](sim_location const& l) { return !l.waiting && !l.finished; };
  return "livelock: " +
         (quiet ? std::to_string(settings.quiet_limit) + " steps in which nothing was sent or arrived"
                : "more than " + std::to_string(settings.step_limit) + " steps") +
         "; still running: " + name_those(locations, runs) +
         "; if this job is only long, raise simulation::" + (quiet ? "quiet_limit" : "step_limit");
}

std::string replay_text(simulation const& settings, schedule const& decisions) {
  constexpr std::array names{"mixed", "plain", "uniform", "oldest_first", "newest_first", "priorities", "slow_one"};
  std::string text = "replay: " + settings_text(settings.job) + " " + decisions.describe();
  if (settings.order != play::mixed) {
    text += std::string(" with play::") + names[static_cast<std::size_t>(settings.order)];
  }
  if (settings.preemptions != 0) text += ", preemptions " + std::to_string(settings.preemptions);
  return text;
}

}  // namespace detail
}  // namespace sheaf
