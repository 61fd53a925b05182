# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# OpenSHMEM's C interface: libsheaf-shmem, which needs nothing but libsheaf. Programs of it are processes that an MPI
# launcher starts, or alone.
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/compat/shmem/src/*.cpp")
add_library(sheaf_shmem SHARED ${sources})
set(SHEAF_SHMEM_INCLUDE "${PROJECT_SOURCE_DIR}/compat/shmem/include")
target_include_directories(sheaf_shmem PUBLIC "$<BUILD_INTERFACE:${SHEAF_SHMEM_INCLUDE}>")
target_link_libraries(sheaf_shmem PRIVATE sheaf)
set_target_properties(sheaf_shmem PROPERTIES OUTPUT_NAME sheaf-shmem SOVERSION 0 INSTALL_RPATH "$ORIGIN")
sheaf_warnings(sheaf_shmem)
if(SHEAF_INSTALL)
  install(TARGETS sheaf_shmem
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library NAMELINK_COMPONENT development)
  install(DIRECTORY "${SHEAF_SHMEM_INCLUDE}/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/sheaf-shmem"
    COMPONENT development FILES_MATCHING PATTERN "*.h")
endif()
