// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Threads of the program's own at a location: how they come, wait and leave.
#include <algorithm>
#include <chrono>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "base/call_text.hpp"
#include "base/threading.hpp"
#include "message/outside.hpp"
#include "sheaf/message/sender.hpp"

namespace sheaf::detail {

namespace {

/// Locations that others may enter, with the numbers of their jobs: a team does not know whether its job goes on.
struct open_locations {
  std::mutex lock;
  std::set<std::pair<location const*, std::uint64_t>> all;
};

open_locations& opened() {
  static auto& known = *new open_locations;
  return known;
}

}  // namespace

void guests::open(location const& here) {
  std::lock_guard const one(opened().lock);
  opened().all.emplace(&here, here.registered().serial());
}

void guests::shut(location const& here) {
  std::lock_guard const one(opened().lock);
  opened().all.erase({&here, here.registered().serial()});
}

bool guests::may_come(location const* here, std::uint64_t serial) {
  std::lock_guard const one(opened().lock);
  return opened().all.count({here, serial}) != 0;
}

void guests::enter() {
  present_.fetch_add(1, std::memory_order_relaxed);
  admission const inside(&of_.gate_);
  of_.gate_.guests.push_back(of_.gate_.me());
}

void guests::leave() {
  {
    admission const inside(&of_.gate_);
    of_.here_.out().flush();
    of_.here_.out().part_from(of_.gate_.me());
    std::erase(of_.gate_.guests, of_.gate_.me());
    of_.nudge();
  }
  present_.fetch_sub(1, std::memory_order_release);  // the location may be gone now
}

bool guests::await_none(std::uint64_t limit_ns) {
  constexpr std::chrono::nanoseconds look(1'000'000);
  endpoint& net = of_.here_.connection();
  std::uint64_t const until = net.now() + limit_ns;
  for (std::uint64_t now = 0; present() != 0 && (now = net.now()) < until;) {
    net.threads != nullptr ? net.threads->wait(&present_, now + look.count()) : std::this_thread::sleep_for(look);
  }
  return present() == 0;
}

void guests::check_may_wait(location const& here, wait_kind kind, char const* what, call_site from) {
  bool guest = false;
  {
    admission const inside(here.gate());
    guest = here.gate()->is_guest();
  }
  if (!guest) outside::refuse_wait(here, what, from);
  if (kind == wait_kind::answer) return;
  throw usage_error(std::string("sheaf: ") + what + " was called by a thread that is attached to " +
                    name_of(here.id()) +
                    "; only the location's own program may wait for a whole team. An attached thread may issue "
                    "requests and wait for their answers" +
                    called_at(from));
}

void guests::wait(wait_site const& site, bool (*done)(void*), void* context) {
  constexpr std::uint64_t shortest_ns = 50'000, longest_ns = 1'000'000, at_a_time = 8;
  admission const inside(&of_.gate_);
  guest_wait own{site, done, context};
  waits_.push_back(&own);
  at_end const over{[&] { std::erase(waits_, &own); }};
  of_.here_.out().flush();
  std::uint64_t pause = shortest_ns;
  while (!done(context)) {
    of_.throw_if_over();
    if (of_.assist_guest()) {
      pause = shortest_ns;
      continue;
    }
    if (done(context)) return;
    of_.look_for_silence(0);
    own.parked = true;
    of_.gate_.park(of_.here_.connection().now() + pause);
    own.parked = false;
    pause = std::min(2 * pause, longest_ns * (1 + waits_.size() / at_a_time));  // all together look as often
  }
}

/// As in location::poll, a loop of polls gets as far as a wait.
bool guests::poll() {
  of_.throw_if_over();
  if (of_.assist_guest()) return true;
  if (of_.gate_.is_guest() && !of_.here_.out().empty()) of_.here_.out().flush(flush_reason::idle);
  return false;
}

/// An attached thread that is parked in a wait does nothing before that is done, which somebody inside the gate makes
/// it, as part of what the location counts as activity. So it adds nothing to what may come from outside.
bool guests::may_bring(location& here) {
  int const expected = here.watch().expected();
  if (expected <= 0 || here.gate() == nullptr) return expected > 0;
  auto const& all = outside::of(here).attached.waits_;
  auto const parked = std::ranges::count_if(all, [](auto const* w) { return w->parked && !w->done(w->context); });
  return expected > parked;
}

bool guests::some_wait(location const& here) {
  return here.gate() != nullptr && !outside::of(here).attached.waits_.empty();
}

/// Not for each step of a location where hundreds wait: nobody else need look.
void guests::tell() {
  auto const may_go = [](auto const* w) { return w->parked && w->done(w->context); };
  if (std::ranges::any_of(waits_, may_go)) of_.gate_.call();
}

}  // namespace sheaf::detail
