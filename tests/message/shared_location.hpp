// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <functional>
#include <thread>

#include "base/gate.hpp"
#include "message/outside.hpp"
#include "message/probe.hpp"
#include "sheaf/message/sender.hpp"

/// A location that other threads may enter.
namespace sheaf_test {

/// A request that needs no object.
struct loose_value : probe_answer {
  static constexpr sheaf::traffic kind = sheaf::traffic::request;
};

/// As probe_value, declared concurrent.
struct concurrent_value : probe_value {
  static constexpr bool any_thread = true;
};

/// A request that needs no object, declared concurrent.
struct loose_concurrent_value : loose_value {
  static constexpr bool any_thread = true;
};

inline sheaf::options shared_settings() {
  sheaf::options o = fake_settings();
  o.transport = sheaf::transport_kind::thread;
  o.progress = sheaf::progress_kind::shared;
  o.reserve_bytes = 2000;
  return o;
}

struct shared_location : lone_location {
  explicit shared_location(bool registered = true) : lone_location(shared_settings(), registered) {
    here.poll();  // the object is made
  }

  /// Runs f inside the gate on another thread, and returns what it returned.
  bool elsewhere(std::function<bool(sheaf::detail::outside&)> f) {
    bool result = false;
    std::thread([&] {
      sheaf::detail::outside& from = sheaf::detail::outside::of(here);
      sheaf::detail::admission const inside(here.gate());
      result = f(from);
    }).join();
    return result;
  }
  bool assist() {
    return elsewhere([](sheaf::detail::outside& from) { return from.assist(); });
  }
  bool run_concurrent() {
    return elsewhere([](sheaf::detail::outside& from) { return from.run_concurrent(); });
  }
  /// As `work`, as the location's own thread does it.
  void work_inside() {
    sheaf::detail::admission const inside(here.gate());
    work();
  }
  void arrive_both(std::uint32_t source, std::uint64_t plain, std::uint64_t concurrent) {
    net.arrive(source, sheaf::traffic::request,
               entry_writer()
                   .run(tag_of<probe_value>(), 1, plain)
                   .run(tag_of<concurrent_value>(), 1, concurrent)
                   .run(tag_of<probe_value>(), 1, plain + 1)
                   .data());
  }
};

}  // namespace sheaf_test
