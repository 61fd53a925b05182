// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Sizes and places as in objects that were compiled with Debian's headers of ARMCI-MPI 0.3.1, as numbers.
#include <stddef.h>

#include "check.h"

#define PLACE(type, member, offset) EQUAL(offsetof(type, member), offset)

void layout(void) {
  EQUAL(sizeof(armci_size_t), 8);
  EQUAL(sizeof(armci_giov_t), 24);
  PLACE(armci_giov_t, src_ptr_array, 0);
  PLACE(armci_giov_t, dst_ptr_array, 8);
  PLACE(armci_giov_t, bytes, 16);
  PLACE(armci_giov_t, ptr_array_len, 20);
  EQUAL(sizeof(armci_hdl_t), 8);
  PLACE(armci_hdl_t, target, 0);
  PLACE(armci_hdl_t, aggregate, 4);
  size_t const comm = sizeof(MPI_Comm);  // 4 over MPICH, 8 over Open MPI
  CHECK(comm == 4 || comm == 8);
  EQUAL(sizeof(ARMCI_Group), 2 * comm + 24);
  PLACE(ARMCI_Group, comm, 0);
  PLACE(ARMCI_Group, noncoll_pgroup_comm, comm);
  PLACE(ARMCI_Group, grp_to_abs, 2 * comm);
  PLACE(ARMCI_Group, abs_to_grp, 2 * comm + 8);
  PLACE(ARMCI_Group, rank, 2 * comm + 16);
  PLACE(ARMCI_Group, size, 2 * comm + 20);
  EQUAL(sizeof(struct armcix_mutex_hdl_s), 2 * comm + 48);
  PLACE(struct armcix_mutex_hdl_s, my_count, 0);
  PLACE(struct armcix_mutex_hdl_s, max_count, 4);
  PLACE(struct armcix_mutex_hdl_s, grp, 8);
  PLACE(struct armcix_mutex_hdl_s, windows, 2 * comm + 32);
  PLACE(struct armcix_mutex_hdl_s, bases, 2 * comm + 40);
  int const accumulates[] = {ARMCI_ACC_INT, ARMCI_ACC_LNG, ARMCI_ACC_FLT, ARMCI_ACC_DBL, ARMCI_ACC_CPL, ARMCI_ACC_DCP};
  for (int i = 0; i < 6; ++i) EQUAL(accumulates[i], i);
  int const changes[] = {ARMCI_FETCH_AND_ADD, ARMCI_FETCH_AND_ADD_LONG, ARMCI_SWAP, ARMCI_SWAP_LONG};
  for (int i = 0; i < 4; ++i) EQUAL(changes[i], i);
  int const scopes[] = {SCOPE_ALL, SCOPE_NODE, SCOPE_MASTERS};
  for (int i = 0; i < 3; ++i) EQUAL(scopes[i], i);
  int const types[] = {ARMCI_INT, ARMCI_LONG, ARMCI_LONG_LONG, ARMCI_FLOAT, ARMCI_DOUBLE};
  for (int i = 0; i < 5; ++i) EQUAL(types[i], i);
  EQUAL(ARMCI_DOMAIN_SMP, 0);
}
