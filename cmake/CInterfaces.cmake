# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# The C interfaces that need nothing but libsheaf (ARMCI's needs an MPI library: Armci.cmake). Programs of them are
# processes that an MPI launcher starts, or alone. SHEAF_C_INTERFACES are those that are built. To users, here and where
# Sheaf is installed, the targets are sheaf::NAME and sheaf::NAME_static.
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
  foreach(kind IN ITEMS "" _static)
    add_library(sheaf::${name}${kind} ALIAS sheaf_${name}${kind})
    set_target_properties(sheaf_${name}${kind} PROPERTIES EXPORT_NAME ${name}${kind})
    if(SHEAF_MPI_NAMES)  # loaded where a launcher starts the program
      list(TRANSFORM SHEAF_MPI_NAMES PREPEND sheaf_wire_ OUTPUT_VARIABLE wires)
      add_dependencies(sheaf_${name}${kind} ${wires})
    endif()
  endforeach()
  target_link_libraries(sheaf_${name}_objects PRIVATE sheaf)
  target_link_libraries(sheaf_${name} PRIVATE sheaf)
  target_link_libraries(sheaf_${name}_static PUBLIC sheaf)
  sheaf_warnings(sheaf_${name}_objects)
  set_target_properties(sheaf_${name} sheaf_${name}_static PROPERTIES
    OUTPUT_NAME ${SHEAF_C_LIBRARY_${name}} LINKER_LANGUAGE CXX)
  set_target_properties(sheaf_${name} PROPERTIES SOVERSION 0 INSTALL_RPATH "$ORIGIN")
  if(SHEAF_INSTALL)
    install(TARGETS sheaf_${name} sheaf_${name}_static EXPORT sheaf_targets
      INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/sheaf-${name}"
      LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library NAMELINK_COMPONENT development
      ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)
    install(DIRECTORY "${include}/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/sheaf-${name}"
      COMPONENT development FILES_MATCHING PATTERN "*.h")
  endif()
endfunction()

foreach(name IN LISTS SHEAF_C_INTERFACES)
  sheaf_c_interface(${name})
endforeach()
