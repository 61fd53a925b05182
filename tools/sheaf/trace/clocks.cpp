// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/trace/clocks.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "sheaf/trace/traced_job.hpp"

namespace sheaf::tool {
namespace {

constexpr std::int64_t unbounded = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t least_bound = -(std::int64_t{1} << 60);  // where clocks ran apart sums fall without end

/// For each ordered pair of clocks, by how much the shift of the first may exceed that of the second.
class bounds {
 public:
  explicit bounds(std::size_t clocks) : clocks_(clocks), most_(clocks * clocks, unbounded) {
    for (std::size_t i = 0; i < clocks; ++i) at(i, i) = 0;
  }
  std::int64_t& at(std::size_t a, std::size_t b) { return most_[a * clocks_ + b]; }

  /// By way of others, too (Floyd and Warshall).
  void close() {
    for (std::size_t via = 0; via < clocks_; ++via) {
      for (std::size_t a = 0; a < clocks_; ++a) close_row(a, via);
    }
  }

 private:
  void close_row(std::size_t a, std::size_t via) {
    std::int64_t const first = at(a, via);
    if (first == unbounded) return;
    for (std::size_t b = 0; b < clocks_; ++b) {
      std::int64_t const second = at(via, b);
      if (second != unbounded) at(a, b) = std::min(at(a, b), std::max(first + second, least_bound));
    }
  }

  std::size_t clocks_;
  std::vector<std::int64_t> most_;
};

/// The clock of each location of the job's list; the lowest location's is 0.
std::vector<std::size_t> clocks_of(traced_job const& job, std::size_t& count) {
  std::map<std::string, std::size_t> known;
  std::vector<std::size_t> all;
  for (traced_location const& l : job.locations) {
    all.push_back(known.try_emplace(job.origin_of(l).clock, known.size()).first->second);
  }
  count = known.size();
  return all;
}

/// Calls visit(place of the location, event) for each event of this kind.
template <class Visit>
void each_event(traced_job const& job, trace_event kind, Visit visit) {
  for (std::size_t i = 0; i < job.locations.size(); ++i) {
    event_reader events(job.locations[i], job.size);
    for (traced_event e; events.next(e);) {
      if (e.what == kind) visit(i, e);
    }
  }
}

/// What entries say that crossed from one clock to another.
bounds measure(traced_job const& job, std::vector<std::size_t> const& clocks, std::size_t count) {
  bounds all(count);
  entry_pairs pairs(job);
  struct departure {
    std::size_t clock = 0;
    std::uint64_t time = 0;
  };
  std::vector<departure> sent(pairs.size());
  each_event(job, trace_event::sent, [&](std::size_t i, traced_event const& e) {
    std::uint64_t const pair = pairs.of_sent(job.locations[i].number, e);
    if (pair != entry_pairs::none) sent[pair] = {clocks[i], e.time};
  });
  each_event(job, trace_event::received, [&](std::size_t i, traced_event const& e) {
    std::uint64_t const pair = pairs.of_received(job.locations[i].number, e);
    if (pair == entry_pairs::none || sent[pair].clock == clocks[i]) return;
    std::int64_t& most = all.at(sent[pair].clock, clocks[i]);
    most = std::min(most, static_cast<std::int64_t>(e.time - sent[pair].time));
  });
  all.close();
  return all;
}

/// The shift of one clock; a note says how good it is.
std::int64_t shift_of(traced_job& job, std::size_t clock, traced_location const& one, bounds& all) {
  std::int64_t const most = all.at(clock, 0);
  std::int64_t const least = all.at(0, clock) == unbounded ? unbounded : -all.at(0, clock);
  std::string const who =
      "the clock of host " + job.origin_of(one).host + " (location " + std::to_string(one.number) + ") ";
  if (most == unbounded && least == unbounded) {
    job.notes.push_back(who + "cannot be compared: nothing was recorded both ways; both begin at the same time here");
    return static_cast<std::int64_t>(job.locations[0].began - one.began);
  }
  if (most == unbounded || least == unbounded) {
    job.notes.push_back(who + "can only be bounded from one side");
    return most == unbounded ? least : most;
  }
  std::int64_t const apart = most - least;
  job.notes.push_back(apart >= 0 ? who + "is shifted, exact to " + std::to_string(apart / 2) + " ns"
                                 : who + "ran apart from that of location " + std::to_string(job.locations[0].number) +
                                       ": entries seem to arrive up to " + std::to_string(-apart / 2) +
                                       " ns before they were sent");
  return least + apart / 2;
}

}  // namespace

void compare_clocks(traced_job& job) {
  std::size_t count = 0;
  std::vector<std::size_t> const clocks = clocks_of(job, count);
  if (count < 2) return;
  bounds all = measure(job, clocks, count);
  std::vector<std::int64_t> shifts(count, 0);
  std::vector<bool> known(count, false);
  known[0] = true;
  for (std::size_t i = 0; i < clocks.size(); ++i) {
    if (!known[clocks[i]]) shifts[clocks[i]] = shift_of(job, clocks[i], job.locations[i], all);
    known[clocks[i]] = true;
    job.locations[i].shift = shifts[clocks[i]];
  }
}

}  // namespace sheaf::tool
