// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "sheaf/base/lease.hpp"
#include "sheaf/transport/buffer.hpp"

namespace sheaf::detail {

/// Keeps the bytes of an entry for its execution and for all who were given a part of it; the last one gives the block
/// back. Until the entry is consumed the transport holds it.
class entry_keeper {
 public:
  explicit entry_keeper(std::atomic<std::size_t>& counted) : counted_(counted) {}

  lease share() {
    users_.fetch_add(1, std::memory_order_relaxed);
    return {[](void* self) { static_cast<entry_keeper*>(self)->drop(); }, this};
  }
  /// Only the execution can add users.
  [[nodiscard]] bool is_shared() const { return users_.load(std::memory_order_acquire) != 1; }
  void take(buffer&& block, std::size_t bytes) {
    block_ = std::move(block);
    counted_.fetch_add(bytes_ = bytes, std::memory_order_relaxed);
  }
  void drop() {
    if (users_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    counted_.fetch_sub(bytes_, std::memory_order_relaxed);
    delete this;
  }

 private:
  std::atomic<std::uint32_t> users_{1};  // the execution, until it ends
  std::atomic<std::size_t>& counted_;
  std::size_t bytes_ = 0;
  buffer block_;
};

}  // namespace sheaf::detail
