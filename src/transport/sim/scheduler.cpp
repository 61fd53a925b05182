// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/sim/scheduler.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

#include "base/gate.hpp"
#include "sheaf/base/error.hpp"
#include "transport/sim/sim_side.hpp"
#include "transport/wait_reports.hpp"

namespace sheaf::detail {
namespace {

// How often each play is drawn, and how often a location loses its core (one in so many sends and receives; 0: never).
constexpr std::array mixture{play::uniform,      play::uniform,    play::uniform,    play::oldest_first,
                             play::newest_first, play::priorities, play::priorities, play::slow_one};
constexpr std::array<std::uint32_t, 4> preempt_rates{0, 64, 8, 2};

constexpr std::uint32_t most_compared = 64;  // beyond so many steps priorities are compared within a sample

constexpr std::uint64_t run_ns = 50;  // what a location's step takes of virtual time; timed: a step that did nothing
constexpr std::uint64_t look_ns = 5;  // and a look at the clock, so that a loop on it ends

// A location that polls without idling lets others run every so many polls, and leaves an ended job after so many.
constexpr std::uint32_t polls_between_pauses = 64;
constexpr std::uint32_t polls_after_end = 4096;

// Whose fiber this thread runs. Beside the ambient location, which a body that has only an endpoint does not have, so
// that such a one can be charged, too. Nothing but `charge` reads it.
constinit thread_local scheduler* playing = nullptr;

simulation prepared(simulation s) {
  s.job.transport = transport_kind::sim;
  s.job = s.job.resolved();
  if (s.step_limit == 0) s.step_limit = 1'000'000'000;
  if (s.quiet_limit == 0) s.quiet_limit = 1'000'000;
  return s;
}

/// Variables in front, as they stand before a command; then `decisions`, and fields that the program must set.
std::string settings_text(options const& job, std::string const& decisions) {
  std::string text = "SHEAF_TRANSPORT=sim SHEAF_LOCATIONS=" + std::to_string(job.locations), fields;
  for (auto const& [name, value] : changed_from_default(job)) {
    (name.starts_with("options::") ? fields : text) += " " + name + "=" + value;
  }
  return text + " " + decisions + (fields.empty() ? "" : " with" + fields);
}

std::string costs_text(loggp const& c) {
  return ", costs {" + std::to_string(c.latency_ns) + ", " + std::to_string(c.overhead_ns) + ", " +
         std::to_string(c.gap_ns) + ", " + std::to_string(c.byte_ps) + "}";
}

std::string name_those(std::deque<sim_endpoint> const& locations, auto chosen) {
  std::vector<std::uint32_t> those;
  for (sim_endpoint const& e : locations) {
    if (chosen(e.state())) those.push_back(number(e.self()));
  }
  return those.empty() ? "none" : listed(those);
}

constexpr std::uint64_t most_quiet_deadlines = 300'000;

// What the locations that have not returned say of themselves.
std::string explanations(std::deque<sim_endpoint> const& locations) {
  std::vector<location_report> all;
  for (sim_endpoint const& e : locations) {
    if (!e.state().finished && e.explain.tell) e.explain.tell(e.explain.owner, all.emplace_back());
  }
  return text_of_waits(all);
}

}  // namespace

void step_picker::start(play order, std::uint32_t locations, schedule& decisions) {
  decisions_ = &decisions;
  order_ = order;
  preempt_one_in_ = 0;
  if (order == play::plain || order == play::timed) return;
  if (order == play::mixed) order_ = mixture[decisions.choose(mixture.size())];
  preempt_one_in_ = preempt_rates[decisions.choose(preempt_rates.size())];
  if (order_ == play::slow_one && locations > 1) slow_location_ = decisions.choose(locations);
}

step& step_picker::pick(step_set const& possible) {
  if (possible.size() == 1) return possible[0];
  switch (order_) {
    case play::oldest_first:
      return rarely(16) ? any(possible) : possible.oldest();
    case play::newest_first:
      return rarely(16) ? any(possible) : possible.newest();
    case play::priorities:
      return highest(possible);
    case play::slow_one:
      return not_slow(possible);
    default:
      return any(possible);
  }
}

std::uint64_t step_picker::delay() {
  if (order_ == play::plain) return 100;
  std::uint32_t const drawn = decisions_->choose(1024);
  return drawn < 1020 ? 20 + drawn : std::uint64_t{1} << (16 + drawn % 8);
}

step& step_picker::highest(step_set const& possible) {
  bool const all = possible.size() <= most_compared;
  step* best = all ? &possible[0] : &any(possible);
  std::uint32_t const compared = std::min(possible.size(), most_compared);
  for (std::uint32_t i = 1; i < compared; ++i) {
    step& other = all ? possible[i] : any(possible);
    if (other.priority > best->priority) best = &other;
  }
  // Anybody's, not the winner's: a loser that keeps the lowest priority would wait as long as a winner polls.
  if (rarely(64)) any(possible).priority = decisions_->choose(1u << 16);
  return *best;
}

step& step_picker::not_slow(step_set const& possible) {
  if (rarely(64)) return any(possible);
  step* found = &any(possible);
  for (int tries = 0; tries < 8 && step::owner_of(found->label) == slow_location_; ++tries) found = &any(possible);
  return *found;
}

scheduler::scheduler(simulation const& settings)
    : settings_(prepared(settings)),
      agenda_(settings_.order == play::timed),
      network_(settings_, agenda_, picker_, locations_),
      stacks_(settings_.job.locations, settings_.job.stack_bytes) {
  std::uint32_t const n = settings_.job.locations;
  std::uint32_t const lanes = std::max(1u, settings_.job.threads);
  std::uint32_t const processes = (n + lanes - 1) / lanes, hosts = std::min(settings_.job.hosts, processes);
  near_.assign(hosts, std::vector<std::uint32_t>(n, endpoint::elsewhere));
  std::vector<std::uint32_t> filled(hosts);
  for (std::uint32_t i = 0; i < n; ++i) {
    std::uint64_t const host = std::uint64_t{i / lanes} * hosts / processes;
    if (hosts != 0) near_[host][i] = filled[host]++;
    locations_.emplace_back(*this, location_id{i}, n, lanes, hosts != 0 ? near_[host].data() : nullptr);
  }
}

scheduler::~scheduler() = default;

simulation_result scheduler::run(schedule& decisions, location_body& body, step_chooser* chooser) {
  decisions_ = &decisions;
  body_ = &body;
  chooser_ = chooser;
  quiet_steps_ = quiet_deadlines_ = started_ = beside_ = 0;
  outside_ = 0;
  thread_ = own_thread();
  agenda_.clear();
  picker_.start(settings_.order, settings_.job.locations, decisions);
  network_.start_run();
  start_sides();
  unfinished_ = 0;
  for (sim_endpoint& e : locations_) start_location(e);
  take_steps();
  unwind_all();
  result_.entries = network_.sent();
  result_.dropped = network_.sent() - network_.delivered();
  for (sim_endpoint& e : locations_) e.lent.end_all();
  for (auto const& one : sides_) one->end();
  result_.virtual_ns = agenda_.timed() ? latest_clock() : agenda_.now();
  agenda_.record(result_.virtual_ns);
  result_.trace = agenda_.trace();
  return std::exchange(result_, {});
}

void scheduler::start_location(sim_endpoint& e) {
  e.start_run(sides_.empty() ? nullptr : sides_[number(e.self()) / e.lanes()].get());
  sim_location& l = e.state();
  l.news = false;
  l.empty_polls = l.at_bell = l.bells = l.attended = 0;
  l.in_flight = 0;
  l.clock = {.now = agenda_.now()};
  l.preemptions = settings_.order == play::plain ? settings_.preemptions : 0;
  for (auto& links : l.ready) links = {};
  l.flow.prepare(stacks_.stack(number(l.id)), &play_location, &e);
  start_thread(l, l, step::label_of(l.id, step_kind::run, l.id, {}));
}

void scheduler::start_thread(sim_thread& t, sim_location& at, std::uint64_t label) {
  t.waiting = t.finished = false;
  t.run.owner = &at;
  t.run.runs = &t;
  t.run.label = label;
  t.run.priority = picker_.priority();
  ++unfinished_;
  agenda_.make_possible(t.run, agenda_.now());
}

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

void scheduler::play_outsider(void* thread) noexcept {
  auto& me = *static_cast<sim_outsider*>(thread);
  try {
    std::exchange(me.what, nullptr)();
  } catch (...) {
    me.by->fail(*me.run.owner, "an exception left a thread that is not its own");
  }
}

void scheduler::take_steps() {
  while (has_more()) {
    if (agenda_.empty()) {
      if (outside_ == 0) quiet_steps_ = 0;  // those look again and again
      // Who looks at memory that others write rests for a time, again and again.
      bool const hopeless = ++quiet_deadlines_ > most_quiet_deadlines;
      if (hopeless || !agenda_.advance_to_deadline()) end_job(ending::deadlock, deadlock_text());
    } else if (++result_.steps > settings_.step_limit || ++quiet_steps_ > settings_.quiet_limit) {
      end_job(ending::livelock, livelock_text());
    } else if (agenda_.timed()) {
      take_earliest();
    } else {
      take_step(chooser_ != nullptr ? agenda_.possible[chooser_->choose_step(agenda_.possible)]
                                    : picker_.pick(agenda_.possible));
    }
  }
}

void scheduler::take_earliest() {
  while (agenda_.deadline_is_next()) {
    agenda_.advance_to_deadline();
    if (outside_ == 0) quiet_steps_ = 0;
  }
  take_step(agenda_.take_earliest());
}

void scheduler::take_step(step& s) {
  bool const timed = agenda_.timed();  // then the step's time is now
  agenda_.record(s.label);
  switch (step::kind_of(s.label)) {
    case step_kind::run:
      agenda_.take_out(s);
      if (!timed && agenda_.advance(run_ns) && outside_ == 0) quiet_steps_ = 0;
      return run_thread(*s.runs);
    case step_kind::arrive:
      quiet_steps_ = quiet_deadlines_ = 0;
      if (!timed) agenda_.advance(picker_.delay());
      return network_.arrive(*s.link);
    case step_kind::credit:
      quiet_steps_ = 0;
      return network_.credit(*s.link);
    case step_kind::aside:
      quiet_steps_ = 0;
      agenda_.take_out(s);
      if (!timed) agenda_.advance(picker_.delay());
      return s.line->to->arrive(*s.line);
  }
}

void scheduler::run_thread(sim_thread& t) {
  sim_location& at = *t.run.owner;
  at.watched = false;
  running_ = &t;
  agenda_.go_on_at(at.clock.now);
  scheduler* const outer = std::exchange(playing, this);
  t.flow.resume();
  playing = outer;
  running_ = nullptr;
  at.clock.now = agenda_.now();
  if (!t.flow.ended()) return;
  t.finished = true;
  --unfinished_;
  if (t.number == 0) return;
  --outside_;
  notify(&t);
}

// After a failed job every location leaves its wait and returns. Threads of one location may wait for each other.
void scheduler::unwind_all() {
  while (unfinished_ != 0) {
    for (sim_endpoint& e : locations_) {
      if (!e.state().finished) run_thread(e.state());
    }
    for (std::size_t i = 0; i < outsiders_.size(); ++i) {
      if (!outsiders_[i].finished) run_thread(outsiders_[i]);
    }
  }
}

void const* scheduler::self() noexcept { return own_thread() == thread_ ? running_ : nullptr; }

void scheduler::may_switch() noexcept {
  std::uint32_t& left = running_->run.owner->preemptions;
  if (settings_.order != play::plain) {
    if (!agenda_.possible.empty() && goes_on() && picker_.preempt()) yield();
  } else if (left != 0 && goes_on() && decisions_->choose(2) == 1) {
    --left;
    yield();
  }
}

void scheduler::yield() noexcept {
  if (agenda_.timed()) agenda_.spend(run_ns);
  step_aside();
}

void scheduler::step_aside() noexcept {
  sim_thread& me = *running_;
  if (goes_on()) agenda_.make_possible(me.run, agenda_.now());
  me.flow.suspend();
}

// In a timed play, before the caller looks at what others change: they do what they do before its time.
bool scheduler::catch_up() noexcept {
  if (!agenda_.timed() || !goes_on() || !agenda_.is_ahead()) return false;
  step_aside();
  return true;
}

void scheduler::charge(std::uint64_t ns) noexcept {
  if (!agenda_.timed()) return;
  agenda_.spend(ns);
  quiet_steps_ = quiet_deadlines_ = 0;
}

void scheduler::wait(void const* what, std::uint64_t until) noexcept {
  if (until != 0 && until <= agenda_.now()) return yield();
  rest(*running_, until, what);
}

void scheduler::rest(sim_thread& me, std::uint64_t deadline, void const* what) {
  if (goes_on()) agenda_.make_wait(me, deadline, what);
  me.flow.suspend();
}

std::uint64_t scheduler::start(std::function<void()> what) {
  auto const free = std::ranges::find(outsiders_, true, &sim_outsider::finished);
  sim_outsider& t = free != outsiders_.end() ? *free : outsiders_.emplace_back(settings_.job.stack_bytes);
  sim_location& at = *running_->run.owner;
  t.what = std::move(what);
  t.by = this;
  t.number = ++started_;
  ++outside_;
  t.flow.prepare(t.stack.stack(0), &play_outsider, &t);
  start_thread(t, at,
               step::label_of(at.id, step_kind::run, location_id{static_cast<std::uint32_t>(t.number)}, traffic{1}));
  return t.number;
}

void scheduler::join(std::uint64_t number) noexcept {
  auto const its = std::ranges::find(outsiders_, number, &sim_outsider::number);
  while (its != outsiders_.end() && its->number == number && !its->finished) wait(&*its, 0);
}

bool scheduler::receive(sim_location& at, wanted which, arrival& out) {
  may_switch();
  catch_up();
  if (network_.receive(at, which, out)) {
    if (agenda_.timed()) agenda_.spend(settings_.costs.overhead_ns);
    at.news = at.news || running_ == &at;
    at.empty_polls = 0;
    return true;
  }
  if (++at.empty_polls % polls_between_pauses == 0) {
    if (at.empty_polls >= polls_after_end) throw_if_ended();
    yield();
  }
  return false;
}

bool scheduler::idle(sim_location& at, std::uint64_t deadline, gate* shared) {
  throw_if_ended();
  at.empty_polls = 0;
  bool const wait = !at.news && (deadline == 0 || deadline > agenda_.now());
  if (wait) {
    ++at.at_bell;  // inside the gate: who enters it next rings
    {
      gate_break const outside(shared);
      if (!at.news) rest(at, deadline, agenda::bell_of(at));
    }
    --at.at_bell;
  } else {
    at.news ? step_aside() : yield();
  }
  at.news = false;
  throw_if_ended();
  return wait;
}

void scheduler::attend(sim_location& at, std::uint64_t deadline, gate* shared) {
  throw_if_ended();
  ++at.at_bell;
  {
    gate_break const outside(shared);
    if (at.bells == at.attended) wait(agenda::bell_of(at), deadline);
  }
  --at.at_bell;
  at.attended = at.bells;
  throw_if_ended();
}

std::uint64_t scheduler::look_at_clock() noexcept {
  std::uint64_t& seen = running_->run.owner->clock.seen;
  if (!agenda_.timed()) {
    agenda_.advance(look_ns);
  } else if (seen == agenda_.now()) {
    agenda_.spend(look_ns);
  }
  return seen = agenda_.now();
}

std::uint64_t scheduler::latest_clock() const noexcept {
  std::uint64_t latest = 0;
  for (sim_endpoint const& e : locations_) latest = std::max(latest, e.state().clock.now);
  return latest;
}

void scheduler::fail(sim_location& me, std::string_view reason) noexcept {
  if (!goes_on()) return;
  end_job(ending::failed, name_of(me.id) + " failed: " + std::string(reason));
}

void scheduler::end_job(ending how, std::string_view what) {
  result_.how = how;
  result_.text = std::string(what) + " [" + replay_text(settings_, *decisions_) + "]";
}

void scheduler::throw_if_ended() const {
  if (!goes_on()) throw job_aborted(result_.text);
}

std::string scheduler::deadlock_text() const {
  auto const waits = [](sim_location const& l) { return l.waiting; };
  auto const has_undelivered = [](sim_location const& l) {
    return l.waiting && std::any_of(l.ready, std::end(l.ready), [](auto const& links) { return !links.empty(); });
  };
  std::string const times = std::to_string(most_quiet_deadlines);
  bool const hopeless = quiet_deadlines_ > most_quiet_deadlines;
  return "deadlock: nothing is travelling and " +
         (hopeless ? "nothing has arrived at " + times + " deadlines; waiting for a change"
                   : "no deadline is set; waiting for an arrival or a credit") +
         " that cannot come: " + name_those(locations_, waits) + " of " + std::to_string(locations_.size()) +
         " locations; of these with arrivals that they did not receive: " + name_those(locations_, has_undelivered) +
         "; the others have returned" + explanations(locations_);
}

std::string scheduler::livelock_text() const {
  bool const quiet = quiet_steps_ > settings_.quiet_limit;
  auto const runs = [](sim_location const& l) { return !l.waiting && !l.finished; };
  return "livelock: " +
         (quiet ? std::to_string(settings_.quiet_limit) + " steps in which nothing was sent or arrived"
                : "more than " + std::to_string(settings_.step_limit) + " steps") +
         "; still running: " + name_those(locations_, runs) +
         "; if this job is only long, raise simulation::" + (quiet ? "quiet_limit" : "step_limit");
}

std::string replay_text(simulation const& settings, schedule const& decisions) {
  constexpr std::array names{"mixed",        "plain",      "uniform",  "oldest_first",
                             "newest_first", "priorities", "slow_one", "timed"};
  std::string text = "replay: " + settings_text(settings.job, decisions.describe());
  if (settings.order != play::mixed) {
    text += std::string(" with play::") + names[static_cast<std::size_t>(settings.order)];
  }
  if (settings.order == play::timed) text += costs_text(settings.costs);
  if (settings.preemptions != 0) text += ", preemptions " + std::to_string(settings.preemptions);
  return text;
}

}  // namespace sheaf::detail

void sheaf::charge(std::uint64_t ns) noexcept {
  if (detail::playing != nullptr) detail::playing->charge(ns);
}

std::string sheaf::replay_command(options const& asked) {
  options job = asked;
  job.transport = transport_kind::sim;
  job = job.resolved();
  return detail::settings_text(job, "SHEAF_SEED=" + std::to_string(job.seed));
}
