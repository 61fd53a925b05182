// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Buffers that threads trade by pointer, written by hand for the peers. Every ordered pair has a few parcels: the
/// sender fills one in place and raises its flag, the receiver works on it in one tight loop, in place, and lowers the
/// flag.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "harness/threads.hpp"

namespace sheaf_bench {

inline constexpr std::size_t most_threads = 16;

template <std::size_t Capacity>
struct parcel {
  static_assert((Capacity & (Capacity - 1)) == 0, "a full parcel is known by its address");
  static constexpr std::size_t bytes = Capacity * sizeof(std::uint64_t);
  alignas(bytes) std::array<std::uint64_t, Capacity> items;
};

/// 0 while the parcel is its sender's, else one more than the number of its items.
struct alignas(128) parcel_flag {
  std::atomic<std::size_t> value{0};
};

/// The parcels from one thread to one other.
template <std::size_t Capacity, std::size_t Depth>
struct pair_lane {
  std::array<parcel<Capacity>, Depth> parcels;
  std::array<parcel_flag, Depth> flags;
};

/// The lanes of all ordered pairs of `count` threads.
template <std::size_t Capacity, std::size_t Depth>
class lane_table {
 public:
  explicit lane_table(std::size_t count) : count_(count) {
    for (std::size_t i = 0; i < count * count; ++i) all_.push_back(std::make_unique<pair_lane<Capacity, Depth>>());
  }

  pair_lane<Capacity, Depth>& between(std::size_t from, std::size_t to) { return *all_[from * count_ + to]; }
  std::size_t count() const { return count_; }

 private:
  std::size_t const count_;
  std::vector<std::unique_ptr<pair_lane<Capacity, Depth>>> all_;
};

/// One thread's end of all its lanes. `work(items, count)` is what a receiver does to a parcel.
template <std::size_t Capacity, std::size_t Depth>
class trader {
 public:
  using lanes = lane_table<Capacity, Depth>;

  trader(lanes& all, int me) : all_(all), me_(static_cast<std::size_t>(me)) {
    for (std::size_t d = 0; d < count(); ++d) cursor_[d] = current(d).items.data();
  }

  std::size_t count() const { return all_.count(); }

  /// Which of its parcels the lane to `d` fills now.
  std::size_t slot(std::size_t d) const { return writing_[d]; }

  /// The parcel to `d` that is being filled, or that has just been given back.
  parcel<Capacity>& current(std::size_t d) { return all_.between(me_, d).parcels[writing_[d]]; }

  /// Appends one item to the parcel for `d`; true when that filled it and `post` must follow.
  bool put(std::size_t d, std::uint64_t item) {
    std::uint64_t* at = cursor_[d];
    *at++ = item;
    cursor_[d] = at;
    return (reinterpret_cast<std::uintptr_t>(at) & (parcel<Capacity>::bytes - 1)) == 0;
  }

  /// Hands the parcel for `d` over and takes the lane's next one, working on what arrives while that is still away.
  /// Returns how many items went. A parcel to oneself is worked on at once.
  template <class Work>
  std::size_t post(std::size_t d, Work&& work) {
    auto& lane = all_.between(me_, d);
    std::uint64_t* const begin = current(d).items.data();
    auto const filled = static_cast<std::size_t>(cursor_[d] - begin);
    if (d == me_) {
      work(begin, filled);
    } else {
      lane.flags[writing_[d]].value.store(filled + 1, std::memory_order_release);
      serve(work);
    }
    writing_[d] = (writing_[d] + 1) % Depth;
    for (patience left; lane.flags[writing_[d]].value.load(std::memory_order_acquire) != 0; left.spend()) serve(work);
    cursor_[d] = current(d).items.data();
    return filled;
  }

  /// Works on every parcel that has arrived.
  template <class Work>
  void serve(Work&& work) {
    for (std::size_t s = 0; s < count(); ++s) {
      while (s != me_ && serve_one(all_.between(s, me_), reading_[s], work)) {
      }
    }
  }

 private:
  template <class Work>
  bool serve_one(pair_lane<Capacity, Depth>& in, std::size_t& k, Work&& work) {
    std::size_t const sent = in.flags[k].value.load(std::memory_order_acquire);
    if (sent == 0) return false;
    work(in.parcels[k].items.data(), sent - 1);
    in.flags[k].value.store(0, std::memory_order_release);
    k = (k + 1) % Depth;
    return true;
  }

  lanes& all_;
  std::size_t const me_;
  std::array<std::uint64_t*, most_threads> cursor_{};
  std::array<std::size_t, most_threads> writing_{}, reading_{};
};

/// Counts threads that have issued everything, so that the others know when nothing more can arrive.
class finish_line {
 public:
  explicit finish_line(std::size_t count) : count_(count) {}

  /// Serves until every thread has crossed `laps` times, and then once more.
  template <class Serve>
  void cross(std::size_t laps, Serve&& serve) {
    crossed_.fetch_add(1, std::memory_order_acq_rel);
    for (patience left; crossed_.load(std::memory_order_acquire) < laps * count_; left.spend()) serve();
    serve();
  }

 private:
  std::size_t const count_;
  std::atomic<std::size_t> crossed_{0};
};

}  // namespace sheaf_bench
