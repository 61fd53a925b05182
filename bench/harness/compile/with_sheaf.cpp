// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// The smallest program with Sheaf's umbrella header, for the row `compile`.
#include "sheaf/sheaf.hpp"

int main() {}
