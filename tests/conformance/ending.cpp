// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "conformance/ending.hpp"

#include <cstdio>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "conformance/suite.hpp"
#include "harness/test_options.hpp"

namespace sheaf_test {
namespace {

constexpr std::uint64_t hops = 5;

class last_words : public sheaf::distributed<last_words> {
 public:
  explicit last_words(sheaf::team const& on) : distributed(on) {}
  void say(std::uint64_t more) {
    ++heard;
    if (more != 0) async<&last_words::say>((rank() + 1) % members().size(), more - 1);
  }
  std::uint64_t heard = 0;
};

/// What is left of the job in this process. The objects outlive their location, so they are never destroyed.
struct remains {
  std::mutex lock;
  std::vector<last_words*> objects;
  std::uint64_t expected = 0;
  bool own_jobs = false;  ///< this process may run further jobs of its own
};

remains& left() {
  static auto* const all = new remains;  // never destroyed, so that what it points to stays reachable at exit
  return *all;
}

int complain(std::string const& text) {
  std::fprintf(stderr, "FAILED ending: %s\n", text.c_str());
  return 1;
}

/// Runs a job in which `f` must fail with a text that holds all `parts`.
template <class F>
int fails(F f, std::initializer_list<std::string_view> parts) {
  sheaf::options settings = test_options();
  try {
    sheaf::run(settings, f);
    return complain("a job ended well that must fail with: " + std::string(*parts.begin()));
  } catch (sheaf::job_failed const& failure) {
    std::string_view const text = failure.what();
    for (auto const& part : parts) {
      if (text.find(part) == text.npos) return complain("no \"" + std::string(part) + "\" in: " + std::string(text));
    }
  }
  return 0;
}

int destroyed_object() {
  auto const job = [](sheaf::team const& world) {
    std::uint32_t const last = world.size() - 1;
    auto object = std::make_unique<last_words>(world);
    sheaf::handle<last_words> const name = handle_of(*object);
    sheaf::fence(world);
    if (world.rank() == last) object.reset();
    sheaf::barrier(world);
    if (world.rank() == 0) name.async<&last_words::say>(last, 0u);
    sheaf::fence(world);
  };
  return fails(job, {"object 1 of team 0", "after the object was destroyed here", "fence before it goes out of scope"});
}

int program_that_throws() {
  auto const job = [](sheaf::team const& world) {
    if (world.rank() + 1 == world.size()) throw std::runtime_error("the last one gives up");
    sheaf::fence(world);
    sheaf::fence(world);
  };
  return fails(job, {"location ", "the last one gives up"});
}

int error_after_the_last_fence() {
  auto const job = [](sheaf::team const& world) {
    auto* const object = new last_words(world);
    left().objects.push_back(object);  // keeps it reachable
    object->async(0, [](last_words&) { throw std::runtime_error("nobody fences behind me"); });
  };
  sheaf::options settings = test_options();
  settings.locations = 1;
  try {
    sheaf::run(settings, job);
  } catch (sheaf::job_failed const& failure) {
    std::string_view const text = failure.what();
    if (text.find("nobody fences behind me") != text.npos) return 0;
  }
  return complain("an error behind the last fence got lost");
}

}  // namespace

void prepare_ending(suite& s) {
  auto* const object = new last_words(s.world);
  std::lock_guard const guard(left().lock);
  left().objects.push_back(object);
  left().expected = s.size() * (hops + 1);
  sheaf::transport_kind const used = s.settings().transport;
  left().own_jobs = used == sheaf::transport_kind::thread || used == sheaf::transport_kind::sim;
}

void begin_ending(suite& s) {
  auto const& all = left().objects;
  for (auto* const object : all) {
    if (!object->members().is_here()) continue;
    for (std::uint32_t d = 0; d < s.size(); ++d) object->async<&last_words::say>(d, hops);
  }
}

int check_ending() {
  int wrong = 0;
  for (auto const* const object : left().objects) {
    if (object->heard == left().expected) continue;
    wrong |= complain(std::to_string(object->heard) + " requests of the last moment were executed instead of " +
                      std::to_string(left().expected));
  }
  if (left().own_jobs) wrong |= destroyed_object() | program_that_throws() | error_after_the_last_fence();
  return wrong;
}

}  // namespace sheaf_test
