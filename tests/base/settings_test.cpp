// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "base/settings.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <set>

#include "sheaf/base/error.hpp"

namespace {

using sheaf::options;
using sheaf::detail::all_settings;
using sheaf::detail::setting;

setting const& row_of(std::string_view variable) {
  for (setting const& row : all_settings()) {
    if (row.variable == variable) return row;
  }
  throw std::logic_error("no such setting");
}

TEST(settings, every_row_has_a_name_of_its_own_and_a_meaning) {
  std::set<std::string> names;
  for (setting const& row : all_settings()) {
    EXPECT_TRUE(names.insert(row.variable).second) << row.variable;
    EXPECT_EQ(std::string(row.variable).rfind("SHEAF_", 0), 0u) << row.variable;
    EXPECT_GT(std::string(row.meaning).size(), 10u) << row.variable;
    EXPECT_FALSE(row.legal().empty()) << row.variable;
  }
  EXPECT_GE(names.size(), 25u);
}

TEST(settings, a_legal_value_comes_back_as_it_was_given) {
  for (setting const& row : all_settings()) {
    if (row.high == 0) continue;
    for (std::uint64_t value : {row.low, row.high}) {
      options o;
      ASSERT_TRUE(row.assign(o, row, std::to_string(value))) << row.variable;
      EXPECT_EQ(row.value(o), std::to_string(value)) << row.variable;
    }
  }
  for (auto [variable, words] :
       {std::pair("SHEAF_TRANSPORT", std::vector{"auto", "thread", "sim", "mpi", "hybrid"}),
        std::pair("SHEAF_FENCE_FORM", std::vector{"auto", "tree", "dissemination"}),
        std::pair("SHEAF_PROGRESS", std::vector{"inline", "shared", "helper", "hand_over"}),
        std::pair("SHEAF_PREFLIGHT", std::vector{"off", "warn", "strict"}),
        std::pair("SHEAF_PIN", std::vector{"0", "1"}), std::pair("SHEAF_MPI", std::vector{"openmpi", "mpich"})}) {
    setting const& row = row_of(variable);
    for (char const* const each : words) {
      options o;
      ASSERT_TRUE(row.assign(o, row, each)) << variable << '=' << each;
      EXPECT_EQ(row.value(o), each);
      EXPECT_NE(row.legal().find(each), std::string::npos);
    }
  }
}

TEST(settings, what_is_not_legal_changes_nothing) {
  for (setting const& row : all_settings()) {
    if (row.legal() == "a folder") continue;  // any
    bool const any_name = row.legal().ends_with("wire module");
    options o;
    std::string const before = row.value(o);
    for (char const* const text : {"", "x", "-1", "99999999999999999999"}) {
      if (any_name && std::isalnum(*text) != 0) continue;
      EXPECT_FALSE(row.assign(o, row, text)) << row.variable << '=' << text;
    }
    EXPECT_EQ(row.value(o), before);
  }
}

TEST(settings, a_refusal_names_the_words_that_there_are) {
  try {
    sheaf::detail::refuse(row_of("SHEAF_PREFLIGHT"), "maybe");
    FAIL();
  } catch (sheaf::option_error const& e) {
    EXPECT_STREQ(e.what(),
                 "sheaf: SHEAF_PREFLIGHT is 'maybe'; it must be off, warn or strict. Set it so, or unset it for the "
                 "default.");
  }
}

}  // namespace
