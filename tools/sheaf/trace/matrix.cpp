// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/trace/matrix.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <numeric>

#include "sheaf/trace/words.hpp"

namespace sheaf::tool {

char const* word_of(counted what) {
  return what == counted::requests ? "requests" : what == counted::bytes ? "bytes" : "entries";
}

communication_matrix::communication_matrix(traced_job const& job, counted what, std::uint64_t most)
    : what_(what),
      locations_(job.size),
      group_((job.size + most - 1) / most),
      rows_(static_cast<std::size_t>((job.size + group_ - 1) / group_)),
      cells_(rows_ * rows_) {
  for (traced_location const& l : job.locations) {
    for (auto const& p : l.peers) {
      auto const self = static_cast<std::size_t>(l.number / group_);
      auto const other = static_cast<std::size_t>(p.number / group_);
      if (what == counted::requests) cells_[other * rows_ + self] += p.requests;
      if (what == counted::bytes) cells_[self * rows_ + other] += p.bytes_sent[0] + p.bytes_sent[1];
      if (what == counted::entries) cells_[self * rows_ + other] += p.entries_sent[0] + p.entries_sent[1];
    }
  }
}

std::uint64_t communication_matrix::from(std::size_t row) const {
  std::uint64_t sum = 0;
  for (std::size_t column = 0; column < rows_; ++column) sum += at(row, column);
  return sum;
}

std::uint64_t communication_matrix::to(std::size_t column) const {
  std::uint64_t sum = 0;
  for (std::size_t row = 0; row < rows_; ++row) sum += at(row, column);
  return sum;
}

std::uint64_t communication_matrix::total() const {
  return std::accumulate(cells_.begin(), cells_.end(), std::uint64_t{0});
}

std::uint64_t communication_matrix::largest() const { return *std::max_element(cells_.begin(), cells_.end()); }

std::uint64_t communication_matrix::smallest() const {
  std::uint64_t least = 0;
  for (std::uint64_t const each : cells_) {
    if (each != 0 && (least == 0 || each < least)) least = each;
  }
  return least;
}

std::string communication_matrix::label(std::size_t row) const {
  std::uint64_t const first = row * group_;
  std::uint64_t const last = std::min(first + group_, locations_) - 1;
  return first == last ? std::to_string(first) : std::to_string(first) + " to " + std::to_string(last);
}

namespace {

constexpr std::size_t most_numbers = 16;

void write_numbers(communication_matrix const& m, std::ostream& to) {
  to << "from \\ to";
  for (std::size_t column = 0; column < m.rows(); ++column) to << std::setw(9) << m.label(column);
  to << "      all\n";
  for (std::size_t row = 0; row < m.rows(); ++row) {
    to << std::setw(9) << m.label(row);
    for (std::size_t column = 0; column < m.rows(); ++column) to << std::setw(9) << short_number(m.at(row, column));
    to << std::setw(9) << short_number(m.from(row)) << '\n';
  }
  to << "      all";
  for (std::size_t column = 0; column < m.rows(); ++column) to << std::setw(9) << short_number(m.to(column));
  to << std::setw(9) << short_number(m.total()) << '\n';
}

void write_shades(communication_matrix const& m, std::ostream& to) {
  static constexpr std::string_view shades = ".:-=+*#%@";
  double const most = std::log1p(static_cast<double>(m.largest()));
  for (std::size_t row = 0; row < m.rows(); ++row) {
    to << std::setw(14) << m.label(row) << " |";
    for (std::size_t column = 0; column < m.rows(); ++column) {
      std::uint64_t const value = m.at(row, column);
      double const share = most == 0 ? 0 : std::log1p(static_cast<double>(value)) / most;
      auto const shade = static_cast<std::size_t>(share * static_cast<double>(shades.size() - 1));
      to << (value == 0 ? ' ' : shades[shade]);
    }
    to << "| " << short_number(m.from(row)) << '\n';
  }
  to << "a row per sender, a column per receiver in the same order; '" << shades.front() << "' is 1, '" << shades.back()
     << "' is " << short_number(m.largest()) << " (logarithmic)\n";
}

}  // namespace

void write_text(communication_matrix const& m, std::string const& title, std::ostream& to) {
  to << title << ", " << short_number(m.total()) << ' ' << word_of(m.what()) << '\n';
  if (m.rows() <= most_numbers) {
    write_numbers(m, to);
  } else {
    write_shades(m, to);
  }
}

}  // namespace sheaf::tool
