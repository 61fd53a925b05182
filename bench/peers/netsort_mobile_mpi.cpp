// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of netsort/mobile: the same by hand over MPI, one message per move, request and reply. A request goes to the
/// home of a place, which knows where it is, and from there on to it; the reply goes straight to who asked, who stays
/// until then. A place that leaves tells its home where it goes, so what comes there before it waits. Receives are
/// posted ahead, and messages have few bytes; nothing is gathered.
#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <vector>

#include "harness/netsort.h"
#include "peers/mpi_rank.hpp"

namespace {

using namespace sheaf_bench;

enum class kind : std::uint32_t { move, place_is_at, compare, reply, finished, stop };

/// The integer of a lower place, perhaps before its step, and who waits for the lesser.
struct early {
  std::uint32_t step;
  std::int32_t value;
  std::uint32_t from;
};

struct message {
  static constexpr std::uint32_t most_early = 60;

  kind what = kind::stop;
  std::uint32_t run = 0;  // late ones of an earlier run are of no use
  std::uint32_t place = 0;
  std::uint32_t version = 0;  // of where the place is: how often it has moved
  std::uint32_t step = 0;
  std::int32_t value = 0;
  std::uint32_t from = 0;  // who asked; where the place is
  std::uint32_t early_count = 0;
  std::array<early, most_early> come;

  message() = default;
  message(message const& m) { *this = m; }
  message& operator=(message const& m) {  // not what is not used
    std::memcpy(static_cast<void*>(this), &m, static_cast<std::size_t>(m.bytes()));
    return *this;
  }
  [[nodiscard]] int bytes() const {
    return static_cast<int>(sizeof *this - (most_early - early_count) * sizeof(early));
  }
};

/// Messages of any process, in order, and to any, one at a time.
class wire {
 public:
  explicit wire(mpi_rank const& mpi) : me_(static_cast<std::uint32_t>(mpi.rank())) {
    sends_.fill(MPI_REQUEST_NULL);
    for (std::size_t i = 0; i < depth; ++i) post(i);
  }
  ~wire() {
    MPI_Waitall(depth, sends_.data(), MPI_STATUSES_IGNORE);
    mpi_rank::barrier();
    for (MPI_Request& r : receives_) {
      MPI_Cancel(&r);
      MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
  }
  wire(wire const&) = delete;
  wire& operator=(wire const&) = delete;

  void send(std::uint32_t to, message const& m) {
    if (to == me_) return own_.push_back(m);
    for (int done = 0; done == 0;) {  // the oldest; meanwhile the others must get theirs away
      MPI_Test(&sends_[next_send_], &done, MPI_STATUS_IGNORE);
      if (done == 0) receive([&](message const& other) { own_.push_back(other); });
    }
    out_[next_send_] = m;
    MPI_Isend(&out_[next_send_], m.bytes(), MPI_BYTE, static_cast<int>(to), 0, MPI_COMM_WORLD, &sends_[next_send_]);
    next_send_ = (next_send_ + 1) % depth;
  }

  /// Handles one message, if there is any.
  template <class F>
  void poll(F const& handle) {
    if (own_.empty()) return receive(handle);
    message const m = own_.front();
    own_.pop_front();
    handle(m);
  }

 private:
  static constexpr std::size_t depth = 256;

  void post(std::size_t i) {
    MPI_Irecv(&in_[i], sizeof(message), MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &receives_[i]);
  }
  /// Messages go to receives in the order in which these were posted: so one is posted again before anything else.
  template <class F>
  void receive(F const& handle) {
    int done = 0;
    MPI_Test(&receives_[next_receive_], &done, MPI_STATUS_IGNORE);
    if (done == 0) return;
    message const m = in_[next_receive_];
    post(next_receive_);
    next_receive_ = (next_receive_ + 1) % depth;
    handle(m);
  }

  std::uint32_t const me_;
  std::array<message, depth> in_{}, out_{};
  std::array<MPI_Request, depth> receives_{}, sends_{};
  std::size_t next_receive_ = 0, next_send_ = 0;
  std::deque<message> own_;
};

struct place {
  bool is_here = false;
  std::uint32_t version = 0;  // as of so many moves it came, or left
  std::uint32_t step = 0;
  std::int32_t value = 0;
  std::vector<early> come;
  std::vector<message> waiting;  // for the place, which is on its way to here
};

/// What a home knows.
struct directory_entry {
  std::uint32_t at = 0, version = 0;
};

class sorter {
 public:
  sorter(mpi_rank const& mpi, netsort_network network, std::uint32_t size)
      : me_(static_cast<std::uint32_t>(mpi.rank())),
        members_(static_cast<std::uint32_t>(mpi.size())),
        network_(network),
        size_(size),
        steps_(netsort_steps(network, size)),
        wire_(mpi) {}

  void scatter(std::uint64_t seed) {
    ++run_;
    seed_ = seed;
    finished_ = 0;
    is_over_ = size_ == 0;
    places_.assign(size_, {});
    directory_.assign(size_, {});
    for (std::uint32_t n = 0; n < size_; ++n) {
      std::uint32_t const at = netsort_member(seed, n, -1, members_);
      if (home_of(n) == me_) directory_[n].at = at;
      places_[n].is_here = at == me_;
      if (at == me_) places_[n].value = netsort_value(seed, n);
    }
  }
  void run() {
    for (std::uint32_t n = 0; n < size_; ++n) {
      if (places_[n].is_here && places_[n].step == 0) go_on(n);
    }
    while (!is_over_) wire_.poll([&](message const& m) { handle(m); });
  }
  /// Of the places that are here; 0 elsewhere.
  [[nodiscard]] std::vector<std::int32_t> values() const {
    std::vector<std::int32_t> all(size_);
    for (std::uint32_t n = 0; n < size_; ++n) all[n] = places_[n].is_here ? places_[n].value : 0;
    return all;
  }

 private:
  [[nodiscard]] std::uint32_t home_of(std::uint32_t n) const { return netsort_owner(size_, n, members_); }
  [[nodiscard]] message about(kind what, std::uint32_t n) const {
    message m;
    m.what = what;
    m.run = run_;
    m.place = n;
    m.from = me_;
    return m;
  }

  void handle(message const& m) {
    if (m.run != run_) return;
    switch (m.what) {
      case kind::move:
        return arrive(m);
      case kind::place_is_at:
        return is_at(m.place, m.from, m.version);
      case kind::compare:
        return deliver(m);
      case kind::reply:
        places_[m.place].value = m.value;
        return finish_step(m.place);
      case kind::finished:
        if (++finished_ == size_) {
          for (std::uint32_t r = 0; r < members_; ++r) wire_.send(r, about(kind::stop, 0));
        }
        return;
      case kind::stop:
        is_over_ = true;
    }
  }

  void is_at(std::uint32_t n, std::uint32_t where, std::uint32_t version) {
    if (version >= directory_[n].version) directory_[n] = {where, version};
  }

  void deliver(message m) {
    place& p = places_[m.place];
    if (p.is_here) {
      p.come.push_back({m.step, m.value, m.from});
      if (p.step == m.step) go_on(m.place);
      return;
    }
    if (home_of(m.place) == me_) {
      m.version = directory_[m.place].version;
      if (directory_[m.place].at != me_) return wire_.send(directory_[m.place].at, m);
    } else if (p.version > m.version) {  // it has been here
      return wire_.send(home_of(m.place), m);
    }
    p.waiting.push_back(m);
  }

  void go_on(std::uint32_t n) {
    place& p = places_[n];
    while (p.step < steps_ && netsort_partner(network_, size_, p.step, n) == n) ++p.step;
    if (p.step == steps_) return wire_.send(0, about(kind::finished, n));
    std::uint32_t const other = netsort_partner(network_, size_, p.step, n);
    if (other > n) return ask(other, p);
    auto const now = std::find_if(p.come.begin(), p.come.end(), [&](early const& e) { return e.step == p.step; });
    if (now == p.come.end()) return;
    message m = about(kind::reply, other);
    m.value = std::min(now->value, p.value);
    p.value = std::max(now->value, p.value);
    std::uint32_t const to = now->from;
    p.come.erase(now);
    wire_.send(to, m);
    finish_step(n);
  }
  void ask(std::uint32_t other, place const& p) {
    message m = about(kind::compare, other);
    m.step = p.step;
    m.value = p.value;
    if (places_[other].is_here) return deliver(m);
    wire_.send(home_of(other), m);
  }

  void finish_step(std::uint32_t n) {
    std::uint32_t const to = netsort_member(seed_, n, places_[n].step++, members_);
    if (to == me_) return go_on(n);
    place& p = places_[n];
    message m = about(kind::move, n);
    m.version = ++p.version;
    m.step = p.step;
    m.value = p.value;
    if (p.come.size() > message::most_early) fail("more integers are early than a message holds");
    m.early_count = static_cast<std::uint32_t>(p.come.size());
    std::copy(p.come.begin(), p.come.end(), m.come.begin());
    p.come.clear();
    p.is_here = false;
    wire_.send(to, m);
    if (home_of(n) == me_) return is_at(n, to, p.version);
    if (home_of(n) == to) return;  // which sees it come
    message told = about(kind::place_is_at, n);
    told.from = to;
    told.version = p.version;
    wire_.send(home_of(n), told);
  }

  void arrive(message const& m) {
    place& p = places_[m.place];
    p.is_here = true;
    p.version = m.version;
    p.step = m.step;
    p.value = m.value;
    p.come.assign(m.come.begin(), m.come.begin() + m.early_count);
    if (home_of(m.place) == me_) is_at(m.place, me_, m.version);
    for (message const& w : p.waiting) p.come.push_back({w.step, w.value, w.from});
    p.waiting.clear();
    go_on(m.place);
  }

  std::uint32_t const me_, members_;
  netsort_network const network_;
  std::uint32_t const size_, steps_;
  std::uint64_t seed_ = 0;
  std::uint32_t run_ = 0, finished_ = 0;
  bool is_over_ = false;
  std::vector<place> places_;
  std::vector<directory_entry> directory_;
  wire wire_;
};

double sort_once(mpi_rank const& mpi, sorter& all, std::uint64_t seed, std::uint32_t size) {
  all.scatter(seed);
  mpi_rank::barrier();
  std::int64_t const start = now_ns();
  all.run();
  double const ms = static_cast<double>(now_ns() - start) * 1e-6;
  mpi_rank::barrier();
  auto const own = all.values();
  std::vector<std::int32_t> values(size);
  MPI_Reduce(own.data(), values.data(), static_cast<int>(size), MPI_INT32_T, MPI_SUM, 0, MPI_COMM_WORLD);
  if (mpi.rank() == 0) check(netsort_is_right(values.data(), size, seed) != 0, "not sorted");
  return ms;
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  auto const size = static_cast<std::uint32_t>(args.number("--size", 1000));
  auto const network = args.text("--network", "transposition") == "batcher" ? netsort_batcher : netsort_transposition;
  mpi_rank const mpi(argc, argv);
  sorter all(mpi, network, size);
  auto const samples =
      sample(1, args.reps(5), [&](int rep) { return sort_once(mpi, all, static_cast<std::uint64_t>(rep) + 1, size); });
  if (mpi.rank() == 0) {
    print_result("ms", samples, ", \"comparisons\": " + std::to_string(netsort_comparisons(network, size)));
  }
}
