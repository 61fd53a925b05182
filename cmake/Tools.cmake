# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# The `sheaf` command: tools/sheaf/**.cpp.
file(GLOB_RECURSE sheaf_tool_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/sheaf/*.cpp")
if(sheaf_tool_sources)
  find_path(SHEAF_CLI11_INCLUDE_DIR CLI/CLI.hpp REQUIRED)
  # All but main, so that tests can use the parts.
  list(FILTER sheaf_tool_sources EXCLUDE REGEX "/main\\.cpp$")
  # `sheaf trace otf2` needs a library; without it the command says so.
  find_path(SHEAF_OTF2_INCLUDE_DIR otf2/otf2.h)
  find_library(SHEAF_OTF2_LIBRARY NAMES open-trace-format2 otf2)
  if(SHEAF_OTF2_INCLUDE_DIR AND SHEAF_OTF2_LIBRARY)
    set(otf2_other absent)
  else()
    set(otf2_other writer)
    message(STATUS "No OTF2 library (Debian: libopen-trace-format2-dev): the command is built without `trace otf2`")
  endif()
  list(FILTER sheaf_tool_sources EXCLUDE REGEX "/trace/otf2/${otf2_other}\\.cpp$")
  add_library(sheaf_tool_parts STATIC ${sheaf_tool_sources})
  if(otf2_other STREQUAL "absent")
    target_include_directories(sheaf_tool_parts SYSTEM PRIVATE "${SHEAF_OTF2_INCLUDE_DIR}")
    target_link_libraries(sheaf_tool_parts PRIVATE "${SHEAF_OTF2_LIBRARY}")
  endif()
  target_include_directories(sheaf_tool_parts PUBLIC "${PROJECT_SOURCE_DIR}/tools" "${PROJECT_SOURCE_DIR}/src")
  target_include_directories(sheaf_tool_parts SYSTEM PUBLIC "${SHEAF_CLI11_INCLUDE_DIR}")
  target_link_libraries(sheaf_tool_parts PUBLIC sheaf::sheaf PRIVATE PkgConfig::HWY)
  # What CLI11 has inline is most of a command's object code: half a minute for each, or once for all.
  set(sheaf_command_sources ${sheaf_tool_sources})
  list(FILTER sheaf_command_sources INCLUDE REGEX "_command\\.cpp$")
  set_target_properties(sheaf_tool_parts PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  set_source_files_properties(${sheaf_command_sources} PROPERTIES UNITY_GROUP commands)
  target_compile_options(sheaf_tool_parts PUBLIC ${SHEAF_TOOL_OPTIONS})
  sheaf_warnings(sheaf_tool_parts)

  # What `sheaf info` tells. hwloc is for it alone, and not required.
  pkg_check_modules(SHEAF_HWLOC QUIET IMPORTED_TARGET hwloc)
  if(SHEAF_HWLOC_FOUND)
    target_link_libraries(sheaf_tool_parts PRIVATE PkgConfig::SHEAF_HWLOC)
    target_compile_definitions(sheaf_tool_parts PRIVATE SHEAF_TOOL_HWLOC)
  endif()
  execute_process(COMMAND git -C "${PROJECT_SOURCE_DIR}" rev-parse --short=12 HEAD
    OUTPUT_VARIABLE sheaf_commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(EXISTS "${PROJECT_SOURCE_DIR}/.git/logs/HEAD")  # a new commit is told by the next build
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/.git/logs/HEAD")
  endif()
  string(TOUPPER "${CMAKE_BUILD_TYPE}" sheaf_type)
  string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${sheaf_type}}" sheaf_flags)
  string(REPLACE ";" ", " sheaf_mpi "${SHEAF_MPI_NAMES}")
  set_property(SOURCE "${PROJECT_SOURCE_DIR}/tools/sheaf/build_facts.cpp" APPEND PROPERTY COMPILE_DEFINITIONS
    "SHEAF_BUILD_COMMIT=\"${sheaf_commit}\"" "SHEAF_BUILD_TYPE=\"${CMAKE_BUILD_TYPE}\""
    "SHEAF_BUILD_COMPILER=\"${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}\""
    "SHEAF_BUILD_FLAGS=\"${sheaf_flags}\"" "SHEAF_BUILD_SANITIZE=\"${SHEAF_SANITIZE}\""
    "SHEAF_BUILD_MPI=\"${sheaf_mpi}\"")
  add_executable(sheaf_tool "${PROJECT_SOURCE_DIR}/tools/sheaf/main.cpp")
  target_link_libraries(sheaf_tool PRIVATE sheaf_tool_parts)
  set_target_properties(sheaf_tool PROPERTIES OUTPUT_NAME sheaf INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  sheaf_warnings(sheaf_tool)
endif()
