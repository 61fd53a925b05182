// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "sheaf/trace/trace_reader.hpp"

namespace sheaf::tool {

/// What all processes of a job recorded, with their clocks made comparable.
struct traced_job {
  std::uint64_t size = 0;  ///< locations
  std::vector<traced_process> processes;
  std::vector<traced_location> locations;  ///< those that there are, by number
  std::uint64_t start = 0;                 ///< the first time of all
  std::vector<std::string> notes;          ///< what the reader should know: what is missing, how clocks were compared

  [[nodiscard]] detail::trace_origin const& origin_of(traced_location const& l) const {
    return processes[l.process].origin;
  }
  /// Nanoseconds since the start of the job.
  [[nodiscard]] std::uint64_t since_start(traced_location const& l, std::uint64_t time) const {
    return time + static_cast<std::uint64_t>(l.shift) - start;
  }
};

/// Reads the traces in a folder, or one file. Where files of several jobs lie in it, those of the job written last.
/// Throws trace_error.
traced_job read_traces(std::string const& place);

/// Puts together what processes recorded, and compares their clocks: no entry arrives before it was sent.
traced_job assemble(std::vector<traced_process> processes);

/// Which entries are the same: between two locations the k-th sent of a class is the k-th received.
class entry_pairs {
 public:
  explicit entry_pairs(traced_job const& job);

  static constexpr std::uint64_t none = ~std::uint64_t{0};
  /// The number of the pair that the next event of its kind on this location belongs to; `none` where the other end was
  /// not recorded. To be asked once for each, in order.
  std::uint64_t of_sent(std::uint32_t self, traced_event const& e) { return take({self, e.peer, e.traffic_class}, 0); }
  std::uint64_t of_received(std::uint32_t self, traced_event const& e) {
    return take({e.peer, self, e.traffic_class}, 1);
  }
  [[nodiscard]] std::uint64_t size() const { return pairs_; }

 private:
  using channel = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // source, destination, class
  struct ends {
    std::uint64_t first = 0;      // pair
    std::uint64_t there[2] = {};  // sent, received
    std::uint64_t taken[2] = {};
  };
  std::uint64_t take(channel const& c, int end);

  std::map<channel, ends> channels_;
  std::uint64_t pairs_ = 0;
};

}  // namespace sheaf::tool
