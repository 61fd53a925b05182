// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/wait_reports.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace sheaf::detail {
namespace {

using reports = std::vector<location_report>;

constexpr std::size_t most_named = 16;
constexpr std::size_t most_locations = 16;
constexpr std::size_t most_pairs = 16;

/// With the verb that fits, of these two.
std::string named(std::vector<std::uint32_t> const& locations, char const* one, char const* several) {
  bool const single = locations.size() == 1;
  return (single ? "location " : "locations ") + listed(locations) + (single ? one : several);
}

/// Reports are in the order of locations; some may be missing.
location_report const* find(reports const& all, std::uint32_t location) {
  auto const at = std::ranges::lower_bound(all, location, {}, &location_report::location);
  return at == all.end() || at->location != location ? nullptr : &*at;
}

/// What a location has told of a team; one that has not named it has begun nothing.
team_report team_of(location_report const& one, std::uint32_t id) {
  auto const at = std::ranges::find(one.teams, id, &team_report::id);
  return at == one.teams.end() ? team_report() : *at;
}

/// Members of whom `is_so(its team, mine)` holds.
std::vector<std::uint32_t> members_that(location_report const& waiting, wait_report const& in, reports const& all,
                                        auto is_so) {
  std::vector<std::uint32_t> list;
  team_report const mine = team_of(waiting, in.team);
  for (std::uint32_t const member : in.those) {
    location_report const* const other = find(all, member);
    if (other != nullptr && is_so(team_of(*other, in.team), mine)) list.push_back(member);
  }
  return list;
}

/// Members that have not come to the operation in which this one waits.
std::vector<std::uint32_t> absent(location_report const& waiting, wait_report const& in, reports const& all) {
  return members_that(waiting, in, all, [](auto const& its, auto const& mine) { return its.begun < mine.begun; });
}

/// What a fence in which all members are still waits for.
std::string still_open(wait_report const& in, reports const& all) {
  std::uint64_t sent = 0, executed = 0, awaited = 0;
  for (std::uint32_t const member : in.those) {
    location_report const* const other = find(all, member);
    team_report const its = other == nullptr ? team_report() : team_of(*other, in.team);
    sent += its.sent;
    executed += its.executed;
    awaited += its.awaited;
  }
  return "; of the team's requests, " + std::to_string(sent) + " were sent and " + std::to_string(executed) +
         " executed, and " + std::to_string(awaited) + " wait for answers";
}

std::string whom(location_report const& one, wait_report const& wait, reports const& all, bool complete) {
  if (wait.team == wait_report::nobody || all.size() < 2) return "";
  auto const missing = absent(one, wait, all);
  auto const others = members_that(one, wait, all, [](auto const& its, auto const& mine) {
    return its.begun == mine.begun && its.mark != mine.mark;  // they called another operation, or others before it
  });
  if (!others.empty()) return "; " + named(others, " calls", " call") + " another operation";
  if (missing.empty() && !complete) return "";
  if (missing.empty()) return "; all members are in it" + (wait.on_requests ? still_open(wait, all) : "");
  return "; " + named(missing, " has", " have") + " not come to it";
}

/// Looks for a cycle of innermost waits and of coroutines, depth first. An edge leads to the coroutine that was called,
/// if it is known, else to each location that alone, or as one of several, could end the wait.
class cycle_search {
 public:
  struct node {
    location_report const* of;
    wait_report const* wait;
    call_report call;
  };

  cycle_search(reports const& all, bool methods_only) : all_(all), methods_only_(methods_only) {
    for (location_report const& one : all) {
      innermost_.push_back(one.waits.empty() ? none : nodes_.size());
      if (!one.waits.empty()) add(one, one.waits.back());
      for (wait_report const& wait : one.suspended) add(one, wait);
    }
    state_.resize(nodes_.size());
  }

  /// Those along a cycle; empty: there is none.
  std::vector<node> run() {
    for (std::size_t i = 0; i < nodes_.size() && cycle_.empty(); ++i) visit(i);
    return cycle_;
  }

 private:
  enum class mark : unsigned char { fresh, open, done };
  static constexpr std::size_t none = ~std::size_t{0};

  void add(location_report const& one, wait_report const& wait) {
    for (call_report const& call : wait.calls) {
      if (call.answers != 0) answering_[{call.caller, call.answers}] = nodes_.size();
      nodes_.push_back({&one, &wait, call});
    }
    if (wait.calls.empty()) nodes_.push_back({&one, &wait, {}});
  }

  std::vector<std::size_t> next_of(node const& from) const {
    auto const called = answering_.find({from.of->location, from.call.awaits});
    if (called != answering_.end()) return {called->second};
    std::vector<std::size_t> next;
    if (from.wait->on_anybody && !methods_only_) return next;
    if (from.wait->on_anybody) {
      bool others = false;
      for (std::size_t i = 0; i < all_.size(); ++i) {
        others |= !all_[i].suspended.empty();
        if (&all_[i] != from.of && innermost_[i] != none && takes_part(innermost_[i])) next.push_back(innermost_[i]);
      }
      if (others || next.size() > 1) next.clear();  // any of several could have ended it, so none is to blame
      return next;
    }
    auto others = absent(*from.of, *from.wait, all_);
    if (from.wait->on != wait_report::nobody) others.push_back(from.wait->on);
    for (std::uint32_t const location : others) {
      location_report const* const one = find(all_, location);
      std::size_t const its = one == nullptr ? none : innermost_[static_cast<std::size_t>(one - all_.data())];
      if (its != none) next.push_back(its);
    }
    return next;
  }
  bool takes_part(std::size_t i) const { return !methods_only_ || !nodes_[i].wait->in.empty(); }

  /// Depth first without recursion: a chain may be as long as there are locations.
  void visit(std::size_t first) {
    struct step {
      std::size_t at;
      std::vector<std::size_t> next;
    };
    std::vector<step> path;
    auto const enter = [&](std::size_t at) {
      if (!takes_part(at) || state_[at] != mark::fresh) return;
      state_[at] = mark::open;
      path.push_back({at, next_of(nodes_[at])});
    };
    enter(first);
    while (!path.empty()) {
      auto& [at, next] = path.back();
      if (next.empty()) {
        state_[at] = mark::done;
        path.pop_back();
        continue;
      }
      std::size_t const to = next.back();
      next.pop_back();
      if (state_[to] == mark::open) {
        auto const begin = std::find_if(path.begin(), path.end(), [to](step const& s) { return s.at == to; });
        for (auto i = begin; i != path.end(); ++i) cycle_.push_back(nodes_[i->at]);
        return;
      }
      enter(to);
    }
  }

  reports const& all_;
  bool const methods_only_;
  std::vector<node> nodes_;
  std::vector<std::size_t> innermost_;  // of each report, the node of its innermost wait
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::size_t> answering_;
  std::vector<mark> state_;
  std::vector<node> cycle_;
};

std::string cycle_text(reports const& all) {
  bool methods = true;
  auto cycle = cycle_search(all, methods).run();
  if (cycle.empty()) cycle = cycle_search(all, methods = false).run();
  if (cycle.empty()) return "";
  std::string text = methods ? "\n  a cycle of waiting methods: " : "\n  a cycle of waits: ";
  for (std::size_t i = 0; i < cycle.size() && i < most_named; ++i) {
    auto const& [of, wait, call] = cycle[i];
    text += "location " + std::to_string(of->location);
    if (!wait->in.empty()) text += " (" + wait->in + ")";
    text += " waits for ";
  }
  if (cycle.size() > most_named)
    text += std::to_string(cycle.size() - most_named) + " more, of which the last waits for ";
  return text + "location " + std::to_string(cycle[0].of->location);
}

struct pair_counts {
  std::uint32_t from = 0;
  link_report to;
  bool whole = false;  // the counts of the destination are known
};

/// The counts of both ends of each pair, those that differ first.
std::vector<pair_counts> pairs_of(reports const& all) {
  std::vector<pair_counts> pairs;
  for (location_report const& origin : all) {
    for (link_report const& link : origin.links) {
      if (link.created == 0) continue;
      location_report const* const dest = find(all, link.peer);
      pair_counts& pair = pairs.emplace_back(pair_counts{origin.location, link, dest != nullptr});
      pair.to.received = pair.to.executed = 0;
      if (dest == nullptr) continue;
      auto const its = std::ranges::find(dest->links, origin.location, &link_report::peer);
      if (its == dest->links.end()) continue;
      pair.to.received = its->received;
      pair.to.executed = its->executed;
    }
  }
  std::stable_partition(pairs.begin(), pairs.end(), [](auto const& p) { return p.to.created != p.to.executed; });
  return pairs;
}

std::string pairs_text(reports const& all) {
  auto const pairs = pairs_of(all);
  std::string text;
  for (std::size_t i = 0; i < pairs.size() && i < most_pairs; ++i) {
    auto const& [from, to, whole] = pairs[i];
    text += "\n  requests from location " + std::to_string(from) + " to " + std::to_string(to.peer) + ": " +
            std::to_string(to.created) + " created, " + std::to_string(to.sent) + " sent";
    if (whole) text += ", " + std::to_string(to.received) + " received, " + std::to_string(to.executed) + " executed";
  }
  if (pairs.size() > most_pairs) text += "\n  and " + std::to_string(pairs.size() - most_pairs) + " more pairs";
  return text;
}

}  // namespace

std::string listed(std::vector<std::uint32_t> const& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size() && i < most_named; ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(numbers[i]);
  if (numbers.size() > most_named) text += " and " + std::to_string(numbers.size() - most_named) + " more";
  return text;
}

std::string waits_text(location_report const& one, reports const& all, bool complete) {
  std::string const self = "\n  location " + std::to_string(one.location);
  std::string text;
  for (wait_report const& wait : one.waits)
    text += self + (wait.in.empty() ? "" : ", in " + wait.in + ",") + " waits in " + wait.text +
            whom(one, wait, all, complete);
  for (wait_report const& wait : one.suspended) {
    text += self + ", in " + wait.in + ", waits in " + wait.text;
    if (wait.count > 1) text += "; " + std::to_string(wait.count) + " coroutines wait so";
  }
  if (one.more_suspended != 0)
    text += self + " has " + std::to_string(one.more_suspended) + " more coroutines that wait";
  return text + one.kept;
}

std::string own_state_text(location_report const& one) {
  std::string const polls = one.waits.empty() ? "\n  location " + std::to_string(one.location) + " polls" : "";
  return "sheaf: asked by a signal:" + polls + waits_text(one, {}) + pairs_text({one}) + "\n";
}

std::string job_state_text(reports all) {
  std::vector<std::uint32_t> silent;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (all[i].asked == 0) silent.push_back(i);
  }
  std::string text = "sheaf: asked by a signal, the whole job of " + std::to_string(all.size()) + " locations:";
  std::erase_if(all, [](location_report const& one) { return one.asked == 0; });
  text += text_of_waits(all, silent.empty());
  for (location_report const& one : all) {
    if (one.waits.empty()) text += "\n  location " + std::to_string(one.location) + " polls";
  }
  if (!silent.empty()) {
    text += "\n  " + named(silent, " has", " have") +
            " not come to a wait or a poll since: " + (silent.size() == 1 ? "it computes" : "they compute");
  }
  return text + "\n";
}

bool all_stand_behind_held(std::vector<location_report> const& all) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> missing;  // by origin and destination, modulo 2^64
  for (location_report const& one : all) {
    if (one.passes_on) return false;
    for (link_report const& link : one.links) {
      missing[{one.location, link.peer}] += link.sent;
      missing[{link.peer, one.location}] -= link.received;
    }
  }
  return std::all_of(missing.begin(), missing.end(), [&](auto const& pair) {
    auto const& [from, to] = pair.first;
    if (pair.second == 0) return true;
    location_report const* const dest = find(all, to);
    return dest != nullptr && std::ranges::find(dest->stalled, from) != dest->stalled.end();
  });
}

std::string text_of_waits(reports const& all, bool complete) {
  std::string text;
  std::size_t const told = std::min(all.size(), most_locations);
  for (std::size_t i = 0; i < told; ++i) text += waits_text(all[i], all, complete);
  if (told < all.size()) text += "\n  and " + std::to_string(all.size() - told) + " more locations";
  return text + cycle_text(all) + pairs_text(all);
}

}  // namespace sheaf::detail
