# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# The `sheaf` command: tools/sheaf/**.cpp.
file(GLOB_RECURSE sheaf_tool_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/sheaf/*.cpp")
if(sheaf_tool_sources)
  find_path(SHEAF_CLI11_INCLUDE_DIR CLI/CLI.hpp REQUIRED)
  # All but main, so that tests can use the parts.
  list(FILTER sheaf_tool_sources EXCLUDE REGEX "/main\\.cpp$")
  add_library(sheaf_tool_parts STATIC ${sheaf_tool_sources})
  target_include_directories(sheaf_tool_parts PUBLIC "${PROJECT_SOURCE_DIR}/tools" "${PROJECT_SOURCE_DIR}/src")
  target_include_directories(sheaf_tool_parts SYSTEM PUBLIC "${SHEAF_CLI11_INCLUDE_DIR}")
  target_link_libraries(sheaf_tool_parts PUBLIC sheaf::sheaf)
  sheaf_warnings(sheaf_tool_parts)
  add_executable(sheaf_tool "${PROJECT_SOURCE_DIR}/tools/sheaf/main.cpp")
  target_link_libraries(sheaf_tool PRIVATE sheaf_tool_parts)
  set_target_properties(sheaf_tool PROPERTIES OUTPUT_NAME sheaf INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  sheaf_warnings(sheaf_tool)
  install(TARGETS sheaf_tool RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT tools)
endif()
