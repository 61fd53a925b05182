// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "sheaf/base/call_site.hpp"
#include "sheaf/base/lease.hpp"
#include "sheaf/base/location_id.hpp"
#include "sheaf/message/handler.hpp"
#include "sheaf/message/outbox.hpp"

namespace sheaf::detail {

/// What a receiver knows of a handler together with a method: the handler's entry, and what it calls.
struct introduced_method : handler_entry {
  method_bits method;        ///< resolved: the address is one of this process
  std::uint64_t table = 0;   ///< virtual: the table of functions that `target` is from
  std::uint64_t target = 0;  ///< virtual: the function there
  std::uint32_t handler = 0;
  std::string text;  ///< what `name` shows
};

/// Handlers that call a method chosen at run time. A method that a request of the same form names at compile time
/// somewhere in the same module has that one's number. A location numbers each other pair of a handler and a method
/// that it uses, from 2^19−1 downwards, so that such requests form runs like any others; before the first request with
/// a number goes to a destination, a record tells that one what the number means: in the stream's order, and where
/// others may enter the location, whose streams have no order, handed over at once. One per location.
class method_table : immovable<method_table> {
 public:
  ~method_table();

  /// This location's number for requests of `handler` that call `method` of an object of `size` bytes. Throws
  /// usage_error for what is no method of the object's class or of this process, and when all numbers are in use.
  /// `last_` matches nothing where other threads may enter: they look the method up inside the gate.
  std::uint64_t number_for(location& here, std::uint32_t handler, method_bits method, std::size_t size) {
    bool const again = last_.method == method && last_.handler == handler;
    if (!again) [[unlikely]]
      return look_up(here, handler, method, size);
    return last_.number;
  }

  /// Makes sure that the box's destination knows the number before anything that any thread appends later. Appends as
  /// outbox::append, and as outbox::try_append unless it `may_wait`: then false where there is no credit to tell it.
  /// (Cold, so that the compiler keeps it off the fast path.)
  [[gnu::cold]] bool introduce(location& here, outbox& box, std::uint32_t number, bool may_wait, call_site from = {});

  /// What a number that came from `source` means; null where it means nothing.
  handler_entry const* find(location_id source, std::uint32_t number);

  /// The method of the run that is being executed, as one that is called without a look-up, for an object of `size`
  /// bytes. Throws wire_error where there is none, or it cannot be one of the object.
  method_bits method_of(handler_entry const& handler, void const* object, std::size_t size, bool is_polymorphic);

  /// A method of an object of `size` bytes for records that take it to any process. Throws as number_for.
  travelling_bits depart(location& here, method_bits const& method, std::size_t size);
  /// What arrived, for this object here. Throws wire_error where it is not loaded, or cannot be one of the object's.
  method_bits arrive(travelling_bits const& code, void const* object, std::size_t size, bool is_polymorphic);

 private:
  struct known {
    method_bits method;
    std::uint32_t handler = 0;
    std::uint32_t number = 0;
  };
  struct parts;

  friend struct method_introduction;

  std::uint64_t look_up(location& here, std::uint32_t handler, method_bits method, std::size_t size);
  parts& used();
  void learn(location_id source, std::uint32_t number, std::uint32_t handler, travelling_bits const& code);

  known last_;              // only if no other thread may enter
  parts* parts_ = nullptr;  // null until the location uses such methods
};

}  // namespace sheaf::detail
