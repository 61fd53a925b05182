// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/thread/thread_job.hpp"

#include "sheaf/base/error.hpp"

namespace sheaf::threads {

void thread_job::fail(location_id by, std::string_view reason) noexcept {
  {
    std::lock_guard const hold(mutex_);
    if (reason_.empty()) {
      reason_ = "location " + std::to_string(number(by)) + " ended the job: ";
      reason_ += reason;
    }
  }
  order.publish(failed_, true);
  for (mailbox& box : boxes) box.bell.ring();
}

void thread_job::throw_reason() {
  std::lock_guard const hold(mutex_);
  throw job_aborted(reason_);
}

}  // namespace sheaf::threads
