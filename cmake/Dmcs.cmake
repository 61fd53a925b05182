# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# DMCS's C interface: libdmcs, shared and static, which needs nothing but libsheaf. Programs of it are processes that an
# MPI launcher starts, or alone; they may use MPI themselves.
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/compat/dmcs/src/*.cpp")
set(SHEAF_DMCS_INCLUDE "${PROJECT_SOURCE_DIR}/compat/dmcs/include")
add_library(sheaf_dmcs_objects OBJECT ${sources})
target_include_directories(sheaf_dmcs_objects PUBLIC "$<BUILD_INTERFACE:${SHEAF_DMCS_INCLUDE}>")
target_link_libraries(sheaf_dmcs_objects PRIVATE sheaf)
sheaf_warnings(sheaf_dmcs_objects)

add_library(sheaf_dmcs SHARED $<TARGET_OBJECTS:sheaf_dmcs_objects>)
add_library(sheaf_dmcs_static STATIC $<TARGET_OBJECTS:sheaf_dmcs_objects>)
target_link_libraries(sheaf_dmcs PRIVATE sheaf)
target_link_libraries(sheaf_dmcs_static PUBLIC sheaf)
foreach(target IN ITEMS sheaf_dmcs sheaf_dmcs_static)
  target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${SHEAF_DMCS_INCLUDE}>")
  set_target_properties(${target} PROPERTIES OUTPUT_NAME dmcs LINKER_LANGUAGE CXX)
endforeach()
set_target_properties(sheaf_dmcs PROPERTIES SOVERSION 0 INSTALL_RPATH "$ORIGIN")
if(SHEAF_INSTALL)
  install(TARGETS sheaf_dmcs sheaf_dmcs_static
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library NAMELINK_COMPONENT development
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)
  install(DIRECTORY "${SHEAF_DMCS_INCLUDE}/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/sheaf-dmcs"
    COMPONENT development FILES_MATCHING PATTERN "*.h")
endif()
