// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "harness/explorer.hpp"

#include <algorithm>
#include <exception>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "transport/sim/scheduler.hpp"

namespace sheaf_test {

using namespace sheaf;  // NOLINT: what is explored
using detail::step;
using detail::step_kind;
using detail::step_set;

replay_schedule::replay_schedule(std::string const& choices) {
  std::istringstream numbers(choices);
  for (std::uint32_t value = 0; numbers >> value; numbers.ignore()) choices_.push_back(value);
  if (text() != choices) throw std::invalid_argument(choices + " is no sequence of choices; write 0.2.1 or the like");
}

std::uint32_t replay_schedule::choose(std::uint32_t alternatives) {
  std::size_t const i = taken_++;
  if (i >= choices_.size()) return static_cast<std::uint32_t>((i - choices_.size()) % alternatives);
  return std::min(choices_[i], alternatives - 1);
}

std::string replay_schedule::text() const {
  std::string joined;
  for (std::uint32_t const c : choices_) {
    if (!joined.empty()) joined += '.';
    joined += std::to_string(c);
  }
  return joined;
}

namespace {

// Beside the label of a step that sleeps: it does not commute with steps on watched links.
constexpr std::uint64_t watched_mark = std::uint64_t{1} << 63;
constexpr std::uint64_t awake = ~std::uint64_t{0};  // in place of the label of a step that does not sleep

bool is(std::uint64_t label, step_kind kind) noexcept { return step::kind_of(label) == kind; }

/// Of a location that has returned; but a message of the side wire is answered all the same.
bool without_effect(step const& s) noexcept { return s.owner->finished && !is(s.label, step_kind::aside); }

std::uint32_t first_without_effect(step_set const& possible) noexcept {
  std::uint32_t i = 0;
  while (i < possible.size() && !without_effect(possible[i])) ++i;
  return i;
}

// `watched`: one of the two saw the fill of a link of its location.
bool commute(std::uint64_t a, std::uint64_t b, bool watched) noexcept {
  // A server changes memory that any location of its process looks at, and sends by lines that these use, too.
  if (is(a, step_kind::aside) || is(b, step_kind::aside)) return false;
  if (step::owner_of(a) != step::owner_of(b)) return true;
  bool const credit = is(a, step_kind::credit) || is(b, step_kind::credit);
  if (is(a, step_kind::run) || is(b, step_kind::run)) return credit && !watched;
  return credit || step::class_of(a) != step::class_of(b);
}

/// Enumerates the decisions of a plain play depth first. Every run repeats the decisions of the last one up to some
/// point, where it takes the next alternative.
///
/// Sleep sets (P. Godefroid, Partial-Order Methods for the Verification of Concurrent Systems, LNCS 1032, 1996, ch. 5):
/// once all runs that continue with a step have been made, that step sleeps in the continuations by its siblings until
/// one that does not commute with it is taken, for until then taking it leads to what was seen already. A run in which
/// every possible step sleeps is played to its end by any decisions and counts as repeated.
///
/// Steps that change different locations commute. At one location these do: credits with each other and with arrivals;
/// arrivals of different classes; a credit with a run that neither was refused nor asked for a backlog. Steps that
/// concern a location that has returned do nothing and always sleep. Messages of the side wire commute with nothing.
/// Runs of locations of one process that use its side wire are not told apart: explore processes of one location.
class explorer final : public schedule, public detail::step_chooser {
 public:
  void start_run() noexcept;
  void finish_run() noexcept { note_effect(); }
  std::uint32_t choose(std::uint32_t alternatives) override;
  std::uint32_t choose_step(step_set const& possible) override;

  /// Moves on to the next decisions. False: there are none left.
  bool next();

  /// The last run took all decisions that it was to repeat, among the same alternatives.
  [[nodiscard]] bool repeatable() const noexcept { return repeatable_ && depth_ >= path_.size(); }
  [[nodiscard]] bool redundant() const noexcept { return redundant_; }
  /// The decisions of the last run, for replay_schedule.
  [[nodiscard]] std::string choices() const { return replay_schedule(choices_).text(); }
  [[nodiscard]] std::string describe() const override { return replay_schedule(choices_).describe(); }

 private:
  /// One decision. A decision on steps has its labels in `labels_`: from `first` on the `alternatives` possible ones,
  /// then those asleep, up to the next decision's `first`.
  struct decision {
    std::uint32_t taken = 0;
    std::uint32_t alternatives = 0;
    bool on_steps = false;
    bool watched = false;  ///< the taken step does not commute with what watched links do
    std::size_t first = 0;
  };

  std::uint32_t repeat_step(step_set const& possible);
  std::uint32_t new_step(step_set const& possible);
  std::uint32_t take(std::uint32_t taken, std::uint32_t alternatives);
  std::uint32_t take_any(std::uint32_t alternatives);
  void note_effect() noexcept;
  void put_to_sleep(step_set const& possible);
  [[nodiscard]] std::uint64_t inherited(step const& s, std::size_t end) const noexcept;
  [[nodiscard]] std::uint64_t sleeper_of(decision const& d, std::uint64_t label, std::size_t end) const noexcept;
  [[nodiscard]] std::uint32_t first_awake(decision const& d, std::uint32_t from) const noexcept;

  std::vector<decision> path_;
  std::vector<std::uint64_t> labels_;
  std::vector<std::uint32_t> choices_;  ///< of this run, where there was more than one alternative
  std::size_t depth_ = 0;
  std::size_t last_step_ = none;  ///< index in path_ of the decision on the step that was taken last
  step const* last_taken_ = nullptr;
  std::uint32_t turn_ = 0;
  bool last_watched_ = false;
  bool redundant_ = false;
  bool repeatable_ = true;

  static constexpr std::size_t none = ~std::size_t{0};
};

void explorer::start_run() noexcept {
  choices_.clear();
  depth_ = 0;
  last_step_ = none;
  last_taken_ = nullptr;
  turn_ = 0;
  redundant_ = false;
  repeatable_ = true;
}

std::uint32_t explorer::choose(std::uint32_t alternatives) {
  if (redundant_ || !repeatable_) return take_any(alternatives);
  if (depth_ == path_.size()) path_.push_back({0, alternatives, false, false, labels_.size()});
  decision const& d = path_[depth_];
  repeatable_ = !d.on_steps && d.alternatives == alternatives;
  if (!repeatable_) return take_any(alternatives);
  ++depth_;
  return take(d.taken, alternatives);
}

std::uint32_t explorer::choose_step(step_set const& possible) {
  if (redundant_ || !repeatable_) return take_any(possible.size());
  note_effect();
  return depth_ < path_.size() ? repeat_step(possible) : new_step(possible);
}

std::uint32_t explorer::repeat_step(step_set const& possible) {
  decision const& d = path_[depth_];
  repeatable_ = d.on_steps && d.alternatives == possible.size();
  for (std::uint32_t i = 0; repeatable_ && i < d.alternatives; ++i) {
    repeatable_ = labels_[d.first + i] == possible[i].label;
  }
  if (!repeatable_) return take_any(possible.size());
  last_step_ = depth_++;
  last_taken_ = &possible[d.taken];
  last_watched_ = is(last_taken_->label, step_kind::credit) && last_taken_->link->watched;
  return take(d.taken, d.alternatives);
}

std::uint32_t explorer::new_step(step_set const& possible) {
  decision d{0, possible.size(), true, false, labels_.size()};
  put_to_sleep(possible);
  d.taken = first_awake(d, 0);
  if (d.taken == d.alternatives) d.taken = first_without_effect(possible);
  if (d.taken == d.alternatives) {
    labels_.resize(d.first);
    redundant_ = true;
    return take_any(possible.size());
  }
  path_.push_back(d);
  return repeat_step(possible);
}

bool explorer::next() {
  while (!path_.empty()) {
    decision& d = path_.back();
    if (d.on_steps) {
      labels_.push_back(labels_[d.first + d.taken] | (d.watched ? watched_mark : 0));
      d.taken = first_awake(d, d.taken + 1);
      d.watched = false;
    } else {
      ++d.taken;
    }
    if (d.taken < d.alternatives) return true;
    labels_.resize(d.first);
    path_.pop_back();
  }
  return false;
}

std::uint32_t explorer::take(std::uint32_t taken, std::uint32_t alternatives) {
  if (alternatives > 1) choices_.push_back(taken);
  return taken;
}

// In turn, so that nothing waits for ever in a run that is only to be finished.
std::uint32_t explorer::take_any(std::uint32_t alternatives) { return take(turn_++ % alternatives, alternatives); }

// A run's effect is known when the next step is chosen.
void explorer::note_effect() noexcept {
  if (last_taken_ == nullptr) return;
  if (is(last_taken_->label, step_kind::run)) last_watched_ = last_taken_->owner->watched;
  path_[last_step_].watched |= last_watched_;
  last_taken_ = nullptr;
}

// Writes the labels of a new decision: those possible, then of these the ones asleep.
void explorer::put_to_sleep(step_set const& possible) {
  std::size_t const inherited_end = labels_.size();
  for (std::uint32_t i = 0; i < possible.size(); ++i) labels_.push_back(possible[i].label);
  for (std::uint32_t i = 0; i < possible.size(); ++i) {
    step const& s = possible[i];
    std::uint64_t const sleeper = without_effect(s) ? s.label : inherited(s, inherited_end);
    if (sleeper != awake) labels_.push_back(sleeper);
  }
}

// What the step was among those asleep at the last decision, if it still is.
std::uint64_t explorer::inherited(step const& s, std::size_t end) const noexcept {
  if (last_step_ == none) return awake;
  decision const& last = path_[last_step_];
  std::uint64_t const found = sleeper_of(last, s.label, end);
  if (found == awake) return awake;
  bool const on_watched_link = is(s.label, step_kind::credit) && s.link->watched;
  bool const watched = last_watched_ || on_watched_link || (found & watched_mark) != 0;
  return commute(s.label, labels_[last.first + last.taken], watched) ? found : awake;
}

std::uint64_t explorer::sleeper_of(decision const& d, std::uint64_t label, std::size_t end) const noexcept {
  for (std::size_t i = d.first + d.alternatives; i < end; ++i) {
    if ((labels_[i] & ~watched_mark) == label) return labels_[i];
  }
  return awake;
}

// Of the last decision in labels_; d.alternatives if all that follow sleep.
std::uint32_t explorer::first_awake(decision const& d, std::uint32_t from) const noexcept {
  while (from < d.alternatives && sleeper_of(d, labels_[d.first + from], labels_.size()) != awake) ++from;
  return from;
}

// What is wrong with a run, or nothing.
std::string problem_of(simulation_result const& result, repeated_body& body, std::string const& replay) {
  if (result.how != ending::finished) return result.text;
  try {
    body.check();
  } catch (std::exception const& e) {
    return std::string(e.what()) + " [" + replay + "]";
  }
  return {};
}

}  // namespace

exploration explore_body(simulation const& settings, repeated_body& body, std::uint64_t limit) {
  simulation plain = settings;
  plain.order = play::plain;
  if (plain.step_limit == 0) plain.step_limit = 100'000;
  detail::scheduler scheduler(plain);
  explorer decisions;
  exploration found;
  while (found.schedules + found.repeated < limit) {
    body.begin();
    decisions.start_run();
    simulation_result const result = scheduler.run(decisions, body, &decisions);
    decisions.finish_run();
    found.text = problem_of(result, body, detail::replay_text(scheduler.settings(), decisions));
    if (!decisions.repeatable()) found.text = "the program is not deterministic: the same decisions led elsewhere";
    ++(decisions.redundant() ? found.repeated : found.schedules);
    found.failed = !found.text.empty();
    if (found.failed) {
      found.choices = decisions.choices();
      return found;
    }
    if (!decisions.next()) {
      found.complete = true;
      return found;
    }
  }
  return found;
}

exploration sample_body(simulation const& settings, repeated_body& body, std::uint64_t first_seed,
                        std::uint64_t count) {
  detail::scheduler scheduler(settings);
  exploration found;
  for (std::uint64_t seed = first_seed; found.schedules < count && !found.failed; ++seed) {
    random_schedule decisions(seed);
    body.begin();
    simulation_result const result = scheduler.run(decisions, body, nullptr);
    found.text = problem_of(result, body, detail::replay_text(scheduler.settings(), decisions));
    ++found.schedules;
    found.failed = !found.text.empty();
    found.seed = seed;
  }
  return found;
}

}  // namespace sheaf_test
