// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Writes a file of lines to sort, the same for the same arguments: --kind random | equal | paths | edges, --bytes N,
/// --out FILE. random: printable lines of 10 to 100 bytes; equal: one line over and over; paths: names as in lists of
/// installed files, with long common beginnings, most of them more than once among others of their folder; edges: two
/// numbers below 2^22.
#include <array>
#include <fstream>
#include <map>

#include "harness/measure.hpp"

namespace {

using namespace sheaf_bench;

std::size_t below(splitmix64& random, std::size_t limit) { return static_cast<std::size_t>(random() % limit); }

void add_random(std::string& text, splitmix64& random) {
  std::size_t const length = 10 + below(random, 91);
  for (std::size_t i = 0; i < length; ++i) text += static_cast<char>(' ' + below(random, 95));
  text += '\n';
}

void add_equal(std::string& text, splitmix64&) { text += "every line of this file is the same, grain for grain\n"; }

template <std::size_t N>
void add_word(std::string& text, splitmix64& random, std::array<char const*, N> const& words) {
  text += words[below(random, N)];
}

void add_path(std::string& text, splitmix64& random) {
  static constexpr std::array roots{"/usr/share/doc/",
                                    "/usr/share/locale/",
                                    "/usr/include/",
                                    "/etc/",
                                    "/usr/lib/python3/dist-packages/",
                                    "/usr/lib/x86_64-linux-gnu/",
                                    "/var/lib/"};
  static constexpr std::array folders{"changelog/", "examples/", "LC_MESSAGES/", "detail/",   "modules/", "plugins/",
                                      "core/",      "tests/",    "internal/",    "static/",   "themes/",  "fonts/",
                                      "algorithm/", "common/",   "generated/",   "resources/"};
  static constexpr std::array stems{"lib",   "config", "index", "copyright", "module",
                                    "table", "README", "test_", "icon-"};
  static constexpr std::array ends{".hpp", ".so.1", ".py", ".gz", ".html", ".mo", ".conf", ".svg", ""};
  add_word(text, random, roots);
  text += "package-" + std::to_string(below(random, 3000)) + '/';
  for (std::size_t depth = below(random, 5); depth > 0; --depth) add_word(text, random, folders);
  add_word(text, random, stems);
  text += std::to_string(below(random, 200));
  add_word(text, random, ends);
  text += '\n';
}

void add_edge(std::string& text, splitmix64& random) {
  constexpr std::size_t vertices = std::size_t{1} << 22U;
  text += std::to_string(below(random, vertices)) + ' ' + std::to_string(below(random, vertices)) + '\n';
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  std::string const kind = args.text("--kind", "random"), path = args.text("--out", "");
  auto const bytes = static_cast<std::size_t>(args.number("--bytes", 1'000'000));
  std::map<std::string, void (*)(std::string&, splitmix64&)> const kinds = {
      {"random", add_random}, {"equal", add_equal}, {"paths", add_path}, {"edges", add_edge}};
  check(kinds.contains(kind), "--kind is " + kind + "; it must be random, equal, paths or edges");
  auto const add = kinds.at(kind);
  std::ofstream file(path, std::ios::binary);
  splitmix64 random(1);
  std::size_t written = 0;
  for (std::string text; written < bytes; written += text.size(), text.clear()) {
    while (text.size() < (std::size_t{1} << 16) && written + text.size() < bytes) add(text, random);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
  }
  file.close();
  check(file.good(), "cannot write " + path + "; give --out a file on a disk with room");
}
