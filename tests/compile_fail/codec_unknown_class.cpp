// expect: specialise sheaf::codec for it
// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors

#include "sheaf/message/codec.hpp"

class file {
 public:
  file(file&&);
  ~file();

 private:
  int number_ = 0;
};

std::size_t f(file const& x) { return sheaf::codec<file>::size(x); }
