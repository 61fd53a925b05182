// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "sheaf/async/future.hpp"
#include "sheaf/message/codec.hpp"
#include "sheaf/message/open_calls.hpp"

namespace sheaf::detail {

/// Arguments and results of at most so many bytes are kept on the stack.
inline constexpr std::size_t most_on_stack = 256;

/// Where the reply of a blocking request lands: on the caller's stack, unless it is large. If its wait ends by an
/// exception, it leaves the table. Made, used and ended inside the gate.
template <class R>
class blocking_reply {
 public:
  explicit blocking_reply(reply_table& in) : table_(in), token_(in.add(&fill, this)) {}
  ~blocking_reply() {
    if (!ready_) table_.take(token_);
    if (has_value_) value_.destroy();
  }
  blocking_reply& operator=(blocking_reply&&) = delete;

  [[nodiscard]] std::uint32_t token() const { return token_; }
  [[nodiscard]] bool ready() const { return ready_; }
  R take() {
    if (!has_value_) throw remote_error(error_);
    if constexpr (!std::is_void_v<R>) return std::move(value_.get());
  }

 private:
  using stored_type = stored<R>;

  static void fill(void* where, reply_status status, byte_reader& bytes) {
    auto& self = *static_cast<blocking_reply*>(where);
    if (status == reply_status::none) return;
    if (status == reply_status::value) {
      self.value_.keep([&] { return codec<stored_type>::decode(bytes); });
      self.has_value_ = true;
    } else {
      self.error_ = codec<std::string>::decode(bytes);
    }
    self.ready_ = true;
  }

  reply_table& table_;
  std::uint32_t const token_;
  bool ready_ = false;
  bool has_value_ = false;
  result_room<stored_type, sizeof(stored_type) <= most_on_stack> value_;
  std::string error_;
};

}  // namespace sheaf::detail
