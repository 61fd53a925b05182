// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/parts_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <string_view>

#include "sheaf/command_error.hpp"
#include "sheaf/file_handle.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::tool {

namespace {

/// The errno of what failed, or 0.
int write_at(std::string const& path, std::string_view text, std::uint64_t offset) {
  file_handle file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file) return errno;
  while (!text.empty()) {
    ssize_t const written = ::pwrite(file.get(), text.data(), text.size(), static_cast<off_t>(offset));
    if (written < 0 && errno != EINTR) return errno;
    if (written < 0) continue;
    text.remove_prefix(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
  return file.close();
}

/// All members throw what one has met.
void agree(team const& members, std::string const& path, int failed) {
  int const worst = all_reduce(members, failed, [](int a, int b) { return a != 0 ? a : b; });
  if (worst != 0) throw_file_error("write", path, worst);
}

}  // namespace

void write_parts(team const& members, std::string const& path, std::string const& own) {
  int failed = 0;
  if (members.rank() == 0) {
    file_handle const made(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    failed = made ? 0 : errno;
  }
  agree(members, path, failed);
  std::uint64_t const offset = exclusive_scan(members, std::uint64_t{own.size()}, std::uint64_t{0}, std::plus<>{});
  agree(members, path, write_at(path, own, offset));
}

}  // namespace sheaf::tool
