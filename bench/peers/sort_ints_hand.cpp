// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of sort.ints.same: two threads, each with half of the keys, partition around a sampled splitter with vector
/// compress-stores, straight into the memory of the thread that will sort them, and sort with Highway's vqsort;
/// seconds. One pass without counting: each part has room for both threads' shares as the sample foretells them, and a
/// little slack between, which the tail of the second share fills afterwards.
#define HWY_COMPILE_ONLY_STATIC  // this file uses the instructions it is compiled for; only vqsort chooses at run time
#include <hwy/contrib/sort/vqsort.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>

#include "harness/huge_array.hpp"
#include "harness/keys.hpp"
#include "harness/threads.hpp"

namespace {

using namespace sheaf_bench;
namespace hn = hwy::HWY_NAMESPACE;
using key = std::int32_t;

constexpr std::size_t sample_size = 1 << 16;

/// The memory of one sorting thread: the share of thread 0 from the front, that of thread 1 from `second` on.
struct part {
  explicit part(std::size_t room) : keys(room) {}
  huge_array<key> keys;
  std::size_t second = 0;
  std::array<std::size_t, 2> shares{};

  key* place(std::size_t thread) { return keys.data() + (thread == 0 ? 0 : second); }

  /// Moves the end of the second share into the gap; returns how many keys there are, now without gap.
  std::size_t close() {
    check(shares[0] <= second && second + shares[1] <= keys.size(), "the sample foretold the shares wrongly");
    std::size_t const count = shares[0] + shares[1];
    std::size_t const gap = std::min(second - shares[0], shares[1]);
    std::copy_n(keys.data() + second + shares[1] - gap, gap, keys.data() + shares[0]);
    return count;
  }
};

std::vector<key> draw(std::span<key const> keys, std::uint64_t seed) {
  splitmix64 next(seed);
  std::vector<key> drawn(std::min(sample_size, keys.size()));
  for (key& k : drawn) k = keys[next() % keys.size()];
  return drawn;
}

/// Keys below `splitter` go to `low`, the others to `high`; returns how many are low. May write one vector beyond.
std::size_t split(std::span<key const> keys, key splitter, key* low, key* high) {
  hn::ScalableTag<key> const d;
  std::size_t const lanes = hn::Lanes(d);
  auto const pivot = hn::Set(d, splitter);
  key* const begin = low;
  std::size_t i = 0;
  for (; i + lanes <= keys.size(); i += lanes) {
    auto const v = hn::LoadU(d, keys.data() + i);
    auto const below = hn::Lt(v, pivot);
    std::size_t const count = hn::CompressStore(v, below, d, low);
    hn::CompressStore(v, hn::Not(below), d, high);
    low += count;
    high += lanes - count;
  }
  for (; i < keys.size(); ++i) *(keys[i] < splitter ? low : high)++ = keys[i];
  return static_cast<std::size_t>(low - begin);
}

class sorter {
 public:
  explicit sorter(std::size_t size) {
    for (std::size_t t = 0; t < 2; ++t) {
      start_.emplace_back(share_of(size, t, 2));
      parts_.emplace_back(size / 2 + 2 * slack(size) + 1024);
    }
  }

  std::span<key> start(std::size_t me) { return start_[me]; }
  std::span<key> result(std::size_t me) { return {parts_[me].keys.data(), counts_[me]}; }

  void sort(std::size_t me) {
    drawn_[me] = draw(start_[me], me);
    barrier_.wait();
    if (me == 0) plan();
    barrier_.wait();
    std::size_t const low = split(start_[me], splitter_, parts_[0].place(me), parts_[1].place(me));
    parts_[0].shares[me] = low;
    parts_[1].shares[me] = start_[me].size() - low;
    barrier_.wait();
    counts_[me] = parts_[me].close();
    hwy::Sorter()(parts_[me].keys.data(), counts_[me], hwy::SortAscending());
    barrier_.wait();
  }

  void wait() { barrier_.wait(); }

 private:
  /// Six standard deviations of what a sample tells, and a vector more.
  static std::size_t slack(std::size_t size) { return size / 80 + 64; }

  void plan() {
    std::vector<key> all = drawn_[0];
    all.insert(all.end(), drawn_[1].begin(), drawn_[1].end());
    auto const middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end());
    splitter_ = *middle;
    auto const low = std::count_if(drawn_[0].begin(), drawn_[0].end(), [&](key k) { return k < splitter_; });
    std::size_t const mine = start_[0].size();
    auto const expected = static_cast<std::size_t>(low) * mine / drawn_[0].size();
    parts_[0].second = expected + slack(2 * mine);
    parts_[1].second = mine - expected + slack(2 * mine);
  }

  std::vector<huge_array<key>> start_;
  std::array<std::vector<key>, 2> drawn_;
  std::vector<part> parts_;
  std::array<std::size_t, 2> counts_{};
  key splitter_ = 0;
  spin_barrier barrier_{2};
};

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  sorter s(static_cast<std::size_t>(args.number("--size", 50'000'000)));
  std::vector<key_summary> before(2), after(2);
  run_pinned(2, [&](int thread) {
    auto const me = static_cast<std::size_t>(thread);
    auto const samples = sample(1, args.reps(5), [&](int rep) {
      fill_keys(s.start(me), thread, rep);
      before[me] = summary_of(s.start(me));
      s.wait();
      std::int64_t const start = now_ns();
      s.sort(me);
      double const seconds = seconds_since(start);
      after[me] = summary_of(s.result(me));
      s.wait();
      check(sorted_the_same(before, after), "the keys are not sorted");
      return seconds;
    });
    if (me == 0) print_result("s", samples);
  });
}
