// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "sheaf/algorithm/detail/local_sort.hpp"
#include "sheaf/base/huge_pages.hpp"
#include "sheaf/container/vector.hpp"
#include "sheaf/runtime/collectives.hpp"
#include "sheaf/runtime/fence.hpp"

namespace sheaf {

// Result:   the members' parts together hold the same elements, ascending over ranks.
// Method:   sample sort, one async per element (ARMI, Fig. 3); oversampled splitters, position as tie-break.
// Citation: Blelloch et al., A comparison of sorting algorithms for the connection machine CM-2 (SPAA 1991).
// Data:     a distributed vector of buckets; local sorting by Highway's vqsort for numbers.
// Encoding: an element as its codec has it; equal ones are told apart by position, at their source only.

namespace detail {

/// An element of the sample. Its position distinguishes equal values, so that any input splits evenly.
template <class T>
struct sampled {
  T value;
  std::uint64_t place = 0;  ///< position in the whole input
};

/// Samples per member that keep the largest bucket within a tenth of the mean with high probability (Blelloch et al.).
constexpr std::size_t sample_size(std::uint32_t members) { return members == 1 ? 0 : 2048 / members + 64; }

/// Collective: gathers the members' samples and cuts them into size() nearly equal parts. `less` orders values. Every
/// member gets the same size()−1 splitters.
template <class T, class Less>
std::vector<sampled<T>> choose_splitters(team const& on, std::vector<sampled<T>> const& mine, Less less) {
  std::vector<sampled<T>> all;
  for (auto& part : all_gather(on, mine)) {
    all.insert(all.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
  }
  std::sort(all.begin(), all.end(), [&](auto const& a, auto const& b) {
    if (less(a.value, b.value)) return true;
    if (less(b.value, a.value)) return false;
    return a.place < b.place;
  });
  std::vector<sampled<T>> splitters;
  if (all.empty()) return splitters;
  for (std::uint32_t r = 1; r < on.size(); ++r) splitters.push_back(all[all.size() * r / on.size()]);
  return splitters;
}

/// A splitter as one member sees it: its elements equal to the splitter go before it if their position is below `stay`.
template <class T, class Less>
struct local_splitter {
  T value;
  std::uint64_t stay;
  [[no_unique_address]] Less less;

  /// Whether the member's element i goes behind the splitter. Without branches for numbers.
  [[nodiscard]] bool before(T const& element, std::uint64_t i) const {
    bool const smaller = less(element, value);
    bool const larger = less(value, element);
    return larger | (!smaller & (i >= stay));
  }
};

/// How many of the splitters the element goes behind.
std::uint32_t bucket_among(auto const& splitters, auto const& element, std::uint64_t i) {
  std::size_t low = 0, count = splitters.size();
  while (count > 0) {  // a binary search whose steps depend on no branch
    std::size_t const half = count / 2;
    bool const behind = splitters[low + half].before(element, i);
    low = behind ? low + half + 1 : low;
    count = behind ? count - half - 1 : half;
  }
  return static_cast<std::uint32_t>(low);
}

/// The rank, 0 or 1, in a register; else g++ repeats the comparison at each use.
inline std::uint64_t computed_once(bool second) {
  std::uint64_t rank = second ? 1 : 0;
  asm("" : "+r"(rank));
  return rank;
}

/// Two members: the splitter stays in registers, and one comparison tells where an element goes.
template <class T, class Less>
[[gnu::noinline]] void scatter_in_two(vector<T> const& buckets, std::vector<T> const& part,
                                      local_splitter<T, Less> const splitter) {
  auto const send = buckets.template bind<&vector<T>::push_back>();
  T const* at = part.data();
  T const* const end = at + part.size();
  for (T const* const stay = at + std::min<std::uint64_t>(splitter.stay, part.size()); at != stay; ++at) {
    send(computed_once(splitter.less(splitter.value, *at)), *at);
  }
  for (; at != end; ++at) send(computed_once(!splitter.less(*at, splitter.value)), *at);
}

/// One request per element of the part.
template <class T, class Less>
[[gnu::noinline]] void scatter(vector<T> const& buckets, std::vector<T> const& part,
                               std::vector<local_splitter<T, Less>> const& splitters) {
  if (splitters.size() == 1) return scatter_in_two(buckets, part, splitters.front());
  auto const send = buckets.template bind<&vector<T>::push_back>();
  T const* const elements = part.data();
  std::uint64_t const count = part.size();
  for (std::uint64_t i = 0; i < count; ++i) send(bucket_among(splitters, elements[i], i), elements[i]);
}

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

}  // namespace detail

/// Collective: sorts the elements that the members pass in `part`; afterwards each part is ascending under `less`, no
/// element of a part is less than one of a lower rank's, and the parts differ little in size whatever the input (equal
/// elements are spread by position). Not stable. T is a codec type that can be copied; `less` a strict weak order, the
/// same everywhere; the default sorts floating-point numbers in the total order of IEEE 754. Needs room for a second
/// copy of the elements: `spare` loses its elements and swaps its memory with `part`, so that repeated sorts allocate
/// once. Costs an async per element and two fences. Not in a remotely invoked method.
template <codec_type T, class Less = detail::ascending>
void sample_sort(team const& on, std::vector<T>& part, std::vector<T>& spare, Less less = {}) {
  vector<T> buckets(on);
  std::uint64_t const mine = part.size();
  spare.clear();
  buckets.local().swap(spare);
  auto const room = static_cast<std::size_t>(mine + mine / 8);
  if (buckets.local().capacity() < room) detail::reserve_in_huge_pages(buckets.local(), room);
  auto const plus = [](std::uint64_t a, std::uint64_t b) { return a + b; };
  std::uint64_t const first = exclusive_scan(on, mine, std::uint64_t{0}, plus);
  auto const sample = detail::take_sample(part, first, detail::sample_size(on.size()));
  std::vector<detail::local_splitter<T, Less>> splitters;
  for (auto const& s : detail::choose_splitters(on, sample, less))
    splitters.push_back({s.value, s.place > first ? s.place - first : 0, less});
  detail::scatter(buckets, part, splitters);
  fence(on);
  part.swap(buckets.local());
  detail::sort_local(std::span<T>(part), less);
  fence(on);
  buckets.local().clear();
  spare.swap(buckets.local());
}

/// Sorts all members' elements as the other form, with temporary memory for their second copy.
template <codec_type T, class Less = detail::ascending>
void sample_sort(team const& on, std::vector<T>& part, Less less = {}) {
  std::vector<T> spare;
  sample_sort(on, part, spare, less);
}

}  // namespace sheaf
