// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// rmi.local, and ARMI's Table 1: requests of location 0 to itself, issued, gathered and executed; nanoseconds per
/// request. Each block ends with a question to itself, before which all have been executed. `--form async` names the
/// method at compile time, `pointer` gives a pointer to one that nothing here names, `bound` resolves it once for the
/// loop; `sync` waits for an answer, `opaque` fetches it later.
#include "harness/callee.hpp"
#include "sheaf/sheaf.hpp"

using namespace sheaf_bench;

namespace {

class target : public sheaf::distributed<target> {
 public:
  using distributed::distributed;
  void take(std::uint64_t n) { object_.take(n); }
  void take_unnamed(std::uint64_t n) { object_.take(n); }
  std::uint64_t answer(std::uint64_t n) { return object_.answer(n); }
  std::uint64_t sum() const { return object_.sum(); }

 private:
  callee object_;
};

using method = void (target::*)(std::uint64_t);

/// How many answers may be under way.
constexpr std::int64_t ahead = 1024;

void ask_ahead(target const& all, std::uint64_t me, std::int64_t count) {
  std::vector<sheaf::future<std::uint64_t>> answers(static_cast<std::size_t>(std::min(ahead, count)));
  for (std::int64_t i = 0; i < count; ++i) {
    auto& slot = answers[static_cast<std::size_t>(i % ahead)];
    if (slot.valid()) static_cast<void>(slot.get());
    slot = all.ask<&target::answer>(me, std::uint64_t{1});
  }
  for (auto& a : answers) static_cast<void>(a.get());
}

/// `count` requests of this location to itself.
void requests(std::string const& form, target const& all, method chosen, std::int64_t count) {
  std::uint64_t const me = all.rank(), one = 1;
  auto const times = [&](auto const& request) {
    for (std::int64_t i = 0; i < count; ++i) request();
  };
  if (form == "async") {
    times([&] { all.async<&target::take>(me, one); });
  } else if (form == "bound") {
    times([&, call = all.bind<&target::take>()] { call(me, one); });
  } else if (form == "pointer") {
    times([&] { all.async(me, chosen, one); });
  } else if (form == "bound_pointer") {
    times([&, call = all.bind(chosen)] { call(me, one); });
  } else if (form == "sync") {
    times([&] { all.sync<&target::take>(me, one); });
  } else {
    check(form == "opaque", "--form is async, bound, pointer, bound_pointer, sync or opaque");
    ask_ahead(all, me, count);
  }
}

void measure(target const& all, arguments const& args) {
  std::string const form = args.text("--form", "async");
  std::int64_t const count = args.number("--count", form == "sync" ? 2'000 : 100'000);
  method const volatile chosen = &target::take_unnamed;
  auto const executed = [&] { return all.sync<&target::sum>(all.rank()); };
  auto const calls = [&](std::int64_t n) {
    requests(form, all, method(chosen), n);
    static_cast<void>(executed());
  };
  print_result("ns", sample_calls(args, count, calls, executed));
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  return sheaf::run([&](sheaf::team world) {
    target all(world);
    if (world.rank() == 0) measure(all, args);
    sheaf::fence(world);
  });
}
