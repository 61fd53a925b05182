// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// A program that uses MPI itself, with a receive posted that would take any message of its communicator, and runs jobs
/// beside it. MPI is started and ended here. Arguments: nothing, for jobs of one location per process, one after
/// another, and of parts of the processes; the thread level with which to start MPI (single, funneled, serialized,
/// multiple), for one of two locations per process that call MPI themselves; own_thread, for one of those whose program
/// has a thread of its own that calls MPI whenever it likes; or helper, for one location per process and a helper
/// beside it. Exit code 77, with a word, where the MPI library does not give the level.
#include <mpi.h>

#include <atomic>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "sheaf/runtime/job.hpp"
#include "sheaf/sheaf.hpp"
#include "transport/endpoint_cases.hpp"
#include "transport/mpi/watched_mpi.hpp"

namespace {

using sheaf_test::mpi_call;
using sheaf_test::watched_mpi;

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

/// What a job of this communicator is refused with; empty: nothing.
std::string refusal_of(MPI_Comm const* part) {
  sheaf::options settings = sheaf::options::from_environment();
  settings.communicator = part;
  try {
    sheaf::job job(settings);
    job.end();
  } catch (sheaf::option_error const& e) {
    return e.what();
  }
  return {};
}

/// Jobs of the even and of the odd processes at the same time, numbered from behind; of one process alone; and none.
std::string jobs_of_parts() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm part = MPI_COMM_NULL;
  std::string wrong =
      refusal_of(&part).starts_with("sheaf: no job over MPI: the communicator is MPI_COMM_NULL; processes")
          ? ""
          : "null was taken\n";
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part);
  sheaf::options settings = sheaf::options::from_environment();
  for (MPI_Comm const& of : {part, static_cast<MPI_Comm const&>(MPI_COMM_SELF)}) {
    settings.communicator = &of;
    int place = 0, size = 0, mine = rank, expected = 0;
    MPI_Comm_rank(of, &place);
    MPI_Comm_size(of, &size);
    MPI_Allreduce(&mine, &expected, 1, MPI_INT, MPI_SUM, of);
    sheaf::job job(settings);
    auto const sum = sheaf::all_reduce(job.world(), rank, [](int a, int b) { return a + b; });
    bool const same =
        job.world().size() == static_cast<unsigned>(size) && job.world().rank() == static_cast<unsigned>(place);
    job.end();
    if (!same || sum != expected) wrong += "a job of a part: sum " + std::to_string(sum) + "\n";
  }
  MPI_Comm_free(&part);
  return wrong;
}

/// This process's rank, as MPI says; -1 where another thread of the process is in MPI, too.
int rank_by_mpi() {
  static std::atomic<int> inside{0};
  int rank = -1;
  bool alone = false;
  sheaf::with_mpi([&] {
    mpi_call const all_along;
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

// ---- MPI_THREAD_FUNNELED -----------------------------------------------------------------------------------------

struct traffic_of_turns : sheaf::distributed<traffic_of_turns> {
  static constexpr int turns = 20;
  explicit traffic_of_turns(sheaf::team const& t) : distributed(t) {}
  int got[turns] = {};
  void pass_on(int turn, int left) {
    ++got[turn];
    if (left != 0) async<&traffic_of_turns::pass_on>((rank() + 1) % members().size(), turn, left - 1);
  }
  int answer(int n) { return n + static_cast<int>(rank()); }
};

/// Whether it is refused to a location that is not the first of its process, without a call, and sent there.
bool only_first_may_call(sheaf::team const& world) {
  std::uint32_t const first = world.rank() / 2 * 2;
  std::string const remedy = "MPI_THREAD_FUNNELED); call it on location " + std::to_string(first) + ", or start MPI";
  bool called = false;
  try {
    sheaf::with_mpi([&] { called = true; });
    return called && world.rank() == first;
  } catch (sheaf::usage_error const& e) {
    return !called && world.rank() != first && std::string_view(e.what()).find(remedy) != std::string_view::npos;
  }
}

/// Requests that send others, answers and fences, where only the first location of a process may call MPI.
int first_only(sheaf::team const& world) {
  constexpr int each = 10, hops = 3;
  int const size = static_cast<int>(world.size());
  traffic_of_turns t(world);
  int wrong = 0;
  for (int turn = 0; turn < traffic_of_turns::turns; ++turn) {
    wrong += only_first_may_call(world) ? 0 : 1;
    for (int i = 0; i < each * size; ++i) {
      t.async<&traffic_of_turns::pass_on>(static_cast<std::uint32_t>(i % size), turn, hops);
    }
    for (int d = 0; d < size; ++d) {
      wrong += t.sync<&traffic_of_turns::answer>(static_cast<std::uint32_t>(d), turn) == turn + d ? 0 : 1;
    }
    sheaf::fence(world);
    wrong += t.got[turn] == each * size * (hops + 1) ? 0 : 1;
  }
  return wrong == 0 ? 0 : 1;
}

// ---- MPI_THREAD_MULTIPLE -----------------------------------------------------------------------------------------

/// Sends what it is asked for by MPI, without with_mpi.
struct sender : sheaf::distributed<sender> {
  sender(sheaf::team const& t, MPI_Comm by) : distributed(t), comm(by) {}
  MPI_Comm const comm;
  void send(int to, int turn) { MPI_Send(&turn, 1, MPI_INT, to, turn, comm); }
};

/// A thread of this process that is no location waits in MPI_Recv; what it waits for is sent because the first location
/// has asked the second one of the next process for it, by Sheaf, over MPI.
int thread_of_its_own(sheaf::team const& world, MPI_Comm comm) {
  constexpr int turns = 50;
  int const process = static_cast<int>(world.rank() / 2), processes = static_cast<int>(world.size() / 2);
  int const next = (process + 1) % processes;
  sender s(world, comm);
  std::atomic<int> begun{0}, came{0}, wrong{0};
  auto const receive = [&] {
    for (int turn = 1; turn <= turns; ++turn) {
      mpi_call const all_along;
      begun = turn;
      int got = 0;
      MPI_Recv(&got, 1, MPI_INT, next, turn, comm, MPI_STATUS_IGNORE);
      wrong += got == turn ? 0 : 1;
      came = turn;
    }
  };
  if (world.rank() % 2 == 0) {
    std::thread own(receive);
    for (int turn = 1; turn <= turns; ++turn) {
      while (begun < turn) sheaf::poll();
      s.async<&sender::send>(static_cast<std::uint32_t>(2 * next + 1), process, turn);
      while (came < turn) sheaf::poll();
    }
    own.join();
    wrong += watched_mpi().together >= turns ? 0 : 1;  // Sheaf called MPI meanwhile
  }
  sheaf::fence(world);
  return wrong == 0 ? 0 : 1;
}

// ---- A helper ------------------------------------------------------------------------------------------------------

struct mailbox : sheaf::distributed<mailbox> {
  explicit mailbox(sheaf::team const& t) : distributed(t) {}
  int letters = 0;
  void put() { ++letters; }
};

/// Computes until the helper of this location has called MPI some times.
void watch_helper() {
  std::uint64_t const until = watched_mpi().elsewhere + 5;
  while (watched_mpi().elsewhere < until) std::this_thread::yield();
}

/// Two processes of one location, each with a helper. While one of them has MPI for itself, until the other sends it a
/// message, the other's helper calls MPI some times; its own one would have as well.
int beside_helper(sheaf::team const& world, MPI_Comm comm) {
  constexpr int turns = 20;
  auto const rank = static_cast<int>(world.rank());
  int const other = 1 - rank;
  mailbox m(world);
  int wrong = 0;
  for (int turn = 0; turn < turns; ++turn) {
    int message = turn;
    m.async<&mailbox::put>(static_cast<std::uint32_t>(other));
    if (turn % 2 == rank) {
      sheaf::with_mpi([&] {
        mpi_call const alone;
        MPI_Recv(&message, 1, MPI_INT, other, 0, comm, MPI_STATUS_IGNORE);
      });
      wrong += message == turn ? 0 : 1;
    } else {
      watch_helper();
      sheaf::with_mpi([&] { MPI_Send(&message, 1, MPI_INT, other, 0, comm); });
    }
  }
  sheaf::fence(world);
  return wrong == 0 && m.letters == turns ? 0 : 1;
}

// ---- The jobs ------------------------------------------------------------------------------------------------------

/// A communicator of the program's own, for its messages.
class own_communicator {
 public:
  own_communicator() { MPI_Comm_dup(MPI_COMM_WORLD, &comm_); }
  ~own_communicator() { MPI_Comm_free(&comm_); }
  own_communicator(own_communicator const&) = delete;
  own_communicator& operator=(own_communicator const&) = delete;
  operator MPI_Comm() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// One job, by its first argument, of `threads` locations per process; 0 where all were content.
int run_job(std::string const& how, unsigned threads) {
  sheaf::options settings = sheaf::options::from_environment();
  settings.threads = threads;
  own_communicator const comm;
  return sheaf::run(settings, [&](sheaf::team world) {
    if (how == "funneled") return first_only(world);
    if (how == "own_thread") return thread_of_its_own(world, comm);
    if (how == "helper") return beside_helper(world, comm);
    return calls_mpi(world, settings.progress != sheaf::progress_kind::inlined);
  });
}

/// What is wrong with who has called MPI.
std::string callers(std::string const& how) {
  std::uint64_t const together = watched_mpi().together, elsewhere = watched_mpi().elsewhere;
  std::string wrong;
  if (how != "own_thread" && together != 0) wrong = std::to_string(together) + " calls of MPI were not alone\n";
  if (how == "funneled" && elsewhere != 0) wrong += std::to_string(elsewhere) + " were not the first thread's\n";
  if (how == "serialized" && elsewhere == 0) wrong += "nobody but the first thread called MPI\n";
  return wrong;
}

std::string job_that_calls_mpi(std::string const& how) {
  try {
    if (run_job(how, how == "helper" ? 1 : 2) != 0) return "a location was not content\n";
  } catch (sheaf::option_error const& e) {
    bool const named = std::string_view(e.what()).find("MPI_THREAD_SERIALIZED") != std::string_view::npos;
    return how == "single" && named ? "" : e.what();
  }
  return how == "single" ? "two threads with MPI_THREAD_SINGLE were not refused\n" : callers(how);
}

int wanted_level(std::string const& how) {
  if (how == "funneled") return MPI_THREAD_FUNNELED;
  if (how == "serialized" || how == "helper") return MPI_THREAD_SERIALIZED;
  return how == "multiple" || how == "own_thread" ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
}

}  // namespace

int main(int argc, char** argv) {
  std::string const how = argc > 1 ? argv[1] : "";
  int provided = 0;
  MPI_Init_thread(&argc, &argv, wanted_level(how), &provided);
  if (provided < wanted_level(how)) {
    std::puts("skipped: this MPI library does not give the thread level that is asked for");
    MPI_Finalize();
    return 77;
  }
  own_message message;
  std::string const wrong = how.empty() ? two_jobs() + two_runs() + jobs_of_parts() : job_that_calls_mpi(how);
  std::fputs(wrong.c_str(), stderr);
  bool const intact = message.came_intact();
  MPI_Finalize();
  return intact && wrong.empty() ? 0 : 1;
}
