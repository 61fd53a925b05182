// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "memory/served_format.hpp"
#include "sheaf/memory/detail/one_sided.hpp"
#include "sheaf/transport/side_wire.hpp"

namespace sheaf::detail {

/// What one location has asked other processes to do with their memory. Orders for one process travel in order and are
/// done in order, and so are their answers; so an answer says that all before it is done. Any thread that acts for the
/// location may ask; the thread that takes the wire's messages in brings the answers.
class served_requests {
 public:
  /// In flight to one location: a put waits until less is.
  static constexpr std::uint64_t window = std::uint64_t{4} << 20;

  served_requests(location& here, side_wire& wire) : here_(here), wire_(wire) {}
  served_requests& operator=(served_requests&&) = delete;
  ~served_requests() = default;

  void put(location_id where, strided const& remote, const_strided const& local);
  void add(location_id where, element_kind of, strided const& remote, const_strided const& local, void const* scale);
  /// The values are at `local` once all that was asked of that location has been answered.
  void get(location_id where, const_strided const& remote, strided const& local);
  std::uint64_t change(place const& at, std::size_t bytes, change_kind how, std::uint64_t operand,
                       std::uint64_t expected);
  /// 0: it has none.
  [[nodiscard]] std::uint64_t allocate(location_id where, std::size_t bytes);
  void deallocate(place const& at, std::size_t bytes);

  /// Orders wait for each other while this is more than 0, and go when it is 0 again, or for want of room.
  void gather(int delta);

  /// Which answer of that location says that all asked until now is done; asks for one where none will.
  [[nodiscard]] std::uint64_t mark(location_id where);
  [[nodiscard]] bool has_come(location_id where, std::uint64_t answer);
  /// Returns when it has come. Executes no requests.
  void wait(location_id where, std::uint64_t answer);
  /// For each location that was asked something since the last call.
  void wait_all();

  /// The server's: an answer for this location. False: it is damaged.
  [[nodiscard]] bool answered(served_order const& order);
  /// The server's: where the data of such an answer belong, if they lie in a row; else null. The place stays until the
  /// answer has come.
  [[nodiscard]] std::byte* place_of(served_head const& answer);

 private:
  struct asked_location {
    std::uint64_t asked = 0;                 ///< answers
    std::atomic<std::uint64_t> answered{0};  ///< of these, those that have come
    std::uint64_t unasked = 0;               ///< bytes of orders since the last that wants an answer
    bool done = true;                        ///< the last order wants an answer, or there was none
    std::atomic<std::uint64_t> in_flight{0};
  };
  /// What an answer brings, and where to.
  struct slot {
    strided to;
    std::vector<std::size_t> counts;
    std::vector<std::ptrdiff_t> steps;
    std::uint64_t left = 0;         ///< bytes; 0: a word
    std::uint64_t* word = nullptr;  ///< for the old word, or the address
    bool used = false;
  };

  asked_location& asked(location_id where);
  void order(asked_location& to, location_id where, served_head head, const_strided const& part,
             const_strided const& data, bool wants_answer);
  void transfer(location_id where, served_head head, const_strided const& remote, const_strided const& data);
  std::uint64_t ask_word(location_id where, served_head head, const_strided const& part);
  std::uint32_t take_slot(slot&& with);
  slot* awaits(served_head const& answer);
  bool fill(served_order const& answer);
  void send();
  void has_put(location_id where);
  void rest(std::uint32_t round);

  location& here_;
  side_wire& wire_;
  std::mutex mutex_;  ///< of slots_ and asked_, which the server uses, too; the rest is used inside the gate
  std::unordered_map<std::uint32_t, std::unique_ptr<asked_location>> asked_;
  std::vector<slot> slots_;
  std::vector<std::uint32_t> free_slots_;
  std::vector<std::byte> message_;  ///< being made
  std::uint32_t message_to_ = 0;    ///< the process
  int gathering_ = 0;
  std::vector<location_id> gathered_;  ///< what has been put since, is for these
};

}  // namespace sheaf::detail
