// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <array>

#include "graph/binary_file.hpp"
#include "sheaf/base/partition.hpp"

namespace sheaf::detail {

namespace {

using ends = std::array<std::int64_t, 2>;

/// The high 16 bits have a sign.
ends packed_at(std::string_view bytes, std::uint64_t position) {
  auto const high = [&](std::uint64_t at) { return std::int64_t{number_at<std::int16_t>(bytes, position + at)} << 32; };
  auto const low = [&](std::uint64_t at) { return std::int64_t{number_at<std::uint32_t>(bytes, position + at)}; };
  return {low(0) | high(8), low(4) | high(10)};
}
ends plain_at(std::string_view bytes, std::uint64_t position) {
  return {number_at<std::int64_t>(bytes, position), number_at<std::int64_t>(bytes, position + 8)};
}

}  // namespace

file_facts read_tuples(opened_file const& file, bool is_packed, edge_sink to) {
  std::string_view const bytes = file.bytes();
  std::uint64_t const each = is_packed ? 12 : 16, count = bytes.size() / each;
  if (bytes.size() % each != 0)
    file.fail(": has " + std::to_string(bytes.size()) + " bytes, but an edge takes " + std::to_string(each));
  block_partition const parts(count, file.members().size());
  std::uint64_t const first = parts.first(file.members().rank()), last = first + parts.count(file.members().rank());
  to.reserve(to.edges, last - first);
  file_fault fault;
  for (std::uint64_t k = first; k < last && !fault.is_there(); ++k) {
    auto const [source, target] = is_packed ? packed_at(bytes, k * each) : plain_at(bytes, k * each);
    if (source < 0 || target < 0) {
      fault = {k, ": edge " + std::to_string(k) + " of 0 to " + std::to_string(count - 1) +
                      ": expected an id of 0 to " + (is_packed ? "2^47 - 1" : "2^63 - 1") + ", found " +
                      std::to_string(source < 0 ? source : target)};
      break;
    }
    to.take(to.edges, static_cast<std::uint64_t>(source), static_cast<std::uint64_t>(target), {});
  }
  file.agree(fault);
  return {};
}

}  // namespace sheaf::detail
