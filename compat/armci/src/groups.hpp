// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <span>
#include <vector>

#include "process.hpp"

#pragma GCC visibility push(hidden)
namespace sheaf_armci {

/// Of some ranks of another one, in the order of the list. Collective over these alone.
MPI_Comm communicator_of(MPI_Comm parent, std::span<int const> ranks);

/// The domains, by their number: numbers of the processes that map each other's memory.
std::span<std::vector<int> const> domains();
int domain_of(int process);

/// The processes of a group that take part in a collective of a scope; the caller may not be among them.
class audience {
 public:
  audience(char const* function, int scope, ARMCI_Group const& group);
  audience& operator=(audience&&) = delete;
  ~audience() {
    if (is_own_) MPI_Comm_free(&comm_);
  }

  [[nodiscard]] bool has_caller() const noexcept { return comm_ != MPI_COMM_NULL; }
  [[nodiscard]] MPI_Comm comm() const noexcept { return comm_; }
  /// Ends the job where the process is not among them.
  [[nodiscard]] int rank_of(char const* function, int process) const;

 private:
  ARMCI_Group const& group_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  bool is_own_ = false;
  bool is_all_ = false;
  std::vector<int> members_;  ///< by rank, their numbers; where it is not the whole group
};

/// The numbers of the processes of a scope among all, by rank.
std::vector<int> members_of(char const* function, int scope);

}  // namespace sheaf_armci
#pragma GCC visibility pop
