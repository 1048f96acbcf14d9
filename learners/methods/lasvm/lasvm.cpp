#include "learners/methods/lasvm/lasvm.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace okbench::lasvm {
namespace {

constexpr std::size_t kSeeds = 5;             // initial members per class
constexpr std::size_t kWithinMargins = 5;     // autoactive selection stops at this many
constexpr std::size_t kFinishingSteps = 256;  // REPROCESS steps per call of Finish
constexpr double kFlat = 1e-12;               // smallest curvature, for pairs of equal examples

template <class T>
std::unique_ptr<ScoreStore<T>> MakeStore(const Options& options, KernelEngine<T>& engine,
                                         const Inputs<T>& train) {
  const std::size_t bytes = options.cache_mib << 20;
  if (options.gradients == Gradients::kSupportSet)
    return std::make_unique<SupportSetScores<T>>(engine, train, bytes);
  return std::make_unique<TrainingSetScores<T>>(engine, train, bytes);
}

}  // namespace

template <class T>
Lasvm<T>::Lasvm(const Options& options, const LearnerContext<T>& context)
    : BinaryLearner<T>("lasvm", context, 1),
      options_(options),
      c_(1 / (options.lambda * static_cast<double>(context.train->size()))),
      random_(context.seed),
      store_(MakeStore<T>(options, this->engine_, this->train_)),
      alpha_(context.train->size(), 0.0),
      member_(context.train->size(), false),
      lookahead_(std::max<std::size_t>(context.lookahead, 1)) {}

// Removes and returns the unseen example at this place.
template <class T>
std::uint32_t Lasvm<T>::Draw(std::size_t place) {
  const std::uint32_t example = unseen_[place];
  unseen_[place] = unseen_.back();
  unseen_.pop_back();
  return example;
}

template <class T>
void Lasvm<T>::Insert(std::uint32_t example, double score) {
  members_.push_back(example);
  idle_.push_back(example);
  member_[example] = true;
  store_->Enter(example, score);
  store_->Rank(example, entered_++);
  Mark(example);
}

template <class T>
void Lasvm<T>::Seed(RoundOutcome& outcome) {
  std::size_t wanted[2] = {kSeeds, kSeeds};
  Shuffle(std::span(unseen_), random_);
  for (std::size_t place = unseen_.size(); place-- > 0;) {
    std::size_t& left = wanted[this->label(unseen_[place]) > 0 ? 1 : 0];
    if (left == 0) continue;
    --left;
    const std::uint32_t example = Draw(place);
    CountScore(0, this->label(example), outcome);
    Insert(example, 0);
  }
  Take(store_->FindExtremes());
}

// Returns a random unseen example. The order does not depend on how many are drawn ahead.
template <class T>
std::uint32_t Lasvm<T>::DrawRandom() {
  if (upcoming_.empty()) {
    while (upcoming_.size() < lookahead_ && !unseen_.empty())
      upcoming_.push_back(Draw(random_.Below(unseen_.size())));
    store_->Prefetch(upcoming_);
    std::ranges::reverse(upcoming_);
  }
  const std::uint32_t example = upcoming_.back();
  upcoming_.pop_back();
  return example;
}

// Returns the example of this round. Sets *scored if the selection has already requested its score.
template <class T>
std::uint32_t Lasvm<T>::Select(bool* scored) {
  *scored = options_.selection != Selection::kRandom;
  if (!*scored) return DrawRandom();
  const std::size_t count = std::min(options_.candidates, unseen_.size());
  const double margin = 1 + (up_gradient_ - down_gradient_) / 2;
  std::size_t best = 0, within = 0, looked = 0;
  requested_.clear();
  double lowest = std::numeric_limits<double>::infinity();
  while (looked < count && within < kWithinMargins) {
    // Draw without replacement: examined candidates are moved to the front.
    std::swap(unseen_[looked], unseen_[looked + random_.Below(unseen_.size() - looked)]);
    const double f = store_->Score(unseen_[looked]) + bias_;
    const double value =
        options_.selection == Selection::kGradient ? this->label(unseen_[looked]) * f : std::abs(f);
    if (value < lowest) {
      lowest = value;
      best = looked;
    }
    if (options_.selection == Selection::kAutoActive && std::abs(f) < margin) ++within;
    if (!member_[unseen_[looked]]) requested_.push_back(unseen_[looked]);
    ++looked;
  }
  this->engine_.CountRequested(requested_, members_);
  return Draw(best);
}

template <class T>
RoundOutcome Lasvm<T>::Round(std::span<const std::uint32_t> /*batch*/) {
  RoundOutcome outcome;
  if (unseen_.empty() && upcoming_.empty()) {
    unseen_.resize(this->size());
    std::iota(unseen_.begin(), unseen_.end(), 0U);
  }
  if (members_.empty()) Seed(outcome);
  if (unseen_.empty() && upcoming_.empty()) return outcome;
  bool scored = false;
  const std::uint32_t example = Select(&scored);
  const double score = store_->Score(example);
  CountScore(score + bias_, this->label(example), outcome);
  Process(example, score, scored);
  Reprocess();
  // This epoch does not examine the example again.
  if (options_.selection == Selection::kRandom && !member_[example]) store_->DropRow(example);
  return outcome;
}

template <class T>
void Lasvm<T>::Process(std::uint32_t example, double score, bool scored) {
  if (member_[example]) return;
  const std::size_t member_count = members_.size();
  if (!scored) this->engine_.CountRequested(std::span(&example, 1), members_);
  const double g = this->label(example) - score;
  const bool positive = this->label(example) > 0;
  // alpha of a positive example can rise, of a negative one fall. The partner moves in the opposite
  // direction.
  const std::uint32_t partner = !options_.bias ? kNone : positive ? down_ : up_;
  const double partner_gradient = !options_.bias ? 0 : positive ? down_gradient_ : up_gradient_;
  if (options_.bias && partner == kNone) return;
  if ((positive ? g - partner_gradient : partner_gradient - g) <= options_.tolerance) return;
  Insert(example, score);
  // Already requested: the new example's values with the former members, and so k(partner, new).
  if (options_.bias)
    this->engine_.CountRequested(std::array{example, partner}, members_, member_count + 1);
  else
    this->engine_.CountRequested(std::span(&example, 1), members_, member_count);
  if (positive)
    StepAlong(example, partner);
  else
    StepAlong(partner, example);
}

// Without the bias, kNone is the free element. Returns false if the step is too small to change a
// coefficient.
template <class T>
bool Lasvm<T>::StepAlong(std::uint32_t i, std::uint32_t j) {
  if (i == kNone || j == kNone) return StepAlone(i, j);
  const T* row_i = store_->Row(i);
  const T* row_j = store_->Row(j);
  const std::uint32_t at_i = store_->slot(i), at_j = store_->slot(j);
  const double curvature = static_cast<double>(row_i[at_i]) + static_cast<double>(row_j[at_j]) -
                           2 * static_cast<double>(row_i[at_j]);
  const double highest = Highest(i);
  const double lowest = Lowest(j);
  const double slope = gradient(i) - gradient(j);
  const double step = std::min({slope / std::max(kFlat, curvature), highest - alpha_[i], alpha_[j] - lowest});
  dual_ += step * (slope - 0.5 * step * curvature);
  const double before_i = alpha_[i], before_j = alpha_[j];
  // A clipped step sets the coefficient exactly to its bound.
  SetCoefficient(i, step == highest - before_i ? highest : before_i + step);
  SetCoefficient(j, step == before_j - lowest ? lowest : before_j - step);
  Take(store_->Step(row_i, row_j, step));
  return alpha_[i] != before_i || alpha_[j] != before_j;
}

// The step of one member, which is i or j; the other is kNone.
template <class T>
bool Lasvm<T>::StepAlone(std::uint32_t i, std::uint32_t j) {
  const std::uint32_t moved = i != kNone ? i : j;
  const T* row = store_->Row(moved);
  const auto curvature = static_cast<double>(row[store_->slot(moved)]);
  const double before = alpha_[moved];
  const double slope = gradient(moved);
  SetCoefficient(moved,
                 std::clamp(before + slope / std::max(kFlat, curvature), Lowest(moved), Highest(moved)));
  const double step = alpha_[moved] - before;
  dual_ += step * (slope - 0.5 * step * curvature);
  zeros_.resize(store_->slots(), T{0});
  Take(store_->Step(row, zeros_.data(), step));
  return alpha_[moved] != before;
}

template <class T>
void Lasvm<T>::Take(const Extremes& extremes) {
  const auto example = [&](std::size_t slot) {
    return slot == Extremes::kNone ? kNone : store_->Example(slot);
  };
  up_ = example(extremes.highest_at);
  down_ = example(extremes.lowest_at);
  up_gradient_ = extremes.highest;
  down_gradient_ = extremes.lowest;
  if (options_.bias) {
    if (up_ != kNone && down_ != kNone) bias_ = (up_gradient_ + down_gradient_) / 2;
  } else if (up_gradient_ >= -down_gradient_) {
    down_ = kNone;
    down_gradient_ = 0;
  } else {
    up_ = kNone;
    up_gradient_ = 0;
  }
}

// Marks which ends of a violating pair the member can be: i if alpha can rise, j if it can fall.
template <class T>
void Lasvm<T>::Mark(std::uint32_t i) {
  const bool rises = alpha_[i] < Highest(i);
  const bool falls = alpha_[i] > Lowest(i);
  store_->Mark(i, this->label(i), rises, falls);
}

template <class T>
void Lasvm<T>::SetCoefficient(std::uint32_t i, double alpha) {
  if (alpha_[i] == 0 && alpha != 0) std::erase(idle_, i);
  if (alpha_[i] != 0 && alpha == 0) idle_.push_back(i);
  alpha_[i] = alpha;
  store_->SetCoefficient(i, alpha);
  Mark(i);
}

// Returns false if no pair of members is violating, or the step changes nothing in double precision.
template <class T>
bool Lasvm<T>::Reprocess() {
  if (options_.bias ? up_ == kNone || down_ == kNone : up_ == down_) return false;
  if (!(up_gradient_ - down_gradient_ > options_.tolerance)) return false;
  // Two rows; k_ij = k_ji is requested once. Without the bias one row.
  if (options_.bias)
    this->engine_.CountRequested(std::array{up_, down_}, members_, 1);
  else
    this->engine_.CountRequested(std::array{up_ != kNone ? up_ : down_}, members_);
  const bool moved = StepAlong(up_, down_);
  RemoveNonSupport();
  return moved;
}

template <class T>
void Lasvm<T>::RemoveNonSupport() {
  const double lowest = options_.bias ? down_gradient_ : 0, highest = options_.bias ? up_gradient_ : 0;
  std::erase_if(idle_, [&](std::uint32_t s) {
    const double g = gradient(s);
    const bool leaves = (this->label(s) > 0 ? g <= lowest : g >= highest) && s != up_ && s != down_;
    if (leaves) Remove(s);
    return leaves;
  });
}

template <class T>
void Lasvm<T>::Remove(std::uint32_t example) {
  const auto earlier = [&](std::uint32_t s, std::uint32_t rank) { return store_->rank(s) < rank; };
  members_.erase(std::lower_bound(members_.begin(), members_.end(), store_->rank(example), earlier));
  member_[example] = false;
  store_->Unmark(example);
  store_->Leave(example);
  if (options_.selection == Selection::kRandom) store_->DropRow(example);
}

template <class T>
bool Lasvm<T>::Finish() {
  if (!options_.finishing) return true;
  for (std::size_t step = 0; step < kFinishingSteps; ++step)
    if (!Reprocess()) return true;
  return false;
}

template <class T>
TrainingOutcome Lasvm<T>::MeasureTraining() {
  const auto scores = store_->TrainingScores();
  if (scores.empty()) return BinaryLearner<T>::MeasureTraining();
  std::vector<double> f(scores.begin(), scores.end());
  for (double& score : f) score += bias_;
  return this->LossOf(f);
}

template <class T>
void Lasvm<T>::Report(std::span<double> out) const {
  out[0] = dual_;
  out[1] = up_gradient_ - down_gradient_;
  out[2] = bias_;
  out[3] = static_cast<double>(members_.size());
}

template <class T>
std::size_t Lasvm<T>::support_vectors() const {
  return members_.size() - idle_.size();
}

template class Lasvm<float>;
template class Lasvm<double>;

}  // namespace okbench::lasvm
