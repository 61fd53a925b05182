// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of async.gather: random 8-byte reads with reply, aggregated by hand between threads. The receiver of a
/// parcel writes each answer over its request and hands the parcel back; the sender, which kept where each answer
/// belongs, empties a parcel when its lane comes round to it.
#include "harness/reads.hpp"
#include "harness/threads.hpp"
#include "peers/parcels.hpp"

namespace {

using namespace sheaf_bench;

constexpr std::size_t capacity = 1024, depth = 4;
using read_trader = trader<capacity, depth>;

/// Replaces each request by the word that it names.
void answer_all(words& block, std::uint64_t* items, std::size_t count) {
  constexpr std::size_t ahead = 16;
  std::uint64_t const* const table = block.data();
  std::uint64_t const mask = block.mask();
  std::size_t i = 0;
  for (; i + ahead < count; ++i) {
    __builtin_prefetch(table + (items[i + ahead] & mask));
    items[i] = table[items[i] & mask];
  }
  for (; i < count; ++i) items[i] = table[items[i] & mask];
}

/// Where the answers of one parcel belong.
struct places {
  std::size_t count = 0;
  std::array<std::uint32_t, capacity> at;
};

class reader {
 public:
  reader(read_trader& t, words& block, words& out) : trader_(t), block_(block), out_(out), kept_(t.count() * depth) {}

  void read_all(splitmix64 next) {
    for (std::size_t d = 0; d < trader_.count(); ++d) aim(d);
    for (std::size_t i = 0; i < out_.size(); ++i) {
      std::uint64_t const request = next();
      std::uint64_t const to = owner_of(request, trader_.count());
      *place_[to]++ = static_cast<std::uint32_t>(i);
      if (trader_.put(to, request)) flush(to);
    }
    for (std::size_t d = 0; d < trader_.count(); ++d) {
      for (std::size_t k = 0; k < depth; ++k) flush(d);
    }
  }

  void serve() {
    trader_.serve([this](std::uint64_t* items, std::size_t n) { answer_all(block_, items, n); });
  }

 private:
  places& kept(std::size_t d) { return kept_[d * depth + trader_.slot(d)]; }
  void aim(std::size_t d) { place_[d] = kept(d).at.data(); }

  void flush(std::size_t d) {
    places& sent = kept(d);
    sent.count = trader_.post(d, [this](std::uint64_t* items, std::size_t n) { answer_all(block_, items, n); });
    places& back = kept(d);
    std::uint64_t const* const answers = trader_.current(d).items.data();
    for (std::size_t i = 0; i < back.count; ++i) out_[back.at[i]] = answers[i];
    back.count = 0;
    aim(d);
  }

  read_trader& trader_;
  words& block_;
  words& out_;
  std::vector<places> kept_;
  std::array<std::uint32_t*, most_threads> place_{};
};

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  int const count = static_cast<int>(args.number("--threads", 2)), reps = args.reps(7);
  check(count >= 1 && count <= static_cast<int>(most_threads), "--threads must be 1 to 16");
  std::int64_t const reads = args.number("--count", std::int64_t{1} << 22), bits = args.number("--bits", 20);
  read_trader::lanes all(static_cast<std::size_t>(count));
  spin_barrier barrier(count);
  finish_line finished(all.count());
  run_pinned(count, [&](int me) {
    words block(block_words(bits, all.count())), out(static_cast<std::size_t>(reads));
    fill_block(block, me);
    read_trader t(all, me);
    reader r(t, block, out);
    auto const samples = sample(1, reps, [&](int rep) {
      barrier.wait();
      std::int64_t const start = now_ns();
      r.read_all(update_stream(me, rep));
      finished.cross(static_cast<std::size_t>(rep) + 1, [&] { r.serve(); });
      barrier.wait();
      std::int64_t const ns = now_ns() - start;
      check(answers_are_right(out, block.mask(), me, count, rep), "an answer is wrong or in the wrong place");
      return rate(reads, ns);
    });
    if (me == 0) print_result("M/s", samples);
  });
}
