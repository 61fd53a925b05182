// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "conformance/suite.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace sheaf_test {
namespace {

constexpr int most_shown = 10;
constexpr std::size_t roomless_buffer = 1024;

struct named_case {
  char const* name;
  case_body body;
};

// Filled during static initialization.
std::vector<named_case>& cases() {
  static std::vector<named_case> all;
  return all;
}

}  // namespace

add_case::add_case(char const* name, case_body body) { cases().push_back({name, body}); }

std::uint64_t suite::scaled(std::uint64_t n) const {
  std::uint64_t slower = settings().transport == sheaf::transport_kind::thread ? 1 : 2;
  if (settings().buffer_bytes < roomless_buffer) slower *= 4;
  if (char const* const divisor = std::getenv("SHEAF_TEST_DIVISOR"))
    slower *= std::max(1ULL, std::strtoull(divisor, nullptr, 10));
  return n / slower > 0 ? n / slower : 1;
}

int suite::run_all(std::string_view filter) {
  for (auto const& [name, body] : cases()) {
    if (std::string_view(name).find(filter) == std::string_view::npos) continue;
    running_ = name;
    if (rank() == 0) {
      std::printf("%s\n", name);
      std::fflush(stdout);
    }
    try {
      body(*this);
      sheaf::fence(world);
    } catch (sheaf::job_aborted const&) {
      throw;
    } catch (std::exception const& thrown) {
      throw std::runtime_error(std::string("case ") + name + ": " + thrown.what());
    }
  }
  return failures_;
}

void suite::report(place at, std::string const& text) {
  if (++failures_ > most_shown) return;
  std::string_view file = at.file;
  file.remove_prefix(file.rfind('/') + 1);
  std::string const line = "FAILED " + std::string(running_) + " on location " + std::to_string(rank()) + " of " +
                           std::to_string(size()) + " (" + std::string(file) + ":" + std::to_string(at.line) +
                           "): " + text + "\n";
  std::fputs(line.c_str(), stderr);
}

}  // namespace sheaf_test
