# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# The `sheaf` command: tools/sheaf/**.cpp.
file(GLOB_RECURSE sheaf_tool_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/sheaf/*.cpp")
if(sheaf_tool_sources)
  find_path(SHEAF_CLI11_INCLUDE_DIR CLI/CLI.hpp REQUIRED)
  add_executable(sheaf_tool ${sheaf_tool_sources})
  target_include_directories(sheaf_tool PRIVATE "${PROJECT_SOURCE_DIR}/tools" "${PROJECT_SOURCE_DIR}/src")
  target_include_directories(sheaf_tool SYSTEM PRIVATE "${SHEAF_CLI11_INCLUDE_DIR}")
  target_link_libraries(sheaf_tool PRIVATE sheaf::sheaf PkgConfig::HWY)
  set_target_properties(sheaf_tool PROPERTIES OUTPUT_NAME sheaf INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  sheaf_warnings(sheaf_tool)
  install(TARGETS sheaf_tool RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT tools)
endif()
