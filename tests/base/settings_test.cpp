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
    if (row.name == variable) return row;
  }
  throw std::logic_error("no such setting");
}

TEST(settings, every_row_has_a_name_of_its_own_and_a_variable_a_meaning) {
  std::set<std::string> names, variables;
  for (setting const& row : all_settings()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.legal().empty()) << row.name;
    if (row.is_variable()) {
      variables.insert(row.name);
      EXPECT_GT(std::string(row.meaning).size(), 10u) << row.name;
    } else {
      EXPECT_EQ(std::string(row.name).rfind("options::", 0), 0u) << row.name;
    }
  }
  EXPECT_LE(variables.size(), 20u) << "a new one takes the place of another, or is a field only";
  EXPECT_EQ(names.size(), 38u);
}

TEST(settings, a_legal_value_comes_back_as_it_was_given) {
  for (setting const& row : all_settings()) {
    if (row.high == 0) continue;
    for (std::uint64_t value : {row.low, row.high}) {
      options o;
      ASSERT_TRUE(row.assign(o, row, std::to_string(value))) << row.name;
      EXPECT_EQ(row.value(o), std::to_string(value)) << row.name;
    }
  }
  for (auto [variable, words] :
       {std::pair("SHEAF_TRANSPORT", std::vector{"auto", "thread", "sim", "mpi", "hybrid"}),
        std::pair("options::fence_form", std::vector{"auto", "tree", "dissemination"}),
        std::pair("SHEAF_PROGRESS", std::vector{"inline", "shared", "helper", "hand_over"}),
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
      EXPECT_FALSE(row.assign(o, row, text)) << row.name << '=' << text;
    }
    EXPECT_EQ(row.value(o), before);
  }
}

TEST(settings, a_refusal_names_the_words_that_there_are) {
  try {
    sheaf::detail::refuse(row_of("options::fence_form"), "maybe");
    FAIL();
  } catch (sheaf::option_error const& e) {
    EXPECT_STREQ(
        e.what(),
        "sheaf: options::fence_form is 'maybe'; it must be auto, tree or dissemination. Set it so, or unset it "
        "for the default.");
  }
}

}  // namespace
