// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>

#include "sheaf/base/options.hpp"

namespace sheaf::detail {

/// Which messages a wave consists of.
struct wave_form {
  explicit wave_form(options const& resolved)
      : tree(resolved.fence_form == fence_form_kind::tree), arity(resolved.tree_arity) {}

  bool tree;            ///< gathered and released over a tree; else by dissemination
  std::uint32_t arity;  ///< children per member in every tree
};

}  // namespace sheaf::detail
