// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <malloc.h>
#include <sched.h>

#include <cstddef>
#include <filesystem>
#include <iterator>
#include <string>

namespace sheaf_test {

/// What a process has of the system at one time.
struct process_things {
  std::size_t threads = 0;
  std::size_t descriptors = 0;
  std::size_t heap_bytes = 0;  ///< in use; 0 under a sanitizer

  static std::size_t entries_of(char const* folder) {
    auto const all = std::filesystem::directory_iterator(folder);
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }

  /// Now. Threads that have just been joined may be seen a little longer: waits until there are at most `threads`.
  static process_things now(std::size_t threads = SIZE_MAX) {
    constexpr int patience = 100'000;
    for (int i = 0; i < patience && entries_of("/proc/self/task") > threads; ++i) sched_yield();
    struct mallinfo2 const heap = mallinfo2();
    return {entries_of("/proc/self/task"), entries_of("/proc/self/fd"), heap.uordblks + heap.hblkhd};
  }

  /// What there is more than `before`; empty: nothing, or no more heap than allowed.
  [[nodiscard]] std::string growth_since(process_things const& before, std::size_t heap_allowed) const {
    std::string text;
    auto const look = [&](char const* what, std::size_t was, std::size_t is, std::size_t allowed) {
      if (is > was + allowed)
        text += std::string(what) + ": " + std::to_string(was) + " → " + std::to_string(is) + "\n";
    };
    look("threads", before.threads, threads, 0);
    look("descriptors", before.descriptors, descriptors, 0);
    look("heap bytes", before.heap_bytes, heap_bytes, heap_allowed);
    return text;
  }
};

}  // namespace sheaf_test
