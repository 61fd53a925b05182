// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <adlib.h>

#include <optional>
#include <string>
#include <unordered_set>

#include "sheaf/memory/detail/one_sided.hpp"
#include "sheaf/view/detail/array_core.hpp"

struct adlib_array {
  sheaf::detail::array_core core;
};

#pragma GCC visibility push(hidden)
namespace sheaf_adlib {

/// Empty before adlib_init and after adlib_finalize.
extern std::optional<sheaf::team> world;
/// Made and not destroyed.
extern std::unordered_set<adlib_array const*> arrays;

/// Ends the job with a text: this process's number, the function, what is wrong with which value, and the remedy.
[[noreturn, gnu::cold]] void refuse(char const* function, std::string const& what);
/// The same with the text of the exception that is being handled.
[[noreturn, gnu::cold]] void refuse_caught(char const* function);

/// Calls f(), where no exception leaves the C interface. Refused outside of a job.
template <class F>
auto in_job(char const* function, F const& f) noexcept {
  if (!world) refuse(function, "called before adlib_init or after adlib_finalize; call it between them");
  try {
    return f();
  } catch (...) {
    refuse_caught(function);
  }
}

}  // namespace sheaf_adlib
#pragma GCC visibility pop
