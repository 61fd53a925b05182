// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Domains: each process is in one, and those of a domain are on one node.
#include "check.h"

static void domains(void) {
  int const count = armci_domain_count(ARMCI_DOMAIN_SMP), mine = armci_domain_my_id(ARMCI_DOMAIN_SMP);
  int seen = 0;
  for (int d = 0; d < count; ++d) {
    int const processes = armci_domain_nprocs(ARMCI_DOMAIN_SMP, d);
    for (int i = 0; i < processes; ++i, ++seen) {
      int const p = armci_domain_glob_proc_id(ARMCI_DOMAIN_SMP, d, i);
      EQUAL(armci_domain_id(ARMCI_DOMAIN_SMP, p), d);
      EQUAL(armci_domain_same_id(ARMCI_DOMAIN_SMP, p), d == mine);
      EQUAL(ARMCI_Same_node(p), d == mine);
    }
  }
  EQUAL(seen, nproc);
  EQUAL(armci_domain_nprocs(ARMCI_DOMAIN_SMP, -1), armci_domain_nprocs(ARMCI_DOMAIN_SMP, mine));
  EQUAL(armci_domain_same_id(ARMCI_DOMAIN_SMP, me), 1);
}

/// What GA asks: the answers agree with each other.
static void sharing(void) {
  ARMCI_Group world;
  ARMCI_Group_get_world(&world);
  ARMCI_Set_shm_limit(1 << 20);
  int const shares = armci_domain_count(ARMCI_DOMAIN_SMP) < nproc;
  EQUAL(ARMCI_Uses_shm(), shares);
  EQUAL(ARMCI_Uses_shm_grp(&world), shares);
  void** const all = shared_zeros((size_t)2 << 20);
  for (int p = 0; p < nproc; ++p) {
    if (armci_domain_same_id(ARMCI_DOMAIN_SMP, p)) __atomic_fetch_add((long*)all[p], 1, __ATOMIC_SEQ_CST);
  }
  ARMCI_Barrier();
  EQUAL(*(long*)all[me], armci_domain_nprocs(ARMCI_DOMAIN_SMP, -1));
  release(all);
}

#ifdef ARMCI_SHEAF
static void scopes(void) {
  int const in_domain = armci_domain_nprocs(ARMCI_DOMAIN_SMP, -1), count = armci_domain_count(ARMCI_DOMAIN_SMP);
  int const first = armci_domain_glob_proc_id(ARMCI_DOMAIN_SMP, -1, 0);
  int x[] = {1, 1};
  long l = 1;
  long long ll = 1;
  float f = 1;
  double d = 1;
  armci_msg_clus_igop(x, 2, "+");
  armci_msg_clus_lgop(&l, 1, "+");
  armci_msg_clus_llgop(&ll, 1, "+");
  armci_msg_clus_fgop(&f, 1, "+");
  armci_msg_clus_dgop(&d, 1, "+");
  EQUAL(x[1], in_domain);
  EQUAL(l + ll, 2 * in_domain);
  EQUAL(f + (float)d, 2 * in_domain);
  int ones = 1, word = me;
  armci_msg_gop_scope(SCOPE_MASTERS, &ones, 1, "+", ARMCI_INT);
  EQUAL(ones, me == first ? count : 1);
  armci_msg_clus_brdcst(&word, sizeof word);
  EQUAL(word, first);
  int root, up, left, right;
  armci_msg_bintree(SCOPE_NODE, &root, &up, &left, &right);
  EQUAL(root, first);
  EQUAL(up < 0, me == first);
}

static void scopes_in_a_group(void) {
  ARMCI_Group copy;
  ARMCI_Group world;
  ARMCI_Group_get_world(&world);
  EQUAL(ARMCIX_Group_dup(&world, &copy), 0);
  int ones = 1;
  armci_msg_group_gop_scope(SCOPE_NODE, &ones, 1, "+", ARMCI_INT, &copy);
  EQUAL(ones, armci_domain_nprocs(ARMCI_DOMAIN_SMP, -1));
  int word = me + 1;
  armci_grp_clus_brdcst(&word, sizeof word, 0, nproc, &copy);
  EQUAL(word, 1);
  ARMCI_Group_free(&copy);
}
#endif

void places(void) {
  domains();
  sharing();
#ifdef ARMCI_SHEAF
  scopes();
  scopes_in_a_group();
#endif
}
