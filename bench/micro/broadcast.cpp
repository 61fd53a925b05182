// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// broadcast.*: nanoseconds per broadcast of 8 bytes that runs a method on every location, each from the next root,
/// which sends on what it was sent: the time until the next location has it. `--form one_sided` measures broadcast_rmi
/// between locations that wait for requests instead of the collective call.
#include "harness/measure.hpp"
#include "sheaf/sheaf.hpp"

using namespace sheaf_bench;

namespace {

class relay : public sheaf::distributed<relay> {
 public:
  using distributed::distributed;
  std::uint64_t take(std::uint64_t value) { return last_ = value; }
  std::uint64_t last() const { return last_; }

 private:
  std::uint64_t last_ = 0;
};

void collective(relay& here, std::uint64_t round) {
  auto const root = static_cast<std::uint32_t>(round % here.members().size());
  std::uint64_t const got = here.take(sheaf::broadcast(here.members(), root, here.last() + 1));
  if (got != round) fail("a value is lost or doubled");
}

void one_sided(relay& here, std::uint64_t round) {
  if (round % here.members().size() == here.rank()) {
    here.async<&relay::take>(sheaf::to_others, here.last() + 1);
    here.take(round);
  } else {
    sheaf::wait_for_request();
  }
  if (here.last() != round) fail("a value is lost or doubled");
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  int const reps = args.reps(9);
  bool const alone = args.text("--form", "collective") == "one_sided";
  return sheaf::run([&](sheaf::team world) {
    relay here(world);
    std::uint64_t round = 0;
    auto const next = [&] { alone ? one_sided(here, ++round) : collective(here, ++round); };
    auto const samples = sample(2, reps, [&](int) { return ns_each(101, 1000, next); });
    if (world.rank() == 0) print_result("ns", samples);
  });
}
