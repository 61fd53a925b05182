// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>

namespace sheaf::detail {

/// Asks the system to back this memory, which should not have been touched, with huge pages where it can: a page fault
/// for each 2 MiB instead of 4 KiB. A hint: fails silently. Nothing for less than one huge page.
void advise_huge_pages(void* from, std::size_t bytes) noexcept;

}  // namespace sheaf::detail
