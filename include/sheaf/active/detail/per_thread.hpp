// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "sheaf/active/detail/message_core.hpp"

namespace sheaf::detail {

/// A stage of the policy `per_thread`: a `Stage` for each thread that sends, made when it does so first. No thread
/// looks into another one's. So each forgets by itself, where its thread sends in another epoch. When an attached
/// thread has left, another one gets its stage.
template <class Policy, class Stage>
class stage_per_thread : immovable<stage_per_thread<Policy, Stage>> {
  static_assert(
      requires { requires Stage::never_holds; },
      "sheaf: per_thread<P> is for a policy P that never holds a message back (unique, unique_exactly, "
      "pass_better, or one whose stage has never_holds = true)");

 public:
  static constexpr bool never_holds = true, is_per_thread = true;

  explicit stage_per_thread(Policy const& of) : of_(of) {}
  ~stage_per_thread() {
    for (own* each = first_.load(); each != nullptr;) {
      std::unique_ptr<own> const ended(each);
      each = ended->next;
    }
  }
  void belong_to(message_core const& core) { core_ = &core; }

  void send(std::uint64_t dest, auto const& value, auto next) {
    own& its = of_caller();
    if (std::uint64_t const now = core_->epoch_mark(); its.epoch != now) {
      its.stage.forget();
      its.epoch = now;
    }
    its.stage.send(dest, value, next);
    its.tell();
  }
  /// Inside the gate, which the next thread passes before it sends.
  void part_from(void const* thread) {
    for (own* one = first_.load(std::memory_order_acquire); one != nullptr; one = one->next) {
      if (one->thread.load(std::memory_order_relaxed) != thread) continue;
      one->stage.forget();
      one->tell();
      one->epoch = 0;
      one->thread.store(&nobody, std::memory_order_release);
    }
  }
  void flush(auto const&) {}
  void forget() {}
  [[nodiscard]] static constexpr bool empty() { return true; }
  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = 0;
    each([&](own const& one) { sum += one.bytes.load(std::memory_order_relaxed); });
    return sum;
  }

  struct sums {
    std::uint64_t all_looked_up = 0, hits = 0;
    [[nodiscard]] std::uint64_t looked_up() const { return all_looked_up; }
    [[nodiscard]] std::uint64_t all_hits() const { return hits; }
  };
  [[nodiscard]] sums counts() const requires requires(Stage const& one) { one.counts(); }
  {
    sums all;
    each([&](own const& one) {
      all.all_looked_up += one.looked_up.load(std::memory_order_relaxed);
      all.hits += one.hits.load(std::memory_order_relaxed);
    });
    return all;
  }

 private:
  struct own {
    own(Policy const& of, void const* its) : stage(of), thread(its) { tell(); }
    /// What other threads may ask for.
    void tell() {
      bytes.store(stage.bytes(), std::memory_order_relaxed);
      if constexpr (requires { stage.counts().all_hits(); }) {
        looked_up.store(stage.counts().looked_up(), std::memory_order_relaxed);
        hits.store(stage.counts().all_hits(), std::memory_order_relaxed);
      }
    }
    Stage stage;
    std::atomic<void const*> thread;
    std::uint64_t epoch = 0;
    std::atomic<std::size_t> bytes{0};
    std::atomic<std::uint64_t> looked_up{0}, hits{0};
    own* next = nullptr;
  };

  void each(auto visit) const {
    for (own const* one = first_.load(std::memory_order_acquire); one != nullptr; one = one->next) visit(*one);
  }
  own& of_caller() {
    void const* const thread = core_->sending_thread();
    own* one = first_.load(std::memory_order_acquire);
    while (one != nullptr && one->thread.load(std::memory_order_relaxed) != thread) one = one->next;
    return one != nullptr ? *one : add(thread);
  }
  [[gnu::noinline]] own& add(void const* thread) {
    for (own* one = first_.load(std::memory_order_acquire); one != nullptr; one = one->next) {
      void const* free = &nobody;
      if (one->thread.compare_exchange_strong(free, thread, std::memory_order_acquire)) return *one;
    }
    own* const made = new own(of_, thread);
    made->next = first_.load(std::memory_order_relaxed);
    while (!first_.compare_exchange_weak(made->next, made, std::memory_order_release, std::memory_order_relaxed)) {
    }
    return *made;
  }

  static inline char const nobody = 0;

  Policy const of_;
  message_core const* core_ = nullptr;
  std::atomic<own*> first_{nullptr};
};

}  // namespace sheaf::detail
