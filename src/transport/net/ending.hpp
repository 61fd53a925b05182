// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <functional>
#include <memory>

#include "sheaf/transport/launch.hpp"
#include "transport/heartbeat/heart.hpp"
#include "transport/net/engine.hpp"
#include "transport/net/meeting.hpp"

namespace sheaf::net {

/// The locations of this process have returned: tells whom that concerns, and gives what to call between two looks of
/// engine::finish. All outlive the result; `heart` may be null.
std::function<void()> begin_ending(options const& settings, meeting const& job, engine& e, location_body& body,
                                   heartbeat::heart* heart);

}  // namespace sheaf::net
