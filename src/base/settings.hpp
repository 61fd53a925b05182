// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sheaf/base/options.hpp"

namespace sheaf::detail {

/// One setting: its name, what it does, what is legal, and its field of `options`.
struct setting {
  char const* name;                                ///< of its variable; options::X for a field that has none
  char const* meaning;                             ///< a clause, for `sheaf info`; empty without a variable
  std::uint64_t low = 0;                           ///< of a number
  std::uint64_t high = 0;                          ///< of a number; 0: it is a word
  std::string (*words)() = nullptr;                ///< what a word may be
  std::string (*value)(options const&) = nullptr;  ///< as its variable would say it
  bool (*assign)(options&, setting const& row, std::string_view text) = nullptr;  ///< false: not legal, and no change

  [[nodiscard]] bool is_variable() const { return std::string_view(name).starts_with("SHEAF_"); }
  /// What is legal, to stand behind "it must be".
  [[nodiscard]] std::string legal() const;
};

/// All settings, those with a variable first, of which each has a line of docs/guide/settings.md.
std::span<setting const> all_settings();

/// Throws option_error with the name, its value, what is legal and the remedy.
[[noreturn]] void refuse(setting const& row, std::string_view value);

/// Throws option_error where the environment has a variable whose name is nearly, but not quite, that of a setting.
void refuse_misspelt();

/// The value of a variable; null where it is not set or is empty.
char const* variable(char const* name);

}  // namespace sheaf::detail
