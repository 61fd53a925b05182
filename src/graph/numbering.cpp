// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <tuple>

#include "sheaf/base/error.hpp"
#include "sheaf/base/partition.hpp"
#include "sheaf/graph/detail/exchange.hpp"
#include "sheaf/graph/detail/random_words.hpp"
#include "sheaf/graph/detail/shape_parts.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

namespace {

using lists = std::vector<std::vector<std::uint64_t>>;

void make_distinct(std::vector<std::uint64_t>& ids) {
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

/// The first number of each member, and the number of all, given how many each has.
std::vector<std::uint64_t> bounds_of(team const& members, std::uint64_t own) {
  std::vector<std::uint64_t> bounds = all_gather(members, own);
  bounds.insert(bounds.begin(), 0);
  std::partial_sum(bounds.begin(), bounds.end(), bounds.begin());
  return bounds;
}

/// The vertices whose ids hash to a member, ascending by id: their degrees, and then their numbers.
struct directory {
  std::vector<std::uint64_t> ids, degrees, numbers;

  [[nodiscard]] std::size_t place(std::uint64_t id) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(ids, id) - ids.begin());
  }
};

directory directory_of(lists const& asked, lists const& degrees) {
  directory all;
  for (auto const& each : asked) all.ids.insert(all.ids.end(), each.begin(), each.end());
  make_distinct(all.ids);
  all.degrees.assign(all.ids.size(), 0);
  for (std::size_t r = 0; r < asked.size(); ++r) {
    for (std::size_t k = 0; k < asked[r].size(); ++k) all.degrees[all.place(asked[r][k])] += degrees[r][k];
  }
  return all;
}

/// Deals the vertices to all members in descending order of degree. Fills `numbers`; returns the ids of own vertices.
std::vector<std::uint64_t> deal(team const& members, directory& all, std::vector<std::uint64_t>& bounds) {
  std::vector<std::size_t> order(all.ids.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>{}, [&](std::size_t k) { return all.degrees[k]; });
  std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>> dealt(members.size());  // degree, id
  auto const to = [&](std::size_t k) { return (k + members.rank()) % members.size(); };
  for (std::size_t k = 0; k < order.size(); ++k) dealt[to(k)].emplace_back(all.degrees[order[k]], all.ids[order[k]]);
  auto const got = detail::exchange(members, dealt);
  std::vector<std::tuple<std::uint64_t, std::uint64_t, std::size_t>> own;  // degree, id, giver
  for (std::size_t r = 0; r < got.size(); ++r) {
    for (auto const& [degree, id] : got[r]) own.emplace_back(~degree, id, r);
  }
  std::ranges::sort(own);
  bounds = bounds_of(members, own.size());
  std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>> back(members.size());  // id, number
  std::vector<std::uint64_t> ids;
  for (auto const& [degree, id, giver] : own) {
    back[giver].emplace_back(id, bounds[members.rank()] + ids.size());
    ids.push_back(id);
  }
  all.numbers.assign(all.ids.size(), 0);
  for (auto const& each : detail::exchange(members, back)) {
    for (auto const& [id, number] : each) all.numbers[all.place(id)] = number;
  }
  return ids;
}

}  // namespace

std::uint64_t numbered_ids::number(std::uint64_t id) const {
  if (map.has_formula()) return map.number(id);
  return numbers[static_cast<std::size_t>(std::ranges::lower_bound(ids, id) - ids.begin())];
}

numbered_ids number_by_formula(team const& members, graph_options const& how, bool any, std::uint64_t largest) {
  auto const max = [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); };
  std::uint64_t const top = all_reduce(members, largest, max);
  bool const none = all_reduce(members, std::uint64_t{any ? 1U : 0U}, max) == 0;
  std::uint64_t const needed = none ? 0 : top + 1;
  std::uint64_t const wanted = how.bounds.empty() ? needed : how.bounds.back();
  std::uint64_t const vertices = how.vertices.value_or(std::max(needed, wanted));
  char const* const remedy = "vertex_distribution::hash for ids that are any numbers";
  if (top == ~std::uint64_t{0})
    throw usage_error("sheaf: an edge names vertex " + std::to_string(top) + ", the largest number; use " + remedy);
  if (needed > vertices)
    throw usage_error("sheaf: an edge names vertex " + std::to_string(top) + ", but there are " +
                      std::to_string(vertices) + "; give more graph_options::vertices, or " + remedy);
  return {vertex_map(how, vertices, members.size()), {}, {}, {}};
}

numbered_ids number_by_table(team const& members, graph_options const& how, std::vector<std::uint64_t> ids) {
  numbered_ids result;
  std::ranges::sort(ids);
  hash_partition<std::uint64_t> const owner(members.size());
  lists asked(members.size()), degrees(members.size());
  for (auto at = ids.begin(); at != ids.end();) {
    auto const end = std::upper_bound(at, ids.end(), *at);
    asked[owner.owner(*at)].push_back(*at);
    degrees[owner.owner(*at)].push_back(static_cast<std::uint64_t>(end - at));
    at = end;
  }
  lists const questions = detail::exchange(members, asked);
  directory all = directory_of(questions, detail::exchange(members, degrees));
  std::vector<std::uint64_t> bounds;
  if (how.distribution == vertex_distribution::degree) {
    result.own_ids = deal(members, all, bounds);
  } else {
    bounds = bounds_of(members, all.ids.size());
    all.numbers.resize(all.ids.size());
    std::iota(all.numbers.begin(), all.numbers.end(), bounds[members.rank()]);
    result.own_ids = all.ids;
  }
  lists answers(members.size());
  for (std::size_t r = 0; r < questions.size(); ++r) {
    for (std::uint64_t const id : questions[r]) answers[r].push_back(all.numbers[all.place(id)]);
  }
  answers = detail::exchange(members, answers);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  result.numbers.resize(ids.size());
  std::vector<std::size_t> next(members.size(), 0);
  for (std::size_t k = 0; k < ids.size(); ++k) {
    auto const r = owner.owner(ids[k]);
    result.numbers[k] = answers[r][next[r]++];
  }
  result.ids = std::move(ids);
  result.map = vertex_map(std::move(bounds));
  return result;
}

number_set::number_set(std::uint64_t n, std::uint64_t most, std::pair<std::uint64_t, std::uint64_t> without)
    : without_(without) {
  if (n / 64 <= most) bits_.assign(n / 64 + 1, 0);  // 12 bytes for each word, 8 for each number
}

std::vector<std::uint64_t> number_set::finish() {
  if (bits_.empty()) {
    make_distinct(sorted_);
    return sorted_;
  }
  std::vector<std::uint64_t> all;
  before_.resize(bits_.size());
  for (std::size_t w = 0; w < bits_.size(); ++w) {
    before_[w] = static_cast<std::uint32_t>(all.size());
    for (std::uint64_t left = bits_[w]; left != 0; left &= left - 1)
      all.push_back(64 * w + static_cast<std::uint64_t>(__builtin_ctzll(left)));
  }
  return all;
}

std::uint64_t number_set::search(std::uint64_t number) const {
  return static_cast<std::uint64_t>(std::ranges::lower_bound(sorted_, number) - sorted_.begin());
}

graph_options const& checked_alike(team const& members, graph_options const& how) {
  std::vector<std::uint64_t> words{how.directed,
                                   how.in_edges,
                                   how.loops,
                                   how.parallel_edges,
                                   how.vertices ? 1ULL : 0ULL,
                                   how.vertices.value_or(0),
                                   static_cast<std::uint64_t>(how.distribution)};
  words.insert(words.end(), how.bounds.begin(), how.bounds.end());
  std::uint64_t sum = 0;
  for (std::uint64_t const each : words) sum = random_words(sum, each).word(0);
  using pair = std::pair<std::uint64_t, std::uint64_t>;
  auto const [least, most] = all_reduce(members, pair{sum, sum}, [](pair const& a, pair const& b) {
    return pair{std::min(a.first, b.first), std::max(a.second, b.second)};
  });
  if (least != most) throw usage_error("sheaf: members give different graph_options; give the same on all");
  return how;
}

void check_vertices(team const& members, std::uint64_t count) {
  count = all_reduce(members, count, [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); });
  if (count < ~vertex{0}) return;
  throw usage_error("sheaf: a location has " + std::to_string(count) +
                    " vertices of a graph with those of others that are their neighbours; at most 2^32 - 2 can be "
                    "numbered: run on more locations, or, if most ids have no edges, use vertex_distribution::hash");
}

}  // namespace sheaf::detail
