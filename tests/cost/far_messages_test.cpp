// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// How often collectives of values leave a process: exact numbers of messages, on processes of several locations.
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <string>
#include <vector>

#include "runtime/job.hpp"
#include "sheaf/rmi/distributed.hpp"
#include "transport/net/net_endpoint.hpp"

namespace {

using sheaf::location_id;
using sheaf::team;
using sheaf::traffic;
using sheaf_test::setting;

/// Another endpoint, and how many of its entries went to other processes.
class far_counter final : sheaf::net::locality, public sheaf::endpoint {
 public:
  far_counter(sheaf::endpoint& under, std::uint32_t lanes)
      : locality(under.size() / lanes, lanes, {}, number(under.self()) / lanes),
        endpoint(under.self(), under.size(), under.inline_capacity(), lanes, locality::number_on_host.data()),
        under_(under) {
    own_home_ = &under.home_for(under.self());
    near_home_ = far_home_ = &under.home_for(location_id{number(under.self()) ^ 1U});
  }
  std::uint64_t far = 0;
  std::uint64_t far_requests = 0;

 private:
  bool count(location_id dest, traffic kind, bool taken) {
    bool const left = taken && !near(dest);
    far += left ? 1 : 0;
    far_requests += left && kind == traffic::request ? 1 : 0;
    return taken;
  }
  sheaf::buffer do_acquire(location_id dest, std::size_t bytes) override { return under_.acquire(dest, bytes); }
  bool do_send(location_id dest, traffic kind, sheaf::buffer& b) override {
    return count(dest, kind, under_.send(dest, kind, b));
  }
  bool do_send_inline(location_id dest, traffic kind, std::span<std::byte const> entry) override {
    return count(dest, kind, under_.send_inline(dest, kind, entry));
  }
  bool do_receive(sheaf::wanted which, sheaf::arrival& out) override { return under_.receive(which, out); }
  void do_consumed(location_id source, traffic kind, sheaf::buffer* keep) override {
    keep == nullptr ? under_.consumed(source, kind) : void(*keep = under_.keep(source, kind));
  }
  std::uint32_t do_backlog(location_id dest, traffic kind) override { return under_.backlog(dest, kind); }
  void do_idle(std::uint32_t round, std::uint64_t deadline_ns) override { under_.idle(round, deadline_ns); }
  std::uint64_t do_now() override { return under_.now(); }
  void do_fail(std::string_view reason) noexcept override { under_.fail(reason); }

  sheaf::endpoint& under_;
};

/// P processes of T locations.
struct shape {
  unsigned processes, threads;
};
void PrintTo(shape const& s, std::ostream* to) { *to << s.processes << "x" << s.threads; }

using counted_program = std::function<void(team const&, far_counter&)>;

class far_messages : public testing::TestWithParam<shape> {
 protected:
  /// Runs it on a job of this shape, with both forms of collectives.
  static void run(counted_program const& f) {
    for (auto const form : {sheaf::fence_form_kind::dissemination, sheaf::fence_form_kind::tree}) {
      auto const [processes, threads] = GetParam();
      auto settings = setting{sheaf::transport_kind::sim, processes * threads, form, threads}.options();
      settings.ring_slots = 64;  // credit comes back late, since nothing but answers is under way
      struct body final : sheaf::location_body {
        body(sheaf::options const& s, counted_program const& p) : settings(s), program(p) {}
        void run(sheaf::endpoint& connection) override {
          far_counter counted(connection, settings.threads);
          sheaf_test::play(counted, settings, [&](team const& world) { program(world, counted); });
        }
        sheaf::options const& settings;
        counted_program const& program;
      } each(settings, f);
      launch_simulator(settings, each);
    }
  }

  /// What the call of all members sends to other processes, in sum.
  static std::uint64_t far_of(team const& on, far_counter& counted, std::function<void()> const& call) {
    sheaf::fence(on);
    if (state_of(on).next_collective % 64 == 0) sheaf::barrier(on);  // else the call ends with one
    std::uint64_t const before = counted.far;
    call();
    std::uint64_t const own = counted.far - before;
    return sheaf::all_reduce(on, own, std::plus<>());
  }

  static std::uint64_t processes() { return GetParam().processes; }
  /// Of doubling: those that are too many for a power of two are spoken for.
  static std::uint64_t messages_of_doubling() {
    std::uint64_t const doublers = std::bit_floor(processes());
    return doublers * static_cast<std::uint64_t>(std::countr_zero(doublers)) + 2 * (processes() - doublers);
  }
};

std::string const word(100, 'w');
constexpr auto joined = [](std::string const& a, std::string const& b) { return a + b; };

TEST_P(far_messages, one_for_each_process_but_the_roots) {
  run([](team const& world, far_counter& counted) {
    for (std::uint32_t root = 0; root < world.size(); ++root) {
      EXPECT_EQ(far_of(world, counted, [&] { broadcast(world, root, word); }), processes() - 1) << "root " << root;
      EXPECT_EQ(far_of(world, counted, [&] { broadcast(world, root, 7); }), processes() - 1) << "root " << root;
      EXPECT_EQ(far_of(world, counted, [&] { reduce(world, root, word, joined); }), processes() - 1) << root;
      EXPECT_EQ(far_of(world, counted, [&] { gather(world, root, word); }), processes() - 1) << root;
    }
  });
}

TEST_P(far_messages, of_sums_for_all_are_those_of_one_location_a_process) {
  run([](team const& world, far_counter& counted) {
    bool const tree = here_of(world).settings().fence_form == sheaf::fence_form_kind::tree;
    std::uint64_t const expected = tree ? 2 * (processes() - 1) : messages_of_doubling();
    EXPECT_EQ(far_of(world, counted, [&] { all_reduce(world, word, joined); }), expected);
    EXPECT_EQ(far_of(world, counted, [&] { all_gather(world, 5); }), expected);
    EXPECT_EQ(far_of(world, counted, [&] { scan(world, word, joined); }), 2 * (processes() - 1));
  });
}

TEST_P(far_messages, of_exchanges_are_one_for_each_pair_of_locations) {
  run([](team const& world, far_counter& counted) {
    std::vector<std::string> mine;
    std::string expected;
    for (std::uint32_t r = 0; r < world.size(); ++r) {
      mine.push_back(std::string(r * 20, 'x') + std::to_string(world.rank()) + ">" + std::to_string(r));
      expected += std::string(world.rank() * 20, 'x') + std::to_string(r) + ">" + std::to_string(world.rank());
    }
    std::uint64_t const pairs = world.size() * (world.size() - world.size() / processes());
    EXPECT_EQ(far_of(world, counted, [&] { all_to_all(world, mine); }), pairs);
    EXPECT_EQ(far_of(world, counted, [&] { EXPECT_EQ(reduce_scatter(world, mine, joined), expected); }), pairs);
  });
}

/// The first location of a process speaks for all of it in a fence; where there are no others, it says nothing.
TEST_P(far_messages, of_fences_are_the_leaders) {
  run([&](team const& world, far_counter& counted) {
    sheaf::barrier(world);
    std::uint64_t own = 0;
    for (int i = 0; i < 20; ++i) {
      std::uint64_t const before = counted.far;
      sheaf::fence(world);
      own += counted.far - before;
      all_gather(world, i);
    }
    auto const [processes, threads] = GetParam();
    EXPECT_EQ(own != 0, processes != 1 && world.rank() % threads == 0);
  });
}

struct listener : sheaf::distributed<listener> {
  using distributed::distributed;
  std::uint64_t heard = 0;
  void hear(std::uint64_t n) { heard += n; }
  std::string name() const { return std::to_string(rank()) + ";"; }
};

/// One-sided ones enter each process once, whichever member issues them, and so do the answers.
TEST_P(far_messages, of_broadcasts_and_sums_of_methods_are_one_for_each_process_but_the_issuers) {
  run([](team const& world, far_counter& counted) {
    listener all(world);
    std::string everybody;
    for (std::uint32_t r = 0; r < world.size(); ++r) everybody += std::to_string(r) + ";";
    auto const requests_of = [&](auto const& call) {
      std::uint64_t const before = counted.far_requests;
      sheaf::barrier(world);
      call();
      sheaf::fence(world);
      return all_reduce(world, counted.far_requests - before, std::plus<>());
    };
    for (std::uint32_t root = 0; root < world.size(); ++root) {
      auto const told = requests_of([&] {
        if (world.rank() == root) all.async<&listener::hear>(sheaf::to_all, root + 1);
      });
      EXPECT_EQ(told, processes() - 1) << "root " << root;
      auto const asked = requests_of([&] {
        if (world.rank() != root) return;
        EXPECT_EQ(all.reduce<&listener::name>(sheaf::to_all, joined).get(), everybody);
      });
      EXPECT_EQ(asked, processes() - 1) << "root " << root;
    }
    EXPECT_EQ(all.heard, world.size() * (world.size() + 1) / 2);
    sheaf::fence(world);
  });
}

/// Where a team takes processes in turn, values of one process are not neighbours in its order.
TEST_P(far_messages, of_teams_across_processes_keep_the_order_of_ranks) {
  run([](team const& world, far_counter& counted) {
    std::uint32_t const threads = here_of(world).settings().threads;
    team const across = world.split(0, world.rank() % threads);
    std::string const own = std::to_string(across.rank()) + ";";
    std::string all, before;
    for (std::uint32_t r = 0; r < across.size(); ++r) {
      all += std::to_string(r) + ";";
      before += r <= across.rank() ? std::to_string(r) + ";" : "";
    }
    EXPECT_EQ(all_reduce(across, own, joined), all);
    EXPECT_EQ(scan(across, own, joined), before);
    for (std::uint32_t root = 0; root < across.size(); ++root) {
      EXPECT_EQ(reduce(across, root, own, joined), across.rank() == root ? all : own);
      EXPECT_EQ(broadcast(across, root, own), std::to_string(root) + ";");
      EXPECT_EQ(far_of(across, counted, [&] { broadcast(across, root, own); }), processes() - 1);
    }
  });
}

struct latest : sheaf::distributed<latest> {
  using distributed::distributed;
  std::uint32_t value = 0;
  void set(std::uint32_t v) { value = v; }
  std::uint32_t get() const { return value; }
};

/// What one member issues takes one way to each other, also in such a team.
TEST_P(far_messages, of_teams_across_processes_keep_the_order_of_calls) {
  run([](team const& world, far_counter&) {
    for (team const& on : {world, world.split(0, world.rank() % here_of(world).settings().threads)}) {
      latest all(on);
      sheaf::fence(on);
      for (std::uint32_t i = 1; i <= 50 && on.rank() == on.size() / 2; ++i) {
        all.async<&latest::set>(sheaf::to_all, i);
        EXPECT_EQ(all.ask<&latest::get>(sheaf::to_all).get(), std::vector<std::uint32_t>(on.size(), i));
      }
      sheaf::fence(on);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(shapes, far_messages,
                         testing::Values(shape{1, 2}, shape{2, 2}, shape{3, 2}, shape{2, 4}, shape{5, 3}, shape{8, 2}),
                         testing::PrintToStringParamName());

}  // namespace
