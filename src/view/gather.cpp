// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "base/call_text.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/runtime/collectives.hpp"
#include "view/collective_sections.hpp"
#include "view/divisor.hpp"
#include "view/section_parts.hpp"

namespace sheaf::detail {
namespace {

/// Own elements of the target that lie at equal distances: in its part, and in positions of the section in C order.
struct element_row {
  std::int64_t number, step;  ///< in elements of the part
  std::int64_t position, position_step;
  std::int64_t count;
};

/// The rows of the last dimension, along its runs or across them, whichever are longer.
template <class F>
void each_last_row(progression const& p, std::int64_t stride, std::int64_t number, std::int64_t position, F const& f) {
  number += p.at * stride;
  position += p.first;
  if (p.run >= p.repeats) {
    for (std::int64_t j = 0; j < p.repeats; ++j) {
      f(element_row{number + j * p.stride * stride, p.step * stride, position + j * p.period, 1, p.run});
    }
  } else {
    for (std::int64_t i = 0; i < p.run; ++i) {
      f(element_row{number + i * p.step * stride, p.stride * stride, position + i, p.period, p.repeats});
    }
  }
}

/// Calls f(row) for all positions of a part whose steps are in elements, from dimension d on.
template <class F>
void each_row(near_part const& part, std::span<slice const> slices, std::size_t d, std::int64_t number,
              std::int64_t position, F const& f) {
  std::int64_t const stride = part.steps[d];
  position *= static_cast<std::int64_t>(slices[d].count);
  for (progression const& p : part.positions[d]) {
    if (d + 1 == slices.size()) {
      each_last_row(p, stride, number, position, f);
      continue;
    }
    for (std::int64_t n = 0; n < p.run * p.repeats; ++n) {
      std::int64_t const j = n / p.run, i = n % p.run;
      std::int64_t const at = p.at + j * p.stride + i * p.step;
      each_row(part, slices, d + 1, number + at * stride, position + p.first + j * p.period + i, f);
    }
  }
}

/// A subscript that is no index of the source; travels in a reduction.
struct wrong_subscript {
  std::uint64_t position = ~std::uint64_t{0};  ///< in the target's section; this one: there is none
  std::uint64_t dimension = 0;
  std::int64_t value = 0;
  std::uint64_t is_signed = 1;

  [[nodiscard]] std::string text() const {
    return is_signed != 0 ? std::to_string(value) : std::to_string(static_cast<std::uint64_t>(value));
  }
};

/// A member's subscripts of one dimension, in the form of its part of the target.
struct own_subscripts {
  std::byte const* first;
  std::size_t bytes;
  bool is_signed;
  std::unique_ptr<std::byte[]> copy;  ///< where they were distributed otherwise

  void read(element_row const& row, std::span<std::int64_t> to) const {
    if (bytes == 4) return is_signed ? read_as<std::int32_t>(row, to) : read_as<std::uint32_t>(row, to);
    if (bytes == 8) return read_as<std::int64_t>(row, to);
    if (bytes == 2) return is_signed ? read_as<std::int16_t>(row, to) : read_as<std::uint16_t>(row, to);
    return is_signed ? read_as<std::int8_t>(row, to) : read_as<std::uint8_t>(row, to);
  }

 private:
  template <class T>
  void read_as(element_row const& row, std::span<std::int64_t> to) const {
    auto const* const from = reinterpret_cast<T const*>(first) + row.number;
    for (std::size_t i = 0; i < to.size(); ++i) {
      to[i] = static_cast<std::int64_t>(from[static_cast<std::ptrdiff_t>(i) * row.step]);
    }
  }
};

/// Brings elements of the source, some hundred at a time: where they are, then they. What this process can load, it
/// loads; the rest waits for a transfer of pieces.
class gatherer {
 public:
  gatherer(one_sided& by, array_core const& from, std::vector<own_subscripts> const& at, std::byte* to)
      : by_(by), from_(from), at_(at), to_(to), bases_(from.layout.owners()), lengths_(at.size()) {
    for (std::size_t d = 0; d < at.size(); ++d) {
      auto const& map = from.layout.map(d);
      for (std::uint64_t c = 0; c < map.members(); ++c) lengths_[d].push_back(map.count(c));
    }
    for (std::uint32_t r = 0; r < from.layout.owners(); ++r) {
      auto const first = from.memory.at(r);
      if (first) bases_[r] = by.local<std::byte>(first.where(), first.address());
    }
  }

  /// Nothing any more once a subscript was wrong.
  void add(element_row row) {
    for (std::int64_t left = row.count; left > 0 && wrong.position == ~std::uint64_t{0};) {
      row.count = std::min<std::int64_t>(left, most);
      if (!find(row)) return;
      copy(row);
      left -= row.count;
      row.number += row.count * row.step;
      row.position += row.count * row.position_step;
    }
  }
  /// Returns with all elements.
  void finish() {
    std::stable_sort(pieces_.begin(), pieces_.end(), [](piece const& a, piece const& b) { return a.rank < b.rank; });
    {
      one_sided::gathering const together(by_);
      for (piece const& one : pieces_) {
        global_ptr<std::byte> const first = from_.memory.at(one.rank);
        auto* const there = reinterpret_cast<std::byte const*>(first.address()) + one.offset;
        by_.async_get(first.where(), {there, one.bytes, {}, {}}, {one.to, one.bytes, {}, {}});
      }
    }
    for (piece const& one : pieces_) by_.arrive(from_.memory.at(one.rank).where());
    pieces_.clear();
  }

  wrong_subscript wrong;

 private:
  static constexpr std::size_t most = 512, most_pieces = std::size_t{1} << 16U;

  /// Bytes at an owner that cannot be loaded, and where they belong.
  struct piece {
    std::uint32_t rank;
    std::uint64_t offset;
    std::size_t bytes;
    std::byte* to;
  };

  /// rank_ and number_ of the row's elements. False: a subscript is wrong.
  bool find(element_row const& row) {
    auto const count = static_cast<std::size_t>(row.count);
    std::fill_n(rank_, count, 0U);
    std::fill_n(number_, count, 0U);
    for (std::size_t d = 0; d < at_.size(); ++d) {
      at_[d].read(row, {index_, count});
      auto const extent = from_.layout.map(d).elements();
      auto const* const bad =
          std::find_if(index_, index_ + count, [&](std::int64_t i) { return static_cast<std::uint64_t>(i) >= extent; });
      if (bad != index_ + count) {
        std::int64_t const position = row.position + (bad - index_) * row.position_step;
        wrong = {static_cast<std::uint64_t>(position), d, *bad, at_[d].is_signed ? 1U : 0U};
        return false;
      }
      add_dimension(from_.layout.map(d), lengths_[d], count);
    }
    return true;
  }
  /// A part's number is made up as its dense form is; how long its rows are depends on the owner.
  void add_dimension(block_cyclic_partition const& map, std::vector<std::uint64_t> const& lengths, std::size_t count) {
    if (map.members() == 1) {
      for (std::size_t i = 0; i < count; ++i) {
        number_[i] = number_[i] * map.elements() + static_cast<std::uint64_t>(index_[i]);
      }
      return;
    }
    std::uint64_t const block = map.block(), members = map.members();
    divisor const by_block(block, map.elements()), by_members(members, map.elements());
    for (std::size_t i = 0; i < count; ++i) {
      auto const index = static_cast<std::uint64_t>(index_[i]);
      std::uint64_t const in = by_block(index), round = by_members(in), coordinate = in - round * members;
      rank_[i] = static_cast<std::uint32_t>(rank_[i] * members + coordinate);
      number_[i] = number_[i] * lengths[coordinate] + round * block + (index - in * block);
    }
  }
  void copy(element_row const& row) {
    switch (from_.element) {
      case 4:
        return copy_sized<4>(row);
      case 8:
        return copy_sized<8>(row);
      case 16:
        return copy_sized<16>(row);
      default:
        return copy_sized<0>(row);
    }
  }
  template <std::size_t Size>
  void copy_sized(element_row const& row) {
    std::size_t const bytes = Size == 0 ? from_.element : Size;
    std::byte* to = to_ + row.number * static_cast<std::ptrdiff_t>(bytes);
    std::ptrdiff_t const step = row.step * static_cast<std::ptrdiff_t>(bytes);
    for (std::int64_t i = 0; i < row.count; ++i, to += step) {
      std::byte const* const base = bases_[rank_[i]];
      std::uint64_t const offset = number_[i] * bytes;
      base != nullptr ? static_cast<void>(std::memcpy(to, base + offset, bytes)) : later(rank_[i], offset, bytes, to);
    }
  }
  void later(std::uint32_t rank, std::uint64_t offset, std::size_t bytes, std::byte* to) {
    if (!pieces_.empty()) {
      piece& last = pieces_.back();
      if (last.rank == rank && last.offset + last.bytes == offset && last.to + last.bytes == to) {
        last.bytes += bytes;
        return;
      }
    }
    if (pieces_.size() == most_pieces) finish();
    pieces_.push_back({rank, offset, bytes, to});
  }

  one_sided& by_;
  array_core const& from_;
  std::vector<own_subscripts> const& at_;
  std::byte* const to_;
  std::vector<std::byte const*> bases_;              ///< by rank; null: not to be loaded from here
  std::vector<std::vector<std::uint64_t>> lengths_;  ///< of parts, by dimension and coordinate
  std::vector<piece> pieces_;
  std::int64_t index_[most];
  std::uint32_t rank_[most];
  std::uint64_t number_[most];
};

/// Where they lie as the target does, they are read in place.
own_subscripts subscripts_for(core_section const& to, core_subscript const& of, std::span<slice const> slices) {
  array_core const& values = *of.values.array;
  if (values.layout == to.array->layout && std::equal(slices.begin(), slices.end(), to.slices.begin())) {
    return {values.memory.own().data(), values.element, of.is_signed, nullptr};
  }
  std::uint64_t const bytes = to.array->layout.count(to.array->members.rank()) * values.element;
  own_subscripts own{nullptr, values.element, of.is_signed, std::make_unique_for_overwrite<std::byte[]>(bytes)};
  own.first = own.copy.get();
  near_part part = near_part::owned_by(to.array->members.rank(), to, own.copy.get());
  for (std::ptrdiff_t& step : part.steps) {
    step = step / static_cast<std::ptrdiff_t>(to.array->element) * static_cast<std::ptrdiff_t>(values.element);
  }
  section_parts({&values, slices}, part)
      .get_all(one_sided::of(here_of(to.array->members)), to.array->members.rank() + 1);
  return own;
}

/// Collective, and the end of the operation: all members throw, or none.
void agree(core_section const& to, array_core const& from, wrong_subscript const& mine, call_site where) {
  auto const first = [](wrong_subscript const& a, wrong_subscript const& b) { return b.position < a.position ? b : a; };
  wrong_subscript const wrong = all_reduce(to.array->members, mine, first, where);
  if (wrong.position == ~std::uint64_t{0}) return;
  std::string indices;
  std::uint64_t left = wrong.position;
  for (std::size_t d = to.slices.size(); d-- > 0; left /= to.slices[d].count) {
    indices = std::to_string(left % to.slices[d].count) + (indices.empty() ? "" : ", ") + indices;
  }
  std::uint64_t const extent = from.layout.map(wrong.dimension).elements();
  throw usage_error("sheaf: gather: for element (" + indices + ") of the target's section the subscript of dimension " +
                    std::to_string(wrong.dimension) + " is " + wrong.text() + "; the source " +
                    (extent == 0 ? "has no indices there" : "has indices 0 to " + std::to_string(extent - 1)) +
                    called_at(where));
}

void check_source(core_section const& to, array_core const& from, std::size_t subscripts, call_site where) {
  if (to.array == &from) {
    throw usage_error("sheaf: gather: the target is the source; go by way of a second array" + called_at(where));
  }
  if (!(to.array->members == from.members)) {
    throw usage_error("sheaf: gather: the arrays belong to different teams; make both over one" + called_at(where));
  }
  if (subscripts == from.layout.dimensions()) return;
  throw usage_error("sheaf: gather: " + std::to_string(subscripts) + " subscripts for a source of " +
                    std::to_string(from.layout.dimensions()) + " dimensions; give one for each" + called_at(where));
}

void check_subscript(core_section const& to, core_subscript const& one, call_site where) {
  if (one.values.array == to.array) {
    throw usage_error("sheaf: gather: the target is one of the subscripts; go by way of a second array" +
                      called_at(where));
  }
  std::size_t const bytes = one.values.array->element;
  if (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) return;
  throw usage_error("sheaf: gather: a subscript has elements of " + std::to_string(bytes) +
                    " bytes; give integers of 1, 2, 4 or 8" + called_at(where));
}

}  // namespace

void gather(core_section const& to, array_core const& from, std::span<core_subscript const> at, call_site where) {
  auto const to_slices = checked_slices(to, "gather", where);
  core_section const target{to.array, to_slices};
  check_source(target, from, at.size(), where);
  check_elements_alike(target, {&from, {}}, "gather", where);
  std::vector<std::vector<slice>> slices;
  for (core_subscript const& one : at) {
    check_subscript(target, one, where);
    slices.push_back(checked_slices(one.values, "gather", where));
    check_alike(target, {one.values.array, slices.back()}, "gather", where,
                "the subscript of dimension " + std::to_string(slices.size() - 1));
  }
  team const& members = to.array->members;
  collective_said said = with_sections(says("gather"), {target, {&from, {}}});
  for (std::size_t d = 0; d < at.size(); ++d) {
    said = with_sections(said, {{at[d].values.array, slices[d]}});
    said.mark += at[d].is_signed ? 1 : 0;
  }
  one_sided& by = begin_reading(members, said, where);
  near_part part = near_part::owned_by(members.rank(), target, nullptr);
  std::vector<own_subscripts> own;
  for (std::size_t d = 0; d < at.size(); ++d) own.push_back(subscripts_for(target, at[d], slices[d]));
  auto all = std::make_unique<gatherer>(by, from, own, to.array->memory.own().data());
  for (std::ptrdiff_t& step : part.steps) step /= static_cast<std::ptrdiff_t>(to.array->element);
  if (!part.is_empty()) each_row(part, to_slices, 0, 0, 0, [&](element_row const& row) { all->add(row); });
  all->finish();
  agree(target, from, all->wrong, where);
}

}  // namespace sheaf::detail
