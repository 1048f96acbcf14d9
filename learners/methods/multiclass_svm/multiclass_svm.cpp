#include "learners/methods/multiclass_svm/multiclass_svm.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "base/error.h"
#include "learners/bases/test_set.h"
#include "learners/core/math.h"
#include "learners/losses/multiclass_hinge.h"
#include "learners/support/columns.h"

namespace okbench::multiclass_svm {
namespace {

constexpr double kWorthwhile = 0.2;  // smallest violation solved in a round, as a share of the largest
constexpr std::size_t kRoundsToShrink = 10;  // rounds between shrinkings
constexpr std::size_t kTogether = 512;  // examples per group, so that their scores fit into the CPU cache

}  // namespace

template <class T>
MulticlassSvm<T>::MulticlassSvm(const Options& options, const LearnerContext<T>& context)
    : options_(options),
      classes_(static_cast<std::size_t>(context.train->classes())),
      engine_(context.kernel),
      train_(engine_.Prepare(*context.train)),
      test_(context.test ? engine_.Prepare(*context.test) : ExampleInputs<T>{}),
      task_loss_(context.tree, context.graph),
      rows_(options.cache_mib << 20, WorkingSet<T>::kMax),
      set_(classes_, options.c) {
  RequireLabels("multiclass-svm", {LabelKind::kMulticlass}, context.train->label_kind());
}

template <class T>
void MulticlassSvm<T>::Announce(std::span<const std::uint32_t> order) {
  order_.assign(order.begin(), order.end());
  self_.clear();
  round_ = 0;
  for (const std::uint32_t example : order_) {
    self_.push_back(engine_.Self(train_, example, Purpose::kLearning));
    if (!std::isfinite(self_.back()))
      throw InvalidArgument("k(x,x) of training example " + std::to_string(example) +
                            " is not finite; set data.scale or data.unit_norm");
  }
  std::vector<std::uint32_t> all(order_.size());
  std::iota(all.begin(), all.end(), 0U);
  Activate(std::move(all));
  std::fill(scores_.begin(), scores_.end(), 0.0);
  std::fill(tau_.begin(), tau_.end(), 0.0);
  is_support_.assign(active_.size(), 0);
  support_ = 0;
  rows_.Restart(blocks_->slots());
  Look(0, blocks_->slots());
}

// Makes these places the active ones and packs their rows. The caller fills in scores, coefficients and
// derived values.
template <class T>
void MulticlassSvm<T>::Activate(std::vector<std::uint32_t> places) {
  active_ = std::move(places);
  blocks_ = std::make_unique<SupportBlocks<T>>(engine_.MakeBlocks(*train_.examples, test_.examples));
  for (std::size_t p = 0; p < active_.size(); ++p) blocks_->Put(p, train_, order_[active_[p]]);
  stride_ = PaddedColumn(active_.size());
  for (auto* columns : {&scores_, &tau_}) columns->resize(classes_ * stride_);
  labels_.assign(blocks_->slots(), -1);
  for (std::size_t p = 0; p < active_.size(); ++p) labels_[p] = train_.examples->label(order_[active_[p]]);
  for (auto* list : {&violations_, &slacks_}) list->resize(blocks_->slots());
}

// Computes violations and slacks from the scores, for positions first .. first + n - 1.
template <class T>
void MulticlassSvm<T>::Look(std::size_t first, std::size_t n) {
  column_ops_.Violations(Dual(), first, n, violations_.data(), slacks_.data());
}

// Computes primal, dual and training errors from the scores. Counts no loss for inactive examples. Returns
// the relative duality gap.
template <class T>
double MulticlassSvm<T>::Measure(RoundOutcome* outcome) {
  double squared_norm = 0, linear = 0, loss = 0, risk = 0, task_loss = 0;
  std::vector<double> f(classes_);
  *outcome = {.whole_set = true};
  for (std::size_t p = 0; p < active_.size(); ++p) {
    const double slack = slacks_[p];
    const auto y = static_cast<std::size_t>(labels_[p]);
    // Skips zero terms: most examples have no coefficient and no loss.
    if (is_support(p))
      for (std::size_t r = 0; r < classes_; ++r)
        squared_norm += weight(p) * tau_[r * stride_ + p] * scores_[r * stride_ + p];
    // With k(x,x) = 0 the dual optimum is tau_y = C at no cost in norm.
    if (!(self(p) > 0))
      linear += weight(p) * options_.c;
    else if (is_support(p))
      linear += weight(p) * tau_[y * stride_ + p];
    if (!(slack > 0)) continue;
    loss += slack;
    risk += weight(p) * slack;
    ++outcome->margin_errors;
    // slack >= 1 means a tie or a wrong prediction; ties go to the lowest class.
    if (slack >= 1) {
      for (std::size_t r = 0; r < classes_; ++r) f[r] = score(p, r);
      outcome->mistakes += ArgMax(std::span<const double>(f)) != y ? 1 : 0;
      if (task_loss_.known()) task_loss += task_loss_(f, y).value_or(0);
    }
  }
  if (task_loss_.known()) outcome->task_loss = task_loss / static_cast<double>(order_.size());
  outcome->mean_loss = loss / static_cast<double>(order_.size());
  primal_ = 0.5 * squared_norm + options_.c * risk;
  dual_ = linear - 0.5 * squared_norm;
  relative_gap_ = (primal_ - dual_) / std::max(primal_, std::numeric_limits<double>::min());
  return relative_gap_;
}

// Positions of the examples with the largest violations, in descending order, ties by position.
template <class T>
std::vector<std::uint32_t> MulticlassSvm<T>::MostViolating() const {
  std::vector<std::uint32_t> violating;
  for (std::size_t p = 0; p < active_.size(); ++p)
    if (violations_[p] > 0 && self(p) > 0) violating.push_back(static_cast<std::uint32_t>(p));
  const std::size_t count = std::min(WorkingSet<T>::kMax, violating.size());
  std::partial_sort(violating.begin(), violating.begin() + static_cast<std::ptrdiff_t>(count),
                    violating.end(), [this](std::uint32_t a, std::uint32_t b) {
                      return violations_[a] != violations_[b] ? violations_[a] > violations_[b] : a < b;
                    });
  violating.resize(count);
  return violating;
}

// Brings the kernel rows of the working set into the cache, evaluating the missing ones together, and loads
// the set.
template <class T>
void MulticlassSvm<T>::PrepareRows(const std::vector<std::uint32_t>& positions) {
  // Every row of the working set is requested; only rows missing in the cache are computed.
  engine_.CountRequested(positions, *blocks_);
  rows_.Bring(positions, [this](std::span<const std::uint32_t> missing, T* out) {
    std::vector<std::uint32_t> examples;
    for (const std::uint32_t p : missing) examples.push_back(order_[active_[p]]);
    engine_.Rows(*blocks_, train_, examples, Purpose::kLearning, false, out, blocks_->slots());
  });
  std::vector<typename WorkingSet<T>::Member> members;
  for (const std::uint32_t p : positions)
    members.push_back({p, static_cast<std::size_t>(labels_[p]), self(p), weight(p), rows_.Row(p)});
  set_.Load(members, Dual());
}

// Applies the changes of the working set to all scores, violations and slacks.
template <class T>
void MulticlassSvm<T>::Apply() {
  for (std::size_t m = 0; m < set_.members().size(); ++m) {
    const std::size_t p = set_.members()[m].position;
    bool support = false;
    for (std::size_t r = 0; r < classes_; ++r) {
      tau_[r * stride_ + p] = set_.tau(m, r);
      support = support || set_.tau(m, r) != 0;
    }
    if (support && !is_support(p)) ++support_;
    if (!support && is_support(p)) --support_;
    is_support_[p] = support ? 1 : 0;
  }
  const std::size_t slots = blocks_->slots();
  for (std::size_t first = 0; first < slots; first += kTogether) {
    const std::size_t n = std::min(kTogether, slots - first);
    set_.AddChanges(first, n, stride_, scores_.data());
    Look(first, n);
  }
}

template <class T>
void MulticlassSvm<T>::Shrink(double largest) {
  constexpr std::size_t kWord = 64;
  const std::size_t old_slots = blocks_->slots(), old_stride = stride_;
  std::vector<std::uint64_t> kept((old_slots + kWord - 1) / kWord);
  std::vector<std::uint32_t> places;
  std::vector<std::uint8_t> is_support;
  for (std::size_t p = 0; p < active_.size(); ++p) {
    if (!this->is_support(p) && !(slacks_[p] > -largest)) continue;
    kept[p / kWord] |= std::uint64_t{1} << (p % kWord);
    places.push_back(active_[p]);
    is_support.push_back(is_support_[p]);
  }
  const std::size_t count = places.size();
  if (count * 10 > active_.size() * 9) return;  // less than 10 % would leave: not worth packing again
  // Compacts scores, coefficients and cached rows in place; each column overwrites only entries already read.
  const std::size_t stride = PaddedColumn(count);
  for (auto* columns : {&scores_, &tau_})
    for (std::size_t r = 0; r < classes_; ++r)
      column_ops_.Compact(columns->data() + r * old_stride, kept.data(), old_slots,
                          columns->data() + r * stride);
  Activate(std::move(places));
  is_support_ = std::move(is_support);
  rows_.Keep(kept, count, blocks_->slots());
  Look(0, blocks_->slots());
}

// Makes all examples active and recomputes the scores of those that were inactive.
template <class T>
void MulticlassSvm<T>::Unshrink() {
  std::vector<bool> known(order_.size(), false);
  for (const std::uint32_t place : active_) known[place] = true;
  std::vector<std::uint32_t> unknown, examples;
  for (std::uint32_t place = 0; place < order_.size(); ++place)
    if (!known[place]) {
      unknown.push_back(place);
      examples.push_back(order_[place]);
    }
  const std::vector<double> fresh = Scores(train_, examples, Purpose::kLearning);
  const std::vector<std::uint32_t> old_active = active_;
  const std::vector<std::uint8_t> old_support = is_support_;
  const AlignedVector<double> old_scores = scores_, old_tau = tau_;
  const std::size_t old_stride = stride_;
  std::vector<std::uint32_t> all(order_.size());
  std::iota(all.begin(), all.end(), 0U);
  Activate(std::move(all));  // position = place
  is_support_.assign(active_.size(), 0);
  for (std::size_t p = 0; p < old_active.size(); ++p) is_support_[old_active[p]] = old_support[p];
  std::fill(tau_.begin(), tau_.end(), 0.0);
  for (std::size_t r = 0; r < classes_; ++r) {
    for (std::size_t p = 0; p < old_active.size(); ++p) {
      scores_[r * stride_ + old_active[p]] = old_scores[r * old_stride + p];
      tau_[r * stride_ + old_active[p]] = old_tau[r * old_stride + p];
    }
    for (std::size_t u = 0; u < unknown.size(); ++u)
      scores_[r * stride_ + unknown[u]] = fresh[u * classes_ + r];
  }
  rows_.Restart(blocks_->slots());
  Look(0, blocks_->slots());
}

template <class T>
RoundOutcome MulticlassSvm<T>::Round() {
  ++round_;
  const std::vector<std::uint32_t> positions = MostViolating();
  const double largest = positions.empty() ? 0 : violations_[positions.front()];
  bool progress = false;
  if (!positions.empty()) {
    PrepareRows(positions);
    progress = set_.Solve(kWorthwhile * largest);
    if (progress) Apply();
  }
  RoundOutcome outcome;
  const bool whole = active_.size() == order_.size();
  const bool last = round_ >= options_.max_rounds;
  // Without progress, the gap is as small as floating-point arithmetic allows.
  if (Measure(&outcome) <= options_.tolerance || !progress || last) {
    if (!whole) {
      Unshrink();
      Measure(&outcome);
    }
    outcome.converged = relative_gap_ <= options_.tolerance;
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
double MulticlassSvm<T>::tau(std::size_t place, std::size_t r) const {
  const auto entry = std::lower_bound(active_.begin(), active_.end(), place);
  if (entry == active_.end() || *entry != place) return 0;
  const auto position = static_cast<std::size_t>(entry - active_.begin());
  return weight(position) * tau_[r * stride_ + position];
}

template <class T>
std::vector<double> MulticlassSvm<T>::Scores(const Inputs<T>& inputs, std::span<const std::uint32_t> rows,
                                             Purpose purpose) {
  SupportBlocks<T> set = engine_.MakeBlocks(*train_.examples, test_.examples);
  const std::size_t stride = PaddedColumn(support_);
  AlignedVector<double> columns(classes_ * stride, 0.0);
  std::size_t slot = 0;
  for (std::size_t p = 0; p < active_.size(); ++p) {
    if (!is_support(p)) continue;
    set.Put(slot, train_, order_[active_[p]]);
    for (std::size_t r = 0; r < classes_; ++r) columns[r * stride + slot] = weight(p) * tau_[r * stride_ + p];
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
        const std::vector<double> scores = Scores(test_, rows, Purpose::kMeasuring);
        std::copy(scores.begin(), scores.end(), out.begin());
      },
      task_loss_);
}

template <class T>
void MulticlassSvm<T>::Violations(RankedPart part, std::span<const std::uint32_t> rows,
                                  std::span<double> out) {
  const ExampleInputs<T>& inputs = part == RankedPart::kTraining ? train_ : test_;
  const std::vector<double> scores = Scores(inputs, rows, Purpose::kMeasuring);
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
  // += : an example that was announced twice has two coefficients.
  for (std::size_t p = 0; p < active_.size(); ++p)
    for (std::size_t r = 0; r < classes_; ++r)
      coefficients[r * n + order_[active_[p]]] += weight(p) * tau_[r * stride_ + p];
  return ModelOf<T>(engine_.kernel(), *train_.examples, coefficients);
}

template class MulticlassSvm<float>;
template class MulticlassSvm<double>;

}  // namespace okbench::multiclass_svm
