// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
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

/// What an object knows of its callers, as it came: images of caller_state.
struct packed_callers {
  std::span<std::byte const> bytes;

  void read(std::vector<caller_state>& to) const {
    to.resize(bytes.size() / sizeof(caller_state));
    if (!bytes.empty()) std::memcpy(to.data(), bytes.data(), bytes.size());
  }
};

/// A T has a way of its own to get or give back its memory.
template <class T>
concept has_its_memory = requires {
  T::operator new (std::size_t{});
}
|| requires { T::operator new (std::size_t{}, std::align_val_t{}); }
|| requires { &T::operator delete; };

/// Memory for objects of a location: a cell of its pool where a T fits, unless it has its own.
template <class T>
struct object_room {
  static constexpr bool is_a_cell =
      sizeof(T) <= cell_pool::cell_bytes && alignof(T) <= cell_pool::cell_bytes && !has_its_memory<T>;

  struct ending {
    void operator()(T* object) const noexcept { end(object); }
  };
  using owner = std::unique_ptr<T, ending>;

  /// A T that `value` returns, without a move.
  template <class Value>
  static owner make(location& here, Value value) {
    if constexpr (is_a_cell) {
      struct returning {
        void operator()(void* cell) const noexcept { cell_pool::give_back(cell); }
      };
      std::unique_ptr<void, returning> cell(here.calls().cells.take());
      owner made(::new (cell.get()) T(value()));
      (void)cell.release();
      return made;
    } else {
      return owner(new T(value()));
    }
  }
  static void end(T* object) noexcept {
    if constexpr (is_a_cell) {
      object->~T();
      cell_pool::give_back(object);
    } else {
      delete object;
    }
  }
};

/// The untyped part of migrating<T>: where objects are, and requests to them. Members: ranks. docs/design/migration.md.
class migration_base {
 public:
  migration_base& operator=(migration_base&&) = delete;

  [[nodiscard]] team const& members() const { return team_; }

  /// Executes, holds or forwards the records of a run.
  void deliver_run(execution& state);

  // For what is executed on an object.
  [[nodiscard]] location& home() const { return here_; }
  [[nodiscard]] team_state& state() const { return state_; }
  /// Once no method of the object is on the stack.
  void leave_later(routed_head const& asked, std::uint32_t to);
  void die_later(object_id id);
  /// A coroutine of the object has suspended, and it stays; has ended.
  void keep_here(object_id id);
  void let_go(object_id id);

 protected:
  struct entry;
  class entry_table;

  migration_base(team const& on, std::size_t most_called);
  virtual ~migration_base();

  /// For the program. Throws usage_error after the job.
  [[nodiscard]] location& here() const { return here_of(team_); }
  object_id add(void* object);
  void end_coroutines();
  [[nodiscard]] void* find(object_id id) const;
  [[nodiscard]] std::vector<object_id> ids_here() const;
  [[nodiscard]] std::size_t entries() const;
  /// Throws wire_error, and takes nothing, where no correct member can have sent it.
  entry& has_arrived(routed_head const& head, void* object, packed_callers callers);
  /// Before requests; `runs` is that of their runs.
  void begin(run_tag runs) { runs_ = runs; }
  /// The tag of one kind of request, for texts.
  [[nodiscard]] run_tag tag_of(std::uint32_t handler) const { return {handler, runs_.object(), runs_.team()}; }
  void leave_once_unused(located<object_id> id, std::uint32_t to);
  /// Calls `method`, which the member `of` has caused, as one of the object, which is here.
  template <class Method>
  void execute_first(entry& e, std::uint32_t of, Method method) {
    keep_here(e);
    call_catching(method, [&] { keep_exception("arrived of a migrating object", of); });
    let_go(e);
  }
  void keep_exception(char const* what, std::uint32_t of) const;
  static void keep_here(entry& e);
  void let_go(entry& e);
  void check_rank(located<std::uint64_t> rank) const;

  /// Appends a request to the object. Returns the location it goes to. If a user's codec throws, nothing is sent.
  template <class Codec, class... V>
  std::uint32_t issue(located<object_id> id, std::uint32_t handler, V const&... values) {
    if constexpr (Codec::fixed && !Codec::outside) {
      placed_request const at = place(id, handler, Codec::fixed_size);
      if (at.payload != nullptr) [[likely]]
        return Codec::encode(at.payload, values...), at.dest;
    }
    way const to(*this, id);
    admission const inside(here_.gate());
    routed_head head{id.value, state_.rank, 0, handler};
    std::span<std::byte> const room =
        make_room<routed_codec<Codec>>(*to.box, runs_, id.from, nullptr, routed_head::words{}, values...);
    // The number only now: what was executed meanwhile may have waited for its own request to the object.
    head.sequence = to.numbers->sequence();
    fill_routed<Codec>(*to.box, room, head, values...);
    count(*to.known);
    return to.box->dest;
  }

  /// As issue, without waiting; false: there is no credit.
  template <class Codec, class... V>
  bool try_issue(located<object_id> id, std::uint32_t handler, V const&... values) {
    way const to(*this, id);
    admission const inside(here_.gate());
    std::size_t const bytes = routed_head::wire_bytes + Codec::size(values...);
    std::byte* const at = to.box->try_append(runs_, bytes, 0);
    if (at == nullptr) return false;
    fill_routed<Codec>(*to.box, {at, bytes}, {id.value, state_.rank, to.numbers->sequence(), handler}, values...);
    count(*to.known);
    return true;
  }

  /// Sends a notice with values behind it. If a user's codec throws, nothing is sent.
  template <class Codec, class... V>
  void tell_with(std::uint32_t dest, notice const& n, V const&... values) {
    using codec = typename enveloped<notice_rest, Codec>::codec;
    outbox& box = box_of(dest);
    admission const inside(here_.gate());
    auto const kind = static_cast<std::uint32_t>(n.kind);
    std::span<std::byte> const room =
        make_room<routed_codec<codec>>(box, runs_, {}, nullptr, routed_head::words{}, kind, n.from, values...);
    fill_routed<codec>(box, room, {n.id, n.rank, n.number}, kind, n.from, values...);
  }

 private:
  struct parts;
  struct upcoming;
  class kept;

  /// The head as it travels, and values.
  template <class Codec>
  using routed_codec = typename enveloped<arguments_codec<routed_head::words>, Codec>::codec;
  /// What is behind the head of a notice: its kind, and `from`.
  using notice_rest = arguments_codec<std::uint32_t, std::uint32_t>;

  template <class Codec, class... V>
  static void fill_routed(outbox& box, std::span<std::byte> room, routed_head head, V const&... values) {
    head.bytes = room.size() - routed_head::wire_bytes;
    fill_record<Codec::outside>(
        box, room, [&](byte_writer& writer) { routed_codec<Codec>::encode(writer, head.encoded(), values...); });
  }

  /// Where the arguments of a request are to be written, and the location to which it goes.
  struct placed_request {
    std::byte* payload = nullptr;
    std::uint32_t dest = 0;
  };
  /// Null: nothing has happened; what is issued must wait, or find room.
  placed_request place(located<object_id> id, std::uint32_t handler, std::size_t bytes);

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
  void count(entry& e);

  /// Sends the object to a member, by tell_with: behind it what it knows of callers, and the object. If its codec
  /// throws, nothing is sent.
  virtual void send_away(notice const& of, void* object, std::vector<caller_state> const& callers,
                         std::uint32_t to) = 0;
  /// What send_away has sent: the object from its own bytes. Calls has_arrived, and then `arrived` of the object.
  virtual void arrive(routed_head const& head, packed_callers callers, std::span<std::byte const> object) = 0;
  virtual void drop(void* object) = 0;

  /// Has it heard there.
  void tell(std::uint32_t dest, notice const& n) { tell_with<arguments_codec<>>(dest, n); }
  /// As tell, without waiting; false: there is no credit.
  [[nodiscard]] bool try_tell(std::uint32_t dest, notice const& n);
  void read_notice(routed_record const& r);
  void hear(notice const& n);
  void has_come_from(std::uint32_t from, object_id id, std::uint32_t version);

  void look(execution const& state, upcoming& to) const;
  void read_record(execution& state, routed_record& r) const;
  void deliver(entry* e, std::uint32_t from, routed_record const& r);
  void deliver_elsewhere(entry const* e, routed_record const& r);
  void take(entry& e, caller_state* caller, std::uint32_t from, routed_record const& r);
  void look_again(entry& e);
  void execute(entry& e, caller_state& caller, routed_record const& r);
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
  team_state& state_;  // these two in the job alone; `here` and team_ say what is wrong after it
  location& here_;
  run_tag runs_;
  parts* parts_;
};

[[noreturn]] void throw_undecodable(routed_head const& head, std::string_view name, char const* why);
[[noreturn]] void throw_not_routed(execution const& state);

/// The handler of all runs of a table of migrating objects.
template <class Table>
struct routed_run {
  static constexpr type_token object_type = token_of<Table>();
  static constexpr traffic kind = traffic::request;
  static constexpr std::uint32_t record_bytes = 0;
  static constexpr bool carries = true;

  static void run(location&, void* object, execution& state) { static_cast<Table*>(object)->deliver_run(state); }
};

/// A request that finds its object. `Action` executes a decoded one; `Table` is the registered object.
template <class Table, class Action>
struct routed_request {
  static constexpr type_token object_type = token_of<Table>();
  static constexpr traffic kind = traffic::request;
  static constexpr std::uint32_t record_bytes = 0;

  static void run(location&, void*, execution& state) { throw_not_routed(state); }
  static void routed(found_request const& call) {
    routed_record const& r = call.record;
    auto values = decode_whole(
        r.payload(), [](byte_reader& from) { return Action::codec::decode(from); },
        [&](char const* why) { throw_undecodable(r.head, r.handler->name, why); });
    Action::execute(call, values);
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

  static void execute(found_request const& of, auto& values) {
    migration_base& table = of.table;
    location& here = table.home();
    team_state& team = table.state();
    auto& self = *static_cast<typename Invoker::object*>(of.object);
    routed_head const& head = of.record.head;
    location_id const caller = team.members[head.origin];
    routed_answer<Answer> answer(asked_call{here, team, 0, of.record.handler->name, caller}, table, head.id);
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
  static void execute(found_request const& of, std::tuple<std::uint32_t> const& to) {
    of.table.leave_later(of.record.head, std::get<0>(to));
  }
};
struct routed_end {
  using codec = arguments_codec<>;
  static void execute(found_request const& of, std::tuple<> const&) { of.table.die_later(of.record.head.id); }
};

}  // namespace detail

}  // namespace sheaf
