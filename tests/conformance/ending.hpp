// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

namespace sheaf_test {

class suite;

/// The end of the job is itself a case: what is issued last, without a fence, is delivered before `run` returns, and in
/// a job that fails the error has a text. `prepare_ending` and `begin_ending` are called first and last on each
/// location, `check_ending` after the job: 0, or 1 when something is wrong.
void prepare_ending(suite& s);
void begin_ending(suite& s);
int check_ending();

}  // namespace sheaf_test
