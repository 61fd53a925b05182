// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <type_traits>

/// What one pass over a value (to size, write or read it) has to remember.
namespace sheaf::detail {

/// Values of recursive types may contain each other this deep: every level takes stack at both ends.
inline constexpr std::uint32_t most_nested = 200;

[[noreturn, gnu::cold]] void fail_deep_value();
[[noreturn, gnu::cold]] void fail_deep_message();

/// The objects of shared ownership that a pass has met; made by who meets the first one, so that this header need not
/// know how. Owned.
struct share_slot {
  void* table = nullptr;
  void (*destroy)(void*) noexcept = nullptr;

  share_slot() = default;
  share_slot(share_slot const&) = delete;
  share_slot& operator=(share_slot const&) = delete;
  ~share_slot() {
    if (table != nullptr) destroy(table);
  }
};

struct nesting {
  share_slot* shared = nullptr;
  std::uint32_t depth = 0;
};

/// The way to the state that a pass carries: a `byte_writer`, a `byte_reader`, or `sizing`.
struct codec_access {
  template <class Pass>
  static nesting& state(Pass& pass) {
    return pass.state_;
  }
  static nesting& state(nesting& itself) { return itself; }
};

/// One level deeper, as long as this object lives.
class level {
 public:
  template <class Pass>
  level(Pass& pass, void (*fail)()) : state_(codec_access::state(pass)) {
    if (state_.depth == most_nested) [[unlikely]]
      fail();
    ++state_.depth;
  }
  ~level() { --state_.depth; }
  level(level const&) = delete;
  level& operator=(level const&) = delete;

 private:
  nesting& state_;
};

/// Within it, shared pointers to one object stay pointers to one object.
class sharing {
 public:
  template <class Pass>
  explicit sharing(Pass& pass) : state_(codec_access::state(pass)), before_(state_.shared) {
    state_.shared = &slot_;
  }
  ~sharing() { state_.shared = before_; }
  sharing(sharing const&) = delete;
  sharing& operator=(sharing const&) = delete;

 private:
  nesting& state_;
  share_slot* before_;
  share_slot slot_;
};

struct nothing {
  template <class... A>
  explicit nothing(A&...) {}
};

template <bool Recursive>
using level_if = std::conditional_t<Recursive, level, nothing>;
template <bool Shares>
using sharing_if = std::conditional_t<Shares, sharing, nothing>;

}  // namespace sheaf::detail
