// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

/// The core of Sheaf, light to compile. The rest has headers of its own: sheaf/std.hpp, sheaf/armi.hpp,
/// sheaf/messages.hpp, sheaf/rmi/migrating.hpp, sheaf/container/vector.hpp, sheaf/algorithm/sample_sort.hpp. The
/// library's own files never include this one.

#include "sheaf/async/future.hpp"
#include "sheaf/async/task.hpp"
#include "sheaf/base/options.hpp"
#include "sheaf/base/version.hpp"
#include "sheaf/rmi/distributed.hpp"
#include "sheaf/rmi/named_method.hpp"
#include "sheaf/rmi/parallel_task.hpp"
#include "sheaf/rmi/published.hpp"
#include "sheaf/rmi/remote_calls.hpp"
#include "sheaf/rmi/reply_window.hpp"
#include "sheaf/runtime/attached_thread.hpp"
#include "sheaf/runtime/collectives.hpp"
#include "sheaf/runtime/fence.hpp"
#include "sheaf/runtime/print.hpp"
#include "sheaf/runtime/run.hpp"
#include "sheaf/runtime/settings.hpp"
#include "sheaf/runtime/statistics.hpp"
#include "sheaf/runtime/team.hpp"
#include "sheaf/runtime/trace.hpp"
#include "sheaf/runtime/with_mpi.hpp"
