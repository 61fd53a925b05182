// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
// The wire over an MPI library: the one file that sees <mpi.h>, compiled once per library into a module of its own. It
// uses the C interface of MPI-3 and nothing of libsheaf but headers.
#include <mpi.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
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
#include "sheaf/transport/ring_queue.hpp"
#include "transport/net/wire.hpp"

namespace {

using sheaf::net::completion;
using sheaf::net::direction;
using sheaf::net::thread_level;

constexpr int packet_tag = 1;

void say(std::string const& what, std::string_view why) noexcept {
  sheaf::detail::write_last_line("sheaf: " + what + " (" + sheaf::detail::this_process() + "): " + std::string(why));
}

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

/// How many jobs of the process have not ended; with any, it may not leave MPI in good order, nor hang in trying.
std::atomic<int> jobs_open{0};

/// As the variable of libsheaf says; a value that is not legal has been refused by then.
std::chrono::seconds finish_limit() {
  char const* const told = std::getenv("SHEAF_FINISH_LIMIT_S");
  return std::chrono::seconds(told != nullptr && *told != '\0' ? std::strtol(told, nullptr, 10) : 60);
}

/// Returns when all processes are here, however long others compute before. Where they are on several hosts: the
/// longest time between two looks of this one.
std::optional<std::chrono::nanoseconds> meet_at_exit() {
  std::array<char, MPI_MAX_PROCESSOR_NAME + 1> name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  std::uint64_t const host = std::hash<std::string_view>()(name.data());
  static std::array<std::uint64_t, 2> mine, least;  // MPI's, should it fail
  mine = least = {host, ~host};
  std::chrono::nanoseconds longest{0};
  MPI_Request request = MPI_REQUEST_NULL;
  int done = 0;
  if (MPI_Iallreduce(mine.data(), least.data(), 2, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD, &request) != MPI_SUCCESS)
    return {};
  auto looked = std::chrono::steady_clock::now();
  while (MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done == 0) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    auto const now = std::chrono::steady_clock::now();
    longest = std::max<std::chrono::nanoseconds>(longest, now - std::exchange(looked, now));
  }
  return done != 0 && least[0] != ~least[1] ? std::optional(longest) : std::nullopt;
}

/// MPICH 4.0 over UCX's TCP: closing a connection asks the other side for an answer, which is given by any MPI call. A
/// process that answers in such a call before its own MPI_Finalize lets the other go on to a barrier of the launcher,
/// where nobody will answer it. So between hosts all are silent for what should be longer than it takes the last to see
/// that all are here: that is a guess. Where it is too short the end is limited in time, as any.
void keep_silent([[maybe_unused]] std::chrono::nanoseconds longest_absence) {
#if defined(MPICH_VERSION)
  using namespace std::chrono_literals;
  std::this_thread::sleep_for(std::clamp<std::chrono::nanoseconds>(4 * longest_absence, 50ms, 2s));
#endif
}

pid_t started_by = 0;

/// Others may compute for long between a job and their end: that time is not limited. When all have come, it is. A
/// forked child ends as well, but MPI is its parent's.
void finalize_at_exit() {
  if (getpid() != started_by) return;
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized != 0 || jobs_open != 0) return;
  if (auto const absence = meet_at_exit()) keep_silent(*absence);
  std::optional<sheaf::detail::time_limit> limit;
  if (finish_limit().count() != 0) {
    limit.emplace(finish_limit(), []() noexcept {
      say("MPI_Finalize", "it has not returned for " + std::to_string(finish_limit().count()) +
                              " s (SHEAF_FINISH_LIMIT_S), although all processes have called it");
      std::_Exit(1);
    });
  }
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
  {
    sheaf::detail::time_limit const told(std::chrono::seconds(10), []() noexcept {
      say("MPI_Init_thread",
          "it has not returned for 10 s; a process of the job has not called it: it has ended, is "
          "stopped, or has another SHEAF_TRANSPORT");
    });
    check(MPI_Init_thread(nullptr, nullptr, level, &provided), "MPI_Init_thread");
  }
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

/// MPI_Finalize first deletes the attributes of MPI_COMM_SELF, the last one set first. (ARMCI sets its own after its
/// job has begun: so it ends that job before this looks.)
int no_job_outlives_mpi(MPI_Comm, int, void*, void*) noexcept {
  if (jobs_open != 0)
    end_job("MPI_Finalize",
            "a job of Sheaf has not ended; end it first: call end() of the sheaf::job, dmcs_shutdown, "
            "adlib_finalize or shmem_finalize");
  return MPI_SUCCESS;
}

void watch_the_end() {
  static int key = MPI_KEYVAL_INVALID;
  if (key != MPI_KEYVAL_INVALID) return;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, no_job_outlives_mpi, &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
}

MPI_Comm copy_of(MPI_Comm whole) {
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Comm_idup(whole, &copy, &request), "MPI_Comm_idup");
  wait_for(request);
  MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
  return copy;
}

/// What is under way in one direction, by slot.
class requests {
 public:
  explicit requests(direction which) noexcept : which_(which) {}

  /// For a call that begins one.
  MPI_Request* at(std::uint32_t slot) {
    if (slot >= all_.size()) {
      all_.resize(slot + 1, MPI_REQUEST_NULL);
      number_.resize(slot + 1);
    }
    return &all_[slot];
  }
  void begun(std::uint32_t slot) {
    number_[slot] = ++count_;
    order_.push({slot, count_});
  }

  /// Looks at the oldest, which most often ends first; from time to time at one of the others, for a receive that is
  /// matched first may end later; and at all of them for a while after one has overtaken another.
  std::size_t poll(std::span<completion> done) {
    constexpr std::uint32_t other_every = 16;
    constexpr std::uint32_t wide_for = 16;
    constexpr std::size_t most_overtaken = 64;
    if (order_.empty() || done.empty()) return 0;
    bool const wide = wide_ != 0;
    std::size_t found = 0;
    if (wide) {
      --wide_;
      found = test_some(done);
    } else {
      bool const other = ++polls_ % other_every == 0;
      found = test_one(other ? polls_ / other_every % all_.size() : order_.front().slot, done[0]);
    }
    for (completion const& c : done.first(found)) number_[c.slot] = 0;
    overtaken_ += found;
    for (; !order_.empty() && number_[order_.front().slot] != order_.front().number; order_.drop()) --overtaken_;
    if (found != 0 && overtaken_ != 0) wide_ = wide ? wide_for : 1;  // after one look, older ones may have ended too
    if (overtaken_ > most_overtaken && overtaken_ > order_.size() / 2) [[unlikely]]
      forget_overtaken();
    return found;
  }

  void cancel() noexcept {
    for (MPI_Request& r : all_) {
      if (r == MPI_REQUEST_NULL) continue;
      MPI_Cancel(&r);
      MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
  }

 private:
  [[nodiscard]] completion describe(std::size_t slot, MPI_Status const& status) const noexcept {
    completion c{which_, static_cast<std::uint32_t>(slot), 0, 0};
    if (which_ == direction::send) return c;
    int bytes = 0;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    c.source = static_cast<std::uint32_t>(status.MPI_SOURCE);
    c.bytes = static_cast<std::size_t>(bytes);
    return c;
  }

  /// Behind a request that ends late, such as one to a process that computes for an hour.
  void forget_overtaken() {
    for (std::size_t left = order_.size(); left != 0; --left) {
      beginning const b = order_.pop();
      if (number_[b.slot] == b.number) order_.push(b);
    }
    overtaken_ = 0;
  }

  std::size_t test_one(std::size_t slot, completion& done) {
    if (all_[slot] == MPI_REQUEST_NULL) return 0;
    int flag = 0;
    MPI_Status status;
    check(MPI_Test(&all_[slot], &flag, &status), "MPI_Test");
    if (flag == 0) return 0;
    done = describe(slot, status);
    return 1;
  }

  /// As many as there is room for, and the next ones at the next look.
  std::size_t test_some(std::span<completion> done) {
    std::size_t const first = next_ < all_.size() ? next_ : 0;
    std::size_t const looked_at = std::min(all_.size() - first, done.size());
    next_ = first + looked_at;
    indices_.resize(std::max(indices_.size(), looked_at));
    statuses_.resize(indices_.size());
    int found = 0;
    check(MPI_Testsome(static_cast<int>(looked_at), all_.data() + first, &found, indices_.data(), statuses_.data()),
          "MPI_Testsome");
    if (found == MPI_UNDEFINED) return 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(found); ++i) {
      done[i] = describe(first + static_cast<std::size_t>(indices_[i]), statuses_[i]);
    }
    return static_cast<std::size_t>(found);
  }

  struct beginning {
    std::uint32_t slot = 0;
    std::uint64_t number = 0;
  };
  direction const which_;
  std::vector<MPI_Request> all_;
  std::vector<std::uint64_t> number_;           ///< by slot: which of all begun is there; 0: none
  sheaf::detail::ring_queue<beginning> order_;  ///< the oldest first; its front has not ended
  std::uint64_t count_ = 0;                     ///< begun so far
  std::size_t overtaken_ = 0;                   ///< ended ones in order_
  std::uint32_t polls_ = 0;
  std::uint32_t wide_ = 0;  ///< polls that still look at all
  std::size_t next_ = 0;
  std::vector<int> indices_;
  std::vector<MPI_Status> statuses_;
};

/// Packets are messages of one tag on a communicator of its own. MPI takes whatever it is given.
class mpi_wire final : public sheaf::net::wire {
 public:
  explicit mpi_wire(MPI_Comm all) : comm_(copy_of(all)) {}

  sheaf::host_memory& memory() noexcept override { return memory_; }

  sent start_send(std::uint32_t slot, std::uint32_t dest, std::span<std::byte const> packet) override {
    constexpr std::size_t surely_eager = 256;
    MPI_Request* const r = sends_.at(slot);
    check(MPI_Isend(packet.data(), static_cast<int>(packet.size()), MPI_BYTE, static_cast<int>(dest), packet_tag, comm_,
                    r),
          "MPI_Isend");
    int ended = 0;
    if (packet.size() <= surely_eager) check(MPI_Test(r, &ended, MPI_STATUS_IGNORE), "MPI_Test");
    if (ended != 0) return sent::ended;
    sends_.begun(slot);
    return sent::under_way;
  }

  bool start_receive(std::uint32_t slot, std::span<std::byte> room) override {
    check(MPI_Irecv(room.data(), static_cast<int>(room.size()), MPI_BYTE, MPI_ANY_SOURCE, packet_tag, comm_,
                    receives_.at(slot)),
          "MPI_Irecv");
    receives_.begun(slot);
    return true;
  }

  std::size_t poll(std::span<completion> done) override {
    std::size_t const received = receives_.poll(done);
    return received + sends_.poll(done.subspan(received));
  }

  void withdraw_receives() noexcept override { receives_.cancel(); }

  void close() noexcept override {
    MPI_Comm_free(&comm_);
    delete this;
  }

 private:
  MPI_Comm comm_;
  sheaf::heap_memory memory_;
  requests sends_{direction::send};
  requests receives_{direction::receive};
};

class mpi_bootstrap final : public sheaf::net::bootstrap {
 public:
  explicit mpi_bootstrap(MPI_Comm of) : comm_(copy_of(of)) {
    watch_the_end();
    ++jobs_open;
    int value = 0;
    MPI_Comm_rank(comm_, &value);
    rank_ = static_cast<std::uint32_t>(value);
    MPI_Comm_size(comm_, &value);
    size_ = static_cast<std::uint32_t>(value);
  }

  thread_level level() const noexcept override { return level_; }
  std::uint32_t rank() const noexcept override { return rank_; }
  std::uint32_t size() const noexcept override { return size_; }

  void exchange(std::span<std::byte const> mine, std::span<std::byte> all) override {
    auto const bytes = static_cast<int>(mine.size());
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Iallgather(mine.data(), bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, comm_, &request), "MPI_Iallgather");
    wait_for(request);
  }

  [[nodiscard]] MPI_Comm processes() const noexcept { return comm_; }

  std::optional<std::int64_t> sum(std::int64_t mine) override {
    if (summing_ == MPI_REQUEST_NULL) {
      mine_ = mine;
      check(MPI_Iallreduce(&mine_, &sum_, 1, MPI_INT64_T, MPI_SUM, comm_, &summing_), "MPI_Iallreduce");
    }
    int flag = 0;
    check(MPI_Test(&summing_, &flag, MPI_STATUS_IGNORE), "MPI_Test");
    return flag != 0 ? std::optional(sum_) : std::nullopt;
  }

  void abort(std::uint32_t location, std::string_view reason) noexcept override {
    end_job("location " + std::to_string(location) + " ends the job", reason);
  }

  void close() noexcept override {
    MPI_Comm_free(&comm_);
    --jobs_open;
    delete this;
  }

 private:
  MPI_Comm comm_;
  std::uint32_t rank_ = 0;
  std::uint32_t size_ = 0;
  thread_level const level_ = provided_level();
  MPI_Request summing_ = MPI_REQUEST_NULL;
  std::int64_t mine_ = 0;
  std::int64_t sum_ = 0;
};

/// Why there can be no job of the program's communicator (null: of all processes); null: there can.
char const* refusal(MPI_Comm const* of) {
  int yes = 0;
  MPI_Finalized(&yes);
  if (yes != 0) return "the program has ended MPI already (MPI_Finalize)";
  if (of == nullptr) return nullptr;
  MPI_Initialized(&yes);
  if (yes == 0) return "a communicator was given before MPI was started; call MPI_Init_thread first";
  if (*of == MPI_COMM_NULL) return "the communicator is MPI_COMM_NULL; processes outside of it begin no job";
  MPI_Comm_test_inter(*of, &yes);
  return yes != 0 ? "the communicator is between two groups; make one of them with MPI_Intercomm_merge" : nullptr;
}

}  // namespace

#define SHEAF_WIRE_EXPORT extern "C" __attribute__((visibility("default")))

SHEAF_WIRE_EXPORT sheaf::net::bootstrap* sheaf_open_bootstrap(int version, thread_level asked, void const* communicator,
                                                              std::span<char> problem) {
  if (version != sheaf::net::wire_version) return nullptr;
  auto const* const of = static_cast<MPI_Comm const*>(communicator);
  if (char const* const why = refusal(of)) {
    std::snprintf(problem.data(), problem.size(), "%s", why);
    return nullptr;
  }
  start_mpi(asked);
  return new mpi_bootstrap(of != nullptr ? *of : MPI_COMM_WORLD);
}

SHEAF_WIRE_EXPORT sheaf::net::wire* sheaf_open_wire(int version, sheaf::net::bootstrap& job, std::span<char> problem) {
  if (version != sheaf::net::wire_version) return nullptr;
  if (auto const* const own = dynamic_cast<mpi_bootstrap*>(&job)) return new mpi_wire(own->processes());
  std::snprintf(problem.data(), problem.size(), "its MPI library is not the one that started the processes");
  return nullptr;
}
