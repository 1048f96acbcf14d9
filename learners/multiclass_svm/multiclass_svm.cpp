#include "learners/multiclass_svm/multiclass_svm.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "learners/bases/test_set.h"
#include "learners/core/error.h"
#include "learners/core/math.h"
#include "learners/losses/multiclass_hinge.h"
#include "learners/support/columns.h"

namespace okbench::multiclass_svm {
namespace {

using Eigen::Index;

constexpr std::size_t kWorkingSet = 48;  // examples a round; a tile of the kernel engine
constexpr std::size_t kPasses = 8;       // over the working set in one round, at most
constexpr double kWorthwhile = 0.2;      // of the round's largest violation: smaller ones wait
constexpr std::size_t kRoundsToShrink = 10;

}  // namespace

template <class T>
MulticlassSvm<T>::MulticlassSvm(const Options& options, const LearnerContext<T>& context)
    : options_(options),
      classes_(static_cast<std::size_t>(context.train->classes())),
      engine_(context.kernel),
      train_(engine_.Prepare(*context.train)),
      test_(context.test ? engine_.Prepare(*context.test) : ExampleInputs<T>{}),
      task_loss_(context.tree),
      solver_(classes_),
      b_(classes_),
      tau_new_(classes_) {
  RequireLabels("multiclass-svm", {LabelKind::kMulticlass}, context.train->label_kind());
}

template <class T>
void MulticlassSvm<T>::Announce(std::span<const std::uint32_t> order) {
  order_.assign(order.begin(), order.end());
  tau_.setZero(static_cast<Index>(order_.size()), static_cast<Index>(classes_));
  self_.clear();
  rows_.clear();
  recent_.clear();
  round_ = 0;
  for (const std::uint32_t example : order_) {
    self_.push_back(engine_.Self(train_, example, Purpose::kLearning));
    if (!std::isfinite(self_.back()))
      throw InvalidArgument("k(x,x) of training example " + std::to_string(example) +
                            " is not finite; scale the data (data.scale, data.unit_norm)");
  }
  std::vector<std::uint32_t> all(order_.size());
  std::iota(all.begin(), all.end(), 0U);
  Activate(std::move(all));
  std::fill(scores_.begin(), scores_.end(), 0.0);
}

// Makes these places the active ones, packed anew; scores are to be filled in by the caller.
template <class T>
void MulticlassSvm<T>::Activate(std::vector<std::uint32_t> places) {
  active_ = std::move(places);
  blocks_ = std::make_unique<SupportBlocks<T>>(engine_.MakeBlocks(*train_.examples, test_.examples));
  for (std::size_t p = 0; p < active_.size(); ++p) blocks_->Put(p, train_, order_[active_[p]]);
  stride_ = PaddedColumn(active_.size());
  scores_.resize(classes_ * stride_);
}

template <class T>
double MulticlassSvm<T>::Violation(std::size_t position) const {
  const std::size_t place = active_[position];
  const Index y = LabelAt(position);
  const auto tau = TauAt(place);
  const auto f = F(position);
  double highest = -std::numeric_limits<double>::infinity();
  double lowest = std::numeric_limits<double>::infinity();
  for (Index r = 0; r < f.size(); ++r) {
    const double g = f[r] - (r == y ? 1 : 0);
    highest = std::max(highest, g);
    if (tau[r] < (r == y ? options_.c : 0)) lowest = std::min(lowest, g);
  }
  return self_[place] > 0 ? highest - lowest : 0;
}

// max_{r != y} (1 + F_r) - F_y: the loss where positive.
template <class T>
double MulticlassSvm<T>::Slack(std::size_t position) const {
  const Index y = LabelAt(position);
  const auto f = F(position);
  double other = -std::numeric_limits<double>::infinity();
  for (Index r = 0; r < f.size(); ++r)
    if (r != y) other = std::max(other, f[r]);
  return 1 + other - f[y];
}

// Primal, dual and training errors from the scores; examples that are not active have no loss. Returns the
// gap.
template <class T>
double MulticlassSvm<T>::Measure(RoundOutcome* outcome) {
  double squared_norm = 0, linear = 0, loss = 0, task_loss = 0;
  *outcome = {.whole_set = true};
  for (std::size_t p = 0; p < active_.size(); ++p) {
    const std::size_t place = active_[p];
    const Index y = LabelAt(p);
    const auto tau = TauAt(place);
    const auto f = F(p);
    for (Index r = 0; r < f.size(); ++r) squared_norm += tau[r] * f[r];
    linear += self_[place] > 0 ? tau[y] : options_.c;  // with k(x,x) = 0 the dual takes tau_y = C for nothing
    const double slack = Slack(p);
    loss += std::max(0.0, slack);
    outcome->margin_errors += slack > 0 ? 1 : 0;
    // Ties go to the lowest class; a slack of 1 or more is a tie or worse.
    if (slack >= 1) {
      Index best = 0;
      f.maxCoeff(&best);
      outcome->mistakes += best != y ? 1 : 0;
      if (task_loss_.known())
        task_loss += task_loss_({f.data(), static_cast<std::size_t>(f.size())}, static_cast<std::size_t>(y))
                         .value_or(0);
    }
  }
  if (task_loss_.known()) outcome->task_loss = task_loss / static_cast<double>(order_.size());
  outcome->mean_loss = loss / static_cast<double>(order_.size());
  primal_ = 0.5 * squared_norm + options_.c * loss;
  dual_ = linear - 0.5 * squared_norm;
  relative_gap_ = (primal_ - dual_) / std::max(primal_, std::numeric_limits<double>::min());
  return relative_gap_;
}

template <class T>
std::vector<typename MulticlassSvm<T>::Violator> MulticlassSvm<T>::WorkingSet(double* largest) const {
  std::vector<Violator> violators;
  for (std::size_t p = 0; p < active_.size(); ++p) {
    const double violation = Violation(p);
    if (violation > 0) violators.push_back({violation, static_cast<std::uint32_t>(p)});
  }
  const auto more = [](const Violator& a, const Violator& b) {
    return a.violation != b.violation ? a.violation > b.violation : a.position < b.position;
  };
  const std::size_t count = std::min(kWorkingSet, violators.size());
  std::partial_sort(violators.begin(), violators.begin() + static_cast<std::ptrdiff_t>(count),
                    violators.end(), more);
  violators.resize(count);
  *largest = violators.empty() ? 0 : violators.front().violation;
  return violators;
}

// Brings the kernel rows of the working set into the cache, the missing ones in one tile.
template <class T>
void MulticlassSvm<T>::FetchRows(const std::vector<Violator>& set) {
  const std::size_t width = blocks_->slots();
  std::vector<std::uint32_t> wanted, missing, examples;
  for (const Violator& violator : set) {
    wanted.push_back(violator.position);
    const auto found = rows_.find(violator.position);
    if (found == rows_.end()) {
      missing.push_back(violator.position);
      examples.push_back(order_[active_[violator.position]]);
    } else {
      recent_.splice(recent_.begin(), recent_, found->second.used);
    }
  }
  const std::size_t bound = std::max((options_.cache_mib << 20) / (width * sizeof(T)), set.size());
  while (!recent_.empty() && rows_.size() + missing.size() > bound) {
    rows_.erase(recent_.back());
    recent_.pop_back();
  }
  fetched_.resize(missing.size() * width);
  // Asked for is every row of the working set; evaluated are those that the cache has not.
  engine_.Ask(wanted, *blocks_);
  engine_.Rows(*blocks_, train_, examples, Purpose::kLearning, false, fetched_.data(), width);
  for (std::size_t m = 0; m < missing.size(); ++m) {
    const T* row = fetched_.data() + m * width;
    recent_.push_front(missing[m]);
    rows_[missing[m]] = {AlignedVector<T>(row, row + width), recent_.begin()};
  }
}

// Solves the small problem of one example exactly; false when nothing changed.
template <class T>
bool MulticlassSvm<T>::Solve(std::size_t position) {
  const std::size_t place = active_[position];
  const auto y = static_cast<std::size_t>(LabelAt(position));
  const double a = self_[place];
  auto tau = tau_.row(static_cast<Index>(place));
  Eigen::Map<Eigen::RowVectorXd>(b_.data(), tau.size()) = F(position).matrix().transpose() - a * tau;
  b_[y] -= 1;
  solver_.Solve(a, b_, y, options_.c, tau_new_);
  const AlignedVector<T>& row = rows_.at(static_cast<std::uint32_t>(position)).values;
  bool changed = false;
  for (std::size_t r = 0; r < classes_; ++r) {
    double& held = tau[static_cast<Index>(r)];
    const double change = tau_new_[r] - held;
    if (change == 0) continue;
    ops_.AddScaled(row.data(), row.size(), change, scores_.data() + r * stride_);
    held = tau_new_[r];
    changed = true;
  }
  return changed;
}

template <class T>
void MulticlassSvm<T>::Shrink(double largest) {
  std::vector<std::uint32_t> kept;  // positions
  for (std::size_t p = 0; p < active_.size(); ++p) {
    const bool support = (TauAt(active_[p]).array() != 0).any();
    if (support || Slack(p) > -largest) kept.push_back(static_cast<std::uint32_t>(p));
  }
  if (kept.size() * 10 > active_.size() * 9) return;  // not worth packing anew
  // What is kept moves down: scores, and the cached rows with their names.
  const AlignedVector<double> old_scores = scores_;
  const std::size_t old_stride = stride_;
  std::vector<std::uint32_t> places;
  for (const std::uint32_t p : kept) places.push_back(active_[p]);
  Activate(std::move(places));
  std::unordered_map<std::uint32_t, CachedRow> moved;
  std::list<std::uint32_t> recent;
  std::vector<std::uint32_t> new_position(old_stride, std::numeric_limits<std::uint32_t>::max());
  for (std::size_t p = 0; p < kept.size(); ++p) {
    new_position[kept[p]] = static_cast<std::uint32_t>(p);
    for (std::size_t r = 0; r < classes_; ++r)
      scores_[r * stride_ + p] = old_scores[r * old_stride + kept[p]];
  }
  // One row after the other, so that no more than one is held twice.
  for (const std::uint32_t old : recent_) {
    auto node = rows_.extract(old);
    const std::uint32_t now = new_position[old];
    if (now == std::numeric_limits<std::uint32_t>::max()) continue;
    AlignedVector<T> row(blocks_->slots(), T(0));
    for (std::size_t p = 0; p < kept.size(); ++p) row[p] = node.mapped().values[kept[p]];
    recent.push_back(now);
    moved[now] = {std::move(row), std::prev(recent.end())};
  }
  rows_ = std::move(moved);
  recent_ = std::move(recent);
}

// All examples become active again; those that were not get their scores afresh.
template <class T>
void MulticlassSvm<T>::Unshrink() {
  const AlignedVector<double> old_scores = scores_;
  const std::vector<std::uint32_t> old_active = active_;
  const std::size_t old_stride = stride_;
  std::vector<bool> known(order_.size(), false);
  for (const std::uint32_t place : old_active) known[place] = true;
  std::vector<std::uint32_t> unknown, examples;
  for (std::uint32_t place = 0; place < order_.size(); ++place)
    if (!known[place]) {
      unknown.push_back(place);
      examples.push_back(order_[place]);
    }
  const std::vector<double> fresh = Scores(train_, examples, Purpose::kLearning);
  rows_.clear();
  recent_.clear();
  std::vector<std::uint32_t> all(order_.size());
  std::iota(all.begin(), all.end(), 0U);
  Activate(std::move(all));  // position = place
  for (std::size_t r = 0; r < classes_; ++r) {
    for (std::size_t p = 0; p < old_active.size(); ++p)
      scores_[r * stride_ + old_active[p]] = old_scores[r * old_stride + p];
    for (std::size_t u = 0; u < unknown.size(); ++u)
      scores_[r * stride_ + unknown[u]] = fresh[u * classes_ + r];
  }
}

template <class T>
RoundOutcome MulticlassSvm<T>::Round() {
  ++round_;
  double largest = 0;
  const std::vector<Violator> set = WorkingSet(&largest);
  bool progress = false;
  if (!set.empty()) {
    FetchRows(set);
    for (std::size_t pass = 0; pass < kPasses; ++pass) {
      bool changed = false;
      for (const Violator& violator : set)
        if (Violation(violator.position) > kWorthwhile * largest)
          changed = Solve(violator.position) || changed;
      if (!changed) break;
      progress = true;
    }
  }
  RoundOutcome outcome;
  const bool whole = active_.size() == order_.size();
  const bool last = round_ >= options_.max_rounds;
  // Without progress the gap is as small as the arithmetic allows.
  if (Measure(&outcome) <= options_.gap || !progress || last) {
    if (!whole) {
      Unshrink();
      Measure(&outcome);
    }
    outcome.converged = relative_gap_ <= options_.gap;
    outcome.finished = outcome.converged || (whole && !progress) || last;
  } else if (options_.shrinking && round_ % kRoundsToShrink == 0) {
    Shrink(largest);
  }
  return outcome;
}

template <class T>
void MulticlassSvm<T>::Report(std::span<double> out) const {
  out[0] = primal_;
  out[1] = dual_;
  out[2] = relative_gap_;
  out[3] = static_cast<double>(active_.size());
}

template <class T>
std::size_t MulticlassSvm<T>::support_vectors() const {
  return static_cast<std::size_t>((tau_.array() != 0).rowwise().any().count());
}

template <class T>
std::vector<double> MulticlassSvm<T>::Scores(const Inputs<T>& inputs, std::span<const std::uint32_t> rows,
                                             Purpose purpose) {
  SupportBlocks<T> set = engine_.MakeBlocks(*train_.examples, test_.examples);
  const std::size_t stride = PaddedColumn(support_vectors());
  AlignedVector<double> columns(classes_ * stride, 0.0);
  std::size_t slot = 0;
  for (std::size_t place = 0; place < order_.size(); ++place) {
    const auto tau = TauAt(place);
    if ((tau.array() == 0).all()) continue;
    set.Put(slot, train_, order_[place]);
    for (std::size_t r = 0; r < classes_; ++r) columns[r * stride + slot] = tau[static_cast<Index>(r)];
    ++slot;
  }
  std::vector<double> out(rows.size() * classes_, 0.0);
  if (slot > 0)
    EvaluateColumns(engine_, set, inputs, rows, columns.data(), stride, classes_, 1.0, purpose,
                    std::span(out));
  return out;
}

template <class T>
TestOutcome MulticlassSvm<T>::Test() {
  return CountMistakes(
      *test_.examples, classes_,
      [this](auto rows, std::span<double> out) {
        const std::vector<double> scores = Scores(test_, rows, Purpose::kEvaluation);
        std::copy(scores.begin(), scores.end(), out.begin());
      },
      [](std::span<const double> f, std::int32_t y) { return ArgMax(f) != static_cast<std::size_t>(y); },
      task_loss_);
}

template <class T>
void MulticlassSvm<T>::Violations(RankedPart part, std::span<const std::uint32_t> rows,
                                  std::span<double> out) {
  const ExampleInputs<T>& inputs = part == RankedPart::kTraining ? train_ : test_;
  const std::vector<double> scores = Scores(inputs, rows, Purpose::kEvaluation);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::span<const double> f(scores.data() + i * classes_, classes_);
    const auto y = static_cast<std::size_t>(inputs.examples->label(rows[i]));
    double rival = -std::numeric_limits<double>::infinity();
    for (std::size_t r = 0; r < classes_; ++r)
      if (r != y) rival = std::max(rival, f[r]);
    out[i] = rival - f[y];
  }
}

template <class T>
AnyModel MulticlassSvm<T>::CurrentModel() const {
  const std::size_t n = train_.examples->size();
  std::vector<double> coefficients(classes_ * n, 0.0);
  // An example that was announced twice has two coefficients.
  for (std::size_t place = 0; place < order_.size(); ++place)
    for (std::size_t r = 0; r < classes_; ++r) coefficients[r * n + order_[place]] += tau(place, r);
  return ModelOf<T>(engine_.kernel(), *train_.examples, coefficients);
}

template class MulticlassSvm<float>;
template class MulticlassSvm<double>;

}  // namespace okbench::multiclass_svm
