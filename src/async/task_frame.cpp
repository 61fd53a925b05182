// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/async/detail/task_frame.hpp"

#include "base/call_text.hpp"

namespace sheaf::detail {

void throw_used(packed_call_site where) {
  throw usage_error("sheaf: this future or task was used already or is empty; get(), then() and co_await use it up" +
                    called_at(where));
}

void frame_list::add(task_frame& frame) noexcept {
  admission const inside(gate_);
  frame.in_ = this;
  frame.next_kept_ = first_;
  frame.previous_kept_ = nullptr;
  if (first_ != nullptr) first_->previous_kept_ = &frame;
  first_ = &frame;
}

void frame_list::remove(task_frame& frame) noexcept {
  admission const inside(gate_);
  frame.in_ = nullptr;
  if (frame.next_kept_ != nullptr) frame.next_kept_->previous_kept_ = frame.previous_kept_;
  (frame.previous_kept_ != nullptr ? frame.previous_kept_->next_kept_ : first_) = frame.next_kept_;
}

template <class Wanted>
task_frame* frame_list::first_of(Wanted wanted) const noexcept {
  admission const inside(gate_);
  task_frame* frame = first_;
  while (frame != nullptr && !wanted(*frame)) frame = frame->next_kept_;
  return frame;
}

bool frame_list::has_one_of(void const* object) const noexcept {
  return first_of([&](task_frame const& each) { return each.object == object; }) != nullptr;
}

bool frame_list::has(task_frame const* frame) const noexcept {
  return first_of([&](task_frame const& each) { return &each == frame; }) != nullptr;
}

void frame_list::end_those_of(void const* object) noexcept {
  auto const ends = [&](task_frame const& each) {
    return !each.running_ && (object == nullptr || each.object == object);
  };
  // Outside of the gate, since it calls destructors; and each from the first on, since others may go with it.
  while (task_frame* const frame = first_of(ends)) {
    frame->keeper_->end(*frame, object == nullptr ? frame_end::stopped : frame_end::abandoned);
  }
}

void task_frame::unhandled_exception() noexcept {
  thrown_ = std::current_exception();
  may_be_told_late(unanswered);
  try {
    throw;
  } catch (ends_job const&) {
    ends_job_ = true;
  } catch (...) {
  }
}

void task_frame::resume() {
  running_ = true;
  self_.resume();
  if (!ready() && abandoned_) return destroy();
  if (!ready()) return;
  if (keeper_ != nullptr) return keeper_->end(*this, frame_end::ended);
  told_ = ends_job_;
  std::exception_ptr const fatal = told_ ? thrown_ : nullptr;
  if (abandoned_) abandon();
  if (fatal != nullptr) std::rethrow_exception(fatal);
}

void task_frame::abandon() noexcept {
  if (running_) {
    abandoned_ = true;
  } else if (ready() && thrown_ != nullptr && !told_ && services != nullptr) {
    tell_lost();
  } else {
    destroy();
  }
}

/// What nobody has asked for is thrown where the location keeps such errors.
void task_frame::tell_lost() {
  auto const throw_it = [](void* context) {
    task_frame& self = *static_cast<task_frame*>(context);
    std::exception_ptr const thrown = self.thrown_;
    std::uint64_t const* const counted_by = self.unanswered;
    self.destroy();
    call_telling([&] { std::rethrow_exception(thrown); },
                 [&](char const* why) { throw unseen_error(why, counted_by); });
  };
  object = nullptr;
  static constexpr frame_keeper last{[](task_frame& self, frame_end) {
    self.services->recall(&self);
    self.destroy();
  }};
  keeper_ = &last;
  services->keep_for(*this, throw_it);
}

void task_frame::destroy() noexcept {
  if (in_ != nullptr) in_->remove(*this);
  self_.destroy();
}

}  // namespace sheaf::detail
