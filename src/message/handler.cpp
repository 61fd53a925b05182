// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/handler.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "sheaf/message/run_header.hpp"

namespace sheaf::detail {
namespace {

constexpr std::uint32_t most_handlers = (1U << run_tag::handler_bits) - 1;

/// Entries stay where they are as others are added. Memory that is not used yet costs nothing.
constinit handler_entry entries[most_handlers]{};

bool is_one_of(char c, std::string_view set) { return set.find(c) != set.npos; }

/// How many characters of the text, from `at` on, are the word operator and a sign that looks like a bracket.
std::size_t operator_name(std::string_view text, std::size_t at) {
  constexpr std::string_view word = "operator";
  if (text.substr(at, word.size()) != word || (at != 0 && text[at - 1] != ':' && text[at - 1] != ' ')) return 0;
  auto const end = text.find_first_not_of("<>=-", at + word.size());
  return (end == text.npos ? text.size() : end) - at;
}

/// The template arguments that stand behind the first `opening` of a text.
std::vector<std::string_view> arguments_behind(std::string_view opening, std::string_view text) {
  auto const start = text.find(opening);
  if (start == text.npos) return {};
  text.remove_prefix(start + opening.size());
  std::vector<std::string_view> found;
  std::size_t depth = 0;
  std::size_t from = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    at += operator_name(text, at);
    if (at >= text.size()) break;
    bool const closes = is_one_of(text[at], ">)]}");
    if (depth == 0 && (closes || text[at] == ',')) {
      found.push_back(text.substr(from, at - from));
      if (closes) break;
      from = at + 1;
    }
    depth += is_one_of(text[at], "<([{") ? 1 : 0;
    depth -= closes ? 1 : 0;
  }
  return found;
}

/// Without what compilers write for the namespace that has no name.
std::string with_names_only(std::string_view text) {
  std::string result(text);
  for (std::string_view const nameless : {"{anonymous}::", "(anonymous namespace)::"}) {
    for (auto at = result.find(nameless); at != result.npos; at = result.find(nameless))
      result.erase(at, nameless.size());
  }
  return result;
}

}  // namespace

constinit handler_table handlers{entries, 0};

std::uint32_t register_handler(handler_entry const& entry) {
  if (handlers.size == most_handlers)
    throw std::length_error("sheaf: more than 524287 different remote methods in one program");
  entries[handlers.size] = entry;
  return ++handlers.size;
}

std::string readable(std::string_view handler_name) {
  if (auto const method = arguments_behind("method_invoker<", handler_name); method.size() > 1) {
    return with_names_only(method[1].substr(std::min(method[1].find_first_not_of(" &"), method[1].size())));
  }
  if (auto const constant = arguments_behind("constant_invoker<", handler_name); constant.size() > 1) {
    return with_names_only(constant[1].substr(std::min(constant[1].find_first_not_of(" &"), constant[1].size())));
  }
  if (auto const callable = arguments_behind("callable_invoker<", handler_name); !callable.empty()) {
    bool const method = callable.size() > 1 && callable[1].find("travelling_method<") != std::string_view::npos;
    bool const function = callable.size() > 1 && callable[1].find("travelling_function<") != std::string_view::npos;
    std::string const on = with_names_only(callable[0]);
    if (method) return "a method of " + on + " named by a pointer";
    std::string const what = function ? "a function named by a pointer" : "a callable";
    return on.ends_with("no_object") ? what : what + " on " + on;
  }
  if (auto const pointer = arguments_behind("pointer_invoker<", handler_name); !pointer.empty()) {
    return "a method of " + with_names_only(pointer[0]) + " named by a pointer";
  }
  if (auto const value = arguments_behind("message_records<", handler_name); !value.empty()) {
    return "message_type<" + with_names_only(value[0]) + ">";
  }
  if (auto const table = arguments_behind("routed_run<", handler_name); !table.empty()) {
    return "a run of " + with_names_only(table[0].substr(0, table[0].find_last_not_of(' ') + 1));
  }
  return std::string(handler_name);
}

}  // namespace sheaf::detail
