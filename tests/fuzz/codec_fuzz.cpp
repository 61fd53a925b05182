// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors

// libFuzzer entry: arbitrary bytes decode to a value, which then encodes and decodes again, or throw decode_error.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <forward_list>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <valarray>
#include <variant>
#include <vector>

#include "sheaf/std.hpp"

namespace {

struct record {
  std::string name;
  std::vector<std::pair<bool, double>> samples;
  std::optional<std::string> notes[2];
  std::vector<std::tuple<>> ticks;
};

struct tree {
  char value;
  std::vector<tree> children;
  std::unique_ptr<tree> next;
  std::variant<std::monostate, bool, std::map<std::string, tree>> more;
};

using shared = std::vector<std::pair<std::shared_ptr<std::string>, std::weak_ptr<std::string>>>;
using rare = std::tuple<std::forward_list<std::string>, std::valarray<short>, std::priority_queue<char>,
                        std::variant<std::string, std::vector<bool>>>;

/// Every kind of member that a define_type names.
class defined {
 public:
  defined() = default;
  defined(defined&& d) noexcept
      : size_(d.size_),
        texts_(std::exchange(d.texts_, nullptr)),
        place_(d.place_),
        numbers_(std::move(d.numbers_)),
        inner_(std::exchange(d.inner_, nullptr)) {}
  ~defined() {
    delete[] texts_;
    delete inner_;
  }
  void define_type(sheaf::typer& t) {
    t.local(size_);
    t.dynamic(texts_, size_);
    t.offset(place_);
    t.dynamic(numbers_, size_);
    t.local(used_, size_ < 3 ? size_ : 3);
    t.dynamic(inner_);
  }

 private:
  int size_ = 0;
  std::string* texts_ = nullptr;
  std::string const* place_ = nullptr;
  std::unique_ptr<long[]> numbers_;
  char used_[3] = {};
  defined* inner_ = nullptr;
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
  switch (data[0] % 9) {
    case 0:
      decode_as<std::vector<std::string>>(bytes);
      break;
    case 1:
      decode_as<std::tuple<std::string, std::vector<std::pair<int, std::string>>>>(bytes);
      break;
    case 2:
      decode_as<record>(bytes);
      break;
    case 3:
      decode_as<std::vector<record>>(bytes);
      break;
    case 4:
      decode_as<tree>(bytes);
      break;
    case 5:
      decode_as<shared>(bytes);
      break;
    case 6:
      decode_as<rare>(bytes);
      break;
    case 7:
      decode_as<defined>(bytes);
      break;
    default:
      decode_as<std::vector<std::optional<defined>>>(bytes);
      break;
  }
  return 0;
}
