// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors

// libFuzzer entry: arbitrary bytes decode to a value, which then encodes and decodes again, or throw decode_error.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sheaf/message/codec.hpp"

namespace {

struct record {
  std::string name;
  std::vector<std::pair<bool, double>> samples;
  std::optional<std::string> notes[2];
  std::vector<std::tuple<>> ticks;
};

template <class T>
void decode_as(std::span<std::byte const> bytes) {
  sheaf::byte_reader from(bytes);
  try {
    T const value = sheaf::codec<T>::decode(from);
    std::vector<std::byte> again(sheaf::codec<T>::size(value));
    sheaf::byte_writer to(again.data(), again.data() + again.size());
    sheaf::codec<T>::encode(to, value);
    sheaf::byte_reader from_again(again);
    (void)sheaf::codec<T>::decode(from_again);
    if (to.remaining() != 0 || from_again.remaining() != 0) std::abort();
  } catch (sheaf::decode_error const&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  if (size == 0) return 0;
  std::span const bytes = std::as_bytes(std::span(data, size)).subspan(1);
  switch (data[0] % 4) {
    case 0:
      decode_as<std::vector<std::string>>(bytes);
      break;
    case 1:
      decode_as<std::tuple<std::string, std::vector<std::pair<int, std::string>>>>(bytes);
      break;
    case 2:
      decode_as<record>(bytes);
      break;
    default:
      decode_as<std::vector<record>>(bytes);
      break;
  }
  return 0;
}
