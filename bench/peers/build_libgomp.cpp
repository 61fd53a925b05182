// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of graph.build and graph.load: edges in memory, or of a text (`--file`), to compressed sparse rows by OpenMP.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <cstring>

#include "peers/shared_graph.hpp"

namespace {

using namespace sheaf_bench;

/// A file in memory.
class mapped {
 public:
  explicit mapped(std::string const& path) {
    int const file = open(path.c_str(), O_RDONLY);
    struct stat facts {};
    check(file >= 0 && fstat(file, &facts) == 0, "cannot open " + path);
    size_ = static_cast<std::size_t>(facts.st_size);
    void* const at = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    check(at != MAP_FAILED, "cannot map " + path);
    close(file);
    begin_ = static_cast<char const*>(at);
  }
  ~mapped() { munmap(const_cast<char*>(begin_), size_); }
  mapped(mapped const&) = delete;
  mapped& operator=(mapped const&) = delete;

  /// Where the line goes on that byte `at` is in, or the file ends.
  [[nodiscard]] char const* line_from(std::size_t at) const {
    if (at == 0) return begin_;
    void const* const end = at >= size_ ? nullptr : std::memchr(begin_ + at - 1, '\n', size_ - at + 1);
    return end == nullptr ? begin_ + size_ : static_cast<char const*>(end) + 1;
  }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  char const* begin_;
  std::size_t size_;
};

/// Lines of two numbers, with a space between.
void parse(char const* at, char const* end, edge_list& found) {
  found.reserve(static_cast<std::size_t>(end - at) / 8);
  while (at < end) {
    std::pair<std::uint64_t, std::uint64_t> one;
    auto const first = std::from_chars(at, end, one.first);
    check(first.ec == std::errc{} && first.ptr < end && *first.ptr == ' ', "a line is no edge");
    auto const second = std::from_chars(first.ptr + 1, end, one.second);
    check(second.ec == std::errc{} && (second.ptr == end || *second.ptr == '\n'), "a line is no edge");
    found.push_back(one);
    at = second.ptr + 1;
  }
}

std::vector<edge_list> read(std::string const& path) {
  mapped const file(path);
  auto const threads = static_cast<std::size_t>(omp_get_max_threads());
  std::vector<edge_list> lists(threads);
#pragma omp parallel for schedule(static, 1)
  for (std::size_t t = 0; t < threads; ++t)
    parse(file.line_from(file.size() * t / threads), file.line_from(file.size() * (t + 1) / threads), lists[t]);
  return lists;
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  std::string const file = args.text("--file", "");
  auto const mine = file.empty() ? lists_of(graph_edges(args)) : std::vector<edge_list>{};
  std::uint64_t result = 0;
  auto const samples = sample(file.empty() ? 1 : 0, args.reps(3), [&](int) {
    std::int64_t const start = now_ns();
    shared_graph const g = build_shared(file.empty() ? mine : read(file));
    std::int64_t const end = now_ns();
    result = g.targets.size() / 2;
    return static_cast<double>(end - start) / 1e6;
  });
  print_result("ms", samples, ", \"result\": " + std::to_string(result));
}
