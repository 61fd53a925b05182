// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Memory that processes share which a test plays in one.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <numeric>
#include <vector>

#include "transport/net/meeting.hpp"

namespace sheaf_test {

/// One range of addresses for each process, as a segment has. Kept to the end, as another process's mapping keeps it:
/// others may still look at what its owner has given back.
class lasting_memory final : public sheaf::host_memory {
 public:
  lasting_memory()
      : start_(static_cast<std::byte*>(
            mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))) {}
  lasting_memory(lasting_memory const&) = delete;
  lasting_memory& operator=(lasting_memory const&) = delete;
  ~lasting_memory() { munmap(start_, size); }

  std::byte* take(std::size_t bytes) override {
    std::size_t const at = next_.fetch_add((bytes + line - 1) / line * line);
    if (at > size || bytes > size - at) throw std::bad_alloc();
    return start_ + at;
  }
  void give_back(std::byte*, std::size_t) noexcept override {}
  [[nodiscard]] std::span<std::byte const> mapped() const noexcept override { return {start_, size}; }

 private:
  static constexpr std::size_t size = std::size_t{1} << 32;  // under load a test takes more than a quarter
  std::byte* const start_;
  std::atomic<std::size_t> next_{sheaf::host::segment::front};
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
