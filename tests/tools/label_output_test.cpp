// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/label_output.hpp"

#include <gtest/gtest.h>

namespace {

using sheaf::tool::label_output;
using sheaf::tool::labelled;
using sheaf::tool::launcher_kind;

TEST(label_output, each_launchers_mark_becomes_the_locations) {
  EXPECT_EQ(labelled("[1,3]<stdout>:text", launcher_kind::openmpi, 1), "[3] text");
  EXPECT_EQ(labelled("[1,3]<stderr>: a: b", launcher_kind::openmpi, 4), "[12-15]  a: b");
  EXPECT_EQ(labelled("[3] text", launcher_kind::mpich, 2), "[6-7] text");
  EXPECT_EQ(labelled(" 3: text", launcher_kind::srun, 1), "[3] text");
}

TEST(label_output, what_has_no_mark_stays_as_it_is) {
  for (auto kind : {launcher_kind::openmpi, launcher_kind::mpich, launcher_kind::srun}) {
    for (char const* line : {"", "text", "[", "[1", "[1,", "[1,x]<stdout>:", "[x] y", "3:text", "--------", "   "}) {
      EXPECT_EQ(labelled(line, kind, 2), line);
    }
  }
}

TEST(label_output, lines_arrive_whole_however_they_are_cut) {
  std::string const text = "[0] one\n[1] two\n\nthree\n[1] last";
  for (std::size_t cut = 1; cut <= text.size(); ++cut) {
    std::string out;
    label_output labels(launcher_kind::mpich, 2, [&](std::string_view part) { out += part; });
    for (std::size_t at = 0; at < text.size(); at += cut) labels.take(std::string_view(text).substr(at, cut));
    labels.finish();
    EXPECT_EQ(out, "[0-1] one\n[2-3] two\n\nthree\n[2-3] last\n") << cut;
  }
}

}  // namespace
