// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sheaf {

/// Base of Sheaf's exceptions, except decode_error. Sheaf throws where data, a peer or the environment is wrong; the
/// text gives the values, the legal interval and the remedy. A bug fails an assertion.
struct error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A setting (an option or a SHEAF_* variable) is not usable; thrown before any location starts.
struct option_error : error {
  using error::error;
};

/// A call is not legal: wrong context, wrong team, or an argument out of range.
struct usage_error : error {
  using error::error;
};

/// A remotely invoked method threw. The text holds the original text, the method and the locations. Sync and
/// future::get throw it at the caller. A team's fence throws it on every member for asynchronous requests: `count()` of
/// their methods threw, and the text shows the first few.
class remote_error : public error {
 public:
  explicit remote_error(std::string const& text, std::uint64_t count = 1) : error(text), count_(count) {}
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

 private:
  std::uint64_t count_;
};

/// Received bytes do not encode the expected value. The value is lost, and the reader's position is unspecified.
struct decode_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

namespace detail {

/// Second base of errors that end the job. One may pass through a method that waits, but is not that method's
/// exception: Sheaf never keeps it for a caller or a fence.
struct ends_job {};

}  // namespace detail

/// Thrown out of every wait of a location once another location has ended the job with an error. The text names that
/// location. Programs do not catch it; `sheaf::run` does.
struct job_aborted : error, detail::ends_job {
  using error::error;
};

/// Bytes came off the wire that no correct location of this build can have sent. Ends the job.
struct wire_error : error, detail::ends_job {
  using error::error;
};

/// A request came for an object that is destroyed, or was never made. Ends the job.
struct stray_request : usage_error, detail::ends_job {
  using usage_error::usage_error;
};

/// A handler of a layer, or the operation of a collective call, threw and left something half done. Ends the job.
struct callback_error : error, detail::ends_job {
  using error::error;
};

/// All locations wait, and no message under way can be executed. Thrown out of a wait of location 0; the text says who
/// waits for what. Ends the job. (The simulator throws job_aborted, with a text that begins alike.)
struct deadlock : error, detail::ends_job {
  using error::error;
};

/// A remotely invoked method called a function that waits while options::nesting_limit handlers wait here already.
/// Nothing has been sent.
struct nesting_limit : error {
  using error::error;
};

/// The text of an exception without its prefix "sheaf: ", to be appended to another text.
inline std::string_view without_prefix(std::string_view text) noexcept {
  constexpr std::string_view prefix = "sheaf: ";
  return text.substr(text.substr(0, prefix.size()) == prefix ? prefix.size() : 0);
}

}  // namespace sheaf
