// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <cstdio>

#include "sheaf/sheaf.hpp"

int main() { std::printf("consumer of sheaf %s\n", sheaf::version()); }
