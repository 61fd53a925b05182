// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "graph/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "sheaf/base/ambient.hpp"
#include "sheaf/graph/graph_file.hpp"

namespace sheaf::detail {

namespace {

[[noreturn]] void fail(std::string const& path, char const* what) {
  throw graph_file_error("sheaf: " + path + ": " + what + std::strerror(errno));
}

}  // namespace

mapped_file::mapped_file(std::string const& path) {
  int const file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail(path, "cannot open: ");
  at_end const closed{[file] { ::close(file); }};
  struct stat its {};
  if (::fstat(file, &its) != 0) fail(path, "cannot look at it: ");
  if (!S_ISREG(its.st_mode)) throw graph_file_error("sheaf: " + path + ": is no regular file, whose parts can be read");
  auto const size = static_cast<std::size_t>(its.st_size);
  if (size == 0) return;
  void* const at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (at == MAP_FAILED) fail(path, "cannot map: ");
  ::madvise(at, size, MADV_SEQUENTIAL);
  text_ = {static_cast<char const*>(at), size};
}

mapped_file::~mapped_file() {
  if (!text_.empty()) ::munmap(const_cast<char*>(text_.data()), text_.size());
}

}  // namespace sheaf::detail
