// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "cost/new_counter.hpp"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::uint64_t> calls{0};
std::atomic<std::int64_t> live{0};

void* counted_if_any(void* block) noexcept {
  if (block == nullptr) return nullptr;
  calls.fetch_add(1, std::memory_order_relaxed);
  live.fetch_add(static_cast<std::int64_t>(malloc_usable_size(block)), std::memory_order_relaxed);
  return block;
}

void* counted(void* block) {
  if (block == nullptr) throw std::bad_alloc();
  return counted_if_any(block);
}

void uncounted(void* block) noexcept {
  if (block == nullptr) return;
  live.fetch_sub(static_cast<std::int64_t>(malloc_usable_size(block)), std::memory_order_relaxed);
  std::free(block);
}

void* aligned(std::size_t size, std::align_val_t alignment) {
  auto const a = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(a, (size + a - 1) / a * a));
}

}  // namespace

namespace sheaf_test {

std::uint64_t news() noexcept { return calls.load(std::memory_order_relaxed); }
std::int64_t bytes_in_use() noexcept { return live.load(std::memory_order_relaxed); }

}  // namespace sheaf_test

void* operator new(std::size_t size) { return counted(std::malloc(size != 0 ? size : 1)); }
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new(std::size_t size, std::nothrow_t const&) noexcept {
  return counted_if_any(std::malloc(size != 0 ? size : 1));
}
void* operator new[](std::size_t size, std::nothrow_t const& no) noexcept { return operator new(size, no); }
void* operator new(std::size_t size, std::align_val_t a) { return aligned(size, a); }
void* operator new[](std::size_t size, std::align_val_t a) { return aligned(size, a); }
void operator delete(void* block) noexcept { uncounted(block); }
void operator delete[](void* block) noexcept { uncounted(block); }
void operator delete(void* block, std::nothrow_t const&) noexcept { uncounted(block); }
void operator delete[](void* block, std::nothrow_t const&) noexcept { uncounted(block); }
void operator delete(void* block, std::size_t) noexcept { uncounted(block); }
void operator delete[](void* block, std::size_t) noexcept { uncounted(block); }
void operator delete(void* block, std::align_val_t) noexcept { uncounted(block); }
void operator delete[](void* block, std::align_val_t) noexcept { uncounted(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { uncounted(block); }
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept { uncounted(block); }
