// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/trace/trace_reader.hpp"

#include <limits>
#include <utility>

#include "sheaf/trace/byte_cursor.hpp"

namespace sheaf::tool {
namespace {

constexpr std::uint64_t most_locations = 65536;
constexpr std::uint64_t anything = std::numeric_limits<std::uint64_t>::max();

/// Takes a file apart from the front; says where it is broken.
class file_cursor {
 public:
  file_cursor(std::string const& file, std::string_view content) : file_(file), all_(content), rest_(content) {}

  [[noreturn]] void refuse(std::string const& why) const {
    throw trace_error(file_ + " is no whole trace: byte " + std::to_string(all_.size() - rest_.size()) + " of " +
                      std::to_string(all_.size()) + ": " + why);
  }

  std::string_view bytes(std::uint64_t count, char const* what) {
    if (count > rest_.size()) refuse(std::string("the file ends in ") + what);
    std::string_view const taken = rest_.substr(0, static_cast<std::size_t>(count));
    rest_.remove_prefix(taken.size());
    return taken;
  }

  std::uint64_t number(char const* what, std::uint64_t most = anything) {
    std::string_view after = rest_;
    std::uint64_t value = 0;
    if (!take_number(after, value)) refuse(std::string("no number where there should be ") + what);
    if (value > most) {
      refuse(std::string(what) + " is " + std::to_string(value) + ", and " + std::to_string(most) + " at most");
    }
    rest_ = after;
    return value;
  }

  std::string text(char const* what) { return std::string(bytes(number(what), what)); }

  /// A number of things that take a byte each at least.
  std::uint64_t count(char const* what) { return number(what, rest_.size()); }

  [[nodiscard]] bool at_end() const { return rest_.empty(); }

 private:
  std::string const& file_;
  std::string_view all_;
  std::string_view rest_;
};

detail::trace_log::named take_named(file_cursor& from) {
  detail::trace_log::named n;
  std::uint64_t const what = from.number("the kind of a name", trace_events - 1);
  n.what = static_cast<trace_event>(what);
  if (!is_named(n.what)) from.refuse("a name of kind " + std::to_string(what) + ", which has none");
  n.text = from.text("a name");
  for (std::uint64_t* const each : {&n.times, &n.requests, &n.total_ns, &n.self_ns}) *each = from.number("a sum");
  return n;
}

detail::trace_log::peer take_peer(file_cursor& from, std::uint64_t locations) {
  detail::trace_log::peer p;
  p.number = static_cast<std::uint32_t>(from.number("the number of a location", locations - 1));
  for (std::uint64_t* const pair : {p.entries_sent, p.bytes_sent, p.entries_received, p.bytes_received}) {
    pair[0] = from.number("a sum");
    pair[1] = from.number("a sum");
  }
  p.requests = from.number("a sum");
  return p;
}

/// Looks at every event once.
void check_events(file_cursor const& from, traced_location& l, std::uint64_t locations) {
  try {
    event_reader events(l, locations);
    l.last = l.ended;
    for (traced_event e; events.next(e); ++l.event_count) {
      if (e.time > l.last) l.last = e.time;
    }
  } catch (trace_error const& wrong) {
    from.refuse(wrong.what());
  }
}

traced_location take_location(file_cursor& from, std::uint64_t locations) {
  traced_location l;
  l.number = static_cast<std::uint32_t>(from.number("the number of a location", locations - 1));
  for (std::uint64_t* const each : {&l.began, &l.ended, &l.full_at, &l.dropped}) {
    *each = from.number("a time or count", most_time);
  }
  if (l.ended < l.began) from.refuse("location " + std::to_string(l.number) + " ends before it begins");
  for (std::uint64_t left = from.count("how many names there are"); left != 0; --left) {
    l.names.push_back(take_named(from));
  }
  for (std::uint64_t left = from.count("how many locations it knows"); left != 0; --left) {
    l.peers.push_back(take_peer(from, locations));
  }
  l.events = from.bytes(from.number("how many bytes of events there are"), "events");
  check_events(from, l, locations);
  return l;
}

void take_origin(file_cursor& from, detail::trace_origin& to) {
  to.transport = from.text("the transport");
  to.host = from.text("the host");
  to.clock = from.text("the clock");
  to.process = from.number("the process");
  to.job = from.number("the job");
  to.size = from.number("how many locations the job has", most_locations);
  if (to.size == 0) from.refuse("a job of no location");
}

}  // namespace

traced_process parse_trace(std::string file, std::string content) {
  traced_process p;
  p.file = std::move(file);
  p.content = std::make_shared<std::string const>(std::move(content));
  file_cursor from(p.file, *p.content);
  if (!p.content->starts_with(detail::trace_magic)) from.refuse("it does not begin as one");
  from.bytes(detail::trace_magic.size(), "its first word");
  std::uint64_t const version = from.number("the version");
  if (version != detail::trace_version) {
    from.refuse("its format has version " + std::to_string(version) + ", this command reads " +
                std::to_string(detail::trace_version) + "; use the command of the Sheaf that recorded it");
  }
  take_origin(from, p.origin);
  for (std::uint64_t left = from.count("how many locations there are"); left != 0; --left) {
    p.locations.push_back(take_location(from, p.origin.size));
  }
  if (from.bytes(detail::trace_end_magic.size(), "its last word") != detail::trace_end_magic || !from.at_end()) {
    from.refuse("it does not end as one");
  }
  return p;
}

void event_reader::refuse(std::string const& why) const {
  throw trace_error("location " + std::to_string(of_.number) + ", event byte " +
                    std::to_string(of_.events.size() - rest_.size()) + ": " + why);
}

std::uint64_t event_reader::number() {
  std::uint64_t value = 0;
  if (!take_number(rest_, value)) refuse("an event is cut off");
  return value;
}

std::uint32_t event_reader::below(std::uint64_t limit, char const* what) {
  std::uint64_t const value = number();
  if (value >= limit) {
    refuse(std::string(what) + " is " + std::to_string(value) + " and must be below " + std::to_string(limit));
  }
  return static_cast<std::uint32_t>(value);
}

std::uint32_t event_reader::location() { return below(locations_, "a location"); }

void event_reader::begin(traced_event& to) {
  constexpr std::uint64_t any32 = std::uint64_t{1} << 32;
  to.name = below(of_.names.size(), "a name");
  if (of_.names[to.name].what != to.what) refuse("an event has the name of another kind");
  if (to.what == trace_event::collective || to.what == trace_event::run) to.team = below(any32, "a team");
  if (to.what == trace_event::run) {
    to.object = below(any32, "an object");
    to.peer = location();
    to.size = number();
  }
  if (to.what != trace_event::mark) open_.push_back(to.name);
}

bool event_reader::next(traced_event& to) {
  if (rest_.empty()) return false;
  to = {};
  to.what = static_cast<trace_event>(below(trace_events, "the kind of an event"));
  std::uint64_t const later = number();
  if (later > most_time - time_) refuse("a time beyond all clocks");
  to.time = time_ += later;
  if (is_named(to.what)) {
    begin(to);
  } else if (to.what == trace_event::end) {
    if (open_.empty()) refuse("an end without a begin");
    to.name = open_.back();
    open_.pop_back();
  } else {
    to.peer = location();
    to.traffic_class = below(2, "a class of traffic");
    to.size = number();
  }
  return true;
}

}  // namespace sheaf::tool
