// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/trace/summary.hpp"

#include <algorithm>
#include <iomanip>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sheaf/trace/words.hpp"

namespace sheaf::tool {
namespace {

using named = detail::trace_log::named;

/// The same thing on all locations.
std::vector<named> over_all(traced_job const& job) {
  std::map<std::pair<trace_event, std::string>, named> sums;
  for (traced_location const& l : job.locations) {
    for (named const& n : l.names) {
      named& sum = sums.try_emplace({n.what, n.text}, named{n.what, n.text}).first->second;
      sum.times += n.times;
      sum.requests += n.requests;
      sum.total_ns += n.total_ns;
      sum.self_ns += n.self_ns;
    }
  }
  std::vector<named> all;
  for (auto& [key, sum] : sums) all.push_back(std::move(sum));
  std::stable_sort(all.begin(), all.end(), [](named const& a, named const& b) {
    return std::pair(a.self_ns, a.times) > std::pair(b.self_ns, b.times);
  });
  return all;
}

void write_line(named const& n, std::ostream& to) {
  bool const lasts = n.what != trace_event::mark;
  to << std::setw(10) << (lasts ? short_time(n.self_ns) : "") << std::setw(10) << (lasts ? short_time(n.total_ns) : "")
     << std::setw(10) << short_number(n.times) << std::setw(10)
     << (n.what == trace_event::run ? short_number(n.requests) : "") << "  " << std::setw(12) << std::left
     << word_of(n.what) << std::right << ' ' << shown_name(n) << '\n';
}

void write_names(traced_job const& job, std::size_t most, std::ostream& to) {
  std::vector<named> const all = over_all(job);
  to << "\n      self     total     times  requests\n";
  for (std::size_t i = 0; i < std::min(most, all.size()); ++i) write_line(all[i], to);
  if (all.size() > most) to << "  ... and " << all.size() - most << " more (--top)\n";
  to << "self: not in what it contained; times of all locations added; a run is requests executed without a break\n";
}

/// One number of every location, and how uneven it is.
class spread {
 public:
  void add(std::uint32_t location, std::uint64_t value) {
    sum_ += value;
    ++count_;
    if (count_ == 1 || value > most_) most_ = value, most_at_ = location;
    if (count_ == 1 || value < least_) least_ = value, least_at_ = location;
  }
  void write(char const* what, std::string (*shown)(std::uint64_t), std::ostream& to) const {
    double const mean = static_cast<double>(sum_) / static_cast<double>(count_);
    double const ratio = mean == 0 ? 1 : static_cast<double>(most_) / mean;
    to << std::setw(20) << std::left << what << std::right << std::setw(10) << shown(static_cast<std::uint64_t>(mean))
       << std::setw(10) << shown(least_) << " (" << least_at_ << ')' << std::setw(10) << shown(most_) << " ("
       << most_at_ << ')' << std::setw(9) << std::fixed << std::setprecision(2) << ratio << '\n';
  }

 private:
  std::uint64_t sum_ = 0;
  std::uint64_t count_ = 0;
  std::uint64_t most_ = 0;
  std::uint64_t least_ = 0;
  std::uint32_t most_at_ = 0;
  std::uint32_t least_at_ = 0;
};

void write_balance(traced_job const& job, std::ostream& to) {
  spread executing, waiting, requests, bytes;
  for (traced_location const& l : job.locations) {
    std::uint64_t run = 0, wait = 0, count = 0, sent = 0;
    for (named const& n : l.names) {
      if (n.what == trace_event::run || n.what == trace_event::continuation) run += n.self_ns;
      if (n.what == trace_event::wait) wait += n.self_ns;
      count += n.requests;
    }
    for (auto const& p : l.peers) sent += p.bytes_sent[0] + p.bytes_sent[1];
    executing.add(l.number, run);
    waiting.add(l.number, wait);
    requests.add(l.number, count);
    bytes.add(l.number, sent);
  }
  to << "\nper location              mean     least           most         most/mean\n";
  executing.write("executing requests", &short_time, to);
  waiting.write("waiting, idle", &short_time, to);
  requests.write("requests executed", &short_number, to);
  bytes.write("bytes sent", &short_number, to);
}

}  // namespace

void write_summary(traced_job const& job, std::size_t most, std::ostream& to) {
  std::uint64_t end = 0, events = 0;
  for (traced_location const& l : job.locations) {
    end = std::max(end, job.since_start(l, l.last));
    events += l.event_count;
  }
  to << job.size << " locations in " << job.processes.size() << (job.processes.size() == 1 ? " process" : " processes")
     << " over " << job.processes[0].origin.transport << ", " << short_time(end) << ", " << short_number(events)
     << " events\n";
  for (std::string const& note : job.notes) to << "note: " << note << '\n';
  write_names(job, most, to);
  write_balance(job, to);
}

}  // namespace sheaf::tool
