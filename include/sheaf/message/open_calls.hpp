// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <vector>

#include "sheaf/async/detail/task_frame.hpp"
#include "sheaf/message/handler.hpp"
#include "sheaf/message/method_table.hpp"

namespace sheaf {

class byte_reader;

namespace detail {

/// What a reply says first: the handler returned a value, or it threw and a text follows. `none` is in no reply: the
/// location ends without one.
enum class reply_status : std::uint8_t { value = 0, exception = 1, none = 2 };

/// Where one reply goes: called once with the bytes after the status. Takes exactly its own bytes from the reader,
/// since replies are packed one behind the other.
using reply_sink = void (*)(void* where, reply_status status, byte_reader& bytes);

/// Replies that this location awaits, by token. A token that is not awaited is recognised (its generation does not
/// match).
class reply_table {
 public:
  static constexpr std::uint32_t index_bits = 24;

  reply_table() = default;
  reply_table(reply_table const&) = delete;
  reply_table& operator=(reply_table const&) = delete;
  /// Tells those who still await one that there will be none.
  ~reply_table();

  std::uint32_t add(reply_sink sink, void* where);

  struct taken {
    reply_sink sink = nullptr;  ///< null: the token is not awaited
    void* where = nullptr;
  };
  taken take(std::uint32_t token);

  [[nodiscard]] std::size_t awaited() const { return awaited_; }

 private:
  static constexpr std::uint32_t index_mask = (1U << index_bits) - 1;
  static constexpr std::uint8_t generation_of(std::uint32_t token) {
    return static_cast<std::uint8_t>(token >> index_bits & 0xffU);
  }

  struct slot {
    reply_sink sink = nullptr;
    void* where = nullptr;
    std::uint8_t generation = 0;
    std::uint32_t next_free = 0;
  };
  std::vector<slot> slots_;
  std::uint32_t first_free_ = index_mask;  // none
  std::size_t awaited_ = 0;
};

}  // namespace detail
}  // namespace sheaf

namespace sheaf::detail {

/// An array on this location that replies are written into directly.
struct reply_window_entry {
  void* slots = nullptr;
  type_token type = nullptr;
  std::uint32_t size = 0;
  std::uint64_t* unanswered = nullptr;  ///< of the team; counts a window while it awaits anything
  std::string* error = nullptr;         ///< text of the first exception
  std::uint32_t one_less =
      ~0U;  ///< one less than the replies that it awaits, so that an addition tells where there were none

  [[nodiscard]] std::uint32_t awaited() const { return one_less + 1; }
  void await() {
    if (++one_less == 0) [[unlikely]]
      ++*unanswered;
  }
  void arrived(std::uint32_t replies) {
    one_less -= replies;
    if (awaited() == 0) --*unanswered;
  }
};

/// The windows of one location, by number; a token is a window's number and a slot in it.
class reply_windows {
 public:
  static constexpr std::uint32_t slot_bits = 22;
  static constexpr std::uint32_t most_windows = 1U << (32 - slot_bits);

  /// Enters a window, which stays where it is until it is removed. Throws usage_error when all numbers are in use.
  std::uint32_t add(reply_window_entry& entry);
  void remove(std::uint32_t window) { entries_[window] = nullptr; }

  /// In place of `remove`, for a window that goes although it awaits replies: its array, and a copy of its entry, stay
  /// at least until these have come, and the number stays in use. `destroy(array)` ends it.
  void orphan(std::uint32_t window, void* array, void (*destroy)(void* array));

  reply_windows() = default;
  ~reply_windows();
  reply_windows(reply_windows const&) = delete;
  reply_windows& operator=(reply_windows const&) = delete;

  /// The window that awaits a reply with this token, or null; the slot's number is checked.
  [[nodiscard]] reply_window_entry* find(std::uint32_t token) const {
    std::uint32_t const window = token >> slot_bits;
    if (window >= entries_.size() || entries_[window] == nullptr) return nullptr;
    auto* const entry = entries_[window];
    return entry->awaited() != 0 && slot_of(token) < entry->size ? entry : nullptr;
  }
  /// The window that the token names, if its slots are of this type.
  [[nodiscard]] reply_window_entry* find(std::uint32_t token, type_token type) const {
    auto* const entry = find(token);
    return entry != nullptr && entry->type == type ? entry : nullptr;
  }
  static constexpr std::uint32_t slot_of(std::uint32_t token) { return token & ((1U << slot_bits) - 1); }

 private:
  struct orphaned;
  void bury_orphans(bool all);

  std::vector<reply_window_entry*> entries_;  // by number; null where free
  orphaned* orphans_ = nullptr;
};

/// Recycled memory for the states of one location's futures: cells of one cache line each, which a number names, so
/// that a request carries the number as its token and the reply finds the state without a table between. Who awaits a
/// reply keeps the cell until that has come. Not for other threads. Memory is given back with the pool, but for slabs
/// of which a cell is in use then: the program has kept a future, and these stay for ever.
class cell_pool {
 public:
  static constexpr std::size_t cell_bytes = 64;

  cell_pool() = default;
  ~cell_pool();
  cell_pool(cell_pool const&) = delete;
  cell_pool& operator=(cell_pool const&) = delete;

  /// A cell's memory. Throws usage_error when 66,060,225 are in use.
  void* take() {
    if (free_ == nullptr) [[unlikely]]
      add_slab();
    free_cell* const cell = free_;
    free_ = cell->next;
    return cell;
  }

  static void give_back(void* cell) noexcept {
    cell_pool& pool = *slab_of(cell).pool;
    pool.free_ = ::new (cell) free_cell{pool.free_};
  }

  /// Names a cell that has been taken: by its slab's number, and its place there in bytes.
  static std::uint32_t token_of(void const* cell) noexcept {
    return slab_of(cell).token_less_address + static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(cell));
  }

  /// Whether at(token) may be called.
  [[nodiscard]] bool reaches(std::uint32_t token) const noexcept { return token < end_; }
  /// The cell that the token names. Whether it is in use its content must tell: given back, it is as it was left but
  /// for the first pointer; what has never been taken is zero but for the first two.
  [[nodiscard]] std::byte* at(std::uint32_t token) const noexcept {
    return reinterpret_cast<std::byte*>(slabs_[token / slab_bytes]) + (token % slab_bytes & ~(cell_bytes - 1));
  }

 private:
  static constexpr std::uint32_t cells_per_slab = 64;
  static constexpr std::size_t slab_bytes = cell_bytes * cells_per_slab;  // and its alignment

  struct free_cell {
    free_cell* next;
  };
  /// What stands in a slab's first cell.
  struct slab {
    cell_pool* pool;
    std::uint32_t token_less_address;  // of each of its cells, modulo 2^32
    std::uint32_t idle = 0;            // cells that are not in use, at the end
  };
  static_assert(sizeof(slab) <= 2 * sizeof(void*));

  static slab& slab_of(void const* cell) noexcept {
    return *reinterpret_cast<slab*>(reinterpret_cast<std::uintptr_t>(cell) & ~(slab_bytes - 1));
  }

  void add_slab();
  static void leave(slab& kept);

  free_cell* free_ = nullptr;
  std::uint32_t end_ = 0;  // behind the tokens of the last slab
  std::vector<slab*> slabs_;
};

/// What one location keeps of calls between their request and their answer.
struct open_calls {
  reply_table replies;    ///< what blocking calls wait for
  reply_windows windows;  ///< where gathered answers go
  cell_pool cells;        ///< states of futures
  method_table methods;   ///< methods that are called through pointers
  frame_list coroutines;  ///< that began here and belong to no task; an error that ends the job destroys them before
                          ///< the program's variables go
};

}  // namespace sheaf::detail
