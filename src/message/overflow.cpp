// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Of streams: full buffers that wait for credit.
#include <algorithm>
#include <utility>

#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/message/stream.hpp"

namespace sheaf::detail {

overflow_queue const* stream::overflow_of(outbox const& box) const {
  auto const at = std::find_if(overflows_.begin(), overflows_.end(), [&](auto const& q) { return q.box == &box; });
  return at == overflows_.end() ? nullptr : &*at;
}

void stream::overflow(outbox& box, buffer& full) {
  std::size_t const capacity = full.capacity(), bytes = full.size();
  auto at = std::find_if(overflows_.begin(), overflows_.end(), [&](auto const& q) { return q.box == &box; });
  if (at == overflows_.end()) {
    if (spare_overflows_.empty()) spare_overflows_.emplace_back();
    overflows_.push_back(std::move(spare_overflows_.back()));
    spare_overflows_.pop_back();
    at = overflows_.end() - 1;
    at->box = &box;
  }
  // The first one of a link may be others' records, which a location that its reserve stops takes, too.
  bool const is_free = is_routed(kind_) && at->waiting.empty();
  full.set_streams(false);  // it will not be in this core's caches any more
  at->first_is_free = at->first_is_free || is_free;
  at->waiting.add() = std::move(full);
  at->bytes += bytes;
  all_.hold_back(kind_, is_free ? 0 : capacity);
  box.blocked = true;
}

bool stream::drain() {
  bool any = false;
  for (std::size_t i = 0; i < overflows_.size();) {
    overflow_queue& queue = overflows_[i];
    outbox& box = *queue.box;
    while (!queue.waiting.empty()) {
      buffer& next = queue.waiting.front();
      std::size_t const capacity = next.capacity(), bytes = next.size();
      if (!all_.net.send(location_id{box.dest}, kind_, next)) break;
      all_.let_go(kind_, box.dest, std::exchange(queue.first_is_free, false) ? 0 : capacity, bytes);
      queue.bytes -= bytes;
      queue.waiting.drop();
      ++box.drained;
      ++box.sent;
      any = true;
    }
    if (!queue.waiting.empty()) {
      ++i;
      continue;
    }
    box.blocked = false;
    std::swap(queue, overflows_.back());
    spare_overflows_.push_back(std::move(overflows_.back()));
    overflows_.pop_back();
  }
  return any;
}

void stream::wait_for_credit(outbox const& box, run_tag tag, call_site from) {
  wait_site const site{
      .what = "sending a request", .for_what = awaited::room, .on = box.dest, .tag = tag, .from = from};
  overflow_queue const* const queue = overflow_of(box);
  std::uint32_t const enough = box.drained + static_cast<std::uint32_t>(queue == nullptr ? 0 : queue->waiting.size());
  all_.here.wait(wait_kind::credit, site,
                 [&] { return !box.blocked || static_cast<std::int32_t>(enough - box.drained) <= 0; });
}

}  // namespace sheaf::detail
