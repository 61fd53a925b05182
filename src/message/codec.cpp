// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// What of the codec is no template: the texts of its errors, and how a define_type's arrays and offsets are told.
#include "sheaf/message/codec.hpp"

#include <string>

namespace sheaf {
namespace detail {

static constexpr char const* same_build =
    "; sender and receiver must run the same build, and a codec's decode read what its encode wrote";

void throw_wrong_size(std::size_t said, std::ptrdiff_t written) {
  throw usage_error("sheaf: a request or a result was not sent: its size() or define_type measured " +
                    std::to_string(said) + " bytes, but " + std::to_string(written) +
                    " were written; a codec's encode writes exactly what its size says");
}

void fail_full_region(std::size_t wanted, std::size_t left) {
  throw usage_error("sheaf: a request or a result was not sent: its encode wrote " + std::to_string(wanted) +
                    " bytes where its size() or define_type left room for " + std::to_string(left) +
                    "; a codec's encode writes exactly what its size says");
}

void fail_short(std::size_t wanted, std::size_t left) {
  throw decode_error("sheaf: a message is too short: " + std::to_string(wanted) + " bytes were wanted, " +
                     std::to_string(left) + " are left" + same_build);
}

void fail_count(std::uint64_t count, std::size_t each, std::size_t left) {
  throw decode_error("sheaf: a message announces " + std::to_string(count) + " elements of at least " +
                     std::to_string(each) + " bytes, legal here are 0 to " + std::to_string(left / each) + " (" +
                     std::to_string(left) + " bytes are left)" + same_build);
}

void fail_full(std::size_t count, std::size_t kept) {
  throw decode_error("sheaf: a container kept " + std::to_string(kept) + " of " + std::to_string(count) +
                     " elements that arrived; its type must grow as it is filled, or have a codec of its own");
}

void fail_count_form() { throw decode_error(std::string("sheaf: a message has a count above 2^64 - 1") + same_build); }

void fail_deep(bool reading) {
  if (reading)
    throw decode_error("sheaf: a message holds values more than " + std::to_string(most_nested) + " levels deep" +
                       same_build);
  throw usage_error("sheaf: a value to be sent holds others more than " + std::to_string(most_nested) +
                    " levels deep (a long chain of pointers?); send the elements in a container");
}

void fail_valueless() {
  throw usage_error(
      "sheaf: a variant to be sent is valueless_by_exception(); legal is a variant that holds one of its alternatives: "
      "assign one first");
}

void fail_alternative(std::uint64_t number, std::size_t alternatives) {
  throw decode_error("sheaf: a message holds alternative " + std::to_string(number) + " of a variant, legal are 0 to " +
                     std::to_string(alternatives - 1) + same_build);
}

void fail_offset(std::size_t targets) {
  throw usage_error(
      "sheaf: define_type: offset() of a pointer into nothing of its type that this object has named before (" +
      std::to_string(targets) +
      " members so far); legal are null, an element of a local or dynamic named before, and the place behind its last "
      "one: name the target first");
}

void fail_read_offset() {
  throw decode_error(
      "sheaf: a message holds an offset to an element that has not been read; sender and receiver must run the same "
      "build");
}

}  // namespace detail

typer::typer(detail::sizing& sum) : sum_(&sum), state_(detail::codec_access::state(sum)) {}
typer::typer(byte_writer& to) : to_(&to), state_(detail::codec_access::state(to)) {}
typer::typer(byte_reader& from) : from_(&from), state_(detail::codec_access::state(from)) {}

typer::target const& typer::target_list::operator[](std::size_t i) const {
  return i < first_.size() ? first_[i] : rest_[i - first_.size()];
}

void typer::target_list::add(target const& next) {
  if (size_ < first_.size()) {
    first_[size_] = next;
  } else {
    rest_.push_back(next);
  }
  ++size_;
}

void typer::target_list::shrink(std::size_t size) {
  rest_.resize(size > first_.size() ? size - first_.size() : 0);
  size_ = size;
}

bool typer::present(bool here) {
  if (reading()) return *from_->take(1) != std::byte{0};
  to_sink([&](auto& to) { to.value(static_cast<unsigned char>(here)); });
  return here;
}

void typer::filler() {
  if (reading()) return static_cast<void>(from_->take(1));
  to_sink([&](auto& to) { to.value(std::byte{0}); });
}

void typer::count(std::uint64_t n) {
  to_sink([&](auto& to) { to.count(n); });
}

/// Both sides have the same length, and the bytes for it are there.
void typer::same_length(std::size_t length, std::size_t least) {
  if (!reading()) return count(length);
  std::size_t const sent = from_->count(least);
  if (sent == length) return;
  throw decode_error("sheaf: define_type: an array of " + std::to_string(sent) +
                     " elements arrived where the length is " + std::to_string(length) +
                     "; name the length, by local(length), before the array that has it");
}

void typer::fail_length(bool negative, std::uint64_t value, std::uint64_t most) const {
  std::string const text = "sheaf: define_type: an array has the length " + std::string(negative ? "-" : "") +
                           std::to_string(value) + ", legal are 0 to " + std::to_string(most) +
                           "; name the length, by local(length), before the array that has it";
  if (reading()) throw decode_error(text);
  throw usage_error(text);
}

/// Among the targets of `like`'s type that begin where it does, or anywhere if it does nowhere.
typer::place typer::find(void const* pointer, target const& like, std::size_t each) const {
  place behind{targets_.size(), 0};
  auto const at = reinterpret_cast<std::uintptr_t>(pointer);
  for (std::size_t i = 0; i != targets_.size(); ++i) {
    target const& to = targets_[i];
    auto const bytes = at - reinterpret_cast<std::uintptr_t>(to.begin);
    if (to.type != like.type || (like.begin != nullptr && like.begin != to.begin)) continue;
    if (bytes % each != 0 || bytes / each > to.length) continue;
    if (bytes / each != to.length) return {i, bytes / each};
    behind = {i, to.length};
  }
  return behind;
}

}  // namespace sheaf
