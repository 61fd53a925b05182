// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/detail/exactly.hpp"

#include <string>

#include "sheaf/base/error.hpp"

namespace sheaf::detail {

void throw_wrong_size(std::size_t said, std::ptrdiff_t written) {
  throw usage_error("sheaf: a request or a result was not sent: its size() or define_type measured " +
                    std::to_string(said) + " bytes, but " + std::to_string(written) +
                    " were written; a codec's encode writes exactly what its size says");
}

}  // namespace sheaf::detail
