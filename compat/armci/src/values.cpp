// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "completion.hpp"
#include "transfers.hpp"

namespace sheaf_armci {
namespace {

template <class T>
int put_value(char const* function, T value, void* dst, int proc) {
  location_id const to = checked_process(function, proc);
  translated(function, [&](one_sided& by) { put_row(by, to, &value, dst, sizeof value); });
  return 0;
}

template <class T>
T get_value(char const* function, void* src, int proc) {
  location_id const from = checked_process(function, proc);
  T value{};
  translated(function, [&](one_sided& by) {
    get_row(by, from, src, &value, sizeof value);
    by.arrive(from);
  });
  return value;
}

}  // namespace
}  // namespace sheaf_armci

using namespace sheaf_armci;

int PARMCI_PutValueInt(int src, void* dst, int proc) { return put_value("ARMCI_PutValueInt", src, dst, proc); }
int PARMCI_PutValueLong(long src, void* dst, int proc) { return put_value("ARMCI_PutValueLong", src, dst, proc); }
int PARMCI_PutValueFloat(float src, void* dst, int proc) { return put_value("ARMCI_PutValueFloat", src, dst, proc); }
int PARMCI_PutValueDouble(double src, void* dst, int proc) { return put_value("ARMCI_PutValueDouble", src, dst, proc); }

int PARMCI_NbPutValueInt(int src, void* dst, int proc, armci_hdl_t* hdl) {
  put_value("ARMCI_NbPutValueInt", src, dst, proc);
  return note(hdl, proc), 0;
}
int PARMCI_NbPutValueLong(long src, void* dst, int proc, armci_hdl_t* hdl) {
  put_value("ARMCI_NbPutValueLong", src, dst, proc);
  return note(hdl, proc), 0;
}
int PARMCI_NbPutValueFloat(float src, void* dst, int proc, armci_hdl_t* hdl) {
  put_value("ARMCI_NbPutValueFloat", src, dst, proc);
  return note(hdl, proc), 0;
}
int PARMCI_NbPutValueDouble(double src, void* dst, int proc, armci_hdl_t* hdl) {
  put_value("ARMCI_NbPutValueDouble", src, dst, proc);
  return note(hdl, proc), 0;
}

int PARMCI_GetValueInt(void* src, int proc) { return get_value<int>("ARMCI_GetValueInt", src, proc); }
long PARMCI_GetValueLong(void* src, int proc) { return get_value<long>("ARMCI_GetValueLong", src, proc); }
float PARMCI_GetValueFloat(void* src, int proc) { return get_value<float>("ARMCI_GetValueFloat", src, proc); }
double PARMCI_GetValueDouble(void* src, int proc) { return get_value<double>("ARMCI_GetValueDouble", src, proc); }

SHEAF_ARMCI_NAME(PutValueInt);
SHEAF_ARMCI_NAME(PutValueLong);
SHEAF_ARMCI_NAME(PutValueFloat);
SHEAF_ARMCI_NAME(PutValueDouble);
SHEAF_ARMCI_NAME(NbPutValueInt);
SHEAF_ARMCI_NAME(NbPutValueLong);
SHEAF_ARMCI_NAME(NbPutValueFloat);
SHEAF_ARMCI_NAME(NbPutValueDouble);
SHEAF_ARMCI_NAME(GetValueInt);
SHEAF_ARMCI_NAME(GetValueLong);
SHEAF_ARMCI_NAME(GetValueFloat);
SHEAF_ARMCI_NAME(GetValueDouble);
