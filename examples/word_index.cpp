// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// An index of a text: for each word the lines that have it. `word_index TEXT [WORD…]` says in which lines the words
/// are.
#include <cctype>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "sheaf/sheaf.hpp"

struct word_index : sheaf::distributed<word_index> {  // one object on each location, callable from all
  using distributed::distributed;
  void add(std::string const& word, long line) { lines[word].insert(line); }
  std::set<long> find(std::string const& word) { return lines.contains(word) ? lines[word] : std::set<long>{}; }
  std::map<std::string, std::set<long>> lines;  // of the words that this location owns
};

std::set<std::string> words_of(std::string line) {
  for (char& c : line) c = std::isalpha(static_cast<unsigned char>(c)) ? static_cast<char>(std::tolower(c)) : ' ';
  std::istringstream words(line);
  return {std::istream_iterator<std::string>(words), {}};
}

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: word_index TEXT [WORD...]\n"), 2;
  return sheaf::run([&](sheaf::team world) {
    auto const owner = [&](std::string const& word) { return std::hash<std::string>()(word) % world.size(); };
    word_index index(world);

    std::ifstream text(argv[1]);
    std::string line;
    for (long number = 1; std::getline(text, line); ++number) {
      if (number % world.size() != world.rank()) continue;  // another location's line
      for (auto const& word : words_of(line)) index.async<&word_index::add>(owner(word), word, number);
    }
    // Returns when every call has been executed, with the sum of what the locations have then.
    auto const words = [&] { return index.lines.size(); };
    std::size_t const sum = sheaf::fence(world, words, std::plus<>{});

    if (world.rank() == 0) std::printf("%zu words\n", sum);
    for (int i = 2; world.rank() == 0 && i < argc; ++i) {
      std::printf("%s:", argv[i]);
      for (long const at : index.sync<&word_index::find>(owner(argv[i]), argv[i])) std::printf(" %ld", at);
      std::printf("\n");
    }
    sheaf::fence(world);  // until here the others answer
  });
}
