// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sheaf/rmi/detail/migration.hpp"
#include "sheaf/rmi/distributed.hpp"

namespace sheaf {

/// Objects of type T that move between the members of a team and are called by name wherever they are (ARMI §4.2.1).
/// This container is a distributed object: all members construct it. T must be able to travel (codec.hpp).
///
/// Requests from one member to one object start in the order issued, wherever it is and however often it moves; a move
/// is such a request. There is no order between requests to different objects, of different members, or with requests
/// of other kinds. Each request is executed once, where the object is then, one at a time as any method; an object
/// moves only when none of its methods is on the stack and none of its coroutines is suspended. A request goes to where
/// its sender last knew the object to be (in the beginning, the member that created it), and is forwarded from there;
/// its sender is then told. What has come before its turn goes along with each move: n requests and k moves issued at
/// once cost up to n k / 2 forwards. The team's fence waits for all of it; wait_for_request counts a request where it
/// is executed, and no forwarding.
///
/// A member keeps an entry for each object that is here, that was created here and lives, or that it calls; and, at
/// each object here, one for each member that calls it. What has moved on or was destroyed leaves none, but for a time
/// that messages need. Where a member calls more than `most_called` objects, beyond two for each that is here or was
/// created here, it gives up the entry of the one that it began to call first: three small messages, and its next
/// request goes by way of the object's birth member. An object does the same beyond 16 members that call it.
///
/// If T has a method `arrived(migrating<T>& table, object_id own)`, each move calls it where the object has come to,
/// before its other methods. What it throws, the fence throws, as of other methods.
///
/// Destroy it after a fence; objects that are here then are destroyed, too. A destructor of T may call Sheaf. Where an
/// object moves, it runs once the object has been sent.
template <class T>
class migrating : private detail::migration_base {
 public:
  static constexpr std::size_t usually_called = 1024;

  explicit migrating(team const& on, std::size_t most_called = usually_called)
      : migration_base(on, most_called), registration_(on, *this) {
    static_assert(codec_type<T>, "sheaf: objects that migrate must be of a type that can travel (see codec.hpp)");
    begin(handle_of(registration_).tag().with_handler(detail::handler_number<detail::routed_run<migrating>>));
  }
  ~migrating() override {
    end_coroutines();
    for (object_id const id : migration_base::ids_here()) drop(migration_base::find(id));
  }

  using migration_base::members;

  /// Stores the object here. Sends nothing. Its name may be sent to any member of the team, and used at once.
  object_id create(T object) {
    here().check_owner("migrating::create");
    return add(room::make(home(), [&]() -> T&& { return std::move(object); }).release());
  }

  /// The object if it is here now, else null. Valid until this location next executes requests.
  [[nodiscard]] T* find(object_id id) const {
    here().check_owner("migrating::find");
    return static_cast<T*>(migration_base::find(id));
  }
  /// The names of all objects that are here now, in order.
  [[nodiscard]] std::vector<object_id> ids_here() const {
    here().check_owner("migrating::ids_here");
    return migration_base::ids_here();
  }
  /// How many entries this location keeps now (see above). Sends nothing; after a fence of the team nothing is in
  /// flight.
  [[nodiscard]] std::size_t entries() const {
    here().check_owner("migrating::entries");
    return migration_base::entries();
  }

  // The verbs (runtime/verbs.hpp), with the object's name in the place of a rank.

  template <auto... What, class... A>
  void async(located<object_id> id, A&&... a) {
    issue_with<call_of<detail::statement_answer, detail::methods<What...>, A...>>(
        id, detail::converted<invoker_of<detail::methods<What...>, A...>>(std::forward<A>(a)...));
  }
  template <auto... What, class... A>
  [[nodiscard]] bool try_async(located<object_id> id, A&&... a) {
    using action = call_of<detail::statement_answer, detail::methods<What...>, A...>;
    auto const put = [&](auto const&... v) {
      return try_issue<typename action::codec>(id, handler_of<action>(), v...);
    };
    return std::apply(put, detail::referred<invoker_of<detail::methods<What...>, A...>>(std::forward<A>(a)...));
  }
  template <auto What>
  [[nodiscard]] auto bind() {
    return
        [this]<class... A>(located<object_id> id, A&&... a) { this->template async<What>(id, std::forward<A>(a)...); };
  }
  template <class Pointer>
  [[nodiscard]] auto bind(Pointer method) {
    return
        [this, method]<class... A>(located<object_id> id, A&&... a) { this->async(id, method, std::forward<A>(a)...); };
  }
  template <auto... What, class... A>
  auto sync(located<object_id> id, A&&... a) {
    using invoker = invoker_of<detail::methods<What...>, A...>;
    using question = detail::routed_call<invoker, detail::blocking_answer>;
    here().check_owner("a request to a migrating object");
    here().check_may_wait(detail::wait_kind::answer, "migrating::sync", id.from);
    detail::admission const inside(here().gate());  // others use the reply table, too
    detail::blocking_reply<typename invoker::result> landing(here().calls().replies);
    auto const dest = issue_with<question>(
        id, std::tuple_cat(std::tuple(landing.token()), detail::converted<invoker>(std::forward<A>(a)...)));
    here().request_box(dest).flush();
    detail::wait_site const site{.what = "migrating::sync",
                                 .for_what = detail::awaited::answer,
                                 .on = dest,
                                 .tag = tag_of(handler_of<question>()),
                                 .from = id.from,
                                 .call = detail::call_number(detail::call_space::blocking, landing.token()),
                                 .object = id.value.number(),
                                 .birth = id.value.birth()};
    here().wait(detail::wait_kind::answer, site, [&] { return landing.ready(); });
    return landing.take();
  }
  template <auto... What, class... A>
  auto ask(located<object_id> id, A&&... a) {
    using invoker = invoker_of<detail::methods<What...>, A...>;
    using result = typename invoker::result;
    here().check_owner("a request to a migrating object");  // before it allocates what only the owner may use
    detail::asking<result> question(here(), state_of(members()));
    put_question<invoker, detail::future_landing<result>>(id, question, std::forward<A>(a)...);
    return question.sent();
  }
  template <auto... What, class R, class... A>
  void ask_into(located<object_id> id, reply_window<R>& window, std::uint32_t slot, A&&... a) {
    using invoker = invoker_of<detail::methods<What...>, A...>;
    static_assert(std::is_same_v<typename invoker::result, R>, "sheaf: the method's result is not the window's type");
    put_question<invoker, detail::window_landing<R>>(id, window.question(state_of(members()), slot, id.from),
                                                     std::forward<A>(a)...);
  }

  /// Asks the object, wherever it is, to move to member `to` (usage_error where there is none).
  void move(located<object_id> id, located<std::uint64_t> to) {
    check_rank(to);
    issue_with<detail::routed_move>(id, std::tuple(static_cast<std::uint32_t>(to.value)));
  }
  /// For methods of the object, which is here: it moves once none of them is on the stack or suspended. No request, so
  /// without order to requests; the last call before that counts. Throws usage_error where no method of it runs here.
  void leave(located<object_id> id, located<std::uint64_t> to) {
    here().check_owner("migrating::leave");
    check_rank(to);
    leave_once_unused(id, static_cast<std::uint32_t>(to.value));
  }
  /// Asks for the object's destruction. A request that arrives later is a usage_error.
  void destroy(located<object_id> id) { issue_with<detail::routed_end>(id, std::tuple()); }

 private:
  template <class Table>
  friend struct detail::routed_run;

  using room = detail::object_room<T>;

  template <class Methods, class... A>
  using invoker_of = detail::called_by_team<T, Methods, A...>;
  template <class Answer, class Methods, class... A>
  using call_of = detail::routed_call<invoker_of<Methods, A...>, Answer>;

  template <class Invoker, class Landing, class... A>
  void put_question(located<object_id> id, auto const& question, A&&... a) {
    using asked = detail::routed_call<Invoker, detail::late_answer<Landing, true>>;
    detail::carried_question carried(
        here(), question.who(),
        {tag_of(handler_of<asked>()), detail::wait_site::several, id.value.birth(), id.value.number()},
        question.place());
    issue_with<asked>(id, std::tuple_cat(std::tuple(carried.id()), detail::converted<Invoker>(std::forward<A>(a)...)));
    carried.sent();
  }

  template <class Action>
  static std::uint32_t handler_of() {
    return detail::handler_number<detail::routed_request<migrating, Action>>;
  }
  template <class Action, class Tuple>
  std::uint32_t issue_with(located<object_id> id, Tuple const& values) {
    return std::apply([&](auto const&... v) { return issue<typename Action::codec>(id, handler_of<Action>(), v...); },
                      values);
  }

  void arrive(detail::routed_head const& head, detail::packed_callers callers,
              std::span<std::byte const> bytes) override {
    // Decoded to where it stays, so that no move constructor can lose it.
    auto object = detail::decode_whole(
        bytes,
        [this](byte_reader& from) {
          [[maybe_unused]] detail::sharing_if<detail::reach_of<T>.shares> const scope(from);
          return room::make(home(), [&] { return detail::wire_decode<T>(from); });
        },
        [&](char const* why) { detail::throw_undecodable(head, "the arrival of a migrating object", why); });
    entry* known = nullptr;
    // Else requests would look for the object for ever.
    detail::call_to_the_end("the arrival of a migrating object",
                            [&] { known = &has_arrived(head, object.get(), callers); });
    T* const come = object.release();
    if constexpr (requires { come->arrived(*this, head.id); })
      execute_first(*known, head.origin, [&] { come->arrived(*this, head.id); });
  }
  void send_away(detail::notice const& of, void* object, std::vector<detail::caller_state> const& callers,
                 std::uint32_t to) override {
    tell_with<arguments_codec<std::vector<detail::caller_state>, T>>(to, of, callers, *static_cast<T const*>(object));
  }
  void drop(void* object) override { room::end(static_cast<T*>(object)); }

  registration<migrating> registration_;
};

}  // namespace sheaf
