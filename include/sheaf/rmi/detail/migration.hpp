// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "sheaf/rmi/detail/routed.hpp"
#include "sheaf/rmi/detail/target.hpp"
#include "sheaf/runtime/detail/collective_call.hpp"

namespace sheaf {

namespace detail {

/// The untyped part of migrating<T>: where objects are, and requests to them. Members: ranks. docs/design/migration.md.
class migration_base {
 public:
  migration_base& operator=(migration_base&&) = delete;

  [[nodiscard]] team const& members() const { return team_; }

  /// Executes, holds or forwards the records of a run.
  void deliver_run(execution& state, std::uint32_t handler, routed_function call);

  // For what is executed on an object.
  [[nodiscard]] location& here() const { return here_of(team_); }
  [[nodiscard]] std::uint32_t location_of(std::uint32_t rank) const { return number(state_of(team_).members[rank]); }
  /// Once no method of the object is on the stack.
  void leave_later(routed_head const& asked, std::uint32_t to);
  void die_later(object_id id);
  /// A coroutine of the object has suspended, and it stays; has ended.
  void keep_here(object_id id);
  void let_go(object_id id);

 protected:
  struct entry;

  migration_base(team const& on, std::size_t most_called);
  virtual ~migration_base();

  object_id add(void* object);
  void end_coroutines();
  [[nodiscard]] void* find(object_id id) const;
  [[nodiscard]] std::vector<object_id> ids_here() const;
  [[nodiscard]] std::size_t entries() const;
  /// Throws wire_error, and takes nothing, where no correct member can have sent it.
  entry& has_arrived(object_id id, void* object, std::uint32_t version, std::vector<caller_state> callers);
  void has_come_from(std::uint32_t from, object_id id, std::uint32_t version);
  void hear(notice const& n);
  void leave_once_unused(located<object_id> id, std::uint32_t to);
  /// Calls `method` as one of the object, which is here.
  template <class Method>
  void execute_first(entry& e, Method method) {
    keep_here(e);
    try {
      method();
    } catch (...) {
      let_go(e);
      throw;
    }
    let_go(e);
  }
  static void keep_here(entry& e);
  void let_go(entry& e);
  void check_rank(located<std::uint64_t> rank) const;

  /// Appends a request to the object. Returns the location it goes to. If a user's codec throws, nothing is sent.
  template <class Codec, class... V>
  std::uint32_t issue(located<object_id> id, std::uint32_t handler, V const&... values) {
    using record = typename enveloped<routed_envelope, Codec>::codec;
    std::uint32_t const own = team_.rank();
    way const to(*this, id);
    admission const inside(here().gate());
    std::span<std::byte> const room = make_room<record>(*to.box, tag().with_handler(handler), id.from, nullptr,
                                                        id.value.word(), own, 0U, 0UL, values...);
    // The number only now: what was executed meanwhile may have waited for its own request to the object.
    std::uint64_t const payload = room.size() - routed_record::head_bytes;
    fill_record<record::outside>(*to.box, room, [&](byte_writer& writer) {
      record::encode(writer, id.value.word(), own, to.numbers->sequence(), payload, values...);
    });
    count(to);
    return to.box->dest;
  }

  /// As issue, without waiting; false: there is no credit.
  template <class Codec, class... V>
  bool try_issue(located<object_id> id, std::uint32_t handler, V const&... values) {
    using record = typename enveloped<routed_envelope, Codec>::codec;
    std::uint32_t const own = team_.rank();
    way const to(*this, id);
    admission const inside(here().gate());
    std::uint64_t const payload = Codec::size(values...);
    std::size_t const bytes = routed_record::head_bytes + payload;
    std::byte* const at = to.box->try_append(tag().with_handler(handler), bytes, 0);
    if (at == nullptr) return false;
    fill_record<record::outside>(*to.box, {at, bytes}, [&](byte_writer& writer) {
      record::encode(writer, id.value.word(), own, to.numbers->sequence(), payload, values...);
    });
    count(to);
    return true;
  }

 private:
  struct parts;
  class kept;

  /// This member's numbers for one object.
  struct own_numbers {
    std::uint32_t next = 0;
    bool starts = true;  ///< all before `next` have been executed, and the object may have forgotten this member
    [[nodiscard]] std::uint32_t sequence() const { return starts ? next | request_number::starts : next; }
  };
  /// Where a request to the object goes now. While it lives, the entry stays.
  struct way : immovable<way> {
    way(migration_base& of, located<object_id> id);
    ~way();
    migration_base& table;
    entry* known;
    own_numbers* numbers;
    outbox* box;
  };
  entry& checked(located<object_id> asked);
  /// A request has been appended.
  void count(way const& to);

  /// Sends the object, where has_arrived is called with what else is given here, and then has_come_from. If its codec
  /// throws, nothing is sent.
  virtual void send_away(object_id id, void* object, std::uint32_t version, std::vector<caller_state> const& callers,
                         std::uint32_t to) = 0;
  /// Has it heard there.
  virtual void tell(std::uint32_t dest, notice const& n) = 0;
  /// As tell, without waiting; false: there is no credit.
  [[nodiscard]] virtual bool try_tell(std::uint32_t dest, notice const& n) = 0;
  virtual void drop(void* object) = 0;
  [[nodiscard]] virtual run_tag tag() const = 0;

  void deliver(std::uint32_t from, routed_record const& r);
  void deliver_elsewhere(entry const* e, routed_record const& r);
  void take(entry& e, std::uint32_t from, routed_record const& r);
  void execute(entry& e, routed_record const& r);
  void execute_held(entry& e, std::uint32_t origin);
  void execute_all_held(entry& e);
  void hold(entry& e, routed_record const& r);
  [[nodiscard]] outbox& box_of(std::uint32_t rank) const;
  void forward(std::uint32_t rank, routed_record const& r);
  void settle(entry& e);
  void end(entry& e);
  [[nodiscard]] bool depart(entry& e, std::uint32_t to);

  void is_at(notice const& n);
  void home_knows(notice const& n);
  void follow(notice const& n);
  void has_executed(notice const& n);
  void has_ended(object_id id);
  void ask_callers(entry& e);
  void give_up_calls();
  template <class Send>
  void ask_oldest_called(Send send);

  team team_;
  parts* parts_;
};

/// An object on its way: encoded where it is, decoded to where it stays, so that no move constructor can lose it.
template <class T>
class travelling {
 public:
  explicit travelling(T& leaving) : object_(&leaving) {}
  explicit travelling(std::unique_ptr<T> come) : object_(come.get()), own_(std::move(come)) {}

  [[nodiscard]] T* get() const { return object_; }
  /// It belongs to the caller now.
  [[nodiscard]] T* release() { return own_.release(); }

 private:
  T* object_;
  std::unique_ptr<T> own_;  // where it has come
};

[[noreturn]] void throw_undecodable(routed_head const& head, std::string_view name, char const* why);

/// A request that finds its object. `Action` executes a decoded one; `Table` is the registered object.
template <class Table, class Action>
struct routed_request {
  static constexpr type_token object_type = token_of<Table>();
  static constexpr traffic kind = traffic::request;
  static constexpr std::uint32_t record_bytes = 0;

  static void run(location&, void* object, execution& state) {
    migration_base& table = *static_cast<Table*>(object);
    table.deliver_run(state, handler_number<routed_request>, &execute);
  }

 private:
  static void execute(migration_base& table, void* object, routed_head const& head, std::string_view name,
                      std::span<std::byte const> payload) {
    auto values = decode_whole(
        payload, [](byte_reader& from) { return Action::codec::decode(from); },
        [&](char const* why) { throw_undecodable(head, name, why); });
    Action::execute(table, object, head, name, values);
  }
};

/// An answer of an object's method. Until a coroutine has given it the object stays.
template <class Answer>
struct routed_answer : Answer {
  migration_base* table;
  object_id id;

  routed_answer(asked_call const& of, migration_base& in, object_id whose) : Answer(of), table(&in), id(whose) {}
  void stays() const { table->keep_here(id); }
  void left() const { table->let_go(id); }
};

/// Calls a method. What is gathered leaves at once, since who forwarded the request gets no answer with it.
template <class Invoker, class Answer>
struct routed_call {
  using request = detail::request<Invoker, Answer>;
  using codec = typename request::codec;

  static void execute(migration_base& table, void* object, routed_head const& head, std::string_view name,
                      auto& values) {
    location& here = table.here();
    team_state& team = state_of(table.members());
    auto& self = *static_cast<typename Invoker::object*>(object);
    location_id const caller{table.location_of(head.origin)};
    routed_answer<Answer> answer(asked_call{here, team, 0, name, caller}, table, head.id);
    auto const get = [&]<std::size_t I>() -> auto&& { return std::move(std::get<I>(values)); };
    auto const open = [&](auto record, auto... front) { answer.template open<request>(here, record, front...); };
    auto const call = [&](auto&&... a) { call_method<Invoker>(here, team, &table, self, answer, std::move(a)...); };
    call_catching([&] { give_record<request::envelope, arity<codec>>(nullptr, nullptr, get, open, call); },
                  [&] { answer.exception(here); });
    if constexpr (requires { answer.gathers(); }) here.answer_box(answer.gathers()).flush();
  }
};

struct routed_move {
  using codec = arguments_codec<std::uint32_t>;
  static void execute(migration_base& table, void*, routed_head const& head, std::string_view,
                      std::tuple<std::uint32_t> const& to) {
    table.leave_later(head, std::get<0>(to));
  }
};
struct routed_end {
  using codec = arguments_codec<>;
  static void execute(migration_base& table, void*, routed_head const& head, std::string_view, std::tuple<> const&) {
    table.die_later(head.id);
  }
};

}  // namespace detail

template <class T>
struct codec<detail::travelling<T>> {
  static std::size_t size(detail::travelling<T> const& t) { return codec<T>::size(*t.get()); }
  static void encode(byte_writer& to, detail::travelling<T> const& t) { codec<T>::encode(to, *t.get()); }
  static detail::travelling<T> decode(byte_reader& from) {
    return detail::travelling<T>(std::unique_ptr<T>(new T(codec<T>::decode(from))));
  }
};

}  // namespace sheaf
