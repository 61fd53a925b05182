// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/side/dialer.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace sheaf::side {

void dialer::call(std::uint32_t process, std::uint64_t now) {
  open_call& c = calls_.emplace_back();
  c.process = process;
  c.give_up = now + limits_.all;
  c.tried.resize(routes_[process].size());
  try_next(c, now);
}

void dialer::try_next(open_call& c, std::uint64_t now) {
  auto const& routes = routes_[c.process];
  for (; c.at < routes.size(); give_address_up(c, std::strerror(errno))) {
    c.number = ++numbers_;
    c.greeted = false;
    c.answer = {};
    c.line = begin_connection(routes[c.at]);
    c.until = now + limits_.address;
    if (c.line && poller_.watch(c.line.number(), {event_tag::what::call, c.number}, EPOLLOUT)) return;
  }
  c.at = 0;
  c.until = now + limits_.pause;
}

void dialer::give_address_up(open_call& c, char const* why) {
  c.tried[c.at] = text_of(routes_[c.process][c.at]) + " (" + why + ")";
  c.line = {};
  ++c.at;
}

/// Whether the process there has answered as it should. Where it never will, the next address is tried.
bool dialer::answers(open_call& c, std::uint64_t now) {
  char const* why = nullptr;
  if (!c.greeted) {
    greeting mine = own_;
    mine.to = c.process;
    int const problem = problem_of_connection(c.line.number());
    c.greeted = problem == 0 && send_greeting(c.line.number(), mine);
    if (c.greeted) return poller_.change(c.line.number(), {event_tag::what::call, c.number}, EPOLLIN), false;
    why = problem != 0 ? std::strerror(problem) : "it takes no greeting";
  } else {
    auto const come = c.answer.read(c.line.number());
    if (come == greeting_reader::state::part) return false;
    greeting const theirs = c.answer.get();
    bool const whole = come == greeting_reader::state::whole;
    bool const ours = theirs.mark == own_.mark && theirs.key == own_.key && theirs.from == c.process;
    if (whole && ours && theirs.to == own_.from) return true;
    why = whole ? "another program answers there" : "it closes the connection";
  }
  give_address_up(c, why);
  try_next(c, now);
  return false;
}

std::optional<dialer::outcome> dialer::ready(std::uint32_t number, std::uint64_t now) {
  auto const c = std::ranges::find(calls_, number, &open_call::number);
  if (c == calls_.end() || !c->line || !answers(*c, now)) return {};
  return end(*c, {});
}

std::optional<dialer::outcome> dialer::look(std::uint64_t now) {
  for (open_call& c : calls_) {
    if (now >= c.give_up) {
      if (c.line) give_address_up(c, std::strerror(ETIMEDOUT));
      std::string all;
      for (std::string const& one : c.tried) all += (all.empty() || one.empty() ? "" : ", ") + one;
      return end(c, all.empty() ? "no address" : all);
    }
    if (now < c.until) continue;
    if (c.line) give_address_up(c, std::strerror(ETIMEDOUT));
    try_next(c, now);
  }
  return {};
}

dialer::outcome dialer::end(open_call& c, std::string tried) {
  outcome made{c.process, tried.empty() ? std::move(c.line) : host::descriptor(), std::move(tried)};
  if (&c != &calls_.back()) c = std::move(calls_.back());
  calls_.pop_back();
  return made;
}

std::uint64_t dialer::next() const noexcept {
  std::uint64_t first = 0;
  for (open_call const& c : calls_) {
    std::uint64_t const due = std::min(c.until, c.give_up);
    first = first == 0 ? due : std::min(first, due);
  }
  return first;
}

}  // namespace sheaf::side
