// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/trace_log.hpp"
#include "sheaf/base/error.hpp"

namespace sheaf::tool {

/// A trace cannot be read, or what is made of it not be written. The command exits with 2.
class trace_error : public error {
 public:
  using error::error;
};

using detail::trace_event;

/// One past the last.
inline constexpr std::uint8_t trace_events = 9;

/// Whether it has one of the names of its location.
constexpr bool is_named(trace_event e) noexcept { return e >= trace_event::run && e <= trace_event::mark; }

/// Later than any clock: 36 years of nanoseconds. So that times can be added and compared without care.
inline constexpr std::uint64_t most_time = std::uint64_t{1} << 60;

/// One event of a location.
struct traced_event {
  trace_event what{};
  std::uint64_t time = 0;  ///< of the location's clock
  std::uint32_t name = 0;  ///< in traced_location::names; where an end: of what ends
  std::uint32_t team = 0;
  std::uint32_t object = 0;
  std::uint32_t peer = 0;           ///< where a run's requests, or an entry, came from or went to
  std::uint32_t traffic_class = 0;  ///< of an entry
  std::uint64_t size = 0;           ///< requests of a run, bytes of an entry
};

/// What one location recorded.
struct traced_location {
  std::uint32_t number = 0;
  std::uint64_t began = 0;
  std::uint64_t ended = 0;
  std::uint64_t full_at = 0;  ///< when the first of `dropped` events did not fit
  std::uint64_t dropped = 0;
  std::vector<detail::trace_log::named> names;
  std::vector<detail::trace_log::peer> peers;
  std::string_view events;
  std::uint64_t event_count = 0;
  std::uint64_t last = 0;   ///< time of the last event, or the end of the location if that is later
  std::size_t process = 0;  ///< in traced_job::processes
  std::int64_t shift = 0;   ///< what to add to its times, so that those of all locations compare
};

/// What one file has.
struct traced_process {
  std::string file;
  detail::trace_origin origin;
  std::vector<traced_location> locations;
  std::shared_ptr<std::string const> content;  ///< where the events are
};

/// Reads the bytes of a trace file. Throws trace_error, with the place, where they are no such: nothing in them is
/// trusted, and every event has been looked at.
traced_process parse_trace(std::string file, std::string content);

/// Walks the events of a location in the order of its clock.
class event_reader {
 public:
  /// `locations`: how many the job has.
  event_reader(traced_location const& of, std::uint64_t locations)
      : of_(of), locations_(locations), rest_(of.events), time_(of.began) {}

  /// False: there are no more. Throws trace_error where the bytes are no event.
  bool next(traced_event& to);

  /// What has begun and not ended, outermost first.
  [[nodiscard]] std::vector<std::uint32_t> const& open() const { return open_; }

 private:
  void begin(traced_event& to);
  std::uint32_t location();
  std::uint64_t number();
  std::uint32_t below(std::uint64_t limit, char const* what);
  [[noreturn]] void refuse(std::string const& why) const;

  traced_location const& of_;
  std::uint64_t locations_;
  std::string_view rest_;
  std::uint64_t time_;
  std::vector<std::uint32_t> open_;
};

}  // namespace sheaf::tool
