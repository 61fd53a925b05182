// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <algorithm>

#include "graph/binary_file.hpp"
#include "graph/both_ways.hpp"
#include "graph/line_cursor.hpp"
#include "sheaf/base/partition.hpp"

namespace sheaf::detail {

namespace {

/// A reader of one file, on one member.
class gap_reader {
 public:
  gap_reader(opened_file const& file, edge_sink to) : file_(file), bytes_(file.bytes()), to_(to) {}

  file_facts read() {
    read_head();
    check_offsets();
    file_.agree(fault_);
    read_entries();
    file_.agree(fault_);
    if (!head_.directed) {
      both_.finish(file_.members());
      if (!both_.are_equal()) file_.fail(": is undirected, but some edges stand in one direction only");
    }
    return {head_.directed, head_.vertices};
  }

 private:
  /// The file's size says whether there are weights.
  void read_head() {
    if (bytes_.size() < gap_head::bytes)
      file_.fail(": has " + std::to_string(bytes_.size()) + " bytes, but its head takes 17");
    head_ = {bytes_[0] != 0, number_at<std::uint64_t>(bytes_, 1), number_at<std::uint64_t>(bytes_, 9)};
    std::string const has = ": its head promises " + std::to_string(head_.vertices) + " vertices and " +
                            std::to_string(head_.entries) + " entries";
    auto const kind = static_cast<unsigned char>(bytes_[0]);
    if (kind > 1) file_.fail(": its first byte says whether it is directed, by 0 or 1, but is " + std::to_string(kind));
    std::uint64_t const most = bytes_.size();  // of each, so that nothing overflows
    bool const is_possible = head_.vertices < most && head_.entries < most;
    if (is_possible && size_with(4) == bytes_.size()) return;
    entry_bytes_ = 8;
    if (is_possible && size_with(8) == bytes_.size()) return;
    if (!is_possible) file_.fail(has + ", but it has " + std::to_string(bytes_.size()) + " bytes");
    file_.fail(has + ", which take " + std::to_string(size_with(4)) + " bytes, or " + std::to_string(size_with(8)) +
               " with weights, but it has " + std::to_string(bytes_.size()));
  }
  [[nodiscard]] std::uint64_t size_with(std::uint64_t entry_bytes) const {
    std::uint64_t const one = 8 * (head_.vertices + 1) + entry_bytes * head_.entries;
    return gap_head::bytes + (head_.directed ? 2 : 1) * one;
  }

  [[nodiscard]] std::uint64_t offset(std::uint64_t vertex) const {
    return number_at<std::uint64_t>(bytes_, gap_head::bytes + 8 * vertex);
  }
  /// Those of this member's part of vertices, and the one behind.
  void check_offsets() {
    block_partition const parts(head_.vertices, file_.members().size());
    std::uint64_t const first = parts.first(file_.members().rank());
    std::uint64_t const last = first + parts.count(file_.members().rank());
    if (offset(0) != 0) return fail(0, "entries begin with 0, found " + std::to_string(offset(0)));
    for (std::uint64_t v = first; v < last; ++v) {
      if (offset(v) <= offset(v + 1)) continue;
      return fail(
          v, "entries end at " + std::to_string(offset(v + 1)) + ", before they begin at " + std::to_string(offset(v)));
    }
    if (offset(head_.vertices) != head_.entries)
      fail(head_.vertices, "offsets end with " + std::to_string(offset(head_.vertices)) +
                               ", not with the number of "
                               "entries, " +
                               std::to_string(head_.entries));
  }
  void fail(std::uint64_t vertex, std::string const& what) {
    fault_ = {vertex, ": vertex " + std::to_string(vertex) + ": " + what};
  }

  /// As many of each member, whoever's they are. Offsets ascend.
  void read_entries() {
    block_partition const parts(head_.entries, file_.members().size());
    std::uint64_t const first = parts.first(file_.members().rank());
    std::uint64_t const last = first + parts.count(file_.members().rank());
    to_.reserve(to_.edges, head_.directed ? last - first : (last - first) / 2);
    std::uint64_t vertex = vertex_of(first);
    for (std::uint64_t k = first; k < last && !fault_.is_there(); ++k) {
      while (offset(vertex + 1) <= k) ++vertex;
      entry(vertex, k);
    }
  }
  /// Whose entry it is; any vertex if there is no such entry.
  [[nodiscard]] std::uint64_t vertex_of(std::uint64_t entry) const {
    std::uint64_t low = 0, high = head_.vertices;
    while (high - low > 1) {
      std::uint64_t const middle = low + (high - low) / 2;
      (offset(middle) <= entry ? low : high) = middle;
    }
    return low;
  }
  void entry(std::uint64_t vertex, std::uint64_t k) {
    std::uint64_t const at = gap_head::bytes + 8 * (head_.vertices + 1) + entry_bytes_ * k;
    auto const target = number_at<std::int32_t>(bytes_, at);
    auto const other = static_cast<std::uint64_t>(target);
    if (other >= head_.vertices)
      return fail(vertex, "expected a neighbour of 0 to " + std::to_string(head_.vertices - 1) + ", found " +
                              std::to_string(target));
    if (!head_.directed && !both_.add(vertex, other)) return;
    std::int64_t const value = entry_bytes_ == 8 ? number_at<std::int32_t>(bytes_, at + 4) : 1;
    if (to_.take_integer(to_.edges, vertex, other, value)) return;
    fail(vertex, shown(std::to_string(value)) + " is no value of an edge of this program's type");
  }

  opened_file const& file_;
  std::string_view const bytes_;
  edge_sink const to_;
  gap_head head_;
  std::uint64_t entry_bytes_ = 4;
  file_fault fault_;
  both_ways both_;
};

}  // namespace

file_facts read_gap(opened_file const& file, edge_sink to) { return gap_reader(file, to).read(); }

}  // namespace sheaf::detail
