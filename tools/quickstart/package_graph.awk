# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# Edges of the dependency graph: for each package that it needs, the first alternative that there is. Ids are lines of the
# names file.
BEGIN { RS = ""; FS = "\n" }
{
  package = ""; needs = ""; gives = ""
  for (i = 1; i <= NF; ++i) {
    if ($i ~ /^Package: /) package = substr($i, 10)
    else if ($i ~ /^Depends: /) needs = needs ", " substr($i, 10)
    else if ($i ~ /^Pre-Depends: /) needs = needs ", " substr($i, 14)
    else if ($i ~ /^Provides: /) gives = substr($i, 11)
  }
  if (package == "" || package in id) next
  id[package] = count + 0
  print package >names
  depends[count++] = needs
  parts = split(gives, virtual, /, */)
  for (k = 1; k <= parts; ++k) {
    sub(/ .*/, "", virtual[k])
    if (!(virtual[k] in provider)) provider[virtual[k]] = package
  }
}
END {
  for (p = 0; p < count; ++p) {
    groups = split(depends[p], group, /, */)
    for (g = 1; g <= groups; ++g) {
      choices = split(group[g], choice, / *\| */)
      for (c = 1; c <= choices; ++c) {
        name = choice[c]
        sub(/[ (:].*/, "", name)
        if (!(name in id)) name = provider[name]
        if (name in id) { print p "\t" id[name]; break }
      }
    }
  }
}
