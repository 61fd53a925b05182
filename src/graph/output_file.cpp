// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "graph/output_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "graph/gzip_text.hpp"
#include "sheaf/graph/graph_file.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

namespace {

constexpr std::size_t most_text = std::size_t{1} << 20U;  // that is kept before it is written

/// Calls use(text) for blocks of the records' text, in order.
template <class Use>
void for_each_block(std::uint64_t count, std::function<void(std::string&, std::uint64_t)> const& append, Use use) {
  std::string text;
  for (std::uint64_t k = 0; k < count; ++k) {
    append(text, k);
    if (text.size() < most_text) continue;
    use(text);
    text.clear();
  }
  use(text);
}

}  // namespace

output_file::output_file(team const& members, std::string const& path) : team_(members), path_(path) {
  if (is_packed()) gzip_packer();
  int const rights = 0666;
  if (team_.rank() == 0) {
    file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, rights);
    if (file_ < 0) failed_ = errno;
  }
  agree();
  if (team_.rank() != 0) file_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file_ < 0) failed_ = errno;
}

output_file::~output_file() {
  if (file_ >= 0) ::close(file_);
}

void output_file::write(std::uint64_t offset, std::string_view bytes) {
  while (failed_ == 0 && !bytes.empty()) {
    ssize_t const written = ::pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      failed_ = errno;
      return;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
}

void output_file::finish() {
  if (file_ >= 0 && ::close(file_) != 0 && failed_ == 0) failed_ = errno;
  file_ = -1;
  agree();
}

void output_file::agree() {
  int const worst = all_reduce(team_, failed_, [](int a, int b) { return a != 0 ? a : b; });
  if (worst != 0) throw graph_file_error("sheaf: " + path_ + ": cannot write: " + std::strerror(worst));
}

void write_records(output_file& file, std::string_view first, std::uint64_t count,
                   std::function<void(std::string&, std::uint64_t)> const& append) {
  bool const is_first = file.members().rank() == 0;
  if (file.is_packed()) {
    gzip_packer packer;
    if (is_first) packer.add(first);
    for_each_block(count, append, [&](std::string const& text) { packer.add(text); });
    std::string const packed = packer.finish();
    file.write(exclusive_scan(file.members(), std::uint64_t{packed.size()}, std::uint64_t{0}, std::plus<>{}), packed);
    return;
  }
  std::uint64_t bytes = is_first ? first.size() : 0;
  for_each_block(count, append, [&](std::string const& text) { bytes += text.size(); });
  std::uint64_t at = exclusive_scan(file.members(), bytes, std::uint64_t{0}, std::plus<>{});
  if (is_first) {
    file.write(0, first);
    at = first.size();
  }
  for_each_block(count, append, [&](std::string const& text) {
    file.write(at, text);
    at += text.size();
  });
}

}  // namespace sheaf::detail
