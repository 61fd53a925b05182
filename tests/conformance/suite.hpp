// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <initializer_list>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/sheaf.hpp"

namespace sheaf_test {

/// Where a check stands. (std::source_location is not there with every compiler we build with.)
struct place {
  char const* file;
  int line;
  static constexpr place here(char const* file = __builtin_FILE(), int line = __builtin_LINE()) { return {file, line}; }
};

/// What one location checks and reports while the cases run. Checks record and go on, so that a failed one leaves the
/// collective operations of the job in step.
class suite {
 public:
  explicit suite(sheaf::team const& all) : world(all) {}
  suite(suite const&) = delete;
  suite& operator=(suite const&) = delete;

  sheaf::team const world;

  [[nodiscard]] std::uint32_t rank() const { return world.rank(); }
  [[nodiscard]] std::uint32_t size() const { return world.size(); }
  [[nodiscard]] std::uint32_t next() const { return (rank() + 1) % size(); }
  [[nodiscard]] sheaf::options const& settings() const { return here_of(world).settings(); }

  /// `n` on threads, less where requests are slower: in the simulator, over MPI, with caps that leave no room, and
  /// where SHEAF_TEST_DIVISOR says so, which must be the same in all processes.
  [[nodiscard]] std::uint64_t scaled(std::uint64_t n) const;

  void that(bool holds, std::string_view what, place at = place::here()) {
    if (!holds) report(at, std::string(what) + " does not hold");
  }

  template <class A, class B>
  void same(A const& got, B const& expected, std::string_view what, place at = place::here()) {
    if (got == expected) return;
    std::ostringstream text;
    text << what << " is " << shown(got) << " instead of " << shown(expected);
    report(at, text.str());
  }

  /// `f` throws an Error whose text holds all `parts`.
  template <class Error, class F>
  void throws(F f, std::initializer_list<std::string_view> parts, place at = place::here()) {
    try {
      f();
      report(at, "nothing was thrown");
    } catch (Error const& thrown) {
      holds_parts(thrown.what(), parts, at);
    } catch (std::exception const& thrown) {
      report(at, std::string("an exception of another type was thrown: ") + thrown.what());
    }
  }

  /// `text` holds all `parts`.
  void holds_parts(std::string_view text, std::initializer_list<std::string_view> parts, place at = place::here()) {
    for (auto const& part : parts) {
      if (text.find(part) == text.npos)
        report(at, "no \"" + std::string(part) + "\" in the text: " + std::string(text));
    }
  }

  /// Runs the cases whose names hold `filter`, with a fence after each; returns the number of failed checks here.
  int run_all(std::string_view filter);

 private:
  template <class T>
  static decltype(auto) shown(T const& value) {
    if constexpr (requires(std::ostream & to) { to << value; }) {
      return (value);
    } else {
      return std::string_view("another value");
    }
  }

  void report(place at, std::string const& text);

  std::string_view running_;
  int failures_ = 0;
};

using case_body = void (*)(suite&);

/// Adds a case; cases run in the order of registration, the same in every process.
struct add_case {
  add_case(char const* name, case_body body);
};

}  // namespace sheaf_test

/// SHEAF_CASE(group, name) { … } defines one case; every location of the job runs its body with its suite as `s`.
#define SHEAF_CASE(group, name)                                                             \
  static void group##_##name(sheaf_test::suite& s);                                         \
  static sheaf_test::add_case const add_##group##_##name(#group "." #name, group##_##name); \
  static void group##_##name([[maybe_unused]] sheaf_test::suite& s)
