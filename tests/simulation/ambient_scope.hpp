// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <utility>

#include "sheaf/base/ambient.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf_test {

/// A location as sheaf::run has it while this lives, without the fence that ends a job.
class ambient_scope {
 public:
  explicit ambient_scope(sheaf::detail::location& here)
      : here_(here), before_(std::exchange(sheaf::detail::ambient_location, &here)) {
    sheaf::detail::make_collectives(here);
  }
  ~ambient_scope() {
    sheaf::detail::destroy_collectives(here_);
    sheaf::detail::ambient_location = before_;
  }
  ambient_scope(ambient_scope const&) = delete;
  ambient_scope& operator=(ambient_scope const&) = delete;

 private:
  sheaf::detail::location& here_;
  sheaf::detail::location* before_;
};

}  // namespace sheaf_test
