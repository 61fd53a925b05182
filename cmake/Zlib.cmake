# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# zlib, for compressed graph files. Without it these are refused, with a sentence that names the package. SHEAF_ZLIB is
# what to link, or empty.
find_package(ZLIB)
set(SHEAF_ZLIB "")
set(SHEAF_ZLIB_FLAG "")
if(ZLIB_FOUND)
  set(SHEAF_ZLIB ZLIB::ZLIB)
  set(SHEAF_ZLIB_FLAG "-lz ")
else()
  message(STATUS "No zlib (Debian: zlib1g-dev): graph files compressed by gzip are not read")
endif()
