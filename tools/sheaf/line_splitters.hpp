// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/line_order.hpp"
#include "sheaf/sheaf.hpp"
#include "sheaf/text_input.hpp"

namespace sheaf::tool {

/// Cuts the order of lines into one part per location. Equal lines are told apart by their position in the input, so
/// that any input gives parts of nearly equal bytes.
class line_splitters {
 public:
  /// Collective. Samples this location's part of the input.
  line_splitters(team const& on, text_input const& input, text_input::range part, line_order order);

  [[nodiscard]] std::uint32_t part_of(std::string_view line, std::uint64_t position) const;

 private:
  struct splitter {
    std::string line;
    std::uint64_t key;
    std::uint64_t position;
  };
  [[nodiscard]] bool before(std::string_view line, std::uint64_t key, std::uint64_t position, splitter const& s) const;

  line_order order_;
  std::vector<splitter> splitters_;
};

}  // namespace sheaf::tool
