// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>

namespace sheaf_test {

/// Its methods are in a shared library of their own.
class library_counter {
 public:
  virtual ~library_counter();
  virtual void grow(std::uint64_t by);
  void add(std::uint64_t by);
  [[nodiscard]] std::uint64_t value() const noexcept;

 private:
  std::uint64_t value_ = 0;
};

/// Whether the library has a handler of its own for add, which it names at compile time.
bool library_names_add();

/// Of a class and a method that the library alone knows.
using hidden_method = void (library_counter::*)(std::uint64_t);
hidden_method subtract();

}  // namespace sheaf_test
