// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

/// Which sanitizers this build has, and hooks of AddressSanitizer that do nothing without it. The only place that asks.
#ifdef __has_feature
#define SHEAF_HAS_FEATURE(name) __has_feature(name)
#else
#define SHEAF_HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || SHEAF_HAS_FEATURE(address_sanitizer)
#define SHEAF_HAS_ASAN 1
#else
#define SHEAF_HAS_ASAN 0
#endif
#if defined(__SANITIZE_THREAD__) || SHEAF_HAS_FEATURE(thread_sanitizer)
#define SHEAF_HAS_TSAN 1
#else
#define SHEAF_HAS_TSAN 0
#endif

#include <cstddef>
#if SHEAF_HAS_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace sheaf::detail {

/// Any use of these bytes is an error until `permit`.
inline void forbid([[maybe_unused]] void const* data, [[maybe_unused]] std::size_t bytes) noexcept {
#if SHEAF_HAS_ASAN
  __asan_poison_memory_region(data, bytes);
#endif
}

inline void permit([[maybe_unused]] void const* data, [[maybe_unused]] std::size_t bytes) noexcept {
#if SHEAF_HAS_ASAN
  __asan_unpoison_memory_region(data, bytes);
#endif
}

}  // namespace sheaf::detail
