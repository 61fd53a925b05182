// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <armcix.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "groups.hpp"
#include "parts.hpp"

namespace sheaf_armci {
namespace {

/// Ranks 0 to count - 1 of one communicator, as ranks of another one; the caller frees it, as programs may.
int* translated_ranks(MPI_Comm from, int count, MPI_Comm to) {
  MPI_Group source = MPI_GROUP_NULL, target = MPI_GROUP_NULL;
  MPI_Comm_group(from, &source);
  MPI_Comm_group(to, &target);
  std::vector<int> ranks(static_cast<std::size_t>(count));
  std::iota(ranks.begin(), ranks.end(), 0);
  auto* const result = static_cast<int*>(std::malloc(sizeof(int) * static_cast<std::size_t>(count)));
  if (result == nullptr) fail("ARMCI_Group_create", "no memory for " + std::to_string(count) + " ranks");
  MPI_Group_translate_ranks(source, count, ranks.data(), target, result);
  MPI_Group_free(&source);
  MPI_Group_free(&target);
  return result;
}

void check_members(char const* function, int count, int const* ranks, ARMCI_Group const& parent) {
  if (count < 0) refuse_negative(function, "members", count);
  for (int i = 0; i < count; ++i) {
    if (ranks[i] < 0 || ranks[i] >= parent.size) {
      fail(function, "member " + std::to_string(i) + " of the list is " + std::to_string(ranks[i]) +
                         "; ranks of the parent group are 0 to " + std::to_string(parent.size - 1));
    }
  }
}

/// Only the members meet, so that groups may overlap in any way and others need not know.
void create(char const* function, int count, int* ranks, ARMCI_Group& made, ARMCI_Group const& parent) {
  check_begun(function);
  check_members(function, count, ranks, parent);
  bool const is_member = std::find(ranks, ranks + count, parent.rank) != ranks + count;
  made.comm = is_member ? communicator_of(parent.comm, {ranks, static_cast<std::size_t>(count)}) : MPI_COMM_NULL;
  describe_group(made);
}

}  // namespace

MPI_Comm communicator_of(MPI_Comm parent, std::span<int const> ranks) {
  constexpr int creation_tag = 42;
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Group all = MPI_GROUP_NULL, members = MPI_GROUP_NULL;
  MPI_Comm_group(parent, &all);
  MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &members);
  MPI_Comm_create_group(parent, members, creation_tag, &made);
  MPI_Group_free(&members);
  MPI_Group_free(&all);
  return made;
}

void describe_group(ARMCI_Group& group) {
  group.noncoll_pgroup_comm = MPI_COMM_NULL;
  group.grp_to_abs = group.abs_to_grp = nullptr;
  group.rank = -1;
  group.size = 0;
  if (group.comm == MPI_COMM_NULL) return;
  MPI_Comm_size(group.comm, &group.size);
  MPI_Comm_rank(group.comm, &group.rank);
  group.grp_to_abs = translated_ranks(group.comm, group.size, here.world.comm);
  group.abs_to_grp = translated_ranks(here.world.comm, static_cast<int>(here.count), group.comm);
}

}  // namespace sheaf_armci

using namespace sheaf_armci;

void ARMCI_Group_create(int grp_size, int* pid_list, ARMCI_Group* group_out) {
  create("ARMCI_Group_create", grp_size, pid_list, *group_out, here.chosen);
}

void ARMCI_Group_create_child(int grp_size, int* pid_list, ARMCI_Group* group_out, ARMCI_Group* group_parent) {
  create("ARMCI_Group_create_child", grp_size, pid_list, *group_out, *group_parent);
}

void ARMCI_Group_free(ARMCI_Group* group) {
  if (group->comm != MPI_COMM_NULL) MPI_Comm_free(&group->comm);
  std::free(std::exchange(group->grp_to_abs, nullptr));
  std::free(std::exchange(group->abs_to_grp, nullptr));
  group->rank = -1;
  group->size = 0;
}

int ARMCI_Group_rank(ARMCI_Group* group, int* rank) {
  *rank = group->rank;
  return group->rank < 0 ? 1 : 0;
}

void ARMCI_Group_size(ARMCI_Group* group, int* size) { *size = group->size; }
void ARMCI_Group_set_default(ARMCI_Group* group) { here.chosen = *group; }
void ARMCI_Group_get_default(ARMCI_Group* group_out) { *group_out = here.chosen; }
void ARMCI_Group_get_world(ARMCI_Group* group_out) { *group_out = here.world; }
MPI_Comm armci_group_comm(ARMCI_Group* group) { return group->comm; }

int ARMCI_Absolute_id(ARMCI_Group* group, int group_rank) {
  if (group_rank < 0 || group_rank >= group->size) {
    fail("ARMCI_Absolute_id", "there is no rank " + std::to_string(group_rank) + " in a group of " +
                                  std::to_string(group->size) + "; ranks begin with 0");
  }
  int const number = group->grp_to_abs[group_rank];
  return number == MPI_UNDEFINED ? -1 : number;
}

int ARMCIX_Group_split(ARMCI_Group* parent, int color, int key, ARMCI_Group* new_group) {
  check_begun("ARMCIX_Group_split");
  int const problem = MPI_Comm_split(parent->comm, color, key, &new_group->comm);
  if (problem == MPI_SUCCESS) describe_group(*new_group);
  return problem;
}

int ARMCIX_Group_dup(ARMCI_Group* parent, ARMCI_Group* new_group) {
  check_begun("ARMCIX_Group_dup");
  int const problem = MPI_Comm_dup(parent->comm, &new_group->comm);
  if (problem == MPI_SUCCESS) describe_group(*new_group);
  return problem;
}
