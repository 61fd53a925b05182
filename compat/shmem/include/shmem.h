/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The Sheaf authors
 *
 * OpenSHMEM's C interface over Sheaf's one-sided memory: the calls of 1.5 but for contexts and profiling, with those of
 * active sets. What a call does is in the OpenSHMEM specification; docs/guide/shmem.md says what is different here. */
#ifndef SHEAF_SHMEM_H
#define SHEAF_SHMEM_H

#include "shmem_types.h"

#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 5
#define SHMEM_MAX_NAME_LEN 64
#define SHMEM_VENDOR_STRING "Sheaf"

enum { SHMEM_THREAD_SINGLE, SHMEM_THREAD_FUNNELED, SHMEM_THREAD_SERIALIZED, SHMEM_THREAD_MULTIPLE };
enum { SHMEM_CMP_EQ = 1, SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_GE, SHMEM_CMP_LT, SHMEM_CMP_LE };
enum { SHMEM_SIGNAL_SET = 1, SHMEM_SIGNAL_ADD };
enum { SHMEM_MALLOC_ATOMICS_REMOTE = 1, SHMEM_MALLOC_SIGNAL_REMOTE = 2 };

/* Work arrays of active sets: nothing is kept in them. */
#define SHMEM_SYNC_VALUE 0L
enum {
  SHMEM_SYNC_SIZE = 1,
  SHMEM_BARRIER_SYNC_SIZE = 1,
  SHMEM_BCAST_SYNC_SIZE = 1,
  SHMEM_COLLECT_SYNC_SIZE = 1,
  SHMEM_ALLTOALL_SYNC_SIZE = 1,
  SHMEM_ALLTOALLS_SYNC_SIZE = 1,
  SHMEM_REDUCE_SYNC_SIZE = 1,
  SHMEM_REDUCE_MIN_WRKDATA_SIZE = 1
};

#ifdef __cplusplus
extern "C" {
#endif

typedef struct shmem_team* shmem_team_t;
typedef struct {
  int num_contexts;
} shmem_team_config_t;
extern shmem_team_t const SHMEM_TEAM_WORLD;
extern shmem_team_t const SHMEM_TEAM_SHARED;
#define SHMEM_TEAM_INVALID ((shmem_team_t)0)

/* The library, and who one is. */
void shmem_init(void);
int shmem_init_thread(int requested, int* provided);
void shmem_query_thread(int* provided);
void shmem_finalize(void);
void shmem_global_exit(int status);
void start_pes(int unused);
int shmem_my_pe(void);
int shmem_n_pes(void);
int _my_pe(void);
int _num_pes(void);
int shmem_pe_accessible(int pe);
int shmem_addr_accessible(void const* addr, int pe);
void shmem_info_get_version(int* major, int* minor);
void shmem_info_get_name(char* name);

/* Symmetric memory. */
void* shmem_malloc(size_t size);
void* shmem_malloc_with_hints(size_t size, long hints);
void* shmem_calloc(size_t count, size_t size);
void* shmem_align(size_t alignment, size_t size);
void* shmem_realloc(void* ptr, size_t size);
void shmem_free(void* ptr);
void* shmem_ptr(void const* dest, int pe);

/* Transfers. */
#define SHMEM_DECLARE(name, type)                                                                                    \
  void shmem_##name##_put(type* dest, type const* source, size_t nelems, int pe);                                    \
  void shmem_##name##_get(type* dest, type const* source, size_t nelems, int pe);                                    \
  void shmem_##name##_put_nbi(type* dest, type const* source, size_t nelems, int pe);                                \
  void shmem_##name##_get_nbi(type* dest, type const* source, size_t nelems, int pe);                                \
  void shmem_##name##_iput(type* dest, type const* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);     \
  void shmem_##name##_iget(type* dest, type const* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);     \
  void shmem_##name##_p(type* dest, type value, int pe);                                                             \
  type shmem_##name##_g(type const* source, int pe);                                                                 \
  void shmem_##name##_put_signal(type* dest, type const* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, \
                                 int sig_op, int pe);                                                                \
  void shmem_##name##_put_signal_nbi(type* dest, type const* source, size_t nelems, uint64_t* sig_addr,              \
                                     uint64_t signal, int sig_op, int pe);
SHMEM_RMA_TYPES(SHMEM_DECLARE)
#undef SHMEM_DECLARE

#define SHMEM_DECLARE_MOVES(bits)                                                                                   \
  void shmem_put##bits(void* dest, void const* source, size_t nelems, int pe);                                      \
  void shmem_get##bits(void* dest, void const* source, size_t nelems, int pe);                                      \
  void shmem_put##bits##_nbi(void* dest, void const* source, size_t nelems, int pe);                                \
  void shmem_get##bits##_nbi(void* dest, void const* source, size_t nelems, int pe);                                \
  void shmem_put##bits##_signal(void* dest, void const* source, size_t nelems, uint64_t* sig_addr, uint64_t signal, \
                                int sig_op, int pe);                                                                \
  void shmem_put##bits##_signal_nbi(void* dest, void const* source, size_t nelems, uint64_t* sig_addr,              \
                                    uint64_t signal, int sig_op, int pe);
#define SHMEM_DECLARE(bits, bytes)                                                                            \
  SHMEM_DECLARE_MOVES(bits)                                                                                   \
  void shmem_iput##bits(void* dest, void const* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe); \
  void shmem_iget##bits(void* dest, void const* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_SIZES(SHMEM_DECLARE)
SHMEM_DECLARE_MOVES(mem)
#undef SHMEM_DECLARE
#undef SHMEM_DECLARE_MOVES
uint64_t shmem_signal_fetch(uint64_t const* sig_addr);
void shmem_quiet(void);
void shmem_fence(void);

/* Atomics. */
#define SHMEM_DECLARE(name, type)                                                \
  type shmem_##name##_atomic_fetch(type const* source, int pe);                  \
  void shmem_##name##_atomic_set(type* dest, type value, int pe);                \
  type shmem_##name##_atomic_swap(type* dest, type value, int pe);               \
  void shmem_##name##_atomic_fetch_nbi(type* fetch, type const* source, int pe); \
  void shmem_##name##_atomic_swap_nbi(type* fetch, type* dest, type value, int pe);
SHMEM_EXTENDED_TYPES(SHMEM_DECLARE)
#undef SHMEM_DECLARE
#define SHMEM_DECLARE(name, type)                                                                      \
  type shmem_##name##_atomic_compare_swap(type* dest, type cond, type value, int pe);                  \
  void shmem_##name##_atomic_compare_swap_nbi(type* fetch, type* dest, type cond, type value, int pe); \
  type shmem_##name##_atomic_fetch_inc(type* dest, int pe);                                            \
  void shmem_##name##_atomic_fetch_inc_nbi(type* fetch, type* dest, int pe);                           \
  void shmem_##name##_atomic_inc(type* dest, int pe);                                                  \
  type shmem_##name##_atomic_fetch_add(type* dest, type value, int pe);                                \
  void shmem_##name##_atomic_fetch_add_nbi(type* fetch, type* dest, type value, int pe);               \
  void shmem_##name##_atomic_add(type* dest, type value, int pe);
SHMEM_AMO_TYPES(SHMEM_DECLARE)
#undef SHMEM_DECLARE
#define SHMEM_DECLARE_BITS(name, type, op)                                                  \
  type shmem_##name##_atomic_fetch_##op(type* dest, type value, int pe);                    \
  void shmem_##name##_atomic_fetch_##op##_nbi(type* fetch, type* dest, type value, int pe); \
  void shmem_##name##_atomic_##op(type* dest, type value, int pe);
#define SHMEM_DECLARE(name, type)     \
  SHMEM_DECLARE_BITS(name, type, and) \
  SHMEM_DECLARE_BITS(name, type, or)  \
  SHMEM_DECLARE_BITS(name, type, xor)
SHMEM_BIT_TYPES(SHMEM_DECLARE)
#undef SHMEM_DECLARE
#undef SHMEM_DECLARE_BITS

/* Waits for words of one's own. */
#define SHMEM_DECLARE(name, type)                                                                                \
  void shmem_##name##_wait_until(type* ivar, int cmp, type value);                                               \
  void shmem_##name##_wait_until_all(type* ivars, size_t nelems, int const* status, int cmp, type value);        \
  size_t shmem_##name##_wait_until_any(type* ivars, size_t nelems, int const* status, int cmp, type value);      \
  size_t shmem_##name##_wait_until_some(type* ivars, size_t nelems, size_t* indices, int const* status, int cmp, \
                                        type value);                                                             \
  int shmem_##name##_test(type* ivar, int cmp, type value);                                                      \
  int shmem_##name##_test_all(type* ivars, size_t nelems, int const* status, int cmp, type value);               \
  size_t shmem_##name##_test_any(type* ivars, size_t nelems, int const* status, int cmp, type value);            \
  size_t shmem_##name##_test_some(type* ivars, size_t nelems, size_t* indices, int const* status, int cmp, type value);
SHMEM_AMO_TYPES(SHMEM_DECLARE)
#undef SHMEM_DECLARE
uint64_t shmem_signal_wait_until(uint64_t* sig_addr, int cmp, uint64_t cmp_value);

/* Locks. */
void shmem_set_lock(long* lock);
void shmem_clear_lock(long* lock);
int shmem_test_lock(long* lock);

/* Teams. */
int shmem_team_my_pe(shmem_team_t team);
int shmem_team_n_pes(shmem_team_t team);
int shmem_team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team);
int shmem_team_split_strided(shmem_team_t parent, int start, int stride, int size, shmem_team_config_t const* config,
                             long config_mask, shmem_team_t* new_team);
void shmem_team_destroy(shmem_team_t team);

/* Collectives. */
void shmem_barrier_all(void);
void shmem_sync_all(void);
void shmem_barrier(int PE_start, int logPE_stride, int PE_size, long* pSync);
void shmem_sync(int PE_start, int logPE_stride, int PE_size, long* pSync);
int shmem_team_sync(shmem_team_t team);
#define SHMEM_DECLARE(bits, bytes)                                                                                     \
  void shmem_broadcast##bits(void* dest, void const* source, size_t nelems, int PE_root, int PE_start,                 \
                             int logPE_stride, int PE_size, long* pSync);                                              \
  void shmem_collect##bits(void* dest, void const* source, size_t nelems, int PE_start, int logPE_stride, int PE_size, \
                           long* pSync);                                                                               \
  void shmem_fcollect##bits(void* dest, void const* source, size_t nelems, int PE_start, int logPE_stride,             \
                            int PE_size, long* pSync);                                                                 \
  void shmem_alltoall##bits(void* dest, void const* source, size_t nelems, int PE_start, int logPE_stride,             \
                            int PE_size, long* pSync);                                                                 \
  void shmem_alltoalls##bits(void* dest, void const* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,              \
                             int PE_start, int logPE_stride, int PE_size, long* pSync);
SHMEM_DECLARE(32, 4)
SHMEM_DECLARE(64, 8)
#undef SHMEM_DECLARE
#define SHMEM_DECLARE(name, type)                                                                               \
  int shmem_##name##_broadcast(shmem_team_t team, type* dest, type const* source, size_t nelems, int PE_root);  \
  int shmem_##name##_collect(shmem_team_t team, type* dest, type const* source, size_t nelems);                 \
  int shmem_##name##_fcollect(shmem_team_t team, type* dest, type const* source, size_t nelems);                \
  int shmem_##name##_alltoall(shmem_team_t team, type* dest, type const* source, size_t nelems);                \
  int shmem_##name##_alltoalls(shmem_team_t team, type* dest, type const* source, ptrdiff_t dst, ptrdiff_t sst, \
                               size_t nelems);
SHMEM_RMA_TYPES(SHMEM_DECLARE)
#undef SHMEM_DECLARE
int shmem_broadcastmem(shmem_team_t team, void* dest, void const* source, size_t nelems, int PE_root);
int shmem_collectmem(shmem_team_t team, void* dest, void const* source, size_t nelems);
int shmem_fcollectmem(shmem_team_t team, void* dest, void const* source, size_t nelems);
int shmem_alltoallmem(shmem_team_t team, void* dest, void const* source, size_t nelems);
int shmem_alltoallsmem(shmem_team_t team, void* dest, void const* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);

#define SHMEM_DECLARE_SET(name, type, op)                                                                        \
  void shmem_##name##_##op##_to_all(type* dest, type const* source, int nreduce, int PE_start, int logPE_stride, \
                                    int PE_size, type* pWrk, long* pSync);
#define SHMEM_DECLARE_TEAM(name, type, op) \
  int shmem_##name##_##op##_reduce(shmem_team_t team, type* dest, type const* source, size_t nreduce);
#include "shmem_reductions.h"
#undef SHMEM_DECLARE_SET
#undef SHMEM_DECLARE_TEAM

#ifdef __cplusplus
}
#elif __STDC_VERSION__ >= 201112L
#include "shmem_generic.h"
#endif

#endif
