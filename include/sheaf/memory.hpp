// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// One-sided memory: global pointers, transfers of any shape, accumulates, atomics, locks.
#pragma once

#include "sheaf/memory/allocation.hpp"
#include "sheaf/memory/atomics.hpp"
#include "sheaf/memory/global_ptr.hpp"
#include "sheaf/memory/lock.hpp"
#include "sheaf/memory/section.hpp"
#include "sheaf/memory/signal.hpp"
#include "sheaf/memory/transfer.hpp"
