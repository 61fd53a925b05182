// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <vector>

namespace sheaf::detail {

/// Asks the system for huge pages for this memory: a page fault per 2 MiB instead of per 4 KiB. Call it before the
/// memory is touched. A hint: fails silently; does nothing for less than one huge page.
void advise_huge_pages(void* from, std::size_t bytes) noexcept;

/// Room for so many elements in an empty vector, with huge pages.
template <class T>
void reserve_in_huge_pages(std::vector<T>& all, std::size_t count) {
  all.reserve(count);
  advise_huge_pages(all.data(), all.capacity() * sizeof(T));
}

}  // namespace sheaf::detail
