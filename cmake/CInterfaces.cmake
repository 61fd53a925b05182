# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# The C interfaces that need nothing but libsheaf (ARMCI's needs an MPI library: Armci.cmake). Programs of them are
# processes that an MPI launcher starts, or alone. SHEAF_C_INTERFACES are those that are built.
set(SHEAF_C_LIBRARY_shmem sheaf-shmem)
set(SHEAF_C_LIBRARY_adlib adlib)
set(SHEAF_C_LIBRARY_dmcs dmcs)

# sheaf_c_interface(NAME): of compat/NAME, the targets sheaf_NAME (shared) and sheaf_NAME_static.
function(sheaf_c_interface name)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/compat/${name}/src/*.cpp")
  set(include "${PROJECT_SOURCE_DIR}/compat/${name}/include")
  add_library(sheaf_${name}_objects OBJECT ${sources})
  add_library(sheaf_${name} SHARED $<TARGET_OBJECTS:sheaf_${name}_objects>)
  add_library(sheaf_${name}_static STATIC $<TARGET_OBJECTS:sheaf_${name}_objects>)
  foreach(target IN ITEMS sheaf_${name}_objects sheaf_${name} sheaf_${name}_static)
    target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${include}>")
  endforeach()
  target_link_libraries(sheaf_${name}_objects PRIVATE sheaf)
  target_link_libraries(sheaf_${name} PRIVATE sheaf)
  target_link_libraries(sheaf_${name}_static PUBLIC sheaf)
  sheaf_warnings(sheaf_${name}_objects)
  set_target_properties(sheaf_${name} sheaf_${name}_static PROPERTIES
    OUTPUT_NAME ${SHEAF_C_LIBRARY_${name}} LINKER_LANGUAGE CXX)
  set_target_properties(sheaf_${name} PROPERTIES SOVERSION 0 INSTALL_RPATH "$ORIGIN")
  if(SHEAF_INSTALL)
    install(TARGETS sheaf_${name} sheaf_${name}_static
      LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library NAMELINK_COMPONENT development
      ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)
    install(DIRECTORY "${include}/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/sheaf-${name}"
      COMPONENT development FILES_MATCHING PATTERN "*.h")
  endif()
endfunction()

foreach(name IN LISTS SHEAF_C_INTERFACES)
  sheaf_c_interface(${name})
endforeach()
