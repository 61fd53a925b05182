// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "functions.hpp"
#include "records.hpp"
#include "sheaf/base/ambient.hpp"
#include "sheaf/base/lease.hpp"
#include "sheaf/memory/detail/one_sided.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/runtime/team.hpp"

#pragma GCC visibility push(hidden)
namespace sheaf_dmcs {

/// An address as texts have it.
[[nodiscard]] std::string hex(void const* address);

/// A call whose end its caller will ask for: by a request, or as it waits. Of an async one it is on the heap.
struct open_call {
  class engine* of = nullptr;
  dmcs_request* request = nullptr;  ///< null: somebody waits, or nobody asks
  void** result = nullptr;          ///< where the answer's value goes
  std::vector<dmcs_block> into;     ///< where the data of the answer go
  function then = nullptr;          ///< of get_op
  std::uint32_t from = 0;           ///< the process that is asked
  bool is_async = false;
  bool done = false;
};

/// One process's DMCS. Whoever receives does so in a mode, which says what may take effect; what may not is queued.
///
/// Order: all that a process sends to another is in one stream. What is received is executed, or stands behind all
/// that is queued. The exception is `waiting`, which executes what accesses memory at once, and so must not leave such
/// in the queue: it begins by executing it (settle_memory). Waits of one-sided memory receive no requests.
///
/// Threads: with a lock, every function here is called by the thread that has it, but those of handlers, and `pause`.
/// So each thread is the location's own as long as it has the lock (`entered`). Who waits gives it to others in turn,
/// also in collective calls.
class engine {
 public:
  engine(sheaf::team const& on, bool with_threads);
  ~engine();
  engine& operator=(engine&&) = delete;

  /// While it lives, the calling thread may use the engine.
  class entered {
   public:
    explicit entered(engine& by) : by_(by) {
      if (by.lock_ != nullptr) by.enter(outer_);
    }
    ~entered() {
      if (by_.lock_ != nullptr) by_.leave(outer_);
    }
    entered& operator=(entered&&) = delete;

   private:
    engine& by_;
    sheaf::detail::location* outer_ = nullptr;
  };

  [[nodiscard]] std::uint32_t self() const { return team_.rank(); }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] bool has_threads() const { return lock_ != nullptr; }

  std::uint32_t add_function(function f, std::uint32_t takes) {
    check_thread();
    return functions_.add(f, takes);
  }

  // Sending.

  /// Of one thread, behind requests of the same function to the same process, in an open buffer. False: nothing has
  /// happened, and async_service does it.
  template <std::size_t N>
  bool repeat_service(int target, function f, std::array<argument, N> const& values) {
    if (static_cast<std::uint32_t>(target) >= repeats_to_) return false;
    meeting const& met = met_[static_cast<std::uint32_t>(target)];
    if (met.asked != meeting::key_of(f, N) || !met.box->takes(tags_[N])) return false;
    write_service<N>(met.box->next(sizeof(service_record<N>)), met.number, 0, values);
    return true;
  }
  template <std::size_t N>
  void async_service(int target, function f, std::array<argument, N> const& values) {
    std::uint32_t const dest = checked(target), number = number_of(f, N);
    meeting& met = met_[dest];
    sheaf::detail::outbox* const box = met.box;
    if (box == nullptr) [[unlikely]]
      return send_service<N>(meet(dest), number, 0, values);
    met.asked = meeting::key_of(f, N);
    met.number = number;
    constexpr std::uint32_t bytes = sizeof(service_record<N>);
    bool const at_once = box->takes(tags_[N]) || lock_ == nullptr;
    std::byte* const at = at_once ? box->append(tags_[N], bytes) : append_in_turns(*box, tags_[N], bytes, bytes);
    write_service<N>(at, number, 0, values);
  }
  template <std::size_t N>
  void sync_service(char const* what, int target, function f, std::array<argument, N> const& values) {
    std::uint32_t const dest = checked(target), number = number_of(f, N);
    open_call call;
    send_service<N>(box_of(dest), number, open(call, dest), values);
    finish(what, call);
  }
  void flush();

  /// What a data call is to do: between blocks there and blocks here.
  struct work {
    operation kind{};
    std::span<dmcs_block const> there;
    std::span<dmcs_block const> here;
    std::uint64_t total = 0;
    function f = nullptr;  ///< of put_op and get_op
  };
  void async_put(int target, work const& of, dmcs_request* request);
  void sync_put(char const* what, int target, work const& of);
  void async_get(int target, work const& of, dmcs_request* request);
  void sync_get(char const* what, int target, work const& of);
  void* allocate(char const* what, int target, std::size_t bytes);
  void async_allocate(int target, std::size_t bytes, void** result, dmcs_request* request);
  void free(int target, void* memory, char const* sync);  ///< `sync`: the function that waits; null: none does

  [[nodiscard]] bool is_complete(dmcs_request const& request) const { return check(request), request.open == 0; }
  void wait_for(char const* what, dmcs_request const& request);

  // Polling, and collectives.
  int poll(char const* what);
  void barrier(char const* what);
  void fence(char const* what, bool is_last = false);

  // Receiving, for the handlers of records.
  template <std::size_t N>
  void receive_services(sheaf::detail::execution& state);
  void receive_data(sheaf::detail::execution& state);
  void receive_ops(sheaf::detail::execution& state);
  /// The answer to an open call has come.
  void end(open_call& call, answer_head const& answer, std::byte const* data);

 private:
  /// `taking`: a call that sends receives to get room: nothing takes effect. `waiting`: what accesses memory does.
  /// `polling`: all does, in order.
  enum class mode : std::uint8_t { taking, waiting, polling };

  /// What was received and is not executed. Kinds up to 4: a run of services with as many arguments. Else one record,
  /// or none: what accessed memory, and was executed earlier than what is in front of it.
  struct item {
    static constexpr std::uint32_t op = takes_data, data = 6, call = 7, none = 8;
    std::uint32_t kind = none;
    std::uint32_t source = 0;
    bool is_memory = false;        ///< it accesses memory, and calls no handler
    std::vector<std::byte> bytes;  ///< records
    std::vector<std::byte> taken;  ///< the data of one that had them at the sender
    function then = nullptr;       ///< kind call: of get_op
    dmcs_block with{};
  };

  /// With another process, since the last poll or wait: the first message leaves at once, those behind it gather.
  struct meeting {
    sheaf::detail::outbox* box = nullptr;  ///< null: nothing was sent
    std::uint64_t asked = ~0ULL;           ///< key of the function whose request was sent last; ~0 is no key
    std::uint32_t number = 0;              ///< its number

    /// Addresses have less than 61 bits.
    static std::uint64_t key_of(function f, std::uint32_t takes) {
      return reinterpret_cast<std::uintptr_t>(f) * 8 + takes;
    }
  };

  void enter(sheaf::detail::location*& outer);
  void leave(sheaf::detail::location* outer);
  [[nodiscard]] std::uint32_t checked(int target) const {
    if (static_cast<std::uint32_t>(target) >= count_) [[unlikely]]
      refuse_target(target);
    return static_cast<std::uint32_t>(target);
  }
  [[noreturn, gnu::cold]] void refuse_target(int target) const;
  [[nodiscard]] std::uint32_t number_of(function f, std::uint32_t takes) const {
    std::uint32_t const number = functions_.number_of(f, takes);
    if (number == function_table::none) [[unlikely]]
      refuse_function(f, takes);
    return number;
  }
  [[noreturn, gnu::cold]] void refuse_function(function f, std::uint32_t takes) const;
  [[noreturn, gnu::cold]] void refuse_number(std::uint32_t number, std::uint32_t takes, std::uint32_t source) const;

  /// Of the first message to that process since the last poll or wait.
  [[nodiscard]] sheaf::detail::outbox& meet(std::uint32_t dest) {
    check_thread();
    met_list_.push_back(dest);
    return *(met_[dest].box = &box_of(dest));
  }
  [[nodiscard]] sheaf::detail::outbox& box_of(std::uint32_t dest) {
    sheaf::detail::outbox& known = state_.boxes.at(dest);
    return &known == &sheaf::detail::member_boxes::unmet ? here_.member_box(state_, dest) : known;
  }
  void begin_anew() {
    for (std::uint32_t const dest : met_list_) met_[dest] = {};
    met_list_.clear();
  }
  template <std::size_t N>
  void send_service(sheaf::detail::outbox& box, std::uint32_t number, std::uint32_t token,
                    std::array<argument, N> const& values) {
    constexpr std::uint32_t bytes = sizeof(service_record<N>);
    if (may_need_room(box)) [[unlikely]] {
      write_service<N>(append_in_turns(box, tags_[N], bytes, bytes), number, token, values);
      return box.flush();
    }
    std::byte entry[sheaf::run_header::wire_bytes + bytes];
    write_service<N>(entry + sheaf::run_header::wire_bytes, number, token, values);
    box.send_urgent(tags_[N], entry);
  }
  /// `write` gets the record's place. `alone`: it leaves at once.
  template <class Write>
  void send_record(sheaf::detail::outbox& box, sheaf::run_tag tag, std::size_t bytes, bool alone, Write const& write) {
    if (alone && !may_need_room(box)) return box.send_at_once(tag, bytes, write);
    bool const at_once = box.takes(tag, bytes) || lock_ == nullptr;
    write(at_once ? box.append_varying(tag, bytes) : append_in_turns(box, tag, bytes, 0));
    if (alone) box.flush();
  }
  /// What goes behind what an outbox holds may wait for room. With threads it must do so without the lock.
  [[nodiscard]] bool may_need_room(sheaf::detail::outbox const& box) const {
    return lock_ != nullptr && (box.data != nullptr || box.pair().blocked);
  }
  std::uint32_t open(open_call& call, std::uint32_t dest);
  void finish(char const* what, open_call& call);
  [[nodiscard]] bool is_by_place(std::uint32_t dest, work const& of) const;
  void send_op(std::uint32_t dest, work const& of, std::uint32_t token);
  void send_data(std::uint32_t dest, work const& of, std::uint32_t token, bool by_place, bool is_sync);
  open_call* open_async(std::uint32_t dest, dmcs_request* request);

  template <class Done>
  void wait(char const* what, std::uint32_t on, Done const& done);
  void take_in();
  template <class Done>
  void wait_in_turns(mode as, Done const& done);
  /// Room for a record. While there is none, other threads go on.
  [[nodiscard]] std::byte* append_in_turns(sheaf::detail::outbox& box, sheaf::run_tag tag, std::size_t bytes,
                                           std::uint32_t each);
  void check(dmcs_request const& request) const;
  void let_others_in(std::uint32_t round);
  void pause(std::uint32_t round) const;

  template <std::size_t N>
  std::uint64_t call_services(std::uint32_t source, std::byte const*& at, std::byte const* const& end);
  void catch_up();
  void take_data(std::uint32_t source, data_record const& record);
  void keep_data(std::uint32_t source, data_record record);
  std::uint64_t execute(item const& one);
  void execute_data(std::uint32_t source, data_record const& record, std::byte const* data);
  void store(std::uint32_t source, data_record const& record, std::byte const* data);
  void call_with_data(std::uint32_t source, data_record const& record, std::byte const* data);
  void call_data_function(std::uint32_t source, std::uint32_t number, std::byte const* data, std::size_t bytes);
  void bring(std::uint32_t source, data_record const& record);
  void take_over(std::uint32_t source, data_record const& record, std::byte* to);
  void answer(std::uint32_t source, std::uint32_t token, std::uint64_t value = 0);
  std::uint64_t allocate_here(std::size_t bytes);
  void free_here(void* memory);
  bool run_next(std::uint64_t& executed);
  std::uint64_t run_queue() { return queue_.empty() ? 0 : run_all(); }
  std::uint64_t run_all();
  void settle_memory();
  int poll_in_turns();
  void fence_in_turns(char const* what, bool is_last);
  /// Of calls that can afford it: the others find out when they wait, or need a buffer.
  void check_thread() const {
    if (sheaf::detail::ambient_location != &here_) [[unlikely]]
      refuse_thread();
  }
  [[noreturn, gnu::cold]] static void refuse_thread();
  void check_outside(char const* what) {
    check_thread();
    if (in_handlers() != 0) [[unlikely]]
      refuse_in_handler(what);
  }
  [[noreturn, gnu::cold]] static void refuse_in_handler(char const* what);
  /// Handlers in which the calling thread is.
  [[nodiscard]] std::uint32_t& in_handlers() { return lock_ == nullptr ? in_handlers_ : in_handlers_of_thread; }
  /// Whether what is received now may be executed at once.
  [[nodiscard]] bool is_direct() const { return mode_ == mode::polling && queue_.empty() && lock_ == nullptr; }

  /// While it lives, other threads may enter.
  class released {
   public:
    explicit released(engine& by) : by_(by) { by.leave(nullptr); }
    ~released() {
      sheaf::detail::location* outer = nullptr;
      by_.enter(outer);
    }
    released& operator=(released&&) = delete;

   private:
    engine& by_;
  };

  sheaf::team const& team_;
  sheaf::detail::location& here_;
  sheaf::detail::team_state& state_;
  sheaf::detail::one_sided& memory_;
  std::uint32_t const count_;
  std::uint32_t object_ = 0;
  function_table functions_;
  std::array<sheaf::run_tag, 7> tags_;  // by the kind of item
  std::uint32_t const repeats_to_;      // processes, where repeat_service may do it; 0 with threads
  std::vector<meeting> met_;            // by process
  std::vector<std::uint32_t> met_list_;
  mode mode_ = mode::taking;
  std::deque<item> queue_;
  std::size_t queued_memory_ = 0;  // of these, those that access memory
  std::uint64_t popped_ = 0;       // all that have left its front
  std::uint64_t settled_ = 0;      // of all that were ever queued, the first that may access memory
  std::uint64_t executed_ = 0;
  std::unordered_map<std::uint64_t, std::size_t> allocated_;  // by address: bytes
  std::uint32_t in_handlers_ = 0;
  static inline constinit thread_local std::uint32_t in_handlers_of_thread = 0;
  std::span<std::byte const> in_place_;  // what the running handler reads in the buffer in which it came
  sheaf::lease kept_;                    // that buffer, if the handler has waited
  std::uint32_t running_ = 0;            // handlers that threads run without the lock
  std::unique_ptr<std::mutex> lock_;
  std::atomic<std::uint32_t> wanting_{0};  // threads that want it
};

}  // namespace sheaf_dmcs
#pragma GCC visibility pop
