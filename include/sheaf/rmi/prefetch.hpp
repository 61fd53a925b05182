// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

namespace sheaf {

/// A method that says which memory `Method` will touch; null: none. A program names one beside its class:
///
///     template <>
///     inline constexpr auto sheaf::prefetch_for<&table::update> = &table::place_of;   // void const*
///     place_of(std::uint64_t)
///
/// It takes the method's arguments and returns an address, which is fetched into the cache; it is called some requests
/// ahead of the method in the same run, changes nothing, and the address need not be valid. Only for arguments of fixed
/// size.
template <auto Method>
inline constexpr decltype(nullptr) prefetch_for = nullptr;

}  // namespace sheaf
