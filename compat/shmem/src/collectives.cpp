// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/runtime/collectives.hpp"

#include <cstring>
#include <span>

#include "teams.hpp"

namespace sheaf_shmem {
namespace {

using sheaf::team;

void broadcast(team const& set, void* dest, void const* source, std::size_t bytes, int root, bool to_root) {
  bool const mine = static_cast<int>(set.rank()) == root;
  void* const at = mine ? const_cast<void*>(source) : dest;  // the root's values are not changed
  sheaf::broadcast(set, static_cast<std::uint64_t>(root), std::span(static_cast<std::byte*>(at), bytes));
  if (mine && to_root && dest != source) std::memcpy(dest, source, bytes);
}

/// Blocks may differ.
void collect(team const& set, void* dest, void const* source, std::size_t bytes) {
  auto const* const first = static_cast<std::byte const*>(source);
  auto const all = sheaf::all_gather(set, std::vector<std::byte>(first, first + bytes));
  auto* to = static_cast<std::byte*>(dest);
  for (auto const& block : all) to = std::copy(block.begin(), block.end(), to);
}

void fcollect(team const& set, void* dest, void const* source, std::size_t bytes) {
  auto const all = sheaf::all_gather(set, std::span(static_cast<std::byte const*>(source), bytes));
  std::copy(all.begin(), all.end(), static_cast<std::byte*>(dest));
}

/// Everybody gets its block of all others' source: `count` elements, so many of them apart. Blocks follow each other.
void alltoall(char const* function, team const& set, void* dest, void const* source, std::ptrdiff_t dst,
              std::ptrdiff_t sst, std::size_t element, std::size_t count) {
  sheaf::barrier(set);
  std::size_t const bytes = element * count;
  std::ptrdiff_t const far_step = sst * static_cast<std::ptrdiff_t>(element),
                       step = dst * static_cast<std::ptrdiff_t>(element);
  for (std::uint32_t i = 0; bytes != 0 && i < set.size(); ++i) {
    std::uint32_t const from = (set.rank() + i) % set.size();
    auto const* const block =
        static_cast<std::byte const*>(source) + set.rank() * far_step * static_cast<std::ptrdiff_t>(count);
    place const at = remote(function, block, static_cast<int>(number(set.location_of(from))));
    auto* const to = static_cast<std::byte*>(dest) + from * step * static_cast<std::ptrdiff_t>(count);
    here.memory->async_get(at.where, {at.here(), element, {&count, 1}, {&far_step, 1}},
                           {to, element, {&count, 1}, {&step, 1}});
    here.memory->arrive(at.where);
  }
  sheaf::barrier(set);
}

template <class T, class Op>
void reduce(team const& set, T* dest, T const* source, std::size_t count, Op const& op) {
  std::vector<T> values(source, source + count);
  sheaf::all_reduce(set, std::span(values), op);
  std::copy(values.begin(), values.end(), dest);
}

constexpr auto op_and = [](auto a, auto b) { return static_cast<decltype(a)>(a & b); };
constexpr auto op_or = [](auto a, auto b) { return static_cast<decltype(a)>(a | b); };
constexpr auto op_xor = [](auto a, auto b) { return static_cast<decltype(a)>(a ^ b); };
constexpr auto op_min = [](auto a, auto b) { return b < a ? b : a; };
constexpr auto op_max = [](auto a, auto b) { return a < b ? b : a; };
constexpr auto op_sum = [](auto a, auto b) { return static_cast<decltype(a)>(a + b); };
constexpr auto op_prod = [](auto a, auto b) { return static_cast<decltype(a)>(a * b); };

/// f(the team), and 0 for those that return it.
template <class F, class... Set>
int with(char const* function, F const& f, Set... set) noexcept {
  return translated(function, [&](one_sided&) {
    f(members_of(function, set...));
    return 0;
  });
}

void complete_and_meet(team const& set) {
  here.memory->fence_all();
  sheaf::barrier(set);
}
void meet(team const& set) { sheaf::barrier(set); }

}  // namespace
}  // namespace sheaf_shmem

using namespace sheaf_shmem;

void shmem_barrier_all() { with("shmem_barrier_all", complete_and_meet, SHMEM_TEAM_WORLD); }
void shmem_sync_all() { with("shmem_sync_all", meet, SHMEM_TEAM_WORLD); }
void shmem_barrier(int PE_start, int logPE_stride, int PE_size, long*) {
  with("shmem_barrier", complete_and_meet, PE_start, logPE_stride, PE_size);
}
void shmem_sync(int PE_start, int logPE_stride, int PE_size, long*) {
  with("shmem_sync", meet, PE_start, logPE_stride, PE_size);
}
int shmem_team_sync(shmem_team_t team) { return with("shmem_team_sync", meet, team); }

#define SHEAF_SET PE_start, logPE_stride, PE_size
#define SHEAF_DEFINE(bits, bytes)                                                                                      \
  void shmem_broadcast##bits(void* dest, void const* source, size_t nelems, int PE_root, int PE_start,                 \
                             int logPE_stride, int PE_size, long*) {                                                   \
    with(                                                                                                              \
        "shmem_broadcast" #bits, [&](auto& set) { broadcast(set, dest, source, nelems*(bytes), PE_root, false); },     \
        SHEAF_SET);                                                                                                    \
  }                                                                                                                    \
  void shmem_collect##bits(void* dest, void const* source, size_t nelems, int PE_start, int logPE_stride, int PE_size, \
                           long*) {                                                                                    \
    with(                                                                                                              \
        "shmem_collect" #bits, [&](auto& set) { collect(set, dest, source, nelems*(bytes)); }, SHEAF_SET);             \
  }                                                                                                                    \
  void shmem_fcollect##bits(void* dest, void const* source, size_t nelems, int PE_start, int logPE_stride,             \
                            int PE_size, long*) {                                                                      \
    with(                                                                                                              \
        "shmem_fcollect" #bits, [&](auto& set) { fcollect(set, dest, source, nelems*(bytes)); }, SHEAF_SET);           \
  }                                                                                                                    \
  void shmem_alltoall##bits(void* dest, void const* source, size_t nelems, int PE_start, int logPE_stride,             \
                            int PE_size, long* pSync) {                                                                \
    shmem_alltoalls##bits(dest, source, 1, 1, nelems, SHEAF_SET, pSync);                                               \
  }                                                                                                                    \
  void shmem_alltoalls##bits(void* dest, void const* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,              \
                             int PE_start, int logPE_stride, int PE_size, long*) {                                     \
    char const* const name = "shmem_alltoalls" #bits;                                                                  \
    with(                                                                                                              \
        name, [&](auto& set) { alltoall(name, set, dest, source, dst, sst, bytes, nelems); }, SHEAF_SET);              \
  }
SHEAF_DEFINE(32, 4)
SHEAF_DEFINE(64, 8)
#undef SHEAF_DEFINE

#define SHEAF_OF_TEAM(prefix, suffix, type, bytes)                                                                   \
  int shmem_##prefix##broadcast##suffix(shmem_team_t team, type* dest, type const* source, size_t nelems,            \
                                        int PE_root) {                                                               \
    return with(                                                                                                     \
        "shmem_" #prefix "broadcast" #suffix,                                                                        \
        [&](auto& set) { broadcast(set, dest, source, nelems*(bytes), PE_root, true); }, team);                      \
  }                                                                                                                  \
  int shmem_##prefix##collect##suffix(shmem_team_t team, type* dest, type const* source, size_t nelems) {            \
    return with(                                                                                                     \
        "shmem_" #prefix "collect" #suffix, [&](auto& set) { collect(set, dest, source, nelems*(bytes)); }, team);   \
  }                                                                                                                  \
  int shmem_##prefix##fcollect##suffix(shmem_team_t team, type* dest, type const* source, size_t nelems) {           \
    return with(                                                                                                     \
        "shmem_" #prefix "fcollect" #suffix, [&](auto& set) { fcollect(set, dest, source, nelems*(bytes)); }, team); \
  }                                                                                                                  \
  int shmem_##prefix##alltoall##suffix(shmem_team_t team, type* dest, type const* source, size_t nelems) {           \
    return shmem_##prefix##alltoalls##suffix(team, dest, source, 1, 1, nelems);                                      \
  }                                                                                                                  \
  int shmem_##prefix##alltoalls##suffix(shmem_team_t team, type* dest, type const* source, ptrdiff_t dst,            \
                                        ptrdiff_t sst, size_t nelems) {                                              \
    char const* const name = "shmem_" #prefix "alltoalls" #suffix;                                                   \
    return with(                                                                                                     \
        name, [&](auto& set) { alltoall(name, set, dest, source, dst, sst, bytes, nelems); }, team);                 \
  }
#define SHEAF_DEFINE(name, type) SHEAF_OF_TEAM(name##_, , type, sizeof(type))
SHMEM_RMA_TYPES(SHEAF_DEFINE)
SHEAF_OF_TEAM(, mem, void, 1)

#define SHMEM_DECLARE_SET(name, type, op)                                                                        \
  void shmem_##name##_##op##_to_all(type* dest, type const* source, int nreduce, int PE_start, int logPE_stride, \
                                    int PE_size, type*, long*) {                                                 \
    with(                                                                                                        \
        "shmem_" #name "_" #op "_to_all",                                                                        \
        [&](auto& set) { reduce(set, dest, source, static_cast<std::size_t>(nreduce), op_##op); }, SHEAF_SET);   \
  }
#define SHMEM_DECLARE_TEAM(name, type, op)                                                                        \
  int shmem_##name##_##op##_reduce(shmem_team_t team, type* dest, type const* source, size_t nreduce) {           \
    return with(                                                                                                  \
        "shmem_" #name "_" #op "_reduce", [&](auto& set) { reduce(set, dest, source, nreduce, op_##op); }, team); \
  }
#include "shmem_reductions.h"
