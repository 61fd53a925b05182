// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "base/trace_log.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>

#include "base/stderr_pipe.hpp"
#include "sheaf/base/error.hpp"

namespace sheaf::detail {
namespace {

constexpr std::size_t most_texts = 4096;
constexpr std::size_t most_event_bytes = 80;  // a kind and seven numbers at their longest

template <class Out>
Out put_number(Out to, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) *to++ = static_cast<char>(value | 0x80);
  *to++ = static_cast<char>(value);
  return to;
}

namespace fs = std::filesystem;

void put(std::string& to, std::uint64_t value) { put_number(std::back_inserter(to), value); }

void put(std::string& to, std::string_view text) {
  put(to, std::uint64_t{text.size()});
  to += text;
}

void put(std::string& to, trace_log::named const& n) {
  put(to, std::uint64_t{static_cast<std::uint8_t>(n.what)});
  put(to, n.text);
  for (std::uint64_t const each : {n.times, n.requests, n.total_ns, n.self_ns}) put(to, each);
}

void put(std::string& to, trace_log::peer const& p) {
  put(to, std::uint64_t{p.number});
  for (auto const* const pair : {p.entries_sent, p.bytes_sent, p.entries_received, p.bytes_received}) {
    put(to, pair[0]);
    put(to, pair[1]);
  }
  put(to, p.requests);
}

template <class T>
void put_all(std::string& to, std::vector<T> const& all) {
  put(to, std::uint64_t{all.size()});
  for (T const& each : all) put(to, each);
}

void check_folder(std::string const& folder) {
  auto const refuse = [&](std::string const& why) {
    throw option_error("sheaf: SHEAF_TRACE is '" + folder + "', where no trace can be written: " + why +
                       ". Set it to a folder that this process may write to or make, or unset it.");
  };
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem) refuse(problem.message());
  std::string const probe = folder + "/.probe-" + std::to_string(getpid());
  if (!std::ofstream(probe)) refuse(std::strerror(errno));
  fs::remove(probe, problem);
}

/// Of this process and its host. In the simulator, where two runs with one seed write the same bytes, of neither.
trace_origin origin_of(options const& settings) {
  trace_origin origin;
  origin.transport = name(settings.transport);
  origin.host = origin.clock = "simulated";
  if (settings.transport == transport_kind::sim) return origin;
  origin.host = origin.clock = host_name();
  std::ifstream("/proc/sys/kernel/random/boot_id") >> origin.clock;
  origin.process = static_cast<std::uint64_t>(getpid());
  return origin;
}

}  // namespace

trace_log::trace_log(std::uint32_t location, std::uint64_t now, std::size_t bytes)
    : location_(location), began_(now), now_(now), bytes_(bytes) {
  void* const room = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) throw std::bad_alloc();
  data_ = at_ = static_cast<char*>(room);
}

trace_log::~trace_log() { munmap(data_, bytes_); }

std::uint32_t trace_log::give_name(trace_event what, std::string text) {
  names_.push_back({what, std::move(text)});
  return static_cast<std::uint32_t>(names_.size() - 1);
}

std::uint32_t trace_log::name_of_text(trace_event what, std::string_view text) {
  auto& known = by_text_[what == trace_event::mark ? 1 : 0];
  auto const at = known.find(text);
  if (at != known.end()) return at->second;
  if (known.size() >= most_texts && text != "(other names)") return name_of_text(what, "(other names)");
  std::uint32_t const name = give_name(what, std::string(text));
  known.emplace(text, name);
  return name;
}

/// Writes an event; once one does not fit none is written any more, so that what is there has no gap.
template <class... Field>
void trace_log::put(std::uint64_t now, trace_event what, Field... fields) {
  if (dropped_ != 0 || static_cast<std::size_t>(data_ + bytes_ - at_) < most_event_bytes) [[unlikely]] {
    if (dropped_++ == 0) full_at_ = now;
    return;
  }
  *at_++ = static_cast<char>(what);
  at_ = put_number(at_, now - now_);
  ((at_ = put_number(at_, fields)), ...);
  now_ = now;
}

std::size_t trace_log::open_one(std::uint64_t now, std::uint32_t name) {
  ++names_[name].times;
  open_.push_back({name, false, now, 0});
  return open_.size() - 1;
}

std::size_t trace_log::begin(std::uint64_t now, std::uint32_t name, std::uint32_t team) {
  bool const has_team = names_[name].what == trace_event::collective;
  has_team ? put(now, trace_event::collective, name, team) : put(now, names_[name].what, name);
  return open_one(now, name);
}

std::size_t trace_log::begin_run(std::uint64_t now, std::uint32_t name, run const& r) {
  put(now, trace_event::run, name, r.team, r.object, r.source, r.requests);
  count(name, r);
  return open_one(now, name);
}

void trace_log::run_elsewhere(std::uint32_t name, run const& r, std::uint64_t took) {
  named& it = names_[name];
  ++it.times;
  it.total_ns += took;
  it.self_ns += took;
  count(name, r);
}

void trace_log::end(std::uint64_t now, std::size_t begun) {
  open_[begun].ended = true;
  while (!open_.empty() && open_.back().ended) {
    open const last = open_.back();
    open_.pop_back();
    put(now, trace_event::end);
    std::uint64_t const took = now - last.began;
    names_[last.name].total_ns += took;
    names_[last.name].self_ns += took - last.inside;
    if (!open_.empty()) open_.back().inside += took;
  }
}

void trace_log::mark(std::uint64_t now, std::uint32_t name) {
  ++names_[name].times;
  put(now, trace_event::mark, name);
}

void trace_log::moved(std::uint64_t now, trace_event what, std::uint32_t other, std::size_t traffic_class,
                      std::size_t bytes) {
  put(now, what, other, traffic_class, bytes);
  peer& its = peer_of(other);
  bool const out = what == trace_event::sent;
  std::size_t const sum = traffic_class == 1 ? 1 : 0;  // answers, and all else: a build of one's own may have more
  ++(out ? its.entries_sent : its.entries_received)[sum];
  (out ? its.bytes_sent : its.bytes_received)[sum] += bytes;
}

trace_log::peer& trace_log::peer_of(std::uint32_t number) {
  auto const [at, fresh] = peer_places_.try_emplace(number, static_cast<std::uint32_t>(peers_.size()));
  if (fresh) peers_.push_back({number});
  return peers_[at->second];
}

void write_trace(trace_origin const& origin, std::vector<trace_log const*> const& logs, std::ostream& to) {
  std::string head(trace_magic);
  head.push_back(static_cast<char>(trace_version));
  put(head, origin.transport);
  put(head, origin.host);
  put(head, origin.clock);
  for (std::uint64_t const each : {origin.process, origin.job, origin.size}) put(head, each);
  put(head, std::uint64_t{logs.size()});
  for (trace_log const* const log : logs) {
    put(head, std::uint64_t{log->location()});
    for (std::uint64_t const each : {log->began(), log->ended(), log->full_at(), log->dropped()}) put(head, each);
    put_all(head, log->names());
    put_all(head, log->peers());
    put(head, std::uint64_t{log->events().size()});
    to << head << log->events();
    head.clear();
  }
  to << head << trace_end_magic;
}

trace_file::trace_file(options const& settings) : folder_(settings.trace), bytes_(settings.trace_bytes) {
  if (!wanted()) return;
  check_folder(folder_);
  origin_ = origin_of(settings);
}

trace_log* trace_file::open(std::uint32_t location, std::uint32_t first, std::uint32_t size, std::uint64_t now) {
  std::lock_guard const lock(mutex_);
  origin_.size = size;
  first_ = first;
  try {
    logs_.push_back(std::make_unique<trace_log>(location, now, bytes_));
    return logs_.back().get();
  } catch (std::bad_alloc const&) {
    std::fprintf(stderr,
                 "sheaf: warning: no memory for a trace of %zu bytes (SHEAF_TRACE_BYTES) of location %u, which is not "
                 "recorded\n",
                 bytes_, location);
    return nullptr;
  }
}

void trace_file::finish(trace_log* log, std::uint64_t now) {
  if (log == nullptr) return;
  std::lock_guard const lock(mutex_);
  log->finish(now);
}

void trace_file::set_job(std::uint64_t number) {
  std::lock_guard const lock(mutex_);
  origin_.job = number;
}

void trace_file::write() noexcept try {
  if (!wanted()) return;
  std::lock_guard const lock(mutex_);
  std::vector<trace_log const*> logs;
  for (auto const& each : logs_) {
    if (each->finished()) logs.push_back(each.get());
  }
  if (logs.empty()) return;
  std::ranges::sort(logs, {}, &trace_log::location);
  char number[16];
  std::snprintf(number, sizeof number, "%05u", first_);
  std::string const name = folder_ + "/" + number + std::string(trace_suffix);
  std::string const partial = name + ".partial";
  std::ofstream file(partial, std::ios::binary);
  if (file) write_trace(origin_, logs, file);
  file.close();
  if (!file) throw error(std::strerror(errno));
  fs::rename(partial, name);
  std::uint64_t dropped = 0;
  std::size_t full = 0;
  for (trace_log const* const log : logs) {
    dropped += log->dropped();
    full += log->dropped() != 0 ? 1 : 0;
  }
  if (full == 0 || told_) return;
  told_ = true;
  std::fprintf(stderr,
               "sheaf: warning: %llu events of %zu locations did not fit into the trace, which keeps the oldest; raise "
               "SHEAF_TRACE_BYTES above %zu (the sums that `sheaf trace summary` and `plot` show are complete)\n",
               static_cast<unsigned long long>(dropped), full, bytes_);
} catch (std::exception const& problem) {
  std::fprintf(stderr, "sheaf: warning: the trace in %s is not written: %s\n", folder_.c_str(), problem.what());
}

}  // namespace sheaf::detail
