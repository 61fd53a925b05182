// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include "sheaf/base/error.hpp"

namespace sheaf {

/// Bytes came off the wire that no correct location of this build can have sent. Ends the job.
class wire_error : public error, public detail::ends_job {
 public:
  using error::error;
};

/// A request came for an object that is destroyed, or was never made. Ends the job.
class stray_request : public usage_error, public detail::ends_job {
 public:
  using usage_error::usage_error;
};

/// A handler of a layer, or the operation of a collective call, threw: what is half done cannot be finished. Ends the
/// job.
class callback_error : public error, public detail::ends_job {
 public:
  using error::error;
};

/// All locations wait, and nothing can happen any more: thrown out of a wait of location 0, which has found it. The
/// text says who waits for whom. Ends the job.
class standstill : public error, public detail::ends_job {
 public:
  using error::error;
};

/// A wait was issued in a handler although options::nesting_limit handlers of this location wait already. Thrown before
/// anything is sent.
class nesting_limit : public error {
 public:
  using error::error;
};

}  // namespace sheaf
