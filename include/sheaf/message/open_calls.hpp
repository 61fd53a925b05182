// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include "sheaf/async/detail/task_frame.hpp"
#include "sheaf/message/cell_pool.hpp"
#include "sheaf/message/method_table.hpp"
#include "sheaf/message/reply_table.hpp"
#include "sheaf/message/reply_windows.hpp"

namespace sheaf::detail {

/// What one location keeps of calls between their request and their answer.
struct open_calls {
  reply_table replies;    ///< what blocking calls wait for
  reply_windows windows;  ///< where gathered answers go
  cell_pool cells;        ///< states of futures
  method_table methods;   ///< methods that are called through pointers
  frame_list coroutines;  ///< that began here and belong to no task; an error that ends the job destroys them before
                          ///< the program's variables go
};

}  // namespace sheaf::detail
