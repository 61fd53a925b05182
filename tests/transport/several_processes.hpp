// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Forks real processes for a test of what processes share.
#pragma once

#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <functional>
#include <span>
#include <vector>

namespace sheaf_test {

/// What forked processes know of each other.
class company {
 public:
  explicit company(std::uint32_t size)
      : size_(size),
        board_(static_cast<board*>(
            mmap(nullptr, sizeof(board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
  company(company const&) = delete;
  company& operator=(company const&) = delete;
  ~company() { munmap(board_, sizeof(board)); }

  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] std::uint32_t self() const { return self_; }

  /// A barrier by polling.
  void meet() {
    std::uint32_t const target = (board_->arrived.fetch_add(1) / size_ + 1) * size_;
    while (board_->arrived.load() < target) sched_yield();
  }
  void exchange(std::span<std::byte const> mine, std::span<std::byte> all) {
    meet();
    std::memcpy(board_->bytes + self_ * mine.size(), mine.data(), mine.size());
    meet();
    std::memcpy(all.data(), board_->bytes, all.size());
    meet();
  }
  /// A word that all see.
  std::atomic<std::uint64_t>& word() { return board_->word; }

  /// Runs `f` in each process; how many of the forked ones did not return true, and one more if the first did not.
  int play(std::function<bool(company&)> const& f) {
    std::vector<pid_t> children;
    for (std::uint32_t i = 1; i < size_; ++i) {
      pid_t const child = fork();
      if (child == 0) {
        self_ = i;
        _exit(f(*this) ? 0 : 1);
      }
      children.push_back(child);
    }
    int wrong = f(*this) ? 0 : 1;
    for (pid_t const child : children) {
      int status = 0;
      waitpid(child, &status, 0);
      wrong += status != 0;
    }
    return wrong;
  }

 private:
  struct board {
    std::atomic<std::uint32_t> arrived;
    std::atomic<std::uint64_t> word;
    std::byte bytes[1 << 16];
  };
  std::uint32_t const size_;
  std::uint32_t self_ = 0;
  board* const board_;
};

}  // namespace sheaf_test
