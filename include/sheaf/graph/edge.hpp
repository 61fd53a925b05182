// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <type_traits>

#include "sheaf/message/typer.hpp"

namespace sheaf {

/// Of edges without values.
struct no_value {
  bool operator==(no_value const&) const = default;
};

/// An edge as programs and files give it, from id to id; ids are any numbers.
template <class E = no_value>
struct edge {
  std::uint64_t source = 0, target = 0;
  [[no_unique_address]] E value{};

  bool operator==(edge const&) const = default;
  void define_type(typer& t) requires(!std::is_trivially_copyable_v<E>) {
    t.local(source);
    t.local(target);
    t.local(value);
  }
};

}  // namespace sheaf
