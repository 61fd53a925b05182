// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <algorithm>
#include <string>
#include <vector>

#include "conformance/suite.hpp"
#include "sheaf/algorithm/sample_sort.hpp"
#include "sheaf/container/vector.hpp"

namespace {

using sheaf_test::suite;

/// All parts together, in the order of ranks, on every location.
template <class T>
std::vector<T> together(suite& s, std::vector<T> const& part) {
  std::vector<T> all;
  for (auto const& one : sheaf::all_gather(s.world, part)) all.insert(all.end(), one.begin(), one.end());
  return all;
}

/// Sorts the parts and compares with std::sort of the whole.
template <class T, class... Less>
void check_sort(suite& s, std::vector<T> part, char const* what, Less... less) {
  std::vector<T> expected = together(s, part);
  std::sort(expected.begin(), expected.end(), less...);
  std::size_t const all = expected.size();
  sheaf::sample_sort(s.world, part, less...);
  s.that(together(s, part) == expected, std::string(what) + " are sorted");
  std::size_t const fair = all / s.size();
  s.that(all < 2000 || part.size() < 2 * fair + 1000, std::string(what) + " are spread evenly");
}

std::vector<std::uint64_t> random_numbers(suite const& s, std::uint64_t n, std::uint64_t below) {
  std::vector<std::uint64_t> numbers(n);
  std::uint64_t random = s.rank() * 77 + 5;
  for (auto& number : numbers) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    number = (random >> 20) % below;
  }
  return numbers;
}

struct record {
  std::uint64_t key = 0;
  std::string text;
  bool operator==(record const&) const = default;
};

}  // namespace

SHEAF_CASE(vector, numbers_its_elements_over_the_team) {
  std::uint64_t const locations = s.size();
  for (std::uint64_t const n :
       {std::uint64_t{0}, std::uint64_t{1}, locations - 1, locations, locations + 1, std::uint64_t{50}}) {
    sheaf::vector<std::uint64_t> values(s.world, n, 9u);
    s.same(values.size(), n, "the size");
    s.same(sheaf::all_reduce(s.world, values.local_size(), [](auto a, auto b) { return a + b; }), n, "all local sizes");
    sheaf::fence(s.world);
    for (std::uint64_t i = s.rank(); i < n; i += s.size()) {
      s.same(static_cast<std::uint64_t>(values[i]), 9u, "an initial element");
      values[i] = i * i;
    }
    sheaf::fence(s.world);
    for (std::uint64_t i = 0; i < n; ++i) s.same(values.get(i), i * i, "an element");
    std::vector<std::uint64_t> const all = values.copy_to_local();
    s.same(all.size(), n, "the size of the copy");
    for (std::uint64_t i = 0; i < n; ++i) s.same(all[i], i * i, "an element of the copy");
    sheaf::fence(s.world);
    if (n > 1 && s.rank() == 0) values[0] = values[n - 1];
    sheaf::fence(s.world);
    if (n > 1) s.same(values.get(0), (n - 1) * (n - 1), "an element assigned from another");
    sheaf::fence(s.world);
  }
}

SHEAF_CASE(vector, grows_by_push_back) {
  sheaf::vector<std::string> words(s.world);
  s.same(words.size(), 0u, "the size of a new vector");
  std::uint64_t const each = s.scaled(2000);
  for (std::uint64_t i = 0; i < each; ++i) {
    words.async<&sheaf::vector<std::string>::push_back>(i % s.size(),
                                                        std::to_string(s.rank()) + "." + std::to_string(i));
  }
  sheaf::fence(s.world);
  words.update_bounds();
  s.same(words.size(), each * s.size(), "the size after update_bounds");
  s.same(words.local_size(), words.local().size(), "the local size");
  auto all = words.copy_to_local();
  std::sort(all.begin(), all.end());
  s.that(std::adjacent_find(all.begin(), all.end()) == all.end(), "all words are different");
  s.same(all.size(), each * s.size(), "the number of words copied");
  if (s.rank() == 0) s.same(words.get(words.first_index()), words.local().front(), "the first word here");
  sheaf::fence(s.world);
}

SHEAF_CASE(sort, numbers) {
  std::uint64_t const n = s.scaled(20'000);
  check_sort(s, random_numbers(s, n, ~0ULL), "random numbers");
  check_sort(s, random_numbers(s, n, 3), "numbers with few values");
  check_sort(s, std::vector<std::uint64_t>(n, 5), "equal numbers");
  check_sort(s, random_numbers(s, s.rank() == s.size() / 2 ? n : 0, 1000), "numbers that one location has");
  check_sort(s, std::vector<std::uint64_t>(), "no numbers");
  check_sort(s, std::vector<std::uint64_t>(s.rank() == 0 ? 1 : 0, 1), "one number");
  std::vector<std::int32_t> ascending(n);
  for (std::size_t i = 0; i < n; ++i) ascending[i] = static_cast<std::int32_t>(s.rank() * n + i) - 100;
  check_sort(s, ascending, "sorted numbers");
  std::vector<double> halves;
  for (auto const v : random_numbers(s, n, 10'000)) halves.push_back(static_cast<double>(v) / 2 - 1000);
  check_sort(s, halves, "doubles");
}

SHEAF_CASE(sort, strings_and_records) {
  std::vector<std::string> words;
  std::vector<record> records;
  for (auto const v : random_numbers(s, s.scaled(4000), 100'000)) {
    words.push_back(std::string(v % 30, static_cast<char>('a' + v % 7)) + std::to_string(v));
    records.push_back({v % 500, words.back()});
  }
  check_sort(s, words, "strings");
  check_sort(s, words, "strings backwards", [](std::string const& a, std::string const& b) { return b < a; });
  auto const by_both = [](record const& a, record const& b) {
    return a.key != b.key ? a.key > b.key : a.text < b.text;
  };
  check_sort(s, records, "records", by_both);
  check_sort(s, std::vector<std::string>(s.scaled(1000), "same"), "equal strings");
}
