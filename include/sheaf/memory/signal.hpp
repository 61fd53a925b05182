// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>

#include "sheaf/memory/atomics.hpp"
#include "sheaf/memory/transfer.hpp"

namespace sheaf {

/// put(), then atomic_store of the value into a word of the same location: who sees it (await_word) sees what was put.
/// One message between hosts. (ARMCI_Put_flag.) Throws usage_error where the locations differ.
template <detail::remote_part R, detail::local_source<detail::remote_element<R>> L, atomic_integer T>
void put_signal(R const& to, L const& from, global_ptr<T> word, std::type_identity_t<T> value,
                call_site where = call_site::here()) {
  detail::one_sided& by = detail::one_sided::current("put_signal", where);
  detail::with_call_site(where, [&] { by.check_same(detail::remote_side<R>::where(to), word.where(), "put_signal"); });
  detail::one_sided::gathering const together(by);
  put(to, from, where);
  atomic_store(word, value, where);
}

}  // namespace sheaf
