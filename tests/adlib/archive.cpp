// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// The C interface from C++, linked with its archive.
#include <adlib.h>

#include <cstdint>

int main() {
  adlib_init();
  std::uint64_t const extents[] = {8};
  adlib_distribution const how[] = {{ADLIB_CYCLIC, 1}};
  adlib_array* const a = adlib_create(1, extents, how, nullptr, sizeof(int));
  adlib_array* const b = adlib_create(1, extents, how, nullptr, sizeof(int));
  int const values[] = {1, 2, 3, 4, 5, 6, 7, 8};
  int got[8] = {};
  adlib_put(a, nullptr, values, nullptr);
  adlib_remap(b, nullptr, a, nullptr);
  adlib_slice const back[] = {{7, ADLIB_TO_END, -1}};
  adlib_get(b, back, got, nullptr);
  adlib_destroy(a);
  adlib_destroy(b);
  adlib_finalize();
  return got[0] == 8 && got[7] == 1 ? 0 : 1;
}
