// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// What members remember of migrating objects that have moved on, were destroyed, or are called no more.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <random>

#include "rmi/jobs.hpp"
#include "sheaf/rmi/migrating.hpp"

/// Counts those in this process.
struct living {
  static inline std::atomic<std::int64_t> now{0};

  living() { ++now; }
  living(living const&) : living() {}
  living& operator=(living const&) = default;
  ~living() { --now; }
};

template <>
struct sheaf::codec<living> {
  static std::size_t size(living const&) { return 1; }
  static void encode(byte_writer& to, living const&) { to.value(std::uint8_t{7}); }
  static living decode(byte_reader& from) {
    if (from.value<std::uint8_t>() != 7) throw decode_error("it is not alive");
    return {};
  }
};

namespace {

using sheaf::migrating;
using sheaf::object_id;
using sheaf::team;

class migration_entries : public sheaf_test::over {};
SHEAF_OVER_ALL(migration_entries);

/// Counts what each member sends it, and what came out of order.
struct tally {
  std::map<std::uint32_t, std::uint64_t> next = {};
  std::uint64_t disorder = 0;

  std::uint64_t enter(std::uint32_t source, std::uint64_t number) {
    if (next[source]++ != number) ++disorder;
    return number;
  }
};

constexpr unsigned counts[] = {1, 2, 3, 4, 7};

std::uint64_t sum(team const& world, std::uint64_t own) { return all_reduce(world, own, std::plus<>{}); }

TEST_P(migration_entries, an_object_that_tours_leaves_none_behind) {
  for (unsigned const p : counts) {
    run(p, [](team const& world) {
      migrating<tally> all(world);
      object_id const id = broadcast(world, 0, world.rank() == 0 ? all.create({}) : object_id());
      EXPECT_EQ(all.entries(), world.rank() == 0 ? 1u : 0u);
      barrier(world);
      std::uint32_t const size = world.size();
      for (std::uint32_t last = 0; last < size; ++last) {
        if (world.rank() == 0) {
          for (std::uint32_t i = 0; i < 100; ++i) all.move(id, i % size);
          all.move(id, last);
        }
        fence(world);
        std::uint64_t const here = all.find(id) == nullptr ? 0 : 2;  // the object, and its one caller
        std::uint64_t const home = world.rank() == 0 && here == 0 ? 1 : 0;
        EXPECT_EQ(all.entries(), here + home) << "at " << world.rank() << " of " << size << ", it is at " << last;
        EXPECT_EQ(all.ids_here().size(), here / 2);
        fence(world);
      }
    });
  }
}

TEST_P(migration_entries, of_destroyed_objects_go_everywhere) {
  for (unsigned const p : counts) {
    run(p, [](team const& world) {
      migrating<tally> all(world);
      for (std::uint64_t round = 0; round < 5; ++round) {
        auto const ids = all_gather(world, all.create({}));
        for (object_id const id : ids) {
          all.async<&tally::enter>(id, world.rank(), 0u);
          all.move(id, (id.birth() + world.rank() + round) % world.size());
        }
        fence(world);
        EXPECT_EQ(sum(world, all.ids_here().size()), world.size());
        all.destroy(ids[(world.rank() + 1) % world.size()]);
        fence(world);
        EXPECT_EQ(all.entries(), 0u) << "at " << world.rank() << " of " << world.size();
        EXPECT_EQ(all.create({}).number(), round * 2 + 2) << "names are not used again";
        all.destroy(all.ids_here().at(0));
        fence(world);
      }
    });
  }
}

TEST_P(migration_entries, of_destroyed_objects_go_also_at_a_home_that_never_called) {
  for (unsigned const p : counts) {
    run(p, [](team const& world) {
      migrating<tally> all(world);
      object_id const id = broadcast(world, 0, world.rank() == 0 ? all.create({}) : object_id());
      std::uint32_t const last = world.size() - 1;
      if (world.rank() == last) {
        all.move(id, last);
        all.destroy(id);
      }
      fence(world);
      EXPECT_EQ(all.entries(), 0u) << "at " << world.rank() << " of " << world.size();
      fence(world);
    });
  }
}

/// Objects that live, move and end one behind the other.
TEST_P(migration_entries, do_not_grow_without_a_fence) {
  for (unsigned const p : counts) {
    run(p, [](team const& world) {
      migrating<tally> all(world, 4);
      std::mt19937 random(world.rank());
      std::size_t most = 0;
      for (int life = 0; life < 200; ++life) {
        object_id const id = all.create({});
        for (std::uint64_t n = 0; n < 5; ++n) {
          all.move(id, static_cast<std::uint32_t>(random() % world.size()));
          EXPECT_EQ(all.sync<&tally::enter>(id, world.rank(), n), n);
        }
        all.destroy(id);
        most = std::max(most, all.entries());
      }
      fence(world);
      EXPECT_EQ(all.entries(), 0u);
      EXPECT_LE(most, 20 * world.size()) << "of 1000 moves and 200 lives of each member";
      fence(world);
    });
  }
}

/// Each member calls all objects of all members, again and again: more than it may remember.
TEST_P(migration_entries, of_objects_called_are_given_up_and_their_order_stays) {
  constexpr std::uint64_t most = 3, each = 100;
  for (unsigned const p : counts) {
    run(p, [](team const& world) {
      migrating<tally> all(world, most);
      std::vector<object_id> ids;
      for (std::uint64_t i = 0; world.rank() == 0 && i < each; ++i) ids.push_back(all.create({}));
      ids = broadcast(world, 0, ids);
      for (std::uint64_t n = 0; n < 10; ++n) {
        for (object_id const id : ids) {
          all.async<&tally::enter>(id, world.rank(), n);
          if (id.number() % 4 == n % 4) all.move(id, static_cast<std::uint32_t>((n + id.number()) % world.size()));
        }
        if (n % 3 == 2) fence(world);
      }
      fence(world);
      std::uint64_t born = world.rank() == 0 ? each : 0, here = all.ids_here().size(), callers = 0;
      for (object_id const id : all.ids_here()) {
        EXPECT_EQ(all.find(id)->disorder, 0u);
        EXPECT_EQ(all.find(id)->next.size(), world.size());
        callers += world.size();
      }
      EXPECT_LE(all.entries(), most + 3 * (born + here) + callers);
      // In all there are as many callers of objects as objects called.
      std::uint64_t const called = world.size() * most + 2 * 2 * each;
      EXPECT_LE(sum(world, all.entries()), 2 * called + 2 * each);
      fence(world);
    });
  }
}

template <std::size_t Bytes>
struct alignas(Bytes % 64 == 0 ? 64 : 8) sized {
  living one;
  std::uint8_t value;
  std::array<std::byte, Bytes - 2> rest{};
  std::uint8_t get() const { return value; }
};

struct with_its_memory {
  static inline std::atomic<std::int64_t> taken{0}, given_back{0};
  static void* operator new(std::size_t bytes) { return ++taken, ::operator new(bytes); }
  static void operator delete(void* memory) { ++given_back, ::operator delete(memory); }

  living one;
  std::uint8_t value;
  std::uint8_t get() const { return value; }
};

/// Moves objects around, destroys half of them, and leaves the rest to the table.
template <class T>
void live_and_move(team const& world, bool in_cells) {
  constexpr std::uint64_t each = 100;  // more than a slab has cells
  std::uint32_t const next = (world.rank() + 1) % world.size();
  {
    migrating<T> all(world);
    for (std::uint8_t i = 0; i < each; ++i) {
      object_id const id = all.create(T{.one = {}, .value = i});
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(all.find(id)) % alignof(T), 0u);
      for (std::uint32_t hop = 0; hop < 3; ++hop) all.move(id, (next + hop) % world.size());
      EXPECT_EQ(all.template sync<&T::get>(id), i);
      if (i % 2 == 0) all.destroy(id);
    }
    fence(world);
    auto const ids = all.ids_here();
    EXPECT_EQ(sum(world, ids.size()), world.size() * each / 2);
    bool const aligned = std::all_of(
        ids.begin(), ids.end(), [&](object_id id) { return reinterpret_cast<std::uintptr_t>(all.find(id)) % 64 == 0; });
    EXPECT_EQ(aligned, in_cells);
    fence(world);
  }
  fence(world);
  EXPECT_EQ(living::now, 0) << "each is destroyed once";
  fence(world);
}

TEST_P(migration_entries, objects_live_in_cells_elsewhere_or_in_memory_of_their_own) {
  for (unsigned const p : counts) {
    run(p, [](team const& world) {
      live_and_move<sized<8>>(world, true);
      live_and_move<sized<64>>(world, true);
      live_and_move<sized<72>>(world, false);
      live_and_move<with_its_memory>(world, false);
    });
    EXPECT_EQ(with_its_memory::taken, with_its_memory::given_back);
  }
}

/// More members call an object than it remembers: it asks them to be forgotten, while they may go on to call.
TEST(migration_entries_sim, of_callers_are_given_up_and_their_order_stays) {
  for (std::uint64_t seed = 1; seed <= 20 && !::testing::Test::HasFailure(); ++seed) {
    auto job = sheaf_test::job_of(sheaf::transport_kind::sim, 60);
    job.seed = seed;
    sheaf::run(job, [](team const& world) {
      migrating<tally> all(world);
      object_id const id = broadcast(world, 0, world.rank() == 0 ? all.create({}) : object_id());
      std::uint64_t n = 0;
      for (std::uint64_t round = 0; round < 6; ++round) {
        if (world.rank() == round) all.move(id, 59 - round);
        EXPECT_EQ(all.sync<&tally::enter>(id, world.rank(), n), n) << "once";
        for (++n; round % 2 == 1 && n % 9 != 0; ++n) all.async<&tally::enter>(id, world.rank(), n);
        fence(world);
        tally const* const it = all.find(id);
        if (it != nullptr) {
          EXPECT_EQ(it->disorder, 0u);
        }
        if (it != nullptr && round == 0) {
          EXPECT_LE(all.entries(), 1u + 17u + 1u) << "itself, callers, and its mover";
        }
        fence(world);
      }
    });
  }
}

}  // namespace
