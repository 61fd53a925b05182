// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <utility>

namespace sheaf {

/// The owner of buffers' blocks; the location that has the buffer gives them back.
class block_home {
 public:
  virtual void give_back(std::byte* data, std::size_t capacity) noexcept = 0;

 protected:
  ~block_home() = default;
};

struct memory_guards;

/// Memory that locations can show each other: the heap of the only process of a host, or a segment that all its
/// processes map at the same address. A block from `take` comes back, unused, with the size asked for, to the memory of
/// any process that maps it. For any thread.
class host_memory : public block_home {
 public:
  static constexpr std::size_t line = 64;

  /// `bytes` > 0, aligned to a cache line. Throws std::bad_alloc; what it returns is there when it is used.
  virtual std::byte* take(std::size_t bytes) = 0;
  /// The whole part that other processes map.
  [[nodiscard]] virtual std::span<std::byte const> mapped() const noexcept { return {}; }
  /// What the processes of the host map, all parts in a row, of one size; empty: there is one process.
  [[nodiscard]] virtual std::span<std::byte const> shared() const noexcept { return {}; }
  /// The system's number of the process whose part of what is shared has this number.
  [[nodiscard]] virtual std::int32_t process_of(std::size_t /*part*/) const noexcept { return 0; }
  /// The guards for a place in what is shared: each part has its own. For other places those of this process.
  [[nodiscard]] virtual memory_guards& guards_for(std::uintptr_t address) const noexcept;

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

/// A block of bytes with one owner on its way to being filled and sent. Move-only; destroying it gives the block back.
class buffer {
 public:
  buffer() = default;
  buffer(block_home* home, std::byte* data, std::size_t capacity) noexcept
      : home_(home), data_(data), capacity_(capacity) {}
  buffer(buffer&& other) noexcept { swap(other); }
  buffer& operator=(buffer&& other) noexcept {
    buffer(std::move(other)).swap(*this);
    return *this;
  }
  ~buffer() {
    if (home_ != nullptr) home_->give_back(data_, capacity_);
  }

  explicit operator bool() const noexcept { return data_ != nullptr; }
  [[nodiscard]] std::byte* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  void set_size(std::size_t bytes) noexcept { size_ = bytes; }
  /// Whether small records fill one after the other: then a copy may travel, and the block be filled again.
  [[nodiscard]] bool streams() const noexcept { return streams_; }
  void set_streams(bool streams) noexcept { streams_ = streams; }

  /// Takes the block out of this owner; whoever calls it must return the block to its home.
  std::byte* release() noexcept {
    home_ = nullptr;
    size_ = capacity_ = 0;
    return std::exchange(data_, nullptr);
  }

  void swap(buffer& other) noexcept {
    std::swap(home_, other.home_);
    std::swap(data_, other.data_);
    std::swap(capacity_, other.capacity_);
    std::swap(size_, other.size_);
    std::swap(streams_, other.streams_);
  }

 private:
  block_home* home_ = nullptr;
  std::byte* data_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
  bool streams_ = false;
};

}  // namespace sheaf
