// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "completion.hpp"

#include <armcix.h>

#include "sheaf/runtime/fence.hpp"

namespace sheaf_armci {
namespace {

void arrive_all(one_sided& by) {
  for (std::uint32_t p = 0; p < here.count; ++p) by.arrive(location_id{p});
}

armci_hdl_t& checked_handle(char const* function, armci_hdl_t* handle) {
  if (handle == nullptr) fail(function, "the handle is NULL; pass the address of an armci_hdl_t");
  return *handle;
}

int wait_for(char const* function, armci_hdl_t* pointer) {
  check_begun(function);
  armci_hdl_t& handle = checked_handle(function, pointer);
  if (handle.target == nothing_open) return 0;
  translated(function, [&](one_sided& by) {
    bool const one = static_cast<std::uint32_t>(handle.target) < here.count;
    one ? by.arrive(location_id{static_cast<std::uint32_t>(handle.target)}) : arrive_all(by);
  });
  handle.target = nothing_open;
  return 0;
}

}  // namespace
}  // namespace sheaf_armci

using namespace sheaf_armci;

void ARMCI_INIT_HANDLE(armci_hdl_t* hdl) { checked_handle("ARMCI_INIT_HANDLE", hdl) = {nothing_open, 0}; }
void ARMCI_SET_AGGREGATE_HANDLE(armci_hdl_t* handle) {
  checked_handle("ARMCI_SET_AGGREGATE_HANDLE", handle).aggregate = 1;
}
void ARMCI_UNSET_AGGREGATE_HANDLE(armci_hdl_t* handle) {
  checked_handle("ARMCI_UNSET_AGGREGATE_HANDLE", handle).aggregate = 0;
}

int PARMCI_Wait(armci_hdl_t* hdl) { return wait_for("ARMCI_Wait", hdl); }
int PARMCI_Test(armci_hdl_t* hdl) { return wait_for("ARMCI_Test", hdl); }
int PARMCI_WaitProc(int proc) {
  location_id const where = checked_process("ARMCI_WaitProc", proc);
  translated("ARMCI_WaitProc", [&](one_sided& by) { by.arrive(where); });
  return 0;
}
int PARMCI_WaitAll() {
  check_begun("ARMCI_WaitAll");
  translated("ARMCI_WaitAll", arrive_all);
  return 0;
}

void PARMCI_Fence(int proc) {
  location_id const where = checked_process("ARMCI_Fence", proc);
  translated("ARMCI_Fence", [&](one_sided& by) { by.fence(where); });
}
void PARMCI_AllFence() {
  check_begun("ARMCI_AllFence");
  translated("ARMCI_AllFence", [](one_sided& by) { by.fence_all(); });
}
void PARMCI_Barrier() {
  check_begun("ARMCI_Barrier");
  translated("ARMCI_Barrier", [](one_sided& by) {
    by.fence_all();
    MPI_Barrier(here.world.comm);
  });
}

void ARMCI_Poll() {
  check_begun("ARMCI_Poll");
  translated("ARMCI_Poll", [](one_sided&) { sheaf::poll(); });
}
void ARMCIX_Progress() { ARMCI_Poll(); }

SHEAF_ARMCI_NAME(Wait);
SHEAF_ARMCI_NAME(Test);
SHEAF_ARMCI_NAME(WaitProc);
SHEAF_ARMCI_NAME(WaitAll);
SHEAF_ARMCI_NAME(Fence);
SHEAF_ARMCI_NAME(AllFence);
SHEAF_ARMCI_NAME(Barrier);
