// expect: a class with define_type needs a default constructor
// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors

#include "sheaf/message/codec.hpp"

class number {
 public:
  explicit number(int v) : value_(v) {}
  void define_type(sheaf::typer& t) { t.local(value_); }

 private:
  int value_;
};

number f(sheaf::byte_reader& from) { return sheaf::codec<number>::decode(from); }
