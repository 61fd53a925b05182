// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "graph/gzip_text.hpp"

#ifdef SHEAF_ZLIB
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>

namespace sheaf::detail {

struct gzip_text::inflater {
  z_stream stream{};
  std::string_view left;  // that the stream has not been given
};

namespace {

constexpr int only_gzip = 16 + MAX_WBITS;

}  // namespace

gzip_text::gzip_text(std::string_view packed) : state_(std::make_unique<inflater>()) {
  state_->left = packed;
  if (::inflateInit2(&state_->stream, only_gzip) != Z_OK) fail("no memory");
}

gzip_text::~gzip_text() { ::inflateEnd(&state_->stream); }

void gzip_text::read(std::string& to, std::size_t bytes) {
  z_stream& stream = state_->stream;
  std::string_view& left = state_->left;
  std::size_t done = to.size();
  to.resize(done + bytes);
  while (done < to.size() && !is_at_end_) {
    std::size_t const given = std::min<std::size_t>(left.size(), std::numeric_limits<uInt>::max());
    std::size_t const room = std::min<std::size_t>(to.size() - done, std::numeric_limits<uInt>::max());
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(left.data()));
    stream.avail_in = static_cast<uInt>(given);
    stream.next_out = reinterpret_cast<Bytef*>(to.data() + done);
    stream.avail_out = static_cast<uInt>(room);
    int const result = ::inflate(&stream, Z_NO_FLUSH);
    left.remove_prefix(given - stream.avail_in);
    done += room - stream.avail_out;
    if (result == Z_STREAM_END) {
      is_at_end_ = left.find_first_not_of('\0') == std::string_view::npos;  // tapes are filled up with zeros
      if (!is_at_end_ && ::inflateReset(&stream) != Z_OK) fail("zlib is in disorder");
    } else if (result == Z_BUF_ERROR || (result == Z_OK && left.empty() && stream.avail_out != 0)) {
      fail("the compressed data end too early");
    } else if (result != Z_OK) {
      fail(stream.msg != nullptr ? stream.msg : "the compressed data are damaged");
    }
  }
  to.resize(done);
}

struct gzip_packer::deflater {
  z_stream stream{};
};

gzip_packer::gzip_packer() : state_(std::make_unique<deflater>()) {
  constexpr int memory = 8;  // zlib's default
  if (::deflateInit2(&state_->stream, Z_BEST_SPEED, Z_DEFLATED, only_gzip, memory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
}

gzip_packer::~gzip_packer() { ::deflateEnd(&state_->stream); }

void gzip_packer::pack(std::string_view text, bool is_all) {
  constexpr std::size_t block = std::size_t{1} << 16U, most = std::size_t{1} << 30U;
  z_stream& stream = state_->stream;
  do {
    std::string_view const part = text.substr(0, most);
    text.remove_prefix(part.size());
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(part.data()));
    stream.avail_in = static_cast<uInt>(part.size());
    do {
      std::size_t const before = packed_.size();
      packed_.resize(before + block);
      stream.next_out = reinterpret_cast<Bytef*>(packed_.data() + before);
      stream.avail_out = block;
      ::deflate(&stream, is_all && text.empty() ? Z_FINISH : Z_NO_FLUSH);
      packed_.resize(before + block - stream.avail_out);
    } while (stream.avail_out == 0);
  } while (!text.empty());
}

}  // namespace sheaf::detail

#else
#include "sheaf/base/error.hpp"

namespace sheaf::detail {

struct gzip_text::inflater {};

gzip_text::gzip_text(std::string_view /*packed*/) {
  fail(
      "it is compressed by gzip, and this libsheaf was built without zlib; build it with zlib1g-dev installed, or "
      "decompress the file first");
}
gzip_text::~gzip_text() = default;
void gzip_text::read(std::string& /*to*/, std::size_t /*bytes*/) {}

struct gzip_packer::deflater {};

gzip_packer::gzip_packer() {
  throw usage_error(
      "sheaf: a file whose name ends with .gz is compressed, and this libsheaf was built without zlib; build it with "
      "zlib1g-dev installed, or give a name without .gz");
}
gzip_packer::~gzip_packer() = default;
void gzip_packer::pack(std::string_view /*text*/, bool /*is_all*/) {}

}  // namespace sheaf::detail

#endif
