// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "base/threading.hpp"
#include "conformance/suite.hpp"

namespace sheaf_test {

/// What runs beside the program of its location: threads, or fibers in the simulator. Waits for them in the end.
class beside {
 public:
  explicit beside(sheaf_test::suite const& s) : fibers_(here_of(s.world).connection().threads) {}
  ~beside() {
    for (auto& t : threads_) t.join();
    for (std::uint64_t const one : running_) fibers_->join(one);
  }
  beside(beside const&) = delete;
  beside& operator=(beside const&) = delete;

  void run(std::function<void()> f) {
    if (fibers_ != nullptr) {
      running_.push_back(fibers_->start(std::move(f)));
    } else {
      threads_.emplace_back(std::move(f));
    }
  }

 private:
  sheaf::detail::threading* const fibers_;
  std::vector<std::thread> threads_;
  std::vector<std::uint64_t> running_;
};

}  // namespace sheaf_test
