// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/thread_streams.hpp"

#include <algorithm>

#include "base/gate.hpp"
#include "sheaf/base/ambient.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"

namespace sheaf::detail {

stream& thread_streams::of_caller() {
  gate& by = *all_.here.gate();
  void const* const thread = own_thread();
  // In the simulator a location is a fiber: it has no thread of its own, and cannot be interrupted here.
  if (void const* const me = by.me(); me != thread) {
    stream* const known = known_of_caller();
    return known != nullptr ? *known : make(me);
  }
  auto& met = met_[reinterpret_cast<std::uintptr_t>(thread) * 0x9E3779B97F4A7C15ull >> 58U];
  stream* its = met.load(std::memory_order_acquire);
  if (its != nullptr && its->thread.load(std::memory_order_relaxed) == thread) return *its;
  admission const inside(&by);
  its = known_of_caller();
  if (its == nullptr) its = &make(thread);
  met.store(its, std::memory_order_release);
  return *its;
}

stream* thread_streams::known_of_caller() const {
  auto const at = std::ranges::find(streams_, all_.here.gate()->me(), [](stream* each) { return each->thread.load(); });
  return at == streams_.end() ? nullptr : *at;
}

stream& thread_streams::make(void const* thread) {
  admission const inside(all_.here.gate());
  auto const free = std::ranges::find(streams_, nullptr, [](stream* each) { return each->thread.load(); });
  stream* const its = free != streams_.end() ? *free : &all_.make_stream(plan_);
  if (free == streams_.end()) streams_.push_back(its);
  // Requests of the thread have the scope already: it is theirs.
  if (this != all_.requests_by_thread.get()) its->enter(all_.scope());
  its->thread = thread;
  return *its;
}

void thread_streams::end() {
  for (stream* const each : streams_) all_.end_stream(*each);
}

}  // namespace sheaf::detail
