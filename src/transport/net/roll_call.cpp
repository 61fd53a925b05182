// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/roll_call.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/modules.hpp"
#include "sheaf/base/error.hpp"

namespace sheaf::net {
namespace {

std::string describe(std::span<presence const> all, std::size_t rank) {
  return "MPI rank " + std::to_string(rank) + " " + host_and_process(all[rank]);
}

/// A setting that all processes must have alike.
struct common_setting {
  char const* variable;
  std::uint64_t (*value)(presence const&);
  std::string (*shown)(std::uint64_t) = [](std::uint64_t v) { return std::to_string(v); };
};

constexpr common_setting common_settings[] = {
    {"SHEAF_THREADS", [](presence const& p) -> std::uint64_t { return p.threads; }},
    {"SHEAF_BUFFER_BYTES", [](presence const& p) -> std::uint64_t { return p.buffer_bytes; }},
    {"SHEAF_BUFFER_BUDGET_BYTES", [](presence const& p) -> std::uint64_t { return p.buffer_budget; }},
    {"options::ring_slots", [](presence const& p) -> std::uint64_t { return p.ring_slots; }},
    {"SHEAF_WINDOW", [](presence const& p) -> std::uint64_t { return p.window; }},
    {"SHEAF_HEARTBEAT_LIMIT_S", [](presence const& p) -> std::uint64_t { return p.heartbeat_limit; },
     [](std::uint64_t v) { return v == options::of_transport ? "no value" : std::to_string(v); }},
    {"SHEAF_TRACE (0: not set)", [](presence const& p) -> std::uint64_t { return p.traced; }},
    {"SHEAF_STATISTICS", [](presence const& p) -> std::uint64_t { return p.statistics; }},
};

}  // namespace

std::string host_and_process(presence const& p) {
  return "(host " + std::string(p.host, strnlen(p.host, sizeof p.host)) + ", process " + std::to_string(p.process) +
         ")";
}

std::string locations_of(std::span<presence const> all, std::uint32_t process) {
  std::uint32_t const threads = all[process].threads;
  std::uint32_t const first = process * threads;
  std::string const which = threads == 1
                                ? "location " + std::to_string(first)
                                : "locations " + std::to_string(first) + " to " + std::to_string(first + threads - 1);
  return which + " " + host_and_process(all[process]);
}

bool same_host(presence const& a, presence const& b) { return std::memcmp(a.host, b.host, sizeof a.host) == 0; }

presence own_presence(limits const& l, std::size_t buffer_bytes, std::uint32_t threads) {
  presence p;
  p.threads = threads;
  p.build = detail::build_identity();
  p.buffer_bytes = buffer_bytes;
  p.ring_slots = l.ring_slots;
  p.window = l.window;
  p.process = static_cast<std::uint32_t>(getpid());
  gethostname(p.host, sizeof p.host - 1);
  sched_getaffinity(0, sizeof p.cores, &p.cores);
  return p;
}

std::vector<presence> call_roll(bootstrap& job, presence own, std::string const& problem) {
  own.refuses = problem.empty() ? 0 : 1;
  std::vector<presence> all(job.size());
  job.exchange(std::as_bytes(std::span(&own, 1)), std::as_writable_bytes(std::span(all)));
  auto const refuses = [](presence const& p) { return p.refuses != 0; };
  auto const first = std::find_if(all.begin(), all.end(), refuses) - all.begin();
  if (first == std::ssize(all)) return all;

  using text = std::array<char, 512>;
  text mine{};
  problem.copy(mine.data(), mine.size() - 1);
  std::vector<text> texts(all.size());
  job.exchange(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(texts)));
  if (!problem.empty()) throw option_error(problem);
  auto const rank = static_cast<std::size_t>(first);
  throw option_error("sheaf: " + describe(all, rank) +
                     " cannot take part: " + std::string(without_prefix(texts[rank].data())));
}

std::string disagreement(std::span<presence const> all) {
  for (std::size_t i = 1; i < all.size(); ++i) {
    std::string const both = describe(all, 0) + " and " + describe(all, i);
    if (all[i].build != all[0].build) {
      return both + " run different builds: start the same program file with the same libsheaf on every host";
    }
    for (common_setting const& each : common_settings) {
      std::uint64_t const first = each.value(all[0]), other = each.value(all[i]);
      if (first == other) continue;
      return both + " have different settings: " + each.variable + " gives " + each.shown(first) + " and " +
             each.shown(other) + "; let the launcher pass the SHEAF_* variables to every host";
    }
  }
  return {};
}

options agreed(options settings, std::span<presence const> all) {
  for (presence const& p : all) {
    if (p.fence_form == static_cast<std::uint32_t>(fence_form_kind::tree)) settings.fence_form = fence_form_kind::tree;
    settings.tree_arity = std::max(settings.tree_arity, p.tree_arity);
  }
  return settings;
}

bool crowded(std::span<presence const> all, std::uint32_t self) {
  cpu_set_t cores{};
  std::uint32_t locations = 0;
  for (presence const& p : all) {
    if (!same_host(p, all[self])) continue;
    locations += p.threads;
    CPU_OR(&cores, &cores, &p.cores);
  }
  return locations > static_cast<std::uint32_t>(CPU_COUNT(&cores));
}

std::vector<int> own_cores(std::span<presence const> all, std::uint32_t self) {
  presence const& own = all[self];
  std::uint32_t before = 0;  // locations that share our cores and come first
  std::uint32_t sharing = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    cpu_set_t common{};
    CPU_AND(&common, &all[i].cores, &own.cores);
    if (!same_host(all[i], own) || CPU_COUNT(&common) == 0) continue;
    if (CPU_EQUAL(&all[i].cores, &own.cores) == 0) return {};
    sharing += all[i].threads;
    before += i < self ? all[i].threads : 0;
  }
  std::vector<int> allowed;
  for (std::size_t core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &own.cores) != 0) allowed.push_back(static_cast<int>(core));
  }
  std::vector<int> chosen;
  for (std::uint32_t i = before; i < before + own.threads; ++i) {
    chosen.push_back(allowed[sharing <= allowed.size() ? i : i * allowed.size() / sharing]);
  }
  return chosen;
}

}  // namespace sheaf::net
