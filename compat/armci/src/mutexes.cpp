// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <armcix.h>

#include <memory>

#include "allocations.hpp"
#include "parts.hpp"
#include "process.hpp"

namespace sheaf_armci {
namespace {

constexpr std::size_t room = sheaf::host_memory::line;  // of a mutex, so that two do not contend for a line

/// Mutexes of the members of a group. Collective.
struct batch : armcix_mutex_hdl_s {
  batch(int count, ARMCI_Group const& group) : armcix_mutex_hdl_s{} {
    grp = group;
    my_count = count;
    own_ = take_zeros(static_cast<std::size_t>(count) * room);
    first_ = exchanged(sheaf::detail::address_of(own_), grp.comm);
    counts_ = exchanged(static_cast<std::uint64_t>(count), grp.comm);
    for (std::size_t i = 0; i < first_.size(); ++i) {
      addresses_.push_back(reinterpret_cast<std::uint8_t*>(first_[i]));
      max_count = std::max(max_count, static_cast<int>(counts_[i]));
    }
    bases = addresses_.data();
  }

  /// Where the mutex is. Ends the job where there is none.
  [[nodiscard]] place of(char const* function, int mutex, int proc) const {
    location_id const where = checked_process(function, proc);
    int const rank = grp.abs_to_grp[proc];
    if (rank == MPI_UNDEFINED) {
      fail(function, "process " + std::to_string(proc) + " is not in the group of these mutexes");
    }
    auto const member = static_cast<std::size_t>(rank);
    if (mutex < 0 || static_cast<std::uint64_t>(mutex) >= counts_[member]) {
      fail(function, "there is no mutex " + std::to_string(mutex) + " at process " + std::to_string(proc) +
                         ", which has created " + std::to_string(counts_[member]) + "; they are numbered from 0");
    }
    return {where, first_[member] + static_cast<std::size_t>(mutex) * room};
  }

  /// Collective; no member uses them afterwards.
  void end(char const* function) {
    MPI_Barrier(grp.comm);
    give_back(function, own_);
  }

 private:
  void* own_ = nullptr;
  std::vector<std::uint64_t> first_;   ///< by rank in the group
  std::vector<std::uint64_t> counts_;  ///< so many follow
  std::vector<std::uint8_t*> addresses_;
};

std::unique_ptr<batch> common;  // of ARMCI_Create_mutexes

batch* made(char const* function, int count, ARMCI_Group const& group) {
  check_begun(function);
  if (count < 0) refuse_negative(function, "mutexes", count);
  batch* all = nullptr;
  translated(function, [&](one_sided&) { all = new batch(count, group); });
  return all;
}

batch& common_for(char const* function) {
  check_begun(function);
  if (common == nullptr) fail(function, "there are no mutexes; call ARMCI_Create_mutexes before, on all processes");
  return *common;
}

batch& of_handle(char const* function, armcix_mutex_hdl_t handle) {
  check_begun(function);
  if (handle == nullptr) fail(function, "the handle is NULL; pass one of ARMCIX_Create_mutexes_hdl");
  return *static_cast<batch*>(handle);
}

void lock(char const* function, batch const& among, int mutex, int proc) {
  place const word = among.of(function, mutex, proc);
  translated(function, [&](one_sided& by) { by.lock(word, {}); });
}

void unlock(char const* function, batch const& among, int mutex, int proc) {
  place const word = among.of(function, mutex, proc);
  translated(function, [&](one_sided& by) { by.unlock(word, {}); });
}

}  // namespace

void end_mutexes() {
  if (common != nullptr) common->end("ARMCI_Finalize");
  common.reset();
}

}  // namespace sheaf_armci

using namespace sheaf_armci;

int PARMCI_Create_mutexes(int count) {
  constexpr char const* function = "ARMCI_Create_mutexes";
  if (common != nullptr) fail(function, "there are mutexes already; call ARMCI_Destroy_mutexes before");
  common.reset(made(function, count, here.world));
  return 0;
}

int PARMCI_Destroy_mutexes() {
  constexpr char const* function = "ARMCI_Destroy_mutexes";
  translated(function, [&](one_sided&) { common_for(function).end(function); });
  common.reset();
  return 0;
}

void PARMCI_Lock(int mutex, int proc) { lock("ARMCI_Lock", common_for("ARMCI_Lock"), mutex, proc); }
void PARMCI_Unlock(int mutex, int proc) { unlock("ARMCI_Unlock", common_for("ARMCI_Unlock"), mutex, proc); }

armcix_mutex_hdl_t ARMCIX_Create_mutexes_hdl(int count, ARMCI_Group* pgroup) {
  return made("ARMCIX_Create_mutexes_hdl", count, *pgroup);
}

int ARMCIX_Destroy_mutexes_hdl(armcix_mutex_hdl_t hdl) {
  constexpr char const* function = "ARMCIX_Destroy_mutexes_hdl";
  batch& all = of_handle(function, hdl);
  translated(function, [&](one_sided&) { all.end(function); });
  delete &all;
  return 0;
}

void ARMCIX_Lock_hdl(armcix_mutex_hdl_t hdl, int mutex, int proc) {
  lock("ARMCIX_Lock_hdl", of_handle("ARMCIX_Lock_hdl", hdl), mutex, proc);
}

int ARMCIX_Trylock_hdl(armcix_mutex_hdl_t hdl, int mutex, int proc) {
  constexpr char const* function = "ARMCIX_Trylock_hdl";
  place const word = of_handle(function, hdl).of(function, mutex, proc);
  bool locked = false;
  translated(function, [&](one_sided& by) { locked = by.try_lock(word); });
  return locked ? 0 : 1;
}

void ARMCIX_Unlock_hdl(armcix_mutex_hdl_t hdl, int mutex, int proc) {
  unlock("ARMCIX_Unlock_hdl", of_handle("ARMCIX_Unlock_hdl", hdl), mutex, proc);
}

SHEAF_ARMCI_NAME(Create_mutexes);
SHEAF_ARMCI_NAME(Destroy_mutexes);
SHEAF_ARMCI_NAME(Lock);
SHEAF_ARMCI_NAME(Unlock);
