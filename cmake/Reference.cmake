# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# The target `reference`: pages of the public headers in BUILD/reference/index.html. Only where doxygen is found.
find_program(SHEAF_DOXYGEN doxygen)
mark_as_advanced(SHEAF_DOXYGEN)
if(SHEAF_DOXYGEN)
  add_custom_target(reference
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/reference"
    COMMAND "${CMAKE_COMMAND}" -E env "SHEAF_REFERENCE=${PROJECT_BINARY_DIR}/reference" "${SHEAF_DOXYGEN}" docs/Doxyfile
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" VERBATIM COMMENT "The reference: ${PROJECT_BINARY_DIR}/reference/index.html")
endif()
