// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Masters and workers inside one fence, the master's role moving (ARMI §4): workers ask for work by requests and never
/// wait; a master that has handed out its part passes the rest, and its role, to the next location.
#include <cstdio>
#include <deque>
#include <functional>
#include <vector>

#include "sheaf/sheaf.hpp"

class office : public sheaf::distributed<office> {
 public:
  explicit office(sheaf::team const& on) : distributed(on) {}

  /// This location is the master now: all who ask get work from here.
  void become_master(std::vector<std::uint32_t> tasks, std::vector<std::uint32_t> idle) {
    tasks_ = std::deque<std::uint32_t>(tasks.begin(), tasks.end());
    until_move_ = 25;
    master_ = true;
    ++times_master;
    for (auto const worker : idle) request_work(worker, rank());
  }

  /// A worker asks; one who asks a former master is sent on.
  void request_work(std::uint32_t worker, std::uint32_t asked) {
    if (!master_) return async<&office::request_work>(next_, worker, next_);
    if (tasks_.empty()) return;  // nothing is left: the worker rests, and the fence will end
    std::uint32_t const task = tasks_.front();
    tasks_.pop_front();
    async<&office::work>(worker, task, asked);
    if (--until_move_ == 0) move_role();
  }

  void work(std::uint32_t task, std::uint32_t master) {
    sum += std::uint64_t{task} * task;
    async<&office::request_work>(master, rank(), master);
  }

  std::uint64_t sum = 0;
  std::uint32_t times_master = 0;

 private:
  void move_role() {
    master_ = false;
    next_ = (rank() + 1) % members().size();
    async<&office::become_master>(next_, std::vector<std::uint32_t>(tasks_.begin(), tasks_.end()),
                                  std::vector<std::uint32_t>());
  }

  std::deque<std::uint32_t> tasks_;
  std::uint32_t next_ = 0;
  std::uint32_t until_move_ = 0;
  bool master_ = false;
};

int main() {
  return sheaf::run([](sheaf::team world) {
    constexpr std::uint32_t tasks = 1000;
    office here(world);
    if (world.rank() == 0) {
      std::vector<std::uint32_t> all(tasks), workers(world.size());
      for (std::uint32_t i = 0; i < tasks; ++i) all[i] = i;
      for (std::uint32_t i = 0; i < world.size(); ++i) workers[i] = i;
      here.async<&office::become_master>(0, all, workers);
    }
    sheaf::fence(world);  // all handing out, working and moving happens in here

    std::uint64_t const sum = sheaf::all_reduce(world, here.sum, std::plus<>{});
    std::uint64_t const moves = sheaf::all_reduce(world, std::uint64_t{here.times_master}, std::plus<>{});
    if (world.rank() == 0) std::printf("%u tasks done, the master's role moved %lu times\n", tasks, moves - 1);
    return sum == (tasks - 1ULL) * tasks * (2 * tasks - 1) / 6 && moves == tasks / 25 + 1 ? 0 : 1;
  });
}
