// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/values_file.hpp"

#include <algorithm>
#include <bit>
#include <functional>

#include "graph/output_file.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/base/partition.hpp"
#include "sheaf/graph/detail/exchange.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

namespace {

static_assert(std::endian::native == std::endian::little, "NumPy's '<f8' is written as it is in memory");

/// NumPy's format, version 1.0: magic bytes, the length of the words, and words, which end at a multiple of 64 bytes.
std::string numpy_head(number_kind kind, std::uint64_t count) {
  std::string const type = (kind.bytes == 1 ? '|' : '<') + std::string(1, kind.letter) + std::to_string(kind.bytes);
  std::string words = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + std::to_string(count) + ",), }";
  words.append(63 - (10 + words.size()) % 64, ' ');
  words += '\n';
  std::string const length{static_cast<char>(words.size() % 256), static_cast<char>(words.size() / 256)};
  return std::string("\x93NUMPY\x01\x00", 8) + length + words;
}

/// The pairs of all members by id, each member's a block of ids; nothing if they are not 0…n−1.
std::vector<id_bits> by_id(team const& members, std::vector<id_bits> const& own, std::uint64_t n) {
  block_partition const blocks(n, members.size());
  std::vector<std::vector<id_bits>> parts(members.size());
  for (id_bits const& each : own) parts[blocks.owner(each.id)].push_back(each);
  std::vector<id_bits> all;
  for (auto const& part : detail::exchange(members, parts)) all.insert(all.end(), part.begin(), part.end());
  std::ranges::sort(all);
  return all;
}

/// Whether the ids of all are 0…n−1; then `own` becomes a block of them.
bool put_in_order(team const& members, std::vector<id_bits>& own, std::uint64_t n) {
  std::uint64_t largest = 0;
  for (id_bits const& each : own) largest = std::max(largest, each.id);
  auto const larger = [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); };
  if (n != 0 && all_reduce(members, largest, larger) >= n) return false;
  std::vector<id_bits> all = by_id(members, own, n);
  std::uint64_t const first = block_partition(n, members.size()).first(members.rank());
  bool is_each = all.size() == block_partition(n, members.size()).count(members.rank());
  for (std::size_t k = 0; is_each && k < all.size(); ++k) is_each = all[k].id == first + k;
  if (!all_reduce(members, is_each, std::logical_and<>{})) return false;
  own = std::move(all);
  return true;
}

}  // namespace

void write_values_file(team const& members, std::string const& path, values_format format, std::vector<id_bits> own,
                       number_kind kind) {
  std::uint64_t const n = all_reduce(members, std::uint64_t{own.size()}, std::plus<>{});
  bool const is_list = format == values_format::tsv, is_numpy = format == values_format::numpy;
  if (!put_in_order(members, own, n) && !is_list)
    throw usage_error("sheaf: " + path + ": its format needs ids 0 to n-1, each once; others are written as tsv");
  std::string head;
  if (is_numpy) head = numpy_head(kind, n);
  if (format == values_format::matrix_market)
    head = std::string("%%MatrixMarket matrix array ") + (kind.letter == 'f' ? "real" : "integer") + " general\n" +
           std::to_string(n) + " 1\n";
  output_file file(members, path);
  write_records(file, head, own.size(), [&](std::string& to, std::uint64_t k) {
    if (is_numpy) {
      to.append(reinterpret_cast<char const*>(&own[k].bits), kind.bytes);
      return;
    }
    if (is_list) {
      append_number(to, kind_of<std::uint64_t>(), own[k].id);
      to += '\t';
    }
    append_number(to, kind, own[k].bits);
    to += '\n';
  });
  file.finish();
}

}  // namespace sheaf::detail
