// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sheaf/algorithm/detail/splitters.hpp"
#include "sheaf/algorithm/detail/local_sort.hpp"
#include "sheaf/container/vector.hpp"
#include "sheaf/runtime/fence.hpp"

namespace sheaf {

// Result:   the members' parts together hold the same elements, ascending over ranks.
// Method:   sample sort, one async_rmi per element (ARMI, Fig. 3); oversampled splitters with the position as tie-break.
// Citation: Blelloch et al., A comparison of sorting algorithms for the connection machine CM-2 (SPAA 1991).
// Data:     a distributed vector of buckets; local sorting by Highway's vqsort for numbers.
// Encoding: an element as its codec has it, nothing else; equal elements are told apart by position at their source only.

namespace detail {

/// The order by <.
struct ascending {
  template <class T>
  bool operator()(T const& a, T const& b) const {
    return a < b;
  }
};

/// For one member: which bucket the element at local position i goes to.
template <class T, class Less>
class classifier {
 public:
  /// `first` is the global position of the member's element 0.
  classifier(std::vector<sampled<T>> const& splitters, std::uint64_t first, Less less) : less_(less) {
    for (auto const& s : splitters) {
      values_.push_back(s.value);
      // Elements equal to the splitter go before it when they stand before it in the whole input.
      stay_.push_back(s.place > first ? s.place - first : 0);
    }
  }

  [[nodiscard]] std::uint32_t operator()(T const& value, std::uint64_t i) const {
    return values_.size() <= linear_limit ? count(value, i) : search(value, i);
  }

 private:
  static constexpr std::size_t linear_limit = 12;

  [[nodiscard]] bool behind(T const& value, std::uint64_t i, std::size_t k) const {
    bool const before = less_(value, values_[k]);
    bool const equal = !before && !less_(values_[k], value);
    return !(before || (equal && i < stay_[k]));
  }
  [[nodiscard]] std::uint32_t count(T const& value, std::uint64_t i) const {
    std::uint32_t bucket = 0;
    for (std::size_t k = 0; k < values_.size(); ++k) bucket += behind(value, i, k) ? 1 : 0;
    return bucket;
  }
  [[nodiscard]] std::uint32_t search(T const& value, std::uint64_t i) const {
    std::size_t low = 0, high = values_.size();
    while (low < high) {
      std::size_t const middle = (low + high) / 2;
      if (behind(value, i, middle)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return static_cast<std::uint32_t>(low);
  }

  std::vector<T> values_;
  std::vector<std::uint64_t> stay_;
  Less less_;
};

/// Evenly spaced elements with a pseudo-random shift per stride, so that regular inputs do not resonate.
template <class T>
std::vector<sampled<T>> take_sample(std::vector<T> const& part, std::uint64_t first, std::size_t wanted) {
  std::vector<sampled<T>> sample;
  std::size_t const taken = part.size() < wanted ? part.size() : wanted;
  std::uint64_t state = first * 0x9e3779b97f4a7c15ULL + 1;
  for (std::size_t k = 0; k < taken; ++k) {
    std::size_t const from = part.size() * k / taken, upto = part.size() * (k + 1) / taken;
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    std::size_t const at = from + static_cast<std::size_t>((state >> 33) % (upto - from));
    sample.push_back({part[at], first + at});
  }
  return sample;
}

template <class T, class Less>
void sort_part(std::vector<T>& part, Less less) {
  if constexpr (std::is_same_v<Less, ascending>) {
    sort_local(std::span<T>(part));
  } else {
    sort_local(std::span<T>(part), less);
  }
}

}  // namespace detail

/// Collective: sorts the elements that the members pass in `part`; afterwards each part is ascending under `less`, no element of a
/// part is less than one of a lower rank's, and the parts differ little in size whatever the input (equal elements are spread by
/// position). Not stable. T is a codec type that can be copied; `less` a strict weak order, the same everywhere. Needs room for a
/// second copy of the elements. Costs one asynchronous request per element and two fences. Numbers of floating-point type are in
/// the total order of IEEE 754 when `less` is the default. Not in a remotely invoked method.
template <codec_type T, class Less = detail::ascending>
void sample_sort(team const& on, std::vector<T>& part, Less less = {}) {
  vector<T> buckets(on);
  std::uint64_t const mine = part.size();
  auto const plus = [](std::uint64_t a, std::uint64_t b) { return a + b; };
  std::uint64_t const first = exclusive_scan(on, mine, std::uint64_t{0}, plus);
  auto const splitters = detail::choose_splitters(on, detail::take_sample(part, first, detail::sample_size(on.size())), less);
  detail::classifier<T, Less> const bucket_of(splitters, first, less);
  buckets.local().reserve(static_cast<std::size_t>(mine + mine / 8));
  for (std::uint64_t i = 0; i < mine; ++i) {
    T& element = part[static_cast<std::size_t>(i)];
    buckets.template async<&vector<T>::push_back>(bucket_of(element, i), element);
  }
  rmi_fence(on);
  part = std::move(buckets.local());
  detail::sort_part(part, less);
  rmi_fence(on);
}

}  // namespace sheaf
