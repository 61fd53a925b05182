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
#include "sheaf/base/error.hpp"
#include "sheaf/memory/detail/elements.hpp"
#include "sheaf/memory/detail/strided.hpp"
#include "sheaf/memory/detail/words.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/runtime/team.hpp"

namespace sheaf::detail {

inline std::uint64_t address_of(void const volatile* at) noexcept { return reinterpret_cast<std::uintptr_t>(at); }

class other_process;
class served_requests;
template <class T>
class future_state;

/// A location, and an address there.
struct place {
  location_id where{};
  std::uint64_t address = 0;

  bool operator==(place const&) const = default;
  [[nodiscard]] std::byte* here() const noexcept { return reinterpret_cast<std::byte*>(address); }
};

/// One location's one-sided operations, without types. Any thread that acts for the location may call it; none of it
/// executes requests. An operation is direct where this process can load from the target's memory and store: then it is
/// over when it returns. Else it is served by the target's process; those to one target are served in order, and a
/// direct one waits until all before it have been.
class one_sided final : public location_part {
 public:
  explicit one_sided(location& here);
  ~one_sided() override;
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
    return (kind == way::all && at.address != 0) || (kind == way::shared && at.address - shared_start_ < shared_bytes_);
  }
  /// As global_ptr::local.
  template <class T>
  [[nodiscard]] T* local(location_id where, std::uint64_t address) const {
    place const at{where, address};
    if (!is_direct(at)) check(at, 0, "global_ptr::local");
    return is_direct(at) ? reinterpret_cast<T*>(address) : nullptr;
  }

  /// Parts of memory: `remote` is at `where`, as large as the local one, else usage_error. A put returns when `local`
  /// may change; a get that was issued has brought its values after `arrive` or a fence.
  void put(location_id where, strided const& remote, const_strided const& local) {
    if (is_direct_row(where, remote, local)) return copy_row(remote.first, local.first, local.row);
    put_parts(where, remote, local);
  }
  void async_get(location_id where, const_strided const& remote, strided const& local) {
    if (is_direct_row(where, remote, local)) return copy_row(local.first, remote.first, local.row);
    get_parts(where, remote, local);
  }
  /// Returns when the values of all gets that were issued here for that location are here.
  void arrive(location_id where) {
    if (open_.load(std::memory_order_relaxed)) [[unlikely]]
      wait_open(where);
  }

  /// remote[i] += scale * local[i], atomic for each element. `scale` points to one; null: 1.
  void accumulate(location_id where, element_kind of, strided const& remote, const_strided const& local,
                  void const* scale);

  /// While one lives, what is served goes in as few messages as there are targets.
  class gathering {
   public:
    explicit gathering(one_sided& by) : by_(by) { by_.gather(1); }
    gathering& operator=(gathering&&) = delete;
    ~gathering() { by_.gather(-1); }

   private:
    one_sided& by_;
  };

  /// Changes the word there by `how`, atomically, and returns the old one. 4 or 8 bytes, aligned.
  std::uint64_t change(place const& at, std::size_t bytes, change_kind how, std::uint64_t operand,
                       std::uint64_t expected = 0) {
    bool const by_processor = shared_bytes_ == 0 || at.address - shared_start_ < shared_bytes_;
    if (by_processor && at.address % bytes == 0 && is_direct(at)) [[likely]]
      return change_word(at.here(), bytes, how, operand, expected);
    return change_slowly(at, bytes, how, operand, expected);
  }

  /// Makes the state ready, now or when all is done that was issued here for that location.
  void answer_when_done(location_id where, future_state<void>& state);
  bool go_on() override;
  std::uint64_t unanswered = 0;  ///< counts what futures wait for; nobody waits for it

  /// Returns when all puts and accumulates that were issued here for that location, or all, are done there.
  void fence(location_id where);
  void fence_all();

  /// A lock is a word of 8 bytes, zero at first, anywhere. The one that asked first gets it first. In the program:
  /// requests are executed meanwhile. Unlocking is preceded by fence_all.
  void lock(place const& word, call_site from);
  [[nodiscard]] bool try_lock(place const& word);
  void unlock(place const& word, call_site from);

  /// Executes requests until `done(of)`, which looks at memory that others write.
  void wait_for(char const* what, call_site from, bool (*done)(void const* of), void const* of);

  /// Memory at a location. Zero bytes: null. Throws std::bad_alloc.
  enum class filled : std::uint8_t { with_anything, with_zeros };
  [[nodiscard]] place allocate(location_id where, std::size_t bytes, filled how = filled::with_anything);
  void deallocate(place const& at, std::size_t bytes);

  /// Throws usage_error where there is no such location, or the address is null and there are bytes.
  void check(place const& at, std::size_t bytes, char const* what) const;
  static void check_same(location_id one, location_id other, char const* what);

 private:
  /// How a location's memory is reached: by loads and stores, all or what its host shares; or by asking, as long as
  /// something that was asked may not be done.
  enum class way : std::uint8_t { all, shared, asked };
  /// What an operation takes then.
  enum class route : std::uint8_t { direct, by_system, served };

  /// There are no more addresses in a process.
  static constexpr std::size_t most_bytes = std::size_t{1} << 47;

  static void make(location& here);
  [[nodiscard]] static bool is_empty(const_strided const& remote, const_strided const& local, char const* what);
  [[nodiscard]] bool is_direct_row(location_id where, auto const& remote, auto const& local) const noexcept {
    return remote.counts.empty() && local.counts.empty() && remote.row == local.row && remote.row < most_bytes &&
           is_direct({where, address_of(remote.first)});
  }
  static void copy_row(std::byte* to, std::byte const* from, std::size_t bytes) noexcept {
    if (bytes == sizeof(std::uint64_t)) {
      __builtin_memcpy(to, from, sizeof(std::uint64_t));
    } else if (bytes != 0) {  // else there may be no memory
      __builtin_memmove(to, from, bytes);
    }
  }
  void put_parts(location_id where, strided const& remote, const_strided const& local);
  void get_parts(location_id where, const_strided const& remote, strided const& local);
  std::uint64_t change_slowly(place const& at, std::size_t bytes, change_kind how, std::uint64_t operand,
                              std::uint64_t expected);
  void wait_open(location_id where);
  void gather(int delta) {
    if (served_ != nullptr) [[unlikely]]
      gather_served(delta);
  }
  void gather_served(int delta);
  [[nodiscard]] way way_to(location_id where) const;
  [[nodiscard]] route route_to(place const& at, char const* what);
  [[nodiscard]] other_process& process_of(location_id where);
  [[nodiscard]] served_requests& asks(location_id where);
  [[noreturn]] void refuse(place const& at, char const* what) const;

  struct lock_node;
  struct held_lock {
    place word;
    lock_node* node;
  };
  lock_node* take_node();
  std::uint64_t leave_name(place const& word, change_kind how, lock_node* node);
  void give_back_nodes() noexcept;
  [[nodiscard]] lock_node* has_locked(place const& word) const noexcept;  ///< null: it has not

  std::vector<std::atomic<way>> ways_;  ///< by location
  std::uint64_t shared_start_ = 0;
  std::uint64_t shared_bytes_ = 0;
  std::atomic<bool> open_{false};                          ///< something was served, and may not be done
  std::vector<std::unique_ptr<other_process>> processes_;  ///< of this host, by number there
  std::unique_ptr<served_requests> served_;                ///< null: there is no way to ask
  struct awaited_end {
    location_id where;
    std::uint64_t answer;
    future_state<void>* state;
  };
  std::vector<awaited_end> awaited_;  ///< futures that are not ready
  std::vector<held_lock> held_;
  std::vector<lock_node*> idle_nodes_;
};

/// Throws it again, with the place of the call.
[[noreturn]] void rethrow_with_call_site(usage_error const& wrong, call_site where);

/// f(), whose usage_error tells the place of the call, too.
template <class F>
decltype(auto) with_call_site(call_site where, F const& f) {
  try {
    return f();
  } catch (usage_error const& wrong) {
    rethrow_with_call_site(wrong, where);
  }
}

}  // namespace sheaf::detail
