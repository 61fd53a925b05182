// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/trace/traced_job.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>
#include <utility>

#include "sheaf/trace/clocks.hpp"

namespace sheaf::tool {
namespace {

namespace fs = std::filesystem;

std::string content_of(std::string const& file) {
  std::FILE* const from = std::fopen(file.c_str(), "rb");
  if (from == nullptr) throw trace_error("cannot read " + file + ": " + std::strerror(errno));
  std::string content;
  char block[1 << 16];
  while (std::size_t const got = std::fread(block, 1, sizeof block, from)) content.append(block, got);
  bool const failed = std::ferror(from) != 0;
  std::fclose(from);
  if (failed) throw trace_error("cannot read " + file + " to its end");
  return content;
}

/// The trace files of a folder, the one written last in front.
std::vector<std::string> files_in(std::string const& place) {
  std::error_code problem;
  if (fs::is_regular_file(place, problem)) return {place};
  std::vector<std::pair<fs::file_time_type, std::string>> found;
  for (auto const& each : fs::directory_iterator(place, problem)) {
    if (each.path().extension() == detail::trace_suffix) found.emplace_back(each.last_write_time(), each.path());
  }
  if (problem) throw trace_error("cannot read " + place + ": " + problem.message());
  if (found.empty()) {
    throw trace_error(place + " has no *" + std::string(detail::trace_suffix) +
                      "; record one with SHEAF_TRACE=" + place + " in front of your program");
  }
  std::sort(found.begin(), found.end(), std::greater<>());
  std::vector<std::string> names;
  for (auto& [time, name] : found) names.push_back(std::move(name));
  return names;
}

bool same_job(detail::trace_origin const& a, detail::trace_origin const& b) {
  return a.job == b.job && a.size == b.size && a.transport == b.transport;
}

void tell_missing(traced_job& job) {
  std::string missing;
  std::uint64_t count = 0;
  std::size_t at = 0;
  for (std::uint32_t number = 0; number < job.size; ++number) {
    if (at < job.locations.size() && job.locations[at].number == number) {
      ++at;
    } else if (++count <= 8) {
      missing += (count == 1 ? "" : ", ") + std::to_string(number);
    }
  }
  if (count == 0) return;
  job.notes.push_back("locations without a trace: " + missing + (count > 8 ? ", ..." : "") + " (" +
                      std::to_string(count) + " of " + std::to_string(job.size) +
                      "): their processes ended before they could write, or their files lie elsewhere");
}

void tell_dropped(traced_job& job) {
  for (traced_location const& l : job.locations) {
    if (l.dropped == 0) continue;
    job.notes.push_back("location " + std::to_string(l.number) + " dropped the last " + std::to_string(l.dropped) +
                        " events (its sums are complete); raise SHEAF_TRACE_BYTES");
    if (job.notes.size() > 8) return;
  }
}

}  // namespace

traced_job read_traces(std::string const& place) {
  std::vector<traced_process> processes;
  std::vector<std::string> others;
  for (std::string const& file : files_in(place)) {
    traced_process p = parse_trace(file, content_of(file));
    if (!processes.empty() && !same_job(p.origin, processes[0].origin)) {
      others.push_back(file);
    } else {
      processes.push_back(std::move(p));
    }
  }
  traced_job job = assemble(std::move(processes));
  for (std::string const& file : others) job.notes.push_back(file + " is of another job and left out");
  return job;
}

traced_job assemble(std::vector<traced_process> processes) {
  traced_job job;
  job.size = processes.at(0).origin.size;
  for (traced_process& p : processes) {
    for (traced_location& l : p.locations) {
      l.process = job.processes.size();
      job.locations.push_back(std::move(l));
    }
    p.locations.clear();
    job.processes.push_back(std::move(p));
  }
  auto const by_number = [](traced_location const& a, traced_location const& b) { return a.number < b.number; };
  std::sort(job.locations.begin(), job.locations.end(), by_number);
  for (std::size_t i = 1; i < job.locations.size(); ++i) {
    if (job.locations[i].number != job.locations[i - 1].number) continue;
    throw trace_error("location " + std::to_string(job.locations[i].number) + " is recorded twice, in " +
                      job.processes[job.locations[i - 1].process].file + " and " +
                      job.processes[job.locations[i].process].file);
  }
  if (job.locations.empty()) throw trace_error(job.processes[0].file + " has no location");
  tell_missing(job);
  tell_dropped(job);
  compare_clocks(job);
  auto const begin_of = [](traced_location const& l) { return l.began + static_cast<std::uint64_t>(l.shift); };
  job.start = begin_of(job.locations[0]);
  for (traced_location const& l : job.locations) job.start = std::min(job.start, begin_of(l));
  return job;
}

entry_pairs::entry_pairs(traced_job const& job) {
  for (traced_location const& l : job.locations) {
    event_reader events(l, job.size);
    for (traced_event e; events.next(e);) {
      if (e.what == trace_event::sent) ++channels_[{l.number, e.peer, e.traffic_class}].there[0];
      if (e.what == trace_event::received) ++channels_[{e.peer, l.number, e.traffic_class}].there[1];
    }
  }
  for (auto& [c, e] : channels_) {
    e.first = pairs_;
    pairs_ += std::min(e.there[0], e.there[1]);
  }
}

std::uint64_t entry_pairs::take(channel const& c, int end) {
  ends& e = channels_[c];
  std::uint64_t const turn = e.taken[end]++;
  return turn < std::min(e.there[0], e.there[1]) ? e.first + turn : none;
}

}  // namespace sheaf::tool
