// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sheaf_test {

/// What all locations of one simulated job did, and the invariants that it must show. A violation throws where it
/// happens.
class rmi_trace {
 public:
  struct violation : std::logic_error {
    using std::logic_error::logic_error;
  };

  /// Keeps the first violation for `check`, whoever catches it.
  [[noreturn]] void fail(std::string const& text) const {
    if (failure_.empty()) failure_ = text;
    throw violation(text);
  }

  /// A call that issues a request begins. Order is promised between calls of which one ends before the other begins.
  std::uint32_t begin_issue(std::uint32_t from, std::uint32_t to, std::uint32_t team, std::uint32_t phase) {
    pair& p = pairs_[{from, to}];
    requests_.push_back({&p, team, phase, p.ended, 0, false, false});
    ++open_[{team, phase}];
    return static_cast<std::uint32_t>(requests_.size());
  }
  /// The call has returned.
  void end_issue(std::uint32_t id) {
    request& r = of(id);
    r.place = r.of->ended++;
    r.issued = true;
    r.of->started.push_back(r.starts != 0);
  }
  /// The call has thrown, and nothing was sent.
  void withdraw(std::uint32_t id) {
    request& r = of(id);
    if (r.starts != 0) fail("a request was sent although its call threw before sending");
    --open_[{r.team, r.phase}];
    r.withdrawn = true;
  }

  void start(std::uint32_t id, std::uint32_t location) {
    request& r = of(id);
    if (++r.starts != 1) fail("request " + std::to_string(id) + " is executed twice");
    if (r.withdrawn) fail("request " + std::to_string(id) + " was never sent");
    pair& p = *r.of;
    if (r.issued) p.started[r.place] = true;
    while (p.low < p.started.size() && p.started[p.low]) ++p.low;
    if (p.low < r.ended_before) fail("request " + std::to_string(id) + " overtook one issued before it");
    enter(location);
  }
  void finish(std::uint32_t id, std::uint32_t location) {
    request const& r = of(id);
    leave(location);
    --open_[{r.team, r.phase}];
  }

  /// A continuation is due in this team and phase; it runs as a handler.
  void promise(std::uint32_t team, std::uint32_t phase) { ++open_[{team, phase}]; }
  void keep(std::uint32_t team, std::uint32_t phase) { --open_[{team, phase}]; }

  void enter(std::uint32_t location) {
    auto& running = running_[location];
    if (!running.empty() && !running.back()) fail("a handler runs inside another that does not wait");
    running.push_back(false);
  }
  void leave(std::uint32_t location) { running_[location].pop_back(); }
  /// The innermost handler of the location, if any, begins or ends a wait.
  void wait(std::uint32_t location, bool yes) {
    if (!running_[location].empty()) running_[location].back() = yes;
  }

  void threw(std::uint32_t team, std::uint32_t phase) { ++thrown_[{team, phase}]; }
  /// Exceptions of asynchronous requests of a team with phases from `after` + 1 to `upto`.
  [[nodiscard]] std::uint64_t thrown(std::uint32_t team, std::int64_t after, std::int64_t upto) const {
    std::uint64_t count = 0;
    for (auto const& [key, n] : thrown_) {
      if (key.first == team && std::int64_t{key.second} > after && std::int64_t{key.second} <= upto) count += n;
    }
    return count;
  }

  /// A fence of the team has returned on some member.
  void fenced(std::uint32_t team, std::uint32_t phase) const {
    for (auto const& [key, open] : open_) {
      if (open == 0 || key.second > phase || (team != 0 && key.first != team)) continue;
      fail("a fence of team " + std::to_string(team) + " returned in phase " + std::to_string(phase) + " with " +
           std::to_string(open) + " requests of team " + std::to_string(key.first) + " and phase " +
           std::to_string(key.second) + " left");
    }
  }

  [[nodiscard]] std::size_t requests() const { return requests_.size(); }

  /// What is wrong at the end, or nothing.
  [[nodiscard]] std::string check() const {
    if (!failure_.empty()) return failure_;
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      if (requests_[i].starts != (requests_[i].withdrawn ? 0u : 1u)) {
        return "request " + std::to_string(i + 1) + " was executed " + std::to_string(requests_[i].starts) + " times";
      }
    }
    return {};
  }

 private:
  struct pair {
    std::uint32_t ended = 0;    ///< calls that have returned
    std::vector<bool> started;  ///< by place among them
    std::uint32_t low = 0;      ///< all before it have started
  };
  struct request {
    pair* of;
    std::uint32_t team;
    std::uint32_t phase;
    std::uint32_t ended_before;  ///< calls that had returned when its own began
    std::uint32_t place;         ///< among those that have returned
    bool issued;
    bool withdrawn;
    unsigned starts = 0;
  };
  request& of(std::uint32_t id) {
    if (id == 0 || id > requests_.size()) fail("request " + std::to_string(id) + " does not exist");
    return requests_[id - 1];
  }

  mutable std::string failure_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, pair> pairs_;
  std::vector<request> requests_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> open_;    // by team and phase
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> thrown_;  // by team and phase
  std::map<std::uint32_t, std::vector<bool>> running_;  // per location: the handlers on its stack; true: waits
};

}  // namespace sheaf_test
