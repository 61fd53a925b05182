// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include "sheaf/message/location.hpp"

namespace sheaf::detail {

class stall_watch {
 public:
  explicit stall_watch(location&) {}
};

}  // namespace sheaf::detail
