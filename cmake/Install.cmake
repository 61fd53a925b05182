# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# What is installed. Components: library, development (headers, find_package and pkg-config), mpi (the wire modules),
# tools, documents.
include(CMakePackageConfigHelpers)
set(sheaf_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/sheaf")

install(TARGETS sheaf EXPORT sheaf_targets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library NAMELINK_COMPONENT development
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  COMPONENT development FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(EXPORT sheaf_targets NAMESPACE sheaf:: DESTINATION "${sheaf_package_dir}" COMPONENT development)

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/config.cmake.in"
  "${PROJECT_BINARY_DIR}/sheafConfig.cmake" INSTALL_DESTINATION "${sheaf_package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/sheafConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/sheafConfig.cmake" "${PROJECT_BINARY_DIR}/sheafConfigVersion.cmake"
  DESTINATION "${sheaf_package_dir}" COMPONENT development)

file(RELATIVE_PATH sheaf_pc_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file("${PROJECT_SOURCE_DIR}/cmake/sheaf.pc.in" "${PROJECT_BINARY_DIR}/sheaf.pc" @ONLY)
set(sheaf_pc_files "${PROJECT_BINARY_DIR}/sheaf.pc")
foreach(name IN LISTS SHEAF_C_INTERFACES)
  set(SHEAF_C_LIBRARY ${SHEAF_C_LIBRARY_${name}})
  configure_file("${PROJECT_SOURCE_DIR}/cmake/sheaf_c.pc.in" "${PROJECT_BINARY_DIR}/sheaf-${name}.pc" @ONLY)
  list(APPEND sheaf_pc_files "${PROJECT_BINARY_DIR}/sheaf-${name}.pc")
endforeach()
install(FILES ${sheaf_pc_files} DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT development)

if(SHEAF_MPI_NAMES)
  list(TRANSFORM SHEAF_MPI_NAMES PREPEND sheaf_wire_ OUTPUT_VARIABLE sheaf_wires)
  install(TARGETS ${sheaf_wires} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/sheaf" COMPONENT mpi)
endif()
if(TARGET sheaf_tool)
  install(TARGETS sheaf_tool RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT tools)
endif()

set(sheaf_documents DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/sheaf" COMPONENT documents)
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md ${sheaf_documents})
install(DIRECTORY docs examples ${sheaf_documents})
install(FILES bench/README.md DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/sheaf/bench" COMPONENT documents)
# Documents refer to headers as ../../include/sheaf/… and ../../compat/NAME/include/….
set(sheaf_documents_at "\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATAROOTDIR}/doc/sheaf")
install(CODE "file(CREATE_LINK \"../../../${CMAKE_INSTALL_INCLUDEDIR}\" \"${sheaf_documents_at}/include\" SYMBOLIC)"
  COMPONENT documents)
foreach(name IN LISTS SHEAF_C_INTERFACES)
  install(CODE "file(MAKE_DIRECTORY \"${sheaf_documents_at}/compat/${name}\")
    file(CREATE_LINK \"../../../../../${CMAKE_INSTALL_INCLUDEDIR}/sheaf-${name}\"
      \"${sheaf_documents_at}/compat/${name}/include\" SYMBOLIC)"
    COMPONENT documents)
endforeach()
