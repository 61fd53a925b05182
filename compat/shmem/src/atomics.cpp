// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <bit>

#include "process.hpp"

namespace sheaf_shmem {
namespace {

/// The old value of a word there, which changes.
template <class T>
T change(char const* function, change_kind how, T const* at, int pe, T operand = T{}, T expected = T{}) {
  using word = std::conditional_t<sizeof(T) == sizeof(std::uint32_t), std::uint32_t, std::uint64_t>;
  place const to = remote(function, at, pe);
  return translated(function, [&](one_sided& by) {
    return std::bit_cast<T>(
        static_cast<word>(by.change(to, sizeof(T), how, std::bit_cast<word>(operand), std::bit_cast<word>(expected))));
  });
}

}  // namespace
}  // namespace sheaf_shmem

using namespace sheaf_shmem;

#define SHEAF_DEFINE(name, type)                                                            \
  type shmem_##name##_atomic_fetch(type const* source, int pe) {                            \
    return change("shmem_" #name "_atomic_fetch", change_kind::load, source, pe);           \
  }                                                                                         \
  void shmem_##name##_atomic_set(type* dest, type value, int pe) {                          \
    change<type>("shmem_" #name "_atomic_set", change_kind::store, dest, pe, value);        \
  }                                                                                         \
  type shmem_##name##_atomic_swap(type* dest, type value, int pe) {                         \
    return change<type>("shmem_" #name "_atomic_swap", change_kind::swap, dest, pe, value); \
  }                                                                                         \
  void shmem_##name##_atomic_fetch_nbi(type* fetch, type const* source, int pe) {           \
    *fetch = shmem_##name##_atomic_fetch(source, pe);                                       \
  }                                                                                         \
  void shmem_##name##_atomic_swap_nbi(type* fetch, type* dest, type value, int pe) {        \
    *fetch = shmem_##name##_atomic_swap(dest, value, pe);                                   \
  }
SHMEM_EXTENDED_TYPES(SHEAF_DEFINE)
#undef SHEAF_DEFINE

#define SHEAF_DEFINE(name, type)                                                                                       \
  type shmem_##name##_atomic_compare_swap(type* dest, type cond, type value, int pe) {                                 \
    return change<type>("shmem_" #name "_atomic_compare_swap", change_kind::swap_if, dest, pe, value, cond);           \
  }                                                                                                                    \
  void shmem_##name##_atomic_compare_swap_nbi(type* fetch, type* dest, type cond, type value, int pe) {                \
    *fetch = shmem_##name##_atomic_compare_swap(dest, cond, value, pe);                                                \
  }                                                                                                                    \
  type shmem_##name##_atomic_fetch_add(type* dest, type value, int pe) {                                               \
    return change<type>("shmem_" #name "_atomic_fetch_add", change_kind::add, dest, pe, value);                        \
  }                                                                                                                    \
  void shmem_##name##_atomic_fetch_add_nbi(type* fetch, type* dest, type value, int pe) {                              \
    *fetch = shmem_##name##_atomic_fetch_add(dest, value, pe);                                                         \
  }                                                                                                                    \
  void shmem_##name##_atomic_add(type* dest, type value, int pe) { shmem_##name##_atomic_fetch_add(dest, value, pe); } \
  type shmem_##name##_atomic_fetch_inc(type* dest, int pe) { return shmem_##name##_atomic_fetch_add(dest, 1, pe); }    \
  void shmem_##name##_atomic_fetch_inc_nbi(type* fetch, type* dest, int pe) {                                          \
    *fetch = shmem_##name##_atomic_fetch_inc(dest, pe);                                                                \
  }                                                                                                                    \
  void shmem_##name##_atomic_inc(type* dest, int pe) { shmem_##name##_atomic_fetch_inc(dest, pe); }
SHMEM_AMO_TYPES(SHEAF_DEFINE)
#undef SHEAF_DEFINE

#define SHEAF_DEFINE_BITS(name, type, op)                                                             \
  type shmem_##name##_atomic_fetch_##op(type* dest, type value, int pe) {                             \
    return change<type>("shmem_" #name "_atomic_fetch_" #op, change_kind::bit_##op, dest, pe, value); \
  }                                                                                                   \
  void shmem_##name##_atomic_fetch_##op##_nbi(type* fetch, type* dest, type value, int pe) {          \
    *fetch = shmem_##name##_atomic_fetch_##op(dest, value, pe);                                       \
  }                                                                                                   \
  void shmem_##name##_atomic_##op(type* dest, type value, int pe) { shmem_##name##_atomic_fetch_##op(dest, value, pe); }
#define SHEAF_DEFINE(name, type)     \
  SHEAF_DEFINE_BITS(name, type, and) \
  SHEAF_DEFINE_BITS(name, type, or)  \
  SHEAF_DEFINE_BITS(name, type, xor)
SHMEM_BIT_TYPES(SHEAF_DEFINE)
#undef SHEAF_DEFINE

// A lock is the word of PE 0, zero at first.
void shmem_set_lock(long* lock) {
  place const word = remote("shmem_set_lock", lock, 0);
  translated("shmem_set_lock", [&](one_sided& by) { by.lock(word, {}); });
}
void shmem_clear_lock(long* lock) {
  place const word = remote("shmem_clear_lock", lock, 0);
  translated("shmem_clear_lock", [&](one_sided& by) { by.unlock(word, {}); });
}
int shmem_test_lock(long* lock) {
  place const word = remote("shmem_test_lock", lock, 0);
  return translated("shmem_test_lock", [&](one_sided& by) { return by.try_lock(word) ? 0 : 1; });
}
