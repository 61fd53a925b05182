# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# Without zlib, compressed files are to be refused.
if(SHEAF_ZLIB)
  target_compile_definitions(test_graph PRIVATE SHEAF_ZLIB)
endif()
