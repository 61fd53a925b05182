// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>

#include "sheaf/rmi/remote_calls.hpp"

namespace sheaf {

/// A distributed object's name, valid on every member of its team and free to travel (ARMI's rmiHandle); default: none.
/// Has the verbs of remote calls.
template <class T>
class handle : public detail::verbs<handle<T>, T> {
 public:
  constexpr handle() = default;
  constexpr handle(std::uint32_t team, std::uint32_t object) : tag_(0, object, team) {}

  [[nodiscard]] constexpr std::uint32_t team_id() const { return tag_.team(); }
  [[nodiscard]] constexpr std::uint32_t object_number() const { return tag_.object(); }
  [[nodiscard]] constexpr run_tag tag() const { return tag_; }
  [[nodiscard]] constexpr bool valid() const { return tag_.object() != 0; }
  constexpr bool operator==(handle const& other) const { return tag_ == other.tag_; }

 private:
  friend class detail::verbs<handle, T>;
  [[nodiscard]] detail::target target_of(char const* verb, call_site from) const {
    return detail::target::of(verb, tag_, from);
  }

  run_tag tag_;
};

}  // namespace sheaf
