// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <algorithm>

#include "process.hpp"

using namespace sheaf_dmcs;

namespace {

using blocks = std::span<dmcs_block const>;

dmcs_block block_of(void const* address, std::size_t bytes) { return {const_cast<void*>(address), bytes}; }

/// Checks what a call is to do; `put` and `get` are its forms.
class transfer {
 public:
  static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 47U;  // no process has more memory
  static constexpr std::size_t most_blocks = UINT32_MAX;

  transfer(char const* name, int target, operation kind, blocks there, blocks here, function f = nullptr)
      : name_(name), target_(target) {
    check(there, "at the target");
    check(here, "here");
    work_ = {.kind = kind, .there = there, .here = here, .total = bytes_of(here), .f = f};
  }

  void sync_put() const {
    translated(name_, [&](engine& by) { by.sync_put(name_, target_, work_); });
  }
  void async_put(dmcs_request* request) const {
    translated(name_, [&](engine& by) { by.async_put(target_, work_, request); });
  }
  void sync_get() const {
    translated(name_, [&](engine& by) { by.sync_get(name_, target_, work_); });
  }
  void async_get(dmcs_request* request) const {
    translated(name_, [&](engine& by) { by.async_get(target_, work_, request); });
  }

 private:
  void check(blocks const list, char const* where) const {
    if (list.size() > most_blocks)
      fail(name_, std::to_string(list.size()) + " pieces; pass at most " + std::to_string(most_blocks));
    if (list.data() == nullptr && !list.empty())
      fail(name_, "a null pointer for a list of " + std::to_string(list.size()) + " pieces; pass the address of it");
    std::uint64_t all = 0;
    for (dmcs_block const& one : list) {
      auto const of_piece = [&] {
        return list.size() == 1 ? "" : " of piece " + std::to_string(&one - list.data()) + " (from 0)";
      };
      if (static_cast<std::int64_t>(one.bytes) < 0)
        fail(name_, std::to_string(static_cast<std::int64_t>(one.bytes)) + " bytes" + of_piece() + "; pass 0 or more");
      if (one.bytes > most_bytes || (all += one.bytes) > most_bytes)
        fail(name_, std::to_string(std::max(all, std::uint64_t{one.bytes})) + " bytes in a transfer" + of_piece() +
                        ", which has at most " + std::to_string(most_bytes));
      if (one.address == nullptr && one.bytes != 0)
        fail(name_, "a null pointer for " + std::to_string(one.bytes) + " bytes" + of_piece() + ' ' + where +
                        "; pass the address of memory");
    }
  }

  char const* name_;
  int target_;
  engine::work work_;
};

/// Lists of pieces and a whole of as many bytes. What is no list is for `transfer` to refuse.
struct pieces {
  pieces(dmcs_block const* list, std::size_t count, void const* whole)
      : all(list, count),
        together(block_of(whole, list == nullptr || count > transfer::most_blocks ? 0 : bytes_of(all))) {}
  blocks all;
  dmcs_block together;
  [[nodiscard]] blocks one() const { return {&together, 1}; }
};

}  // namespace

void dmcs_sync_put(int target, void* remote, void const* local, size_t bytes) {
  dmcs_block const there = block_of(remote, bytes), here = block_of(local, bytes);
  transfer("dmcs_sync_put", target, operation::put, {&there, 1}, {&here, 1}).sync_put();
}
void dmcs_async_put(int target, void* remote, void const* local, size_t bytes, dmcs_request* request) {
  dmcs_block const there = block_of(remote, bytes), here = block_of(local, bytes);
  transfer("dmcs_async_put", target, operation::put, {&there, 1}, {&here, 1}).async_put(request);
}
void dmcs_sync_get(int target, void* local, void const* remote, size_t bytes) {
  dmcs_block const there = block_of(remote, bytes), here = block_of(local, bytes);
  transfer("dmcs_sync_get", target, operation::get, {&there, 1}, {&here, 1}).sync_get();
}
void dmcs_async_get(int target, void* local, void const* remote, size_t bytes, dmcs_request* request) {
  dmcs_block const there = block_of(remote, bytes), here = block_of(local, bytes);
  transfer("dmcs_async_get", target, operation::get, {&there, 1}, {&here, 1}).async_get(request);
}

void dmcs_sync_put_gather(int target, void* remote, dmcs_block const* local, size_t count) {
  pieces const of(local, count, remote);
  transfer("dmcs_sync_put_gather", target, operation::put, of.one(), of.all).sync_put();
}
void dmcs_async_put_gather(int target, void* remote, dmcs_block const* local, size_t count, dmcs_request* request) {
  pieces const of(local, count, remote);
  transfer("dmcs_async_put_gather", target, operation::put, of.one(), of.all).async_put(request);
}
void dmcs_sync_put_scatter(int target, dmcs_block const* remote, size_t count, void const* local) {
  pieces const of(remote, count, local);
  transfer("dmcs_sync_put_scatter", target, operation::put, of.all, of.one()).sync_put();
}
void dmcs_async_put_scatter(int target, dmcs_block const* remote, size_t count, void const* local,
                            dmcs_request* request) {
  pieces const of(remote, count, local);
  transfer("dmcs_async_put_scatter", target, operation::put, of.all, of.one()).async_put(request);
}
void dmcs_sync_get_gather(int target, void* local, dmcs_block const* remote, size_t count) {
  pieces const of(remote, count, local);
  transfer("dmcs_sync_get_gather", target, operation::get, of.all, of.one()).sync_get();
}
void dmcs_async_get_gather(int target, void* local, dmcs_block const* remote, size_t count, dmcs_request* request) {
  pieces const of(remote, count, local);
  transfer("dmcs_async_get_gather", target, operation::get, of.all, of.one()).async_get(request);
}
void dmcs_sync_get_scatter(int target, dmcs_block const* local, size_t count, void const* remote) {
  pieces const of(local, count, remote);
  transfer("dmcs_sync_get_scatter", target, operation::get, of.one(), of.all).sync_get();
}
void dmcs_async_get_scatter(int target, dmcs_block const* local, size_t count, void const* remote,
                            dmcs_request* request) {
  pieces const of(local, count, remote);
  transfer("dmcs_async_get_scatter", target, operation::get, of.one(), of.all).async_get(request);
}

void dmcs_sync_put_op(int target, dmcs_data_handler_t handler, void const* local, size_t bytes) {
  dmcs_block const here = block_of(local, bytes);
  auto const f = reinterpret_cast<function>(handler);
  transfer("dmcs_sync_put_op", target, operation::put_op, {}, {&here, 1}, f).sync_put();
}
void dmcs_async_put_op(int target, dmcs_data_handler_t handler, void const* local, size_t bytes,
                       dmcs_request* request) {
  dmcs_block const here = block_of(local, bytes);
  auto const f = reinterpret_cast<function>(handler);
  transfer("dmcs_async_put_op", target, operation::put_op, {}, {&here, 1}, f).async_put(request);
}
void dmcs_sync_get_op(int target, dmcs_data_handler_t handler, void* local, void const* remote, size_t bytes) {
  dmcs_block const there = block_of(remote, bytes), here = block_of(local, bytes);
  auto const f = reinterpret_cast<function>(handler);
  transfer("dmcs_sync_get_op", target, operation::get, {&there, 1}, {&here, 1}, f).sync_get();
}
void dmcs_async_get_op(int target, dmcs_data_handler_t handler, void* local, void const* remote, size_t bytes,
                       dmcs_request* request) {
  dmcs_block const there = block_of(remote, bytes), here = block_of(local, bytes);
  auto const f = reinterpret_cast<function>(handler);
  transfer("dmcs_async_get_op", target, operation::get, {&there, 1}, {&here, 1}, f).async_get(request);
}

void* dmcs_malloc(int target, size_t bytes) {
  return translated("dmcs_malloc", [&](engine& by) { return by.allocate("dmcs_malloc", target, bytes); });
}
void dmcs_async_malloc(int target, size_t bytes, void** result, dmcs_request* request) {
  if (result == nullptr) fail("dmcs_async_malloc", "a null pointer for the result; pass the address of a pointer");
  translated("dmcs_async_malloc", [&](engine& by) { by.async_allocate(target, bytes, result, request); });
}
void dmcs_free(int target, void* memory) {
  translated("dmcs_free", [&](engine& by) { by.free(target, memory, "dmcs_free"); });
}
void dmcs_async_free(int target, void* memory) {
  translated("dmcs_async_free", [&](engine& by) { by.free(target, memory, nullptr); });
}
