# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# Adlib's distributed arrays for C: libadlib.so and .a, which need nothing but libsheaf. Programs of it are processes
# that an MPI launcher starts, or alone; they may use MPI themselves.
set(SHEAF_ADLIB_INCLUDE "${PROJECT_SOURCE_DIR}/compat/adlib/include")
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/compat/adlib/src/*.cpp")
add_library(sheaf_adlib SHARED ${sources})
add_library(sheaf_adlib_static STATIC ${sources})
foreach(target IN ITEMS sheaf_adlib sheaf_adlib_static)
  target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${SHEAF_ADLIB_INCLUDE}>")
  set_target_properties(${target} PROPERTIES OUTPUT_NAME adlib)
  sheaf_warnings(${target})
endforeach()
target_link_libraries(sheaf_adlib PRIVATE sheaf)
target_link_libraries(sheaf_adlib_static PUBLIC sheaf)
set_target_properties(sheaf_adlib PROPERTIES SOVERSION 0 INSTALL_RPATH "$ORIGIN")
if(SHEAF_INSTALL)
  install(TARGETS sheaf_adlib sheaf_adlib_static
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library NAMELINK_COMPONENT development
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)
  install(DIRECTORY "${SHEAF_ADLIB_INCLUDE}/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/sheaf-adlib"
    COMPONENT development FILES_MATCHING PATTERN "*.h")
endif()
