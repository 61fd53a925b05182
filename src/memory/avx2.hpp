// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

/// Code for registers of 32 bytes, in a library that runs on any processor of its kind. A function with SHEAF_AVX2 may
/// be called only where has_avx2(); what it calls and has `gnu::always_inline` is compiled once more for it. It has no
/// fused multiply-add, so that results are the same on all processors.
#if defined(__x86_64__)
#define SHEAF_AVX2 [[gnu::target("avx2")]]
#else
#define SHEAF_AVX2
#endif

namespace sheaf::detail {

inline bool has_avx2() noexcept {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") != 0;
#else
  return false;
#endif
}

}  // namespace sheaf::detail
