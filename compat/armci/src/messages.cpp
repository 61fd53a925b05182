// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <algorithm>
#include <cstring>

#include "groups.hpp"

namespace sheaf_armci {
namespace {

void barrier(char const* function, ARMCI_Group const& group) {
  check_begun(function);
  MPI_Barrier(group.comm);
}

void broadcast(char const* function, int scope, void* buffer, int bytes, int root, ARMCI_Group const& group) {
  audience const among(function, scope, group);
  if (!among.has_caller()) return;
  MPI_Bcast(buffer, static_cast<int>(checked_bytes(function, bytes)), MPI_BYTE, among.rank_of(function, root),
            among.comm());
}

/// Returns the sender.
int receive(char const* function, int tag, void* buffer, int room, int* bytes, int from) {
  check_begun(function);
  MPI_Status status;
  MPI_Recv(buffer, static_cast<int>(checked_bytes(function, room)), MPI_BYTE, from, tag, here.world.comm, &status);
  if (bytes != nullptr) MPI_Get_count(&status, MPI_BYTE, bytes);
  return status.MPI_SOURCE;
}

void exchange_addresses(char const* function, void** addresses, int count, ARMCI_Group const& group) {
  static_assert(sizeof(void*) == sizeof(std::uint64_t));
  check_begun(function);
  MPI_Allreduce(MPI_IN_PLACE, addresses, count, MPI_UINT64_T, MPI_BOR, group.comm);
}

}  // namespace
}  // namespace sheaf_armci

using namespace sheaf_armci;

int armci_msg_me() { return check_begun("armci_msg_me"), here.self; }
int armci_msg_nproc() { return check_begun("armci_msg_nproc"), static_cast<int>(here.count); }
double armci_timer() { return MPI_Wtime(); }

void parmci_msg_barrier() { barrier("armci_msg_barrier", here.world); }
void parmci_msg_group_barrier(ARMCI_Group* group) { barrier("armci_msg_group_barrier", *group); }
extern "C" decltype(parmci_msg_barrier) armci_msg_barrier __attribute__((weak, alias("parmci_msg_barrier")));
extern "C" decltype(parmci_msg_group_barrier) armci_msg_group_barrier
    __attribute__((weak, alias("parmci_msg_group_barrier")));

void armci_msg_snd(int tag, void* buffer, int len, int to) {
  static_cast<void>(checked_process("armci_msg_snd", to));
  MPI_Send(buffer, static_cast<int>(checked_bytes("armci_msg_snd", len)), MPI_BYTE, to, tag, here.world.comm);
}
void armci_msg_rcv(int tag, void* buffer, int buflen, int* msglen, int from) {
  static_cast<void>(checked_process("armci_msg_rcv", from));
  receive("armci_msg_rcv", tag, buffer, buflen, msglen, from);
}
int armci_msg_rcvany(int tag, void* buffer, int buflen, int* msglen) {
  return receive("armci_msg_rcvany", tag, buffer, buflen, msglen, MPI_ANY_SOURCE);
}

void armci_msg_bintree(int scope, int* Root, int* Up, int* Left, int* Right) {
  std::vector<int> const members = members_of("armci_msg_bintree", scope);
  auto const me = static_cast<std::size_t>(std::find(members.begin(), members.end(), here.self) - members.begin());
  bool const is_in = me != members.size();
  auto const number = [&](std::size_t rank) { return is_in && rank < members.size() ? members[rank] : -1; };
  *Root = members.front();
  *Up = me == 0 ? -1 : number((me - 1) / 2);
  *Left = number(2 * me + 1);
  *Right = number(2 * me + 2);
}

void armci_msg_bcast(void* buffer, int len, int root) {
  broadcast("armci_msg_bcast", SCOPE_ALL, buffer, len, root, here.world);
}
void armci_msg_brdcst(void* buffer, int len, int root) {
  broadcast("armci_msg_brdcst", SCOPE_ALL, buffer, len, root, here.world);
}
void armci_msg_bcast_scope(int scope, void* buffer, int len, int root) {
  broadcast("armci_msg_bcast_scope", scope, buffer, len, root, here.world);
}
void armci_msg_group_bcast_scope(int scope, void* buf, int len, int root, ARMCI_Group* group) {
  broadcast("armci_msg_group_bcast_scope", scope, buf, len, root, *group);
}
void armci_msg_clus_brdcst(void* buf, int len) {
  int const first = members_of("armci_msg_clus_brdcst", SCOPE_NODE).front();
  broadcast("armci_msg_clus_brdcst", SCOPE_NODE, buf, len, first, here.world);
}

void armci_grp_clus_brdcst(void* buf, int len, int grp_master, int grp_clus_nproc, ARMCI_Group* mastergroup) {
  check_begun("armci_grp_clus_brdcst");
  std::vector<int> ranks;
  for (int i = 0; i < grp_clus_nproc; ++i) ranks.push_back(grp_master + i);
  MPI_Comm among = communicator_of(mastergroup->comm, ranks);
  MPI_Bcast(buf, len, MPI_BYTE, 0, among);
  MPI_Comm_free(&among);
}

void armci_exchange_address(void** ptr_ar, int n) {
  exchange_addresses("armci_exchange_address", ptr_ar, n, here.world);
}
void armci_exchange_address_grp(void** ptr_arr, int n, ARMCI_Group* group) {
  exchange_addresses("armci_exchange_address_grp", ptr_arr, n, *group);
}
