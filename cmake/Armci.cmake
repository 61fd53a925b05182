# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# ARMCI's C interface: libarmci-NAME.so and .a for each MPI library NAME, whose types the interface contains. They stand
# beside libsheaf, with the names that Debian's ARMCI-MPI has, in folders of their own, which that package does not own.

set(SHEAF_ARMCI_INCLUDE "${PROJECT_SOURCE_DIR}/compat/armci/include")

# sheaf_armci(NAME): targets sheaf_armci_NAME (shared) and sheaf_armci_NAME_static. C programs that link one need MPI's
# flags, which the target passes on.
function(sheaf_armci name)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/compat/armci/src/*.cpp")
  set(objects sheaf_armci_${name}_objects)
  add_library(${objects} OBJECT ${sources})
  target_compile_definitions(${objects} PRIVATE "SHEAF_ARMCI_MPI=\"${name}\"" OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  target_link_libraries(${objects} PRIVATE sheaf)
  sheaf_warnings(${objects})

  add_library(sheaf_armci_${name} SHARED $<TARGET_OBJECTS:${objects}>)
  add_library(sheaf_armci_${name}_static STATIC $<TARGET_OBJECTS:${objects}>)
  foreach(target IN ITEMS ${objects} sheaf_armci_${name} sheaf_armci_${name}_static)
    target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${SHEAF_ARMCI_INCLUDE}>")
    target_link_libraries(${target} PUBLIC PkgConfig::SHEAF_MPI_${name})
  endforeach()
  target_link_libraries(sheaf_armci_${name} PRIVATE sheaf)
  target_link_libraries(sheaf_armci_${name}_static PUBLIC sheaf)
  set_target_properties(sheaf_armci_${name} sheaf_armci_${name}_static PROPERTIES
    OUTPUT_NAME armci-${name} LINKER_LANGUAGE CXX)
  set_target_properties(sheaf_armci_${name} PROPERTIES
    SOVERSION 0 INSTALL_RPATH "$ORIGIN/.." INSTALL_RPATH_USE_LINK_PATH ON)
  if(SHEAF_INSTALL)
    install(TARGETS sheaf_armci_${name} sheaf_armci_${name}_static
      LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/sheaf-armci" COMPONENT mpi NAMELINK_COMPONENT development
      ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}/sheaf-armci" COMPONENT development)
  endif()
endfunction()

foreach(name IN LISTS SHEAF_MPI_NAMES)
  sheaf_armci(${name})
endforeach()
if(SHEAF_INSTALL AND SHEAF_MPI_NAMES)
  install(DIRECTORY "${SHEAF_ARMCI_INCLUDE}/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/sheaf-armci"
    COMPONENT development FILES_MATCHING PATTERN "*.h")
endif()
