// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/handler.hpp"

#include <stdexcept>
#include <vector>

#include "sheaf/message/run_header.hpp"

namespace sheaf::detail {
namespace {

// Written during static initialization only, read-only while jobs run.
std::vector<handler_entry>& table() {
  static std::vector<handler_entry> entries(1);
  return entries;
}

}  // namespace

std::uint32_t register_handler(handler_entry const& entry) {
  auto& entries = table();
  if (entries.size() >= (1U << run_tag::handler_bits)) {
    throw std::length_error("sheaf: more than 1048575 different remote methods in one program");
  }
  entries.push_back(entry);
  return static_cast<std::uint32_t>(entries.size() - 1);
}

handler_entry const* find_handler(std::uint32_t number) noexcept {
  auto const& entries = table();
  return number == 0 || number >= entries.size() ? nullptr : &entries[number];
}

std::uint64_t handlers_digest() noexcept {
  std::uint64_t digest = 14695981039346656037ULL;  // FNV-1a
  for (auto const& entry : table()) {
    for (char const c : entry.name) digest = (digest ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    digest = (digest ^ 0xffU) * 1099511628211ULL;
  }
  return digest;
}

}  // namespace sheaf::detail
