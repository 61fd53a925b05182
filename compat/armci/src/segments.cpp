// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// The segments of a strided section of this process, one by one.
#include <algorithm>
#include <cstring>

#include "process.hpp"

namespace sheaf_armci {
namespace {

/// Calls f(segment, bytes) for each, the innermost level first. Needs no job.
template <class F>
void each_segment(void* first, int levels, int const* strides, int const* count, F const& f) {
  std::vector<int> at(static_cast<std::size_t>(levels));
  if (std::any_of(count, count + levels + 1, [](int c) { return c <= 0; })) return;
  auto* segment = static_cast<char*>(first);
  for (;;) {
    f(segment, static_cast<std::size_t>(count[0]));
    int level = 0;
    for (; level < levels; ++level) {
      int& place = at[static_cast<std::size_t>(level)];
      segment += strides[level];
      if (++place < count[level + 1]) break;
      segment -= std::ptrdiff_t{strides[level]} * count[level + 1];
      place = 0;
    }
    if (level == levels) return;
  }
}

void check_levels(char const* function, int levels, int most) {
  if (levels >= 0 && levels <= most) return;
  fail(function, std::to_string(levels) + " stride levels; pass 0 to " + std::to_string(most));
}

}  // namespace
}  // namespace sheaf_armci

using namespace sheaf_armci;

void armci_write_strided(void* ptr, int stride_levels, int* stride_arr, int* count, char* buf) {
  check_levels("armci_write_strided", stride_levels, 31);
  each_segment(ptr, stride_levels, stride_arr, count, [&](char const* segment, std::size_t bytes) {
    std::memcpy(buf, segment, bytes);
    buf += bytes;
  });
}

void armci_read_strided(void* ptr, int stride_levels, int* stride_arr, int* count, char* buf) {
  check_levels("armci_read_strided", stride_levels, 31);
  each_segment(ptr, stride_levels, stride_arr, count, [&](char* segment, std::size_t bytes) {
    std::memcpy(segment, buf, bytes);
    buf += bytes;
  });
}

void armci_stride_info_init(stride_info_t* sinfo, void* base_ptr, int stride_levels, int const* stride_arr,
                            int const* seg_count) {
  check_levels("armci_stride_info_init", stride_levels, ARMCI_MAX_STRIDE_LEVEL);
  *sinfo = {};
  sinfo->base_ptr = static_cast<char*>(base_ptr);
  sinfo->stride_levels = stride_levels;
  std::copy_n(stride_arr, stride_levels, sinfo->stride_arr);
  std::copy_n(seg_count, stride_levels + 1, sinfo->seg_count);
  sinfo->size = 1;
  for (int level = 1; level <= stride_levels; ++level) sinfo->size *= seg_count[level];
}

void armci_stride_info_destroy(stride_info_t*) {}
int armci_stride_info_size(stride_info_t* sinfo) { return sinfo->size; }
int armci_stride_info_pos(stride_info_t* sinfo) { return sinfo->pos; }
int armci_stride_info_has_more(stride_info_t* sinfo) { return sinfo->pos < sinfo->size ? 1 : 0; }
int armci_stride_info_seg_size(stride_info_t* sinfo) { return sinfo->seg_count[0]; }

int armci_stride_info_seg_off(stride_info_t* sinfo) {
  int offset = 0;
  for (int level = 0; level < sinfo->stride_levels; ++level) offset += sinfo->itr[level] * sinfo->stride_arr[level];
  return offset;
}

void* armci_stride_info_seg_ptr(stride_info_t* sinfo) { return sinfo->base_ptr + armci_stride_info_seg_off(sinfo); }

void armci_stride_info_next(stride_info_t* sinfo) {
  if (sinfo->pos >= sinfo->size) {
    fail("armci_stride_info_next",
         "all " + std::to_string(sinfo->size) + " segments have been visited; ask armci_stride_info_has_more before");
  }
  ++sinfo->pos;
  for (int level = 0; level < sinfo->stride_levels; ++level) {
    if (++sinfo->itr[level] < sinfo->seg_count[level + 1] || level + 1 == sinfo->stride_levels) break;
    sinfo->itr[level] = 0;
  }
}
