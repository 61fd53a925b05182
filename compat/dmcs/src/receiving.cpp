// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <algorithm>
#include <new>
#include <string>

#include "engine.hpp"
#include "handlers.hpp"
#include "process.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/message/byte_reader.hpp"
#include "sheaf/message/guarded_run.hpp"

namespace sheaf_dmcs {

using sheaf::decode_error;
using sheaf::location_id;
using sheaf::detail::execution;
using sheaf::detail::restoring;

op_record op_record::read(std::byte const* at, std::byte const* end) {
  op_record record;
  op_head& head = record.head;
  auto const left = static_cast<std::size_t>(end - at);
  if (left >= sizeof head) std::memcpy(static_cast<void*>(&head), at, sizeof head);
  bool const is_placed = head.front < (head.padded != 0 ? data_alignment : 1);
  if (left < sizeof head || head.total > left || !is_placed || head.length() > left)
    throw decode_error("a DMCS message ends within its data");
  record.data = at + sizeof head + head.front;
  return record;
}

data_record data_record::read(std::byte const* at, std::byte const* end) {
  data_record record;
  auto const left = static_cast<std::size_t>(end - at);
  if (left < sizeof record.head) throw decode_error("a DMCS message ends within its head");
  std::memcpy(&record.head, at, sizeof record.head);
  data_head const& head = record.head;
  std::uint64_t const lists = (std::uint64_t{head.there} + head.here) * sizeof(dmcs_block);
  bool const carries = head.here == 0 && head.kind == operation::put;
  if (head.length > left || (head.kind == operation::put_op && head.here == 0) || head.length < sizeof head ||
      head.length - sizeof head < lists || (carries && head.length - sizeof head - lists < head.total))
    throw decode_error("a DMCS message has lengths that do not fit each other");
  record.blocks = at + sizeof head;
  if (!carries) return record;
  record.data = record.blocks + lists;
  return record;
}

namespace {

/// What fails is the message's fault: its sender is named. Simulated locations throw.
void execute_message(std::uint32_t source, auto f) {
  sheaf::detail::call_catching(f, [source] {
    if (only != nullptr) fail_caught(("a message of process " + std::to_string(source)).c_str());
    sheaf::detail::throw_thrown_in("a DMCS message");
  });
}

template <std::size_t N, std::size_t... I>
void call_function(function f, std::uint32_t source, service_record<N> const& record, std::index_sequence<I...>) {
  using type = void (*)(int, decltype(static_cast<void>(I), argument{})...);
  if constexpr (N == 0) {
    reinterpret_cast<type>(f)(static_cast<int>(source));
  } else {
    reinterpret_cast<type>(f)(static_cast<int>(source), record.values[I]...);
  }
}

}  // namespace

void engine::refuse_number(std::uint32_t number, std::uint32_t takes, std::uint32_t source) const {
  std::string const kind = takes == takes_data ? "data" : std::to_string(takes) + " arguments";
  throw decode_error("process " + std::to_string(source) + " asks process " + std::to_string(self()) +
                     " for its handler number " + std::to_string(number) + ", with " + kind + ", and there is none (" +
                     std::to_string(functions_.size()) +
                     " functions are registered); register the same functions in the same order in all processes, "
                     "before anybody polls");
}

/// Calls the functions of packed records, and returns how many. `at` is behind a record before its function is called;
/// where that waits, both may move on. Most requests are for the function of the one before.
template <std::size_t N>
std::uint64_t engine::call_services(std::uint32_t source, std::byte const*& at, std::byte const* const& end) {
  std::uint64_t called = 0;
  while (at != end) {
    service_record<0> head;
    std::memcpy(&head, at, sizeof head);
    function const f = functions_.at(head.function, N);
    if (f == nullptr) [[unlikely]]
      refuse_number(head.function, N, source);
    do {
      service_record<N> record;
      std::memcpy(&record, at, sizeof record);
      at += sizeof record;
      if (head.token != 0) [[unlikely]]
        answer(source, head.token);
      ++called;
      call_function<N>(f, source, record, std::make_index_sequence<N>());
    } while (at != end && head.token == 0 && std::memcmp(at, &head, sizeof head) == 0);
  }
  return called;
}

/// What is in the queue came before the run that begins. Its handlers may wait, and then records of that run are taken.
void engine::catch_up() {
  while (mode_ == mode::polling && in_handlers_ == 0 && lock_ == nullptr && !queue_.empty())
    execute_message(queue_.front().source, [&] { run_next(executed_); });
}

template <std::size_t N>
void engine::receive_services(execution& state) {
  std::uint32_t const source = number(state.source);
  catch_up();
  if (state.at == state.run_end) return;
  execute_message(source, [&] {
    if (is_direct()) {
      restoring const inside(in_handlers_, in_handlers_ + 1);
      executed_ += call_services<N>(source, state.at, state.run_end);
      return;
    }
    std::vector<std::byte> kept(state.at, state.run_end);
    state.at = state.run_end;
    for (std::size_t at = 0; at < kept.size(); at += sizeof(service_record<N>)) {
      std::uint32_t token = 0;
      std::memcpy(&token, &kept[at + offsetof(service_record<0>, token)], sizeof token);
      if (token != 0) answer(source, token);
      std::memset(&kept[at + offsetof(service_record<0>, token)], 0, sizeof token);
    }
    queue_.push_back({.kind = N, .source = source, .bytes = std::move(kept), .taken = {}});
  });
}
template void engine::receive_services<0>(execution&);
template void engine::receive_services<1>(execution&);
template void engine::receive_services<2>(execution&);
template void engine::receive_services<3>(execution&);
template void engine::receive_services<4>(execution&);

void engine::receive_data(execution& state) {
  std::uint32_t const source = number(state.source);
  catch_up();
  execute_message(source, [&] {
    while (state.at != state.run_end) {
      data_record const record = data_record::read(state.at, state.run_end);
      state.at += record.head.length;
      ++state.begun;
      take_data(source, record);
    }
  });
}

void engine::receive_ops(execution& state) {
  std::uint32_t const source = number(state.source);
  catch_up();
  execute_message(source, [&] {
    while (state.at != state.run_end) {
      std::byte const* const begin = state.at;
      auto [head, data] = op_record::read(begin, state.run_end);
      state.at += head.length();
      ++state.begun;
      answer(source, std::exchange(head.token, 0));
      if (is_direct() && state.piece_of == nullptr && state.kept == nullptr) {
        ++executed_;
        restoring const inside(in_handlers_, in_handlers_ + 1);
        in_place_ = {data, head.total};
        call_data_function(source, head.function, data, head.total);
        in_place_ = {};
        kept_ = {};
      } else {
        queue_.push_back({.kind = item::op, .source = source, .bytes = {begin, begin + head.length()}, .taken = {}});
      }
    }
  });
}

void engine::take_data(std::uint32_t source, data_record const& record) {
  bool const is_call = record.head.kind == operation::put_op;
  bool const now = is_direct() || (!is_call && mode_ == mode::waiting);
  if (!now) return keep_data(source, record);
  ++executed_;
  restoring const inside(in_handlers(), in_handlers() + (is_call ? 1 : 0));
  execute_data(source, record, record.data);
}

/// Puts it into the queue; a sender that waits for the receipt, or whose data are where they were, is answered now.
void engine::keep_data(std::uint32_t source, data_record record) {
  data_head& head = record.head;
  bool const carries = head.kind == operation::put || head.kind == operation::put_op;  // here, or at the sender
  item one{.kind = item::data, .source = source, .bytes = {}, .taken = {}};
  if (carries && record.is_by_place()) {
    one.taken.resize(head.total);
    take_over(source, record, one.taken.data());
  }
  if (carries && head.token != 0) answer(source, std::exchange(head.token, 0));
  std::byte const* const begin = record.blocks - sizeof head;
  one.bytes.assign(begin, begin + head.length);
  std::memcpy(one.bytes.data(), &head, sizeof head);
  one.is_memory = head.kind != operation::put_op;
  queued_memory_ += one.is_memory ? 1 : 0;
  queue_.push_back(std::move(one));
}

/// Of a put or a get, where the data are at `data`, or null: at the sender.
void engine::execute_data(std::uint32_t source, data_record const& record, std::byte const* data) {
  data_head const& head = record.head;
  switch (head.kind) {
    case operation::put:
      return store(source, record, data);
    case operation::put_op:
      return call_with_data(source, record, data);
    case operation::get:
      return bring(source, record);
    case operation::allocate:
      return answer(source, head.token, allocate_here(head.total));
    case operation::free:
      if (head.there == 1) free_here(record.block(0).address);
      return answer(source, head.token);
  }
  throw decode_error("a DMCS message is of no kind that there is");
}

/// How many handlers were called, and operations done. Without the lock, where there is one: nothing but functions_
/// may be used for handlers.
std::uint64_t engine::execute(item const& one) {
  std::byte const* at = one.bytes.data();
  std::byte const* const end = at + one.bytes.size();
  switch (one.kind) {
    case 0:
      return call_services<0>(one.source, at, end);
    case 1:
      return call_services<1>(one.source, at, end);
    case 2:
      return call_services<2>(one.source, at, end);
    case 3:
      return call_services<3>(one.source, at, end);
    case 4:
      return call_services<4>(one.source, at, end);
    case item::op: {
      op_record const record = op_record::read(at, end);
      call_data_function(one.source, record.head.function, record.data, record.head.total);
      return 1;
    }
    case item::data: {
      data_record const record = data_record::read(at, end);
      execute_data(one.source, record, one.taken.empty() ? record.data : one.taken.data());
      return 1;
    }
    case item::call:
      reinterpret_cast<dmcs_data_handler_t>(one.then)(static_cast<int>(one.source), one.with.address, one.with.bytes);
      return 1;
    default:
      return 0;
  }
}

}  // namespace sheaf_dmcs
