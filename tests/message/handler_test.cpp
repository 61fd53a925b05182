// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/handler.hpp"

#include <gtest/gtest.h>

#include "sheaf/message/run_header.hpp"

namespace {

using namespace sheaf::detail;

struct first_handler {
  static constexpr type_token object_type = nullptr;
  static constexpr sheaf::traffic kind = sheaf::traffic::answer;
  static constexpr std::uint32_t record_bytes = 12;
  static void run(sheaf::location&, void*, execution&) {}
};

struct second_handler : first_handler {};

TEST(handler, has_one_number_from_1_on) {
  std::uint32_t const first = handler_number<first_handler>;
  EXPECT_GE(first, 1u);
  EXPECT_EQ(first, handler_number<first_handler>);
  EXPECT_NE(first, handler_number<second_handler>);
  EXPECT_LT(first, 1u << sheaf::run_tag::handler_bits);
}

TEST(handler, is_found_by_its_number_with_all_that_a_receiver_needs) {
  handler_entry const* const found = find_handler(handler_number<first_handler>);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->run, &first_handler::run);
  EXPECT_EQ(found->object_type, nullptr);
  EXPECT_EQ(found->kind, sheaf::traffic::answer);
  EXPECT_EQ(found->record_bytes, 12u);
  EXPECT_NE(found->name.find("first_handler"), std::string_view::npos) << found->name;
}

TEST(handler, is_not_found_by_any_other_number) {
  EXPECT_EQ(find_handler(0), nullptr);
  EXPECT_EQ(find_handler((1u << sheaf::run_tag::handler_bits) - 1), nullptr);
  EXPECT_EQ(find_handler(~0u), nullptr);
}

TEST(handler, its_name_changes_the_digest_that_processes_compare) {
  std::uint64_t const before = handlers_digest();
  EXPECT_EQ(handlers_digest(), before);
  handler_entry entry;
  entry.name = "one more";
  std::uint32_t const added = register_handler(entry);
  EXPECT_EQ(find_handler(added)->name, "one more");
  EXPECT_EQ(find_handler(added + 1), nullptr);
  EXPECT_NE(handlers_digest(), before);
}

TEST(handler, types_are_told_apart_by_their_tokens) {
  EXPECT_EQ(token_of<int>(), token_of<int>());
  EXPECT_NE(token_of<int>(), token_of<unsigned>());
  EXPECT_NE(token_of<first_handler>(), token_of<second_handler>());
}

}  // namespace
