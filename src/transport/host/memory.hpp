// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <new>

namespace sheaf::host {

/// Where what locations show each other lies, rings and blocks: the heap of the only process, or its segment. Any
/// thread of the process may use it.
class memory {
 public:
  static constexpr std::size_t line = 64;

  /// `bytes` > 0, aligned to a cache line. Throws std::bad_alloc.
  virtual std::byte* take(std::size_t bytes) = 0;
  /// What `take` gave for that many bytes.
  virtual void give_back(std::byte* data, std::size_t bytes) noexcept = 0;

 protected:
  ~memory() = default;
};

class heap final : public memory {
 public:
  std::byte* take(std::size_t bytes) override {
    return static_cast<std::byte*>(::operator new (bytes, std::align_val_t{line}));
  }
  void give_back(std::byte* data, std::size_t) noexcept override { ::operator delete (data, std::align_val_t{line}); }
};

}  // namespace sheaf::host
