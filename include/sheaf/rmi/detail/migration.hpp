// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "sheaf/rmi/detail/target.hpp"
#include "sheaf/runtime/team.hpp"

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

class migration_base;

/// Executes one request on an object that is here.
using routed_function = void (*)(migration_base& table, void* object, routed_head const& head, std::string_view name,
                                 std::span<std::byte const> payload);

/// A record of a request to a migrating object.
struct routed_record {
  std::uint32_t handler = 0;
  routed_function execute = nullptr;
  routed_head head;
  std::span<std::byte const> payload;
};

/// The untyped part of migrating<T>: where each object is, and requests on their way to it (docs/design/migration.md).
/// Members are named by their ranks in the team.
class migration_base {
 public:
  migration_base(migration_base const&) = delete;
  migration_base& operator=(migration_base const&) = delete;

  [[nodiscard]] class team const& team() const { return team_; }

  /// Executes, holds or forwards the records of a run.
  void deliver_run(execution& state, std::uint32_t handler, routed_function call);

  // For what is executed on an object.
  [[nodiscard]] location& here() const { return team_.here(); }
  [[nodiscard]] std::uint32_t location_of(std::uint32_t rank) const { return number(team_.state().members[rank]); }
  /// Keeps the exception being handled for the next fence.
  void keep_exception(std::string_view name, std::uint32_t origin);
  /// Once no method of the object is on the stack.
  void leave_later(object_id id, std::uint32_t to);
  void die_later(object_id id);

 protected:
  explicit migration_base(class team const& on);
  virtual ~migration_base();

  object_id add(void* object);
  [[nodiscard]] void* find(object_id id) const;
  [[nodiscard]] std::vector<object_id> ids_here() const;
  void has_arrived(object_id id, void* object, std::uint32_t version, std::vector<caller_state> callers);
  void is_at(object_id id, std::uint32_t where, std::uint32_t version);
  void check_rank(std::uint32_t rank) const;

  /// Appends a request to the object; `write(byte_writer&)` writes its payload. Returns the location it goes to.
  template <class Write>
  std::uint32_t issue(object_id id, std::uint32_t handler, std::size_t bytes, Write write) {
    std::uint32_t dest = 0;
    std::byte* const at = begin_request(id, handler, bytes, dest);
    byte_writer to(at, at + bytes);
    write(to);
    return dest;
  }

 private:
  struct entry;
  struct parts;

  /// Sends the object, where has_arrived is called with what else is given here.
  virtual void send_away(object_id id, void* object, std::uint32_t version, std::vector<caller_state> const& callers,
                         std::uint32_t to) = 0;
  /// Has is_at called there.
  virtual void tell(std::uint32_t dest, object_id id, std::uint32_t where, std::uint32_t version) = 0;
  virtual void drop(void* object) = 0;
  [[nodiscard]] virtual run_tag tag() const = 0;

  std::byte* begin_request(object_id id, std::uint32_t handler, std::size_t bytes, std::uint32_t& dest);
  std::byte* append(std::uint32_t rank, std::uint32_t handler, std::size_t bytes);
  void deliver(std::uint32_t from, routed_record const& r);
  void take(entry& e, std::uint32_t from, routed_record const& r);
  void execute(entry& e, routed_record const& r);
  void execute_held(entry& e, std::uint32_t origin);
  void hold(entry& e, routed_record const& r);
  void forward(std::uint32_t rank, routed_record const& r);
  void settle(entry& e);
  void depart(entry& e, std::uint32_t to);

  class team team_;
  parts* parts_;
};

[[noreturn]] void throw_undecodable(routed_head const& head, std::string_view name, decode_error const& why);

/// One call, caught as those of a run are.
template <class Call, class Failed>
void call_catching(Call call, Failed failed) {
  constexpr std::byte one{};
  execution once;
  once.at = &one;
  once.run_end = &one + 1;
  auto const only = [&] {
    once.at = once.run_end;
    call();
  };
  run_catching(once, only, failed);
}

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
    auto values = decoded(head, name, payload);
    std::apply([&](auto&... v) { Action::execute(table, object, head, name, v...); }, values);
  }

  static auto decoded(routed_head const& head, std::string_view name, std::span<std::byte const> payload) {
    try {
      byte_reader reader(payload);
      auto values = Action::codec::decode(reader);
      if (reader.remaining() != 0) throw decode_error(std::to_string(reader.remaining()) + " bytes are left");
      return values;
    } catch (decode_error const& why) {
      throw_undecodable(head, name, why);
    }
  }
};

/// Without an answer.
template <class Invoker>
struct routed_statement {
  using codec = typename Invoker::codec;
  template <class... A>
  static void execute(migration_base& table, void* object, routed_head const& head, std::string_view name, A&... a) {
    auto& self = *static_cast<typename Invoker::object*>(object);
    call_catching([&] { Invoker::call(self, std::move(a)...); }, [&] { table.keep_exception(name, head.origin); });
  }
};

/// The caller waits.
template <class Invoker>
struct routed_question {
  using request = answered_request<Invoker>;
  using codec = typename request::codec;
  template <class... A>
  static void execute(migration_base& table, void* object, routed_head const& head, std::string_view name,
                      std::uint32_t token, A&... a) {
    auto& self = *static_cast<typename Invoker::object*>(object);
    std::uint32_t const caller = table.location_of(head.origin);
    call_catching([&] { request::answer(table.here(), self, caller, token, a...); },
                  [&] { send_exception(table.here(), caller, token, name); });
  }
};

/// The answer goes to a future. It leaves at once, since who forwarded the request gets none with it.
template <class Invoker>
struct routed_promise {
  using request = promised_request<Invoker>;
  using reply = future_reply<typename Invoker::result>;
  using codec = typename request::codec;
  template <class... A>
  static void execute(migration_base& table, void* object, routed_head const& head, std::string_view name,
                      std::uint32_t token, A&... a) {
    auto& self = *static_cast<typename Invoker::object*>(object);
    location& here = table.here();
    std::uint32_t const caller = table.location_of(head.origin);
    run_tag const tag(handler_number<reply>, 0, 0), error(handler_number<typename reply::error>, 0, 0);
    call_catching([&] { request::answer(here, here.answer_box(caller), tag, token, self, a...); },
                  [&] { send_error(here, caller, error, token, name); });
    here.flush(caller, traffic::answer);
  }
};

struct routed_move {
  using codec = arguments_codec<std::uint32_t>;
  static void execute(migration_base& table, void*, routed_head const& head, std::string_view, std::uint32_t to) {
    table.leave_later(head.id, to);
  }
};
struct routed_end {
  using codec = arguments_codec<>;
  static void execute(migration_base& table, void*, routed_head const& head, std::string_view) {
    table.die_later(head.id);
  }
};

}  // namespace detail
}  // namespace sheaf
