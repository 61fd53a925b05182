// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
// The symmetric heap. All PEs make the same calls, so each keeps the same books, in which a place is the number of a
// region and an offset there. Only of a new region they tell each other where it is.
#include <algorithm>
#include <bit>
#include <cstring>
#include <map>

#include "process.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf_shmem {
namespace {

constexpr std::uint64_t line = 64, page = 4096, least_region = std::uint64_t{16} << 20;
constexpr int offset_bits = 48;

struct heap_region {
  std::size_t number;  ///< in here.regions
  std::uint64_t alignment;
  place taken;
  std::uint64_t taken_bytes;
};

using books = std::map<std::uint64_t, std::uint64_t>;  ///< sizes by (number in the heap << offset_bits) + offset
books idle, used;
std::vector<heap_region> heap;

std::uint64_t rounded(std::uint64_t number, std::uint64_t to) { return (number + to - 1) / to * to; }

void* address_at(std::uint64_t entry) {
  std::uint64_t const offset = entry & ((std::uint64_t{1} << offset_bits) - 1);
  return reinterpret_cast<void*>(here.regions[heap[entry >> offset_bits].number].start + offset);
}

books::iterator piece_of(char const* function, void const* address) {
  for (std::size_t i = 0; i < heap.size(); ++i) {
    region const& in = here.regions[heap[i].number];
    std::uint64_t const offset = sheaf::detail::address_of(address) - in.start;
    auto const found = used.find((i << offset_bits) + offset);
    if (offset < in.bytes && found != used.end()) return found;
  }
  fail(function, "the pointer is none that shmem_malloc and its like have given and shmem_free has not got");
}

/// Begins at a multiple of the alignment on every PE, so that what is aligned in one is aligned in all.
void grow(std::uint64_t bytes, std::uint64_t alignment) {
  std::uint64_t const room = std::max(least_region, rounded(bytes, page));
  place const taken = here.memory->allocate(location_id{here.self}, room + alignment);
  std::uint64_t const start = rounded(taken.address, alignment);
  idle.emplace(heap.size() << offset_bits, room);
  heap.push_back({here.regions.size(), alignment, taken, room + alignment});
  add_region(reinterpret_cast<void const*>(start), room);
}

void* take(std::uint64_t bytes, std::uint64_t alignment) {
  for (auto const& [start, room] : idle) {
    std::uint64_t const before = rounded(start, alignment) - start;
    if (alignment > heap[start >> offset_bits].alignment || room < before + bytes) continue;
    std::uint64_t const at = start + before, behind = room - before - bytes;
    idle.erase(start);
    if (before != 0) idle.emplace(at - before, before);
    if (behind != 0) idle.emplace(at + bytes, behind);
    used.emplace(at, bytes);
    return address_at(at);
  }
  return nullptr;
}

void give_back(books::iterator piece) {
  auto [at, bytes] = *piece;
  used.erase(piece);
  auto next = idle.lower_bound(at);
  if (next != idle.end() && next->first == at + bytes) {
    bytes += next->second;
    next = idle.erase(next);
  }
  if (next != idle.begin() && std::prev(next)->first + std::prev(next)->second == at) {
    std::prev(next)->second += bytes;
  } else {
    idle.emplace(at, bytes);
  }
}

void* allocate(char const* function, std::uint64_t bytes, std::uint64_t alignment) {
  check_begun(function);
  if (bytes == 0) return nullptr;
  if (!std::has_single_bit(alignment)) {
    fail(function, "an alignment of " + std::to_string(alignment) + " bytes; pass a power of two");
  }
  return translated(function, [&](one_sided&) {
    std::uint64_t const size = rounded(bytes, line), multiple = std::max(alignment, line);
    void* got = take(size, multiple);
    if (got == nullptr) {
      grow(size, std::max(multiple, page));
      got = take(size, multiple);
    }
    sheaf::barrier(*here.world);
    return got;
  });
}

}  // namespace

void end_heap() {
  for (heap_region const& one : heap) here.memory->deallocate(one.taken, one.taken_bytes);
  heap.clear();
  idle.clear();
  used.clear();
}

}  // namespace sheaf_shmem

using namespace sheaf_shmem;

void* shmem_malloc(size_t size) { return allocate("shmem_malloc", size, line); }
void* shmem_malloc_with_hints(size_t size, long) { return shmem_malloc(size); }
void* shmem_align(size_t alignment, size_t size) { return allocate("shmem_align", size, alignment); }

void* shmem_calloc(size_t count, size_t size) {
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) return nullptr;
  void* const got = allocate("shmem_calloc", bytes, line);
  if (got == nullptr) return got;
  std::memset(got, 0, bytes);
  shmem_barrier_all();
  return got;
}

void shmem_free(void* ptr) {
  check_begun("shmem_free");
  if (ptr == nullptr) return;
  shmem_barrier_all();
  give_back(piece_of("shmem_free", ptr));
}

void* shmem_realloc(void* ptr, size_t size) {
  check_begun("shmem_realloc");
  if (ptr == nullptr || size == 0) {
    shmem_free(ptr);
    return shmem_malloc(size);
  }
  std::uint64_t const before = piece_of("shmem_realloc", ptr)->second;
  shmem_barrier_all();
  void* const got = shmem_malloc(size);
  std::memcpy(got, ptr, std::min<std::uint64_t>(before, size));
  shmem_free(ptr);
  return got;
}
