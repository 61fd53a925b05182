// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// A program that uses MPI itself, with a receive posted that would take any message of its communicator, and runs jobs
/// beside it. MPI is started and ended here. Arguments: nothing, for two jobs of one location per process; or the
/// thread level with which to start MPI (single, funneled, serialized, multiple), for one of two locations per process
/// that call MPI themselves.
#include <mpi.h>

#include <cstdio>
#include <string>

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

/// Asks MPI for this process's rank again and again, between traffic to everybody.
int calls_mpi(sheaf::team const& world) {
  int rank = -1;
  for (int turn = 0; turn < 100; ++turn) {
    for (std::uint32_t d = 0; d < world.size(); ++d) sheaf::with_mpi([&] { MPI_Comm_rank(MPI_COMM_WORLD, &rank); });
    if (sheaf::all_reduce(world, 1, [](int a, int b) { return a + b; }) != static_cast<int>(world.size())) return 1;
  }
  return rank == static_cast<int>(world.rank() / 2) ? 0 : 1;
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
          return level == "funneled" ? first_only(world) : calls_mpi(world);
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
  std::string const wrong = level.empty() ? two_jobs() : job_of_two_threads(level);
  std::fputs(wrong.c_str(), stderr);
  bool const intact = message.came_intact();
  MPI_Finalize();
  return intact && wrong.empty() ? 0 : 1;
}
