// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include "process.hpp"

#pragma GCC visibility push(hidden)
namespace sheaf_armci {

inline sheaf::detail::strided row(void* first, std::size_t bytes) noexcept {
  return {static_cast<std::byte*>(first), bytes};
}
inline sheaf::detail::const_strided const_row(void const* first, std::size_t bytes) noexcept {
  return {static_cast<std::byte const*>(first), bytes};
}

inline void put_row(one_sided& by, location_id to, void* src, void* dst, std::size_t bytes) {
  by.put(to, row(dst, bytes), const_row(src, bytes));
}
/// Begins to get: the values are here after `arrive`.
inline void get_row(one_sided& by, location_id from, void* src, void* dst, std::size_t bytes) {
  by.async_get(from, const_row(src, bytes), row(dst, bytes));
}

/// What an accumulate adds.
struct addend {
  sheaf::detail::element_kind kind;
  void const* scale;  ///< null: 1
};
/// Ends the job where `datatype` is no ARMCI_Acc_e.
addend checked_addend(char const* function, int datatype, void const* scale);

/// *flag = value, after what has been put there.
void set_flag(char const* function, int* flag, int value, int proc);

}  // namespace sheaf_armci
#pragma GCC visibility pop
