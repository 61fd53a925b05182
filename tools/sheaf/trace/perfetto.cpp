// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/trace/perfetto.hpp"

#include <cstdio>
#include <string>

#include "sheaf/report.hpp"
#include "sheaf/trace/words.hpp"

namespace sheaf::tool {
namespace {

/// Microseconds with three places, exactly.
std::string micro(std::uint64_t ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%llu.%03u", static_cast<unsigned long long>(ns / 1000),
                static_cast<unsigned>(ns % 1000));
  return text;
}

class writer {
 public:
  writer(traced_job const& job, std::ostream& to) : job_(job), to_(to), pairs_(job) {}

  void write() {
    to_ << "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
    for (traced_location const& l : job_.locations) write(l);
    to_ << "\n],\"otherData\":{\"locations\":" << job_.size
        << ",\"transport\":" << json_string(job_.processes[0].origin.transport) << ",\"notes\":[";
    for (std::size_t i = 0; i < job_.notes.size(); ++i) to_ << (i == 0 ? "" : ",") << json_string(job_.notes[i]);
    to_ << "]}}\n";
  }

 private:
  /// Writes an event up to its time; the caller adds the rest and the closing brace. Processes and threads are counted
  /// from 1, since viewers take number 0 for the idle one.
  std::ostream& event(traced_location const& l, char const* phase, std::uint64_t time) {
    to_ << (first_ ? "" : ",\n") << "{\"ph\":\"" << phase << "\",\"pid\":" << l.process + 1
        << ",\"tid\":" << l.number + 1 << ",\"ts\":" << micro(job_.since_start(l, time));
    first_ = false;
    return to_;
  }

  void name_track(traced_location const& l) {
    detail::trace_origin const& origin = job_.origin_of(l);
    std::string const process = "process " + std::to_string(origin.process) + " on " + origin.host;
    event(l, "M", l.began) << ",\"name\":\"process_name\",\"args\":{\"name\":" << json_string(process) << "}}";
    event(l, "M", l.began) << ",\"name\":\"thread_name\",\"args\":{\"name\":\"location " << l.number << "\"}}";
    event(l, "M", l.began) << ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":" << l.number << "}}";
  }

  void write(traced_location const& l) {
    name_track(l);
    event_reader events(l, job_.size);
    for (traced_event e; events.next(e);) write(l, e);
    if (l.dropped != 0) {
      event(l, "i", l.last) << ",\"s\":\"t\",\"cat\":\"trace\",\"name\":\"full: " << l.dropped << " events dropped\"}";
    }
    for (std::size_t left = events.open().size(); left != 0; --left) event(l, "E", l.last) << "}";
  }

  void write(traced_location const& l, traced_event const& e) {
    if (e.what == trace_event::end) {
      event(l, "E", e.time) << "}";
    } else if (e.what == trace_event::sent || e.what == trace_event::received) {
      write_entry(l, e);
    } else {
      bool const mark = e.what == trace_event::mark;
      event(l, mark ? "i" : "B", e.time) << (mark ? ",\"s\":\"t\"" : "") << ",\"cat\":\"" << word_of(e.what)
                                         << "\",\"name\":" << json_string(shown_name(l.names[e.name]));
      write_arguments(e);
      to_ << "}";
    }
  }

  void write_arguments(traced_event const& e) {
    if (e.what == trace_event::collective) to_ << ",\"args\":{\"team\":" << e.team << "}";
    if (e.what != trace_event::run) return;
    to_ << ",\"args\":{\"from location\":" << e.peer << ",\"requests\":" << e.size << ",\"team\":" << e.team
        << ",\"object\":" << e.object << "}";
  }

  /// A slice of no length, for the arrow to begin or end at.
  void write_entry(traced_location const& l, traced_event const& e) {
    bool const out = e.what == trace_event::sent;
    std::uint64_t const pair = out ? pairs_.of_sent(l.number, e) : pairs_.of_received(l.number, e);
    event(l, "B", e.time) << ",\"cat\":\"entry\",\"name\":\"" << (out ? "send" : "receive") << "\",\"args\":{\""
                          << (out ? "to" : "from") << " location\":" << e.peer << ",\"bytes\":" << e.size
                          << ",\"class\":\"" << (e.traffic_class == 0 ? "request" : "answer") << "\"}}";
    if (pair != entry_pairs::none) {
      event(l, out ? "s" : "f", e.time) << (out ? "" : ",\"bp\":\"e\"")
                                        << ",\"cat\":\"entry\",\"name\":\"entry\",\"id\":" << pair << "}";
    }
    event(l, "E", e.time) << "}";
  }

  traced_job const& job_;
  std::ostream& to_;
  entry_pairs pairs_;
  bool first_ = true;
};

}  // namespace

void write_perfetto(traced_job const& job, std::ostream& to) { writer(job, to).write(); }

}  // namespace sheaf::tool
