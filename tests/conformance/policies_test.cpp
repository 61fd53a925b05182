// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "conformance/beside.hpp"
#include "conformance/suite.hpp"
#include "sheaf/ampp.hpp"
#include "sheaf/base/partition.hpp"
#include "sheaf/messages.hpp"
#include "sheaf/runtime/attached_thread.hpp"

namespace {

using sheaf_test::suite;
using pair = std::pair<std::uint32_t, std::uint64_t>;
struct least {
  std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return std::min(a, b); }
};

/// What reaches the handlers, by key, of a stream in which each member sends each key in 0…15 to each member, `n`
/// times.
template <class... Policy>
struct stream_of_keys {
  stream_of_keys(suite& checks, std::uint64_t n, Policy... parameters)
      : s(checks),
        type(
            s.world,
            [this](pair const& m) {
              ++handled;
              sums[m.first] += m.second;
              least_of[m.first] = std::min(least_of[m.first], m.second);
            },
            parameters...) {
    send(n);
  }
  stream_of_keys(suite& checks, std::uint64_t n) : stream_of_keys(checks, n, Policy{}...) {}

  void send(std::uint64_t n) {
    sheaf::epoch(s.world, [&] {
      for (std::uint64_t i = 0; i < n; ++i) {
        for (std::uint32_t key = 0; key < 16; ++key) {
          for (std::uint32_t d = 0; d < s.size(); ++d) type.send(d, {key, n - i});
        }
      }
    });
  }

  suite& s;
  std::uint64_t handled = 0;
  std::array<std::uint64_t, 16> sums{}, least_of = all_large();
  sheaf::message_type<pair, Policy...> type;

 private:
  static std::array<std::uint64_t, 16> all_large() {
    std::array<std::uint64_t, 16> all;
    all.fill(~std::uint64_t{0});
    return all;
  }
};

/// A user's own: lets every second message of a member wait for the next one.
struct in_pairs {
  template <class T>
  class stage {
   public:
    explicit stage(in_pairs const&) {}
    void send(std::uint64_t dest, T const& value, auto next) {
      if (!kept_) {
        kept_.emplace(dest, value);
        return;
      }
      auto const first = *std::exchange(kept_, std::nullopt);
      next(first.first, first.second);
      next(dest, value);
    }
    void flush(auto next) {
      if (auto const last = std::exchange(kept_, std::nullopt)) next(last->first, last->second);
    }
    [[nodiscard]] bool empty() const { return !kept_; }
    void forget() {}
    [[nodiscard]] std::size_t bytes() const { return sizeof *this; }

   private:
    std::optional<std::pair<std::uint64_t, T>> kept_;
  };
};

/// Calls send() in the epoch, on the program's thread and on attached ones: on so many together.
void send_by(suite& s, sheaf_test::beside& others, sheaf::scoped_epoch& all, std::uint64_t threads, auto const& send) {
  if (threads != 1) all.expect_parts(static_cast<std::uint32_t>(threads) - 1);
  for (std::uint64_t t = 1; t < threads; ++t) {
    others.run([&] {
      sheaf::attached_thread const self(s.world);
      sheaf::epoch_part const part(all);
      send();
    });
  }
  send();
}

/// The program, two threads and handlers send at a time.
template <sheaf::sending_threads How>
void check_sending_threads(suite& s) {
  constexpr bool is_alone = How == sheaf::sending_threads::owner_alone;
  bool const lets_in = s.settings().progress != sheaf::progress_kind::inlined && !is_alone;
  using policy = sheaf::sent_by<How>;
  std::uint64_t sum = 0, bytes = 0;
  sheaf::message_type<std::uint64_t, policy>* again = nullptr;
  sheaf::message_type<std::uint64_t, policy> type(s.world, [&](std::uint64_t value) {
    sum += value;
    if (value == 2) again->send(s.next(), 1);
  });
  again = &type;
  sheaf::message_type<std::string, policy> words(s.world, [&](std::string const& word) { bytes += word.size(); });
  std::uint64_t const n = s.scaled(1000);
  auto const send_all = [&] {
    for (std::uint64_t i = 0; i < n; ++i) {
      type.send(i % s.size(), 2);
      if (i % 16 == 0) words.send(s.next(), std::string(i % 64, 'x'));
    }
    type.flush();
  };
  std::uint64_t bytes_of_one = 0;
  for (std::uint64_t i = 0; i < n; i += 16) bytes_of_one += i % 64;
  std::uint64_t const senders = lets_in ? 3 : 1;
  for (std::uint64_t round = 1; round <= 3; ++round) {
    sheaf::scoped_epoch all(s.world);
    sheaf_test::beside threads(s);
    send_by(s, threads, all, senders, send_all);
    std::uint64_t const total = all.end([&] { return sum + bytes; }, std::plus<>{});
    s.same(total, round * senders * s.size() * (3 * n + bytes_of_one), "what was sent, and by handlers");
  }
}

}  // namespace

SHEAF_CASE(policies, combined_messages_have_the_same_sums) {
  std::uint64_t const n = s.scaled(100), expected = n * (n + 1) / 2 * s.size();
  auto const check = [&](auto const& stream, char const* how) {
    s.that(std::ranges::all_of(stream.sums, [&](std::uint64_t sum) { return sum == expected; }), how);
  };
  using sheaf::combine;
  stream_of_keys<combine<std::plus<>>> one(s, n);
  check(one, "combined");
  s.that(one.handled <= 16 * s.size() * n, "no message more than was sent");
  check(stream_of_keys<combine<std::plus<>>>(s, n, {.slots = 2}), "where each key drives another one out");
  check(stream_of_keys<sheaf::unordered, combine<std::plus<>>>(s, n), "in buffers of its own");
  check(stream_of_keys<in_pairs>(s, n), "with a policy of the program's");
  check(stream_of_keys<in_pairs, combine<std::plus<>>, in_pairs>(s, n), "with three policies");
  check(stream_of_keys<sheaf::coalescing>(s, n, {.count = 3}), "in buffers of three messages");
  check(stream_of_keys<sheaf::coalescing, combine<std::plus<>>>(s, n, {.bytes = 200, .age_ns = 1000}, {}),
        "with an age");
}

SHEAF_CASE(policies, only_better_values_pass_and_the_best_one_does) {
  std::uint64_t const n = s.scaled(100);
  auto const check = [&](auto const& stream, char const* how) {
    s.that(std::ranges::all_of(stream.least_of, [](std::uint64_t value) { return value == 1; }), how);
  };
  stream_of_keys<sheaf::pass_better<least>> through(s, n);
  check(through, "sent at once");
  check(stream_of_keys<sheaf::combine_idempotent<least>>(s, n), "held");
  check(stream_of_keys<sheaf::pass_better<least>>(s, n, {.slots = 2}), "with few places");
  through.handled = 0;
  through.least_of.fill(99);
  through.send(1);
  check(through, "what was sent in another epoch is forgotten");
}

SHEAF_CASE(policies, doubles_are_dropped_once_in_each_epoch) {
  std::uint64_t handled = 0, sent_on = 0;
  sheaf::message_type<std::string, sheaf::unique_exactly<>> names(s.world, [&](std::string const&) { ++handled; });
  struct tens {
    std::uint64_t operator()(std::uint64_t v) const { return v / 10; }
  };
  sheaf::message_type<std::uint64_t, sheaf::unique<tens>> numbers(s.world, [&](std::uint64_t v) {
    ++sent_on;
    if (v == 0) names.send(s.next(), "from a handler");
  });
  for (std::uint64_t round = 1; round <= 3; ++round) {
    sheaf::epoch(s.world, [&] {
      for (std::uint64_t i = 0; i < 300; ++i) names.send(s.next(), std::to_string(i % 100));
      for (std::uint64_t i = 0; i < 100; ++i) numbers.send(s.next(), i % 30);
    });
    s.same(handled, round * 101, "different names");
    s.that(sent_on >= round * 3 && sent_on <= round * 100, "numbers");
    sheaf::barrier(s.world);
  }
  sheaf::epoch(s.world, [&] {
    names.send(s.next(), "inside and outside");
    sheaf::barrier(s.world);
    sheaf::epoch(s.world, [&] { names.send(s.next(), "inside and outside"); });
    s.that(handled >= 304, "a double in another epoch is none");
  });
  s.same(handled, 305u, "different names");
  s.throws<sheaf::usage_error>([&] { sheaf::epoch(s.world, [&] { names.send(s.size(), "x"); }); },
                               {"is not a member of team 0"});
  s.throws<sheaf::usage_error>([&] { names.send(0, "x"); }, {"outside of an epoch"});
}

SHEAF_CASE(policies, each_thread_drops_its_own_doubles) {
  std::uint64_t const threads = s.settings().progress != sheaf::progress_kind::inlined ? 3 : 1;
  std::uint64_t apart_handled = 0, together_handled = 0, best = 0;
  using exactly = sheaf::unique_exactly<>;
  sheaf::message_type<std::uint64_t, sheaf::per_thread<exactly>, sheaf::per_thread<sheaf::unique<>>> apart(
      s.world, [&](std::uint64_t) { ++apart_handled; });
  sheaf::message_type<std::uint64_t, exactly> together(s.world, [&](std::uint64_t) { ++together_handled; });
  sheaf::message_type<pair, sheaf::unordered, sheaf::per_thread<sheaf::pass_better<least>>> better(
      s.world, [&](pair const& m) { best += m.second == 1; });
  auto const send_all = [&] {
    for (std::uint32_t i = 0; i < 300; ++i) {
      apart.send(s.next(), i % 30);
      together.send(s.next(), i % 30);
      better.send(s.next(), {i % 2, 1 + (300 - i) % 3});
    }
  };
  for (std::uint64_t round = 1; round <= 3; ++round) {
    sheaf::scoped_epoch all(s.world);
    sheaf_test::beside others(s);
    send_by(s, others, all, threads, send_all);
    all.end();
    s.same(apart_handled, round * threads * 30, "of each thread");
    s.same(together_handled, round * 30, "of all threads");
    s.same(best, round * threads * 2, "best values");
    sheaf::barrier(s.world);
  }
}

SHEAF_CASE(policies, what_policies_hold_counts_for_every_detector) {
  std::uint64_t sum = 0;
  sheaf::message_type<pair, sheaf::combine<std::plus<>>>* again = nullptr;
  sheaf::message_type<pair, sheaf::combine<std::plus<>>> add(s.world, [&](pair const& m) {
    sum += m.second;
    if (m.first > 0) again->send(s.next(), {m.first - 1, 1});
  });
  again = &add;
  std::uint64_t expected = 0;
  for (sheaf::detection const how :
       {sheaf::nesting_depth(3), sheaf::detection{}, sheaf::detection{sheaf::detector::four_counter},
        sheaf::detection{sheaf::detector::channel_counting}}) {
    sheaf::detection_request const asked(s.world, how);
    std::uint64_t const before = sheaf::all_reduce(s.world, sum, std::plus<>{});
    std::uint64_t const after = sheaf::epoch(
        s.world,
        [&] {
          add.send(s.next(), {3, 1});
        },
        [&] { return sum; }, std::plus<>{});
    s.that(after - before >= 4, "each chain has been followed to its end");
    expected = sheaf::all_reduce(s.world, sum, std::plus<>{});
    s.same(after, expected, "nothing comes behind the end");
  }
}

SHEAF_CASE(policies, messages_find_the_owners_of_their_values) {
  constexpr std::uint64_t elements = 1000;
  sheaf::block_partition const blocks(elements, s.size());
  std::vector<std::uint64_t> seen(blocks.count(s.rank()));
  using by_block = sheaf::addressed<sheaf::block_partition>;
  std::uint64_t nested = 0, most_nested = 0;
  sheaf::message_type<std::uint64_t, by_block>* again = nullptr;
  auto const visit = [&](std::uint64_t v) {
    most_nested = std::max(most_nested, ++nested);
    if (seen[blocks.local(v)]++ == 0) again->send((v + 1) % elements);
    --nested;
  };
  for (bool const at_once : {false, true}) {
    std::ranges::fill(seen, 0);
    most_nested = 0;
    sheaf::message_type<std::uint64_t, by_block> walk(s.world, visit, by_block{blocks, at_once});
    again = &walk;
    sheaf::barrier(s.world);
    sheaf::epoch(s.world, [&] {
      if (s.rank() == s.size() - 1) walk.send(0);
    });
    s.that(std::ranges::all_of(seen, [](std::uint64_t n) { return n != 0; }), "each element has been visited");
    s.that(at_once ? most_nested <= 18 : most_nested == 1, "handlers nest at most so deep");
  }
  using by_hash = sheaf::addressed<sheaf::hash_partition<std::string>>;
  std::vector<std::string> mine;
  by_hash const map{sheaf::hash_partition<std::string>(s.size())};
  sheaf::message_type<std::string, by_hash, sheaf::unique_exactly<>> words(
      s.world, [&](std::string const& word) { mine.push_back(word); }, map, {});
  sheaf::epoch(s.world, [&] {
    for (int i = 0; i < 200; ++i) words.send(std::to_string(i % 50));
  });
  s.that(std::ranges::all_of(mine, [&](auto const& word) { return map.owner(word) == s.rank(); }), "owners are right");
  s.same(sheaf::all_reduce(s.world, mine.size(), std::plus<>{}), std::size_t{50} * s.size(), "words of each member");
}

SHEAF_CASE(policies, a_handler_that_runs_at_once_throws_at_the_end_of_the_epoch) {
  using to_itself = sheaf::addressed<sheaf::cyclic_partition>;
  sheaf::message_type<std::uint64_t, to_itself> fail(
      s.world, [](std::uint64_t v) { throw std::runtime_error("value " + std::to_string(v)); },
      to_itself{{1000, s.size()}, true});
  s.throws<sheaf::remote_error>([&] { sheaf::epoch(s.world, [&] { fail.send(s.rank()); }); }, {"value "});
  std::uint64_t handled = 0;
  sheaf::message_type<int> count(s.world, [&](int) { ++handled; });
  sheaf::epoch(s.world, [&] {
    std::vector<std::uint64_t> const twice{s.next(), s.rank(), s.next()};
    count.multicast(twice, 1);
  });
  s.same(handled, 3u, "messages of multicasts");
}

namespace figure_3 {

// Programs with sheaf/ampp.hpp name nothing else of Sheaf.
using namespace sheaf::ampp;

std::atomic<double> received{0};  // by location 2, which may be a thread

struct my_message_data {
  explicit my_message_data(double d) : value(d) {}
  my_message_data() = default;
  double value = 0;
};
struct my_handler {
  void operator()(my_message_data const& data) const { received = data.value; }
};

/// The program of the paper, but for the number of locations that it needs.
double program(bool large_enough) {
  // Create MPI transport
  mpi_transport trans(MPI_COMM_WORLD);

  // Build coalescing layer (the underlying message type object is created automatically)
  basic_coalesced_message_type<my_message_data, my_handler, mpi_transport> msg_type(trans,
                                                                                    /* Coalesced message size */ 256);

  // Set message handler
  msg_type.set_handler(my_handler());

  // Declare that handler will not send messages (0 is nested message level)
  scoped_termination_detection_level_request<mpi_transport> td_req(trans, 0);

  if (!large_enough) return 1.5;
  {  // The block represents a single epoch
    scoped_epoch<mpi_transport> epoch(trans);
    if (trans.rank() == 0) msg_type.send(my_message_data(/* data */ 1.5), /* destination */ 2);
  }
  return received;
}

}  // namespace figure_3

SHEAF_CASE(policies, figure_3_of_the_paper_compiles_unchanged) {
  double const got = figure_3::program(s.size() > 2);
  s.that(s.rank() != 2 || got == 1.5, "the message has come");
}

SHEAF_CASE(policies, a_transport_of_ampp_has_epochs_with_sums) {
  struct from_source {
    std::uint64_t* sum;
    void operator()(std::uint64_t source, int const& n) const { *sum += source + static_cast<std::uint64_t>(n); }
  };
  std::uint64_t sum = 0;
  sheaf::ampp::mpi_transport trans(s.world);
  sheaf::ampp::basic_coalesced_message_type<int, from_source> type(trans, 3);
  type.set_handler({&sum});
  trans.begin_epoch();
  for (int i = 0; i < 10; ++i) type.send(i, s.next());
  s.same(trans.end_epoch_with_value(s.rank() + 1u), s.size() * (s.size() + 1u) / 2, "the sum of the values");
  s.same(sum, 45u + 10u * ((s.rank() + s.size() - 1u) % s.size()), "what the handler added");
  s.that(!trans.is_valid_rank(trans.size()), "there is no such rank");
}

SHEAF_CASE(policies, parallel_handlers_send_to_any_depth_and_are_all_counted) {
  std::atomic<std::uint64_t> handled{0};
  sheaf::message_type<std::uint32_t, sheaf::parallel<4>>* again = nullptr;
  sheaf::message_type<std::uint32_t, sheaf::parallel<4>> hop(s.world, [&](std::uint32_t left) {
    ++handled;
    if (left != 0) again->send(s.next(), left - 1);
  });
  again = &hop;
  std::uint64_t const n = s.scaled(200);
  std::uint64_t expected = 0;
  for (sheaf::detection const how :
       {sheaf::detection{}, sheaf::nesting_depth(3), sheaf::detection{sheaf::detector::channel_counting},
        sheaf::detection{sheaf::detector::sinha_kale_ramkumar}}) {
    sheaf::detection_request const asked(s.world, how);
    sheaf::barrier(s.world);
    auto const chains = [&] {
      for (std::uint64_t i = 0; i < n; ++i) hop.send(i % s.size(), 3);
    };
    expected += 4 * n * s.size();
    s.same(sheaf::epoch(
               s.world, chains, [&] { return handled.load(); }, std::plus<>{}),
           expected, "messages handled everywhere");
  }
}

SHEAF_CASE(policies, hits_are_counted_in_the_statistics) {
  {
    sheaf::message_type<char, sheaf::unique<>> type(s.world, [](char) {});
    sheaf::epoch(s.world, [&] {
      for (int i = 0; i < 100; ++i) type.send(s.next(), 7);
    });
    sheaf::barrier(s.world);
  }
  sheaf::statistics const all = sheaf::total_statistics(s.world);
  auto const is_ours = [](auto const& one) { return one.name.starts_with("message_type<char>, "); };
  auto const at = std::ranges::find_if(all.policies, is_ours);
  if (all.handlers.empty()) return;  // a library that counts nothing
  s.that(at != all.policies.end() && at->looked_up == 100u * s.size() && at->hits == 99u * s.size(), "hits");
  s.that(all.text().find("99.0%  message_type<char>, ") != std::string::npos, "a table for people");
}

SHEAF_CASE(policies, routed_types_go_by_paths_of_their_own) {
  for (auto const kind : {sheaf::route_kind::ring, sheaf::route_kind::hypercube, sheaf::route_kind::dissemination,
                          sheaf::route_kind::grid, sheaf::route_kind::node_wise}) {
    struct message {
      std::uint64_t number;
      std::uint32_t left;
    };
    std::vector<std::uint64_t> next(s.size());
    std::uint64_t handled = 0, sent = 0;
    sheaf::message_type<message, sheaf::routed>* again = nullptr;
    sheaf::message_type<message, sheaf::routed> type(
        s.world,
        [&](message const& m, std::uint64_t sender) {
          ++handled;
          if (m.left != 0) return again->send((s.rank() + m.number) % s.size(), {0, m.left - 1});
          if (m.number != 0) s.same(m.number, ++next[sender], "the next message of its sender");
        },
        sheaf::routed{kind});
    again = &type;
    std::uint64_t const before = sheaf::total_statistics(s.world).passed_on;
    std::uint64_t const n = s.scaled(100);
    for (sheaf::detection const how : {sheaf::detection{}, sheaf::nesting_depth(2)}) {
      sheaf::detection_request const asked(s.world, how);
      auto const send_all = [&] {
        for (std::uint64_t i = 0; i < n; ++i) {
          ++sent;
          for (std::uint64_t dest = 0; dest < s.size(); ++dest) type.send(dest, {sent, 0});
          type.send(i % s.size(), {i + 1, 2});
        }
      };
      std::uint64_t const all = sheaf::epoch(
          s.world, send_all, [&] { return handled; }, std::plus<>{});
      s.same(all, sent * s.size() * (s.size() + 3u), "messages, and what their handlers sent");
    }
    bool const has_hops = kind != sheaf::route_kind::node_wise && s.size() > 3;
    s.that(!has_hops || sheaf::total_statistics(s.world).passed_on > before, "others have passed messages on");
  }
}

SHEAF_CASE(policies, threads_share_buffers_as_a_type_says) {
  check_sending_threads<sheaf::sending_threads::apart>(s);
  check_sending_threads<sheaf::sending_threads::lock_free>(s);
  check_sending_threads<sheaf::sending_threads::locked>(s);
  check_sending_threads<sheaf::sending_threads::owner_alone>(s);
}
