// expect: member<1, holder
// expect(not clang): holder::text
// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors

#include <string_view>
#include <vector>

#include "sheaf/message/codec.hpp"

struct holder {
  std::string_view text;
  std::vector<int> numbers;
};
using list = std::vector<std::pair<int, holder>>;

list f(sheaf::byte_reader& from) { return sheaf::codec<list>::decode(from); }
