// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/handler.hpp"

#include <stdexcept>
#include <vector>

#include "sheaf/message/run_header.hpp"

namespace sheaf::detail {
namespace {

std::vector<handler_entry>& entries() {
  static std::vector<handler_entry> all;
  return all;
}

}  // namespace

constinit handler_table handlers{nullptr, 0};

std::uint32_t register_handler(handler_entry const& entry) {
  auto& all = entries();
  if (all.size() + 1 >= (1U << run_tag::handler_bits)) {
    throw std::length_error("sheaf: more than 1048574 different remote methods in one program");
  }
  all.push_back(entry);
  handlers = {all.data(), static_cast<std::uint32_t>(all.size())};
  return handlers.size;
}

std::uint64_t handlers_digest() noexcept {
  std::uint64_t digest = 14695981039346656037ULL;  // FNV-1a
  for (auto const& entry : entries()) {
    for (char const c : entry.name) digest = (digest ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    digest = (digest ^ 0xffU) * 1099511628211ULL;
  }
  return digest;
}

}  // namespace sheaf::detail
