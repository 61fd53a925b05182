// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <new>
#include <span>

namespace sheaf {

/// Memory that locations can show each other: the heap of the only process of a host, or a segment that all its
/// processes map at the same address. Any thread of the process may use it.
class host_memory {
 public:
  static constexpr std::size_t line = 64;

  /// `bytes` > 0, aligned to a cache line. Throws std::bad_alloc; what it returns is there when it is used.
  virtual std::byte* take(std::size_t bytes) = 0;
  /// What `take` gave for that many bytes; nobody may use it any more.
  virtual void give_back(std::byte* data, std::size_t bytes) noexcept = 0;
  /// Where all of it lies that other processes map.
  [[nodiscard]] virtual std::span<std::byte const> mapped() const noexcept { return {}; }

 protected:
  ~host_memory() = default;
};

/// The heap.
class heap_memory final : public host_memory {
 public:
  std::byte* take(std::size_t bytes) override {
    return static_cast<std::byte*>(::operator new (bytes, std::align_val_t{line}));
  }
  void give_back(std::byte* data, std::size_t) noexcept override { ::operator delete (data, std::align_val_t{line}); }
};

}  // namespace sheaf
