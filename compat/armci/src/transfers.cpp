// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transfers.hpp"

#include <complex>
#include <cstring>

#include "completion.hpp"

namespace sheaf_armci {
namespace {

using sheaf::detail::element_kind;

template <class T>
addend kind_with(element_kind kind, void const* scale) {
  T value{1};
  if (scale != nullptr) std::memcpy(&value, scale, sizeof value);
  return {kind, value == T{1} ? nullptr : scale};
}

inline void put(char const* function, void* src, void* dst, int size, int proc) {
  location_id const to = checked_process(function, proc);
  std::size_t const bytes = checked_bytes(function, size);
  translated(function, [&](one_sided& by) { put_row(by, to, src, dst, bytes); });
}

inline void begin_get(char const* function, void* src, void* dst, int size, int proc) {
  location_id const from = checked_process(function, proc);
  std::size_t const bytes = checked_bytes(function, size);
  translated(function, [&](one_sided& by) { get_row(by, from, src, dst, bytes); });
}

void accumulate(char const* function, int datatype, void* scale, void* src, void* dst, int size, int proc) {
  location_id const to = checked_process(function, proc);
  std::size_t const bytes = checked_bytes(function, size);
  addend const what = checked_addend(function, datatype, scale);
  translated(function,
             [&](one_sided& by) { by.accumulate(to, what.kind, row(dst, bytes), const_row(src, bytes), what.scale); });
}

}  // namespace

addend checked_addend(char const* function, int datatype, void const* scale) {
  switch (datatype) {
    case ARMCI_ACC_INT:
      return kind_with<int>(element_kind::integer32, scale);
    case ARMCI_ACC_LNG:
      return kind_with<long>(element_kind::integer64, scale);
    case ARMCI_ACC_FLT:
      return kind_with<float>(element_kind::float32, scale);
    case ARMCI_ACC_DBL:
      return kind_with<double>(element_kind::float64, scale);
    case ARMCI_ACC_CPL:
      return kind_with<std::complex<float>>(element_kind::complex64, scale);
    case ARMCI_ACC_DCP:
      return kind_with<std::complex<double>>(element_kind::complex128, scale);
    default:
      break;
  }
  fail(function, "datatype " + std::to_string(datatype) + " is none of ARMCI_ACC_INT (" +
                     std::to_string(ARMCI_ACC_INT) + ") to ARMCI_ACC_DCP (" + std::to_string(ARMCI_ACC_DCP) + ")");
}

void set_flag(char const* function, int* flag, int value, int proc) {
  place const word{checked_process(function, proc), sheaf::detail::address_of(flag)};
  translated(function, [&](one_sided& by) {
    by.change(word, sizeof value, sheaf::detail::change_kind::store, static_cast<std::uint32_t>(value));
  });
}

}  // namespace sheaf_armci

using namespace sheaf_armci;

int PARMCI_Put(void* src, void* dst, int size, int target) { return put("ARMCI_Put", src, dst, size, target), 0; }

int PARMCI_Get(void* src, void* dst, int size, int target) {
  constexpr char const* function = "ARMCI_Get";
  location_id const from = checked_process(function, target);
  std::size_t const bytes = checked_bytes(function, size);
  translated(function, [&](one_sided& by) {
    get_row(by, from, src, dst, bytes);
    by.arrive(from);
  });
  return 0;
}

int PARMCI_Acc(int datatype, void* scale, void* src, void* dst, int bytes, int proc) {
  return accumulate("ARMCI_Acc", datatype, scale, src, dst, bytes, proc), 0;
}

int PARMCI_Put_flag(void* src, void* dst, int size, int* flag, int value, int proc) {
  put("ARMCI_Put_flag", src, dst, size, proc);
  set_flag("ARMCI_Put_flag", flag, value, proc);
  return 0;
}

int PARMCI_NbPut(void* src, void* dst, int bytes, int proc, armci_hdl_t* hdl) {
  put("ARMCI_NbPut", src, dst, bytes, proc);
  return note(hdl, proc), 0;
}

int PARMCI_NbGet(void* src, void* dst, int bytes, int proc, armci_hdl_t* hdl) {
  begin_get("ARMCI_NbGet", src, dst, bytes, proc);
  return note(hdl, proc), 0;
}

int PARMCI_NbAcc(int datatype, void* scale, void* src, void* dst, int bytes, int proc, armci_hdl_t* hdl) {
  accumulate("ARMCI_NbAcc", datatype, scale, src, dst, bytes, proc);
  return note(hdl, proc), 0;
}

SHEAF_ARMCI_NAME(Put);
SHEAF_ARMCI_NAME(Get);
SHEAF_ARMCI_NAME(Acc);
SHEAF_ARMCI_NAME(Put_flag);
SHEAF_ARMCI_NAME(NbPut);
SHEAF_ARMCI_NAME(NbGet);
SHEAF_ARMCI_NAME(NbAcc);
