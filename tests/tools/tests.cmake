# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# The tests of the command's parts are linked with them.
target_link_libraries(test_tools PRIVATE sheaf_tool_parts)

sheaf_add_test(tools.sheaf.unknown_command LABELS tools COMMAND sheaf_tool frob)
set_tests_properties(tools.sheaf.unknown_command PROPERTIES
  PASS_REGULAR_EXPRESSION "sheaf: 'frob' is no command; there is sort")
