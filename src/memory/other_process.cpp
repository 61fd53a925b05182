// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "memory/other_process.hpp"

#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "sheaf/base/error.hpp"

namespace sheaf::detail {
namespace {

constexpr std::size_t most_pieces = 256;  // in one call of the system
constexpr std::size_t sum_bytes = 4096;   // read, added to and written at a time

/// Pieces of memory there and here, which the system copies together.
struct piece_list {
  iovec there[most_pieces];
  iovec here[most_pieces];
  std::size_t count = 0;
  std::size_t bytes = 0;

  void add(std::byte* far, std::byte* near, std::size_t size) noexcept {
    there[count] = {far, size};
    here[count++] = {near, size};
    bytes += size;
  }
};

[[noreturn]] void refuse(location_id where, void const* address, void const* near, std::size_t bytes) {
  bool const forbidden = errno == EPERM || errno == ENOSYS;
  throw error("sheaf: one-sided access to " + std::to_string(bytes) + " bytes at address " +
              std::to_string(address_of(address)) + " of " + name_of(where) + ", from or to address " +
              std::to_string(address_of(near)) + " here: " + std::strerror(errno) +
              (forbidden ? ". The system does not let processes use each other's memory (kernel.yama.ptrace_scope, or "
                           "a container's rules); allocate it by sheaf::allocate, or a shared_array"
                         : ". No memory of that process is there, or none of this process here"));
}

}  // namespace

bool other_process::is_open(void const* there) const noexcept {
  std::byte byte{};
  iovec const near{&byte, 1}, far{const_cast<void*>(there), 1};
  return process_vm_readv(id_, &near, 1, &far, 1, 0) == 1;
}

void other_process::copy(way to, std::byte* there, std::byte* here, std::size_t bytes) const {
  constexpr std::size_t most = std::size_t{1} << 30;  // a call copies at most 2 GiB
  for (std::size_t done = 0; done < bytes;) {
    std::size_t const some = std::min(most, bytes - done);
    iovec const near{here + done, some}, far{there + done, some};
    auto const moved =
        to == way::there ? process_vm_writev(id_, &near, 1, &far, 1, 0) : process_vm_readv(id_, &near, 1, &far, 1, 0);
    if (moved <= 0) refuse(where_, there + done, here + done, some);
    done += static_cast<std::size_t>(moved);
  }
}

void other_process::copy_all(way to, paired_rows const& rows) const {
  piece_list now;
  auto const flush = [&] {
    if (now.count == 0) return;
    auto const moved = to == way::there ? process_vm_writev(id_, now.here, now.count, now.there, now.count, 0)
                                        : process_vm_readv(id_, now.here, now.count, now.there, now.count, 0);
    if (moved < 0 || static_cast<std::size_t>(moved) != now.bytes)
      refuse(where_, now.there[0].iov_base, now.here[0].iov_base, now.bytes);
    now.count = now.bytes = 0;
  };
  rows.each([&](paired_rows::block const& of) {
    for (std::size_t i = 0; i < of.count; ++i) {
      std::byte* const target = of.to + static_cast<std::ptrdiff_t>(i) * of.to_step;
      auto* const origin = const_cast<std::byte*>(of.from + static_cast<std::ptrdiff_t>(i) * of.from_step);
      std::byte* const there = to == way::there ? target : origin;
      std::byte* const here = to == way::there ? origin : target;
      constexpr std::size_t large = 64 << 10;
      if (of.row >= large) {
        flush();
        copy(to, there, here, of.row);
        continue;
      }
      now.add(there, here, of.row);
      if (now.count == most_pieces) flush();
    }
  });
  flush();
}

void other_process::write(paired_rows const& to_there) const { copy_all(way::there, to_there); }
void other_process::read(paired_rows const& from_there) const { copy_all(way::here, from_there); }

void other_process::add(paired_rows const& to_there, element_kind of, void const* scale, guard_wait const& wait) const {
  alignas(16) std::byte values[sum_bytes];
  to_there.each([&](paired_rows::block const& b) {
    for (std::size_t i = 0; i < b.count; ++i) {
      std::byte* to = b.to + static_cast<std::ptrdiff_t>(i) * b.to_step;
      std::byte const* from = b.from + static_cast<std::ptrdiff_t>(i) * b.from_step;
      for (std::size_t left = b.row; left > 0;) {
        held_guard guard(wait);
        std::size_t const guarded = guard.guard(guards_, address_of(to));
        std::size_t const some = std::min({left, sum_bytes, elements_in(guarded, of)});
        copy(way::here, to, values, some);
        add_guarded_row(values, from, some, of, scale);
        copy(way::there, to, values, some);
        to += some;
        from += some;
        left -= some;
      }
    }
  });
}

std::uint64_t other_process::change(std::byte* at, std::size_t bytes, change_kind how, std::uint64_t operand,
                                    std::uint64_t expected, guard_wait const& wait) const {
  held_guard guard(wait);
  guard.guard(guards_, address_of(at));
  alignas(8) std::byte word[8];
  copy(way::here, at, word, bytes);
  std::uint64_t const old = change_word(word, bytes, how, operand, expected);
  copy(way::there, at, word, bytes);
  return old;
}

}  // namespace sheaf::detail
