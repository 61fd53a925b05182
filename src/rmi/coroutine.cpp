// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/rmi/detail/coroutine.hpp"

namespace sheaf::detail {

void throw_object_gone() {
  throw usage_error(
      "its object was destroyed or withdrawn while the coroutine was suspended; fence (the world, for a published "
      "object) before it goes");
}

}  // namespace sheaf::detail
