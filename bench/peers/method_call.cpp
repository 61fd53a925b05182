// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of rmi.local, and the first rows of ARMI's Table 1: a method that is not inlined, called directly, through a
/// method pointer that the compiler does not know, or as a virtual method. Nanoseconds per call.
#include "harness/callee.hpp"

namespace {

using namespace sheaf_bench;

/// The same as callee, called by way of a table of methods.
class base {
 public:
  virtual ~base() = default;
  virtual void take(std::uint64_t n) = 0;
};

class derived : public base {
 public:
  [[gnu::noipa]] void take(std::uint64_t n) override { sum_ += n; }
  std::uint64_t sum() const { return sum_; }

 private:
  std::uint64_t sum_ = 0;
};

using method = void (callee::*)(std::uint64_t);

[[gnu::noinline]] void direct(callee& to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) to.take(1);
}

[[gnu::noinline]] void by_pointer(callee& to, method const volatile& chosen, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) (to.*chosen)(1);
}

[[gnu::noipa]] void by_vtable(base& to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) to.take(1);
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  std::string const form = args.text("--form", "direct");
  std::int64_t const count = args.number("--count", 100'000);
  callee object;
  method const volatile chosen = &callee::take;
  derived other;
  auto const calls = [&](std::int64_t n) {
    if (form == "direct") return direct(object, n);
    if (form == "pointer") return by_pointer(object, chosen, n);
    check(form == "virtual", "--form is direct, pointer or virtual");
    by_vtable(other, n);
  };
  pin(0);
  print_result("ns", sample_calls(args, count, calls, [&] { return object.sum() + other.sum(); }));
}
