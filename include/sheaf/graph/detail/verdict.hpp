// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "sheaf/runtime/collectives.hpp"
#include "sheaf/runtime/team.hpp"

namespace sheaf::detail {

/// What a verifier finds: the first thing that is wrong.
class verdict {
 protected:
  void wrong(std::string what) {
    if (text_.empty()) text_ = std::move(what);
  }
  void compare(std::string const& what, std::uint64_t said, std::uint64_t found) {
    if (said != found)
      wrong("the result says that there are " + std::to_string(said) + " " + what + ", and there are " +
            std::to_string(found));
  }
  /// Collective. What the member with the lowest rank has found of those that have found something; else empty.
  [[nodiscard]] std::string agreed(team const& members) const {
    return all_reduce(members, text_, [](std::string const& a, std::string const& b) { return a.empty() ? b : a; });
  }

 private:
  std::string text_;
};

}  // namespace sheaf::detail
