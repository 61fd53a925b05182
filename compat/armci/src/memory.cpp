// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <new>
#include <sstream>
#include <unordered_map>

#include "allocations.hpp"
#include "parts.hpp"
#include "process.hpp"

namespace sheaf_armci {
namespace {

constexpr std::uint64_t no_memory = ~std::uint64_t{0};  // in place of an address

std::mutex guard;
std::unordered_map<void*, std::size_t> sizes;  ///< of what is taken

sheaf::host_memory& shared_memory() { return here.memory->here.connection().memory(); }

std::string text_of(void const* pointer) {
  std::ostringstream text;
  text << pointer;
  return text.str();
}

ARMCI_Group& checked_group(char const* function, ARMCI_Group* group) {
  check_begun(function);
  if (group == nullptr || group->size <= 0) fail(function, "the caller is not in the group; its members call it");
  return *group;
}

std::uint64_t address_or_none(std::size_t bytes) {
  try {
    return sheaf::detail::address_of(take(bytes));
  } catch (std::bad_alloc const&) {
    return no_memory;
  }
}

int allocate(char const* function, void** pointers, long bytes, ARMCI_Group* among) {
  ARMCI_Group& group = checked_group(function, among);
  std::size_t const asked = checked_bytes(function, bytes);
  int problem = 0;
  translated(function, [&](one_sided&) {
    std::uint64_t const mine = address_or_none(asked);
    std::vector<std::uint64_t> all = exchanged(mine, group.comm);
    if (std::find(all.begin(), all.end(), no_memory) != all.end()) {
      problem = 1;
      if (mine != no_memory) give_back(function, reinterpret_cast<void*>(mine));
      std::fill(all.begin(), all.end(), 0);
    }
    std::transform(all.begin(), all.end(), pointers, [](std::uint64_t a) { return reinterpret_cast<void*>(a); });
  });
  return problem;
}

int release(char const* function, void* pointer, ARMCI_Group* among) {
  ARMCI_Group& group = checked_group(function, among);
  translated(function, [&](one_sided& by) {
    by.fence_all();
    MPI_Barrier(group.comm);
    give_back(function, pointer);
  });
  return 0;
}

}  // namespace

void* take(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  std::byte* const made = shared_memory().take(bytes);
  std::lock_guard const locked(guard);
  sizes.emplace(made, bytes);
  return made;
}

void* take_zeros(std::size_t bytes) {
  void* const made = take(bytes);
  if (bytes != 0) std::memset(made, 0, bytes);
  return made;
}

void give_back(char const* function, void* memory) {
  if (memory == nullptr) return;
  std::size_t bytes = 0;
  {
    std::lock_guard const locked(guard);
    auto const found = sizes.find(memory);
    if (found == sizes.end()) {
      fail(function, text_of(memory) +
                         " is not a pointer that ARMCI_Malloc or ARMCI_Malloc_local has given to this "
                         "process, or it has been freed; free each once, at its own process");
    }
    bytes = found->second;
    sizes.erase(found);
  }
  shared_memory().give_back(static_cast<std::byte*>(memory), bytes);
}

void end_allocations() {
  for (auto const& [memory, bytes] : sizes) shared_memory().give_back(static_cast<std::byte*>(memory), bytes);
  sizes.clear();
}

}  // namespace sheaf_armci

using namespace sheaf_armci;

int PARMCI_Malloc(void** base_ptrs, armci_size_t size) {
  return allocate("ARMCI_Malloc", base_ptrs, size, &here.world);
}
int PARMCI_Free(void* ptr) { return release("ARMCI_Free", ptr, &here.world); }

int ARMCI_Malloc_group(void** ptr_arr, armci_size_t bytes, ARMCI_Group* group) {
  return allocate("ARMCI_Malloc_group", ptr_arr, bytes, group);
}
int ARMCI_Free_group(void* ptr, ARMCI_Group* group) { return release("ARMCI_Free_group", ptr, group); }

void* PARMCI_Malloc_local(armci_size_t size) {
  constexpr char const* function = "ARMCI_Malloc_local";
  check_begun(function);
  std::size_t const bytes = checked_bytes(function, size);
  try {
    return take(std::max<std::size_t>(bytes, 1));
  } catch (std::bad_alloc const&) {
    return nullptr;
  }
}

int PARMCI_Free_local(void* ptr) {
  constexpr char const* function = "ARMCI_Free_local";
  check_begun(function);
  translated(function, [&](one_sided&) { give_back(function, ptr); });
  return 0;
}

int PARMCI_Malloc_memdev(void** ptr_arr, armci_size_t bytes, char const*) {
  return allocate("ARMCI_Malloc_memdev", ptr_arr, bytes, &here.world);
}
int PARMCI_Malloc_group_memdev(void** ptr_arr, armci_size_t bytes, ARMCI_Group* group, char const*) {
  return allocate("ARMCI_Malloc_group_memdev", ptr_arr, bytes, group);
}
int PARMCI_Free_memdev(void* ptr) { return release("ARMCI_Free_memdev", ptr, &here.world); }

// Processes of a host see each other's stores as they are; only their order is at stake.
void PARMCI_Access_begin(void*) { std::atomic_thread_fence(std::memory_order_seq_cst); }
void PARMCI_Access_end(void*) { std::atomic_thread_fence(std::memory_order_seq_cst); }

void ARMCI_Copy(void* src, void* dst, int size) { std::memmove(dst, src, checked_bytes("ARMCI_Copy", size)); }

SHEAF_ARMCI_NAME(Malloc);
SHEAF_ARMCI_NAME(Free);
SHEAF_ARMCI_NAME(Malloc_local);
SHEAF_ARMCI_NAME(Free_local);
SHEAF_ARMCI_NAME(Malloc_memdev);
SHEAF_ARMCI_NAME(Malloc_group_memdev);
SHEAF_ARMCI_NAME(Free_memdev);
SHEAF_ARMCI_NAME(Access_begin);
SHEAF_ARMCI_NAME(Access_end);
