# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# The tests of the command's parts are linked with them.
target_link_libraries(test_tools PRIVATE sheaf_tool_parts)
