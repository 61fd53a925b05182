// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sheaf/rmi/distributed.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf {

namespace detail {

/// Which member owns global index i when the members own bounds[r]…bounds[r+1]−1.
std::uint32_t owner_of_index(std::vector<std::uint64_t> const& bounds, located<std::uint64_t> index);
std::vector<std::uint64_t> even_bounds(std::uint64_t elements, std::uint32_t members);

/// Whether the calling thread may read local elements directly. An attached thread may not; nor the program, while
/// requests of this location to itself are left, which come before the read.
bool may_read_here(location& here);

}  // namespace detail

/// A vector whose elements are distributed over a team in blocks, in the order of ranks (STAPL's pvector, 001 §4).
/// Constructing, update_bounds and the destructor are collective; the destructor sends nothing, so fence before it. The
/// bounds that the constructor or update_bounds agreed last number the elements globally.
template <class T>
class vector : public distributed<vector<T>> {
 public:
  class reference;
  using value_type = T;

  /// An empty vector, to be filled by push_back.
  explicit vector(team const& on) : vector(on, 0) {}

  /// `elements` in total, value-initialised, in blocks that differ by at most one.
  vector(team const& on, std::uint64_t elements, T const& initial = T{})
      : distributed<vector>(on),
        bounds_(detail::even_bounds(elements, on.size())),
        local_(static_cast<std::size_t>(bounds_[on.rank() + 1] - bounds_[on.rank()]), initial) {}

  /// The number of elements by the agreed bounds; this location's block has local_size().
  [[nodiscard]] std::uint64_t size() const { return bounds_.back(); }
  [[nodiscard]] std::size_t local_size() const { return local_.size(); }
  [[nodiscard]] std::uint64_t first_index() const { return bounds_[this->rank()]; }

  /// This location's block, to be used freely by its own code; sends nothing.
  [[nodiscard]] std::vector<T>& local() { return local_; }
  [[nodiscard]] std::vector<T> const& local() const { return local_; }

  /// Appends to this location's block. As a remote method it is the update of sample sort:
  /// `buckets.async<&sheaf::vector<int>::push_back>(dest, value)`.
  void push_back(T value) { local_.push_back(std::move(value)); }

  /// Appends a whole run of values.
  void push_back_all(packed<T> values) requires std::is_trivially_copyable_v<T> {
    if (T const* const first = values.data()) {
      local_.insert(local_.end(), first, first + values.size());
      return;
    }
    std::size_t const before = local_.size();
    local_.resize(before + values.size());
    values.copy_to(local_.data() + before);
  }
  static constexpr auto whole_run(method_tag<&vector::push_back>) requires(std::is_trivially_copyable_v<T> &&
                                                                           !std::is_same_v<T, bool>) {
    return &vector::push_back_all;
  }

  /// Element i. Assigning to it is an async, complete after the next fence. Reading it is a sync, so that a location
  /// reads what it has written. Reading a local element needs no message in a remotely invoked method, or when this
  /// location has no request to itself left to execute. Throws usage_error beyond size().
  reference operator[](located<std::uint64_t> i) { return reference(*this, i); }
  [[nodiscard]] T operator[](located<std::uint64_t> i) const { return get(i); }
  [[nodiscard]] T get(located<std::uint64_t> i) const {
    std::uint32_t const owner = detail::owner_of_index(bounds_, i);
    std::uint64_t const offset = i.value - bounds_[owner];
    if (is_readable(owner)) return local_at(offset);
    return this->template sync<&vector::local_at>(located<std::uint64_t>(owner, i.from), offset);
  }
  void set(located<std::uint64_t> i, T value) {
    std::uint32_t const owner = detail::owner_of_index(bounds_, i);
    located<std::uint64_t> const dest(owner, i.from);
    this->template async<&vector::set_local>(dest, i.value - bounds_[owner], std::move(value));
  }

  /// Collective: agrees on new bounds after blocks have grown or shrunk; fence before it.
  void update_bounds() {
    auto const sizes = all_gather(this->members(), std::uint64_t{local_.size()});
    for (std::size_t r = 0; r < sizes.size(); ++r) bounds_[r + 1] = bounds_[r] + sizes[r];
  }

  /// All elements in order, in a std::vector here; one-sided, one sync per other member.
  [[nodiscard]] std::vector<T> copy_to_local() const {
    std::vector<T> all;
    all.reserve(static_cast<std::size_t>(size()));
    for (std::uint32_t r = 0; r < this->members().size(); ++r) {
      auto block = is_readable(r) ? local_ : this->template sync<&vector::whole_block>(r);
      all.insert(all.end(), std::make_move_iterator(block.begin()), std::make_move_iterator(block.end()));
    }
    return all;
  }
  explicit operator std::vector<T>() const { return copy_to_local(); }

 private:
  [[nodiscard]] bool is_readable(std::uint32_t owner) const {
    return owner == this->rank() && detail::may_read_here(here_of(this->members()));
  }
  [[nodiscard]] T local_at(std::uint64_t offset) const { return local_.at(static_cast<std::size_t>(offset)); }
  void set_local(std::uint64_t offset, T value) { local_.at(static_cast<std::size_t>(offset)) = std::move(value); }
  [[nodiscard]] std::vector<T> whole_block() const { return local_; }

  std::vector<std::uint64_t> bounds_;
  std::vector<T> local_;
};

/// operator[]'s result: reads and writes one element, wherever it is.
template <class T>
class vector<T>::reference {
 public:
  reference(vector& of, located<std::uint64_t> index) : of_(of), index_(index) {}
  operator T() const { return of_.get(index_); }
  reference& operator=(T value) {
    of_.set(index_, std::move(value));
    return *this;
  }
  reference& operator=(reference const& other) { return *this = static_cast<T>(other); }

 private:
  vector& of_;
  located<std::uint64_t> index_;  // of the subscript
};

}  // namespace sheaf
