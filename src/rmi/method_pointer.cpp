// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/rmi/method_pointer.hpp"

#include <string>

#include "sheaf/base/error.hpp"

namespace sheaf::detail {

void throw_outside_object(std::int64_t adjustment, std::size_t size) {
  throw usage_error("sheaf: a method pointer moves the object's address by " + std::to_string(adjustment) +
                    " bytes, legal are 0 to " + std::to_string(size - 1) +
                    "; it was cast from a class derived from the object's. Give the handle's own class the method, "
                    "virtual if need be");
}

}  // namespace sheaf::detail
