// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// The index of ../word_index.cpp in plain MPI. Each rank packs what it finds into a buffer for each owner. One
/// MPI_Alltoallv exchanges the buffers, and the owners unpack them. The answers go to rank 0 in the same way.
#include <mpi.h>

#include <cctype>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <vector>

std::set<std::string> words_of(std::string line) {
  for (char& c : line) c = std::isalpha(static_cast<unsigned char>(c)) ? static_cast<char>(std::tolower(c)) : ' ';
  std::istringstream words(line);
  return {std::istream_iterator<std::string>(words), {}};
}

void pack(std::string& to, std::string const& word, long line) {
  to.append(word).append(1, '\0').append(reinterpret_cast<char const*>(&line), sizeof line);
}

std::map<std::string, std::set<long>> unpack(std::string const& from) {
  std::map<std::string, std::set<long>> lines;
  std::istringstream packed(from);
  std::string word;
  for (long line = 0; std::getline(packed, word, '\0') && packed.read(reinterpret_cast<char*>(&line), sizeof line);)
    lines[word].insert(line);
  return lines;
}

/// Sends buffer r to rank r; returns what came. MPI counts in int: at most 2 GiB on each rank.
std::string exchange(std::vector<std::string> const& buffers) {
  std::size_t const ranks = buffers.size();
  std::vector<int> out, out_at(ranks), in(ranks), in_at(ranks);
  std::string all_out;
  for (auto const& buffer : buffers) out.push_back(static_cast<int>(buffer.size())), all_out += buffer;
  MPI_Alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::exclusive_scan(out.begin(), out.end(), out_at.begin(), 0);
  std::exclusive_scan(in.begin(), in.end(), in_at.begin(), 0);
  std::string all_in(static_cast<std::size_t>(in_at.back() + in.back()), '\0');
  MPI_Alltoallv(all_out.data(), out.data(), out_at.data(), MPI_CHAR, all_in.data(), in.data(), in_at.data(), MPI_CHAR,
                MPI_COMM_WORLD);
  return all_in;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<std::string> to(static_cast<std::size_t>(size)), to_root(to);
  std::ifstream text(argc < 2 ? "" : argv[1]);
  std::string line;
  for (long number = 1; std::getline(text, line); ++number) {
    if (number % size != rank) continue;
    for (auto const& word : words_of(line)) pack(to[std::hash<std::string>()(word) % to.size()], word, number);
  }
  auto lines = unpack(exchange(to));

  unsigned long words = 0, mine = lines.size();
  MPI_Reduce(&mine, &words, 1, MPI_UNSIGNED_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  for (int i = 2; i < argc; ++i)
    for (long const at : lines[argv[i]]) pack(to_root[0], argv[i], at);
  auto answers = unpack(exchange(to_root));
  if (rank == 0) std::printf("%lu words\n", words);
  for (int i = 2; rank == 0 && i < argc; ++i) {
    std::printf("%s:", argv[i]);
    for (long const at : answers[argv[i]]) std::printf(" %ld", at);
    std::printf("\n");
  }
  MPI_Finalize();
}
