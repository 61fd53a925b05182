// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Records that threads write into open buffers without the gate, where others may enter the location.
#include <atomic>
#include <utility>

#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/message/stream.hpp"

namespace sheaf::detail {

std::byte* stream::place(outbox& box, record_form const& next) {
  if (by_ == sending_threads::lock_free) return place_beside_others(box, next);
  bool const of_thread = thread.load(std::memory_order_relaxed) != nullptr;
  if (!of_thread || users_.exchange(1, std::memory_order_acquire) != 0) return nullptr;
  if (!all_.goes_in.load(std::memory_order_relaxed) && has_room(box, next)) {
    box.count += next.each == 0 ? 1 : 0;
    return std::exchange(box.cursor, box.cursor + next.bytes);
  }
  let_go();
  return nullptr;
}

/// While the stream is not closed, nothing of its boxes changes but cursors, nor does its scope. Whoever has moved a
/// cursor is still counted among the users when it fills the record, and who closes the stream waits for them.
std::byte* stream::place_beside_others(outbox& box, record_form const& next) {
  if (next.each == 0 || all_.goes_in.load(std::memory_order_relaxed)) return nullptr;
  run_scope const in = all_.scope();  // may enter the gate: hence before
  if ((users_.fetch_add(1, std::memory_order_acquire) & closed) == 0 && in == scope_ && box.tag == next.tag) {
    std::atomic_ref<std::byte*> const cursor(box.cursor);
    std::byte* at = cursor.load(std::memory_order_relaxed);
    while (at <= box.last) {
      if (cursor.compare_exchange_weak(at, at + next.bytes, std::memory_order_relaxed)) return at;
    }
  }
  let_go();
  return nullptr;
}

bool stream::is_owners_alone() const { return by_ == sending_threads::owner_alone && all_.gated; }

bool stream::is_anothers() const { return is_owners_alone() && all_.here.by_outsider(); }

placed::placed(location& here, outbox& box, record_form const& next, call_site from)
    : of_(*box.owner),
      at_(of_.place(box.filled(), next)),
      slowly_(at_ == nullptr),
      inside_(slowly_ ? here.gate() : nullptr) {
  if (slowly_) at_ = box.append_slowly(next, from);
}

placed::~placed() {
  if (!slowly_) of_.let_go();
}

}  // namespace sheaf::detail
