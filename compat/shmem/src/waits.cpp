// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <sched.h>

#include <atomic>
#include <type_traits>

#include "process.hpp"

namespace sheaf_shmem {
namespace {

template <class T>
bool holds(T value, int cmp, T other) {
  switch (cmp) {
    case SHMEM_CMP_EQ:
      return value == other;
    case SHMEM_CMP_NE:
      return value != other;
    case SHMEM_CMP_GT:
      return value > other;
    case SHMEM_CMP_GE:
      return value >= other;
    case SHMEM_CMP_LT:
      return value < other;
    default:
      return value <= other;
  }
}

/// Words at home, without those that `status` leaves out, and what they are compared with.
template <class T>
struct words {
  T* first;
  std::size_t count;
  int const* status;
  int cmp;
  T value;

  [[nodiscard]] bool counts(std::size_t i) const { return status == nullptr || status[i] == 0; }
  [[nodiscard]] bool holds_for(std::size_t i) const {
    return holds(std::atomic_ref<T>(first[i]).load(std::memory_order_acquire), cmp, value);
  }
  /// The first that counts and holds; SIZE_MAX: none.
  [[nodiscard]] std::size_t any() const {
    for (std::size_t i = 0; i < count; ++i) {
      if (counts(i) && holds_for(i)) return i;
    }
    return SIZE_MAX;
  }
  [[nodiscard]] bool all() const {
    for (std::size_t i = 0; i < count; ++i) {
      if (counts(i) && !holds_for(i)) return false;
    }
    return true;
  }
  std::size_t some(std::size_t* indices) const {
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (counts(i) && holds_for(i)) indices[found++] = i;
    }
    return found;
  }
  /// Nothing to wait for.
  [[nodiscard]] bool none_counts() const {
    for (std::size_t i = 0; i < count; ++i) {
      if (counts(i)) return false;
    }
    return true;
  }
};

void check_comparison(char const* function, int cmp) {
  check_begun(function);
  if (cmp < SHMEM_CMP_EQ || cmp > SHMEM_CMP_LE) {
    fail(function, "the comparison is " + std::to_string(cmp) + "; pass SHMEM_CMP_EQ to SHMEM_CMP_LE");
  }
}

/// Until `done()`; Sheaf goes on meanwhile.
template <class Done>
void wait_for(char const* function, int cmp, Done const& done) {
  check_comparison(function, cmp);
  translated(function, [&](one_sided& by) {
    by.wait_for(
        function, {}, [](void const* of) { return (*static_cast<Done const*>(of))(); }, &done);
  });
}

/// A program tests in a loop: others of this core go on, too.
template <class Found>
Found tested(char const* function, int cmp, bool good, Found found) {
  check_comparison(function, cmp);
  if (!good) sched_yield();
  return found;
}

}  // namespace
}  // namespace sheaf_shmem

using namespace sheaf_shmem;

#define SHEAF_DEFINE(name, type)                                                                                  \
  void shmem_##name##_wait_until(type* ivar, int cmp, type value) {                                               \
    wait_for("shmem_" #name "_wait_until", cmp, [&] { return words<type>{ivar, 1, nullptr, cmp, value}.all(); }); \
  }                                                                                                               \
  void shmem_##name##_wait_until_all(type* ivars, size_t nelems, int const* status, int cmp, type value) {        \
    words<type> const all{ivars, nelems, status, cmp, value};                                                     \
    wait_for("shmem_" #name "_wait_until_all", cmp, [&] { return all.all(); });                                   \
  }                                                                                                               \
  size_t shmem_##name##_wait_until_any(type* ivars, size_t nelems, int const* status, int cmp, type value) {      \
    words<type> const all{ivars, nelems, status, cmp, value};                                                     \
    size_t found = SIZE_MAX;                                                                                      \
    if (all.none_counts()) return found;                                                                          \
    wait_for("shmem_" #name "_wait_until_any", cmp, [&] { return (found = all.any()) != SIZE_MAX; });             \
    return found;                                                                                                 \
  }                                                                                                               \
  size_t shmem_##name##_wait_until_some(type* ivars, size_t nelems, size_t* indices, int const* status, int cmp,  \
                                        type value) {                                                             \
    words<type> const all{ivars, nelems, status, cmp, value};                                                     \
    size_t found = 0;                                                                                             \
    if (all.none_counts()) return found;                                                                          \
    wait_for("shmem_" #name "_wait_until_some", cmp, [&] { return (found = all.some(indices)) != 0; });           \
    return found;                                                                                                 \
  }                                                                                                               \
  int shmem_##name##_test(type* ivar, int cmp, type value) {                                                      \
    bool const good = words<type>{ivar, 1, nullptr, cmp, value}.all();                                            \
    return tested("shmem_" #name "_test", cmp, good, good ? 1 : 0);                                               \
  }                                                                                                               \
  int shmem_##name##_test_all(type* ivars, size_t nelems, int const* status, int cmp, type value) {               \
    bool const good = words<type>{ivars, nelems, status, cmp, value}.all();                                       \
    return tested("shmem_" #name "_test_all", cmp, good, good ? 1 : 0);                                           \
  }                                                                                                               \
  size_t shmem_##name##_test_any(type* ivars, size_t nelems, int const* status, int cmp, type value) {            \
    size_t const found = words<type>{ivars, nelems, status, cmp, value}.any();                                    \
    return tested("shmem_" #name "_test_any", cmp, found != SIZE_MAX, found);                                     \
  }                                                                                                               \
  size_t shmem_##name##_test_some(type* ivars, size_t nelems, size_t* indices, int const* status, int cmp,        \
                                  type value) {                                                                   \
    size_t const found = words<type>{ivars, nelems, status, cmp, value}.some(indices);                            \
    return tested("shmem_" #name "_test_some", cmp, found != 0, found);                                           \
  }
SHMEM_AMO_TYPES(SHEAF_DEFINE)

uint64_t shmem_signal_fetch(uint64_t const* sig_addr) {
  return std::atomic_ref<uint64_t>(*const_cast<uint64_t*>(sig_addr)).load(std::memory_order_acquire);
}
uint64_t shmem_signal_wait_until(uint64_t* sig_addr, int cmp, uint64_t cmp_value) {
  uint64_t value = 0;
  wait_for("shmem_signal_wait_until", cmp,
           [&] { return holds<uint64_t>(value = shmem_signal_fetch(sig_addr), cmp, cmp_value); });
  return value;
}
