// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: a handler has static void run
#include "sheaf/message/executor.hpp"

struct layer {
  static void run(sheaf::detail::location&, void*, sheaf::detail::execution& state) { state.at = state.run_end; }
  static constexpr sheaf::detail::type_token object_type = nullptr;
#ifdef SHEAF_CORRECT
  static constexpr sheaf::traffic kind = sheaf::traffic::request;
#endif
  static constexpr std::uint32_t record_bytes = 8;
};

std::uint32_t number() { return sheaf::detail::handler_number<layer>; }
