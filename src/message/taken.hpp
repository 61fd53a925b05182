// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>

#include "base/threading.hpp"
#include "sheaf/base/lease.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/message/stream.hpp"

namespace sheaf::detail {

/// In force while an open buffer of the stream is read or handed over, by whichever thread, where others may enter.
/// Called inside the gate. Who places records is at it for one record at a time, and waits for nothing meanwhile. So
/// this waits for no gate, nor for a thread that does. A lock_free stream stays closed while several threads are in
/// here, as one may have left the gate for a wait.
class stream::taken : detail::immovable<taken> {
 public:
  explicit taken(stream& s) : of_(s.all_.gated ? &s : nullptr) {
    if (of_ == nullptr) return;
    threading* const threads = of_->all_.net.threads;
    if (of_->by_ != sending_threads::lock_free) {
      while (of_->users_.exchange(1, std::memory_order_acquire) != 0) yield(threads);
    } else if (of_->closers_++ == 0) {
      of_->users_.fetch_or(closed, std::memory_order_relaxed);
      while (of_->users_.load(std::memory_order_acquire) != closed) yield(threads);
    }
  }
  ~taken() {
    if (of_ == nullptr) return;
    if (of_->by_ != sending_threads::lock_free) {
      of_->users_.store(0, std::memory_order_release);
    } else if (--of_->closers_ == 0) {
      of_->users_.fetch_and(~closed, std::memory_order_release);
    }
  }

 private:
  stream* const of_;
};

/// A stream of no thread sends in the scope of whoever appends now. Where nobody else may enter, it has entered that
/// already, unless it had nothing open.
[[gnu::always_inline]] inline void stream::take_scope() {
  if (!is_request(kind_) || thread.load(std::memory_order_relaxed) != nullptr) return;
  if (run_scope const now = all_.scope(); now != scope_) enter(now);
}

}  // namespace sheaf::detail
