// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Split-phase questions: ask all, compute meanwhile, then fetch the answers; or say what shall happen with each when
/// it comes.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "sheaf/sheaf.hpp"

class weather : public sheaf::distributed<weather> {
 public:
  explicit weather(sheaf::team const& on) : distributed(on) {}

  double temperature(std::uint32_t day) const { return 10 + rank() + 0.5 * day; }
  std::string report(std::uint32_t day) const {
    if (day > 6) throw std::out_of_range("the week has days 0 to 6, not " + std::to_string(day));
    return "location " + std::to_string(rank()) + " on day " + std::to_string(day) + ": fair";
  }
};

int main() {
  return sheaf::run([](sheaf::team world) {
    weather stations(world);
    bool right = true;

    // A future for each question; all are on their way before the first answer is fetched.
    std::vector<sheaf::future<double>> answers;
    for (std::uint32_t r = 0; r < world.size(); ++r) answers.push_back(stations.ask<&weather::temperature>(r, 4u));
    double sum = 0, expected = 0;
    for (std::uint32_t r = 0; r < world.size(); ++r) {
      sum += answers[r].get();
      expected += 12 + r;
    }
    right = right && sum == expected;

    // A continuation runs here when the answer is here; the fence waits for it.
    std::size_t letters = 0;
    auto counted = stations.ask<&weather::report>((world.rank() + 1) % world.size(), 3u)
                       .then([](std::string const& text) { return text.size(); })
                       .then([&](std::size_t n) { letters = n; });
    sheaf::fence(world);
    right = right && counted.ready() && letters >= 25;

    // What the method throws arrives where the answer is fetched.
    try {
      stations.ask<&weather::report>(0, 9u).get();
      right = false;
    } catch (sheaf::remote_error const& error) {
      if (world.rank() == 0) std::printf("%s\n", error.what());
    }

    // Many answers of one kind: a window, an array that they land in, without an allocation each.
    sheaf::reply_window<double> week(world, 7);
    for (std::uint32_t day = 0; day < 7; ++day) stations.ask_into<&weather::temperature>(0, week, day, day);
    week.wait();
    for (std::uint32_t day = 0; day < 7; ++day) right = right && week[day] == 10 + 0.5 * day;
    sheaf::fence(world);
    return right ? 0 : 1;
  });
}
