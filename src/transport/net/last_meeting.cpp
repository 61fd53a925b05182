// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/last_meeting.hpp"

namespace sheaf::net {
namespace {

constexpr std::uint32_t most_named = 8;

}  // namespace

std::string text_of_missing(std::span<presence const> all, std::vector<std::uint32_t> const& missing,
                            unsigned limit_s) {
  std::string text = "the end of the job takes longer than " + std::to_string(limit_s) +
                     " s (SHEAF_FINISH_LIMIT_S), with all requests executed: ";
  if (missing.empty()) return text + "all processes have come to the last meeting, and MPI does not let them leave it";
  for (std::uint32_t i = 0; i < missing.size() && i < most_named; ++i) {
    text += (i == 0 ? "" : ", ") + locations_of(all, missing[i]);
  }
  if (missing.size() > most_named) text += " and " + std::to_string(missing.size() - most_named) + " more processes";
  return text + (missing.size() == 1 && all[missing[0]].threads == 1 ? " has" : " have") +
         " not come to the last meeting. They are stopped, or stand in code of the program that runs when a thread or "
         "an object of static storage ends";
}

last_meeting::last_meeting(engine& e, std::span<presence const> all, location_body& body, unsigned limit_s,
                           std::uint64_t grace_ns)
    : engine_(e), all_(all), body_(body), limit_s_(limit_s), grace_ns_(grace_ns), heard_before_(all.size()) {}

/// Twice, since the others may find a little later than this process that the time is up, and count from then.
void last_meeting::look(std::uint64_t now) {
  if (told_ || !body_.overdue()) return;
  if (called_at_ == 0) {
    called_at_ = now;
    for (std::uint32_t i = 0; i < all_.size(); ++i) heard_before_[i] = engine_.calls(i);
    return call_out();
  }
  std::uint64_t const waited = now - called_at_;
  if (!called_twice_ && waited >= grace_ns_ / 2) {
    called_twice_ = true;
    call_out();
  }
  if (waited < grace_ns_) return;
  std::vector<std::uint32_t> const absent = missing();
  std::uint32_t const self = engine_.job.rank();
  bool const first = self == 0 || (absent.size() >= self && absent[self - 1] == self - 1);  // of those that are there
  if (waited < (first ? grace_ns_ : 2 * grace_ns_)) return;
  told_ = true;
  engine_.job.abort(self * all_[self].threads, text_of_missing(all_, absent, limit_s_));
}

void last_meeting::call_out() {
  for (std::uint32_t i = 0; i < all_.size(); ++i) {
    if (i != engine_.job.rank()) engine_.call(i);
  }
}

std::vector<std::uint32_t> last_meeting::missing() const {
  std::vector<std::uint32_t> absent;
  for (std::uint32_t i = 0; i < all_.size(); ++i) {
    if (i != engine_.job.rank() && engine_.calls(i) == heard_before_[i]) absent.push_back(i);
  }
  return absent;
}

}  // namespace sheaf::net
