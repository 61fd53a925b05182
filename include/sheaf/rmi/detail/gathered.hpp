// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "sheaf/message/open_calls.hpp"
#include "sheaf/rmi/detail/request.hpp"

/// Answers that are gathered with others of their kind (docs/design/answers.md). Questions carry no token: their run
/// has a number, and each its place in it. Answers in the order of their questions make a run, whose tag names the
/// first of them; others carry the id of their question. A `Landing` says what becomes of an answer: `keep(place,
/// make)` puts what `make()` gives where the place says, and is false where that has been done. Its `result` is the
/// answer's type, `type` that of the question, `windowed` tells windows from futures, and `whose` names them in errors.
namespace sheaf::detail {

[[noreturn, gnu::cold]] void throw_unawaited(execution const& state, std::uint64_t question, char const* whose);

/// The run in which these questions await answers for such a landing.
template <class Landing>
question_run& awaited_run(location& here, execution const& state, std::uint64_t question, std::uint64_t answers = 1) {
  question_run* const run = here.calls().questions.find(question, answers);
  bool const awaits = run != nullptr && run->type == Landing::type && run->windows.empty() != Landing::windowed;
  if (!awaits) [[unlikely]]
    throw_unawaited(state, question, Landing::whose);
  return *run;
}

/// The handler of answers that carry the ids of their questions: {id, value}.
template <class Landing>
struct late_answers {
  using codec = arguments_codec<std::uint64_t, typename Landing::result>;
  static constexpr type_token object_type = nullptr;
  static constexpr traffic kind = traffic::answer;
  static constexpr std::uint32_t record_bytes = record_bytes_of<codec>();

  static void run(location& here, void*, execution& state) {
    each_record<codec>(state, [&](std::uint64_t question, auto&& value) {
      question_run& run = awaited_run<Landing>(here, state, question);
      std::uintptr_t& place = run.places[question_run::place_of(question)];
      if (!Landing::keep(
              place, [&]() -> auto&& { return std::move(value); }))
        throw_unawaited(state, question, Landing::whose);
      here.calls().questions.answered(run, question, 1);
    });
  }
};

/// The handler of {id, text}, where the method threw.
struct error_answers {
  static constexpr type_token object_type = nullptr;
  static constexpr traffic kind = traffic::answer;
  static constexpr std::uint32_t record_bytes = 0;
  static void run(location& here, void*, execution& state);
};

/// The handler of answers that come in the order of their questions; the tag names the first.
template <class Landing>
struct prompt_answers {
  using codec = arguments_codec<typename Landing::result>;
  static constexpr type_token object_type = nullptr;
  static constexpr traffic kind = traffic::answer;
  static constexpr std::uint32_t record_bytes = record_bytes_of<codec>();

  static void run(location& here, void*, execution& state) {
    question_run& run = awaited_run<Landing>(here, state, state.question, state.count);
    std::uintptr_t* place = run.places + question_run::place_of(state.question);
    std::uintptr_t* const end = place + state.count;
    auto const take = [&](auto make) {
      if (place == end || !Landing::keep(*place++, make)) [[unlikely]]
        throw_unawaited(state, state.question, Landing::whose);
    };
    if constexpr (codec::fixed) {
      std::byte const* at = std::exchange(state.at, state.run_end);
      while (place != end)
        take([from = std::exchange(at, at + record_bytes)] { return codec::template load<0>(from); });
    } else {
      each_record<codec>(state, [&](auto&& value) { take([&]() -> auto&& { return std::move(value); }); });
      if (place != end) throw_unawaited(state, state.question + state.begun, Landing::whose);
    }
    here.calls().questions.answered(run, state.question, state.count);
  }
};

/// Sends the text of the exception being handled.
void send_error(location& here, std::uint32_t dest, std::uint64_t question, std::string_view handler);

/// An answer that carries the id of its question: of a method that may answer late or on any thread. The id comes with
/// the run, or where `Carried` in front of the arguments.
template <class Landing, bool Carried = false>
struct late_answer {
  using envelope = std::conditional_t<Carried, arguments_codec<std::uint64_t>, arguments_codec<>>;
  static constexpr bool travels = true, any_thread = true, asks = !Carried, is_statement = false;

  outbox* box;
  std::string_view name;
  std::uint32_t caller;
  std::uint64_t id;  ///< less one until `open`, which counts it up

  explicit late_answer(asked_call const& of)
      : box(&of.here.answer_box(number(of.caller))), name(of.name), caller(number(of.caller)), id(of.question - 1) {}
  template <class Request>
  void open(location&, std::span<std::byte const>, std::uint64_t question) {
    id = question;
  }
  template <class Request>
  void open(location&, std::span<std::byte const>) {
    ++id;
  }
  [[nodiscard]] std::uint64_t call() const { return call_number(call_space::gathered, id); }
  [[nodiscard]] std::uint32_t gathers() const { return caller; }
  template <class R = unit>
  void value(location& here, R const& result = {}) {
    using answers = late_answers<Landing>;
    put<typename answers::codec>(here, *box, run_tag(handler_number<answers>, 0, 0), {}, id, result);
  }
  void exception(location& here) const { send_error(here, caller, id, name); }
};

/// The answers to one run of questions, given in their order. While each follows the one before they go into one run of
/// answers, whose tag nobody else uses. A new one begins where one does not follow: the method before threw, others
/// were answered while it waited, or the buffer has left. Its tag names the question, which is found by where its
/// record is, or by counting where records vary in size (`Each` 0).
template <class Landing, std::uint32_t Each>
class prompt_answer {
 public:
  using envelope = arguments_codec<>;
  static constexpr bool travels = true, any_thread = false, asks = true, is_statement = false;

  explicit prompt_answer(asked_call const& of)
      : box_(&of.here.answer_box(number(of.caller))),
        first_(of.first),
        record_(Each == 0 ? of.first - 1 : of.first),
        question_(of.question),
        name_(of.name),
        caller_(number(of.caller)) {}
  template <class Request>
  void open(location&, std::span<std::byte const> record) {
    record_ = Each == 0 ? record_ + 1 : record.data();
  }
  template <class R = unit>
  void value(location&, R const& result = {}) {
    if constexpr (codec::fixed) {
      if (box_->takes(tag_)) [[likely]]
        return static_cast<void>(codec::encode(box_->next(answers::record_bytes), result));
    }
    tag_ = value_slowly<std::conditional_t<codec::fixed, copied_if_small<R>, R const&>>(*box_, tag_, id(), result);
  }
  void exception(location& here) const { send_error(here, caller_, id(), name_); }

 private:
  using answers = prompt_answers<Landing>;
  using codec = typename answers::codec;

  [[nodiscard]] std::uint64_t id() const {
    return question_ + static_cast<std::uint64_t>(record_ - first_) / (Each == 0 ? 1 : Each);
  }

  /// Returns the tag of the run that the answer is in.
  template <class R>
  [[gnu::noinline]] static run_tag value_slowly(outbox& to, run_tag open, std::uint64_t id, R result) {
    admission const inside(to.home().gate());
    run_tag const fresh = run_tag::of_answers(handler_number<answers>, id);
    if constexpr (codec::fixed) {
      run_tag const its = to.filled().takes(open) ? open : fresh;
      codec::encode(to.append(its, answers::record_bytes), result);
      return its;
    } else {
      std::size_t const bytes = codec::size(result);
      run_tag const its = to.filled().takes(open, bytes) ? open : fresh;
      std::span<std::byte> const room(to.append_varying(its, bytes), bytes);
      fill_record<codec::outside>(to, room, [&](byte_writer& writer) { codec::encode(writer, result); });
      return its;
    }
  }

  outbox* box_;
  run_tag tag_{~std::uint64_t{0}};  // of the run that its answers are in; no run has this one
  std::byte const* first_;
  std::byte const* record_;
  std::uint64_t question_;
  std::string_view name_;
  std::uint32_t caller_;
};

template <class Invoker, class Landing>
using gathered_answer = std::conditional_t<Invoker::is_coroutine || is_concurrent<Invoker>, late_answer<Landing>,
                                           prompt_answer<Landing, record_bytes_of<typename Invoker::codec>()>>;
template <class Invoker, class Landing>
using gathered_request = request<Invoker, gathered_answer<Invoker, Landing>>;

}  // namespace sheaf::detail
