// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: a task co_awaits a future, a task, or when_all of these
#include "sheaf/async/task.hpp"

sheaf::task<int> wait_for(sheaf::future<int> f) {
#ifdef SHEAF_CORRECT
  co_return co_await f;
#else
  auto const& fixed = f;
  co_return co_await fixed;
#endif
}
