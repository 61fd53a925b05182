// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "sheaf/active/epoch.hpp"
#include "sheaf/active/message_type.hpp"
#include "sheaf/active/policies.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/runtime/team.hpp"

/// The names of AM++ (PACT 2010, Fig. 3) for sheaf/messages.hpp, for programs that use them. They are called inside of
/// sheaf::run. docs/guide/coming-from.md has the list of AM++'s names and Sheaf's.
namespace sheaf::ampp {

/// The world, whatever communicator it is made with.
class mpi_transport {
 public:
  template <class Communicator>
  explicit mpi_transport(Communicator const&, call_site where = call_site::here()) : team_(world(where)) {}
  explicit mpi_transport(team const& members) : team_(members) {}

  [[nodiscard]] std::uint64_t rank() const { return team_.rank(); }
  [[nodiscard]] std::uint64_t size() const { return team_.size(); }
  [[nodiscard]] bool is_valid_rank(std::uint64_t rank) const { return rank < size(); }
  [[nodiscard]] team const& members() const { return team_; }

  void begin_epoch(call_site where = call_site::here()) {
    if (*epoch_ != nullptr) throw usage_error("sheaf: begin_epoch in an epoch of this transport; end it first");
    *epoch_ = std::make_unique<sheaf::scoped_epoch>(team_, where);
  }
  void end_epoch(call_site where = call_site::here()) { open_epoch()->end(where); }
  /// The sum of all members' values.
  template <class V>
  V end_epoch_with_value(V const& value, call_site where = call_site::here()) {
    return open_epoch()->end(value, std::plus<>{}, where);
  }

 private:
  std::unique_ptr<sheaf::scoped_epoch> open_epoch() {
    if (*epoch_ == nullptr) throw usage_error("sheaf: end_epoch without begin_epoch of this transport");
    return std::exchange(*epoch_, nullptr);
  }

  team const team_;
  std::shared_ptr<std::unique_ptr<sheaf::scoped_epoch>> epoch_ =
      std::make_shared<std::unique_ptr<sheaf::scoped_epoch>>();  // copies share it
};

#ifndef MPI_COMM_WORLD
/// For programs that do not include mpi.h.
inline constexpr struct {
} MPI_COMM_WORLD;
#endif

/// A handler is called as f(data) or f(source, data).
template <class Data, class Handler, class Transport = mpi_transport>
class basic_coalesced_message_type {
 public:
  basic_coalesced_message_type(Transport const& on, std::size_t messages, call_site where = call_site::here())
      : type_(on.members(), &basic_coalesced_message_type::refuse, coalescing{.count = messages}, where) {}

  void set_handler(Handler handler, call_site where = call_site::here()) {
    if constexpr (std::is_invocable_v<Handler&, Data const&>) {
      type_.set_handler([f = std::move(handler)](Data const& data) mutable { f(data); }, where);
    } else {
      type_.set_handler([f = std::move(handler)](Data const& data, std::uint64_t source) mutable { f(source, data); },
                        where);
    }
  }
  void send(Data const& data, located<std::uint64_t> dest) { type_.send(dest, data); }
  void flush() { type_.flush(); }

 private:
  static void refuse(Data const&) { throw usage_error("sheaf: a message came before set_handler was called"); }

  message_type<Data, coalescing> type_;
};

/// `depth`: as nesting_depth.
template <class Transport = mpi_transport>
struct scoped_termination_detection_level_request : detection_request {
  scoped_termination_detection_level_request(Transport const& on, std::uint32_t depth,
                                             call_site where = call_site::here())
      : detection_request(on.members(), nesting_depth(depth), where) {}
};

template <class Transport = mpi_transport>
struct scoped_epoch : sheaf::scoped_epoch {
  explicit scoped_epoch(Transport const& on, call_site where = call_site::here())
      : sheaf::scoped_epoch(on.members(), where) {}
};

}  // namespace sheaf::ampp
