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

#include "sheaf/rmi/detail/target.hpp"
#include "sheaf/runtime/detail/collective_call.hpp"

namespace sheaf {

/// The name of a migrating object: 8 bytes, never used again, valid on all members of the team.
class object_id {
 public:
  static constexpr std::uint32_t number_bits = 40;

  constexpr object_id() = default;
  constexpr object_id(std::uint32_t birth, std::uint64_t number)
      : word_(std::uint64_t{birth} << number_bits | number) {}

  /// The rank of the member that created it, which keeps track of it.
  [[nodiscard]] constexpr std::uint32_t birth() const { return static_cast<std::uint32_t>(word_ >> number_bits); }
  /// Counted there from 1.
  [[nodiscard]] constexpr std::uint64_t number() const { return word_ & ((std::uint64_t{1} << number_bits) - 1); }
  [[nodiscard]] constexpr std::uint64_t word() const { return word_; }
  constexpr auto operator<=>(object_id const&) const = default;

 private:
  std::uint64_t word_ = 0;
};

namespace detail {

/// In front of each request to a migrating object.
struct routed_head {
  object_id id;
  std::uint32_t origin = 0;    ///< rank of the member that issued it, whoever forwards it
  std::uint32_t sequence = 0;  ///< counts what that member issued to this object, modulo 2^32
};

/// What an object knows of one member that has called it; moves with the object.
struct caller_state {
  std::uint32_t rank = 0;
  std::uint32_t expected = 0;  ///< sequence number of its next request
  std::uint32_t told = 0;      ///< the object's version when this member was last told where it is
};

/// The head as it travels, and the bytes of what follows.
using routed_envelope = arguments_codec<std::uint64_t, std::uint32_t, std::uint32_t, std::uint64_t>;

class migration_base;

/// Executes one request on an object that is here.
using routed_function = void (*)(migration_base& table, void* object, routed_head const& head, std::string_view name,
                                 std::span<std::byte const> payload);

/// A record of a request to a migrating object.
struct routed_record {
  static constexpr std::size_t head_bytes = 24;

  std::uint32_t handler = 0;
  routed_function execute = nullptr;
  routed_head head;
  std::span<std::byte const> bytes;  ///< as they came, and as they are sent on

  [[nodiscard]] std::span<std::byte const> payload() const { return bytes.subspan(head_bytes); }
};

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
  explicit migration_base(team const& on);
  virtual ~migration_base();

  object_id add(void* object);
  void end_coroutines();
  [[nodiscard]] void* find(object_id id) const;
  [[nodiscard]] std::vector<object_id> ids_here() const;
  /// Throws wire_error, and takes nothing, where no correct member can have sent it.
  void has_arrived(object_id id, void* object, std::uint32_t version, std::vector<caller_state> callers);
  void is_at(object_id id, std::uint32_t where, std::uint32_t version);
  void check_rank(located<std::uint64_t> rank) const;

  /// Appends a request to the object. Returns the location it goes to. If a user's codec throws, nothing is sent.
  template <class Codec, class... V>
  std::uint32_t issue(located<object_id> id, std::uint32_t handler, V const&... values) {
    using record = typename enveloped<routed_envelope, Codec>::codec;
    std::uint32_t const own = team_.rank();
    way const to = way_to(id);
    admission const inside(here().gate());
    std::span<std::byte> const room = make_room<record>(*to.box, tag().with_handler(handler), id.from, nullptr,
                                                        id.value.word(), own, 0U, 0UL, values...);
    // The number only now: what was executed meanwhile may have waited for its own request to the object.
    std::uint64_t const payload = room.size() - routed_record::head_bytes;
    fill_record<record::outside>(*to.box, room, [&](byte_writer& writer) {
      record::encode(writer, id.value.word(), own, *to.issued, payload, values...);
    });
    ++*to.issued;
    return to.box->dest;
  }

  /// As issue, without waiting; false: there is no credit.
  template <class Codec, class... V>
  bool try_issue(located<object_id> id, std::uint32_t handler, V const&... values) {
    using record = typename enveloped<routed_envelope, Codec>::codec;
    std::uint32_t const own = team_.rank();
    way const to = way_to(id);
    admission const inside(here().gate());
    std::uint64_t const payload = Codec::size(values...);
    std::size_t const bytes = routed_record::head_bytes + payload;
    std::byte* const at = to.box->try_append(tag().with_handler(handler), bytes, 0);
    if (at == nullptr) return false;
    fill_record<record::outside>(*to.box, {at, bytes}, [&](byte_writer& writer) {
      record::encode(writer, id.value.word(), own, *to.issued, payload, values...);
    });
    ++*to.issued;
    return true;
  }

 private:
  struct entry;
  struct parts;

  /// Where a request to the object goes now, and how many this member has issued to it.
  struct way {
    outbox* box;
    std::uint32_t* issued;
  };
  [[nodiscard]] way way_to(located<object_id> id);

  /// Sends the object, where has_arrived is called with what else is given here. If its codec throws, nothing is sent.
  virtual void send_away(object_id id, void* object, std::uint32_t version, std::vector<caller_state> const& callers,
                         std::uint32_t to) = 0;
  /// Has is_at called there.
  virtual void tell(std::uint32_t dest, object_id id, std::uint32_t where, std::uint32_t version) = 0;
  virtual void drop(void* object) = 0;
  [[nodiscard]] virtual run_tag tag() const = 0;

  void deliver(std::uint32_t from, routed_record const& r);
  void take(entry& e, std::uint32_t from, routed_record const& r);
  void execute(entry& e, routed_record const& r);
  void execute_held(entry& e, std::uint32_t origin);
  void hold(entry& e, routed_record const& r);
  void forward(std::uint32_t rank, routed_record const& r);
  void settle(entry& e);
  [[nodiscard]] bool depart(entry& e, std::uint32_t to);

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
