// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <algorithm>
#include <new>

#include "engine.hpp"
#include "handlers.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/message/byte_reader.hpp"

namespace sheaf_dmcs {

using sheaf::location_id;
using sheaf::detail::one_sided;

namespace {

auto blocks_of(data_record const& record, std::size_t first) {
  return [&record, first](std::size_t i) { return record.block(first + i); };
}
auto one_block(void const* data, std::size_t bytes) {
  return [data, bytes](std::size_t) { return dmcs_block{const_cast<void*>(data), bytes}; };
}

}  // namespace

/// Copies what is at the sender to `to`.
void engine::take_over(std::uint32_t source, data_record const& record, std::byte* to) {
  data_head const& head = record.head;
  location_id const where{source};
  {
    one_sided::gathering const together(memory_);
    each_piece(head.here, blocks_of(record, head.there), 1, one_block(to, head.total),
               [&](std::byte* there, std::byte* here, std::size_t bytes) {
                 memory_.async_get(where, {there, bytes}, {here, bytes});
               });
  }
  memory_.arrive(where);
}

void engine::store(std::uint32_t source, data_record const& record, std::byte const* data) {
  data_head const& head = record.head;
  if (data != nullptr) {
    each_piece(head.there, blocks_of(record, 0), 1, one_block(data, head.total),
               [](std::byte* to, std::byte* from, std::size_t bytes) { std::memcpy(to, from, bytes); });
  } else {
    location_id const where{source};
    {
      one_sided::gathering const together(memory_);
      each_piece(head.there, blocks_of(record, 0), head.here, blocks_of(record, head.there),
                 [&](std::byte* to, std::byte* from, std::size_t bytes) {
                   memory_.async_get(where, {from, bytes}, {to, bytes});
                 });
    }
    memory_.arrive(where);
  }
  answer(source, head.token);
}

/// The data are at a multiple of 16 then: as they arrived, or in a copy.
void engine::call_data_function(std::uint32_t source, std::uint32_t number, std::byte const* data, std::size_t bytes) {
  constexpr std::size_t small =
      sheaf::detail::outbox::most_in_slot - sizeof(op_head);  // a wait would give the slot back
  alignas(data_alignment) std::byte room[small];
  std::vector<std::byte> copy;
  if (bytes <= small || reinterpret_cast<std::uintptr_t>(data) % data_alignment != 0) {
    if (bytes > small) copy.resize(bytes);
    std::byte* const to = bytes > small ? copy.data() : room;
    if (bytes != 0) std::memcpy(to, data, bytes);
    data = to;
  }
  function const f = functions_.at(number, takes_data);
  if (f == nullptr) refuse_number(number, takes_data, source);
  reinterpret_cast<dmcs_data_handler_t>(f)(static_cast<int>(source), const_cast<std::byte*>(data), bytes);
}

/// Of data at the sender: in place, if they can be read there, and it does not wait for the receipt.
void engine::call_with_data(std::uint32_t source, data_record const& record, std::byte const* data) {
  data_head const& head = record.head;
  std::vector<std::byte> copy;
  std::uint32_t token = head.token;
  if (data == nullptr && head.here != 0) {
    dmcs_block const first = record.block(head.there);
    sheaf::detail::place const at{location_id{source}, sheaf::detail::address_of(first.address)};
    if (!head.is_sync && head.here == 1 && first.bytes == head.total && memory_.is_direct(at)) {
      data = at.here();
    } else {
      copy.resize(head.total);
      take_over(source, record, copy.data());
      data = copy.data();
    }
  }
  if (head.is_sync) answer(source, std::exchange(token, 0));
  call_data_function(source, head.function, data, head.total);
  answer(source, token);
}

/// Stores the data at the one who asks, if it has said where; else they travel in the answer.
void engine::bring(std::uint32_t source, data_record const& record) {
  data_head const& head = record.head;
  location_id const where{source};
  if (record.is_by_place()) {
    {
      one_sided::gathering const together(memory_);
      each_piece(head.here, blocks_of(record, head.there), head.there, blocks_of(record, 0),
                 [&](std::byte* to, std::byte* from, std::size_t bytes) {
                   memory_.put(where, {to, bytes}, {from, bytes});
                 });
    }
    memory_.fence(where);
    return answer(source, head.token);
  }
  answer_head const front{head.token, 0, head.total};
  auto& box = here_.answer_box(source);
  sheaf::run_tag const tag(sheaf::detail::handler_number<answers<true>>, 0, 0);
  send_record(box, tag, sizeof front + head.total, true, [&](std::byte* at) {
    std::memcpy(at, &front, sizeof front);
    each_piece(1, one_block(at + sizeof front, head.total), head.there, blocks_of(record, 0),
               [](std::byte* to, std::byte* from, std::size_t bytes) { std::memcpy(to, from, bytes); });
  });
}

/// At once. No token: nobody waits.
void engine::answer(std::uint32_t source, std::uint32_t token, std::uint64_t value) {
  if (token == 0) return;
  answer_head const front{token, 0, value};
  sheaf::run_tag const tag(sheaf::detail::handler_number<answers<false>>, 0, 0);
  send_record(here_.answer_box(source), tag, sizeof front, true,
              [&](std::byte* at) { std::memcpy(at, &front, sizeof front); });
}

/// 0: there is none.
std::uint64_t engine::allocate_here(std::size_t bytes) {
  constexpr std::size_t most = std::size_t{1} << 47U;
  if (bytes > most) return 0;
  std::size_t const taken = std::max(bytes, std::size_t{1});
  try {
    auto const made = memory_.allocate(here_.id(), taken);
    allocated_[made.address] = taken;
    return made.address;
  } catch (std::bad_alloc const&) {
    return 0;
  }
}

void engine::free_here(void* memory) {
  std::uint64_t const address = sheaf::detail::address_of(memory);
  auto const its = allocated_.find(address);
  if (its == allocated_.end())
    throw sheaf::usage_error("dmcs_free of memory at " + hex(memory) + " of process " + std::to_string(self()) +
                             " that is not in use, or is no memory of dmcs_malloc; free once what dmcs_malloc gave");
  memory_.deallocate({here_.id(), address}, its->second);
  allocated_.erase(its);
}

template <bool WithData>
void answers<WithData>::run(sheaf::detail::location& here, void*, sheaf::detail::execution& state) {
  while (state.at != state.run_end) {
    sheaf::byte_reader bytes(state.at, state.run_end);
    auto const front = bytes.value<answer_head>();
    std::size_t const data = WithData ? front.value : 0;
    std::byte const* const begin = state.at;
    static_cast<void>(bytes.take(data));
    state.at += sizeof front + data;
    if (WithData) ++state.begun;
    auto const to = here.calls().replies.take(front.token - 1);
    sheaf::byte_reader whole(begin, state.at);
    if (to.sink != nullptr) to.sink(to.where, sheaf::detail::reply_status::value, whole);
  }
}
template struct answers<false>;
template struct answers<true>;

void end_call(void* where, sheaf::detail::reply_status status, sheaf::byte_reader& bytes) {
  if (status != sheaf::detail::reply_status::value) return;  // the job ends
  auto& call = *static_cast<open_call*>(where);
  auto const front = bytes.value<answer_head>();
  call.of->end(call, front, bytes.take(bytes.remaining()));
}

void engine::end(open_call& call, answer_head const& answer, std::byte const* data) {
  std::uint64_t const total = bytes_of(call.into);
  if (call.result != nullptr) std::memcpy(call.result, &answer.value, sizeof answer.value);
  if (answer.value == total && data != nullptr)
    each_piece(
        call.into.size(), [&](std::size_t i) { return call.into[i]; }, 1, one_block(data, total),
        [](std::byte* to, std::byte* from, std::size_t bytes) { std::memcpy(to, from, bytes); });
  if (call.then != nullptr) {
    dmcs_block const with = call.into.empty() ? dmcs_block{} : call.into.front();
    queue_.push_back(
        {.kind = item::call, .source = call.from, .bytes = {}, .taken = {}, .then = call.then, .with = with});
  }
  if (call.request != nullptr) --call.request->open;
  --state_.awaited;
  call.done = true;
  if (call.is_async) delete &call;
}

}  // namespace sheaf_dmcs
