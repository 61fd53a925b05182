# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# The sorting networks and the integers that move are those of the benchmark.
target_include_directories(test_simulation PRIVATE "${PROJECT_SOURCE_DIR}/bench")
