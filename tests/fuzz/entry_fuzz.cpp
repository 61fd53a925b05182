// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors

// libFuzzer entry: a location receives arbitrary bytes as entries of all classes. No byte is read that did not arrive.

#include "../message/fake_endpoint.hpp"
#include "fuzzed_program.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  sheaf_test::fake_endpoint net(3);
  sheaf_fuzz::play(net, sheaf_fuzz::settings(sheaf::transport_kind::sim), [&](sheaf::detail::location& here) {
    for (sheaf_fuzz::input in(data, size); !in.empty();) {
      std::uint8_t const control = in.byte();  // class, source, number of runs
      constexpr sheaf::traffic routed[] = {sheaf::traffic::delivery, sheaf::traffic::hop, sheaf::traffic::late_hop};
      sheaf_test::bytes entry;
      for (int runs = control / 8 % 4; runs >= 0; --runs) sheaf_fuzz::add_run(in, entry);
      if (entry.empty()) continue;
      sheaf::traffic kind = (control & 1) == 0 ? sheaf::traffic::request : sheaf::traffic::answer;
      if ((control & 64) != 0) kind = routed[in.byte() % 3];
      net.arrive(control / 2 % 3, kind, std::move(entry));
      if ((control & 128) != 0) sheaf_fuzz::run_all(here);
    }
    sheaf_fuzz::run_all(here);
  });
  return 0;
}
