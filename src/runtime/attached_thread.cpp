// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/runtime/attached_thread.hpp"

#include <string>

#include "base/threading.hpp"
#include "message/outside.hpp"
#include "sheaf/base/ambient.hpp"

namespace sheaf {
namespace {

location& free_for_us(location& here) {
  std::string const which =
      "sheaf: a thread of the program's own cannot attach to location " + std::to_string(number(here.id()));
  if (here.gate() == nullptr) {
    throw usage_error(which +
                      ", since SHEAF_PROGRESS is inline; set it to shared (nobody else helps), helper or "
                      "hand_over");
  }
  if (here.connection().threads() != nullptr && here.connection().threads()->self() == nullptr) {
    throw usage_error(which + ", since simulated locations are fibers of one thread; set SHEAF_TRANSPORT=thread");
  }
  if (detail::ambient_location != nullptr) {
    throw usage_error(which + ": it is one already, or is attached to one; attach each thread once");
  }
  return here;
}

}  // namespace

attached_thread::attached_thread(team const& where) : here_(free_for_us(*where.here_)) {
  here_.expect_from_outside(+1);
  detail::outside::of(here_).attached.enter();
  detail::ambient_location = &here_;
}

attached_thread::~attached_thread() {
  detail::ambient_location = nullptr;
  here_.expect_from_outside(-1);
  detail::outside::of(here_).attached.leave();
}

}  // namespace sheaf
