// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <span>

#include "completion.hpp"
#include "transfers.hpp"

namespace sheaf_armci {
namespace {

/// Calls f(memory, source, target, bytes) for each segment.
template <class F>
void each_segment(char const* function, armci_giov_t const* sets, int set_count, F const& f) {
  if (set_count < 0) refuse_negative(function, "descriptors", set_count);
  translated(function, [&](one_sided& by) {
    one_sided::gathering const together(by);
    for (armci_giov_t const& set : std::span(sets, static_cast<std::size_t>(set_count))) {
      if (set.ptr_array_len < 0) refuse_negative(function, "segments", set.ptr_array_len);
      std::size_t const bytes = checked_bytes(function, set.bytes);
      for (int i = 0; i < set.ptr_array_len; ++i) f(by, set.src_ptr_array[i], set.dst_ptr_array[i], bytes);
    }
  });
}

void put(char const* function, armci_giov_t const* sets, int set_count, int proc) {
  location_id const to = checked_process(function, proc);
  each_segment(function, sets, set_count,
               [&](one_sided& by, void* src, void* dst, std::size_t bytes) { put_row(by, to, src, dst, bytes); });
}

location_id begin_get(char const* function, armci_giov_t const* sets, int set_count, int proc) {
  location_id const from = checked_process(function, proc);
  each_segment(function, sets, set_count,
               [&](one_sided& by, void* src, void* dst, std::size_t bytes) { get_row(by, from, src, dst, bytes); });
  return from;
}

void accumulate(char const* function, int datatype, void* scale, armci_giov_t const* sets, int set_count, int proc) {
  location_id const to = checked_process(function, proc);
  addend const what = checked_addend(function, datatype, scale);
  each_segment(function, sets, set_count, [&](one_sided& by, void* src, void* dst, std::size_t bytes) {
    by.accumulate(to, what.kind, row(dst, bytes), const_row(src, bytes), what.scale);
  });
}

}  // namespace
}  // namespace sheaf_armci

using namespace sheaf_armci;

int PARMCI_PutV(armci_giov_t* iov, int iov_len, int proc) { return put("ARMCI_PutV", iov, iov_len, proc), 0; }

int PARMCI_GetV(armci_giov_t* iov, int iov_len, int proc) {
  location_id const from = begin_get("ARMCI_GetV", iov, iov_len, proc);
  translated("ARMCI_GetV", [&](one_sided& by) { by.arrive(from); });
  return 0;
}

int PARMCI_AccV(int datatype, void* scale, armci_giov_t* iov, int iov_len, int proc) {
  return accumulate("ARMCI_AccV", datatype, scale, iov, iov_len, proc), 0;
}

int PARMCI_NbPutV(armci_giov_t* iov, int iov_len, int proc, armci_hdl_t* handle) {
  put("ARMCI_NbPutV", iov, iov_len, proc);
  return note(handle, proc), 0;
}

int PARMCI_NbGetV(armci_giov_t* iov, int iov_len, int proc, armci_hdl_t* handle) {
  begin_get("ARMCI_NbGetV", iov, iov_len, proc);
  return note(handle, proc), 0;
}

int PARMCI_NbAccV(int datatype, void* scale, armci_giov_t* iov, int iov_len, int proc, armci_hdl_t* handle) {
  accumulate("ARMCI_NbAccV", datatype, scale, iov, iov_len, proc);
  return note(handle, proc), 0;
}

SHEAF_ARMCI_NAME(PutV);
SHEAF_ARMCI_NAME(GetV);
SHEAF_ARMCI_NAME(AccV);
SHEAF_ARMCI_NAME(NbPutV);
SHEAF_ARMCI_NAME(NbGetV);
SHEAF_ARMCI_NAME(NbAccV);
