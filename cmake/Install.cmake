# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# Headers, library, wire modules, find_package(sheaf) and pkg-config. Components: library, development, mpi, tools.
include(CMakePackageConfigHelpers)
set(sheaf_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/sheaf")

install(TARGETS sheaf EXPORT sheaf_targets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library NAMELINK_COMPONENT development
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  COMPONENT development FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(EXPORT sheaf_targets NAMESPACE sheaf:: DESTINATION "${sheaf_package_dir}" COMPONENT development)

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/config.cmake.in"
  "${CMAKE_BINARY_DIR}/sheafConfig.cmake" INSTALL_DESTINATION "${sheaf_package_dir}")
write_basic_package_version_file("${CMAKE_BINARY_DIR}/sheafConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_BINARY_DIR}/sheafConfig.cmake" "${CMAKE_BINARY_DIR}/sheafConfigVersion.cmake"
  DESTINATION "${sheaf_package_dir}" COMPONENT development)

file(RELATIVE_PATH sheaf_pc_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
list(TRANSFORM SHEAF_BUILD_DEFINITIONS PREPEND " -D" OUTPUT_VARIABLE sheaf_pc_definitions)
configure_file("${PROJECT_SOURCE_DIR}/cmake/sheaf.pc.in" "${CMAKE_BINARY_DIR}/sheaf.pc" @ONLY)
install(FILES "${CMAKE_BINARY_DIR}/sheaf.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT development)
