// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/statistics.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "base/buffer_budget.hpp"
#include "base/insight.hpp"
#include "message/reports.hpp"
#include "message/router.hpp"
#include "sheaf/message/sender.hpp"

namespace sheaf {

namespace {

std::string row(char const* format, auto... values) {
  char text[256];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::string more(std::size_t all, std::size_t shown) {
  return all > shown ? "    and " + std::to_string(all - shown) + " more\n" : std::string();
}

std::string handlers_text(std::vector<statistics::handler> const& handlers, std::size_t rows) {
  std::string text = row("  %14s %12s %10s  %s\n", "requests", "runs", "per run", "method");
  for (std::size_t i = 0; i < handlers.size() && i < rows; ++i) {
    auto const& one = handlers[i];
    double const per_run =
        static_cast<double>(one.requests) / static_cast<double>(std::max<std::uint64_t>(one.runs, 1));
    text += row("  %14" PRIu64 " %12" PRIu64 " %10.1f  ", one.requests, one.runs, per_run) + one.name + "\n";
  }
  return text + more(handlers.size(), rows);
}

std::string links_text(std::vector<statistics::link> const& links, std::size_t rows) {
  std::string text = row("  %6s %6s %14s %14s %12s %12s %14s\n", "from", "to", "created", "executed", "entries sent",
                         "received", "bytes sent");
  for (std::size_t i = 0; i < links.size() && i < rows; ++i) {
    auto const& l = links[i];
    text += row("  %6u %6u %14" PRIu64 " %14" PRIu64 " %12" PRIu64 " %12" PRIu64 " %14" PRIu64 "\n", l.from, l.to,
                l.created, l.executed, l.entries_sent, l.entries_received, l.bytes_sent);
  }
  return text + more(links.size(), rows);
}

std::string policies_text(std::vector<statistics::policy> const& policies, std::size_t rows) {
  if (policies.empty()) return {};
  std::string text = row("  %14s %12s %10s  %s\n", "looked up", "hits", "", "policy");
  for (std::size_t i = 0; i < policies.size() && i < rows; ++i) {
    auto const& one = policies[i];
    double const part = 100.0 * static_cast<double>(one.hits) / static_cast<double>(std::max(one.looked_up, 1ul));
    text += row("  %14" PRIu64 " %12" PRIu64 " %9.1f%%  ", one.looked_up, one.hits, part) + one.name + "\n";
  }
  return text + more(policies.size(), rows);
}

std::string handler_text(std::size_t number) {
  if (number == 0) return "methods named by pointers";
  detail::handler_entry const* const entry = detail::find_handler(static_cast<std::uint32_t>(number));
  return entry == nullptr ? "unknown" : detail::readable(entry->name);
}

void add_handlers(std::vector<statistics::handler>& to, std::vector<detail::handler_counts> const& counts) {
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i].runs == 0) continue;
    std::string name = handler_text(i);
    auto const same = [&](auto const& one) { return one.name == name; };
    auto const at = std::find_if(to.begin(), to.end(), same);  // a method is called by several kinds of request
    auto& sum = at != to.end() ? *at : to.emplace_back(statistics::handler{std::move(name)});
    sum.runs += counts[i].runs;
    sum.requests += counts[i].requests;
  }
  std::stable_sort(to.begin(), to.end(), [](auto const& a, auto const& b) { return a.requests > b.requests; });
}

}  // namespace

char const* name(flush_reason why) noexcept {
  constexpr std::array<char const*, detail::flush_reasons> names{"full",   "idle",  "credit",  "urgent", "asked",
                                                                 "by age", "fence", "answers", "budget"};
  auto const at = static_cast<std::size_t>(why);
  return at < names.size() ? names[at] : "unknown";
}

std::string statistics::text(std::size_t rows) const {
  std::string text = handlers_text(handlers, rows) + links_text(links, rows) + policies_text(policies, rows);
  text += "  buffers handed on:";
  for (std::size_t i = 0; i < flushes.size(); ++i)
    text +=
        std::string(i == 0 ? " " : ", ") + sheaf::name(static_cast<flush_reason>(i)) + " " + std::to_string(flushes[i]);
  return text + "\n  at most: " + std::to_string(most.reserve_bytes) + " bytes held back, " +
         std::to_string(most.overflow_buffers) + " buffers without credit, " + std::to_string(most.open_buffers) +
         " buffers open with " + std::to_string(most.open_bytes) + " bytes, " + std::to_string(most.held_entries) +
         " entries held, " + std::to_string(most.nested_waits) + " methods waiting; reserve raised " +
         std::to_string(reserve_raises) + " times" +
         (passed_on == 0 ? "" : "; " + std::to_string(passed_on) + " requests of others passed on") + "\n";
}

statistics detail::reports::statistics() const {
  admission const inside(here_.gate_);
  sheaf::statistics s;
  s.reserve_raises = out_.held.raises;
  s.passed_on = out_.routes.passed_on;
  if (!detail::insight) return s;
  auto const& counts = out_.counts;
  add_handlers(s.handlers, counts.handlers());
  std::uint32_t const own = number(here_.id());
  counts.links().each([&](std::uint32_t peer, detail::link_counts const& c) {
    bool const both = peer == own;
    if (c.created != 0 || c.entries_sent != 0) {
      s.links.push_back({own, peer, c.created, both ? c.executed : 0, c.entries_sent, both ? c.entries_received : 0,
                         c.bytes_sent, both ? c.bytes_received : 0});
    }
    if (!both && (c.executed != 0 || c.entries_received != 0))
      s.links.push_back({peer, own, 0, c.executed, 0, c.entries_received, 0, c.bytes_received});
  });
  detail::location_counts of_policies;
  of_policies.policies = counts.policies;
  for (detail::source const* const each : out_.sources()) each->tell(of_policies);
  s.policies = std::move(of_policies.policies);
  std::ranges::sort(s.policies, {}, &statistics::policy::name);
  std::ranges::sort(s.links, {}, [](auto const& link) { return std::pair(link.from, link.to); });
  s.flushes = counts.flushes;
  s.most = counts.most;
  s.most.open_bytes += here_.endpoint_.counts().packets_high;
  return s;
}

void detail::location_counts::policy(std::string const& name, std::uint64_t looked_up, std::uint64_t hits) {
  auto const at = std::ranges::find(policies, name, &statistics::policy::name);
  auto& sum = at != policies.end() ? *at : policies.emplace_back(statistics::policy{name});
  sum.looked_up += looked_up;
  sum.hits += hits;
}

/// Whether buffers left early for others' room, and what budget would let each destination that was used have its own.
std::string detail::sender::explain_budget() const {
  if (!insight) return "";
  std::uint64_t const early = counts.flushes[static_cast<std::size_t>(flush_reason::budget)];
  std::uint64_t const packets = net.counts().packets_for_room;
  if (early + packets == 0) return "";
  std::size_t wanted = 0, wanted_packets = 0;
  std::uint32_t const lanes = net.lanes();
  std::uint32_t last = ~0u;
  for (std::uint32_t const dest : counts.links().sorted_keys()) {
    wanted += std::size_t{2} * own_[0].sizes_for(dest).capacity;
    bool const first =
        net.tells_near() && !net.near(location_id{dest}) && std::exchange(last, dest / lanes) != dest / lanes;
    wanted_packets += first ? settings.buffer_bytes : 0;
  }
  wanted = std::max(wanted, wanted_packets);
  std::size_t const shares = budget_shares(settings.transport, net.size(), lanes);
  return std::to_string(early) + " buffers" + (packets == 0 ? "" : " and " + std::to_string(packets) + " packets") +
         " were sent early, since others needed their room: this location may fill " + std::to_string(share_) +
         " bytes of buffers at a time, its share of SHEAF_BUFFER_BUDGET_BYTES (" +
         std::to_string(settings.buffer_budget) + "); two for each destination it uses are " + std::to_string(wanted) +
         ": set SHEAF_BUFFER_BUDGET_BYTES to " + std::to_string(wanted * shares) +
         " or more, or a smaller SHEAF_BUFFER_BYTES\n";
}

/// A line for the path, and one for each destination that requests were sent to in one hop.
std::string detail::sender::explain() const {
  admission const inside(here.gate());
  std::vector<outbox const*> boxes;
  stream const& requests = own_[0];
  std::string text = routes.explain();
  requests.each_box([&](outbox const& box) {
    link_counts const* const known = counts.links().find(box.dest);
    bool const sent =
        insight ? known != nullptr && known->created != 0 : box.threshold != requests.sizes_for(box.dest).first;
    if (sent || box.data != nullptr) boxes.push_back(&box);
  });
  std::sort(boxes.begin(), boxes.end(), [](auto const* a, auto const* b) { return a->dest < b->dest; });
  for (outbox const* const box : boxes) {
    buffer_sizes const& its = requests.sizes_for(box->dest);
    std::uint32_t growths = 0;
    for (std::uint32_t at = its.first; at < box->threshold; at = std::min(grown(at), its.most)) ++growths;
    text += "requests to location " + std::to_string(box->dest) + (net.near(location_id{box->dest}) ? " (near)" : "") +
            ": buffers are handed over at " + std::to_string(box->threshold) + " bytes: from " +
            std::to_string(its.first) + ", grown by " + std::to_string(growths) +
            " full buffers since this location last had nothing to do, to at most " + std::to_string(its.most) + "; " +
            (box->data == nullptr ? "none is open" : std::to_string(box->used()) + " bytes are in an open one") +
            (box->blocked ? "; full ones wait for credit" : "") + "\n";
  }
  return text + explain_budget();
}

}  // namespace sheaf
