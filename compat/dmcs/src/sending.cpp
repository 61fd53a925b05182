// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <algorithm>
#include <string>

#include "engine.hpp"
#include "handlers.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/message/sender.hpp"

namespace sheaf_dmcs {

using sheaf::usage_error;
using sheaf::detail::flush_reason;

void engine::refuse_target(int target) const {
  throw usage_error("there is no process " + std::to_string(target) + "; they are 0 to " + std::to_string(count_ - 1));
}

void engine::refuse_function(function f, std::uint32_t takes) const {
  auto const name = [](std::uint32_t kind) {
    return "dmcs_register" + (kind == takes_data ? "_data" : std::to_string(kind));
  };
  if (f == nullptr)
    throw usage_error("the handler is a null pointer; pass a function, once " + name(takes) + " has had it");
  std::string registered;
  for (std::uint32_t kind = 0; kind <= takes_data; ++kind) {
    if (functions_.number_of(f, kind) != function_table::none) registered += " (" + name(kind) + " has had it)";
  }
  throw usage_error("the function at " + hex(reinterpret_cast<void const*>(f)) +
                    " is no registered handler of this kind" + registered + "; call " + name(takes) +
                    " with it in all processes, in the same order, before it is named in a request");
}

/// What has no room at its target gathers on: it would not leave earlier in a buffer of its own.
void engine::flush() { here_.out().flush(flush_reason::idle); }

/// A token of the reply table and 1, so that 0 is none. A fence waits for the answer.
std::uint32_t engine::open(open_call& call, std::uint32_t dest) {
  call.of = this;
  call.from = dest;
  if (call.request != nullptr) ++call.request->open;
  ++state_.awaited;
  return here_.calls().replies.add(&end_call, &call) + 1;
}

open_call* engine::open_async(std::uint32_t dest, dmcs_request* request) {
  auto* const call = new open_call;
  call->request = request;
  call->is_async = true;
  call->from = dest;
  return call;
}

/// Data of some size are read where they are, if the target can load them there; large ones in any case, because that
/// is one copy, or none, and the direct way between hosts.
bool engine::is_by_place(std::uint32_t dest, work const& of) const {
  constexpr std::uint64_t least = 4096, large = 65536;
  if (of.total < least || of.here.empty()) return false;
  if (of.total >= large) return true;
  return std::all_of(of.here.begin(), of.here.end(), [&](dmcs_block const& one) {
    return memory_.is_direct({sheaf::location_id{dest}, sheaf::detail::address_of(one.address)});
  });
}

/// Data behind the head. A small record goes alone in a slot of its own; there nothing can be aligned.
void engine::send_op(std::uint32_t dest, work const& of, std::uint32_t token) {
  op_head head{.function = number_of(of.f, takes_data), .token = token, .total = of.total};
  bool const alone = met_[dest].box == nullptr || token != 0;
  auto& box = met_[dest].box == nullptr ? meet(dest) : *met_[dest].box;
  head.padded = !alone || sizeof head + of.total > sheaf::detail::outbox::most_in_slot ? 1 : 0;
  send_record(box, tags_[item::op], head.length(), alone, [&](std::byte* at) {
    if (head.padded != 0)
      head.front = static_cast<std::uint8_t>(-(reinterpret_cast<std::uintptr_t>(at) + sizeof head) % data_alignment);
    std::memcpy(at, &head, sizeof head);
    at += sizeof head + head.front;
    for (dmcs_block const& one : of.here) {
      if (one.bytes != 0) std::memcpy(at, one.address, one.bytes);
      at += one.bytes;
    }
  });
}

void engine::send_data(std::uint32_t dest, work const& of, std::uint32_t token, bool by_place, bool is_sync) {
  bool const carries = !by_place && of.kind == operation::put;
  std::size_t const here_count = by_place ? of.here.size() : 0;
  std::size_t const fixed = sizeof(data_head) + (of.there.size() + here_count) * sizeof(dmcs_block);
  data_head head;
  head.length = (fixed + (carries ? of.total : 0) + 7) / 8 * 8;
  head.total = of.total;
  head.token = token;
  head.function = of.kind == operation::put_op ? number_of(of.f, takes_data) : 0;
  head.there = static_cast<std::uint32_t>(of.there.size());
  head.here = static_cast<std::uint32_t>(here_count);
  head.kind = of.kind;
  head.is_sync = is_sync ? 1 : 0;

  bool const alone = met_[dest].box == nullptr || is_sync;
  auto& box = met_[dest].box == nullptr ? meet(dest) : *met_[dest].box;
  send_record(box, tags_[item::data], head.length, alone, [&](std::byte* at) {
    auto const put = [&](void const* from, std::size_t bytes) {
      if (bytes != 0) std::memcpy(at, from, bytes);
      at += bytes;
    };
    put(&head, sizeof head);
    put(of.there.data(), of.there.size_bytes());
    put(of.here.data(), here_count * sizeof(dmcs_block));
    if (carries) {
      for (dmcs_block const& one : of.here) put(one.address, one.bytes);
    }
  });
}

void engine::async_put(int target, work const& of, dmcs_request* request) {
  std::uint32_t const dest = checked(target);
  bool const by_place = request != nullptr && is_by_place(dest, of);
  if (!by_place && of.kind == operation::put_op) return send_op(dest, of, 0);
  std::uint32_t const token = by_place ? open(*open_async(dest, request), dest) : 0;
  send_data(dest, of, token, by_place, false);
}

void engine::sync_put(char const* what, int target, work const& of) {
  std::uint32_t const dest = checked(target);
  open_call call;
  std::uint32_t const token = open(call, dest);
  bool const by_place = is_by_place(dest, of);
  if (!by_place && of.kind == operation::put_op) {
    send_op(dest, of, token);
  } else {
    send_data(dest, of, token, by_place, true);
  }
  finish(what, call);
}

void engine::async_get(int target, work const& of, dmcs_request* request) {
  std::uint32_t const dest = checked(target);
  if (of.f != nullptr) static_cast<void>(number_of(of.f, takes_data));
  open_call* const call = open_async(dest, request);
  call->then = of.f;
  call->into.assign(of.here.begin(), of.here.end());
  send_data(dest, of, open(*call, dest), is_by_place(dest, of), false);
}

void engine::sync_get(char const* what, int target, work const& of) {
  std::uint32_t const dest = checked(target);
  if (of.f != nullptr) static_cast<void>(number_of(of.f, takes_data));
  open_call call;
  call.then = of.f;
  call.into.assign(of.here.begin(), of.here.end());
  send_data(dest, of, open(call, dest), is_by_place(dest, of), true);
  finish(what, call);
}

void* engine::allocate(char const* what, int target, std::size_t bytes) {
  std::uint32_t const dest = checked(target);
  open_call call;
  void* made = nullptr;
  call.result = &made;
  send_data(dest, {.kind = operation::allocate, .there = {}, .here = {}, .total = bytes}, open(call, dest), false,
            true);
  finish(what, call);
  return made;
}

void engine::async_allocate(int target, std::size_t bytes, void** result, dmcs_request* request) {
  std::uint32_t const dest = checked(target);
  open_call* const call = open_async(dest, request);
  call->result = result;
  send_data(dest, {.kind = operation::allocate, .there = {}, .here = {}, .total = bytes}, open(*call, dest), false,
            false);
}

void engine::free(int target, void* memory, char const* sync) {
  std::uint32_t const dest = checked(target);
  if (memory == nullptr) return;
  dmcs_block const one{memory, 0};
  work const of{.kind = operation::free, .there = std::span(&one, 1), .here = {}};
  if (sync == nullptr) return send_data(dest, of, 0, false, false);
  sync_put(sync, target, of);
}

}  // namespace sheaf_dmcs
