// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sheaf {

/// The base of the exceptions that Sheaf throws (decode_error is none). What depends on data, on a peer or on the
/// environment is an exception with the values, the legal interval and the remedy in its text; a bug asserts.
struct error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A setting (an option or a SHEAF_* variable) is not usable; thrown before any location starts.
struct option_error : error {
  using error::error;
};

/// A public function was called where it may not be: wrong context, wrong team, wrong number of a location.
struct usage_error : error {
  using error::error;
};

/// A remotely invoked method threw. The text holds the original text, the method and the locations. Thrown by sync
/// and future::get at the caller; by a team's fence on every member for asynchronous requests (then `count` of them
/// threw and the text shows the first few).
class remote_error : public error {
 public:
  explicit remote_error(std::string const& text, std::uint64_t count = 1) : error(text), count_(count) {}
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

 private:
  std::uint64_t count_;
};

/// Received bytes are no encoding of what was expected. That value is gone; how far the reader has come is unspecified.
struct decode_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

namespace detail {

/// A part of errors that end the job wherever they come up. One may be thrown into a method that waits, whose own
/// exception it is not: nothing of Sheaf keeps it for a caller or a fence.
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

/// All locations wait, and nothing is under way: thrown out of a wait of location 0; says who waits for what. Ends the
/// job.
struct deadlock : error, detail::ends_job {
  using error::error;
};

/// A wait was issued in a handler although options::nesting_limit handlers wait here already. Nothing has been sent.
struct nesting_limit : error {
  using error::error;
};

/// The text of an exception without the "sheaf: " in front, to be put behind words of ours.
inline std::string_view without_prefix(std::string_view text) noexcept {
  constexpr std::string_view prefix = "sheaf: ";
  return text.substr(text.substr(0, prefix.size()) == prefix ? prefix.size() : 0);
}

}  // namespace sheaf
