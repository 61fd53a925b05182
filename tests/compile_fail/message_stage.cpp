// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: the stage<T> of a policy lacks a member
#include <cstddef>
#include <cstdint>

#include "sheaf/messages.hpp"

struct passes_on {
  template <class T>
  class stage {
   public:
    explicit stage(passes_on const&) {}
    void send(std::uint64_t dest, T const& value, auto next) { next(dest, value); }
    void flush(auto) {}
    [[nodiscard]] bool empty() const { return true; }
    void forget() {}
#ifdef SHEAF_CORRECT
    [[nodiscard]] std::size_t bytes() const { return 0; }
#endif
  };
};

void call(sheaf::team const& members) { sheaf::message_type<int, passes_on> const type(members); }
