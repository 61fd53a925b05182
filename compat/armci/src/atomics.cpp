// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <cstring>

#include "process.hpp"

namespace sheaf_armci {
namespace {

/// *old = the word there, which becomes more by `value`, or what *old is.
template <class T>
int change(sheaf::detail::change_kind how, void* old, void* word, int value, location_id where) {
  T operand = static_cast<T>(value);
  if (how == sheaf::detail::change_kind::swap) std::memcpy(&operand, old, sizeof operand);
  translated("ARMCI_Rmw", [&](one_sided& by) {
    auto const before = static_cast<T>(by.change({where, sheaf::detail::address_of(word)}, sizeof(T), how,
                                                 static_cast<std::make_unsigned_t<T>>(operand)));
    std::memcpy(old, &before, sizeof before);
  });
  return 0;
}

}  // namespace
}  // namespace sheaf_armci

using namespace sheaf_armci;

int PARMCI_Rmw(int op, void* ploc, void* prem, int value, int proc) {
  using sheaf::detail::change_kind;
  location_id const where = checked_process("ARMCI_Rmw", proc);
  switch (op) {
    case ARMCI_FETCH_AND_ADD:
      return change<int>(change_kind::add, ploc, prem, value, where);
    case ARMCI_FETCH_AND_ADD_LONG:
      return change<long>(change_kind::add, ploc, prem, value, where);
    case ARMCI_SWAP:
      return change<int>(change_kind::swap, ploc, prem, value, where);
    case ARMCI_SWAP_LONG:
      return change<long>(change_kind::swap, ploc, prem, value, where);
    default:
      break;
  }
  fail("ARMCI_Rmw", "operation " + std::to_string(op) + " is none of ARMCI_FETCH_AND_ADD (" +
                        std::to_string(ARMCI_FETCH_AND_ADD) + ") to ARMCI_SWAP_LONG (" +
                        std::to_string(ARMCI_SWAP_LONG) + ")");
}

SHEAF_ARMCI_NAME(Rmw);
