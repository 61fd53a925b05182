// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "memory/memory_server.hpp"

#include <sched.h>
#include <time.h>

#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>

#include "memory/kernels.hpp"
#include "memory/packed_rows.hpp"
#include "memory/served_requests.hpp"
#include "sheaf/base/error.hpp"

namespace sheaf::detail {
namespace {

/// A guard is held for microseconds, unless its holder has lost its core, or has died: then the job ends.
void wait_for_guard(void* server_context, std::uint32_t round) {
  constexpr std::uint32_t spins = 200, yields = 2000;
  if (round < spins) return;
  if (round < yields) return static_cast<void>(sched_yield());
  timespec const nap{0, 100'000};
  nanosleep(&nap, nullptr);
  static_cast<side_context const*>(server_context)->wire.check();
}

served_head answer_of(served_order const& order) {
  served_head head = order.head;
  head.what = served::answer;
  head.levels = 0;
  std::swap(head.from, head.to);
  return head;
}

std::unique_ptr<side_server> make_memory_server(side_context const& of) { return std::make_unique<memory_server>(of); }

[[maybe_unused]] bool const registered = (side_server_maker = &make_memory_server, true);

}  // namespace

/// Answers to the orders of one message, which leave together. Data that are large and lie in a row go from where they
/// are.
class memory_server::answers_to {
 public:
  answers_to(side_wire& wire, std::uint32_t process) : wire_(wire), process_(process) {}

  /// `data`: a part of memory, of which the head says what is meant.
  void add(served_head const& head, const_strided const& data) {
    constexpr std::size_t small = 4096;
    auto const begin = std::as_bytes(std::span(&head, 1));
    bool const from_place = head.bytes > small && data.counts.empty();
    if (from_place || kept_.size() + begin.size() + head.bytes > side_wire::most_bytes) send();
    if (from_place) return wire_.send(process_, begin, {data.first + head.offset, head.bytes});
    kept_.insert(kept_.end(), begin.begin(), begin.end());
    if (head.bytes == 0) return;
    kept_.resize(kept_.size() + head.bytes);
    pack(data, head.offset, std::span(kept_).last(head.bytes));
  }
  void send() {
    if (!kept_.empty()) wire_.send(process_, kept_);
    kept_.clear();
  }

 private:
  side_wire& wire_;
  std::uint32_t process_;
  std::vector<std::byte> kept_;
};

void memory_server::let_ask(std::uint32_t location, served_requests* asker) {
  std::lock_guard const hold(mutex_);
  askers_[location - of_.first_location] = asker;
}

bool memory_server::take(std::uint32_t from_process, std::span<std::byte const> message, bool placed) noexcept try {
  served_order order;
  bool any_answer = false;
  answers_to back(of_.wire, from_process);
  while (!message.empty()) {
    if (!read_order(message, order, placed) || !serve(back, order)) {
      of_.wire.fail("process " + std::to_string(from_process) +
                    " sent a damaged request for one-sided memory; the processes run different builds");
      return true;
    }
    any_answer = any_answer || order.head.what == served::answer;
  }
  back.send();
  return any_answer;
} catch (std::exception const& thrown) {
  of_.wire.fail(thrown.what());
  return true;
}

/// One put, or one answer to a get, whose data lie in a row.
std::span<std::byte> memory_server::place_for(std::uint32_t, std::span<std::byte const> begin,
                                              std::size_t length) noexcept {
  served_order order;
  if (begin.size() < sizeof order.head) return {};
  std::span<std::byte const> head = begin.first(sizeof order.head);
  if (!read_order(head, order, true) || order.head.levels != 0 || length - sizeof order.head != order.head.bytes) {
    return {};
  }
  served_head const& h = order.head;
  std::byte* place = nullptr;
  if (h.what == served::put) place = order.part().first + h.offset;
  if (h.what == served::answer) place = place_of_answer(h);
  return {place, place != nullptr ? h.bytes : 0};
}

std::byte* memory_server::place_of_answer(served_head const& answer) {
  std::uint32_t const lane = answer.to - of_.first_location;
  std::lock_guard const hold(mutex_);
  return lane < askers_.size() && askers_[lane] != nullptr ? askers_[lane]->place_of(answer) : nullptr;
}

bool memory_server::serve(answers_to& back, served_order const& order) {
  served_head const& h = order.head;
  std::uint64_t word = 0;
  switch (h.what) {
    case served::answer:
      return hand_over(order);
    case served::get:
      answer_get(back, order);
      return true;
    case served::put:
      if (!order.placed) unpack(order.part(), h.offset, order.data);
      break;
    case served::add:
      add(order);
      break;
    case served::change: {
      std::uint64_t operands[2];
      std::memcpy(operands, h.operands, sizeof operands);
      guard_wait const wait{wait_for_guard, const_cast<void*>(static_cast<void const*>(&of_))};
      word = change_word(order.part().first, h.row, static_cast<change_kind>(h.kind), operands[0], operands[1],
                         of_.memory, wait);
      break;
    }
    case served::allocate:
      word = allocate(h.row);
      break;
    case served::deallocate:
      of_.memory.give_back(order.part().first, h.row);
      break;
    case served::nothing:
      break;
  }
  if (h.answers != 0) answer(back, order, word);
  return true;
}

void memory_server::add(served_order const& order) {
  served_head const& h = order.head;
  std::byte const* from = order.data.data();
  guard_wait const wait{wait_for_guard, const_cast<void*>(static_cast<void const*>(&of_))};
  each_row(order.part(), h.offset, h.bytes,
           [&](std::byte* at, std::size_t row, std::size_t count, std::ptrdiff_t step) {
             add_rows({at, from, row, count, step, static_cast<std::ptrdiff_t>(row)}, static_cast<element_kind>(h.kind),
                      h.scaled != 0 ? h.operands : nullptr, of_.memory, wait);
             from += row * count;
           });
}

std::uint64_t memory_server::allocate(std::uint64_t bytes) try {
  std::byte* const made = of_.memory.take(bytes);
  std::memset(made, 0, bytes);
  return reinterpret_cast<std::uintptr_t>(made);
} catch (std::bad_alloc const&) {
  return 0;
}

void memory_server::answer(answers_to& back, served_order const& order, std::uint64_t word) {
  served_head head = answer_of(order);
  head.address = word;
  head.bytes = 0;
  back.add(head, {nullptr, 0, {}, {}});
}

void memory_server::answer_get(answers_to& back, served_order const& order) {
  back.add(answer_of(order), order.part());
}

bool memory_server::hand_over(served_order const& answer) {
  std::uint32_t const lane = answer.head.to - of_.first_location;
  std::lock_guard const hold(mutex_);
  if (lane >= askers_.size()) return false;
  return askers_[lane] == nullptr || askers_[lane]->answered(answer);
}

}  // namespace sheaf::detail
