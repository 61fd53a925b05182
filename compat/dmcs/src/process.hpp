// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <string>

#include "engine.hpp"

#pragma GCC visibility push(hidden)
namespace sheaf_dmcs {

/// DMCS for one location of a running job, for as long as this lives; collective. Of simulated locations there may be
/// many in a process: the C functions act for the calling one.
class session {
 public:
  explicit session(sheaf::team const& on);
  ~session();
  session& operator=(session&&) = delete;

 private:
  sheaf::team const team_;
  engine engine_;
};

/// This process's, between dmcs_init and dmcs_shutdown; null in others.
extern engine* only;
/// The calling location's; null: it has none.
engine* of_location() noexcept;

/// Ends the job with a text: this process's number, the function, what is wrong with which value, and the remedy.
[[noreturn, gnu::cold]] void fail(char const* name, std::string const& what);
/// Ends the job with the text of the exception that is being handled.
[[noreturn, gnu::cold]] void fail_caught(char const* name);

/// Calls f(engine), where no exception leaves the C interface.
template <class F>
inline auto translated(char const* name, F const& f) {
  engine* const by = only != nullptr ? only : of_location();
  if (by == nullptr) [[unlikely]]
    fail(name, "called before dmcs_init or after dmcs_shutdown; call it between them");
  try {
    engine::entered const inside(*by);
    return f(*by);
  } catch (...) {
    if (only == nullptr) throw;  // a simulated location's, or a test's
    fail_caught(name);
  }
}

}  // namespace sheaf_dmcs
#pragma GCC visibility pop
