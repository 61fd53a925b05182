// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// A thread of the program's own sends requests while its location computes. Their method is declared concurrent: with
/// SHEAF_PROGRESS=helper the requests are executed meanwhile, too; else when their location polls, or is at the fence.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>

#include "sheaf/sheaf.hpp"

class tally : public sheaf::distributed<tally> {
 public:
  using distributed::distributed;
  void add(long reading) { sum_ += reading; }
  long sum() const { return sum_; }

 private:
  std::atomic<long> sum_{0};  // concurrent methods protect what they touch
};
template <>
inline constexpr bool sheaf::concurrent<&tally::add> = true;

constexpr long readings = 10'000;

/// 1, 2, 3, …, one after another to each member.
void send_readings(tally const& all) {
  for (long i = 1; i <= readings; ++i) all.async<&tally::add>(static_cast<std::uint64_t>(i) % all.members().size(), i);
}

double compute_pi() {
  double sum = 0;
  for (int i = 1'000'000; i >= 0; --i) sum += (i % 2 == 0 ? 4.0 : -4.0) / (2 * i + 1);
  return sum;
}

int main() {
  sheaf::options settings = sheaf::options::from_environment();
  bool const simulated = settings.transport == sheaf::transport_kind::sim;  // which no other thread may join
  if (std::getenv("SHEAF_PROGRESS") == nullptr && !simulated) settings.progress = sheaf::progress_kind::shared;
  bool const threads = settings.progress != sheaf::progress_kind::inlined;

  return sheaf::run(settings, [threads](sheaf::team world) {
    tally all(world);
    sheaf::barrier(world);  // everybody's is complete: it may be called by any thread from now on
    std::atomic<bool> done{false};
    auto const read = [&] {
      send_readings(all);
      done = true;
    };
    std::thread reader;
    if (threads) {
      reader = std::thread([&] {
        sheaf::attached_thread const self(world);
        read();
      });
    } else {
      read();
    }
    double const pi = compute_pi();
    while (!done) sheaf::poll();  // not join() alone, in which this location would execute nothing
    if (reader.joinable()) reader.join();
    sheaf::fence(world);

    long const got = sheaf::all_reduce(world, all.sum(), std::plus<>{});
    long const sent = readings * (readings + 1) / 2 * static_cast<long>(world.size());
    if (world.rank() == 0) {
      std::printf("pi is about %.5f; %u %s sent readings of %ld in all, %ld came\n", pi, world.size(),
                  threads ? "threads" : "locations", sent, got);
    }
    return got == sent ? 0 : 1;
  });
}
