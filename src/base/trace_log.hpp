// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sheaf/base/options.hpp"

namespace sheaf::detail {

/// The words of a trace file; docs/specification/trace.md has the whole format. Whole numbers are written with 7 bits a
/// byte, lowest first, the eighth bit set in all but the last.
inline constexpr std::string_view trace_magic = "SHEAFTRC";
inline constexpr std::string_view trace_end_magic = "TRACEEND";
inline constexpr std::uint8_t trace_version = 1;
inline constexpr std::string_view trace_suffix = ".sheaf-trace";

/// What an event is: something begins (and has a name), the innermost that is open ends, or something happened.
enum class trace_event : std::uint8_t {
  end = 0,
  run = 1,           ///< requests of one method on one object, executed
  wait = 2,          ///< the location waits, and executes meanwhile
  collective = 3,    ///< its part of a collective operation
  continuation = 4,  ///< what was given to `then`, or a deferred part of a method
  scope = 5,         ///< the program's own trace_scope
  mark = 6,          ///< the program's own trace_mark
  sent = 7,
  received = 8,
};

/// What one location has done: events in memory of a fixed size, of which the oldest are kept, and sums of all. Used by
/// the location's own thread or fiber, and by whoever is inside its gate; the caller gives the time.
class trace_log {
 public:
  /// What a run consists of, beside its name.
  struct run {
    std::uint32_t team = 0;
    std::uint32_t object = 0;
    std::uint32_t source = 0;
    std::uint64_t requests = 0;  ///< 0: the rest of a run that was interrupted
  };

  /// Something with a name: how often, how many requests, for how long, and of that not inside of others.
  struct named {
    trace_event what{};
    std::string text;
    std::uint64_t times = 0;
    std::uint64_t requests = 0;
    std::uint64_t total_ns = 0;
    std::uint64_t self_ns = 0;
  };

  /// What went to another location and came from it: requests and all like them, and answers.
  struct peer {
    std::uint32_t number = 0;
    std::uint64_t entries_sent[2] = {0, 0};
    std::uint64_t bytes_sent[2] = {0, 0};
    std::uint64_t entries_received[2] = {0, 0};
    std::uint64_t bytes_received[2] = {0, 0};
    std::uint64_t requests = 0;  ///< of that location, executed here
  };

  /// Room for `bytes` of events, taken from the system as they come. Throws std::bad_alloc.
  trace_log(std::uint32_t location, std::uint64_t now, std::size_t bytes);
  ~trace_log();
  trace_log& operator=(trace_log&&) = delete;

  /// The name of a key, the address of something that outlives the log; `text()` is asked for the first time.
  std::uint32_t name_of(void const* key, trace_event what, auto text) {
    if (key == last_key_) return last_name_;
    auto const at = by_key_.find(key);
    last_name_ = at != by_key_.end() ? at->second : by_key_[key] = give_name(what, text());
    last_key_ = key;
    return last_name_;
  }
  /// For names that the program makes up: from the 4096th on they share one.
  std::uint32_t name_of_text(trace_event what, std::string_view text);

  /// Begins something; returns what `end` is told. `team`: of a collective.
  std::size_t begin(std::uint64_t now, std::uint32_t name, std::uint32_t team = 0);
  std::size_t begin_run(std::uint64_t now, std::uint32_t name, run const& r);
  /// A run that another thread has executed for the location, in so long: counted, but no event among its own.
  void run_elsewhere(std::uint32_t name, run const& r, std::uint64_t took);
  /// Ends what began. What began after it and has not ended yet keeps it open until then.
  void end(std::uint64_t now, std::size_t begun);

  void mark(std::uint64_t now, std::uint32_t name);
  /// An entry was sent to another location, or received from it.
  void moved(std::uint64_t now, trace_event what, std::uint32_t other, std::size_t traffic_class, std::size_t bytes);

  /// The location does nothing more.
  void finish(std::uint64_t now) {
    ended_ = now;
    finished_ = true;
  }
  [[nodiscard]] bool finished() const { return finished_; }

  [[nodiscard]] std::uint32_t location() const { return location_; }
  [[nodiscard]] std::uint64_t began() const { return began_; }
  [[nodiscard]] std::uint64_t ended() const { return finished_ ? ended_ : now_; }
  /// When an event did not fit for the first time, and how many did not.
  [[nodiscard]] std::uint64_t full_at() const { return full_at_; }
  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }
  [[nodiscard]] std::vector<named> const& names() const { return names_; }
  [[nodiscard]] std::vector<peer> const& peers() const { return peers_; }
  [[nodiscard]] std::string_view events() const { return {data_, static_cast<std::size_t>(at_ - data_)}; }

 private:
  struct open {
    std::uint32_t name;
    bool ended;
    std::uint64_t began;
    std::uint64_t inside;  // time of what it contained
  };

  template <class... Field>
  void put(std::uint64_t now, trace_event what, Field... fields);
  std::uint32_t give_name(trace_event what, std::string text);
  std::size_t open_one(std::uint64_t now, std::uint32_t name);
  peer& peer_of(std::uint32_t number);
  void count(std::uint32_t name, run const& r) {
    names_[name].requests += r.requests;
    peer_of(r.source).requests += r.requests;
  }

  std::uint32_t const location_;
  std::uint64_t const began_;
  std::uint64_t now_;  // of the last event
  std::uint64_t ended_ = 0;
  bool finished_ = false;
  std::size_t const bytes_;
  char* data_;
  char* at_;
  std::uint64_t full_at_ = 0;
  std::uint64_t dropped_ = 0;
  std::vector<open> open_;
  std::vector<named> names_;
  std::unordered_map<void const*, std::uint32_t> by_key_;
  std::map<std::string, std::uint32_t, std::less<>> by_text_[2];  // scopes, marks
  void const* last_key_ = nullptr;
  std::uint32_t last_name_ = 0;
  std::vector<peer> peers_;
  std::unordered_map<std::uint32_t, std::uint32_t> peer_places_;
};

/// Which job a trace is of, and where it ran.
struct trace_origin {
  std::string transport;
  std::string host;
  std::string clock;          ///< two processes with the same one read the same clock
  std::uint64_t process = 0;  ///< the system's number
  std::uint64_t job = 0;      ///< alike in the processes of one job, unlike in others
  std::uint64_t size = 0;     ///< locations of the job
};

/// The file that a process writes of its logs.
void write_trace(trace_origin const& origin, std::vector<trace_log const*> const& logs, std::ostream& to);

/// The logs of all locations of a process, and the file that they become. Nothing is recorded without options::trace.
class trace_file {
 public:
  /// Makes the folder if it is not there. Throws option_error where no file can be written in it.
  explicit trace_file(options const& settings);

  [[nodiscard]] bool wanted() const { return !folder_.empty(); }

  /// A log for a location of a process whose first is `first`; null, and a warning, without memory. Any thread.
  trace_log* open(std::uint32_t location, std::uint32_t first, std::uint32_t size, std::uint64_t now);
  /// The log is not written to any more. Null: nothing. Any thread.
  void finish(trace_log* log, std::uint64_t now);
  void set_job(std::uint64_t number);

  /// Writes the logs that are finished, in place of what was written before, to FOLDER/NNNNN.sheaf-trace: NNNNN is the
  /// first location of this process. Tells stderr where it cannot, and where events did not fit. Any thread.
  void write() noexcept;

 private:
  std::string const folder_;
  std::size_t const bytes_;
  std::mutex mutex_;
  trace_origin origin_;
  std::vector<std::unique_ptr<trace_log>> logs_;
  std::uint32_t first_ = 0;
  bool told_ = false;
};

}  // namespace sheaf::detail
