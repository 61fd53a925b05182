// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sheaf/transport/buffer.hpp"
#include "sheaf/transport/memory_guards.hpp"

namespace sheaf::host {

/// A file descriptor, closed at the end.
class descriptor {
 public:
  descriptor() = default;
  explicit descriptor(int number) noexcept : number_(number) {}
  descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  descriptor& operator=(descriptor other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~descriptor() {
    if (number_ >= 0) close(number_);
  }

  [[nodiscard]] int number() const noexcept { return number_; }
  explicit operator bool() const noexcept { return number_ >= 0; }

 private:
  int number_ = -1;
};

/// A file in memory without a name in any directory, which other processes of the host can map.
struct memory_file {
  std::uint64_t key = 0;  ///< stands in its first bytes, and in the name that /proc shows
  descriptor file;

  /// A new one, of one page. Without a file, and `problem` set, where the system gives none.
  static memory_file create(std::string& problem);
  /// The file that another process has open under this number; it needs no help of that process. Without a file, and
  /// `problem` set, where the system does not let it be opened, or it is another one.
  static memory_file open(std::int32_t process, std::int32_t number, std::uint64_t key, std::string& problem);
};

/// The memory of one process that all processes of its host map at the same address: a pointer into it means the same
/// in all. It grows where it is and never moves; the others see what is added without anybody's help. What is taken is
/// there: what the system cannot give is a std::bad_alloc in `take`, never a SIGBUS later. Pages lie on the node of the
/// thread that takes them first, or as its policy says. Any thread of the owner may take and give back.
class segment final : public host_memory {
 public:
  /// What each segment begins with, for all processes. All zero but for the key, it is one.
  struct alignas(64) head {
    std::uint64_t key;
    std::atomic<std::int32_t> process;  ///< the system's number of its owner
    std::atomic<std::byte*> returned;   ///< the last piece that another process has given back; leads to the others
    memory_guards guards;
  };
  static constexpr std::size_t front = sizeof(head);
  static constexpr std::size_t large = std::size_t{1} << 20;  ///< pieces of this class or above are pages of their own

  /// Owner's; the file is mapped at `start`, where `bytes` of addresses are its own. The first `apart` bytes behind the
  /// front are never taken. `all`: the segments of all processes, in a row; empty: there are no others. Throws
  /// std::bad_alloc.
  segment(descriptor file, std::byte* start, std::size_t bytes, std::size_t apart = 0,
          std::span<std::byte const> all = {});
  segment& operator=(segment&&) = delete;

  /// `bytes` > 0, aligned to a cache line; zero where the memory is taken for the first time.
  std::byte* take(std::size_t bytes) override;

  /// The pages of large pieces go back to the system where more than `kept` bytes are not in use. A piece of another
  /// process's segment waits there for the next `take` of its owner.
  void give_back(std::byte* data, std::size_t bytes) noexcept override;
  [[nodiscard]] std::span<std::byte const> mapped() const noexcept override { return {start_, size_}; }
  [[nodiscard]] std::span<std::byte const> shared() const noexcept override { return all_; }
  [[nodiscard]] std::int32_t process_of(std::size_t part) const noexcept override {
    return head_of(address_of(part)).process.load(std::memory_order_relaxed);
  }
  [[nodiscard]] memory_guards& guards_for(std::uintptr_t address) const noexcept override {
    return head_of(address).guards;
  }
  static constexpr std::size_t kept = std::size_t{64} << 20;

  /// Bytes that the system has given for it now.
  [[nodiscard]] std::size_t backed() const;

 private:
  static constexpr std::size_t classes = 64;

  struct pieces {
    std::vector<std::byte*> free;
    std::size_t made = 0;
  };

  /// What a piece begins with that another process has given back.
  struct returned_piece {
    std::byte* next;
    std::size_t bytes;
  };

  /// Of the segment with that address; of this one, if none has it.
  [[nodiscard]] head& head_of(std::uintptr_t address) const noexcept {
    std::size_t const offset = address - reinterpret_cast<std::uintptr_t>(all_.data());
    std::byte* const start = offset < all_.size() ? start_ - place_ * size_ + offset / size_ * size_ : start_;
    return *reinterpret_cast<head*>(start);
  }
  [[nodiscard]] std::uintptr_t address_of(std::size_t part) const noexcept {
    return reinterpret_cast<std::uintptr_t>(all_.data()) + part * size_;
  }
  void take_returned();
  void put_back(std::byte* data, std::size_t bytes) noexcept;
  std::byte* take_small(std::size_t room);
  std::byte* take_large(std::size_t room, std::size_t bytes);
  void back(std::size_t from, std::size_t bytes) const;

  descriptor const file_;
  std::byte* const start_;
  std::size_t const size_;
  std::span<std::byte const> const all_;
  std::size_t const place_;  ///< of this one among all
  mutable std::mutex mutex_;
  std::size_t next_ = front;                            ///< where the next small piece is
  std::size_t ready_;                                   ///< up to here there are pages for small ones
  std::size_t idle_ = 0;                                ///< bytes with pages of large pieces that are not in use
  pieces pieces_[classes];                              ///< by the logarithm of their room
  std::unordered_map<std::byte*, std::size_t> backed_;  ///< of each large piece, in use or not: bytes that have pages
};

/// Collective over all processes of a job: `all` becomes everybody's `mine`, in the order of ranks.
using exchange_function = std::function<void(std::span<std::byte const> mine, std::span<std::byte> all)>;

/// Gives a range of addresses back.
struct unmap {
  std::size_t bytes = 0;
  void operator()(std::byte* start) const noexcept;
};

/// The segments of the processes of one host, each mapped in whole at the same address by all of them. A forked child
/// does not have them. They end with this object; the others' mappings keep the pages that those still look at.
class host_map {
 public:
  /// Nothing is shared.
  host_map() = default;

  /// Collective over all processes of the job. `members`: the ranks of those that are to share with this one, itself
  /// among them, the same list in each; empty: it shares nothing, and only takes part. All members share then, or none.
  ///
  /// Each member's segment begins with a root of that many bytes, all zero, which the others find without being told.
  host_map(exchange_function const& exchange, std::span<std::uint32_t const> members, std::uint32_t self,
           std::uint32_t processes, std::size_t root_bytes);

  [[nodiscard]] bool any() const noexcept { return own_ != nullptr; }
  /// Why nothing is shared, where there are members; names the rank.
  [[nodiscard]] std::string const& problem() const noexcept { return problem_; }

  /// This process's own.
  [[nodiscard]] segment& own() const noexcept { return *own_; }
  /// A member's root, by its place in the list.
  [[nodiscard]] std::byte* root(std::size_t place) const noexcept { return start(place) + segment::front; }

  /// Whether that member's process has ended, waited for or not. False where the system does not tell.
  [[nodiscard]] bool has_gone(std::size_t place) const noexcept;

 private:
  struct word;

  [[nodiscard]] std::byte* start(std::size_t place) const noexcept { return region_.get() + place * size_; }
  std::string map_all(std::span<std::uint32_t const> members, std::uint32_t self, memory_file& own,
                      std::span<word const> offers, std::size_t root_bytes);

  std::size_t size_ = 0;  ///< addresses of each
  std::unique_ptr<std::byte, unmap> region_;
  std::unique_ptr<segment> own_;
  std::vector<descriptor> processes_;  ///< by place: its folder in /proc, which a later process of its number has not
  std::string problem_;
};

}  // namespace sheaf::host
