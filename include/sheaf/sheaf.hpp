// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

/// Everything of Sheaf that a program needs, light to compile. The library's own files never include it.

#include "sheaf/async/future.hpp"
#include "sheaf/base/options.hpp"
#include "sheaf/base/version.hpp"
#include "sheaf/rmi/distributed.hpp"
#include "sheaf/rmi/reply_window.hpp"
#include "sheaf/rmi/rmi.hpp"
#include "sheaf/runtime/collectives.hpp"
#include "sheaf/runtime/fence.hpp"
#include "sheaf/runtime/run.hpp"
#include "sheaf/runtime/team.hpp"
