// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/trace_log.hpp"

namespace sheaf::detail {

/// Which job a trace is of, and where it ran.
struct trace_origin {
  std::string transport;
  std::string host;
  std::string clock;          ///< two processes with the same one read the same clock
  std::uint64_t process = 0;  ///< the system's number
  std::uint64_t job = 0;      ///< alike in the processes of one job, unlike in others
  std::uint64_t size = 0;     ///< locations of the job
};

/// This process and its host. In the simulator, where two runs with one seed write the same bytes, neither.
trace_origin trace_origin_here(std::string transport, bool simulated);

/// The file that a process writes of its logs.
void write_trace(trace_origin const& origin, std::vector<trace_log const*> const& logs, std::ostream& to);

/// The logs of all locations of a process, and the file that they become. Nothing is recorded where `folder` is empty.
class trace_file {
 public:
  /// Makes the folder if it is not there. Throws option_error where no file can be written in it.
  trace_file(std::string folder, std::size_t bytes, trace_origin origin);

  [[nodiscard]] bool wanted() const { return !folder_.empty(); }

  /// A log for a location of this process, whose first one is `first`; null, and a warning, where there is no memory.
  /// Any thread.
  trace_log* open(std::uint32_t location, std::uint32_t first, std::uint32_t size, std::uint64_t now);
  /// The log is not written to any more. Null: nothing. Any thread.
  void finish(trace_log* log, std::uint64_t now);
  void set_job(std::uint64_t number);

  /// Writes the logs that are finished, in place of what was written before, to FOLDER/NNNNN.sheaf-trace, where NNNNN
  /// is the first location of this process. Says on standard error where it cannot, and where events did not fit. Any
  /// thread.
  void write() noexcept;

 private:
  void write_locked(std::vector<trace_log const*> const& logs);
  void tell_dropped(std::vector<trace_log const*> const& logs);

  std::string const folder_;
  std::size_t const bytes_;
  std::mutex mutex_;
  trace_origin origin_;
  std::vector<std::unique_ptr<trace_log>> logs_;
  std::uint32_t first_ = 0;
  bool told_ = false;
};

}  // namespace sheaf::detail
