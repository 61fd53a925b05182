// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// aggregation.default/*: ARMI's Fig. 6. Location 0 issues n pings of 8 bytes to location 1 and waits for the answer to
/// a last one; the default, adaptive setting against fixed numbers of pings in a buffer. The value is the default's
/// time at the point of the sweep where it does worst against the best fixed factor, "peer" is that factor's time
/// there. "points" has a row for each number of pings: that number, the default's time, those of the "factors".
#include "harness/pings.hpp"
#include "sheaf/sheaf.hpp"

using namespace sheaf_bench;

namespace {

class ponger : public sheaf::distributed<ponger> {
 public:
  using distributed::distributed;
  void ping(std::uint64_t n) { sum_ += n; }
  std::uint64_t pong() const { return sum_; }

 private:
  std::uint64_t sum_ = 0;
};

struct setting {
  std::size_t first, most;
};

double pings(ponger& all, std::int64_t n, int rounds) {
  std::uint64_t const before = all.sync<&ponger::pong>(1);
  std::uint64_t answer = 0;
  std::int64_t const start = now_ns();
  for (int round = 0; round < rounds; ++round) {
    for (std::int64_t i = 0; i < n; ++i) all.async<&ponger::ping>(1, std::uint64_t{1});
    answer = all.sync<&ponger::pong>(1);
  }
  std::int64_t const ns = now_ns() - start;
  check(answer == before + static_cast<std::uint64_t>(n * rounds), "pings are lost");
  return static_cast<double>(ns) * 1e-3 / rounds;
}

/// Medians of every setting at one number of pings, measured in turn.
std::vector<double> point(ponger& all, std::int64_t n, std::vector<setting> const& settings, int reps) {
  std::vector<std::vector<double>> times(settings.size());
  int const rounds = ping_rounds(n);
  for (int rep = 0; rep < reps; ++rep) {
    for (std::size_t s = 0; s < settings.size(); ++s) {
      sheaf::set_aggregation(settings[s].first, settings[s].most);
      times[s].push_back(pings(all, n, rounds));
    }
  }
  std::vector<double> medians;
  for (auto const& t : times) medians.push_back(median(t));
  return medians;
}

constexpr std::size_t least_factor = 4, most_factor = 2048;

/// The default, then every fixed number of pings in a buffer.
std::vector<setting> settings_of(sheaf::options const& defaults) {
  std::vector<setting> settings{{defaults.first_flush_bytes, defaults.buffer_bytes}};
  for (std::size_t factor = least_factor; factor <= most_factor; factor *= 2) {
    std::size_t const bytes = std::min(sheaf::run_header::wire_bytes + 8 * factor, defaults.buffer_bytes);
    settings.push_back({bytes, bytes});
  }
  return settings;
}

std::string factors_text() {
  std::string text = std::to_string(least_factor);
  for (std::size_t factor = 2 * least_factor; factor <= most_factor; factor *= 2) text += ", " + std::to_string(factor);
  return ", \"factors\": [" + text + "]";
}

/// What location 0 does.
void sweep(ponger& all, arguments const& args) {
  int const reps = args.reps(15);
  auto const settings = settings_of(sheaf::settings());
  double worst = 0, ours = 0, best = 0;
  std::string points;
  for (std::int64_t const n : ping_counts) {
    auto const medians = point(all, n, settings, reps);
    double const fixed = *std::min_element(medians.begin() + 1, medians.end());
    points += (points.empty() ? "" : ", ") + point_text(n, medians);
    if (medians[0] / fixed <= worst) continue;
    worst = medians[0] / fixed, ours = medians[0], best = fixed;
  }
  print_result("us", {ours}, ", \"peer\": " + std::to_string(best) + factors_text() + ", \"points\": [" + points + "]");
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  return sheaf::run([&](sheaf::team world) {
    check(world.size() == 2, "run it with two locations");
    ponger all(world);
    if (world.rank() == 0) sweep(all, args);
    sheaf::fence(world);
  });
}
