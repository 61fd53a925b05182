/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The Sheaf authors
 *
 * What ARMCI-MPI has beyond ARMCI. */
#ifndef _ARMCIX_H_
#define _ARMCIX_H_

#include <armci.h>
#include <armciconf.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As MPI_Comm_split and MPI_Comm_dup. */
int ARMCIX_Group_split(ARMCI_Group* parent, int color, int key, ARMCI_Group* new_group);
int ARMCIX_Group_dup(ARMCI_Group* parent, ARMCI_Group* new_group);

/* Several batches of mutexes, collective over a group, each process with its own count; proc is a number in all
 * processes. Trylock returns 0: locked. */
struct armcix_mutex_hdl_s {
  int my_count;
  int max_count;
  ARMCI_Group grp;
  MPI_Win* windows; /* NULL */
  uint8_t** bases;  /* by rank in the group: the mutexes there */
};
typedef struct armcix_mutex_hdl_s* armcix_mutex_hdl_t;

armcix_mutex_hdl_t ARMCIX_Create_mutexes_hdl(int count, ARMCI_Group* pgroup);
int ARMCIX_Destroy_mutexes_hdl(armcix_mutex_hdl_t hdl);
void ARMCIX_Lock_hdl(armcix_mutex_hdl_t hdl, int mutex, int proc);
int ARMCIX_Trylock_hdl(armcix_mutex_hdl_t hdl, int mutex, int proc);
void ARMCIX_Unlock_hdl(armcix_mutex_hdl_t hdl, int mutex, int proc);

void ARMCIX_Progress(void); /* as ARMCI_Poll */

#ifdef __cplusplus
}
#endif

#endif
