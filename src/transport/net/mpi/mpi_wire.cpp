// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
// The wire over an MPI library: the one file that sees <mpi.h>, compiled once per library into a module of its own. It
// uses the C interface of MPI-3 and nothing of libsheaf but headers.
#include <mpi.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/stderr_pipe.hpp"
#include "base/time_limit.hpp"
#include "transport/net/wire.hpp"

namespace {

using sheaf::net::completion;
using sheaf::net::direction;
using sheaf::net::thread_level;

constexpr int packet_tag = 1;

void say(std::string const& what, std::string_view why) noexcept {
  sheaf::detail::write_last_line("sheaf: " + what + " (" + sheaf::detail::this_process() + "): " + std::string(why));
}

/// Ends the job after such a line.
[[noreturn]] void end_job(std::string const& what, std::string_view why) noexcept {
  say(what, why);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::_Exit(1);
}

/// Ends the job if an MPI call has failed; MPI gives no way on from there.
void check(int code, char const* call) noexcept {
  if (code == MPI_SUCCESS) [[likely]]
    return;
  std::array<char, MPI_MAX_ERROR_STRING + 1> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  end_job(std::string(call) + " failed", text.data());
}

/// Waits with a yield between two looks: MPI's own waits keep the core from whom they wait for.
void wait_for(MPI_Request& request) {
  for (int flag = 0; flag == 0;) {
    check(MPI_Test(&request, &flag, MPI_STATUS_IGNORE), "MPI_Test");
    if (flag == 0) sched_yield();
  }
}

/// Whether one of our wires is open; then the process may not leave MPI in good order, and must not hang in trying.
bool is_open = false;

/// As the variable of libsheaf says; a value that is not legal has been refused by then.
std::chrono::seconds finish_limit() {
  char const* const told = std::getenv("SHEAF_FINISH_LIMIT");
  return std::chrono::seconds(told != nullptr && *told != '\0' ? std::strtol(told, nullptr, 10) : 60);
}

void say_finalize_hangs() noexcept {
  say("MPI_Finalize", "it has not returned for " + std::to_string(finish_limit().count()) +
                          " s (SHEAF_FINISH_LIMIT), although all processes have called it");
  std::_Exit(1);
}

/// How all processes came together: what the silence after it depends on.
struct last_meeting {
  bool between_hosts = false;
  std::chrono::nanoseconds longest_absence{0};  ///< of this process, between two looks
};

/// Returns when all processes are here, however long others compute before.
last_meeting meet_at_exit() {
  std::array<char, MPI_MAX_PROCESSOR_NAME + 1> name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  std::uint64_t const host = std::hash<std::string_view>()(name.data());
  static std::array<std::uint64_t, 2> mine, least;  // MPI's, should it fail
  mine = least = {host, ~host};
  constexpr timespec pause{0, 200'000};
  last_meeting met;
  MPI_Request request = MPI_REQUEST_NULL;
  int done = 0;
  if (MPI_Iallreduce(mine.data(), least.data(), 2, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD, &request) != MPI_SUCCESS)
    return met;
  auto looked = std::chrono::steady_clock::now();
  while (MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done == 0) {
    nanosleep(&pause, nullptr);
    auto const now = std::chrono::steady_clock::now();
    met.longest_absence = std::max<std::chrono::nanoseconds>(met.longest_absence, now - std::exchange(looked, now));
  }
  met.between_hosts = done != 0 && least[0] != ~least[1];
  return met;
}

/// MPICH 4.0 over UCX's TCP: closing a connection asks the other side for an answer, which is given by any MPI call. A
/// process that answers in such a call before its own MPI_Finalize lets the other go on to a barrier of the launcher,
/// where nobody will answer it. So between hosts all are silent for what should be longer than it takes the last to see
/// that all are here: that is a guess. Where it is too short the end is limited in time, as any.
void keep_silent([[maybe_unused]] last_meeting const& met) {
#if defined(MPICH_VERSION)
  using namespace std::chrono_literals;
  std::chrono::nanoseconds const silence = std::clamp<std::chrono::nanoseconds>(4 * met.longest_absence, 50ms, 2s);
  std::this_thread::sleep_for(silence);
#endif
}

pid_t started_by = 0;

/// Others may compute for long between a job and their end: that time is not limited. When all have come, it is. A
/// forked child ends as well, but MPI is its parent's.
void finalize_at_exit() {
  if (getpid() != started_by) return;
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized != 0 || is_open) return;
  last_meeting const met = meet_at_exit();
  if (met.between_hosts) keep_silent(met);
  if (finish_limit().count() == 0) {
    MPI_Finalize();
    return;
  }
  sheaf::detail::time_limit const limit(finish_limit(), say_finalize_hangs);
  MPI_Finalize();
}

/// Starts MPI unless the program has done so; then ending it is the program's too. Where one thread of the process
/// calls MPI, whatever other threads it has, MPI_THREAD_SINGLE will do; asking for more makes Open MPI take locks in
/// every call (70 ns of a round trip of 570). A program that wants more starts MPI itself.
void start_mpi(thread_level asked) {
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (initialized != 0) return;
  // Threads that take turns yield by themselves; a call that yields would keep MPI from the one that runs meanwhile.
  if (asked != thread_level::single) setenv("OMPI_MCA_mpi_yield_when_idle", "0", 1);
  int provided = 0;
  int const level = asked == thread_level::single ? MPI_THREAD_SINGLE : MPI_THREAD_SERIALIZED;
  check(MPI_Init_thread(nullptr, nullptr, level, &provided), "MPI_Init_thread");
  started_by = getpid();
  std::atexit(finalize_at_exit);
}

/// What MPI gives the thread that opens a wire.
thread_level provided_level() {
  int provided = 0;
  MPI_Query_thread(&provided);
  if (provided >= MPI_THREAD_SERIALIZED) return thread_level::one_at_a_time;
  int is_main = 0;
  MPI_Is_thread_main(&is_main);
  return provided == MPI_THREAD_FUNNELED && is_main != 0 ? thread_level::first_only : thread_level::single;
}

/// Open MPI yields in each call that makes no progress where its launcher knows that there are more ranks than cores,
/// or where it is told to.
bool yields_when_idle() noexcept {
  char const* const told = std::getenv("OMPI_MCA_mpi_yield_when_idle");
  char const* const crowded = std::getenv("OMPI_MCA_mpi_oversubscribe");
  char const* const value = told != nullptr ? told : crowded;
  return value != nullptr && std::string_view(value) == "1";
}

class mpi_wire final : public sheaf::net::wire {
 public:
  mpi_wire() {
    is_open = true;
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Comm_idup(MPI_COMM_WORLD, &comm_, &request), "MPI_Comm_idup");
    wait_for(request);
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    int value = 0;
    MPI_Comm_rank(comm_, &value);
    rank_ = static_cast<std::uint32_t>(value);
    MPI_Comm_size(comm_, &value);
    size_ = static_cast<std::uint32_t>(value);
  }

  thread_level level() const noexcept override { return level_; }
  std::uint32_t rank() const noexcept override { return rank_; }
  std::uint32_t size() const noexcept override { return size_; }
  bool yields() const noexcept override { return yields_; }

  bool start_send(std::uint32_t slot, std::uint32_t dest, std::span<std::byte const> packet) override {
    constexpr std::size_t surely_eager = 256;
    MPI_Request& r = request(direction::send, slot);
    check(MPI_Isend(packet.data(), static_cast<int>(packet.size()), MPI_BYTE, static_cast<int>(dest), packet_tag, comm_,
                    &r),
          "MPI_Isend");
    if (packet.size() > surely_eager) return false;
    int flag = 0;
    check(MPI_Test(&r, &flag, MPI_STATUS_IGNORE), "MPI_Test");
    return flag != 0;
  }

  void start_receive(std::uint32_t slot, std::span<std::byte> room) override {
    check(MPI_Irecv(room.data(), static_cast<int>(room.size()), MPI_BYTE, MPI_ANY_SOURCE, packet_tag, comm_,
                    &request(direction::receive, slot)),
          "MPI_Irecv");
  }

  std::size_t test(direction which, std::uint32_t first, std::uint32_t count, std::span<completion> done) override {
    return count == 1 ? test_one(which, first, done) : test_some(which, first, count, done);
  }

  void exchange(std::span<std::byte const> mine, std::span<std::byte> all) override {
    auto const bytes = static_cast<int>(mine.size());
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Iallgather(mine.data(), bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, comm_, &request), "MPI_Iallgather");
    wait_for(request);
  }

  bool all_arrived() override {
    if (barrier_ == MPI_REQUEST_NULL) check(MPI_Ibarrier(comm_, &barrier_), "MPI_Ibarrier");
    int flag = 0;
    check(MPI_Test(&barrier_, &flag, MPI_STATUS_IGNORE), "MPI_Test");
    return flag != 0;
  }

  void abort(std::uint32_t location, std::string_view reason) noexcept override {
    end_job("location " + std::to_string(location) + " ends the job", reason);
  }

  void withdraw_receives() noexcept override {
    for (MPI_Request& r : requests(direction::receive)) {
      if (r == MPI_REQUEST_NULL) continue;
      MPI_Cancel(&r);
      MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
  }

  void close() noexcept override {
    MPI_Comm_free(&comm_);
    is_open = false;
    delete this;
  }

 private:
  std::vector<MPI_Request>& requests(direction which) noexcept { return requests_[static_cast<std::size_t>(which)]; }

  MPI_Request& request(direction which, std::uint32_t slot) {
    std::vector<MPI_Request>& all = requests(which);
    if (slot >= all.size()) all.resize(slot + 1, MPI_REQUEST_NULL);
    return all[slot];
  }

  static completion describe(std::uint32_t slot, MPI_Status const& status) noexcept {
    int bytes = 0;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    return {slot, static_cast<std::uint32_t>(status.MPI_SOURCE), static_cast<std::size_t>(bytes)};
  }

  std::size_t test_one(direction which, std::uint32_t slot, std::span<completion> done) {
    MPI_Request& r = request(which, slot);
    if (r == MPI_REQUEST_NULL) return 0;
    int flag = 0;
    MPI_Status status;
    check(MPI_Test(&r, &flag, &status), "MPI_Test");
    if (flag == 0) return 0;
    done[0] = which == direction::receive ? describe(slot, status) : completion{slot, 0, 0};
    return 1;
  }

  std::size_t test_some(direction which, std::uint32_t first, std::uint32_t count, std::span<completion> done) {
    std::vector<MPI_Request>& all = requests(which);
    if (first >= all.size()) return 0;
    std::size_t const looked_at = std::min({std::size_t{count}, all.size() - first, done.size()});
    if (indices_.size() < looked_at) {
      indices_.resize(looked_at);
      statuses_.resize(looked_at);
    }
    int found = 0;
    MPI_Status* const statuses = which == direction::receive ? statuses_.data() : MPI_STATUSES_IGNORE;
    check(MPI_Testsome(static_cast<int>(looked_at), all.data() + first, &found, indices_.data(), statuses),
          "MPI_Testsome");
    if (found == MPI_UNDEFINED) return 0;
    for (int i = 0; i < found; ++i) {
      auto const at = static_cast<std::size_t>(i);
      auto const slot = first + static_cast<std::uint32_t>(indices_[at]);
      done[at] = which == direction::receive ? describe(slot, statuses_[at]) : completion{slot, 0, 0};
    }
    return static_cast<std::size_t>(found);
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  std::uint32_t rank_ = 0;
  std::uint32_t size_ = 0;
  bool const yields_ = yields_when_idle();
  thread_level const level_ = provided_level();
  std::vector<MPI_Request> requests_[2];
  MPI_Request barrier_ = MPI_REQUEST_NULL;
  std::vector<int> indices_;
  std::vector<MPI_Status> statuses_;
};

}  // namespace

extern "C" __attribute__((visibility("default"))) sheaf::net::wire* sheaf_open_wire(int version, thread_level asked,
                                                                                    std::span<char> problem) {
  if (version != sheaf::net::wire_version) {
    std::snprintf(problem.data(), problem.size(), "it speaks version %d of the wire, libsheaf version %d",
                  sheaf::net::wire_version, version);
    return nullptr;
  }
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized != 0) {
    std::snprintf(problem.data(), problem.size(), "the program has ended MPI already (MPI_Finalize)");
    return nullptr;
  }
  start_mpi(asked);
  return new mpi_wire;
}
