// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "process.hpp"

namespace sheaf_shmem {
namespace {

strided row_at(std::uint64_t address, std::size_t bytes) { return {reinterpret_cast<std::byte*>(address), bytes}; }
const_strided row_of(void const* first, std::size_t bytes) { return {static_cast<std::byte const*>(first), bytes}; }

void put(char const* function, void* dest, void const* source, std::size_t bytes, int pe) {
  if (bytes == 0) return static_cast<void>(checked_pe(function, pe));
  place const to = remote(function, dest, pe);
  translated(function, [&](one_sided& by) { by.put(to.where, row_at(to.address, bytes), row_of(source, bytes)); });
}

void start_get(char const* function, void* dest, void const* source, std::size_t bytes, int pe) {
  if (bytes == 0) return static_cast<void>(checked_pe(function, pe));
  place const from = remote(function, source, pe);
  translated(function, [&](one_sided& by) {
    by.async_get(from.where, row_at(from.address, bytes), {static_cast<std::byte*>(dest), bytes});
  });
}

void arrive(char const* function, int pe) {
  translated(function, [&](one_sided& by) { by.arrive(location_id{static_cast<std::uint32_t>(pe)}); });
}

void get(char const* function, void* dest, void const* source, std::size_t bytes, int pe) {
  start_get(function, dest, source, bytes, pe);
  arrive(function, pe);
}

/// Elements that are so many of them apart.
template <class Byte>
struct spread {
  std::size_t count;
  std::ptrdiff_t step;
  sheaf::detail::basic_strided<Byte> part;

  spread(Byte* first, std::size_t element, std::ptrdiff_t apart, std::size_t elements)
      : count(elements),
        step(apart * static_cast<std::ptrdiff_t>(element)),
        part{first, element, {&count, 1}, {&step, 1}} {}
  spread& operator=(spread&&) = delete;
};

void put_spread(char const* function, void* dest, void const* source, std::ptrdiff_t dst, std::ptrdiff_t sst,
                std::size_t element, std::size_t count, int pe) {
  if (count == 0) return static_cast<void>(checked_pe(function, pe));
  place const at = remote(function, dest, pe);
  spread const to(at.here(), element, dst, count);
  spread const from(static_cast<std::byte const*>(source), element, sst, count);
  translated(function, [&](one_sided& by) { by.put(at.where, to.part, from.part); });
}

void get_spread(char const* function, void* dest, void const* source, std::ptrdiff_t dst, std::ptrdiff_t sst,
                std::size_t element, std::size_t count, int pe) {
  if (count == 0) return static_cast<void>(checked_pe(function, pe));
  place const at = remote(function, source, pe);
  spread const from(at.here(), element, sst, count);
  spread const to(static_cast<std::byte*>(dest), element, dst, count);
  translated(function, [&](one_sided& by) {
    by.async_get(at.where, from.part, to.part);
    by.arrive(at.where);
  });
}

void put_signal(char const* function, void* dest, void const* source, std::size_t bytes, std::uint64_t* sig_addr,
                std::uint64_t signal, int sig_op, int pe) {
  if (sig_op != SHMEM_SIGNAL_SET && sig_op != SHMEM_SIGNAL_ADD) {
    fail(function, "sig_op is " + std::to_string(sig_op) + "; pass SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD");
  }
  place const word = remote(function, sig_addr, pe);
  translated(function, [&](one_sided& by) {
    one_sided::gathering const together(by);
    put(function, dest, source, bytes, pe);
    by.change(word, sizeof signal, sig_op == SHMEM_SIGNAL_SET ? change_kind::store : change_kind::add, signal);
  });
}

}  // namespace
}  // namespace sheaf_shmem

using namespace sheaf_shmem;

#define SHEAF_MOVES(put_name, get_name, type, bytes)                                                                 \
  void shmem_##put_name(type* dest, type const* source, size_t nelems, int pe) {                                     \
    put("shmem_" #put_name, dest, source, nelems*(bytes), pe);                                                       \
  }                                                                                                                  \
  void shmem_##get_name(type* dest, type const* source, size_t nelems, int pe) {                                     \
    get("shmem_" #get_name, dest, source, nelems*(bytes), pe);                                                       \
  }                                                                                                                  \
  void shmem_##put_name##_nbi(type* dest, type const* source, size_t nelems, int pe) {                               \
    put("shmem_" #put_name "_nbi", dest, source, nelems*(bytes), pe);                                                \
  }                                                                                                                  \
  void shmem_##get_name##_nbi(type* dest, type const* source, size_t nelems, int pe) {                               \
    start_get("shmem_" #get_name "_nbi", dest, source, nelems*(bytes), pe);                                          \
  }                                                                                                                  \
  void shmem_##put_name##_signal(type* dest, type const* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, \
                                 int sig_op, int pe) {                                                               \
    put_signal("shmem_" #put_name "_signal", dest, source, nelems*(bytes), sig_addr, signal, sig_op, pe);            \
  }                                                                                                                  \
  void shmem_##put_name##_signal_nbi(type* dest, type const* source, size_t nelems, uint64_t* sig_addr,              \
                                     uint64_t signal, int sig_op, int pe) {                                          \
    put_signal("shmem_" #put_name "_signal_nbi", dest, source, nelems*(bytes), sig_addr, signal, sig_op, pe);        \
  }
#define SHEAF_SPREADS(put_name, get_name, type, bytes)                                                         \
  void shmem_##put_name(type* dest, type const* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { \
    put_spread("shmem_" #put_name, dest, source, dst, sst, bytes, nelems, pe);                                 \
  }                                                                                                            \
  void shmem_##get_name(type* dest, type const* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { \
    get_spread("shmem_" #get_name, dest, source, dst, sst, bytes, nelems, pe);                                 \
  }
#define SHEAF_DEFINE(name, type)                                                                                      \
  SHEAF_MOVES(name##_put, name##_get, type, sizeof(type))                                                             \
  SHEAF_SPREADS(name##_iput, name##_iget, type, sizeof(type))                                                         \
  void shmem_##name##_p(type* dest, type value, int pe) { put("shmem_" #name "_p", dest, &value, sizeof value, pe); } \
  type shmem_##name##_g(type const* source, int pe) {                                                                 \
    type value;                                                                                                       \
    get("shmem_" #name "_g", &value, source, sizeof value, pe);                                                       \
    return value;                                                                                                     \
  }
#define SHEAF_DEFINE_SIZE(bits, bytes)           \
  SHEAF_MOVES(put##bits, get##bits, void, bytes) \
  SHEAF_SPREADS(iput##bits, iget##bits, void, bytes)
SHMEM_RMA_TYPES(SHEAF_DEFINE)
SHMEM_SIZES(SHEAF_DEFINE_SIZE)
SHEAF_MOVES(putmem, getmem, void, 1)

void shmem_quiet() {
  check_begun("shmem_quiet");
  translated("shmem_quiet", [](one_sided& by) { by.fence_all(); });
}
/// Operations on one target take effect in the order of the calls anyway.
void shmem_fence() {
  check_begun("shmem_fence");
  std::atomic_thread_fence(std::memory_order_seq_cst);
}
