// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// What with_sheaf.cpp is compared with: the two headers that nearly every program includes.
#include <string>
#include <vector>

int main() {}
