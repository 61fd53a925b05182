// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// What names a method on the wire, right and wrong.
#include <gtest/gtest.h>

#include <cstring>

#include "rmi/library/counter.hpp"
#include "rmi/wire_bytes.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/rmi/named_method.hpp"

namespace sheaf_test {

struct teller {
  virtual ~teller() = default;
  void named(std::uint32_t by) { sum += by; }
  virtual void named_virtual(std::uint32_t by) { sum += 10 * by; }
  void concurrent(std::uint32_t by) { sum += by; }
  void by_pointer(std::uint32_t by) { sum += by; }
  void with_companion(std::uint32_t by) { sum += by; }
  void all_of_them(sheaf::packed<std::uint32_t>) {}
  static constexpr auto whole_run(sheaf::method_tag<&teller::with_companion>) { return &teller::all_of_them; }
  [[nodiscard]] std::uint32_t read(std::uint32_t of) const noexcept { return sum + of; }
  std::uint32_t sum = 0;
};
struct branch_teller : teller {
  void own(std::uint32_t by) { sum += by; }
};

}  // namespace sheaf_test

template <>
inline constexpr bool sheaf::concurrent<&sheaf_test::teller::concurrent> = true;

template class sheaf::named_method<&sheaf_test::teller::named>;
template class sheaf::named_method<&sheaf_test::teller::named_virtual>;
template class sheaf::named_method<&sheaf_test::teller::concurrent>;
template class sheaf::named_method<&sheaf_test::teller::with_companion>;
template class sheaf::named_method<&sheaf_test::teller::read>;
template class sheaf::named_method<&sheaf_test::teller::named, sheaf_test::branch_teller>;

namespace {

using sheaf::traffic;
using sheaf_test::branch_teller;
using sheaf_test::bytes;
using sheaf_test::expect_part;
using sheaf_test::library_counter;
using sheaf_test::read_at;
using sheaf_test::runs_of;
using sheaf_test::teller;
using sheaf_test::with;

struct thing {
  virtual ~thing() = default;
  virtual void count(std::uint32_t by) { counted += by; }
  void add(std::uint32_t by) { added += by; }
  std::uint32_t counted = 0;
  std::uint32_t added = 0;
};
struct plain_thing {
  void add(std::uint32_t by) { added += by; }
  std::uint32_t added = 0;
};

/// A location alone, whose objects have the same numbers on all.
struct place {
  explicit place(std::uint32_t self)
      : net(4, self),
        here(net, how),
        tag(0, here.registered().add_object(here.registered().world(), &object, sheaf::detail::token_of<thing>()), 0),
        plain_tag(
            0, here.registered().add_object(here.registered().world(), &plain, sheaf::detail::token_of<plain_thing>()),
            0) {}

  static sheaf::options settings() {
    sheaf::options o;
    o.transport = sheaf::transport_kind::thread;
    o.locations = 4;
    return o.resolved();
  }
  [[nodiscard]] sheaf::detail::target things() { return {here.registered().world(), tag}; }

  thing object;
  plain_thing plain;
  sheaf::options const how = settings();
  sheaf_test::fake_endpoint net;
  sheaf::detail::location here;
  sheaf::run_tag tag, plain_tag;
};

/// The entry in which location 1 sends `calls` to location 0.
template <class F>
bytes sent(F calls) {
  place one(1);
  calls(one);
  one.here.out().flush();
  return one.net.sent.at(0).data;
}
bytes sent_add() {
  return sent([](place& p) { p.things().async<thing>(0, &thing::add, 5u); });
}
bytes sent_count() {
  return sent([](place& p) { p.things().async<thing>(0, &thing::count, 5u); });
}

/// What location 0 says to these bytes.
std::string refusal(bytes const& entry) {
  place zero(0);
  zero.net.arrive(1, traffic::request, entry);
  try {
    zero.here.step();
  } catch (sheaf::wire_error const& e) {
    return e.what();
  }
  return "it was accepted";
}

// Where the parts of the first record are.
constexpr std::size_t number_at = 20, handler_at = 24, module_at = 28, offset_at = 36, adjustment_at = 44;

TEST(method_wire, a_method_is_named_once_and_its_requests_form_a_run) {
  bytes const entry = sent([](place& p) {
    for (std::uint32_t i = 0; i < 100; ++i) p.things().async<thing>(0, &thing::add, i);
  });
  auto const runs = runs_of(entry);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].header.count, 1u);
  EXPECT_EQ(runs[0].records.size(), 32u);
  EXPECT_EQ(runs[1].header.count, 100u);
  EXPECT_EQ(runs[1].records.size(), 400u) << "nothing but the arguments";
  EXPECT_EQ(runs[1].header.tag.handler(), (1u << 19) - 1);
  place zero(0);
  zero.net.arrive(1, traffic::request, entry);
  EXPECT_TRUE(zero.here.step());
  EXPECT_EQ(zero.object.added, 4950u);
  EXPECT_EQ(zero.here.in().unclaimed_requests(), 100u) << "its name is no request for wait_for_request";
}

TEST(method_wire, each_of_two_methods_in_turn_is_named_once) {
  bytes const entry = sent([](place& p) {
    for (std::uint32_t i = 0; i < 5; ++i) {
      p.things().async<thing>(0, &thing::add, i);
      p.things().async<thing>(0, &thing::count, i);
    }
  });
  EXPECT_EQ(runs_of(entry).size(), 12u);
}

TEST(method_wire, a_virtual_method_is_the_receivers) {
  struct other : thing {
    void count(std::uint32_t by) override { counted += 7 * by; }
  };
  place zero(0);
  other o;
  zero.here.registered().world().objects[1].object = static_cast<thing*>(&o);
  zero.net.arrive(1, traffic::request, sent_count());
  EXPECT_TRUE(zero.here.step());
  EXPECT_EQ(o.counted, 35u);
}

TEST(method_wire, a_name_may_come_twice_but_not_for_two_methods) {
  place zero(0);
  bytes const entry = sent_add();
  for (int i = 0; i < 2; ++i) zero.net.arrive(1, traffic::request, entry);
  EXPECT_TRUE(zero.here.step());
  EXPECT_TRUE(zero.here.step());
  EXPECT_EQ(zero.object.added, 10u);
  zero.net.arrive(2, traffic::request, sent_count());
  EXPECT_TRUE(zero.here.step()) << "numbers are each sender's own";
  EXPECT_EQ(zero.object.counted, 5u);
  zero.net.arrive(1, traffic::request, sent_count());
  EXPECT_THROW(zero.here.step(), sheaf::wire_error);
}

TEST(method_wire, what_is_no_code_of_a_loaded_module_is_refused_by_name) {
  bytes const good = sent_add();
  expect_part("it was accepted", refusal(good));
  expect_part("the method at no module loaded here + 0x", refusal(with(good, module_at, std::uint64_t{77})));
  expect_part("(module 0x4d) in an entry of location 1; no executable segment",
              refusal(with(good, module_at, std::uint64_t{77})));
  expect_part("the method at the program + 0x123456789abc", refusal(with(good, offset_at, 0x123456789abcULL)));
  expect_part("no executable segment",
              refusal(with(good, offset_at, read_at<std::uint64_t>(good, offset_at) + 1)));  // an odd address
  static int data = 0;
  auto const address = [](auto of) { return reinterpret_cast<std::uint64_t>(of); };
  sheaf::detail::method_bits add;
  auto const method = &thing::add;
  std::memcpy(static_cast<void*>(&add), &method, sizeof add);
  std::uint64_t const base = add.word - read_at<std::uint64_t>(good, offset_at);
  expect_part("no executable segment", refusal(with(good, offset_at, address(&data) - base)));
  expect_part("no executable segment", refusal(with(good, offset_at, std::uint64_t{0} - base)));
}

TEST(method_wire, wrong_numbers_are_refused) {
  bytes const good = sent_add();
  expect_part("for a method of handler", refusal(with(good, number_at, std::uint32_t{5})));
  expect_part("for a method of handler", refusal(with(good, number_at, ~std::uint32_t{0})));
  expect_part("for a method of handler", refusal(with(good, handler_at, std::uint32_t{0})));
  expect_part("for a method of handler", refusal(with(good, handler_at, std::uint32_t{1U << 18U})));
  bytes const behind(good.begin() + 52, good.end());
  expect_part("no handler has the number 524287", refusal(behind));
  bytes const bare = with(behind, 0, sheaf::run_tag(read_at<std::uint32_t>(good, handler_at), 1, 0).word());
  expect_part("no method came with it", refusal(bare));
}

TEST(method_wire, what_cannot_be_a_method_of_the_object_is_refused) {
  expect_part("its object is not that large", refusal(with(sent_add(), adjustment_at, std::int64_t{sizeof(thing)})));
  expect_part("its object is not that large", refusal(with(sent_add(), adjustment_at, std::int64_t{-8})));
  bytes const good = sent_count();
  expect_part("it was accepted", refusal(good));
  expect_part("its object has no virtual functions", refusal(with(good, adjustment_at, std::int64_t{9})));
  expect_part("its place is beyond", refusal(with(good, adjustment_at, std::int64_t{8})));  // counted and added
  expect_part("its place is beyond", refusal(with(good, offset_at, std::uint64_t{1} << 40U)));
  expect_part("for a method of handler", refusal(with(good, offset_at, std::uint64_t{3})));
  EXPECT_NE(refusal(with(good, offset_at, std::uint64_t{0} - 8)), "it was accepted") << "type information";

  bytes const plain = sent([](place& p) {
    sheaf::detail::target(p.here.registered().world(), p.plain_tag).async<plain_thing>(0, &plain_thing::add, 5u);
  });
  bytes const as_virtual = with(with(plain, module_at, std::uint64_t{0}), offset_at, std::uint64_t{16});
  expect_part("its object is not that large", refusal(with(plain, adjustment_at, std::int64_t{4})));
  expect_part("its object has no virtual functions", refusal(as_virtual));
}

template <class T, auto Method>
constexpr bool is_of(sheaf::run_tag tag) {
  return tag.handler() ==
         sheaf::detail::handler_number<sheaf::detail::async_request<sheaf::detail::method_invoker<T, Method>>>;
}

/// The runs of requests for objects of T through pointers.
template <class T, class... M>
auto runs_through(M... methods) {
  place one(1);
  T object;
  sheaf::run_tag const tag(
      0, one.here.registered().add_object(one.here.registered().world(), &object, sheaf::detail::token_of<T>()), 0);
  sheaf::detail::target const to(one.here.registered().world(), tag);
  (to.template async<T>(0, methods, 5u), ...);
  one.here.out().flush();
  return runs_of(one.net.sent.at(0).data);
}

TEST(method_wire, a_pointer_to_a_method_that_is_named_at_compile_time_is_sent_as_that) {
  auto const runs = runs_through<teller>(&teller::named, &teller::named_virtual);
  ASSERT_EQ(runs.size(), 2u) << "nobody has to be told";
  EXPECT_TRUE((is_of<teller, &teller::named>(runs[0].header.tag)));
  EXPECT_TRUE((is_of<teller, &teller::named_virtual>(runs[1].header.tag)));
}

TEST(method_wire, named_or_not_depends_on_the_method_and_the_object_s_class) {
  EXPECT_EQ(runs_through<teller>(&teller::by_pointer).size(), 2u);
  EXPECT_EQ(runs_through<branch_teller>(&branch_teller::own).size(), 2u);
  EXPECT_EQ(runs_through<branch_teller>(&teller::named_virtual).size(), 2u) << "named for tellers alone";
  auto const runs = runs_through<branch_teller>(&teller::named);
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_TRUE((is_of<branch_teller, &teller::named>(runs[0].header.tag)));
}

TEST(method_wire, a_concurrent_method_through_a_pointer_keeps_its_order) {
  EXPECT_EQ(runs_through<teller>(&teller::concurrent).size(), 2u);
}

TEST(method_wire, nor_is_one_replaced_that_has_a_companion_for_whole_runs) {
  EXPECT_EQ(runs_through<teller>(&teller::with_companion).size(), 2u);
}

TEST(method_wire, what_another_module_names_has_no_number_that_all_processes_know) {
  ASSERT_TRUE(sheaf_test::library_names_add());
  EXPECT_EQ(runs_through<library_counter>(&library_counter::add).size(), 2u);
}

TEST(method_wire, questions_are_named_in_all_their_forms) {
  using namespace sheaf::detail;
  using of_read = method_invoker<teller, &teller::read>;
  using of = pointed<teller, std::uint32_t (teller::*)(std::uint32_t) const>;
  using by_pointer = of::invoker;
  place one(1);
  target const to = one.things();
  auto const read = &teller::read;
  EXPECT_EQ((of::tag<answered_request<by_pointer>>(to, read).handler()), handler_number<answered_request<of_read>>);
  EXPECT_EQ((of::tag<promised_request<by_pointer>>(to, read).handler()), handler_number<promised_request<of_read>>);
  EXPECT_EQ((of::tag<windowed_request<by_pointer>>(to, read).handler()), handler_number<windowed_request<of_read>>);
}

}  // namespace
