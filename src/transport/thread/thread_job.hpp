// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/base/options.hpp"
#include "transport/thread/ring.hpp"

namespace sheaf::threads {

/// What others write of one location, apart from its rings.
struct alignas(64) mailbox {
  doorbell bell;
  std::atomic<ring*> fresh{nullptr};  ///< rings that lead here and are not in the inbox yet
};

/// What all locations of a job of threads share.
class thread_job {
 public:
  explicit thread_job(options const& resolved)
      : settings(resolved), order(store_load_order::for_this_process()), boxes(resolved.locations) {}

  options const settings;
  store_load_order const order;
  std::vector<mailbox> boxes;  ///< by location

  [[nodiscard]] bool failed() const noexcept { return failed_.load(std::memory_order_seq_cst); }
  /// Marks the job as failed; the first reason is kept. Wakes every location.
  void fail(location_id by, std::string_view reason) noexcept;
  /// Throws job_aborted with the reason.
  [[noreturn]] void throw_reason();

 private:
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::string reason_;
};

}  // namespace sheaf::threads
