// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of sort.ints/mpi: a sample sort as one writes it in MPI: sample, splitters for all, one exchange, std::sort;
/// seconds. Memory is allocated before the first measured run, in huge pages, as Sheaf's. With `--local vqsort` the
/// parts are sorted as Sheaf sorts them, where the library for it is there.
#ifdef SHEAF_BENCH_VQSORT
#include <hwy/contrib/sort/vqsort.h>
#endif

#include <numeric>

#include "harness/huge_array.hpp"
#include "harness/keys.hpp"
#include "peers/mpi_rank.hpp"

namespace {

using namespace sheaf_bench;
using key = std::int32_t;

constexpr std::size_t oversampling = 1024;

std::vector<key> splitters(std::span<key const> keys, int ranks) {
  splitmix64 next(7);
  std::vector<key> drawn(oversampling), all(oversampling * static_cast<std::size_t>(ranks)), chosen;
  for (key& k : drawn) k = keys[next() % keys.size()];
  int const count = static_cast<int>(oversampling);
  MPI_Allgather(drawn.data(), count, MPI_INT32_T, all.data(), count, MPI_INT32_T, MPI_COMM_WORLD);
  std::sort(all.begin(), all.end());
  for (std::size_t r = 1; r < static_cast<std::size_t>(ranks); ++r) chosen.push_back(all[r * oversampling]);
  return chosen;
}

std::size_t bucket_of(key k, std::vector<key> const& splits) {
  if (splits.empty()) return 0;
  if (splits.size() == 1) return k >= splits[0];
  return static_cast<std::size_t>(std::upper_bound(splits.begin(), splits.end(), k) - splits.begin());
}

std::vector<int> starts_of(std::vector<int> const& counts) {
  std::vector<int> starts(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), starts.begin(), 0);
  return starts;
}

void sort_here(std::span<key> keys, bool by_vqsort) {
  if (!by_vqsort) return std::sort(keys.begin(), keys.end());
#ifdef SHEAF_BENCH_VQSORT
  hwy::Sorter()(keys.data(), keys.size(), hwy::SortAscending());
#else
  fail("this program was built without vqsort");
#endif
}

/// What a rank allocates once: a part may be a quarter larger than a rank's share.
struct memory {
  explicit memory(std::size_t share) : grouped(share), mine(share + share / 4 + 1024) {}
  huge_array<key> grouped, mine;
};

std::span<key const> sample_sort(std::span<key const> keys, memory& own, int ranks, bool by_vqsort) {
  std::vector<key> const splits = splitters(keys, ranks);
  std::vector<int> counts(static_cast<std::size_t>(ranks)), incoming(counts.size());
  for (key k : keys) ++counts[bucket_of(k, splits)];
  MPI_Alltoall(counts.data(), 1, MPI_INT, incoming.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::vector<int> const from = starts_of(counts), to = starts_of(incoming);
  std::vector<int> cursor = from;
  std::span<key> const mine(own.mine.data(), static_cast<std::size_t>(to.back() + incoming.back()));
  check(mine.size() <= own.mine.size(), "a part is too large for its memory");
  for (key k : keys) own.grouped[static_cast<std::size_t>(cursor[bucket_of(k, splits)]++)] = k;
  MPI_Alltoallv(own.grouped.data(), counts.data(), from.data(), MPI_INT32_T, mine.data(), incoming.data(), to.data(),
                MPI_INT32_T, MPI_COMM_WORLD);
  sort_here(mine, by_vqsort);
  return mine;
}

/// Every rank's summary, on every rank.
std::vector<key_summary> gathered(key_summary const& mine, int ranks) {
  std::vector<key_summary> all(static_cast<std::size_t>(ranks));
  int const bytes = static_cast<int>(sizeof mine);
  MPI_Allgather(&mine, bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, MPI_COMM_WORLD);
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  mpi_rank const mpi(argc, argv);
  auto const size = static_cast<std::size_t>(args.number("--size", 50'000'000));
  bool const by_vqsort = args.text("--local", "std") == "vqsort";
  huge_array<key> start(share_of(size, static_cast<std::size_t>(mpi.rank()), static_cast<std::size_t>(mpi.size())));
  std::span<key> const keys(start.data(), start.size());
  memory own(keys.size());
  auto const samples = sample(1, args.reps(3), [&](int rep) {
    fill_keys(keys, mpi.rank(), rep);
    mpi_rank::barrier();
    std::int64_t const begin = now_ns();
    std::span<key const> const sorted = sample_sort(keys, own, mpi.size(), by_vqsort);
    mpi_rank::barrier();
    double const seconds = seconds_since(begin);
    mpi.check(sorted_the_same(gathered(summary_of(keys), mpi.size()), gathered(summary_of(sorted), mpi.size())),
              "the keys are not sorted");
    return seconds;
  });
  if (mpi.rank() == 0) print_result("s", samples);
}
