// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Distributed arrays: block, cyclic and block-cyclic in each dimension; sections, remap, gather, one-sided transfers.
#pragma once

#include "sheaf/view/array_section.hpp"
#include "sheaf/view/distributed_array.hpp"
#include "sheaf/view/distribution.hpp"
#include "sheaf/view/remap.hpp"
#include "sheaf/view/section_transfer.hpp"
#include "sheaf/view/slice.hpp"
