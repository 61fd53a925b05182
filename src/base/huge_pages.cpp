// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/base/huge_pages.hpp"

#include <sys/mman.h>

#include <cstdint>

namespace sheaf::detail {

void advise_huge_pages(void* from, std::size_t bytes) noexcept {
  constexpr std::uintptr_t huge = std::uintptr_t{2} << 20;
  auto const begin = (reinterpret_cast<std::uintptr_t>(from) + huge - 1) / huge * huge;
  auto const end = (reinterpret_cast<std::uintptr_t>(from) + bytes) / huge * huge;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

}  // namespace sheaf::detail
