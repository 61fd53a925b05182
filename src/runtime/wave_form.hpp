// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>

#include "sheaf/base/options.hpp"

namespace sheaf::detail {

/// Which messages a wave consists of.
struct wave_form {
  explicit wave_form(options const& resolved)
      : tree(resolved.fence_form == fence_form_kind::tree),
        in_turn(resolved.fence_leaders == fence_leaders_kind::in_turn),
        arity(resolved.tree_arity) {}

  bool tree;            ///< gathered and released over a tree; else by dissemination
  bool in_turn;         ///< of two members of a process, the second leads every other fence or barrier
  std::uint32_t arity;  ///< children per member in every tree
};

}  // namespace sheaf::detail
