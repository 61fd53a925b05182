// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/sort_job.hpp"

#include <algorithm>

#include "base/machine.hpp"
#include "sheaf/command_error.hpp"

namespace sheaf::tool {
namespace {

/// Collective. Where there are streams, which only the first location has read, it takes all the input.
text_input::range share(team const& world, text_input const& input) {
  bool const spooled = broadcast(world, 0, input.spooled_bytes() != 0);
  if (!spooled) return input.part(world.rank(), world.size());
  return world.rank() == 0 ? input.part(0, 1) : text_input::range{0, 0};
}

text_input open_input(team const& world, std::vector<std::string> const& files) {
  bool const first = world.rank() == 0;
  text_input input(files, first ? text_input::streams::present : text_input::streams::absent);
  if (first && input.has_streams()) input.spool_streams();
  return input;
}

}  // namespace

void check_sort_memory(std::uint64_t text_bytes, std::uint64_t lines, std::uint64_t available) {
  std::uint64_t const needed = text_bytes + text_bytes / 8 + 32 * lines;
  if (needed <= available) return;
  throw command_error("input of " + sheaf::detail::in_bytes(text_bytes) + " in about " + std::to_string(lines) +
                      " lines needs " + sheaf::detail::in_bytes(needed) + " of memory, but at most " +
                      sheaf::detail::in_bytes(available) +
                      " are available: sort on more hosts, or sort parts and merge them with `sort -m`");
}

sort_job::sort_job(team world, std::vector<std::string> const& files, std::string const& output, line_order order,
                   bool show_progress)
    : world_(world),
      order_(order),
      input_(open_input(world, files)),
      output_(output),
      part_(share(world, input_)),
      bucket_(world, order),
      progress_(show_progress && world.rank() == 0, part_.end - part_.begin) {}

void sort_job::run() {
  check_memory();
  distribute();
  progress_.phase("sorting");
  bucket_.arena().sort();
  if (order_.unique) drop_repeated_first();
  progress_.phase("writing");
  write();
  fence(world_);
}

void sort_job::check_memory() {
  if (world_.rank() == 0) {
    std::mt19937_64 random(1);
    auto const sample = input_.sample(input_.part(0, 1), 256, random);
    std::uint64_t bytes = 0;
    for (auto const& line : sample) bytes += line.size() + 1;
    std::uint64_t const lines = sample.empty() ? 0 : input_.size() / std::max<std::uint64_t>(1, bytes / sample.size());
    check_sort_memory(input_.size(), lines, sheaf::detail::available_memory());
  }
  barrier(world_);
}

void sort_job::distribute() {
  line_splitters const splitters(world_, input_, part_, order_);
  bool const placed = order_.needs_position();
  progress_.phase("reading");
  input_.for_each_line(part_, [&](std::string_view line, std::uint64_t position) {
    std::uint32_t const dest = splitters.part_of(line, position);
    if (placed) {
      bucket_.async<&line_bucket::take_placed>(dest, line_view{line}, position);
    } else {
      bucket_.async<&line_bucket::take>(dest, line_view{line});
    }
    progress_.add(line.size() + 1);
  });
  fence(world_);
}

/// With -u: equal lines that a splitter has separated stay with the first location that has one.
void sort_job::drop_repeated_first() {
  auto const lines = bucket_.arena().lines();
  std::vector<std::string> last;
  if (!lines.empty()) last.emplace_back(lines.back().view());
  auto const ends = all_gather(world_, last);
  for (std::uint32_t r = world_.rank(); r-- > 0 && !lines.empty();) {
    if (ends[r].empty()) continue;
    if (compare_lines(order_, ends[r].front(), lines.front().view()) == 0) bucket_.drop_first();
    break;
  }
}

void sort_job::write() {
  auto const lines = bucket_.result();
  std::uint64_t bytes = 0;
  for (auto const& line : lines) bytes += line.size() + 1;
  auto const sizes = all_gather(world_, bytes);
  bool const seekable = all_reduce(world_, std::uint64_t{output_.seekable() ? 1U : 0U},
                                   [](std::uint64_t a, std::uint64_t b) { return std::min(a, b); }) == 1;
  if (!seekable) return write_in_turn();
  std::uint64_t total = 0, offset = 0;
  for (std::uint32_t r = 0; r < world_.size(); ++r) {
    if (r < world_.rank()) offset += sizes[r];
    total += sizes[r];
  }
  if (world_.rank() == 0) output_.resize(total);
  barrier(world_);
  output_.write_at(offset, lines, [&](std::uint64_t written) { progress_.add(written); });
  output_.close();
}

/// Pipes and terminals take the parts one after another, through the first location.
void sort_job::write_in_turn() {
  constexpr std::size_t block_bytes = std::size_t{1} << 20;
  if (world_.rank() != 0) return;
  output_.write_next(bucket_.result(), [&](std::uint64_t written) { progress_.add(written); });
  for (std::uint32_t r = 1; r < world_.size(); ++r) {
    while (true) {
      std::string const block = bucket_.sync<&line_bucket::next_block>(r, block_bytes);
      if (block.empty()) break;
      output_.write_text(block);
    }
  }
  output_.close();
}

}  // namespace sheaf::tool
