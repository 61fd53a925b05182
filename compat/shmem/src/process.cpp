// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "process.hpp"

#include <link.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "sheaf/message/guarded_run.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf_shmem {

process here;

namespace {

/// The writable parts of the program itself, which is the first object of all that are loaded.
int note_variables(dl_phdr_info* object, std::size_t, void* to) {
  std::uint64_t first = UINT64_MAX, end = 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    auto const& part = object->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || (part.p_flags & PF_W) == 0) continue;
    first = std::min<std::uint64_t>(first, object->dlpi_addr + part.p_vaddr);
    end = std::max<std::uint64_t>(end, object->dlpi_addr + part.p_vaddr + part.p_memsz);
  }
  if (first < end) *static_cast<region*>(to) = {first, end - first, {}};
  return 1;  // no further object
}

}  // namespace

void fail(char const* function, std::string const& what) {
  std::fflush(stdout);
  std::fprintf(stderr, "[%u] SHMEM Error: %s: %s\n", here.self, function, what.c_str());
  std::fflush(stderr);
  std::_Exit(1);  // the launcher ends the others
}

void fail_caught(char const* function) { fail(function, sheaf::detail::text_of_thrown()); }

void refuse_pe(char const* function, int pe) {
  if (here.count == 0) fail(function, "called before shmem_init or after shmem_finalize; call it between them");
  fail(function, "there is no PE " + std::to_string(pe) + "; they are 0 to " + std::to_string(here.count - 1));
}

void refuse_address(char const* function, void const* address) {
  char text[32];
  std::snprintf(text, sizeof text, "%p", address);
  fail(function, std::string("address ") + text +
                     " is not symmetric; pass what shmem_malloc and its like give, or a global or static variable of "
                     "the program itself");
}

void add_region(void const* start, std::uint64_t bytes) {
  std::uint64_t const at = sheaf::detail::address_of(start);
  here.regions.push_back({at, bytes, sheaf::all_gather(*here.world, at)});
}

void add_variables() {
  region own;
  dl_iterate_phdr(note_variables, &own);
  auto const sizes = sheaf::all_gather(*here.world, own.bytes);
  own.starts = sheaf::all_gather(*here.world, own.start);
  bool const alike = std::all_of(sizes.begin(), sizes.end(), [&](auto bytes) { return bytes == own.bytes; });
  if (alike && own.bytes != 0) here.regions.push_back(own);
}

}  // namespace sheaf_shmem
