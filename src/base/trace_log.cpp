// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "base/trace_log.hpp"

#include <sys/mman.h>

#include <new>

namespace sheaf::detail {
namespace {

constexpr std::size_t most_texts = 4096;
constexpr std::size_t most_event_bytes = 80;  // a kind and seven numbers at their longest

unsigned char* put_number(unsigned char* to, std::uint64_t value) {
  while (value >= 0x80) {
    *to++ = static_cast<unsigned char>(value | 0x80);
    value >>= 7;
  }
  *to++ = static_cast<unsigned char>(value);
  return to;
}

}  // namespace

trace_log::trace_log(std::uint32_t location, std::uint64_t now, std::size_t bytes)
    : location_(location), began_(now), now_(now), bytes_(bytes) {
  void* const room = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) throw std::bad_alloc();
  data_ = at_ = static_cast<unsigned char*>(room);
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
  *at_++ = static_cast<unsigned char>(what);
  at_ = put_number(at_, now - now_);
  ((at_ = put_number(at_, fields)), ...);
  now_ = now;
}

std::size_t trace_log::open_one(std::uint64_t now, std::uint32_t name) {
  ++names_[name].times;
  open_.push_back({name, false, now, 0});
  return open_.size() - 1;
}

std::size_t trace_log::begin(std::uint64_t now, std::uint32_t name) {
  put(now, names_[name].what, name);
  return open_one(now, name);
}

std::size_t trace_log::begin_run(std::uint64_t now, std::uint32_t name, run const& r) {
  put(now, trace_event::run, name, r.team, r.object, r.source, r.requests);
  names_[name].requests += r.requests;
  peer_of(r.source).requests += r.requests;
  return open_one(now, name);
}

void trace_log::run_elsewhere(std::uint32_t name, run const& r, std::uint64_t took) {
  named& it = names_[name];
  ++it.times;
  it.requests += r.requests;
  it.total_ns += took;
  it.self_ns += took;
  peer_of(r.source).requests += r.requests;
}

std::size_t trace_log::begin_collective(std::uint64_t now, std::uint32_t name, std::uint32_t team) {
  put(now, trace_event::collective, name, team);
  return open_one(now, name);
}

void trace_log::end(std::uint64_t now, std::size_t begun) {
  open_[begun].ended = true;
  while (!open_.empty() && open_.back().ended) close_last(now);
}

void trace_log::close_last(std::uint64_t now) {
  open const last = open_.back();
  open_.pop_back();
  put(now, trace_event::end);
  std::uint64_t const took = now - last.began;
  names_[last.name].total_ns += took;
  names_[last.name].self_ns += took - last.inside;
  if (!open_.empty()) open_.back().inside += took;
}

void trace_log::mark(std::uint64_t now, std::uint32_t name) {
  ++names_[name].times;
  put(now, trace_event::mark, name);
}

/// Answers, and all else: a build of one's own may have more classes.
static std::size_t summed_as(std::size_t traffic_class) { return traffic_class == 1 ? 1 : 0; }

void trace_log::sent(std::uint64_t now, std::uint32_t dest, std::size_t traffic_class, std::size_t bytes) {
  put(now, trace_event::sent, dest, traffic_class, bytes);
  peer& to = peer_of(dest);
  ++to.entries_sent[summed_as(traffic_class)];
  to.bytes_sent[summed_as(traffic_class)] += bytes;
}

void trace_log::received(std::uint64_t now, std::uint32_t source, std::size_t traffic_class, std::size_t bytes) {
  put(now, trace_event::received, source, traffic_class, bytes);
  peer& from = peer_of(source);
  ++from.entries_received[summed_as(traffic_class)];
  from.bytes_received[summed_as(traffic_class)] += bytes;
}

trace_log::peer& trace_log::peer_of(std::uint32_t number) {
  auto const [at, fresh] = peer_places_.try_emplace(number, static_cast<std::uint32_t>(peers_.size()));
  if (fresh) peers_.push_back({number});
  return peers_[at->second];
}

}  // namespace sheaf::detail
