// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <algorithm>
#include <numeric>

#include "groups.hpp"
#include "parts.hpp"

namespace sheaf_armci {
namespace {

struct places {
  std::vector<std::vector<int>> members;  ///< by domain
  std::vector<int> domain;                ///< by process
  MPI_Comm node = MPI_COMM_NULL;          ///< of the caller's domain
  MPI_Comm masters = MPI_COMM_NULL;       ///< of the first of each, if the caller is one
};
places all;

bool is_near(std::uint32_t process) {
  auto& net = here.memory->here.connection();
  return static_cast<int>(process) == here.self || (net.tells_near() && net.near(location_id{process}));
}

/// A domain by its number, or the caller's.
std::vector<int> const& checked_domain(char const* function, int id) {
  check_begun(function);
  int const count = static_cast<int>(all.members.size());
  if (id >= count) {
    fail(function, "there is no domain " + std::to_string(id) + "; they are 0 to " + std::to_string(count - 1));
  }
  return all.members[static_cast<std::size_t>(id < 0 ? domain_of(here.self) : id)];
}

bool is_master(int process) { return all.members[static_cast<std::size_t>(domain_of(process))].front() == process; }

/// Whether the process takes part in collectives of the scope that the caller begins.
bool is_in_scope(char const* function, int scope, int process) {
  switch (scope) {
    case SCOPE_ALL:
      return true;
    case SCOPE_NODE:
      return domain_of(process) == domain_of(here.self);
    case SCOPE_MASTERS:
      return is_master(process);
    default:
      break;
  }
  fail(function, "scope " + std::to_string(scope) + " is none of SCOPE_ALL (" + std::to_string(SCOPE_ALL) +
                     "), SCOPE_NODE (" + std::to_string(SCOPE_NODE) + ") and SCOPE_MASTERS (" +
                     std::to_string(SCOPE_MASTERS) + ")");
}

std::vector<int> all_processes() {
  std::vector<int> numbers(here.count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

}  // namespace

std::span<std::vector<int> const> domains() { return all.members; }
int domain_of(int process) { return all.domain[static_cast<std::size_t>(process)]; }

void begin_domains() {
  std::uint32_t first = 0;
  while (!is_near(first)) ++first;
  std::vector<int> number(here.count, -1);  // of the domain with that first process
  for (std::uint64_t const its_first : exchanged(first, here.world.comm)) {
    int& domain = number[its_first];
    if (domain < 0) {
      domain = static_cast<int>(all.members.size());
      all.members.emplace_back();
    }
    all.members[static_cast<std::size_t>(domain)].push_back(static_cast<int>(all.domain.size()));
    all.domain.push_back(domain);
  }
  MPI_Comm_split(here.world.comm, domain_of(here.self), here.self, &all.node);
  MPI_Comm_split(here.world.comm, is_master(here.self) ? 0 : MPI_UNDEFINED, here.self, &all.masters);
}

void end_domains() {
  MPI_Comm_free(&all.node);
  if (all.masters != MPI_COMM_NULL) MPI_Comm_free(&all.masters);
  all = {};
}

std::vector<int> members_of(char const* function, int scope) {
  check_begun(function);
  std::vector<int> members = all_processes();
  std::erase_if(members, [&](int process) { return !is_in_scope(function, scope, process); });
  return members;
}

audience::audience(char const* function, int scope, ARMCI_Group const& group) : group_(group) {
  check_begun(function);
  is_all_ = scope == SCOPE_ALL;
  if (is_all_) {
    comm_ = group.comm;
    return;
  }
  std::vector<int> ranks;
  for (int rank = 0; rank < group.size; ++rank) {
    if (!is_in_scope(function, scope, group.grp_to_abs[rank])) continue;
    ranks.push_back(rank);
    members_.push_back(group.grp_to_abs[rank]);
  }
  if (std::find(members_.begin(), members_.end(), here.self) == members_.end()) return;
  is_own_ = group.comm != here.world.comm;
  comm_ = is_own_ ? communicator_of(group.comm, ranks) : scope == SCOPE_NODE ? all.node : all.masters;
}

int audience::rank_of(char const* function, int process) const {
  static_cast<void>(checked_process(function, process));
  int rank = MPI_UNDEFINED;
  if (is_all_) {
    rank = group_.abs_to_grp[process];
  } else if (auto const at = std::find(members_.begin(), members_.end(), process); at != members_.end()) {
    rank = static_cast<int>(at - members_.begin());
  }
  if (rank == MPI_UNDEFINED) {
    fail(function, "process " + std::to_string(process) + " is not among those that take part; name one that is");
  }
  return rank;
}

}  // namespace sheaf_armci

using namespace sheaf_armci;

int armci_domain_nprocs(armci_domain_t, int id) {
  return static_cast<int>(checked_domain("armci_domain_nprocs", id).size());
}

int armci_domain_id(armci_domain_t, int glob_proc_id) {
  static_cast<void>(checked_process("armci_domain_id", glob_proc_id));
  return domain_of(glob_proc_id);
}

int armci_domain_glob_proc_id(armci_domain_t, int id, int loc_proc_id) {
  constexpr char const* function = "armci_domain_glob_proc_id";
  std::vector<int> const& members = checked_domain(function, id);
  if (loc_proc_id < 0 || loc_proc_id >= static_cast<int>(members.size())) {
    fail(function, "there is no process " + std::to_string(loc_proc_id) + " in this domain; it has 0 to " +
                       std::to_string(members.size() - 1));
  }
  return members[static_cast<std::size_t>(loc_proc_id)];
}

int armci_domain_my_id(armci_domain_t) {
  check_begun("armci_domain_my_id");
  return domain_of(here.self);
}

int armci_domain_count(armci_domain_t) {
  check_begun("armci_domain_count");
  return static_cast<int>(domains().size());
}

int armci_domain_same_id(armci_domain_t, int proc) { return ARMCI_Same_node(proc); }

int ARMCI_Same_node(int proc) {
  static_cast<void>(checked_process("ARMCI_Same_node", proc));
  return domain_of(proc) == domain_of(here.self) ? 1 : 0;
}

int ARMCI_Uses_shm() {
  check_begun("ARMCI_Uses_shm");
  return domains().size() < here.count ? 1 : 0;
}

int ARMCI_Uses_shm_grp(ARMCI_Group* group) {
  check_begun("ARMCI_Uses_shm_grp");
  std::vector<bool> seen(domains().size());
  for (int rank = 0; rank < group->size; ++rank) {
    auto const domain = static_cast<std::size_t>(domain_of(group->grp_to_abs[rank]));
    if (seen[domain]) return 1;
    seen[domain] = true;
  }
  return 0;
}

void ARMCI_Set_shm_limit(unsigned long) {}
