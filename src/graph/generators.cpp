// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/generators.hpp"

#include <array>
#include <string>

#include "graph/edge_parts.hpp"
#include "graph/random_order.hpp"

namespace sheaf {

using detail::random_order;
using detail::random_words;

namespace {

/// So that generators that share a seed do not share random numbers.
enum purpose : std::uint64_t { ends_of_edges = 1, order_of_cycle, quadrants, order_of_ids, moves };

edge<> random_edge(random_words const& words, std::uint64_t n, std::uint64_t i) {
  return {words.below(n, 2 * i), words.below(n, 2 * i + 1)};
}

void check_vertices(char const* generator, std::uint64_t n, std::uint64_t m) {
  if (n == 0 && m > 0)
    throw usage_error(std::string(generator) + ": " + std::to_string(m) + " edges need a vertex, but n is 0");
}

/// A permutation of its own for each generator and seed.
random_order order(std::uint64_t n, std::uint64_t seed, purpose what) { return {n, detail::mixed(seed) + what}; }

}  // namespace

std::vector<edge<>> erdos_renyi(team const& members, std::uint64_t n, std::uint64_t m, std::uint64_t seed) {
  check_vertices("erdos_renyi", n, m);
  random_words const words(seed, ends_of_edges);
  return detail::part(members, m, [&](std::uint64_t i) { return random_edge(words, n, i); });
}

std::vector<edge<>> hamiltonian_cycle(team const& members, std::uint64_t n, std::uint64_t seed) {
  random_order const at = order(n, seed, order_of_cycle);
  return detail::part(members, n, [&](std::uint64_t i) { return edge<>{at(i), at((i + 1) % n)}; });
}

std::vector<edge<>> erdos_renyi_with_cycle(team const& members, std::uint64_t n, std::uint64_t m, std::uint64_t seed) {
  check_vertices("erdos_renyi_with_cycle", n, m);
  random_words const words(seed, ends_of_edges);
  random_order const at = order(n, seed, order_of_cycle);
  return detail::part(members, n + m, [&](std::uint64_t i) {
    return i < n ? edge<>{at(i), at((i + 1) % n)} : random_edge(words, n, i - n);
  });
}

std::vector<edge<>> small_world(team const& members, std::uint64_t n, std::uint64_t k, double p, std::uint64_t seed) {
  if (k % 2 != 0 || (k >= n && k > 0))
    throw usage_error("small_world: k must be even and below n, " + std::to_string(n) + ", but is " +
                      std::to_string(k));
  if (!(p >= 0 && p <= 1)) throw usage_error("small_world: p must be in [0, 1], but is " + std::to_string(p));
  random_words const words(seed, moves);
  return detail::part(members, n * (k / 2), [&](std::uint64_t i) {
    std::uint64_t const from = i / (k / 2), near = (from + 1 + i % (k / 2)) % n;
    if (words.unit(2 * i) >= p) return edge<>{from, near};
    std::uint64_t const other = words.below(n - 1, 2 * i + 1);  // all but `from`
    return edge<>{from, other + (other >= from ? 1 : 0)};
  });
}

namespace {

/// The probability that a sum of quadrants begins with, as one of 2^32 words.
std::uint64_t share(double probability) {
  return static_cast<std::uint64_t>(std::llround(std::ldexp(std::min(probability, 1.0), 32)));
}

void check_rmat(unsigned scale, rmat_options const& how) {
  if (scale > 63) throw usage_error("rmat: the scale must be 0…63, but is " + std::to_string(scale));
  double const least = std::min({how.a, how.b, how.c}), sum = how.a + how.b + how.c;
  if (!(least >= 0 && sum <= 1 + 1e-9))
    throw usage_error("rmat: a, b and c must not be negative, and their sum at most 1, but is " + std::to_string(sum));
}

class quadrant_walk {
 public:
  quadrant_walk(unsigned scale, std::uint64_t seed, rmat_options const& how)
      : scale_(scale),
        words_(seed, quadrants),
        down_(share(how.a + how.b)),
        right_{share(how.a), share(how.a + how.b + how.c)} {}

  [[nodiscard]] edge<> operator()(std::uint64_t i) const {
    std::uint64_t const words_each = (scale_ + 1) / 2;
    edge<> ends;
    for (unsigned level = 0; level < scale_; ++level) {
      std::uint64_t const word = words_.word(i * words_each + level / 2);
      std::uint64_t const at = level % 2 == 0 ? word >> 32U : word & 0xffffffffU;
      std::size_t const down = at >= down_ ? 1 : 0;
      ends.source = 2 * ends.source + down;
      ends.target = 2 * ends.target + (at >= right_[down] ? 1 : 0);  // no branch, which could not be foreseen
    }
    return ends;
  }

 private:
  unsigned scale_;
  random_words words_;
  std::uint64_t down_;                  // quadrants from here on are the lower two
  std::array<std::uint64_t, 2> right_;  // of the upper two, of the lower two
};

}  // namespace

std::vector<edge<>> rmat(team const& members, unsigned scale, std::uint64_t edges, std::uint64_t seed,
                         rmat_options const& how) {
  check_rmat(scale, how);
  quadrant_walk const walk(scale, seed, how);
  random_order const at = order(std::uint64_t{1} << scale, seed, order_of_ids);
  return detail::part(members, edges, [&](std::uint64_t i) {
    edge<> const ends = walk(i);
    return how.scrambled ? edge<>{at(ends.source), at(ends.target)} : ends;
  });
}

std::vector<edge<>> kronecker(team const& members, unsigned scale, std::uint64_t edge_factor, std::uint64_t seed) {
  check_rmat(scale, {});
  if (edge_factor > ~std::uint64_t{0} >> scale)
    throw usage_error("kronecker: " + std::to_string(edge_factor) + " times 2^" + std::to_string(scale) +
                      " edges are not below 2^64");
  return rmat(members, scale, edge_factor << scale, seed);
}

}  // namespace sheaf
