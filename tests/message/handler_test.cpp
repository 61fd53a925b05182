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
  static void run(sheaf::detail::location&, void*, execution&) {}
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

TEST(handler, that_is_registered_later_gets_the_next_number) {
  handler_entry entry;
  entry.name = "one more";
  std::uint32_t const added = register_handler(entry);
  EXPECT_EQ(find_handler(added)->name, "one more");
  EXPECT_EQ(find_handler(added + 1), nullptr);
}

TEST(handler, is_called_by_its_method_whatever_the_compiler_writes) {
  auto const gcc = [](std::string const& of) {
    return readable("sheaf::detail::async_request<sheaf::detail::method_invoker<" + of + "> >");
  };
  EXPECT_EQ(gcc("t, &t::boom, long int (t::*)(long int)"), "t::boom");
  EXPECT_EQ(gcc("{anonymous}::d, &t::c, void (t::*)(const std::pair<int, long int>&) const noexcept"), "t::c");
  EXPECT_EQ(gcc("{anonymous}::u<std::pair<int, char> >, &{anonymous}::u<std::pair<int, char> >::m, void "
                "({anonymous}::u<std::pair<int, char> >::*)()"),
            "u<std::pair<int, char> >::m");
  EXPECT_EQ(gcc("t, &t::operator<, bool (t::*)(int)"), "t::operator<");
  EXPECT_EQ(gcc("t, &t::operator->, int* (t::*)()"), "t::operator->");
  EXPECT_EQ(gcc("t, &t::operator(), int (t::*)(int)"), "t::operator()");
  EXPECT_EQ(gcc("main()::loc, &main()::loc::z, void (main()::loc::*)()"), "main()::loc::z");
  EXPECT_EQ(readable("sheaf::detail::windowed_request<sheaf::detail::method_invoker<(anonymous namespace)::u<int>::in, "
                     "&(anonymous namespace)::u<int>::in::k, int ((anonymous namespace)::u<int>::in::*)()>>"),
            "u<int>::in::k");
}

TEST(handler, of_a_callable_is_called_by_its_object) {
  EXPECT_EQ(
      readable("sheaf::detail::async_request<sheaf::detail::callable_invoker<t, main()::<lambda(t&, int)>, int> >"),
      "a callable on t");
  EXPECT_EQ(readable("sheaf::detail::answered_request<sheaf::detail::callable_invoker<(anonymous namespace)::u<int>, "
                     "(lambda at names.cpp:22:9), int>>"),
            "a callable on u<int>");
}

TEST(handler, any_other_keeps_its_name) {
  for (char const* name : {"sheaf::detail::reply_run", "", "method_invoker<", "method_invoker<t", "callable_invoker<t",
                           "method_invoker<t, operator<"}) {
    EXPECT_EQ(readable(name), name);
  }
  EXPECT_EQ(readable("method_invoker<t, >"), "");
}

TEST(handler, types_are_told_apart_by_their_tokens) {
  EXPECT_EQ(token_of<int>(), token_of<int>());
  EXPECT_NE(token_of<int>(), token_of<unsigned>());
  EXPECT_NE(token_of<first_handler>(), token_of<second_handler>());
}

}  // namespace
