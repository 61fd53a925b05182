// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Memory that processes share which a test plays in one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <vector>

#include "transport/net/process.hpp"

namespace sheaf_test {

/// Kept to the end, as another process's mapping keeps it: others may still look at what its owner has given back.
class lasting_memory final : public sheaf::host_memory {
 public:
  std::byte* take(std::size_t bytes) override {
    auto* const lines = new line[(bytes + sizeof(line) - 1) / sizeof(line)]();
    std::lock_guard const hold(lock_);
    all_.emplace_back(lines);
    return lines->bytes;
  }
  void give_back(std::byte*, std::size_t) noexcept override {}

 private:
  struct alignas(64) line {
    std::byte bytes[64];
  };
  std::mutex lock_;
  std::vector<std::unique_ptr<line[]>> all_;
};

class fake_host {
 public:
  fake_host() = default;
  /// The first `on_host` of `processes` share memory; 0: none do.
  fake_host(std::uint32_t processes, std::uint32_t on_host, std::uint32_t lanes)
      : ranks_(on_host), memory_(std::min(processes, on_host)) {
    std::iota(ranks_.begin(), ranks_.end(), 0U);
    for (auto& own : memory_) {
      own = std::make_unique<lasting_memory>();
      std::byte* const at = own->take(sheaf::host::process_root::bytes(lanes));
      roots_.push_back(reinterpret_cast<sheaf::host::process_root*>(at));
    }
  }

  [[nodiscard]] sheaf::net::neighbours of(std::uint32_t rank) const {
    if (rank >= ranks_.size()) return {};
    return {ranks_, roots_, memory_[rank].get()};
  }

 private:
  std::vector<std::uint32_t> ranks_;
  std::vector<sheaf::host::process_root*> roots_;
  std::vector<std::unique_ptr<lasting_memory>> memory_;
};

}  // namespace sheaf_test
