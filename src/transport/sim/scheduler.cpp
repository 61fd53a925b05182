// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/sim/scheduler.hpp"

#include <exception>

#include "sheaf/base/error.hpp"
#include "transport/sim/sim_report.hpp"

namespace sheaf::detail {
namespace {

constexpr std::uint64_t run_ns = 50;  // what a location's step takes of virtual time
constexpr std::uint64_t look_ns = 5;  // and a look at the clock, so that a loop on it ends

// A location that polls without idling lets others run every so many polls, and leaves an ended job after so many.
constexpr std::uint32_t polls_between_pauses = 64;
constexpr std::uint32_t polls_after_end = 4096;

simulation prepared(simulation s) {
  s.job.transport = transport_kind::sim;
  s.job = s.job.resolved();
  if (s.step_limit == 0) s.step_limit = 1'000'000'000;
  if (s.quiet_limit == 0) s.quiet_limit = 1'000'000;
  return s;
}

}  // namespace

scheduler::scheduler(simulation const& settings)
    : settings_(prepared(settings)),
      network_(settings_, agenda_, picker_, locations_),
      stacks_(settings_.job.locations, settings_.job.stack_bytes) {
  std::uint32_t const n = settings_.job.locations;
  std::uint32_t const lanes = std::max(1u, settings_.job.threads);
  std::uint32_t const hosts = settings_.hosts;
  near_.assign(hosts, std::vector<std::uint32_t>(n, endpoint::elsewhere));
  for (std::uint32_t i = 0; i < n; ++i) {
    std::uint32_t const* near = nullptr;
    if (hosts != 0) {
      std::uint64_t const host = std::uint64_t{i} * hosts / n;
      near_[host][i] = i - static_cast<std::uint32_t>((host * n + hosts - 1) / hosts);
      near = near_[host].data();
    }
    locations_.emplace_back(*this, location_id{i}, n, lanes, near);
  }
}

simulation_result scheduler::run(schedule& decisions, location_body& body, step_chooser* chooser) {
  start(decisions, body, chooser);
  take_steps();
  unwind_all();
  result_.entries = network_.sent();
  result_.dropped = network_.sent() - network_.delivered();
  result_.virtual_ns = agenda_.now();
  agenda_.record(agenda_.now());
  result_.trace = agenda_.trace();
  return std::exchange(result_, {});
}

void scheduler::start(schedule& decisions, location_body& body, step_chooser* chooser) {
  decisions_ = &decisions;
  body_ = &body;
  chooser_ = chooser;
  quiet_steps_ = 0;
  agenda_.clear();
  picker_.start(settings_.order, settings_.job.locations, decisions);
  network_.start_run();
  for (sim_endpoint& e : locations_) start_location(e);
  unfinished_ = settings_.job.locations;
}

void scheduler::start_location(sim_endpoint& e) {
  e.start_run();
  sim_location& l = e.state();
  l.news = l.waiting = l.finished = false;
  l.empty_polls = 0;
  l.in_flight = 0;
  l.preemptions = settings_.order == play::plain ? settings_.preemptions : 0;
  l.ready = {};
  l.run.kind = step_kind::run;
  l.run.owner = &l;
  l.run.label = step::label_of(l.id, step_kind::run, l.id, {});
  l.run.priority = picker_.priority();
  l.flow.prepare(stacks_.stack(number(l.id)), &play_location, &e);
  agenda_.make_ready(l);
}

// The first function of each fiber.
void scheduler::play_location(void* its_endpoint) noexcept {
  auto& me = *static_cast<sim_endpoint*>(its_endpoint);
  try {
    me.owner().body_->run(me);
  } catch (std::exception const& e) {
    me.owner().fail(me.state(), e.what());
  } catch (...) {
    me.owner().fail(me.state(), "an exception that is no std::exception");
  }
}

void scheduler::take_steps() {
  while (unfinished_ != 0 && result_.how == ending::finished) {
    if (agenda_.possible.empty()) {
      quiet_steps_ = 0;
      if (!agenda_.advance_to_deadline()) end_job(ending::deadlock, deadlock_text(locations_));
    } else if (too_long()) {
      end_job(ending::livelock, livelock_text(settings_, quiet_steps_, locations_));
    } else {
      take_step(chooser_ != nullptr ? agenda_.possible[chooser_->choose_step(agenda_.possible)]
                                    : picker_.pick(agenda_.possible));
    }
  }
}

bool scheduler::too_long() { return ++result_.steps > settings_.step_limit || ++quiet_steps_ > settings_.quiet_limit; }

void scheduler::take_step(step& s) {
  agenda_.record(s.label);
  switch (s.kind) {
    case step_kind::run:
      agenda_.possible.remove(s);
      if (agenda_.advance(run_ns)) quiet_steps_ = 0;
      return run_location(*s.owner);
    case step_kind::arrive:
      quiet_steps_ = 0;
      agenda_.advance(picker_.delay());
      return network_.arrive(*s.link);
    case step_kind::credit:
      quiet_steps_ = 0;
      return network_.credit(*s.link);
  }
}

void scheduler::run_location(sim_location& l) {
  l.watched = false;
  l.flow.resume();
  if (!l.flow.ended()) return;
  l.finished = true;
  --unfinished_;
}

// After the end of a failed job: every location leaves its wait with job_aborted and returns.
void scheduler::unwind_all() {
  for (sim_endpoint& e : locations_) {
    while (!e.state().finished) run_location(e.state());
  }
}

void scheduler::may_preempt(sim_location& me) {
  if (settings_.order != play::plain) {
    if (!agenda_.possible.empty() && result_.how == ending::finished && picker_.preempt()) pause(me);
  } else if (me.preemptions != 0 && result_.how == ending::finished && decisions_->choose(2) == 1) {
    --me.preemptions;
    pause(me);
  }
}

// Lets others run, without waiting for anything.
void scheduler::pause(sim_location& me) {
  if (result_.how == ending::finished) agenda_.make_ready(me);
  me.flow.suspend();
}

bool scheduler::receive(sim_location& me, wanted which, arrival& out) {
  may_preempt(me);
  if (network_.receive(me, which, out)) {
    me.news = true;
    me.empty_polls = 0;
    return true;
  }
  if (++me.empty_polls % polls_between_pauses == 0) {
    if (me.empty_polls >= polls_after_end) throw_if_ended();
    pause(me);
  }
  return false;
}

bool scheduler::idle(sim_location& me, std::uint64_t deadline) {
  throw_if_ended();
  me.empty_polls = 0;
  bool const wait = !me.news && (deadline == 0 || deadline > agenda_.now());
  if (wait) {
    agenda_.make_wait(me, deadline);
  } else {
    agenda_.make_ready(me);
  }
  me.flow.suspend();
  me.news = false;
  throw_if_ended();
  return wait;
}

std::uint64_t scheduler::look_at_clock() noexcept {
  agenda_.advance(look_ns);
  return agenda_.now();
}

void scheduler::fail(sim_location& me, std::string_view reason) noexcept {
  if (result_.how != ending::finished) return;
  end_job(ending::failed, "location " + std::to_string(number(me.id)) + " failed: " + std::string(reason));
}

void scheduler::end_job(ending how, std::string_view what) {
  result_.how = how;
  result_.text = std::string(what) + " [" + replay_text(settings_, *decisions_) + "]";
}

void scheduler::throw_if_ended() const {
  if (result_.how != ending::finished) throw job_aborted(result_.text);
}

}  // namespace sheaf::detail
