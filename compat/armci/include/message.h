/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The Sheaf authors
 *
 * The messages and collectives that come with ARMCI. */
#ifndef HAVE_ARMCI_MSG_H
#define HAVE_ARMCI_MSG_H

#include <armci.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Who takes part: all processes (of the group), those of the caller's domain (armci_domain_…), or the first of each
 * domain; the others return at once then. */
enum armci_scope_e { SCOPE_ALL, SCOPE_NODE, SCOPE_MASTERS };

enum armci_type_e { ARMCI_INT, ARMCI_LONG, ARMCI_LONG_LONG, ARMCI_FLOAT, ARMCI_DOUBLE };

int armci_msg_me(void);
int armci_msg_nproc(void);
void armci_msg_abort(int code);
double armci_timer(void); /* seconds */

/* len and buflen are bytes. msglen, where it is not NULL, gets the bytes that came. */
void armci_msg_snd(int tag, void* buffer, int len, int to);
void armci_msg_rcv(int tag, void* buffer, int buflen, int* msglen, int from);
int armci_msg_rcvany(int tag, void* buffer, int buflen, int* msglen); /* returns the sender */

void armci_msg_barrier(void);
void armci_msg_group_barrier(ARMCI_Group* group);

/* A binary tree of the processes of a scope, by their numbers in all; -1: there is none. */
void armci_msg_bintree(int scope, int* Root, int* Up, int* Left, int* Right);

/* root is a number in all. */
void armci_msg_bcast(void* buffer, int len, int root);
void armci_msg_bcast_scope(int scope, void* buffer, int len, int root);
void armci_msg_brdcst(void* buffer, int len, int root);
void armci_msg_group_bcast_scope(int scope, void* buf, int len, int root, ARMCI_Group* group);

/* Reductions of n elements of an armci_type_e: "+", "*", "min", "max", "absmin", "absmax"; of integers also "or",
 * "bor",
 * "|", "band", "&", "lor", "||", "land", "&&". reduce leaves the result at the scope's first process, gop at all. */
void armci_msg_reduce(void* x, int n, char* op, int type);
void armci_msg_reduce_scope(int scope, void* x, int n, char* op, int type);
void armci_msg_gop_scope(int scope, void* x, int n, char* op, int type);
void armci_msg_igop(int* x, int n, char* op);
void armci_msg_lgop(long* x, int n, char* op);
void armci_msg_llgop(long long* x, int n, char* op);
void armci_msg_fgop(float* x, int n, char* op);
void armci_msg_dgop(double* x, int n, char* op);
void armci_msg_group_gop_scope(int scope, void* x, int n, char* op, int type, ARMCI_Group* group);
void armci_msg_group_igop(int* x, int n, char* op, ARMCI_Group* group);
void armci_msg_group_lgop(long* x, int n, char* op, ARMCI_Group* group);
void armci_msg_group_llgop(long long* x, int n, char* op, ARMCI_Group* group);
void armci_msg_group_fgop(float* x, int n, char* op, ARMCI_Group* group);
void armci_msg_group_dgop(double* x, int n, char* op, ARMCI_Group* group);

/* x is n bytes that begin with a value of the type: all get the x of one that contributes and has the "min" or "max" of
 * these values. */
void armci_msg_sel(void* x, int n, char* op, int type, int contribute);
void armci_msg_sel_scope(int scope, void* x, int n, char* op, int type, int contribute);

/* Each process has stored its addresses in the array, and NULL elsewhere: all get all. */
void armci_exchange_address(void* ptr_ar[], int n);
void armci_exchange_address_grp(void* ptr_arr[], int n, ARMCI_Group* group);

/* Among the processes of the caller's domain, from its first one. */
void armci_msg_clus_brdcst(void* buf, int len);
void armci_msg_clus_igop(int* x, int n, char* op);
void armci_msg_clus_fgop(float* x, int n, char* op);
void armci_msg_clus_lgop(long* x, int n, char* op);
void armci_msg_clus_llgop(long long* x, int n, char* op);
void armci_msg_clus_dgop(double* x, int n, char* op);

/* From the process of rank grp_master in the group to the grp_clus_nproc - 1 behind it; these call it. */
void armci_grp_clus_brdcst(void* buf, int len, int grp_master, int grp_clus_nproc, ARMCI_Group* mastergroup);

#ifdef __cplusplus
}
#endif

#endif
