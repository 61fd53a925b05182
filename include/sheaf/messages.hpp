// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

/// Typed active messages and epochs, as in AM++ (PACT 2010): docs/guide/messages.md.

#include "sheaf/active/epoch.hpp"
#include "sheaf/active/message_type.hpp"
#include "sheaf/active/policies.hpp"
#include "sheaf/base/partition.hpp"
