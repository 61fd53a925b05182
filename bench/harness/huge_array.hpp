// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Zeroed memory of fixed size in huge pages, where the system grants them on request.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

namespace sheaf_bench {

template <class T>
class huge_array {
 public:
  explicit huge_array(std::size_t count) : count_(count) {
    std::size_t const page = std::size_t{2} << 20, bytes = std::max<std::size_t>(1, count * sizeof(T));
    std::size_t const whole = (bytes + page - 1) / page * page;
    data_.reset(static_cast<T*>(std::aligned_alloc(page, whole)));
    if (data_ == nullptr) throw std::bad_alloc();
    madvise(data_.get(), whole, MADV_HUGEPAGE);
    std::fill(begin(), end(), T{});
  }

  T* data() { return data_.get(); }
  T* begin() { return data(); }
  T* end() { return data() + count_; }
  std::size_t size() const { return count_; }
  T& operator[](std::size_t i) { return data_.get()[i]; }

 private:
  struct release {
    void operator()(T* memory) const { std::free(memory); }
  };
  std::size_t count_;
  std::unique_ptr<T, release> data_;
};

}  // namespace sheaf_bench
