/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The Sheaf authors
 *
 * ARMCI, remote memory copy, over Sheaf. Source and binary compatible with ARMCI-MPI 0.3.1: the same names, layouts and
 * values. docs/guide/armci.md says how a program is compiled and linked.
 *
 * Processes are numbered as in the communicator of ARMCI_Init. Functions that return int return 0, and end the job with
 * a text that says what was wrong where a caller's argument is not legal. Operations of one process to one target take
 * effect in the order of the calls; the target takes no part. All names that begin with ARMCI_ are weak where a PARMCI_
 * name is declared, so that a profiling library can define them. */
#ifndef _ARMCI_H_
#define _ARMCI_H_

#include <mpi.h>

#define ARMCI_MPI 3 /* this is the interface of ARMCI-MPI over MPI-3 */
#define ARMCI_SHEAF 1

#define ARMCI_MAX_STRIDE_LEVEL 8

#ifdef __cplusplus
extern "C" {
#endif

typedef long armci_size_t;
#define ARMCII_MPI_SIZE_T MPI_LONG

/* --- Begin and end ---------------------------------------------------------------------------------------------------
 * Collective. MPI is started where the program has not done so, and ends then with the program. Calls may be nested:
 * the last ARMCI_Finalize ends the job. */
int ARMCI_Init(void);
int ARMCI_Init_args(int* argc, char*** argv);
int ARMCI_Init_thread(int armci_requested); /* an MPI_THREAD_… level; MPI must give it */
int ARMCI_Init_thread_comm(int armci_requested, MPI_Comm comm);
int ARMCI_Init_mpi_comm(MPI_Comm comm);
int ARMCI_Initialized(void);
int ARMCI_Finalize(void);
void ARMCI_Cleanup(void);
void ARMCI_Error(char const* msg, int code); /* ends the job */

/* --- Memory ----------------------------------------------------------------------------------------------------------
 * ARMCI_Malloc and ARMCI_Free are collective over all processes, those of a group over it. base_ptrs has room for one
 * pointer of each; 0 bytes give NULL. Addresses of processes on one host may be used by all of them for loads and
 * stores. Not 0: there was no memory; then no process has got any. */
int ARMCI_Malloc(void** base_ptrs, armci_size_t size);
int ARMCI_Free(void* ptr);
void* ARMCI_Malloc_local(armci_size_t size);
int ARMCI_Free_local(void* ptr);

/* What is stored directly by this process is seen by others after ARMCI_Access_end and an ARMCI_Barrier, say. */
void ARMCI_Access_begin(void* ptr);
void ARMCI_Access_end(void* ptr);
void ARMCI_Copy(void* src, void* dst, int size);

/* --- Order -----------------------------------------------------------------------------------------------------------
 * A fence returns when what this process has put or accumulated at proc is there. The barrier is a fence of all. */
void ARMCI_Barrier(void);
void ARMCI_Fence(int proc);
void ARMCI_AllFence(void);
void ARMCI_Poll(void); /* never needed for progress */

/* --- Transfers -------------------------------------------------------------------------------------------------------
 * A get returns with the values; others return when the local memory may be used again. An accumulate adds
 * scale * source, atomically for each element. */
enum ARMCI_Acc_e {
  ARMCI_ACC_INT, /* int */
  ARMCI_ACC_LNG, /* long */
  ARMCI_ACC_FLT, /* float */
  ARMCI_ACC_DBL, /* double */
  ARMCI_ACC_CPL, /* two floats */
  ARMCI_ACC_DCP  /* two doubles */
};

int ARMCI_Get(void* src, void* dst, int size, int target);
int ARMCI_Put(void* src, void* dst, int size, int target);
int ARMCI_Acc(int datatype, void* scale, void* src, void* dst, int bytes, int proc);

/* Strided: count[0] bytes, repeated in stride_levels levels; level i has count[i + 1] places, stride_ar[i] bytes apart
 * at each side. */
int ARMCI_PutS(void* src_ptr, int src_stride_ar[], void* dst_ptr, int dst_stride_ar[], int count[], int stride_levels,
               int proc);
int ARMCI_GetS(void* src_ptr, int src_stride_ar[], void* dst_ptr, int dst_stride_ar[], int count[], int stride_levels,
               int proc);
int ARMCI_AccS(int datatype, void* scale, void* src_ptr, int src_stride_ar[], void* dst_ptr, int dst_stride_ar[],
               int count[], int stride_levels, int proc);

/* Then *flag = value at proc: who sees the flag sees what was put. */
int ARMCI_Put_flag(void* src, void* dst, int size, int* flag, int value, int proc);
int ARMCI_PutS_flag(void* src_ptr, int src_stride_ar[], void* dst_ptr, int dst_stride_ar[], int count[],
                    int stride_levels, int* flag, int value, int proc);

/* Vectors: sets of segments of one size. */
typedef struct {
  void** src_ptr_array;
  void** dst_ptr_array;
  int bytes;         /* of each segment */
  int ptr_array_len; /* segments */
} armci_giov_t;

int ARMCI_PutV(armci_giov_t* iov, int iov_len, int proc);
int ARMCI_GetV(armci_giov_t* iov, int iov_len, int proc);
int ARMCI_AccV(int datatype, void* scale, armci_giov_t* iov, int iov_len, int proc);

/* Values. */
int ARMCI_PutValueInt(int src, void* dst, int proc);
int ARMCI_PutValueLong(long src, void* dst, int proc);
int ARMCI_PutValueFloat(float src, void* dst, int proc);
int ARMCI_PutValueDouble(double src, void* dst, int proc);
int ARMCI_GetValueInt(void* src, int proc);
long ARMCI_GetValueLong(void* src, int proc);
float ARMCI_GetValueFloat(void* src, int proc);
double ARMCI_GetValueDouble(void* src, int proc);

/* --- Non-blocking ----------------------------------------------------------------------------------------------------
 * Complete at this process after ARMCI_Wait on the handle, ARMCI_WaitProc or ARMCI_WaitAll. The handle may be NULL. An
 * aggregate handle stands for any number of operations, to any targets. ARMCI_Test gives 0: complete. */
typedef struct armci_hdl_s {
  int target; /* -1: nothing is open, -2: several are */
  int aggregate;
} armci_hdl_t;

void ARMCI_INIT_HANDLE(armci_hdl_t* hdl);
void ARMCI_SET_AGGREGATE_HANDLE(armci_hdl_t* handle);
void ARMCI_UNSET_AGGREGATE_HANDLE(armci_hdl_t* handle);

int ARMCI_Wait(armci_hdl_t* hdl);
int ARMCI_Test(armci_hdl_t* hdl);
int ARMCI_WaitProc(int proc);
int ARMCI_WaitAll(void);

int ARMCI_NbPut(void* src, void* dst, int bytes, int proc, armci_hdl_t* hdl);
int ARMCI_NbGet(void* src, void* dst, int bytes, int proc, armci_hdl_t* hdl);
int ARMCI_NbAcc(int datatype, void* scale, void* src, void* dst, int bytes, int proc, armci_hdl_t* hdl);
int ARMCI_NbPutS(void* src_ptr, int src_stride_ar[], void* dst_ptr, int dst_stride_ar[], int count[], int stride_levels,
                 int proc, armci_hdl_t* hdl);
int ARMCI_NbGetS(void* src_ptr, int src_stride_ar[], void* dst_ptr, int dst_stride_ar[], int count[], int stride_levels,
                 int proc, armci_hdl_t* hdl);
int ARMCI_NbAccS(int datatype, void* scale, void* src_ptr, int src_stride_ar[], void* dst_ptr, int dst_stride_ar[],
                 int count[], int stride_levels, int proc, armci_hdl_t* hdl);
int ARMCI_NbPutV(armci_giov_t* iov, int iov_len, int proc, armci_hdl_t* handle);
int ARMCI_NbGetV(armci_giov_t* iov, int iov_len, int proc, armci_hdl_t* handle);
int ARMCI_NbAccV(int datatype, void* scale, armci_giov_t* iov, int iov_len, int proc, armci_hdl_t* handle);
int ARMCI_NbPutValueInt(int src, void* dst, int proc, armci_hdl_t* hdl);
int ARMCI_NbPutValueLong(long src, void* dst, int proc, armci_hdl_t* hdl);
int ARMCI_NbPutValueFloat(float src, void* dst, int proc, armci_hdl_t* hdl);
int ARMCI_NbPutValueDouble(double src, void* dst, int proc, armci_hdl_t* hdl);

/* --- Atomics, mutexes, notes -----------------------------------------------------------------------------------------
 * *ploc is the old value. Fetch-and-add adds value; swap stores what is in *ploc. */
enum ARMCI_Rmw_e { ARMCI_FETCH_AND_ADD, ARMCI_FETCH_AND_ADD_LONG, ARMCI_SWAP, ARMCI_SWAP_LONG };

int ARMCI_Rmw(int op, void* ploc, void* prem, int value, int proc);

/* Collective: count mutexes at each process, numbered from 0. Who asks first gets a mutex first. */
int ARMCI_Create_mutexes(int count);
int ARMCI_Destroy_mutexes(void);
void ARMCI_Lock(int mutex, int proc);
void ARMCI_Unlock(int mutex, int proc);

/* A note to proc says that all is there that this process has put there before. armci_notify returns how many it has
 * sent to proc. The n-th armci_notify_wait returns when n notes have come from proc: how many have; *pval is n. */
int armci_notify(int proc);
int armci_notify_wait(int proc, int* pval);

/* --- Groups ----------------------------------------------------------------------------------------------------------
 * pid_list has ranks of the parent group (the default group); group ranks follow the list. Collective over the list's
 * members; others may call it too, and get a group of size 0 and rank -1. */
typedef struct {
  MPI_Comm comm;
  MPI_Comm noncoll_pgroup_comm; /* MPI_COMM_NULL */
  int* grp_to_abs;              /* by rank in the group: rank in all */
  int* abs_to_grp;              /* by rank in all: rank in the group, or MPI_UNDEFINED */
  int rank;
  int size;
} ARMCI_Group;

void ARMCI_Group_create(int grp_size, int* pid_list, ARMCI_Group* group_out);
void ARMCI_Group_create_child(int grp_size, int* pid_list, ARMCI_Group* group_out, ARMCI_Group* group_parent);
void ARMCI_Group_free(ARMCI_Group* group);
int ARMCI_Group_rank(ARMCI_Group* group, int* rank); /* not 0: the caller is no member */
void ARMCI_Group_size(ARMCI_Group* group, int* size);
void ARMCI_Group_set_default(ARMCI_Group* group);
void ARMCI_Group_get_default(ARMCI_Group* group_out);
void ARMCI_Group_get_world(ARMCI_Group* group_out);
int ARMCI_Absolute_id(ARMCI_Group* group, int group_rank);
MPI_Comm armci_group_comm(ARMCI_Group* group);

int ARMCI_Malloc_group(void** ptr_arr, armci_size_t bytes, ARMCI_Group* group);
int ARMCI_Free_group(void* ptr, ARMCI_Group* group);

#ifdef __cplusplus
}
#endif

#include <message.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- Where processes are ---------------------------------------------------------------------------------------------
 * The domains are the hosts' processes that map each other's memory, in the order of their first process. A negative id
 * is the caller's domain. */
enum armci_domain_e { ARMCI_DOMAIN_SMP };
typedef int armci_domain_t;

int armci_domain_nprocs(armci_domain_t domain, int id);
int armci_domain_id(armci_domain_t domain, int glob_proc_id);
int armci_domain_glob_proc_id(armci_domain_t domain, int id, int loc_proc_id);
int armci_domain_my_id(armci_domain_t domain);
int armci_domain_count(armci_domain_t domain);
int armci_domain_same_id(armci_domain_t domain, int proc);
int ARMCI_Same_node(int proc);

/* Whether some processes share the memory of ARMCI_Malloc. */
int ARMCI_Uses_shm(void);
int ARMCI_Uses_shm_grp(ARMCI_Group* group);
void ARMCI_Set_shm_limit(unsigned long shmemlimit); /* memory grows as it is used: no limit is needed */

/* --- Strided memory of this process ----------------------------------------------------------------------------------
 * To a buffer and back. */
void armci_write_strided(void* ptr, int stride_levels, int stride_arr[], int count[], char* buf);
void armci_read_strided(void* ptr, int stride_levels, int stride_arr[], int count[], char* buf);

/* The segments of a strided section, one by one. */
typedef struct {
  char* base_ptr;
  int stride_levels;
  int stride_arr[ARMCI_MAX_STRIDE_LEVEL];
  int seg_count[ARMCI_MAX_STRIDE_LEVEL + 1];
  int size, pos, itr[ARMCI_MAX_STRIDE_LEVEL];
} stride_info_t;

void armci_stride_info_init(stride_info_t* sinfo, void* base_ptr, int stride_levels, int const* stride_arr,
                            int const* seg_count);
void armci_stride_info_destroy(stride_info_t* sinfo);
int armci_stride_info_size(stride_info_t* sinfo);
int armci_stride_info_pos(stride_info_t* sinfo);
void armci_stride_info_next(stride_info_t* sinfo);
void* armci_stride_info_seg_ptr(stride_info_t* sinfo);
int armci_stride_info_seg_size(stride_info_t* sinfo);
int armci_stride_info_seg_off(stride_info_t* sinfo);
int armci_stride_info_has_more(stride_info_t* sinfo);

/* --- Memory of devices: as without one -----------------------------------------------------------------------------
 */
int ARMCI_Malloc_memdev(void** ptr_arr, armci_size_t bytes, char const* device);
int ARMCI_Malloc_group_memdev(void** ptr_arr, armci_size_t bytes, ARMCI_Group* group, char const* device);
int ARMCI_Free_memdev(void* ptr);

/* --- The same by the names that a profiling library calls ----------------------------------------------------------
 */
int PARMCI_Init(void);
int PARMCI_Init_args(int* argc, char*** argv);
int PARMCI_Init_thread(int armci_requested);
int PARMCI_Init_thread_comm(int armci_requested, MPI_Comm comm);
int PARMCI_Initialized(void);
int PARMCI_Finalize(void);
int PARMCI_Malloc(void** base_ptrs, armci_size_t size);
int PARMCI_Free(void* ptr);
void* PARMCI_Malloc_local(armci_size_t size);
int PARMCI_Free_local(void* ptr);
void PARMCI_Barrier(void);
void PARMCI_Fence(int proc);
void PARMCI_AllFence(void);
void PARMCI_Access_begin(void* ptr);
void PARMCI_Access_end(void* ptr);
int PARMCI_Get(void* src, void* dst, int size, int target);
int PARMCI_Put(void* src, void* dst, int size, int target);
int PARMCI_Acc(int datatype, void* scale, void* src, void* dst, int bytes, int proc);
int PARMCI_PutS(void* src_ptr, int src_stride_ar[], void* dst_ptr, int dst_stride_ar[], int count[], int stride_levels,
                int proc);
int PARMCI_GetS(void* src_ptr, int src_stride_ar[], void* dst_ptr, int dst_stride_ar[], int count[], int stride_levels,
                int proc);
int PARMCI_AccS(int datatype, void* scale, void* src_ptr, int src_stride_ar[], void* dst_ptr, int dst_stride_ar[],
                int count[], int stride_levels, int proc);
int PARMCI_Put_flag(void* src, void* dst, int size, int* flag, int value, int proc);
int PARMCI_PutS_flag(void* src_ptr, int src_stride_ar[], void* dst_ptr, int dst_stride_ar[], int count[],
                     int stride_levels, int* flag, int value, int proc);
int PARMCI_PutV(armci_giov_t* iov, int iov_len, int proc);
int PARMCI_GetV(armci_giov_t* iov, int iov_len, int proc);
int PARMCI_AccV(int datatype, void* scale, armci_giov_t* iov, int iov_len, int proc);
int PARMCI_Wait(armci_hdl_t* hdl);
int PARMCI_Test(armci_hdl_t* hdl);
int PARMCI_WaitProc(int proc);
int PARMCI_WaitAll(void);
int PARMCI_NbPut(void* src, void* dst, int bytes, int proc, armci_hdl_t* hdl);
int PARMCI_NbGet(void* src, void* dst, int bytes, int proc, armci_hdl_t* hdl);
int PARMCI_NbAcc(int datatype, void* scale, void* src, void* dst, int bytes, int proc, armci_hdl_t* hdl);
int PARMCI_NbPutS(void* src_ptr, int src_stride_ar[], void* dst_ptr, int dst_stride_ar[], int count[],
                  int stride_levels, int proc, armci_hdl_t* hdl);
int PARMCI_NbGetS(void* src_ptr, int src_stride_ar[], void* dst_ptr, int dst_stride_ar[], int count[],
                  int stride_levels, int proc, armci_hdl_t* hdl);
int PARMCI_NbAccS(int datatype, void* scale, void* src_ptr, int src_stride_ar[], void* dst_ptr, int dst_stride_ar[],
                  int count[], int stride_levels, int proc, armci_hdl_t* hdl);
int PARMCI_NbPutV(armci_giov_t* iov, int iov_len, int proc, armci_hdl_t* handle);
int PARMCI_NbGetV(armci_giov_t* iov, int iov_len, int proc, armci_hdl_t* handle);
int PARMCI_NbAccV(int datatype, void* scale, armci_giov_t* iov, int iov_len, int proc, armci_hdl_t* handle);
int PARMCI_PutValueInt(int src, void* dst, int proc);
int PARMCI_PutValueLong(long src, void* dst, int proc);
int PARMCI_PutValueFloat(float src, void* dst, int proc);
int PARMCI_PutValueDouble(double src, void* dst, int proc);
int PARMCI_NbPutValueInt(int src, void* dst, int proc, armci_hdl_t* hdl);
int PARMCI_NbPutValueLong(long src, void* dst, int proc, armci_hdl_t* hdl);
int PARMCI_NbPutValueFloat(float src, void* dst, int proc, armci_hdl_t* hdl);
int PARMCI_NbPutValueDouble(double src, void* dst, int proc, armci_hdl_t* hdl);
int PARMCI_GetValueInt(void* src, int proc);
long PARMCI_GetValueLong(void* src, int proc);
float PARMCI_GetValueFloat(void* src, int proc);
double PARMCI_GetValueDouble(void* src, int proc);
int PARMCI_Create_mutexes(int count);
int PARMCI_Destroy_mutexes(void);
void PARMCI_Lock(int mutex, int proc);
void PARMCI_Unlock(int mutex, int proc);
int PARMCI_Rmw(int op, void* ploc, void* prem, int value, int proc);
void parmci_msg_barrier(void);
void parmci_msg_group_barrier(ARMCI_Group* group);
int PARMCI_Malloc_memdev(void** ptr_arr, armci_size_t bytes, char const* device);
int PARMCI_Malloc_group_memdev(void** ptr_arr, armci_size_t bytes, ARMCI_Group* group, char const* device);
int PARMCI_Free_memdev(void* ptr);

#ifdef __cplusplus
}
#endif

#endif
