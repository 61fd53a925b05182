/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The Sheaf authors
 *
 * DMCS: one-sided communication that takes effect where the target polls (J. Dobbelaere, N. Chrisochoides, One-Sided
 * Communication over MPI-1, 2001). Programs are processes that an MPI launcher starts, or one alone; they may also use
 * MPI themselves.
 *
 * What one process sends to another (services, puts, gets and all else below) takes effect there in the order sent:
 *
 *   - in dmcs_poll and dmcs_fence, where handlers are called, too;
 *   - in calls that wait (dmcs_sync_*, dmcs_wait, dmcs_barrier), except that handlers are queued, in order, for
 *     the next dmcs_poll. So only in these calls, and where several threads poll, can a put or a get take effect
 *     before a handler that was sent earlier.
 *   - Other calls that send take messages in while they wait for room, which is not seen. These stay in a queue without
 *     a limit: poll now and then.
 *
 * dmcs_sync_* returns once the target has received the message, as it polls, waits or needs room to send; its handler
 * may not have run yet. What has a result (get, malloc, and free) returns once the target polls or waits. Two processes
 * that call it for each other do not deadlock. dmcs_async_* does not wait for the target; it waits for room, while too
 * much is on the way to a target that does not receive. The first message to a process after a poll or a wait leaves at
 * once; more of them gather, and leave when a buffer is full, in the next dmcs_poll that finds nothing to do, in the
 * next call that waits, and in dmcs_flush.
 *
 * All calls are legal in handlers, except dmcs_poll, the collective ones, dmcs_init and dmcs_shutdown. Wrong arguments
 * end the job with a text that names the function and the value. Addresses in another process are not checked: a wrong
 * one ends that process (SIGSEGV), or overwrites its memory.
 */
#ifndef SHEAF_DMCS_H
#define SHEAF_DMCS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- The process ------------------------------------------------------------------------------------------------ */

/* Collective. MPI is started unless the program has done so; then ending it is the program's, too. Arguments may be
 * null. One thread of the process calls all functions. Within a host they take one lock only, that of memory: for a new
 * buffer, in dmcs_malloc and in dmcs_free. Between hosts they share locks with the library's thread that serves remote
 * memory. */
void dmcs_init(int* argc, char*** argv);
/* The same for programs whose threads all call DMCS: calls take a lock. A thread of the program may poll, or `pool`
 * threads of the library do (0: none). Handlers are called by whoever polls, several at a time, where several poll; who
 * waits lets the others go on. Where DMCS starts MPI, the first of these two calls in a process decides how many
 * threads MPI is for: after dmcs_init and dmcs_shutdown this one is an error. A pool may call MPI at any time: a
 * program that has one and calls MPI meanwhile starts it with MPI_THREAD_MULTIPLE. */
void dmcs_init_threads(int* argc, char*** argv, int pool);
/* Collective: a dmcs_fence, and the end. By the thread that has called dmcs_init_threads. No other thread of the
 * program may call DMCS any more. */
void dmcs_shutdown(void);
int dmcs_my_proc(void);
int dmcs_num_procs(void);

/* Receives, and calls the handlers of what was received. Returns how many handlers it has called, and messages on
 * memory it has executed. Every 64th in a row that finds nothing yields the core. */
int dmcs_poll(void);
/* What async calls have gathered leaves now. */
void dmcs_flush(void);
/* Collective: returns when all processes have called it. It waits: handlers are queued. Whether an
 * asynchronous put that was sent before is in effect then depends on its arrival; a dmcs_sync_put is. */
void dmcs_barrier(void);
/* Collective: returns when nothing that was sent is left in any process, and all handlers have run, those included
 * whose messages were sent by handlers. With dmcs_init, what others send behind it takes effect
 * behind it. */
void dmcs_fence(void);

/* --- Remote service requests ------------------------------------------------------------------------------------ */

typedef intptr_t dmcs_arg_t;
/* Handlers: `source` is the process that sent. */
typedef void (*dmcs_handler0_t)(int source);
typedef void (*dmcs_handler1_t)(int source, dmcs_arg_t a);
typedef void (*dmcs_handler2_t)(int source, dmcs_arg_t a, dmcs_arg_t b);
typedef void (*dmcs_handler3_t)(int source, dmcs_arg_t a, dmcs_arg_t b, dmcs_arg_t c);
typedef void (*dmcs_handler4_t)(int source, dmcs_arg_t a, dmcs_arg_t b, dmcs_arg_t c, dmcs_arg_t d);
/* Of put_op and get_op. Of put_op: the bytes are at a multiple of 16, and end with the call. They may be the sender's
 * own memory: read them alone. */
typedef void (*dmcs_data_handler_t)(int source, void* data, size_t bytes);

/* All processes register the same functions, in the same order, before they poll; with a pool, dmcs_barrier stands
 * between that and the first request. Local; returns the function's number. */
int dmcs_register0(dmcs_handler0_t handler);
int dmcs_register1(dmcs_handler1_t handler);
int dmcs_register2(dmcs_handler2_t handler);
int dmcs_register3(dmcs_handler3_t handler);
int dmcs_register4(dmcs_handler4_t handler);
int dmcs_register_data(dmcs_data_handler_t handler);

/* The target calls the handler. */
void dmcs_async_rsr0(int target, dmcs_handler0_t handler);
void dmcs_async_rsr1(int target, dmcs_handler1_t handler, dmcs_arg_t a);
void dmcs_async_rsr2(int target, dmcs_handler2_t handler, dmcs_arg_t a, dmcs_arg_t b);
void dmcs_async_rsr3(int target, dmcs_handler3_t handler, dmcs_arg_t a, dmcs_arg_t b, dmcs_arg_t c);
void dmcs_async_rsr4(int target, dmcs_handler4_t handler, dmcs_arg_t a, dmcs_arg_t b, dmcs_arg_t c, dmcs_arg_t d);
void dmcs_sync_rsr0(int target, dmcs_handler0_t handler);
void dmcs_sync_rsr1(int target, dmcs_handler1_t handler, dmcs_arg_t a);
void dmcs_sync_rsr2(int target, dmcs_handler2_t handler, dmcs_arg_t a, dmcs_arg_t b);
void dmcs_sync_rsr3(int target, dmcs_handler3_t handler, dmcs_arg_t a, dmcs_arg_t b, dmcs_arg_t c);
void dmcs_sync_rsr4(int target, dmcs_handler4_t handler, dmcs_arg_t a, dmcs_arg_t b, dmcs_arg_t c, dmcs_arg_t d);

/* --- Completion of async calls ---------------------------------------------------------------------------------- */

/* Counts the calls that are not complete; several may share one. Begin with DMCS_REQUEST_INIT. It stays where it is
 * until they are complete. A call that puts completes when its local memory may change; without a request (null) it
 * copies that before it returns. A call that gets completes when the bytes are here; without a request that is known
 * when a later dmcs_sync_get of that process, or dmcs_fence, has returned. */
typedef struct dmcs_request {
  uint64_t open;
} dmcs_request;
#define DMCS_REQUEST_INIT \
  { 0 }

/* 1: all are complete. Receives nothing: poll meanwhile. */
int dmcs_test(dmcs_request const* request);
/* Waits until all are complete. */
void dmcs_wait(dmcs_request* request);

/* --- Remote memory ---------------------------------------------------------------------------------------------- */

/* Memory of the target, at a multiple of 64: processes of its host read it without a copy. Null: there is none. */
void* dmcs_malloc(int target, size_t bytes);
void dmcs_async_malloc(int target, size_t bytes, void** result, dmcs_request* request);
/* Gives back what dmcs_malloc gave. Null: nothing. */
void dmcs_free(int target, void* memory);
void dmcs_async_free(int target, void* memory);

/* `remote` is an address of the target: of dmcs_malloc, or any other. */
void dmcs_sync_put(int target, void* remote, void const* local, size_t bytes);
void dmcs_async_put(int target, void* remote, void const* local, size_t bytes, dmcs_request* request);
void dmcs_sync_get(int target, void* local, void const* remote, size_t bytes);
void dmcs_async_get(int target, void* local, void const* remote, size_t bytes, dmcs_request* request);

/* One of the pieces of memory of a gather or a scatter. */
typedef struct dmcs_block {
  void* address;
  size_t bytes;
} dmcs_block;

/* put_gather: pieces here go to `remote`, one behind the other. put_scatter: the bytes at `local` go to pieces there.
 * get_gather: pieces there come to `local`. get_scatter: the bytes at `remote` come to pieces here. The lists may
 * change when the call returns. */
void dmcs_sync_put_gather(int target, void* remote, dmcs_block const* local, size_t count);
void dmcs_async_put_gather(int target, void* remote, dmcs_block const* local, size_t count, dmcs_request* request);
void dmcs_sync_put_scatter(int target, dmcs_block const* remote, size_t count, void const* local);
void dmcs_async_put_scatter(int target, dmcs_block const* remote, size_t count, void const* local,
                            dmcs_request* request);
void dmcs_sync_get_gather(int target, void* local, dmcs_block const* remote, size_t count);
void dmcs_async_get_gather(int target, void* local, dmcs_block const* remote, size_t count, dmcs_request* request);
void dmcs_sync_get_scatter(int target, dmcs_block const* local, size_t count, void const* remote);
void dmcs_async_get_scatter(int target, dmcs_block const* local, size_t count, void const* remote,
                            dmcs_request* request);

/* The target calls the handler with the bytes, which travel with the request. With a request, 4096 and more bytes in
 * memory that dmcs_malloc gave here are read there in place until the handler has ended, without a copy: by a process
 * of this host with one thread, in a poll or a fence. Others copy them once. */
void dmcs_sync_put_op(int target, dmcs_data_handler_t handler, void const* local, size_t bytes);
void dmcs_async_put_op(int target, dmcs_data_handler_t handler, void const* local, size_t bytes, dmcs_request* request);
/* As a get; once the bytes are here, the handler is called here, with them and the target as source, in a dmcs_poll.
 * With `sync` the bytes are here on return. */
void dmcs_sync_get_op(int target, dmcs_data_handler_t handler, void* local, void const* remote, size_t bytes);
void dmcs_async_get_op(int target, dmcs_data_handler_t handler, void* local, void const* remote, size_t bytes,
                       dmcs_request* request);

#ifdef __cplusplus
}
#endif
#endif
