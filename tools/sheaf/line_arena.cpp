// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/line_arena.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <type_traits>

#include "sheaf/base/huge_pages.hpp"
#include "sheaf/line_sort.hpp"

namespace sheaf::tool {
namespace {

constexpr std::size_t first_chunk = std::size_t{64} << 10;
constexpr std::size_t largest_chunk = std::size_t{32} << 20;

}  // namespace

line_arena::~line_arena() {
  for (chunk const& part : chunks_) ::munmap(part.start, part.size);
  std::free(refs_);
}

void line_arena::write_header(char* start, std::size_t size, std::uint64_t position) const noexcept {
  if (size >= line_ref::long_size) {
    start -= 8;
    std::memcpy(start, &size, 8);
  }
  if (order_.needs_position()) std::memcpy(start - 8, &position, 8);
}

void line_arena::add_chunk(std::size_t at_least) {
  std::size_t const usual = chunks_.empty() ? first_chunk : std::min(chunks_.back().size * 4, largest_chunk);
  std::size_t const size = (std::max(usual, at_least) + 4095) / 4096 * 4096;
  chunks_.reserve(chunks_.size() + 1);
  void* const start = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) throw std::bad_alloc();
  detail::advise_huge_pages(start, size);
  chunks_.push_back({start, size});
  next_ = static_cast<char*>(start);
  room_ = size;
}

void line_arena::grow_refs() {
  static_assert(std::is_trivially_copyable_v<line_ref> && alignof(line_ref) <= alignof(std::max_align_t));
  std::size_t const capacity = std::max<std::size_t>(capacity_ * 2, 1024);
  void* const grown = std::realloc(static_cast<void*>(refs_), capacity * sizeof(line_ref));
  if (grown == nullptr) throw std::bad_alloc();
  refs_ = static_cast<line_ref*>(grown);
  capacity_ = capacity;
  detail::advise_huge_pages(refs_, capacity * sizeof(line_ref));
}

void line_arena::sort() {
  count_ = sort_lines({refs_, count_}, order_);
  if (!order_.unique) return;
  bytes_ = 0;
  for (line_ref const& line : lines()) bytes_ += line.size() + 1;
}

}  // namespace sheaf::tool
