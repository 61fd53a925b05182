// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/transport/buffer.hpp"

namespace sheaf::net {

enum class direction : std::uint8_t { send, receive };

/// A send or a receive that has ended. `source` and `bytes` mean something for receives only.
struct completion {
  direction what{};
  std::uint32_t slot = 0;
  std::uint32_t source = 0;
  std::size_t bytes = 0;
};

/// What carries packets between processes, and nothing more. A folder for each kind implements it (MPI, and so could
/// libfabric or UCX), and the tests have a fake. Several may be open in a process; none knows of another.
///
/// Operations are named by slots that the caller numbers from 0, sends and receives apart. Each packet comes once, in
/// no order: neither packets of one pair nor sends nor receives need end as they began. Nothing moves but in a call.
/// Used by one thread at a time, as its `bootstrap` permits. What fails inside ends the job with a line on stderr.
class wire {
 public:
  enum class sent : std::uint8_t { ended, under_way, try_again };

  /// Where packets and rooms lie, which may be memory that a network card knows; outlives the wire. For any thread.
  [[nodiscard]] virtual host_memory& memory() noexcept = 0;

  /// Starts sending `packet`, of at most 2^31−1 bytes, untouched until the slot is reported. `ended`: it will not be.
  /// `try_again`: nothing was started; the wire takes no more now, and will after some polls.
  [[nodiscard]] virtual sent start_send(std::uint32_t slot, std::uint32_t dest, std::span<std::byte const> packet) = 0;

  /// Offers `room` to a packet of any source; a longer one ends the job. False: not now; ask again after some polls.
  [[nodiscard]] virtual bool start_receive(std::uint32_t slot, std::span<std::byte> room) = 0;

  /// What has ended, as far as `done` has room; how many. Their slots are free. May report some later, but each.
  [[nodiscard]] virtual std::size_t poll(std::span<completion> done) = 0;

  /// Takes back the receives that have not ended; their rooms are the caller's again.
  virtual void withdraw_receives() noexcept = 0;

  /// Gives everything back, this object too. Nothing may be under way.
  virtual void close() noexcept = 0;

 protected:
  ~wire() = default;
};

/// Which threads of a process may use its wires: the one that opened them where no other exists, that one, or all in
/// turn. MPI's SINGLE, FUNNELED and SERIALIZED. Not MULTIPLE, with a wire for each thread: tried on two busy cores, one
/// of four such runs stood still over Open MPI 4.1.4 and one of seven over MPICH 4.0, with all sends ended and all
/// receives posted. Why is not known.
enum class thread_level : std::uint8_t { single, first_only, one_at_a_time };

/// The processes started together: how they meet at the start and the end, and end early. Used as a wire is.
class bootstrap {
 public:
  [[nodiscard]] virtual thread_level level() const noexcept = 0;
  [[nodiscard]] virtual std::uint32_t rank() const noexcept = 0;
  [[nodiscard]] virtual std::uint32_t size() const noexcept = 0;

  /// Collective: `all` becomes everybody's `mine` in the order of ranks. Blocks.
  virtual void exchange(std::span<std::byte const> mine, std::span<std::byte> all) = 0;

  /// A sum over all processes by polling: nothing until every process has called it. The call that begins one gives its
  /// number; the next call after the result begins the next one.
  [[nodiscard]] virtual std::optional<std::int64_t> sum(std::int64_t mine) = 0;

  /// Ends all processes of the job as failed; says on stderr which location does so, and why.
  virtual void abort(std::uint32_t location, std::string_view reason) noexcept = 0;

  /// Gives everything back, this object too; its wires are closed.
  virtual void close() noexcept = 0;

 protected:
  ~bootstrap() = default;
};

/// Counted up with every change of these classes.
inline constexpr int wire_version = 7;

/// What a module libsheaf_wire_X.so exports, one of them or both. Where they give null they leave a text in `problem`,
/// or none, where the module is of another wire_version.
///
/// `sheaf_open_bootstrap`: the processes started together, of the level asked for where the program has not started MPI
/// itself, or those of the communicator (the address of the library's own kind of handle).
using open_bootstrap_function = bootstrap*(int version, thread_level asked, void const* communicator,
                                           std::span<char> problem);
inline constexpr char const* open_bootstrap_symbol = "sheaf_open_bootstrap";

/// `sheaf_open_wire`: collective and blocking, a wire between all processes of the job, which it may find by
/// `job.exchange`. One more call gives one more wire. All are closed before the bootstrap.
using open_wire_function = wire*(int version, bootstrap& job, std::span<char> problem);
inline constexpr char const* open_wire_symbol = "sheaf_open_wire";

struct closer {
  void* module = nullptr;  ///< of a bootstrap: the one that it comes from
  void operator()(auto* one) const noexcept { one->close(); }
};
using bootstrap_ptr = std::unique_ptr<bootstrap, closer>;
using wire_ptr = std::unique_ptr<wire, closer>;

/// Where a hint about the MPI library comes from; what a test can give in its place.
struct surroundings {
  std::string chosen;  ///< options.mpi_library
  std::string loaded;  ///< what the MPI in this process says about itself; empty: there is none
  char const* (*variable)(char const* name) = nullptr;  ///< getenv, or null for what is not set
};

/// The modules that may find the processes, the likeliest first; only the chosen one, or that of a loaded MPI library.
/// A choice that is no name is passed over: its error is on its way to the other processes.
std::vector<std::string> wire_candidates(surroundings const& s);

/// The files libsheaf_wire_NAME.so to look for, in order; none of them need be there.
std::vector<std::string> module_files(std::string const& name);

/// Whether a launcher's variables are there.
bool launched(surroundings const& s) noexcept;

/// Loads the module that fits, for good, and finds the processes started together, or those of the communicator. Throws
/// option_error which lists the files tried, what was wrong with each, and the remedy.
bootstrap_ptr load_bootstrap(std::string const& chosen_library, thread_level level, void const* communicator = nullptr);

/// Collective: a wire of that module; of the one that found the processes, if empty. Throws as load_bootstrap does.
wire_ptr open_wire(bootstrap_ptr const& job, std::string const& name = {});

}  // namespace sheaf::net
