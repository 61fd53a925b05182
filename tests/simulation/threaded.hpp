// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "base/threading.hpp"
#include "runtime/helpers.hpp"
#include "sheaf/message/handler.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/runtime/attached_thread.hpp"
#include "sheaf/runtime/fence.hpp"
#include "sheaf/runtime/scope.hpp"
#include "simulation/ambient_scope.hpp"

/// Small programs of locations that have several threads, all of them fibers of the simulator.
namespace sheaf_test {

/// A request: it goes on to the next location so many times. The first of them are executed in the order in which a
/// thread has issued them to a destination.
struct hop {
  std::uint32_t root = 0;
  std::uint32_t thread = 0;  ///< of the job
  std::uint32_t place = 0;   ///< among the thread's to this destination; 0: order does not matter
  std::uint32_t left = 0;
};

/// What all threads of a job know together: what was issued, and what a fence has to wait for.
class hop_truth {
 public:
  std::uint32_t issue(std::uint32_t by, bool scoped) {
    roots_.push_back({by, 1, 0, false, scoped});
    return static_cast<std::uint32_t>(roots_.size() - 1);
  }
  void issued(std::uint32_t root) { roots_[root].issued = true; }
  void begin(std::uint32_t root) { ++roots_[root].open; }
  void end(std::uint32_t root) {
    if (roots_[root].open-- == 0) throw std::runtime_error("a request was executed twice");
  }

  /// The location begins its n-th fence, of the scope or of all, which waits for what it has issued by now.
  void cover(std::uint32_t location, std::uint32_t fence, bool scoped) {
    for (root& r : roots_) {
      if (r.fence == 0 && r.by == location && r.issued && (r.scoped || !scoped)) r.fence = fence;
    }
  }
  void expect_done(std::uint32_t fence) const {
    for (root const& r : roots_) {
      if (r.fence != 0 && r.fence <= fence && r.open != 0) throw std::runtime_error("a fence left requests unfinished");
    }
  }
  void expect_all_done() const {
    for (root const& r : roots_) {
      if (r.open != 0) throw std::runtime_error("requests are left");
    }
  }

 private:
  struct root {
    std::uint32_t by;
    std::uint32_t open;   ///< requests that are not finished
    std::uint32_t fence;  ///< the first one that waits for it; 0: none has begun
    bool issued;          ///< the call has returned
    bool scoped;
  };
  std::vector<root> roots_;
};

struct threaded_program {
  char const* name;
  sheaf::progress_kind progress = sheaf::progress_kind::shared;
  std::uint32_t threads = 2;  ///< attached to each location
  std::uint32_t sends = 3;    ///< of each of them
  std::uint32_t fences = 2;   ///< meanwhile
  std::uint32_t left = 1;     ///< hops of each request after the first
  bool concurrent = false;    ///< the handlers of all that goes on
  bool late = false;          ///< the last location registers the object of half of the requests after a while
  bool scoped = false;        ///< the first thread of each location sends in a scope, and ends before its fence
  std::uint32_t locations = 2;
};

/// The object that requests are for.
class hopper {
 public:
  hopper(sheaf::detail::location& here, hop_truth& truth, bool concurrent)
      : here_(here), threads_(*here.connection().threads), truth_(truth), concurrent_(concurrent) {}

  void add() {
    number_ = here_.registered().add_object(here_.registered().world(), this, sheaf::detail::token_of<hopper>());
  }
  [[nodiscard]] std::uint32_t number() const { return number_; }

  template <bool Concurrent>
  struct handler {
    static constexpr sheaf::detail::type_token object_type = sheaf::detail::token_of<hopper>();
    static constexpr sheaf::traffic kind = sheaf::traffic::request;
    static constexpr std::uint32_t record_bytes = sizeof(hop);
    static constexpr bool any_thread = Concurrent;
    static void run(sheaf::detail::location&, void* object, sheaf::detail::execution& state) {
      while (state.at != state.run_end) {
        hop h;
        std::memcpy(&h, state.at, sizeof h);
        state.at += sizeof h;
        static_cast<hopper*>(object)->execute(h);
      }
    }
  };

  /// By any thread of the location, outside of the gate. Others may run while the record is half written.
  template <bool Concurrent>
  void send(std::uint32_t dest, std::uint32_t object, hop const& h) {
    sheaf::run_tag const tag(sheaf::detail::handler_number<handler<Concurrent>>, object, 0);
    sheaf::detail::outbox& box = here_.request_box(dest);
    sheaf::detail::placed const room(here_, box, {tag, sizeof h, sizeof h}, {});
    std::memcpy(room.at(), &h, sizeof h / 2);
    threads_.may_switch();
    std::memcpy(room.at() + sizeof h / 2, reinterpret_cast<std::byte const*>(&h) + sizeof h / 2, sizeof h / 2);
  }

 private:
  void execute(hop h) {
    if (h.place != 0 && ++last_[h.thread] != h.place) throw std::runtime_error("the order of a thread is lost");
    threads_.may_switch();
    if (h.left != 0) {
      truth_.begin(h.root);
      hop const next{h.root, h.thread, 0, h.left - 1};
      std::uint32_t const dest = (sheaf::number(here_.id()) + 1) % here_.size();
      concurrent_ ? send<true>(dest, number_, next) : send<false>(dest, number_, next);
    }
    threads_.may_switch();
    truth_.end(h.root);
  }

  sheaf::detail::location& here_;
  sheaf::detail::threading& threads_;
  hop_truth& truth_;
  bool const concurrent_;
  std::uint32_t number_ = 0;
  std::map<std::uint32_t, std::uint32_t> last_;  // place of the last one, by thread
};

/// One run of such a program.
class threaded {
 public:
  threaded(sheaf::options const& settings, threaded_program const& program)
      : settings_(settings),
        program_(program),
        truth_(std::make_unique<hop_truth>()),
        siblings_(std::make_unique<sheaf::detail::siblings>()) {}

  void run(sheaf::endpoint& connection) {
    sheaf::detail::location here(connection, settings_);
    ambient_scope const guard(here);
    std::optional<sheaf::detail::helpers> helping(std::in_place, here, *siblings_);
    player mine{program_, *truth_, here};
    try {
      mine.play();
    } catch (std::exception const& e) {
      connection.fail(e.what());
      mine.join();
      throw;
    }
  }
  void check() const { truth_->expect_all_done(); }

 private:
  /// One location's part.
  struct player {
    player(threaded_program const& p, hop_truth& t, sheaf::detail::location& h)
        : program(p),
          truth(t),
          here(h),
          world(team_of(h, h.registered().world())),
          objects{hopper(here, truth, p.concurrent), hopper(here, truth, p.concurrent)} {
      objects[0].add();
      if (!p.late || number(here.id()) + 1 != here.size()) objects[1].add();
    }

    void play() {
      std::optional<sheaf::detail::scope> scope;
      if (program.scoped) scope.emplace(world);
      for (std::uint32_t t = 0; t < program.threads; ++t) {
        sheaf::detail::scope const* const its = t == 0 && scope ? &*scope : nullptr;
        running.push_back(threads().start([this, t, its] { send_all(t, its); }));
      }
      if (scope) {
        serve([this] { return first_ended; });
        fence([&] { scope->fence(); }, true);
      }
      for (std::uint32_t k = 0; k < program.fences; ++k) {
        issue(program.threads, k % here.size(), k, nullptr);
        if (k == 0 && objects[1].number() == 0) register_late();
        fence([&] { sheaf::fence(world); }, false);
      }
      serve([this] { return ended == program.threads; });
      join();
      fence([&] { sheaf::fence(world); }, false);
      truth.expect_all_done();
    }

    void join() {
      for (std::uint64_t const one : running) threads().join(one);
      running.clear();
    }

   private:
    sheaf::detail::threading& threads() const { return *here.connection().threads; }

    /// Computes, and polls now and then: threads wait for room, and others for what this location executes.
    template <class Done>
    void serve(Done done) {
      while (!done()) {
        threads().wait(&ended, here.connection().now() + 2000);
        sheaf::poll();
      }
    }

    void register_late() {
      for (int i = 0; i < 20; ++i) sheaf::poll();
      objects[1].add();
    }

    void send_all(std::uint32_t thread, sheaf::detail::scope const* scope) {
      try {
        sheaf::attached_thread const self(world);
        for (std::uint32_t i = 0; i < program.sends; ++i) issue(thread, (thread + i) % here.size(), i, scope);
      } catch (std::exception const& e) {
        here.connection().fail(e.what());
      }
      ++ended;
      first_ended = first_ended || thread == 0;
      threads().notify(&ended);
    }

    /// Threads of all locations send to the same destination at first.
    void issue(std::uint32_t thread, std::uint32_t dest, std::uint32_t i, sheaf::detail::scope const* scope) {
      bool const concurrent = program.concurrent && i % 2 == 0;
      std::uint32_t const name = number(here.id()) * 64 + thread;
      hop h{truth.issue(number(here.id()), scope != nullptr), name, 0, program.left};
      std::uint32_t const object = program.late && i % 2 == 1 ? 2 : 1;
      if (!concurrent) h.place = ++places[{thread, dest, object}];
      auto const put = [&] {
        concurrent ? objects[0].send<true>(dest, object, h) : objects[0].send<false>(dest, object, h);
      };
      if (scope != nullptr) {
        auto const in_it = scope->sending();
        put();
      } else {
        put();
      }
      truth.issued(h.root);
    }

    template <class F>
    void fence(F wait, bool scoped) {
      truth.cover(number(here.id()), ++fences, scoped);
      wait();
      truth.expect_done(fences);
    }

    threaded_program const& program;
    hop_truth& truth;
    sheaf::detail::location& here;
    sheaf::team const world;
    hopper objects[2];
    std::vector<std::uint64_t> running;
    std::uint32_t fences = 0;
    std::uint32_t ended = 0;
    bool first_ended = false;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> places;
  };

  sheaf::options settings_;
  threaded_program program_;
  std::unique_ptr<hop_truth> truth_;
  std::unique_ptr<sheaf::detail::siblings> siblings_;
};

}  // namespace sheaf_test
