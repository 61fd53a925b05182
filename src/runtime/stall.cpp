// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "runtime/stall.hpp"

#include <cstdio>
#include <cstring>

#include "runtime/collective.hpp"
#include "sheaf/message/handler.hpp"

namespace sheaf::detail {
namespace {

constexpr std::uint64_t between_hints_ns = 1'000'000;

void run_stall_messages(location& here, void*, execution& state) {
  while (state.at != state.run_end) {
    stall_watch::message m;
    std::memcpy(&m, state.at, sizeof m);
    state.at += sizeof m;
    collectives_of(here).stall.arrived(number(state.source), m);
  }
}

std::uint32_t const stall_handler = register_handler({.run = &run_stall_messages,
                                                      .object_type = nullptr,
                                                      .kind = traffic::answer,
                                                      .record_bytes = sizeof(stall_watch::message),
                                                      .name = "sheaf::stall_watch",
                                                      .is_progress = false});

}  // namespace

stall_watch::stall_watch(location& here) : here_(here) {
  here.on_stall([](location& at) { collectives_of(at).stall.rest(); });
}

void stall_watch::rest() {
  if (here_.stopped() && !hinted_ && here_.connection().now() >= quiet_until_) give_hint();
  bool const free_of_debts = settle_debts();
  if (hint_came_ && round_ == 0 && free_of_debts) begin_round();
  while (asked_) answer_question();      // location 0 may begin the second round here
  bool const all_sent = settle_debts();  // what is left now has been refused, so its credit wakes this location
  here_.call_at_rest(hint_came_ || !all_sent);
}

void stall_watch::arrived(std::uint32_t source, message const& m) {
  switch (m.what) {
    case hint:
      hint_came_ = true;
      break;
    case question:
      asked_ = true;
      break;
    case answer:
      if (round_ != 0) take_answer(source, m.activity, m.held_back);
      break;
    case raise:
      take_verdict(true);
      break;
    case go_on:
      take_verdict(false);
      break;
    default:
      throw wire_error("sheaf: location " + std::to_string(source) + " sent message " + std::to_string(m.what) +
                       " to the stall watch; it knows 1 to 5");
  }
  here_.call_at_rest(true);
}

void stall_watch::give_hint() {
  hinted_ = true;
  if (number(here_.id()) == 0) {
    hint_came_ = true;
  } else {
    owed_hint_ = hint;
  }
}

void stall_watch::answer_question() {
  asked_ = false;
  if (number(here_.id()) == 0) {
    take_answer(0, here_.activity(), held_back());
  } else {
    owed_answer_ = answer;
  }
}

/// Location 0 asks everybody, itself too.
void stall_watch::begin_round() {
  hint_came_ = false;
  reports_.resize(here_.size());
  ++round_;
  same_ = true;
  most_held_back_ = 0;
  missing_ = here_.size();
  asked_ = true;
  for (std::uint32_t i = 1; i < here_.size(); ++i) reports_[i].owed = question;
}

void stall_watch::take_answer(std::uint32_t source, std::uint64_t activity, std::uint64_t held_back) {
  same_ = same_ && reports_[source].activity == activity;
  if (held_back > most_held_back_) {
    most_held_back_ = held_back;
    holder_ = source;
  }
  reports_[source].activity = activity;
  if (--missing_ == 0) judge();
}

void stall_watch::judge() {
  if (round_ == 1) return begin_round();
  round_ = 0;
  bool const more = same_ && most_held_back_ != 0;
  for (std::uint32_t i = 1; i < here_.size(); ++i) reports_[i].owed = more ? raise : go_on;
  if (more && raises_++ == 0) warn();
  take_verdict(more);
}

/// Says who holds back how much. What it is made of is not known: a request of the program that is larger than the
/// reserve stops its location as much as what methods sent.
void stall_watch::warn() const {
  auto const bytes = static_cast<unsigned long long>(most_held_back_);
  std::fprintf(stderr,
               "sheaf: warning: all locations wait, and location %u holds back %llu bytes of requests that their "
               "destinations have no room for; its limit is %zu (SHEAF_RESERVE_BYTES, options::reserve_bytes). Either "
               "remote methods send faster than others execute, or a single request is larger than the limit. Limits "
               "are raised as far as needed now; where this is usual, set SHEAF_RESERVE_BYTES to %llu or more\n",
               holder_, bytes, here_.settings().reserve_bytes, bytes);
}

void stall_watch::take_verdict(bool more) {
  hinted_ = false;
  if (more && here_.stopped()) here_.raise_reserve();
  if (!more) quiet_until_ = here_.connection().now() + between_hints_ns;
}

/// Offers what could not be sent before. True: nothing is left.
bool stall_watch::settle_debts() {
  if (owed_answer_ != nothing && offer(0, owed_answer_)) owed_answer_ = nothing;
  if (owed_hint_ != nothing && offer(0, owed_hint_)) owed_hint_ = nothing;
  bool all = owed_answer_ == nothing && owed_hint_ == nothing;
  for (std::uint32_t i = 1; i < reports_.size(); ++i) {
    if (reports_[i].owed != nothing && offer(i, reports_[i].owed)) reports_[i].owed = nothing;
    all = all && reports_[i].owed == nothing;
  }
  return all;
}

bool stall_watch::offer(std::uint32_t dest, what w) {
  message const m{here_.activity(), held_back(), w};
  std::byte entry[run_header::wire_bytes + sizeof m];
  std::memcpy(entry + run_header::wire_bytes, &m, sizeof m);
  return here_.offer_answer(dest, run_tag(stall_handler, 0, 0), entry);
}

}  // namespace sheaf::detail
