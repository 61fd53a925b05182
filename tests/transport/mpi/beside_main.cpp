// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// A program that uses MPI itself, with a receive posted that would take any message of its communicator, and runs jobs
/// beside it. MPI is started and ended here. Arguments: nothing, for jobs of one location per process, one after
/// another; or the thread level with which to start MPI (single, funneled, serialized, multiple), for one of two
/// locations per process that call MPI themselves.
#include <mpi.h>

#include <atomic>
#include <cstdio>
#include <string>
#include <thread>

#include "sheaf/sheaf.hpp"
#include "transport/endpoint_cases.hpp"

namespace {

/// A receive that is open while jobs run, and the message for it behind them.
class own_message {
 public:
  own_message() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Irecv(&got_, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request_);
  }

  bool came_intact() {
    MPI_Send(&rank_, 1, MPI_INT, (rank_ + 1) % size_, 7, MPI_COMM_WORLD);
    MPI_Status status;
    MPI_Wait(&request_, &status);
    int const left = (rank_ + size_ - 1) % size_;
    bool const intact = got_ == left && status.MPI_SOURCE == left && status.MPI_TAG == 7;
    if (!intact) std::fprintf(stderr, "the program's own receive got %d from %d\n", got_, status.MPI_SOURCE);
    return intact;
  }

 private:
  int rank_ = 0;
  int size_ = 0;
  int got_ = -1;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

std::string two_jobs() {
  sheaf::options settings = sheaf::options::from_environment();
  settings.transport = sheaf::transport_kind::mpi;
  std::string wrong;
  for (int job = 0; job < 2; ++job) {
    wrong += run_endpoint_case(sheaf_test::endpoint_cases[1], sheaf::launch_mpi, settings.resolved());
  }
  return wrong;
}

/// Two jobs by sheaf::run, with MPI calls of the program before, between and behind.
std::string two_runs() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::string wrong;
  for (int job = 0; job < 2; ++job) {
    int const sum = sheaf::run(sheaf::options::from_environment(), [](sheaf::team world) {
      return sheaf::all_reduce(world, 1, [](int a, int b) { return a + b; });
    });
    int all = 0;
    MPI_Allreduce(&sum, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (all != size * size) wrong += "job " + std::to_string(job) + ": " + std::to_string(all) + "\n";
  }
  return wrong;
}

/// This process's rank, as MPI says; -1 where another thread of the process is in MPI, too.
int rank_by_mpi() {
  static std::atomic<int> inside{0};
  int rank = -1;
  bool alone = false;
  sheaf::with_mpi([&] {
    alone = ++inside == 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    sheaf::with_mpi([&] { std::this_thread::yield(); });
    --inside;
  });
  return alone ? rank : -1;
}

/// Asks MPI for this process's rank again and again, between traffic to everybody, and on an attached thread, where
/// there may be one.
int calls_mpi(sheaf::team const& world, bool also_attached) {
  int const own = static_cast<int>(world.rank() / 2);
  std::atomic<int> wrong{0};
  std::thread beside;
  if (also_attached) {
    beside = std::thread([&] {
      sheaf::attached_thread const self(world);
      for (int turn = 0; turn < 100; ++turn) wrong += rank_by_mpi() == own ? 0 : 1;
    });
  }
  for (int turn = 0; turn < 100; ++turn) {
    for (std::uint32_t d = 0; d < world.size(); ++d) wrong += rank_by_mpi() == own ? 0 : 1;
    wrong += sheaf::all_reduce(world, 1, [](int a, int b) { return a + b; }) == static_cast<int>(world.size()) ? 0 : 1;
  }
  if (also_attached) beside.join();
  return wrong == 0 ? 0 : 1;
}

/// Of a level where only the first location of a process may call MPI, the other one is refused.
int first_only(sheaf::team const& world) {
  bool refused = false;
  try {
    sheaf::with_mpi([] {});
  } catch (sheaf::usage_error const& e) {
    refused = std::string_view(e.what()).find("MPI_THREAD_FUNNELED") != std::string_view::npos;
  }
  sheaf::barrier(world);
  return refused == (world.rank() % 2 == 1) ? 0 : 1;
}

std::string job_of_two_threads(std::string const& level) {
  sheaf::options settings = sheaf::options::from_environment();
  settings.threads = 2;
  try {
    if (sheaf::run(settings, [&](sheaf::team world) {
          return level == "funneled" ? first_only(world)
                                     : calls_mpi(world, settings.progress != sheaf::progress_kind::inlined);
        }) != 0) {
      return "a location was not content\n";
    }
  } catch (sheaf::option_error const& e) {
    bool const named = std::string_view(e.what()).find("MPI_THREAD_SERIALIZED") != std::string_view::npos;
    return level == "single" && named ? "" : e.what();
  }
  return level == "single" ? "two threads with MPI_THREAD_SINGLE were not refused\n" : "";
}

int wanted_level(std::string const& name) {
  if (name == "funneled") return MPI_THREAD_FUNNELED;
  if (name == "serialized") return MPI_THREAD_SERIALIZED;
  return name == "multiple" ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
}

}  // namespace

int main(int argc, char** argv) {
  std::string const level = argc > 1 ? argv[1] : "";
  int provided = 0;
  MPI_Init_thread(&argc, &argv, wanted_level(level), &provided);
  own_message message;
  std::string const wrong = level.empty() ? two_jobs() + two_runs() : job_of_two_threads(level);
  std::fputs(wrong.c_str(), stderr);
  bool const intact = message.came_intact();
  MPI_Finalize();
  return intact && wrong.empty() ? 0 : 1;
}
