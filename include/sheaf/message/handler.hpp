// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "sheaf/message/run_header.hpp"
#include "sheaf/message/type_token.hpp"
#include "sheaf/transport/endpoint.hpp"

namespace sheaf::detail {

/// A pointer to a member function as the Itanium C++ ABI represents it, which all our compilers follow.
struct method_bits {
  std::uint64_t word = 0;       ///< the address; of a virtual function 1 + its offset in the table of such; 0: null
  std::int64_t adjustment = 0;  ///< what is added to the object's address before the call

  [[nodiscard]] bool is_virtual() const { return (word & 1U) != 0; }
  bool operator==(method_bits const&) const = default;
};

/// A method's address as all processes of a job understand it, wherever they have loaded the code.
struct travelling_bits {
  std::uint64_t module = 0;     ///< identity of the file that has the function; 0: a virtual one
  std::uint64_t offset = 0;     ///< in that file; of a virtual function in the table of such
  std::int64_t adjustment = 0;  ///< what is added to the object's address before the call

  /// A virtual function's offset that is not a multiple of a pointer's size.
  [[nodiscard]] bool is_misplaced() const { return module == 0 && offset % sizeof(void*) != 0; }
};

template <class M>
method_bits bits_of(M method) {
  static_assert(sizeof(M) == sizeof(method_bits), "sheaf: pointers to methods are not of the Itanium C++ ABI");
  method_bits bits;
  std::memcpy(static_cast<void*>(&bits), &method, sizeof bits);
  return bits;
}

}  // namespace sheaf::detail

namespace sheaf {
namespace detail {

class location;

struct execution;

struct found_request;

/// Executes one request of a run whose records name their handlers (rmi/detail/routed.hpp).
using routed_function = void (*)(found_request const& call);

/// Runs the records of one run from `state.at` to `state.run_end`; compiled once per handler, a tight loop.
using run_function = void (*)(location& here, void* object, execution& state);

/// The method that a handler of requests calls.
struct called_method {
  type_token form = nullptr;         ///< equal for requests that differ only in the method; null: none
  method_bits (*named)() = nullptr;  ///< the method named at compile time; null: it comes with the run
};

/// The method that a handler's type calls. Specialized for those that call methods (rmi/detail/invoker.hpp).
template <class Handler>
struct method_of_handler {
  static constexpr called_method value{};
};

/// What the receiver knows of a handler number.
struct handler_entry {
  run_function run = nullptr;
  type_token object_type = nullptr;  ///< what the object must have been registered as; null: needs none
  traffic kind = traffic::request;   ///< the class of traffic it may arrive in
  std::uint32_t record_bytes = 0;    ///< size of a record where all are equal, else 0
  std::string_view name;             ///< the compiler's; what people read: `readable`
  bool is_progress = true;           ///< whether its runs count as something done (location::activity)
  bool has_method = false;           ///< it is an introduced_method (method_table.hpp)
  bool asks = false;                 ///< of requests: their runs have a number in front (question_run)
  bool is_message = false;           ///< of requests: a message type's (sheaf/active)
  bool any_thread = false;           ///< of requests: concurrent; of answers: whoever is inside the gate may run it
  std::uint32_t grain = 0;           ///< of concurrent requests: threads share runs of more records; 0: they do not
  bool carries = false;              ///< its records name handlers, which are `routed`
  routed_function routed = nullptr;
  called_method calls{};
};

/// Numbers a handler, from 1 on; called during static initialization, whose order is the same in every process of one
/// executable, once per handler and module. Throws std::length_error beyond 2^19−1.
std::uint32_t register_handler(handler_entry const& entry);

/// The table of entries, by number. Written during static initialization (and by a dlopen between jobs) only.
struct handler_table {
  handler_entry const* entries;
  std::uint32_t size;
};
extern constinit handler_table handlers;

/// The entry of a number that came off the wire, or null when there is none.
inline handler_entry const* find_handler(std::uint32_t number) noexcept {
  return number - 1 < handlers.size ? &handlers.entries[number - 1] : nullptr;
}

/// Whether a request with this tag belongs to the scope of the thread that sends it.
inline bool is_in(run_scope scope, run_tag tag) {
  if (scope.number() == 0 || scope.team() != tag.counting_team()) return false;
  if (!scope.is_of_messages()) return true;
  handler_entry const* const handler = find_handler(tag.handler());
  return handler != nullptr && handler->is_message;
}

/// The readable form of this handler's name: `t::boom` for a method, `a callable on t` for a callable,
/// `message_type<t>` for a message, else the name.
std::string readable(std::string_view handler_name);

/// The name of a handler, with all its template arguments, from the compiler.
template <class Handler>
consteval std::string_view handler_name() {
  std::string_view name = __PRETTY_FUNCTION__;
  auto const from = name.find("Handler = ");
  auto upto = name.find("; std::string_view", from);
  if (upto == name.npos) upto = name.rfind(']');
  return from == name.npos ? name : name.substr(from + 10, upto - from - 10);
}

/// What the receiver knows of `Handler`: it has static run, object_type, kind, record_bytes, maybe asks, any_thread.
template <class Handler>
constexpr handler_entry entry_of() {
  static_assert(
      requires {
        run_function{&Handler::run};
        type_token{Handler::object_type};
        traffic{Handler::kind};
        std::uint32_t{Handler::record_bytes};
      },
      "sheaf: a handler has static void run(location&, void* object, execution&), and static constexpr type_token "
      "object_type, traffic kind and std::uint32_t record_bytes (docs/internals/message-api.md)");
  handler_entry entry{&Handler::run, Handler::object_type, Handler::kind, Handler::record_bytes,
                      handler_name<Handler>()};
  if constexpr (requires { Handler::asks; }) entry.asks = Handler::asks;
  if constexpr (requires { Handler::is_message; }) entry.is_message = Handler::is_message;
  if constexpr (requires { Handler::any_thread; }) entry.any_thread = Handler::any_thread;
  if constexpr (requires { Handler::grain; }) entry.grain = Handler::grain;
  if constexpr (requires { Handler::carries; }) entry.carries = Handler::carries;
  if constexpr (requires { routed_function{&Handler::routed}; }) entry.routed = &Handler::routed;
  entry.calls = method_of_handler<Handler>::value;
  return entry;
}

/// The number of a handler.
template <class Handler>
inline std::uint32_t const handler_number = register_handler(entry_of<Handler>());

}  // namespace detail
}  // namespace sheaf
