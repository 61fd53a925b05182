// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// ARMI's Table 2: nanoseconds per round trip between locations 0 and 1. `--form async` sends an async whose method
/// answers with one; `--form sync` is one sync; `--form message` sends typed messages, each handed on by flush().
/// `--bytes` travel each way; with 8, the default, a number does.
#include <algorithm>
#include <type_traits>

#include "harness/measure.hpp"
#include "sheaf/messages.hpp"
#include "sheaf/sheaf.hpp"

using namespace sheaf_bench;

namespace {

using block = std::vector<std::uint64_t>;

/// The answer to a value: three times the first number of it.
std::uint64_t answer_to(std::uint64_t value) { return value * 3; }
block answer_to(block value) {
  value[0] *= 3;
  return value;
}

std::uint64_t first_of(std::uint64_t value) { return value; }
std::uint64_t first_of(block const& value) { return value[0]; }

template <class Value>
class player : public sheaf::distributed<player<Value>> {
 public:
  using sheaf::distributed<player>::distributed;

  void ping(Value value) { this->template async<&player::pong>(0, answer_to(std::move(value))); }
  void pong(Value const& value) { got_ = first_of(value); }
  Value ask(Value value) { return answer_to(std::move(value)); }

  void there_and_back(Value const& value) {
    got_ = 0;
    this->template async<&player::ping>(1, value);
    while (got_ == 0) sheaf::wait_for_request();
    check(got_ == 3 * first_of(value), "a reply does not belong to its request");
  }
  void question(Value const& value) {
    auto const answer = this->template sync<&player::ask>(1, value);
    check(first_of(answer) == 3 * first_of(value), "a reply does not belong to its request");
  }

 private:
  std::uint64_t got_ = 0;
};

/// A block travels as `lent`, from a vector into a vector that exists, as the peers' do.
template <class Value>
using travelling = std::conditional_t<std::is_same_v<Value, block>, sheaf::lent<std::uint64_t>, Value>;

void arrive(std::uint64_t value, std::uint64_t& at) { at = value; }
void arrive(sheaf::lent<std::uint64_t> const& values, block& at) { std::ranges::copy(values, at.begin()); }

template <class Value>
void measure_messages(sheaf::team const& world, arguments const& args, Value value) {
  std::uint64_t got = 0;
  sheaf::message_type<travelling<Value>, sheaf::unordered> pong(world, [&](travelling<Value> const& v) {
    arrive(v, value);
    got = first_of(value);
  });
  sheaf::message_type<travelling<Value>, sheaf::unordered> ping(world, [&](travelling<Value> const& v) {
    arrive(v, value);
    value = answer_to(std::move(value));
    pong.send(0, value);
    pong.flush();
  });
  sheaf::epoch(world, [&] {
    if (world.rank() != 0) return;
    int const trips = trips_of(static_cast<std::size_t>(args.number("--bytes", 8)));
    auto const trip = [&] {
      std::uint64_t const asked = first_of(value);
      got = asked;
      ping.send(1, value);
      ping.flush();
      sheaf::wait_until([&] { return got != asked; });
      check(got == 3 * asked, "a pong does not belong to its ping");
    };
    print_result("ns", sample(2, args.reps(9), [&](int) { return ns_each(101, trips, trip); }));
  });
}

template <class Value>
void measure(sheaf::team const& world, arguments const& args, Value value) {
  if (args.text("--form", "sync") == "message") return measure_messages(world, args, value);
  player<Value> all(world);
  if (world.rank() == 0) {
    int const trips = trips_of(static_cast<std::size_t>(args.number("--bytes", 8)));
    bool const sync = args.text("--form", "sync") == "sync";
    auto const trip = [&] { sync ? all.question(value) : all.there_and_back(value); };
    print_result("ns", sample(2, args.reps(9), [&](int) { return ns_each(101, trips, trip); }));
  }
  sheaf::fence(world);
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
