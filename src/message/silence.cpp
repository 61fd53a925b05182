// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "message/silence.hpp"

#include <algorithm>
#include <cstdio>

#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/transport/side_wire.hpp"

namespace sheaf {
namespace {

std::uint64_t earlier(std::uint64_t a, std::uint64_t b) { return a == 0 || b == 0 ? a + b : std::min(a, b); }

void warn(location_id self, std::uint32_t dest, double seconds, std::uint32_t entries, std::size_t bytes) {
  std::fprintf(stderr,
               "sheaf: warning: location %u has taken no requests of location %u for %.1f s: %u of its entries are on "
               "their way there, and %zu bytes more wait for credit. It computes without polling, or executes a long "
               "method: poll there now and then (sheaf::poll(); in DMCS, dmcs_poll()), or let threads help with "
               "SHEAF_PROGRESS=helper (in DMCS, dmcs_init_threads). options::poll_warning_ms = 0 turns this warning "
               "off.\n",
               dest, number(self), seconds, entries, bytes);
}

}  // namespace

std::uint64_t silence_watch::look(detail::sender& from, std::uint64_t deadline) {
  constexpr std::uint64_t looks_per_limit = 8;
  std::uint64_t const now = from.net.now();
  if (now >= next_) {
    next_ = now + std::max<std::uint64_t>(limit_ / looks_per_limit, 1);
    watching_ = false;
    for (traffic const kind : {traffic::request, traffic::delivery}) {
      auto const look = [&](detail::outbox const& box) { watching_ = look_at(from, box.dest, now) || watching_; };
      if (auto const* const its = from.known(kind); its != nullptr) its->each_box(look);
    }
  }
  return watching_ ? earlier(deadline, next_) : deadline;
}

bool silence_watch::is_due(note& n, bool any, std::uint16_t taken, std::uint64_t now) const {
  if (!any || !n.waits || n.taken != taken) n = {now, taken, any, false};
  if (!n.waits || n.told || now - n.since < limit_) return false;
  return n.told = true;
}

/// True: a warning may become due.
bool silence_watch::look_at(detail::sender& from, std::uint32_t dest, std::uint64_t now) {
  note& n = notes_[dest];
  bool const own = dest == number(from.here.id());
  std::uint32_t entries = 0;
  std::uint64_t moved = from.net.counts().parts;  // a large entry is taken part by part
  if (detail::side_wire const* const beside = from.net.side; beside != nullptr) {  // so is what a request lends
    std::uint32_t const process = dest / from.net.lanes();
    moved += beside->sent(process) + beside->taken(process);
  }
  std::size_t held_back = 0;
  for (traffic const kind : {traffic::request, traffic::delivery}) {
    detail::stream const* const its = from.known(kind);
    detail::outbox const* const box = its == nullptr ? nullptr : its->used_box(dest);
    if (box == nullptr) continue;
    std::uint32_t const under_way = own ? 0 : from.net.backlog(location_id{dest}, kind);
    entries += under_way;
    moved += box->sent - under_way;
    detail::overflow_queue const* const waiting = its->overflow_of(*box);
    held_back += waiting == nullptr ? 0 : waiting->bytes;
  }
  if (is_due(n, entries != 0, static_cast<std::uint16_t>(moved), now))
    warn(from.here.id(), dest, static_cast<double>(now - n.since) * 1e-9, entries, held_back);
  return n.waits && !n.told;
}

std::string silence_watch::look_aside(endpoint& own, std::size_t entries, std::size_t bytes, std::uint64_t taken,
                                      std::uint64_t& deadline) {
  if (!wanted()) return "";
  std::uint64_t const now = own.now();
  bool const due = is_due(aside_, entries != 0, static_cast<std::uint16_t>(taken), now);
  if (aside_.waits && !aside_.told) deadline = earlier(deadline, aside_.since + limit_);
  if (!due) return "";
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.1f s", static_cast<double>(now - aside_.since) * 1e-9);
  return "sheaf: warning: " + detail::name_of(own.self()) +
         " has not executed the requests that other threads have received for it for " + seconds + ": " +
         std::to_string(entries) + (entries == 1 ? " entry" : " entries") + " of " + std::to_string(bytes) +
         " bytes. It computes without polling, or executes a long method: call sheaf::poll() there now and then, or "
         "declare those methods concurrent. options::poll_warning_ms = 0 turns this warning off.\n";
}

}  // namespace sheaf
