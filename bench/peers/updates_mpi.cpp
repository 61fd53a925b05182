// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of async.mpi: random 8-byte updates, aggregated by hand over Isend. Every destination has a few buffers
/// that rotate through Isend; every source has as many receives posted ahead. A rank that finds no free buffer
/// receives. The last buffer of a repetition to each destination carries the tag `last`.
#include <array>

#include "harness/updates.hpp"
#include "peers/mpi_rank.hpp"
#include "peers/updates_apply.hpp"

namespace {

using namespace sheaf_bench;

constexpr std::size_t depth = 4;
enum tag : int { more = 1, last = 2 };

/// The buffers of one direction between two ranks, used in turn. Equal source and communicator keep their order.
struct channel {
  explicit channel(std::size_t capacity) {
    for (auto& b : buffers) b.resize(capacity);
    requests.fill(MPI_REQUEST_NULL);
  }
  std::array<std::vector<std::uint64_t>, depth> buffers;
  std::array<MPI_Request, depth> requests;
  std::size_t turn = 0;
};

class aggregator {
 public:
  aggregator(mpi_rank const& mpi, words& block, std::size_t capacity)
      : block_(block),
        me_(static_cast<std::size_t>(mpi.rank())),
        capacity_(capacity),
        filled_(static_cast<std::size_t>(mpi.size())) {
    for (int r = 0; r < mpi.size(); ++r) {
      out_.emplace_back(capacity);
      in_.emplace_back(capacity);
      cursor_.push_back(out_.back().buffers[0].data());
    }
    for (std::size_t k = 0; k < depth; ++k) {
      for (std::size_t s = 0; s < in_.size(); ++s) post_receive(s, k);
    }
  }

  void issue(splitmix64 next, std::int64_t updates) {
    std::size_t const count = out_.size();
    running_ = count - 1;
    for (std::int64_t i = 0; i < updates; ++i) {
      std::uint64_t const update = next();
      std::uint64_t const to = owner_of(update, count);
      *cursor_[to]++ = update;
      if (++filled_[to] == capacity_) flush(to, more);
    }
    for (std::size_t d = 0; d < count; ++d) flush(d, last);
    while (running_ > 0) receive();
  }

  /// Takes back the receives that are still posted; collective.
  void close() {
    for (channel& c : out_) MPI_Waitall(depth, c.requests.data(), MPI_STATUSES_IGNORE);
    mpi_rank::barrier();
    for (channel& c : in_) {
      for (MPI_Request& r : c.requests) cancel(r);
    }
  }

 private:
  void post_receive(std::size_t source, std::size_t k) {
    if (source == me_) return;
    MPI_Irecv(in_[source].buffers[k].data(), static_cast<int>(capacity_), MPI_UINT64_T, static_cast<int>(source),
              MPI_ANY_TAG, MPI_COMM_WORLD, &in_[source].requests[k]);
  }

  static void cancel(MPI_Request& request) {
    if (request == MPI_REQUEST_NULL) return;
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }

  void flush(std::size_t d, tag mark) {
    channel& c = out_[d];
    std::uint64_t* const begin = c.buffers[c.turn].data();
    if (d == me_) {
      apply_all(block_, begin, filled_[d]);
    } else {
      MPI_Isend(begin, static_cast<int>(filled_[d]), MPI_UINT64_T, static_cast<int>(d), mark, MPI_COMM_WORLD,
                &c.requests[c.turn]);
      c.turn = (c.turn + 1) % depth;
      receive();
      while (!tested(c.requests[c.turn], MPI_STATUS_IGNORE)) receive();
    }
    filled_[d] = 0;
    cursor_[d] = c.buffers[c.turn].data();
  }

  static bool tested(MPI_Request& request, MPI_Status* status) {
    int done = 0;
    MPI_Test(&request, &done, status);
    return done != 0;
  }

  void receive() {
    for (std::size_t s = 0; s < in_.size(); ++s) {
      while (s != me_ && receive_one(s)) {
      }
    }
  }

  bool receive_one(std::size_t source) {
    channel& c = in_[source];
    MPI_Status status;
    if (!tested(c.requests[c.turn], &status)) return false;
    int count = 0;
    MPI_Get_count(&status, MPI_UINT64_T, &count);
    apply_all(block_, c.buffers[c.turn].data(), static_cast<std::size_t>(count));
    if (status.MPI_TAG == last) --running_;
    post_receive(source, c.turn);
    c.turn = (c.turn + 1) % depth;
    return true;
  }

  words& block_;
  std::size_t const me_, capacity_;
  std::size_t running_ = 0;
  std::vector<std::size_t> filled_;
  std::vector<std::uint64_t*> cursor_;
  std::vector<channel> out_, in_;
};

}  // namespace

namespace {

/// The rates of one capacity of the buffers. Leaves the block as it was.
std::vector<double> measure(mpi_rank const& mpi, words& block, std::size_t capacity, arguments const& args) {
  std::int64_t const updates = args.number("--count", std::int64_t{1} << 24);
  double const counted = args.number("--total", 0) != 0 ? mpi.size() : 1;
  int const reps = args.reps(7);
  constexpr int warm_up = 1;
  aggregator a(mpi, block, capacity);
  auto const samples = sample(warm_up, reps, [&](int rep) {
    mpi_rank::barrier();
    std::int64_t const start = now_ns();
    a.issue(update_stream(mpi.rank(), rep), updates);
    mpi_rank::barrier();
    return rate(updates, now_ns() - start) * counted;
  });
  a.close();
  mpi.check(undo_leaves_zeros(block, mpi.rank(), mpi.size(), warm_up + reps, updates),
            "an update is lost, doubled or misplaced");
  mpi_rank::barrier();
  return samples;
}

}  // namespace

/// With --best 1 the best of several capacities, in the run that is measured; with --total 1 the rate of all ranks.
int main(int argc, char** argv) {
  arguments const args(argc, argv);
  mpi_rank const mpi(argc, argv);
  words block(block_words(args.number("--bits", 20), static_cast<std::uint64_t>(mpi.size())));
  std::vector<std::int64_t> capacities{args.number("--capacity", 4096)};
  if (args.number("--best", 0) != 0) capacities = {256, 1024, 4096, 16'384};
  std::vector<double> best;
  for (std::int64_t const capacity : capacities) {
    auto const samples = measure(mpi, block, static_cast<std::size_t>(capacity), args);
    if (best.empty() || median(samples) > median(best)) best = samples;
  }
  if (mpi.rank() == 0) print_result("M/s", best);
}
