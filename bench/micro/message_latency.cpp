// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// message.latency: nanoseconds from a message of `--bytes` to a message of as many back, between locations 0 and 1.
/// Each is handed on by flush(). With 8 bytes a number travels, else a std::vector.
#include "harness/measure.hpp"
#include "sheaf/messages.hpp"
#include "sheaf/sheaf.hpp"

using namespace sheaf_bench;

namespace {

using block = std::vector<std::uint64_t>;

std::uint64_t answer_to(std::uint64_t value) { return value * 3; }
block answer_to(block value) {
  value[0] *= 3;
  return value;
}
std::uint64_t first_of(std::uint64_t value) { return value; }
std::uint64_t first_of(block const& value) { return value[0]; }

template <class Value>
void measure(sheaf::team const& world, arguments const& args, Value const& value) {
  std::uint64_t got = 0;
  sheaf::message_type<Value, sheaf::unordered> pong(world, [&](Value const& v) { got = first_of(v); });
  sheaf::message_type<Value, sheaf::unordered> ping(world, [&](Value v) {
    pong.send(0, answer_to(std::move(v)));
    pong.flush();
  });
  sheaf::epoch(world, [&] {
    if (world.rank() != 0) return;
    int const trips = trips_of(static_cast<std::size_t>(args.number("--bytes", 8)));
    auto const trip = [&] {
      got = 0;
      ping.send(1, value);
      ping.flush();
      sheaf::wait_until([&] { return got != 0; });
      check(got == 3 * first_of(value), "a pong does not belong to its ping");
    };
    print_result("ns", sample(2, args.reps(9), [&](int) { return ns_each(101, trips, trip); }));
  });
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  auto const numbers = static_cast<std::size_t>(args.number("--bytes", 8)) / 8;
  check(numbers >= 1, "--bytes is at least 8");
  return sheaf::run([&](sheaf::team world) {
    check(world.size() == 2, "run it with two locations");
    if (numbers == 1) return measure(world, args, std::uint64_t{7});
    measure(world, args, block(numbers, 7));
  });
}
