// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sheaf/memory.hpp"
#include "sheaf/rmi/distributed.hpp"
#include "sheaf/runtime/collectives.hpp"
#include "sheaf/runtime/fence.hpp"
#include "simulation/seeds.hpp"

namespace sheaf_test {

/// What other locations read and check at this one.
struct words_reader : sheaf::distributed<words_reader> {
  using distributed::distributed;
  std::int64_t read(sheaf::global_ptr<std::int64_t> at) { return *reinterpret_cast<std::int64_t*>(at.address()); }
  void sees(sheaf::global_ptr<std::int64_t> at, std::int64_t least) {
    auto const now = std::atomic_ref(*reinterpret_cast<std::int64_t*>(at.address())).load(std::memory_order_acquire);
    if (now < least) problem = "a request sees " + std::to_string(now) + ", and " + std::to_string(least) + " was put";
  }
  std::string problem;
};

/// One location's random operations on a part of its own in everybody's memory, of which it keeps a model: what it
/// reads is what a plain array would have, whatever paths its operations take (invariant 6). The memory is partly that
/// of a shared_array and partly on the heap.
class ordered_player {
 public:
  using word = std::int64_t;
  static constexpr std::size_t n = 48;  ///< words of each part; behind them a progress word

  ordered_player(sheaf::team const& world, std::uint64_t seed)
      : world_(world),
        random_(seed * 131 + world.rank()),
        shared_(world, (n + 1) * world.size()),
        heap_((n + 1) * world.size()),
        heaps_(sheaf::all_gather(world, sheaf::global_ptr<word>(heap_.data()))),
        common_(world, 2),
        reader_(world),
        parts_(2 * world.size()) {
    for (part& one : parts_) one.model.resize(n);
  }

  /// Returns the first problem.
  std::string play(std::uint64_t steps) {
    for (std::uint64_t i = 0; i < steps; ++i) {
      step();
      check_progress();
      if (random_.one_in(10)) sheaf::poll();
    }
    check_all();
    sheaf::fence(world_);
    check_common();
    sheaf::fence(world_);
    fail(reader_.problem);
    return problem_;
  }

 private:
  /// A get whose values come later.
  struct expected_later {
    std::unique_ptr<std::vector<word>> values;
    std::vector<word> expected;
    sheaf::future<void> arrives;
    bool asked;
  };
  struct part {
    std::vector<word> model;
    word progress = 0;
    std::vector<expected_later> later;
  };

  void fail(std::string const& text) {
    if (problem_.empty() && !text.empty()) problem_ = "location " + std::to_string(world_.rank()) + ": " + text;
  }
  void same(std::vector<word> const& got, std::vector<word> const& expected, char const* how) {
    if (got == expected) return;
    std::string text = std::string(how) + " has";
    for (word const one : got) text += " " + std::to_string(one);
    text += " instead of";
    for (word const one : expected) text += " " + std::to_string(one);
    fail(text);
  }
  [[nodiscard]] word some_word() { return static_cast<word>(random_.below(1000)); }
  [[nodiscard]] std::vector<word> some_words(std::size_t count) {
    std::vector<word> all(count);
    for (word& one : all) one = some_word();
    return all;
  }

  /// This location's part at member `which` / 2.
  [[nodiscard]] sheaf::global_ptr<word> start(std::size_t which) const {
    auto const all = which % 2 == 0 ? shared_.at(which / 2) : heaps_[which / 2];
    return all + static_cast<std::ptrdiff_t>((n + 1) * world_.rank());
  }

  void step() {
    std::size_t const which = random_.below(parts_.size());
    switch (random_.below(12)) {
      case 0:
        return put_row(which);
      case 1:
        return put_section(which);
      case 2:
        return add_row(which);
      case 3:
        return add_section(which);
      case 4:
        return change(which);
      case 5:
        return get_row(which);
      case 6:
        return get_section(which);
      case 7:
        return get_later(which);
      case 8:
        return put_pieces(which);
      case 9:
        return meet(which);
      case 10:
        return ask(which);
      default:
        return tell(which);
    }
  }

  struct range {
    std::size_t first, count;
  };
  [[nodiscard]] range some_range() {
    std::size_t const first = random_.below(n);
    return {first, 1 + random_.below(n - first)};
  }
  static std::ptrdiff_t signed_of(std::size_t value) { return static_cast<std::ptrdiff_t>(value); }

  void put_row(std::size_t which) {
    range const r = some_range();
    std::vector<word> const values = some_words(r.count);
    sheaf::put(start(which) + signed_of(r.first), values);
    std::copy(values.begin(), values.end(), parts_[which].model.begin() + signed_of(r.first));
  }

  /// 4 x 3 words, `step` apart, and where word number i of them is.
  struct block {
    std::size_t first, step;
    [[nodiscard]] std::size_t place(std::size_t i) const { return first + i / 3 * step + i % 3 * 2; }
    template <class P>
    [[nodiscard]] sheaf::section<P, 2> in(P start) const {
      return {start + signed_of(first), {4, 3}, {signed_of(step), 2}};
    }
  };
  [[nodiscard]] block some_block() { return {random_.below(8), 5 + random_.below(8)}; }

  void put_section(std::size_t which) {
    block const b = some_block();
    std::vector<word> const values = some_words(12);
    sheaf::section<word const*, 1> const backwards{values.data() + 11, {12}, {-1}};
    random_.one_in(2) ? sheaf::put(b.in(start(which)), backwards) : sheaf::ask_put(b.in(start(which)), backwards).get();
    // Words may overlap in the block: the last of them stays.
    for (std::size_t i = 0; i < 12; ++i) parts_[which].model[b.place(i)] = values[11 - i];
  }

  void add_row(std::size_t which) {
    range const r = some_range();
    std::vector<word> const values = some_words(r.count);
    sheaf::accumulate(start(which) + signed_of(r.first), values, word{-3});
    for (std::size_t i = 0; i < r.count; ++i) parts_[which].model[r.first + i] -= 3 * values[i];
  }

  void add_section(std::size_t which) {
    block const b = some_block();
    std::vector<word> const values = some_words(12);
    sheaf::accumulate(b.in(start(which)), values);
    for (std::size_t i = 0; i < 12; ++i) parts_[which].model[b.place(i)] += values[i];
  }

  void change(std::size_t which) {
    std::size_t const at = random_.below(n);
    word& model = parts_[which].model[at];
    word const before = model, value = some_word();
    auto const there = start(which) + signed_of(at);
    word old = before;
    switch (random_.below(5)) {
      case 0:
        old = sheaf::fetch_add(there, value), model += value;
        break;
      case 1:
        old = sheaf::atomic_swap(there, value), model = value;
        break;
      case 2:
        old = sheaf::compare_swap(there, before + static_cast<word>(value % 2), value),
        model = value % 2 == 0 ? value : before;
        break;
      case 3:
        old = sheaf::fetch_xor(there, value), model ^= value;
        break;
      default:
        sheaf::atomic_store(there, value), model = value;
        break;
    }
    same({old}, {before}, "an atomic operation");
    sheaf::fetch_add(common_.at(which / 2), 1);
    ++changes_;
  }

  void get_row(std::size_t which) {
    range const r = some_range();
    std::vector<word> values(r.count);
    sheaf::get(start(which) + signed_of(r.first), values);
    same(values, row(which, r), "a get");
  }
  [[nodiscard]] std::vector<word> row(std::size_t which, range r) const {
    auto const first = parts_[which].model.begin() + signed_of(r.first);
    return {first, first + signed_of(r.count)};
  }

  void get_section(std::size_t which) {
    block const b = some_block();
    std::vector<word> values(12), expected(12);
    sheaf::get(b.in(start(which)), sheaf::section<word*, 2>{values.data(), {6, 2}, {2, 1}});
    for (std::size_t i = 0; i < 12; ++i) expected[i] = parts_[which].model[b.place(i)];
    same(values, expected, "a get of a section");
  }

  void get_later(std::size_t which) {
    range const r = some_range();
    expected_later one{std::make_unique<std::vector<word>>(r.count), row(which, r), {}, random_.one_in(2)};
    auto const there = start(which) + signed_of(r.first);
    if (one.asked) one.arrives = sheaf::ask_get(there, *one.values);
    if (!one.asked) sheaf::async_get(there, *one.values);
    parts_[which].later.push_back(std::move(one));
  }

  void put_pieces(std::size_t which) {
    std::vector<word> const values = some_words(6);
    std::vector<sheaf::piece<word, word const>> pieces;
    for (std::size_t i = 0; i < 6; i += 2) {
      std::size_t const at = random_.below(n - 1);
      pieces.push_back({start(which) + signed_of(at), &values[i], 2});
      std::copy_n(&values[i], 2, parts_[which].model.begin() + signed_of(at));
    }
    sheaf::put(std::span(std::as_const(pieces)));
  }

  /// What was asked for is here after a fence of its location.
  void meet(std::size_t which) {
    for (expected_later& one : parts_[which].later) {
      if (one.asked) one.arrives.get(), same(*one.values, one.expected, "an ask_get");
    }
    sheaf::fence(start(which).where());
    for (expected_later const& one : parts_[which].later) same(*one.values, one.expected, "an async_get");
    parts_[which].later.clear();
  }

  /// A request sees what was put before it.
  void ask(std::size_t which) {
    std::size_t const at = random_.below(n);
    auto const there = start(which) + signed_of(at);
    word const value = some_word();
    sheaf::piece<word, word const> const piece[] = {{there, &value, 1}};
    random_.one_in(2) ? sheaf::put(there, value) : sheaf::put(std::span<sheaf::piece<word, word const> const>(piece));
    parts_[which].model[at] = value;
    same({reader_.sync<&words_reader::read>(which / 2, there)}, {value}, "a method");
  }

  /// Progress is told in a word on the heap and then in a shared one; it only grows.
  void tell(std::size_t which) {
    std::size_t const shared = which & ~std::size_t{1};
    word const now = ++parts_[shared].progress;
    sheaf::atomic_store(start(shared + 1) + n, now);
    sheaf::atomic_store(start(shared) + n, now);
    reader_.async<&words_reader::sees>(which / 2, start(which) + n, now);
  }
  void check_progress() {
    std::uint64_t const from = random_.below(world_.size());
    std::size_t const at = (n + 1) * from + n;
    auto const load = [](word& of) { return std::atomic_ref(of).load(std::memory_order_acquire); };
    word const second = load(shared_.own()[at]), first = load(heap_[at]);
    if (first < second) {
      fail("the second store of location " + std::to_string(from) + " is here, " + std::to_string(second) +
           ", before the first, " + std::to_string(first));
    }
  }

  void check_all() {
    for (std::size_t which = 0; which < parts_.size(); ++which) {
      meet(which);
      std::vector<word> values(n);
      sheaf::get(start(which), values);
      same(values, parts_[which].model, "all in the end");
    }
    sheaf::fence_all();
  }
  void check_common() {
    word sum = 0;
    for (std::uint32_t r = 0; r < world_.size(); ++r) sum += sheaf::atomic_load(common_.at(r));
    word const all = sheaf::all_reduce(world_, changes_, std::plus<>{});
    if (sum != all) fail("words that all add to have " + std::to_string(sum) + " instead of " + std::to_string(all));
  }

  sheaf::team const world_;
  dice random_;
  sheaf::shared_array<word> shared_;
  std::vector<word> heap_;
  std::vector<sheaf::global_ptr<word>> heaps_;
  sheaf::shared_array<word> common_;
  words_reader reader_;
  std::vector<part> parts_;  ///< of member i: 2 i in its shared memory, 2 i + 1 on its heap
  word changes_ = 0;
  std::string problem_;
};

}  // namespace sheaf_test
