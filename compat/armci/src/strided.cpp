// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <cstring>
#include <span>

#include "completion.hpp"
#include "transfers.hpp"

namespace sheaf_armci {
namespace {

constexpr int most_levels = 31;

/// ARMCI's int arrays as shapes of both sides.
class sides {
 public:
  sides(char const* function, int const* source_strides, int const* target_strides, int const* count, int levels) {
    if (levels < 0 || levels > most_levels) [[unlikely]] {
      fail(function, std::to_string(levels) + " stride levels; pass 0 to " + std::to_string(most_levels));
    }
    levels_ = static_cast<std::size_t>(levels);
    row_ = checked_bytes(function, count[0]);
    for (std::size_t i = 0; i < levels_; ++i) {
      if (count[i + 1] < 0) [[unlikely]]
        refuse_negative(function, "places in a level", count[i + 1]);
      counts_[i] = static_cast<std::size_t>(count[i + 1]);
      source_steps_[i] = source_strides[i];
      target_steps_[i] = target_strides[i];
    }
  }
  sides& operator=(sides&&) = delete;  // the shapes point into it

  /// The parts of memory at the two ends of a transfer.
  [[nodiscard]] sheaf::detail::const_strided source(void const* first) const noexcept {
    return {static_cast<std::byte const*>(first), row_, {counts_, levels_}, {source_steps_, levels_}};
  }
  [[nodiscard]] sheaf::detail::strided target(void* first) const noexcept {
    return {static_cast<std::byte*>(first), row_, {counts_, levels_}, {target_steps_, levels_}};
  }

 private:
  std::size_t row_ = 0;
  std::size_t levels_ = 0;
  std::size_t counts_[most_levels];
  std::ptrdiff_t source_steps_[most_levels];
  std::ptrdiff_t target_steps_[most_levels];
};

void put(char const* function, void* src, int* src_stride, void* dst, int* dst_stride, int* count, int levels,
         int proc) {
  location_id const to = checked_process(function, proc);
  sides const both(function, src_stride, dst_stride, count, levels);
  translated(function, [&](one_sided& by) { by.put(to, both.target(dst), both.source(src)); });
}

location_id begin_get(char const* function, void* src, int* src_stride, void* dst, int* dst_stride, int* count,
                      int levels, int proc) {
  location_id const from = checked_process(function, proc);
  sides const both(function, src_stride, dst_stride, count, levels);
  translated(function, [&](one_sided& by) { by.async_get(from, both.source(src), both.target(dst)); });
  return from;
}

void accumulate(char const* function, addend what, void* src, int* src_stride, void* dst, int* dst_stride, int* count,
                int levels, int proc) {
  location_id const to = checked_process(function, proc);
  sides const both(function, src_stride, dst_stride, count, levels);
  translated(function,
             [&](one_sided& by) { by.accumulate(to, what.kind, both.target(dst), both.source(src), what.scale); });
}

}  // namespace
}  // namespace sheaf_armci

using namespace sheaf_armci;

int PARMCI_PutS(void* src, int* src_stride, void* dst, int* dst_stride, int* count, int levels, int proc) {
  put("ARMCI_PutS", src, src_stride, dst, dst_stride, count, levels, proc);
  return 0;
}

int PARMCI_GetS(void* src, int* src_stride, void* dst, int* dst_stride, int* count, int levels, int proc) {
  location_id const from = begin_get("ARMCI_GetS", src, src_stride, dst, dst_stride, count, levels, proc);
  translated("ARMCI_GetS", [&](one_sided& by) { by.arrive(from); });
  return 0;
}

int PARMCI_AccS(int datatype, void* scale, void* src, int* src_stride, void* dst, int* dst_stride, int* count,
                int levels, int proc) {
  addend const what = checked_addend("ARMCI_AccS", datatype, scale);
  accumulate("ARMCI_AccS", what, src, src_stride, dst, dst_stride, count, levels, proc);
  return 0;
}

int PARMCI_PutS_flag(void* src, int* src_stride, void* dst, int* dst_stride, int* count, int levels, int* flag,
                     int value, int proc) {
  put("ARMCI_PutS_flag", src, src_stride, dst, dst_stride, count, levels, proc);
  set_flag("ARMCI_PutS_flag", flag, value, proc);
  return 0;
}

int PARMCI_NbPutS(void* src, int* src_stride, void* dst, int* dst_stride, int* count, int levels, int proc,
                  armci_hdl_t* hdl) {
  put("ARMCI_NbPutS", src, src_stride, dst, dst_stride, count, levels, proc);
  return note(hdl, proc), 0;
}

int PARMCI_NbGetS(void* src, int* src_stride, void* dst, int* dst_stride, int* count, int levels, int proc,
                  armci_hdl_t* hdl) {
  begin_get("ARMCI_NbGetS", src, src_stride, dst, dst_stride, count, levels, proc);
  return note(hdl, proc), 0;
}

int PARMCI_NbAccS(int datatype, void* scale, void* src, int* src_stride, void* dst, int* dst_stride, int* count,
                  int levels, int proc, armci_hdl_t* hdl) {
  addend const what = checked_addend("ARMCI_NbAccS", datatype, scale);
  accumulate("ARMCI_NbAccS", what, src, src_stride, dst, dst_stride, count, levels, proc);
  return note(hdl, proc), 0;
}

SHEAF_ARMCI_NAME(PutS);
SHEAF_ARMCI_NAME(GetS);
SHEAF_ARMCI_NAME(AccS);
SHEAF_ARMCI_NAME(PutS_flag);
SHEAF_ARMCI_NAME(NbPutS);
SHEAF_ARMCI_NAME(NbGetS);
SHEAF_ARMCI_NAME(NbAccS);
