// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "message/router.hpp"
#include "runtime/wave.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/message/detection.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/message/sparse_table.hpp"

/// Termination detectors: the decisions that make a fence right. docs/internals/fence.md proves them.
///
/// A fence_machine has each member take a cut where it has nothing to do, then a wave add up what the cuts tell; it
/// does so again until the detector says that the fence has ended. Each detector is a class like sound_detector, from
/// which it takes what it does not change.
namespace sheaf::detail {

/// What a cut tells beside its balance.
enum cut_flag : std::uint8_t {
  cut_late = 1,        ///< executed, since the last cut, a request that was sent after its sender's next cut
  cut_error = 2,       ///< a handler of the team threw here since the last fence
  cut_moved = 4,       ///< sent or executed something since the last fence
  cut_active = 8,      ///< sent or executed something since the last cut
  cut_unbalanced = 16  ///< had not executed what another has sent to it, or more
};

/// Whether an exception of the scope's handlers is kept here; for the world, of any team's.
bool keeps_errors(location& here, team_state& team, scope_counts& of);

/// A cut, whose wave has this number in its fence.
struct cut_of {
  operation& fence;
  scope_counts& counts;
  std::uint16_t wave;
};

template <class T>
std::span<std::byte> bytes_of_one(T& one) {
  return std::as_writable_bytes(std::span(&one, 1));
}

/// As a message has told it.
inline std::uint32_t checked_rank(std::uint64_t rank, team_state const& team) {
  if (rank < team.size()) return static_cast<std::uint32_t>(rank);
  throw wire_error("sheaf: a message of an epoch's end names member " + std::to_string(rank) + " of " +
                   std::to_string(team.size()) + "; the processes run different builds, or memory was overwritten");
}

/// The coloured wave.
struct sound_detector {
  static constexpr int most_steps = 4096;

  /// A fence begins; what its waves reduce, given what the program's reduces or null.
  static fence_value* begin(detection, fence_value* users) { return users; }

  /// Executes what is there. Whether the member may take its cut then; if not, it steps, and may rest. Not in handlers.
  ///
  /// The first cut is taken without a look where the last fence found that nobody had done anything, and nothing has
  /// happened here since. The look has an end, since what belongs to no scope may go on for ever beside its fence.
  static bool settled(location& here, team_state& team, scope_counts& of) {
    bool const calm = std::exchange(of.calm, false) && progress(here, of) == of.fenced_at;
    if (calm && here.in().quiet(team)) return true;
    for (int left = most_steps; left != 0;) {
      while (left != 0 && here.step()) --left;
      if (here.out().empty()) break;
      bool const counted = here.out().routes.all_counted();
      here.out().flush(flush_reason::fence);
      if (counted) break;
      if (!here.out().routes.all_counted()) return false;  // credit must come first
    }
    return here.in().quiet(team);
  }

  /// A number that changes with whatever the next cut would tell.
  static std::uint64_t progress(location&, scope_counts const& of) { return of.sent + of.executed; }

  static wave_sum cut(location& here, team_state& team, scope_counts& of) {
    wave_sum own{of.sent - of.executed, 0};
    if (of.late) own.flags |= cut_late;
    if (keeps_errors(here, team, of)) own.flags |= cut_error;
    if (progress(here, of) != of.fenced_at) own.flags |= cut_moved;
    of.late = false;
    ++of.colour;
    here.in().look_at_held();
    return own;
  }

  /// After the cut: whether this member may begin the wave. Not again, once it may.
  static bool gather(cut_of const&, wave_sum&) { return true; }

  /// From the cut until the wave has ended: what others need to begin it.
  static void serve(cut_of const&) {}

  static bool ends(wave_sum const& sum) { return sum.balance == 0 && (sum.flags & cut_late) == 0; }

  /// Whether all take their next cuts at once, though no counts need to change.
  static bool repeats(wave_sum const& sum) { return (sum.flags & cut_late) != 0; }
};

/// A fence beside which its caller does something else takes its cuts where requests may run, but executes none itself.
/// Continuations that are due come first, and what was sent has left. No handler waits beneath: the rest of its run may
/// have been executed and counted.
struct beside_detector : sound_detector {
  static bool settled(location& here, team_state& team, scope_counts& of) {
    of.calm = false;
    if (!here.out().empty()) here.out().flush(flush_reason::fence);
    return here.in().quiet(team, true);
  }
};

/// Mattern's four counters: two waves, of which the first one's executed requests are all that the second one finds
/// sent. The sums travel in front of the program's value.
template <class Base>
class four_counter : public Base {
 public:
  fence_value* begin(detection, fence_value* users) {
    users_ = users;
    carried_.bytes = sizeof(sums) + (users == nullptr ? 0 : users->bytes);
    carried_.own = carried_.op = this;
    carried_.own_to = nullptr;  // the cut writes it
    carried_.add_to = [](void const* self, std::byte* mine, std::byte const* theirs) {
      static_cast<four_counter const*>(self)->add(mine, theirs);
    };
    return &carried_;
  }

  wave_sum cut(location& here, team_state& team, scope_counts& of) {
    write(carried_.longer, {of.sent, of.executed});
    if (users_ != nullptr) std::memcpy(carried_.longer + sizeof(sums), users_->longer, users_->bytes);
    return Base::cut(here, team, of);
  }

  bool ends(wave_sum const&) {
    sums const now = read(carried_.longer);
    if (users_ != nullptr) std::memcpy(users_->longer, carried_.longer + sizeof(sums), users_->bytes);
    bool const over = before_ && before_->executed == now.sent;
    before_ = now;
    return over;
  }

  [[nodiscard]] bool repeats(wave_sum const&) const { return before_->sent == before_->executed; }

 private:
  struct sums {
    std::uint64_t sent, executed;
  };
  static sums read(std::byte const* from) {
    sums s;
    std::memcpy(&s, from, sizeof s);
    return s;
  }
  static void write(std::byte* to, sums s) { std::memcpy(to, &s, sizeof s); }

  void add(std::byte* mine, std::byte const* theirs) const {
    sums const a = read(mine), b = read(theirs);
    write(mine, {a.sent + b.sent, a.executed + b.executed});
    if (users_ != nullptr) users_->add_to(users_->op, mine + sizeof(sums), theirs + sizeof(sums));
  }

  fence_value carried_;
  fence_value* users_ = nullptr;
  std::optional<sums> before_;  // of the wave before
};

/// A wave of sums and, where they are equal, one that only asks whether anybody has been active since its last cut.
template <class Base>
class sinha_kale_ramkumar : public Base {
 public:
  wave_sum cut(location& here, team_state& team, scope_counts& of) {
    wave_sum own = Base::cut(here, team, of);
    if (std::exchange(seen_, Base::progress(here, of)) != Base::progress(here, of)) own.flags |= cut_active;
    return own;
  }
  bool ends(wave_sum const& sum) {
    bool const asks = std::exchange(asks_, !asks_ && sum.balance == 0);
    again_ = asks || asks_;
    return asks && (sum.flags & cut_active) == 0;
  }
  [[nodiscard]] bool repeats(wave_sum const&) const { return again_; }

 private:
  std::uint64_t seen_ = 0;  // progress at the last cut
  bool asks_ = false;       // the next wave is of the second kind
  bool again_ = false;
};

/// Mattern's channel counting: one wave is enough in which, for each pair of members, the receiver had executed at its
/// cut as many requests as the sender had sent at its own.
template <class Base>
class channel_counting : public Base {
 public:
  static bool repeats(wave_sum const&) { return false; }
  static bool ends(wave_sum const& sum) { return (sum.flags & cut_unbalanced) == 0; }

  bool gather(cut_of const& at, wave_sum& own) {
    team_state const& team = at.fence.team();
    if (!std::exchange(told_, true)) tell(at, team);
    for (told one; missing_ != 0 && at.fence.take(at.wave, channel_step, bytes_of_one(one)); --missing_)
      unbalanced_ = unbalanced_ || one.sent != executed_[checked_rank(one.rank, team)];
    if (missing_ != 0) return false;
    told_ = false;
    if (unbalanced_) own.flags |= cut_unbalanced;
    return true;
  }

 private:
  static constexpr std::uint8_t channel_step = 64;
  struct told {
    std::uint64_t sent = 0, rank = 0;
  };

  void tell(cut_of const& at, team_state const& team) {
    auto const of = [&](std::uint32_t rank) {
      peer_counts const* const known = at.counts.find_peer(number(team.members[rank]));
      constexpr std::size_t all = run_scope::any_depth;
      return known == nullptr ? std::pair<std::uint64_t, std::uint64_t>()
                              : std::pair(known->sent[all], known->executed[all]);
    };
    unbalanced_ = of(team.rank).first != of(team.rank).second;
    executed_.assign(team.size(), 0);
    missing_ = team.size() - 1;
    for (std::uint32_t i = 1; i < team.size(); ++i) {
      std::uint32_t const rank = (team.rank + i) % team.size();
      auto const [sent, executed] = of(rank);
      executed_[rank] = executed;
      told own{sent, team.rank};
      at.fence.send(rank, at.wave, channel_step, bytes_of_one(own));
    }
  }

  bool told_ = false;
  bool unbalanced_ = false;
  std::uint32_t missing_ = 0;
  std::vector<std::uint64_t> executed_;  // at the cut, by rank
};

/// Of a nesting depth d: d+1 times, first an acknowledgement of each member to which something has been sent, then a
/// barrier, behind which all requests of one more generation have finished, and so those of the next one are sent. The
/// acknowledgements tell errors, since a member may enter the barrier before it has executed what others have sent to
/// it. So the program's value needs a wave behind the last barrier.
template <class Base>
class depth_detector : public Base {
 public:
  fence_value* begin(detection how, fence_value* users) {
    generation_ = run_scope::deepest - how.depth;
    last_ = run_scope::deepest + (users == nullptr ? 0U : 1U);
    return users;
  }

  static bool settled(location& here, team_state& team, scope_counts& of) {
    if (!Base::settled(here, team, of)) return false;
    if (has_executed_its_own(of, number(here.id()))) return true;
    here.in().look_at_held();
    return false;
  }

  bool gather(cut_of const& at, wave_sum& own) {
    if (!std::exchange(asked_, true)) ask(at);
    for (std::byte flags; missing_ != 0 && at.fence.take(at.wave, answer_step, {&flags, 1}); --missing_)
      own.flags |= std::to_integer<std::uint8_t>(flags);
    return missing_ == 0;
  }

  /// Who asks in this wave gets its answer once all that it had sent in this generation has finished here: executed,
  /// with its coroutines and continuations, and no handler waits beneath, whose run may count as executed already.
  void serve(cut_of const& at) {
    for (question one; at.fence.take(at.wave, ask_step, bytes_of_one(one));) unanswered_.push_back(one);
    if (unanswered_.empty()) return;
    location& here = at.fence.here();
    team_state& team = at.fence.team();
    if (!here.out().empty()) here.out().flush(flush_reason::fence);
    if (!here.in().quiet(team, true) || !has_executed_its_own(at.counts, number(here.id()))) return;
    std::erase_if(unanswered_, [&](question const& one) {
      std::uint32_t const rank = checked_rank(one.rank, team);
      peer_counts const* const from = at.counts.find_peer(number(team.members[rank]));
      std::uint64_t const executed = from == nullptr ? 0 : from->executed[generation_];
      if (static_cast<std::int64_t>(executed - one.sent) < 0) return false;
      auto const flags = static_cast<std::byte>(keeps_errors(here, team, at.counts) ? cut_error : 0);
      at.fence.send(rank, at.wave, answer_step, {&flags, 1});
      return true;
    });
  }

  bool ends(wave_sum const&) {
    asked_ = false;
    return generation_++ == last_;
  }
  static bool repeats(wave_sum const&) { return true; }

 private:
  static constexpr std::uint8_t ask_step = 64, answer_step = 65;
  struct question {
    std::uint64_t sent = 0, rank = 0;
  };

  static bool has_executed_its_own(scope_counts& of, std::uint32_t self) {
    peer_counts const* const own = of.find_peer(self);
    return own == nullptr || own->is_balanced();
  }

  void ask(cut_of const& at) {
    if (generation_ > run_scope::deepest) return;  // the value's wave
    team_state const& team = at.fence.team();
    at.counts.peers().each([&](std::uint32_t location, peer_counts& to) {
      std::uint64_t const sent = to.sent[generation_];
      if (sent == std::exchange(to.asked[generation_], sent)) return;
      std::uint32_t const rank = team.members.rank_of(location_id{location});
      if (rank == team.rank) return;
      question own{sent, team.rank};
      at.fence.send(rank, at.wave, ask_step, bytes_of_one(own));
      ++missing_;
    });
  }

  std::uint32_t generation_ = 0;  // of this wave
  std::uint32_t last_ = 0;
  bool asked_ = false;  // for this wave
  std::uint32_t missing_ = 0;
  std::vector<question> unanswered_;
};

/// Calls use(type_identity) with the detector's class.
template <class Base>
auto with_detector(detector by, auto use) {
  switch (by) {
    case detector::depth:
      return use(std::type_identity<depth_detector<Base>>{});
    case detector::four_counter:
      return use(std::type_identity<four_counter<Base>>{});
    case detector::channel_counting:
      return use(std::type_identity<channel_counting<Base>>{});
    case detector::sinha_kale_ramkumar:
      return use(std::type_identity<sinha_kale_ramkumar<Base>>{});
    case detector::coloured_wave:
      break;
  }
  return use(std::type_identity<Base>{});
}

}  // namespace sheaf::detail
