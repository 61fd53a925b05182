// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/rmi/migrating.hpp"

#include <array>
#include <map>
#include <random>
#include <stdexcept>

#include "rmi/jobs.hpp"

/// Its destructor waits for another object: also that of the one which has gone to another member.
struct clinging {
  static inline std::array<sheaf::migrating<clinging>*, 2> tables{};  // by rank
  static inline sheaf::object_id other;

  explicit clinging(bool of_itself, std::uint64_t so_far = 0) : waits(of_itself), touched(so_far) {}
  clinging(clinging&& from) noexcept : waits(std::exchange(from.waits, false)), touched(from.touched) {}
  clinging& operator=(clinging&&) = delete;
  ~clinging() {
    if (waits) tables.at(sheaf::world().rank())->sync<&clinging::touch>(other);
  }
  std::uint64_t touch() { return ++touched; }

  bool waits;
  std::uint64_t touched;
};

template <>
struct sheaf::codec<clinging> {
  static std::size_t size(clinging const& c) { return codec<std::uint64_t>::size(c.touched); }
  static void encode(byte_writer& to, clinging const& c) { codec<std::uint64_t>::encode(to, c.touched); }
  static clinging decode(byte_reader& from) { return clinging(true, codec<std::uint64_t>::decode(from)); }
};

namespace {

using sheaf::migrating;
using sheaf::object_id;
using sheaf::team;
using sheaf_test::expect_in;
using sheaf_test::text_of;

class migration : public sheaf_test::over {};
SHEAF_OVER_ALL(migration);

/// Knows what each member sent it last.
struct ledger {
  std::string name;
  std::map<std::uint32_t, std::uint64_t> next = {};
  std::uint64_t disorder = 0;

  void enter(std::uint32_t source, std::uint64_t number) {
    if (next[source] != number) ++disorder;
    next[source] = number + 1;
  }
  void enter_text(std::uint32_t source, std::uint64_t number, std::string const& text) {
    enter(source, number + (text.size() > 1000 ? 1 : 0));
  }
  std::uint64_t enter_and_count(std::uint32_t source, std::uint64_t number) {
    enter(source, number);
    return number;
  }
  std::string title() { return name; }
  void fail(std::string const& why) { throw std::runtime_error(why); }
};

TEST_P(migration, an_object_is_found_where_it_has_gone) {
  run(4, [](team const& world) {
    migrating<ledger> all(world);
    object_id id;
    if (world.rank() == 1) id = all.create({"first"});
    id = broadcast(world, 1, id);
    EXPECT_EQ(id.birth(), 1u);
    EXPECT_EQ(all.sync<&ledger::title>(id), "first");
    barrier(world);
    if (world.rank() == 0) {
      all.move(id, 3);
      EXPECT_EQ(all.sync<&ledger::title>(id), "first");
    }
    fence(world);
    EXPECT_EQ(all.find(id) != nullptr, world.rank() == 3);
    EXPECT_EQ(all.ids_here().size(), world.rank() == 3 ? 1u : 0u);
    EXPECT_EQ(all.ask<&ledger::title>(id).get(), "first");
    all.async<&ledger::enter>(id, world.rank(), 0u);
    fence(world);
    if (ledger const* const it = all.find(id)) {
      EXPECT_EQ(it->next.size(), 4u);
    }
    fence(world);
  });
}

TEST_P(migration, requests_and_moves_of_one_member_keep_their_order) {
  run(3, [](team const& world) {
    migrating<ledger> all(world);
    object_id const id = broadcast(world, 0, world.rank() == 0 ? all.create({"x"}) : object_id());
    for (std::uint64_t i = 0; i < 200; ++i) {
      all.async<&ledger::enter>(id, world.rank(), i);
      if (i % 7 == world.rank()) all.move(id, static_cast<std::uint32_t>(i % 3));
    }
    fence(world);
    if (ledger const* const it = all.find(id)) {
      EXPECT_EQ(it->disorder, 0u);
      EXPECT_EQ(it->next, (std::map<std::uint32_t, std::uint64_t>{{0, 200}, {1, 200}, {2, 200}}));
    }
    fence(world);
  });
}

TEST_P(migration, all_verbs_and_kinds_of_calls_keep_the_order) {
  run(3, [](team const& world) {
    migrating<ledger> all(world);
    object_id const id = broadcast(world, 0, world.rank() == 0 ? all.create({"x"}) : object_id());
    sheaf::reply_window<std::uint64_t> counts(world, 50);
    auto const enter = all.bind<&ledger::enter>();
    auto const enter_by_pointer = all.bind(&ledger::enter);
    auto const counted = [](ledger& l, std::uint32_t from, std::uint64_t n) { return l.enter_and_count(from, n); };
    std::uint32_t const me = world.rank();
    std::uint64_t n = 0;
    for (std::uint32_t round = 0; round < 50; ++round) {
      all.async<&ledger::enter>(id, me, n++);
      while (!all.try_async<&ledger::enter>(id, me, n)) sheaf::poll();
      enter(id, me, ++n);
      enter_by_pointer(id, me, ++n);
      all.ask_into<&ledger::enter_and_count>(id, counts, round, me, ++n);
      if (round % 7 == me) all.move(id, round % 3);
      auto later = all.ask(id, counted, me, ++n);
      EXPECT_EQ(all.sync(id, &ledger::enter_and_count, me, n + 1), n + 1);
      EXPECT_EQ(later.get(), n);
      n += 2;
    }
    counts.wait();
    EXPECT_EQ(counts[0], 4u);
    fence(world);
    if (ledger const* const it = all.find(id)) {
      EXPECT_EQ(it->disorder, 0u);
      EXPECT_EQ(it->next.at(1), n);
    }
    fence(world);
  });
}

TEST_P(migration, what_methods_throw_reaches_who_asked) {
  run(3, [](team const& world) {
    migrating<ledger> all(world);
    object_id const id = broadcast(world, 0, world.rank() == 0 ? all.create({"x"}) : object_id());
    if (world.rank() == 0) all.move(id, 2);
    fence(world);
    if (world.rank() == 1) {
      expect_in("ledger::fail called by location 1: one",
                text_of<sheaf::remote_error>([&] { all.sync<&ledger::fail>(id, "one"); }));
      expect_in("called by location 1: two",
                text_of<sheaf::remote_error>([&] { all.ask<&ledger::fail>(id, "two").get(); }));
      all.async<&ledger::fail>(id, "three");
    }
    expect_in("location 2, ", text_of<sheaf::remote_error>([&] { fence(world); }));
    fence(world);
  });
}

TEST_P(migration, the_end_of_an_object_and_names_of_none) {
  expect_in("ledger::title) of member 0 of team 0 for object 1 of member 0 came after the object was destroyed",
            failure(2, [](team const& world) {
              migrating<ledger> all(world);
              object_id const id = broadcast(world, 0, world.rank() == 0 ? all.create({"x"}) : object_id());
              if (world.rank() == 0) {
                all.move(id, 1);
                all.destroy(id);
              }
              fence(world);
              EXPECT_TRUE(all.ids_here().empty());
              if (world.rank() == 0) all.sync<&ledger::title>(id);
              fence(world);
            }));
  expect_in("for object 5 of member 1, which was never created there", failure(2, [](team const& world) {
              migrating<ledger> all(world);
              if (world.rank() == 0) all.async<&ledger::enter>(object_id(1, 5), 0u, 0u);
              fence(world);
            }));
  run(2, [](team const& world) {
    migrating<ledger> all(world);
    expect_in("names no object", text_of<sheaf::usage_error>([&] { all.sync<&ledger::title>(object_id()); }));
    auto const y = all.create({"y"});
    std::string const place = "migrating_test.cpp:" + std::to_string(__LINE__ + 1) + ")";
    std::string const text = text_of<sheaf::usage_error>([&] { all.move(y, 2); });
    expect_in("destination 2 is not a member", text);
    expect_in(place.c_str(), text);
    fence(world);
  });
}

/// Whose methods call objects.
struct guide : sheaf::distributed<guide> {
  guide(sheaf::team const& t, migrating<ledger>& all) : distributed(t), objects(all) {}
  migrating<ledger>& objects;
  /// Asks an object, and moves it on from within a method that waits.
  std::string visit(object_id id, std::uint32_t to) {
    objects.move(id, to);
    return objects.sync<&ledger::title>(id);
  }
};

TEST_P(migration, methods_may_move_and_ask_objects) {
  run(4, [](team const& world) {
    migrating<ledger> all(world);
    guide g(world, all);
    object_id const own = all.create({"of " + std::to_string(world.rank())});
    auto const ids = all_gather(world, own);
    for (std::uint32_t i = 0; i < 40; ++i) {
      std::uint32_t const which = (i + world.rank()) % 4;
      EXPECT_EQ(g.sync<&guide::visit>(i % 4, ids[which], (i / 4) % 4), "of " + std::to_string(which));
    }
    fence(world);
    EXPECT_EQ(all_reduce(world, all.ids_here().size(), [](std::size_t a, std::size_t b) { return a + b; }), 4u);
    fence(world);
  });
}

/// Waits for another of its own methods, which may be behind it among the requests that were held.
struct self_asker {
  std::uint64_t asked = 0;
  std::uint64_t count() { return asked; }
  void ask(migrating<self_asker>& all, object_id own) {
    ++asked;
    EXPECT_GE(all.sync<&self_asker::count>(own), 1u);
  }
};

/// Asks for its end and, once that is known, for a move.
struct doomed {
  bool is_here() { return true; }
  void end_and_leave(migrating<doomed>& all, object_id own, std::uint32_t to) {
    all.destroy(own);
    EXPECT_TRUE(all.sync<&doomed::is_here>(own)) << "its method is on the stack";
    all.leave(own, to);
  }
};

TEST_P(migration, after_its_end_an_object_goes_nowhere) {
  run(2, [](team const& world) {
    migrating<doomed> all(world);
    if (world.rank() == 0) {
      object_id const id = all.create({});
      migrating<doomed>* const here = &all;
      all.async(id, [here, id](doomed& d) { d.end_and_leave(*here, id, 1); });
    }
    fence(world);
    EXPECT_TRUE(all.ids_here().empty());
    EXPECT_EQ(all.entries(), 0u);
    fence(world);
  });
}

/// Waits for a method of another object, and leaves.
struct waiter {
  int asked = 0;
  int count() { return ++asked; }
  void ask_and_leave(migrating<waiter>& all, object_id own, object_id other, std::uint32_t to) {
    EXPECT_EQ(all.sync<&waiter::count>(other), 1);
    all.leave(own, to);
  }
};

TEST_P(migration, an_object_leaves_though_a_method_of_another_one_has_run_meanwhile) {
  run(2, [](team const& world) {
    migrating<waiter> all(world);
    migrating<waiter>* const here = &all;
    if (world.rank() == 0) {
      object_id const stays = all.create({}), goes = all.create({});
      all.async(goes, [=](waiter& w) { w.ask_and_leave(*here, goes, stays, 1); });  // both are here
    }
    fence(world);
    EXPECT_EQ(all.ids_here(), std::vector{object_id(0, world.rank() + 1)});
    fence(world);
  });
}

/// As many orders as there are seeds; in some the requests of one member overtake each other.
TEST(migration_seeds, a_method_of_a_held_request_may_wait_for_its_object) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    sheaf::options o = sheaf_test::job_of(sheaf::transport_kind::sim, 3);
    o.seed = seed;
    sheaf::run(o, [](team const& world) {
      migrating<self_asker> all(world);
      auto const tables = sheaf::all_gather(world, reinterpret_cast<std::uintptr_t>(&all));
      object_id const id = broadcast(world, 0, world.rank() == 0 ? all.create({}) : object_id());
      auto const ask = [](self_asker& of, std::vector<std::uintptr_t> const& here, object_id own) {
        of.ask(*reinterpret_cast<migrating<self_asker>*>(here[sheaf::world().rank()]), own);
      };
      for (std::uint32_t i = 0; i < 20; ++i) {
        all.async(id, ask, tables, id);
        if (i % 3 == 0) all.move(id, (world.rank() + i) % 3);
      }
      fence(world);
      EXPECT_EQ(all.sync<&self_asker::count>(id), 60u);
      fence(world);
    });
  }
}

TEST(migration_seeds, an_object_may_come_back_while_the_destructor_of_what_has_gone_waits) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    sheaf::options o = sheaf_test::job_of(sheaf::transport_kind::sim, 2);
    o.seed = seed;
    sheaf::run(o, [](team const& world) {
      migrating<clinging> all(world);
      clinging::tables.at(world.rank()) = &all;
      object_id const goes = broadcast(world, 0, world.rank() == 0 ? all.create(clinging(true)) : object_id());
      object_id const stays = broadcast(world, 1, world.rank() == 1 ? all.create(clinging(false)) : object_id());
      clinging::other = stays;
      fence(world);
      for (std::uint32_t i = 0; i < 10; ++i) {
        all.async<&clinging::touch>(goes);
        all.move(goes, (world.rank() + i) % 2);
      }
      fence(world);
      if (world.rank() == 0) {
        EXPECT_EQ(all.sync<&clinging::touch>(goes), 21u);
        all.destroy(goes);
      }
      fence(world);
      EXPECT_EQ(all.ids_here(), world.rank() == 1 ? std::vector{stays} : std::vector<object_id>());
      fence(world);
    });
  }
}

TEST_P(migration, wait_for_request_counts_executed_requests_alone) {
  run(3, [](team const& world) {
    migrating<ledger> all(world);
    object_id const id = broadcast(world, 0, world.rank() == 0 ? all.create({"x"}) : object_id());
    if (world.rank() == 0) all.move(id, 2);
    fence(world);
    EXPECT_EQ(here_of(world).in().unclaimed_requests(), 0u);
    barrier(world);
    if (world.rank() == 1) all.async<&ledger::enter>(id, 1u, 0u);
    if (world.rank() == 2) {
      sheaf::wait_for_request();
      EXPECT_EQ(all.find(id)->next.size(), 1u);
    }
    for (int i = 0; i < 1000; ++i) sheaf::poll();
    EXPECT_EQ(here_of(world).in().unclaimed_requests(), 0u) << "forwarded, told, or waited for";
    fence(world);
  });
}

/// Goes round all members by itself, and counts the places.
struct tourist {
  std::uint32_t places = 0;
  std::uint32_t left = 0;
  bool throws = false;

  void go(migrating<tourist>& all, object_id own, std::uint32_t many) {
    left = many;
    arrived(all, own);
  }
  void arrived(migrating<tourist>& all, object_id own) {
    ++places;
    if (left != 0 && --left != 0) all.leave(own, (all.members().rank() + 1) % all.members().size());
    if (throws) throw std::runtime_error("tired");
  }
};

TEST_P(migration, an_object_leaves_by_itself_and_is_told_where_it_arrives) {
  for (unsigned const p : {1u, 2u, 3u, 7u}) {
    run(p, [](team const& world) {
      migrating<tourist> all(world);
      object_id const id = broadcast(world, 0, world.rank() == 0 ? all.create({}) : object_id());
      migrating<tourist>* const here = &all;
      if (world.rank() == 0) {
        all.async(id, [here, id](tourist& t) { t.go(*here, id, 8); });  // it is here
      }
      fence(world);
      std::uint32_t const last = world.size() == 1 ? 0 : 7 % world.size();
      tourist const* const it = all.find(id);
      EXPECT_EQ(it != nullptr, world.rank() == last);
      if (it != nullptr && world.size() > 1) {
        EXPECT_EQ(it->places, 8u);
      }
      std::string const text = text_of<sheaf::usage_error>([&] { all.leave(id, 0); });
      expect_in("leave of object 1 of member 0, of which no method runs here", text);
      fence(world);
    });
  }
}

TEST_P(migration, what_an_object_throws_where_it_arrives_the_fence_throws) {
  run(2, [](team const& world) {
    migrating<tourist> all(world);
    if (world.rank() == 0) all.move(all.create({.throws = true}), 1);
    expect_in("tired", text_of<sheaf::remote_error>([&] { fence(world); }));
    EXPECT_EQ(all.ids_here().size(), world.rank());
    fence(world);
  });
}

/// What one member does in a random program, and how many requests it has issued to each object.
class wanderer {
 public:
  wanderer(team const& world, migrating<ledger>& all, std::vector<object_id> const& ids, std::uint64_t seed)
      : world_(world), all_(all), ids_(ids), random_(seed), issued_(ids.size()) {}

  void act() {
    std::size_t const which = random_() % ids_.size();
    object_id const id = ids_[which];
    std::uint64_t& n = issued_[which];
    switch (random_() % 8) {
      case 0:
        all_.move(id, static_cast<std::uint32_t>(random_() % world_.size()));
        break;
      case 1:
        EXPECT_EQ(all_.sync<&ledger::enter_and_count>(id, world_.rank(), n), n);
        ++n;
        break;
      case 2:
        answers_.push_back(all_.ask<&ledger::enter_and_count>(id, world_.rank(), n++));
        break;
      case 3:
        all_.async<&ledger::enter_text>(id, world_.rank(), n++, std::string(random_() % 90, 'x'));
        break;
      case 4:
        if (random_() % 4 == 0) sheaf::poll();
        break;
      default:
        all_.async<&ledger::enter>(id, world_.rank(), n++);
    }
  }

  [[nodiscard]] std::vector<std::uint64_t> const& issued() const { return issued_; }

 private:
  team const& world_;
  migrating<ledger>& all_;
  std::vector<object_id> const& ids_;
  std::mt19937_64 random_;
  std::vector<std::uint64_t> issued_;
  std::vector<sheaf::future<std::uint64_t>> answers_;
};

/// Every request executes exactly once, those of a member to an object in order, wherever it is.
void check(team const& world, migrating<ledger>& all, std::vector<object_id> const& ids,
           std::vector<std::vector<std::uint64_t>> const& issued, std::uint64_t seed) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    ledger* const it = all.find(ids[i]);
    if (it == nullptr) continue;
    EXPECT_EQ(it->name, std::to_string(i));
    EXPECT_EQ(it->disorder, 0u) << "seed " << seed;
    for (std::uint32_t r = 0; r < world.size(); ++r) EXPECT_EQ(it->next[r], issued[r][i]) << "seed " << seed;
  }
  auto const here = static_cast<std::uint64_t>(all.ids_here().size());
  EXPECT_EQ(all_reduce(world, here, [](std::uint64_t a, std::uint64_t b) { return a + b; }), ids.size());
}

void wander(team const& world, std::uint64_t seed) {
  // Of some it forgets all that it may: then all of its numbers begin anew again and again.
  migrating<ledger> all(world, seed % 2 == 0 ? migrating<ledger>::usually_called : 0);
  std::vector<object_id> ids(5 + seed % 3 * 4);
  for (std::uint32_t i = 0; i < ids.size(); ++i) {
    std::uint32_t const birth = i % world.size();
    object_id const own = world.rank() == birth ? all.create({std::to_string(i)}) : object_id();
    ids[i] = broadcast(world, birth, own);
  }
  wanderer w(world, all, ids, seed * 100 + world.rank());
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 60; ++i) w.act();
    fence(world);
    check(world, all, ids, all_gather(world, w.issued()), seed);
    EXPECT_EQ(here_of(world).in().unclaimed_requests(), 0u);
    fence(world);
  }
}

TEST_P(migration, random_wanderings_execute_everything_once_and_in_order) {
  std::uint64_t const seeds = GetParam() == sheaf::transport_kind::sim ? 150 : 30;
  for (std::uint64_t seed = 1; seed <= seeds && !HasFailure(); ++seed) {
    auto job = sheaf_test::job_of(GetParam(), 1 + static_cast<unsigned>(seed % 5));
    job.seed = seed;
    if (seed % 3 == 0) job.ring_slots = job.window = 1, job.buffer_bytes = 512;
    if (seed % 4 == 0) job.poll_every = 1;
    sheaf::run(job, [&](team const& world) { wander(world, seed); });
  }
}

}  // namespace
