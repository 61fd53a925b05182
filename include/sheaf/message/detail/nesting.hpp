// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <type_traits>

#include "sheaf/base/lease.hpp"

/// What one pass over a value (to size, write or read it) has to remember.
namespace sheaf::detail {

/// Values of recursive types may contain each other this deep: every level takes stack at both ends.
inline constexpr std::uint32_t most_nested = 200;

[[noreturn, gnu::cold]] void fail_deep(bool reading);

/// Owns the table of shared objects that a pass has met. The coder that meets the first one makes it.
struct share_slot : immovable<share_slot> {
  void* table = nullptr;
  void (*destroy)(void*) noexcept = nullptr;

  ~share_slot() {
    if (table != nullptr) destroy(table);
  }
};

struct nesting {
  share_slot* shared = nullptr;
  std::uint32_t depth = 0;
  bool reading = false;
};

/// The way to the state that a pass carries: a `byte_writer`, a `byte_reader`, or `sizing`.
struct codec_access {
  static nesting& state(auto& pass) { return pass.state_; }
  static nesting& state(nesting& itself) { return itself; }
};

/// One level deeper, as long as this object lives.
class level : immovable<level> {
 public:
  explicit level(auto& pass) : state_(codec_access::state(pass)) {
    if (state_.depth == most_nested) [[unlikely]]
      fail_deep(state_.reading);
    ++state_.depth;
  }
  ~level() { --state_.depth; }

 private:
  nesting& state_;
};

/// Within it, shared pointers to one object stay pointers to one object.
class sharing : immovable<sharing> {
 public:
  explicit sharing(auto& pass) : state_(codec_access::state(pass)), before_(state_.shared) { state_.shared = &slot_; }
  ~sharing() { state_.shared = before_; }

 private:
  nesting& state_;
  share_slot* before_;
  share_slot slot_;
};

struct nothing {
  explicit nothing(auto&...) {}
};

template <bool Recursive>
using level_if = std::conditional_t<Recursive, level, nothing>;
template <bool Shares>
using sharing_if = std::conditional_t<Shares, sharing, nothing>;

}  // namespace sheaf::detail
