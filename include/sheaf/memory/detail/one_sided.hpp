// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sheaf/base/call_site.hpp"
#include "sheaf/memory/detail/elements.hpp"
#include "sheaf/memory/detail/shape.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/runtime/team.hpp"

namespace sheaf::detail {

inline std::uint64_t address_of(void const volatile* at) noexcept { return reinterpret_cast<std::uintptr_t>(at); }

/// A location, and an address there.
struct place {
  location_id where{};
  std::uint64_t address = 0;

  [[nodiscard]] std::byte* here() const noexcept { return reinterpret_cast<std::byte*>(address); }
};

/// One location's one-sided operations, without types. Any thread that acts for the location may call it; none of it
/// executes requests. An operation is direct where this process can load from the target's memory and store: then it is
/// over when it returns. Else it is served by the target's process; those to one target are served in order, and a
/// direct one waits until all before it have been.
class one_sided final : public part {
 public:
  explicit one_sided(location& here);
  static one_sided& of(location& here) {
    if (here.memory == nullptr) [[unlikely]]
      make(here);
    return static_cast<one_sided&>(*here.memory);
  }
  static one_sided& current(char const* what, call_site from) { return of(detail::current(what, from)); }

  location& here;

  [[nodiscard]] bool is_direct(place const& at) const noexcept {
    if (number(at.where) >= ways_.size()) [[unlikely]]
      return false;
    way const kind = ways_[number(at.where)].load(std::memory_order_relaxed);
    return kind == way::all || (kind == way::shared && at.address - shared_start_ < shared_bytes_);
  }
  /// As global_ptr::local.
  template <class T>
  [[nodiscard]] T* local(location_id where, std::uint64_t address) const {
    place const at{where, address};
    if (!is_direct(at)) check(at, 0, "global_ptr::local");
    return is_direct(at) ? reinterpret_cast<T*>(address) : nullptr;
  }

  /// Bytes of one value or row.
  void put(place const& to, void const* from, std::size_t bytes) {
    is_direct(to) ? copy_bytes(to.here(), from, bytes) : served_put(to, from, bytes);
  }
  void get(place const& from, void* to, std::size_t bytes) {
    is_direct(from) ? copy_bytes(to, from.here(), bytes) : served_get(from, to, bytes);
  }

  /// Parts of memory: `remote` is at `where`. Both have as many bytes, else usage_error.
  void put(location_id where, shape const& remote, const_shape const& local);
  void get(location_id where, const_shape const& remote, shape const& local);
  /// remote[i] += scale * local[i], atomic for each element. `scale` points to one; null: 1.
  void accumulate(location_id where, element_kind of, shape const& remote, const_shape const& local,
                  void const* scale);

  /// Changes the word there by `how`, atomically, and returns the old one. 4 or 8 bytes, aligned.
  std::uint64_t change(place const& at, std::size_t bytes, change_kind how, std::uint64_t operand,
                       std::uint64_t expected = 0);

  /// Returns when all puts and accumulates that were issued here for that location, or all, are done there.
  void fence(location_id where);
  void fence_all();

  /// A lock is a word of 8 bytes, zero at first, anywhere. The one that asked first gets it first. In the program:
  /// requests are executed meanwhile. Unlocking is preceded by fence_all.
  void lock(place const& word, call_site from);
  [[nodiscard]] bool try_lock(place const& word);
  void unlock(place const& word, call_site from);

  /// Memory at a location. Zero bytes: null. Throws std::bad_alloc.
  [[nodiscard]] place allocate(location_id where, std::size_t bytes);
  void deallocate(place const& at, std::size_t bytes);

  /// Throws usage_error where there is no such location, or the address is null and there are bytes.
  void check(place const& at, std::size_t bytes, char const* what) const;

 private:
  /// How a location's memory is reached: by loads and stores, all or what its host shares; or by asking.
  enum class way : std::uint8_t { all, shared, asked };

  static void make(location& here);
  static void copy_bytes(void* to, void const* from, std::size_t bytes) noexcept {
    if (bytes == 8) {
      __builtin_memcpy(to, from, 8);
    } else {
      __builtin_memmove(to, from, bytes);
    }
  }
  void served_put(place const& to, void const* from, std::size_t bytes);
  void served_get(place const& from, void* to, std::size_t bytes);
  [[noreturn]] void refuse(place const& at, char const* what) const;

  std::vector<std::atomic<way>> ways_;  ///< by location
  std::uint64_t shared_start_ = 0;
  std::uint64_t shared_bytes_ = 0;
};

}  // namespace sheaf::detail
