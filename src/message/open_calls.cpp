// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/open_calls.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

#include "sheaf/message/byte_reader.hpp"
#include "sheaf/message/outbox.hpp"

namespace sheaf::detail {

reply_table::~reply_table() {
  byte_reader nothing({});
  for (slot const& s : slots_) {
    if (s.sink != nullptr) s.sink(s.where, reply_status::none, nothing);
  }
}

std::uint32_t reply_table::add(reply_sink sink, void* where, asked_of const* of) {
  std::uint32_t index = first_free_;
  if (index == index_mask) {
    index = static_cast<std::uint32_t>(slots_.size());
    if (index >= index_mask) {
      throw usage_error(
          "sheaf: more than 16777215 requests of one location wait for their replies or lend memory; wait for some of "
          "them (get(), fence) before you issue more");
    }
    slots_.emplace_back();
  } else {
    first_free_ = slots_[index].next_free;
  }
  slot& s = slots_[index];
  s.sink = sink;
  s.where = where;
  s.of = of;
  ++awaited_;
  return std::uint32_t{s.generation} << index_bits | index;
}

reply_table::taken reply_table::take(std::uint32_t token) {
  std::uint32_t const index = token & index_mask;
  if (index >= slots_.size()) return {};
  slot& s = slots_[index];
  if (s.sink == nullptr || s.generation != generation_of(token)) return {};
  taken const result{s.sink, s.where};
  s.sink = nullptr;
  ++s.generation;
  s.next_free = first_free_;
  first_free_ = index;
  --awaited_;
  return result;
}

question_run::~question_run() {
  leave_windows();
  std::free(places);
}

std::uint32_t question_run::noted() const {
  return in == nullptr ? count : static_cast<std::uint32_t>(in->place - places);
}

std::uintptr_t* question_run::grow() {
  std::uint32_t const before = capacity, more = before == 0 ? 8 : 2 * before;
  void* const memory = std::realloc(places, std::size_t{more} * sizeof(std::uintptr_t));
  if (memory == nullptr) throw std::bad_alloc();
  places = static_cast<std::uintptr_t*>(memory);
  capacity = more;
  return places + before;
}

void question_run::serve(window_state& window) {
  if (std::find(windows.begin(), windows.end(), &window) != windows.end()) return;
  windows.push_back(&window);
  ++window.runs;
}

void question_run::leave_windows() {
  for (window_state* const window : windows) {
    --window->runs;
    window->release();
  }
  windows.clear();
}

void question_run::count_awaited(std::uint32_t from, std::uint32_t questions, std::uint32_t by) {
  if (windows.size() == 1) {
    windows.front()->awaited += by * questions;
    return;
  }
  for (window_state* const window : windows) {
    auto const its = std::count_if(places + from, places + from + questions, [&](auto p) { return window->has(p); });
    window->awaited += by * static_cast<std::uint32_t>(its);
  }
}

question_book::~question_book() {
  for (question_run* const run : runs_) delete run;
}

question_run& question_book::begin(asker const& who, asked_of const& of) {
  if (free_ == nullptr) {
    if (runs_.size() == 1U << 24U) {
      throw usage_error("sheaf: more than 16777216 runs of questions of one location await answers; get() some first");
    }
    auto fresh = std::make_unique<question_run>(static_cast<std::uint32_t>(runs_.size()));
    fresh->grow();
    runs_.push_back(fresh.get());
    free_ = fresh.release();
  }
  question_run& run = *free_;
  if (who.window != nullptr) run.serve(*who.window);
  free_ = run.next_free;
  run.type = who.type;
  run.of = of;
  run.unanswered = who.unanswered;
  ++*who.unanswered;
  return run;
}

void question_book::close(question_run& run, std::uint32_t questions) {
  run.in = nullptr;
  run.count = run.open = questions;
  run.count_awaited(0, questions, 1);
  if (questions == 0) end(run);
}

std::uint64_t question_book::alone(asker const& who, asked_of const& of, std::uintptr_t place) {
  question_run& run = begin(who, of);
  run.places[0] = place;
  close(run, 1);
  return run.first_id();
}

void question_book::end(question_run& run) {
  --*run.unanswered;
  run.unanswered = nullptr;
  run.count = 0;
  run.leave_windows();
  run.next_free = std::exchange(free_, &run);
}

std::uint32_t question_book::awaited(window_state const& window) const {
  std::uint32_t sum = window.awaited;
  for (question_run const* const run : runs_) {
    if (run->in == nullptr) continue;
    sum += static_cast<std::uint32_t>(
        std::count_if(run->places, run->places + run->noted(), [&](auto place) { return window.has(place); }));
  }
  return sum;
}

std::uint64_t question_book::awaited_by(std::uint64_t const& unanswered) const {
  std::uint64_t sum = unanswered;
  for (question_run const* const run : runs_) {
    if (run->unanswered == &unanswered) sum += (run->in == nullptr ? run->open : run->noted()) - 1;
  }
  return sum;
}

}  // namespace sheaf::detail
