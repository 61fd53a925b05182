// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "base/gate.hpp"

#include <chrono>

namespace sheaf::detail {

constinit thread_local location* ambient_location = nullptr;

void enter(gate& g) noexcept { g.enter(); }
void leave(gate& g) noexcept { g.leave(); }

void gate::take(std::uint32_t ticket) noexcept {
  auto const is_served = [&] { return serving_.load(std::memory_order_seq_cst) == ticket; };
  std::atomic<std::uint32_t>& rung = bells_[ticket % bells_.size()].rung;
  while (!is_served()) {
    if (fibers_ != nullptr) {
      fibers_->wait(&serving_, 0);
      continue;
    }
    std::uint32_t const before = rung.load(std::memory_order_seq_cst);
    if (!is_served()) rung.wait(before, std::memory_order_seq_cst);
  }
  holder_.store(me(), std::memory_order_relaxed);
  depth_ = 1;
  if (by_owner()) ++owner_entries;
}

void gate::enter() noexcept {
  if (held_by_me()) {
    ++depth_;
    return;
  }
  if (fibers_ != nullptr) fibers_->may_switch();
  take(next_.fetch_add(1, std::memory_order_seq_cst));
}

bool gate::try_enter() noexcept {
  std::uint32_t ticket = serving_.load(std::memory_order_seq_cst);
  if (!next_.compare_exchange_strong(ticket, ticket + 1, std::memory_order_seq_cst)) return false;
  take(ticket);
  return true;
}

void gate::leave() noexcept {
  if (--depth_ == 0) give();
}

void gate::give() noexcept {
  holder_.store(nullptr, std::memory_order_relaxed);
  std::uint32_t const after = serving_.load(std::memory_order_relaxed) + 1;
  serving_.store(after, std::memory_order_seq_cst);
  bool const is_wanted = next_.load(std::memory_order_seq_cst) != after;
  if (fibers_ != nullptr) {
    if (is_wanted) fibers_->notify(&serving_);
    return fibers_->may_switch();
  }
  if (!is_wanted) return;
  std::atomic<std::uint32_t>& rung = bells_[after % bells_.size()].rung;
  rung.store(after, std::memory_order_seq_cst);
  rung.notify_all();
}

void gate::give_way() noexcept {
  if (next_.load(std::memory_order_relaxed) == serving_.load(std::memory_order_relaxed) + 1) return;
  gate_break const outside(this);
}

void gate::park(std::uint64_t until) {
  ++parked_;
  parked_until_ = until == 0 ? ~std::uint64_t{0} : until;
  await_call(until);
  if (--parked_ == 0) parked_until_ = 0;
}

void gate::await_call(std::uint64_t until) {
  if (fibers_ != nullptr) {
    std::uint64_t const before = calls_;
    gate_break const outside(this);
    if (calls_ == before) fibers_->wait(&calls_, until);
    return;
  }
  std::unique_lock bench(bench_);
  auto const called = [before = calls_, this] { return calls_ != before; };
  gate_break const outside(this);
  if (until == 0) {
    called_.wait(bench, called);
  } else {
    std::chrono::steady_clock::time_point const limit{std::chrono::nanoseconds(until)};
    called_.wait_until(bench, limit, called);
  }
  bench.unlock();  // before the gate: a holder of the gate may want the bench
}

void gate::call() {
  if (parked_ == 0) return;
  std::unique_lock const bench(bench_);
  ++calls_;
  fibers_ != nullptr ? fibers_->notify(&calls_) : called_.notify_all();
}

}  // namespace sheaf::detail
