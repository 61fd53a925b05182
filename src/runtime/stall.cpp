// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "runtime/stall.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "base/insight.hpp"
#include "message/outside.hpp"
#include "message/reports.hpp"
#include "runtime/collective.hpp"
#include "sheaf/message/codec.hpp"
#include "sheaf/message/handler.hpp"
#include "sheaf/runtime/collectives.hpp"
#include "sheaf/transport/endpoint.hpp"

namespace sheaf::detail {
namespace {

constexpr std::uint64_t between_hints_ns = 1'000'000;
constexpr std::uint32_t first_look = 256;           // rests before the clock is looked at
constexpr std::uint32_t looks_until_strange = 5;    // before something that stays under way is told
constexpr std::uint64_t patience_ns = 500'000'000;  // for states that are to be printed; more than the reporter's

void run_stall_messages(location& here, void*, execution& state) {
  while (state.at != state.run_end) {
    stall_watch::message m;
    std::memcpy(&m, state.at, sizeof m);
    state.at += sizeof m;
    collectives_of(here).stall.arrived(number(state.source), m);
  }
}

struct state_arrival : control_arrival<state_arrival> {
  static constexpr char const* what = "report of what a location waits for";

  static void take(location& here, location_id, std::span<std::byte const> record) {
    byte_reader from(record);
    collectives_of(here).stall.arrived(codec<location_report>::decode(from));
  }
};

std::uint32_t const stall_handler = register_handler({.run = &run_stall_messages,
                                                      .kind = traffic::answer,
                                                      .record_bytes = sizeof(stall_watch::message),
                                                      .name = "sheaf::stall_watch",
                                                      .is_progress = false});

std::uint32_t const state_handler = register_handler(
    {.run = &state_arrival::run, .kind = traffic::answer, .name = "sheaf::stall_watch, states", .is_progress = false});

/// In the simulator, where a step takes 50 ns of virtual time, an interval is in microseconds of it.
std::uint64_t interval_ns(location& here) {
  bool const simulated = here.settings().transport == transport_kind::sim;
  return insight && number(here.id()) == 0 ? here.settings().watchdog_ms * (simulated ? 1'000ULL : 1'000'000ULL) : 0;
}

}  // namespace

stall_watch::stall_watch(location& here) : here_(here), interval_(interval_ns(here)) {
  here.watch().on_stall([](location& at) { return collectives_of(at).stall.rest(); });
  here.watch().on_fences(&try_begun);
  if (interval_ != 0) here.watch().look_from(here.settings().transport == transport_kind::sim ? 0 : first_look);
}

std::uint64_t stall_watch::rest() {
  if (here_.watch().was_asked()) tell_state();
  if (here_.in().stopped() && !hinted_ && here_.connection().now() >= quiet_until_) {
    hinted_ = true;
    tell_first(hint);
  }
  bool const free_of_debts = settle_debts();
  bool const is_due = interval_ != 0 && due();
  if (round_ == 0 && free_of_debts && (hint_came_ || is_due)) begin_round(is_due ? look : question);
  std::uint64_t const print_at = see_to_printing();
  while (std::exchange(asked_, nothing) != nothing) tell_first(answer);  // location 0 may begin the second round here
  for (std::uint64_t const number : std::exchange(to_answer_, {})) {
    location_report own;
    reports(here_).add_to(own);
    own.asked = number;
    send_control(here_, 0, state_handler, {}, encode(own));
  }
  bool const all_sent = settle_debts();  // what is left now has been refused, so its credit wakes this location
  if (round_ == 0 && doubts_are_over()) {
    round_ = 3;
    behind_held_ = true;
  }
  bool const all_known = round_ == 3 && surveys_->judged.missing == 0;
  here_.watch().call_at_rest(hint_came_ || print_at != 0 || !all_sent || all_known);
  if (all_known) blame();
  std::uint64_t const look_at = round_ == 0 && all_sent ? next_look_ : 0;
  return look_at == 0 || print_at == 0 ? look_at + print_at : std::min(look_at, print_at);
}

/// Begins what a signal has asked for, and ends it. Returns when to look again; 0: nothing is under way.
std::uint64_t stall_watch::see_to_printing() {
  bool const wished = std::exchange(wish_came_, false);
  if (!wished && surveys_ == nullptr) return 0;
  std::uint64_t const now = here_.connection().now();
  if (wished && (surveys_ == nullptr || now >= surveys_->print_at)) {  // else others have heard the same signal
    begin_survey(&surveys::printed);
    surveys_->print_at = now + patience_ns;
  }
  survey const& printed = surveys_->printed;
  if (printed.number != 0 && (printed.missing == 0 || now >= surveys_->print_at)) {
    wish_came_ = false;
    std::fputs(job_state_text(std::exchange(surveys_->printed, {}).states).c_str(), stderr);
  }
  return printed.number != 0 ? surveys_->print_at : 0;
}

/// Whether this location has waited for the interval, or for another one since the last look, with nothing to do.
bool stall_watch::due() {
  std::uint64_t const now = here_.connection().now();
  if (!here_.in().waiting() || next_look_ == 0 || here_.in().activity() != seen_activity_) {
    seen_activity_ = here_.in().activity();
    next_look_ = now + interval_;
  }
  return now >= next_look_;
}

void stall_watch::arrived(std::uint32_t source, message const& m) {
  ++own_received_;
  take(source, m);
  here_.watch().call_at_rest(true);
}

void stall_watch::take(std::uint32_t source, message const& m) {
  switch (m.what) {
    case hint:
      hint_came_ = true;
      break;
    case question:
    case look:
      asked_ = static_cast<what>(m.what);
      break;
    case answer:
      if (round_ == 1 || round_ == 2) take_answer(source, m);
      break;
    case raise:
    case go_on:
      take_verdict(m.what == raise);
      break;
    case tell:
      to_answer_.push_back(m.activity);
      break;
    case wish:
      wish_came_ = true;
      break;
    default:
      throw wire_error("sheaf: location " + std::to_string(source) + " sent message " + std::to_string(m.what) +
                       " to the stall watch, legal are 1 to 8; the processes run different builds");
  }
}

/// Location 0 tells itself at once.
void stall_watch::tell_first(what w) {
  if (number(here_.id()) == 0) {
    take(0, say(w));
  } else {
    owed_ |= 1U << w;
  }
}

void stall_watch::arrived(location_report told) {
  if (surveys_ == nullptr) return;
  for (survey* const each : {&surveys_->judged, &surveys_->printed}) {
    if (told.asked != each->number || told.location >= each->states.size()) continue;  // too late
    if (each->states[told.location].asked == each->number) continue;                   // it has come already
    each->states[told.location] = std::move(told);
    --each->missing;
    return here_.watch().call_at_rest(true);
  }
}

/// Location 0 asks everybody, itself too.
void stall_watch::begin_round(what asked) {
  hint_came_ = false;
  reports_.resize(here_.size());
  ++round_;
  round_of_ = asked;
  sum_ = {};
  missing_ = here_.size();
  asked_ = asked;
  for (std::uint32_t i = 1; i < here_.size(); ++i) reports_[i].owed = asked;
}

void stall_watch::take_answer(std::uint32_t source, message const& m) {
  sum_.same = sum_.same && reports_[source].activity == m.activity;
  if (m.held_back > sum_.most_held_back) {
    sum_.most_held_back = m.held_back;
    sum_.holder = source;
  }
  sum_.requests += m.requests;
  sum_.answers += m.answers;
  sum_.unsettled += m.unsettled;
  sum_.state |= m.state;
  reports_[source].activity = m.activity;
  if (--missing_ == 0) judge();
}

void stall_watch::judge() {
  if (round_ == 1) {
    unsettled_before_ = sum_.unsettled;
    return begin_round(round_of_);
  }
  round_ = 0;
  bool const more = sum_.same && sum_.most_held_back != 0;
  if (round_of_ == look) {
    ++looks_;
    next_look_ = here_.connection().now() + interval_;
    bool const at_rest = !more && only_requests_can_come();
    if (at_rest && sum_.requests == 0) {
      round_ = 3;
      return begin_survey(&surveys::judged);
    }
    if (at_rest) {  // asks all for their states, beside the rounds that go on
      begin_survey(&surveys::judged);
      surveys_->activities.clear();
      for (report const& each : reports_) surveys_->activities.push_back(each.activity);
    }
    wonder();
  }
  for (std::uint32_t i = 1; i < here_.size(); ++i) reports_[i].owed = more ? raise : go_on;
  if (more && (sum_.state & floods_others) != 0 && !std::exchange(warned_, true)) warn();
  take_verdict(more);
}

/// Whether nobody can go on but by requests that are under way. Where somebody waits for credit, none may be on its way
/// back but that of these; and not before either, since whoever got it since the first round has not used it yet.
bool stall_watch::only_requests_can_come() const {
  bool const settled =
      (sum_.state & lacks_credit) == 0 || (sum_.unsettled == sum_.requests && unsettled_before_ == sum_.requests);
  return sum_.same && (sum_.state & (runs | expects | owes_answers)) == 0 && sum_.answers == 0 && settled;
}

/// All have told their states, which were those of the rounds, and nothing that is under way can come.
bool stall_watch::doubts_are_over() const {
  if (surveys_ == nullptr || surveys_->judged.number == 0 || surveys_->judged.missing != 0) return false;
  auto const& states = surveys_->judged.states;
  bool const same = std::ranges::equal(states, surveys_->activities, {}, &location_report::activity);
  return same && all_stand_behind_held(states);
}

/// Something that stays under way may come yet: that is told once, and nobody is blamed.
void stall_watch::wonder() {
  std::uint32_t const under_way = sum_.requests + sum_.answers;
  bool const strange = sum_.same && (sum_.state & (runs | expects)) == 0 && under_way != 0;
  strange_ = strange ? strange_ + 1 : 0;
  if (strange_ != looks_until_strange) return;
  std::fprintf(
      stderr,
      "sheaf: warning: all locations wait, and %d messages have been under way between them for the last %u "
      "checks of the watchdog (SHEAF_WATCHDOG_MS=%u); the network does not deliver them, or a location did not "
      "receive one that arrived (%s#under-way)\n",
      static_cast<std::int32_t>(under_way), strange_, here_.settings().watchdog_ms, insight_page);
}

/// Says who holds back how much; not what, since a single request that is larger than the reserve does it, too.
void stall_watch::warn() const {
  auto const bytes = static_cast<unsigned long long>(sum_.most_held_back);
  std::fprintf(
      stderr,
      "sheaf: warning: all locations wait, and location %u holds back %llu bytes of buffers with requests that their "
      "destinations have no room for; its limit is %zu (SHEAF_RESERVE_BYTES, options::reserve_bytes). Either "
      "remote methods send faster than others execute, or a single request is larger than the limit. Limits "
      "are raised as far as needed now; where this is usual, set SHEAF_RESERVE_BYTES to %llu or more\n",
      sum_.holder, bytes, here_.settings().reserve_bytes, bytes);
}

void stall_watch::take_verdict(bool more) {
  hinted_ = false;
  if (more && here_.in().stopped()) here_.out().held.raise();
  if (!more) quiet_until_ = here_.connection().now() + between_hints_ns;
}

void stall_watch::begin_survey(survey surveys::*which) {
  if (surveys_ == nullptr) surveys_ = std::make_unique<surveys>();
  survey& of = (*surveys_).*which;
  of.number = ++surveys_->begun;
  of.missing = here_.size() - 1;
  of.states.assign(here_.size(), {});
  reports(here_).add_to(of.states[0]);
  of.states[0].asked = of.number;
  reports_.resize(here_.size());
  for (std::uint32_t i = 1; i < here_.size(); ++i) reports_[i].surveys.push_back(of.number);
}

/// Again at each rest, for a program that catches it and goes on.
void stall_watch::blame() {
  std::string const text = "sheaf: deadlock: all " + std::to_string(here_.size()) + " locations wait, " +
                           (behind_held_ ? "what is under way between them stands behind requests that are held"
                                         : "nothing is under way between them") +
                           ", and nobody expects anything from outside (" + insight_page + "#deadlock)" +
                           text_of_waits(surveys_->judged.states);
  // The program may join threads that are attached, and wait, before the exception is out of it.
  if (guests::some_wait(here_)) here_.connection().fail(text);
  throw deadlock(text);
}

/// For whoever has sent the signal: at once what is known here, and then what location 0 learns from all that wait.
void stall_watch::tell_state() {
  location_report own;
  reports(here_).add_to(own);
  std::fputs(own_state_text(own).c_str(), stderr);
  if (here_.size() != 1) tell_first(wish);
}

/// Offers what could not be sent before. True: nothing is left.
bool stall_watch::settle_debts() {
  for (what const w : {answer, hint, wish}) {
    if ((owed_ >> w & 1) != 0 && offer(0, w)) owed_ &= ~(1U << w);
  }
  bool all = owed_ == 0;
  for (std::uint32_t i = 1; i < reports_.size(); ++i) {
    report& to = reports_[i];
    if (to.owed != nothing && offer(i, to.owed)) to.owed = nothing;
    while (!to.surveys.empty() && offer(i, tell, to.surveys.back())) to.surveys.pop_back();
    all = all && to.owed == nothing && to.surveys.empty();
  }
  return all;
}

stall_watch::message stall_watch::say(what w) {
  message m{here_.in().activity(), held_back(), 0, 0, 0, w, 0};
  endpoint_counts const& c = here_.connection().counts();
  auto const under_way = [&](traffic kind) {
    auto const k = static_cast<std::size_t>(kind);
    return c.buffers_sent[k] + c.inline_sent[k] - c.entries_received[k];
  };
  for (traffic const kind : request_classes()) m.requests += static_cast<std::uint32_t>(under_way(kind));
  m.answers = static_cast<std::uint32_t>(under_way(traffic::answer) - own_sent_ + own_received_);
  if (!here_.in().waiting()) m.state |= runs;
  if (guests::may_bring(here_)) m.state |= expects;
  if (!here_.out().empty()) m.state |= lacks_credit;
  if (here_.out().of(traffic::answer).overflows()) m.state |= owes_answers;
  if (held_back() != 0 && here_.out().reserve_for_others() > here_.out().held.cap) m.state |= floods_others;
  m.unsettled = w == answer ? reports(here_).unsettled_requests() : 0;
  return m;
}

bool stall_watch::offer(std::uint32_t dest, what w, std::uint64_t of_survey) {
  message m = say(w);
  if (w == tell) m.activity = of_survey;
  std::byte entry[run_header::wire_bytes + sizeof m];
  std::memcpy(entry + run_header::wire_bytes, &m, sizeof m);
  bool const taken = here_.answer_box(dest).offer(run_tag(stall_handler, 0, 0), entry);
  own_sent_ += taken ? 1 : 0;
  return taken;
}

}  // namespace sheaf::detail
