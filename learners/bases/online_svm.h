#pragma once
// OnlineSvm: stochastic gradient descent in a reproducing kernel Hilbert space; base of NORMA and SVMD.
//
//   f_{t+1} = (1 - eta_t c) f_t - eta_t sum_r xi_tr k((x_t, r), .)    (eq. 31 of svmd-2006)
//                                                                     (eq. 8 of norma-2001)
//   b_{t+1} = b_t - eta_b xi_t                                        (eq. 53, optional)
//
// The policy `StepSize` computes the step sizes:
//   static constexpr AuxiliaryFunction kAuxiliary  function v that is kept beside f
//   double Next(const StepView&)           returns eta_t from the gradient at x_t
//   void Advance(const StepView&, double eta, expansion, span beta)
//                                          shrinks f (and v), writes the coefficients of x_t in v to beta
//   void Drop(double product)              subtracts the part of a dropped term from <f, v>
//   double NextMargin(double G)            step size of the margin under the exponential nu-trick
//   void StepOffset(xi, offsets)           does one step of the offsets
//   double value()                         eta_t of the last step
//   static State()                         state of the policy with its trace columns (state.h)
// `Expansion` is CircularExpansion (independent outputs) or PairExpansion (kernel k(x, x') kappa(y, y') over
// a label tree: inner products are xi' kappa xi instead of xi' xi, eqs. 48 to 52).
//
// A step costs size() kernel evaluations, and one more, k(x_t, x_t), if xi_t or chi_t is not 0. The papers
// keep terms that the buffer drops in ||f||^2 and pi = <f, v>. With `subtract_dropped` they are subtracted:
// f' = f - t has ||f'||^2 = ||f||^2 - 2 <t, f> + ||t||^2, computed from cached kernel rows. Not thread-safe.

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "learners/api/learner_info.h"
#include "learners/bases/adaptive_margin.h"
#include "learners/bases/online_svm_options.h"
#include "learners/bases/test_set.h"
#include "learners/core/math.h"
#include "learners/core/state.h"
#include "learners/core/sums.h"
#include "learners/losses/loss.h"
#include "learners/losses/multiclass_hinge.h"
#include "learners/outputs/label_distance.h"
#include "learners/support/circular_expansion.h"
#include "learners/support/pair_expansion.h"

namespace okbench {

/// The function v that is kept beside f.
enum class AuxiliaryFunction {
  kNone,
  kTrace,    ///< gradient trace; uses the curvature of the loss
  kAverage,  ///< average of f, which predicts instead of f
};

/// State before the update of step t, passed to a step-size policy.
struct StepView {
  std::span<const double> f;    ///< f_t(x_t, .), without the offset
  std::span<const double> v;    ///< v_t(x_t, .)
  std::span<const double> xi;   ///< gradient coefficients
  std::span<const double> chi;  ///< curvature coefficients (H - cI) v
  double self = 0;              ///< k(x_t, x_t), or 0 when xi and chi are 0
  double squared_norm = 0;      ///< ||f_t||^2
  double c = 0;                 ///< regularisation constant
};

/// An online SVM, independent of its step-size policy.
class OnlineSvmLearner : public StreamLearner, public RanksExamples, public Resumable, public GivesModel {};

template <class T, class StepSize, class Expansion = CircularExpansion<T>>
class OnlineSvm final : public OnlineSvmLearner {
 public:
  OnlineSvm(const OnlineSvmOptions& options, StepSize step_size, const LearnerContext<T>& context)
      : engine_(context.kernel),
        train_(engine_.Prepare(*context.train)),
        test_(context.test ? engine_.Prepare(*context.test) : ExampleInputs<T>{}),
        loss_(MakeLoss(options.loss, context.train->label_kind(), context.train->classes(), context.tree,
                       context.graph)),
        margin_(options.nu > 0 ? AdaptiveMargin(options.margin, options.nu, options.margin_update,
                                                FindLoss(options.loss).parameter)
                               : AdaptiveMargin(options.margin)),
        step_size_(std::move(step_size)),
        task_loss_(context.tree, context.graph),
        expansion_(engine_, train_, engine_.MakeBlocks(*context.train, context.test, context.streaming),
                   {.capacity = options.buffer,
                    .trace = StepSize::kAuxiliary != AuxiliaryFunction::kNone,
                    .smallest = options.remove_smallest,
                    .hold_rows = options.subtract_dropped,
                    .lookahead = context.lookahead},
                   Outputs(options, context, *loss_)),
        c_(options.c),
        offset_(options.offset),
        subtract_dropped_(options.subtract_dropped),
        regression_(context.train->label_kind() == LabelKind::kReal),
        novelty_(FindLoss(options.loss).one_class) {
    const std::size_t n = loss_->outputs();
    for (auto* vector : {&f_, &scores_, &v_, &xi_, &chi_, &alpha_, &beta_, &b_}) vector->assign(n, 0.0);
    if (subtract_dropped_)
      for (auto* vector : {&old_f_, &old_v_, &old_alpha_, &old_beta_, &old_set_}) vector->assign(n, 0.0);
    all_.assign(n, 1.0);
  }

  void Announce(std::span<const std::uint32_t> order) override { expansion_.Announce(order); }

  StepOutcome Predict(std::uint32_t example) override {
    expansion_.Evaluate(train_, std::span(&example, 1), scores_);
    for (std::size_t r = 0; r < scores_.size(); ++r) scores_[r] += b_[r];
    if (!AllFinite(scores_)) return {.loss = std::numeric_limits<double>::quiet_NaN(), .mistake = true};
    const double y = train_.examples->target(example);
    LossValue value = loss_->Evaluate(scores_, y, margin_.value(), xi_);
    value.loss += margin_.LossTerm();
    return Outcome(value, y);
  }

  StepOutcome Step(std::uint32_t example) override {
    const double y = train_.examples->target(example);
    expansion_.Values(example, f_);
    for (std::size_t r = 0; r < f_.size(); ++r) scores_[r] = f_[r] + b_[r];
    if (!AllFinite(scores_)) return {.loss = std::numeric_limits<double>::quiet_NaN(), .mistake = true};
    LossValue value = loss_->Evaluate(scores_, y, margin_.value(), xi_);
    value.loss += margin_.LossTerm();
    const double weight = train_.examples->weight(example);
    for (double& xi : xi_) xi *= weight;
    risk_sum_ += weight * value.loss + c_ / 2 * squared_norm_;
    if constexpr (StepSize::kAuxiliary != AuxiliaryFunction::kNone) {
      // v is used only in xi . v and chi: v_r is needed where xi_r is not 0, and for all r if the loss is
      // curved.
      const bool curvature = StepSize::kAuxiliary == AuxiliaryFunction::kTrace && loss_->curved();
      expansion_.TraceValues(curvature ? all_ : xi_, v_);
      if (curvature) loss_->Curvature(scores_, y, margin_.value(), v_, chi_);
      for (double& chi : chi_) chi *= weight;
    }

    const bool moves = AnyNonzero(xi_) || AnyNonzero(chi_);
    const StepView view{.f = f_,
                        .v = v_,
                        .xi = xi_,
                        .chi = chi_,
                        .self = moves ? engine_.Self(train_, example, Purpose::kLearning) : 0,
                        .squared_norm = squared_norm_,
                        .c = c_};
    const double eta = step_size_.Next(view);
    step_size_.Advance(view, eta, expansion_, beta_);

    const double decay = 1 - eta * c_;
    const double xi_norm = moves ? Dot(xi_, expansion_.OutputProducts(xi_, xi_)) : 0;
    squared_norm_ =
        decay * decay * squared_norm_ - 2 * eta * decay * Dot(xi_, f_) + eta * eta * view.self * xi_norm;
    if (!std::isfinite(eta) || !std::isfinite(squared_norm_))
      value.loss = std::numeric_limits<double>::quiet_NaN();
    if (moves) {
      for (std::size_t r = 0; r < xi_.size(); ++r) alpha_[r] = -eta * xi_[r];
      if (subtract_dropped_) Drop(view.self);
      expansion_.Insert(example, alpha_, beta_);
    }
    if (offset_) step_size_.StepOffset(xi_, b_);
    if (margin_.adapted()) {
      const double margin_step = margin_.exponential()
                                     ? step_size_.NextMargin(weight * margin_.LogGradient(value.e()))
                                     : step_size_.value();
      margin_.Step(value.e(), weight * margin_step);
    }
    return Outcome(value, y);
  }

  std::vector<std::string> Columns() const override {
    std::vector<std::string> names = {"step_size", "margin", "squared_norm", "risk_sum"};
    for (std::string& name : state::Columns<StepSize>()) names.push_back(std::move(name));
    return names;
  }

  void Report(std::span<double> out) const override {
    out[0] = step_size_.value();
    out[1] = margin_.value();
    out[2] = squared_norm_;
    out[3] = risk_sum_;
    double* next = out.data() + 4;
    state::Report(step_size_, next);
  }

  std::size_t support_vectors() const override { return expansion_.size(); }
  const KernelCounts& counts() const override { return engine_.counts(); }

  TestOutcome Test() override {
    const Examples<T>& set = *test_.examples;
    TestOutcome outcome{.examples = set.size()};
    double losses = 0, task_losses = 0;
    finite_ = true;
    EvaluateLosses(test_, AllRows(set),
                   [&](std::size_t i, std::span<const double> f, const LossValue& value) {
                     outcome.mistakes +=
                         (novelty_ ? value.mistake : !regression_ && PredictsWrong(f, set.label(i))) ? 1 : 0;
                     outcome.AddScores(f);
                     if (novelty_) outcome.flagged.push_back(value.mistake);
                     losses += value.loss;
                     if (regression_) outcome.squared_error += (f[0] - set.truth(i)) * (f[0] - set.truth(i));
                     task_losses += TaskLoss(f, set.target(i)).value_or(0);
                   });
    outcome.finite = finite_;
    outcome.mean_loss = losses / static_cast<double>(set.size());
    if (task_loss_.known()) outcome.task_loss = task_losses / static_cast<double>(set.size());
    outcome.regularised_risk = *outcome.mean_loss + c_ / 2 * PredictingSquaredNorm();
    return outcome;
  }

  void Violations(RankedPart part, std::span<const std::uint32_t> rows, std::span<double> out) override {
    EvaluateLosses(part == RankedPart::kTraining ? train_ : test_, rows,
                   [&](std::size_t i, auto /*f*/, const LossValue& value) { out[i] = value.violation; });
  }

  /// Empty: support vectors are copied into the buffer.
  std::span<const std::uint32_t> RetainedRows() const override { return {}; }
  void OnRowsAppended() override { train_ = engine_.Prepare(*train_.examples); }
  void Serialize(Archive& archive) override {
    engine_.Serialize(archive);
    margin_.Serialize(archive);
    state::Serialize(step_size_, archive);
    expansion_.Serialize(archive);
    archive.Field("squared_norm", squared_norm_);
    archive.Field("risk_sum", risk_sum_);
    archive.Fixed("offsets", b_);
    archive.Field("selves", selves_);
    if (selves_.size() != (subtract_dropped_ ? expansion_.size() : 0))
      Archive::Fail("selves", "does not fit the buffer");
  }
  AnyModel CurrentModel() const override;
  bool ScoreRow(std::uint32_t example, std::span<double> out) override {
    EvaluateModel(train_, std::span(&example, 1), out);
    for (std::size_t r = 0; r < out.size(); ++r) out[r] += b_[r] - (novelty_ ? margin_.value() : 0);
    return true;
  }

  const Expansion& expansion() const { return expansion_; }
  const StepSize& step_size() const { return step_size_; }
  double squared_norm() const { return squared_norm_; }
  std::span<const double> offsets() const { return b_; }
  double margin() const { return margin_.value(); }
  /// sum_t l(x_t, y_t, f_t) + c/2 ||f_t||^2, the cumulative regularised risk.
  double risk_sum() const { return risk_sum_; }

 private:
  // Constructor argument of the expansion: a label tree, or the number of outputs.
  static auto Outputs(const OnlineSvmOptions& options, const LearnerContext<T>& context, const Loss& loss) {
    if constexpr (std::same_as<Expansion, PairExpansion<T>>) {
      if (!options.tree_kernel) return LabelTree::Identity(loss.outputs());
      if (context.tree == nullptr)
        throw InvalidArgument("output_kernel = \"tree\" needs a label tree: data.tree");
      return *context.tree;
    } else {
      return loss.outputs();
    }
  }

  // The outcome of the scores scores_.
  StepOutcome Outcome(const LossValue& value, double y) const {
    return {.loss = value.loss,
            .mistake = value.mistake,
            .margin_error = value.margin_error,
            .prediction = scores_[0],
            .violation = value.violation,
            .task_loss = TaskLoss(scores_, y),
            .scores = scores_};
  }

  // Only multiclass data have a label tree or graph, so the target y is a class index.
  std::optional<double> TaskLoss(std::span<const double> f, double y) const {
    if (!task_loss_.known()) return std::nullopt;
    return task_loss_(f, static_cast<std::size_t>(y));
  }

  // Subtracts the oldest term t, which the new term replaces, from ||f||^2 and <f, v>. Here f and v are those
  // after the step: the new term (alpha_ and beta_ at x_t) is added to the values from the buffer.
  void Drop(double self) {
    constexpr bool kTrace = StepSize::kAuxiliary == AuxiliaryFunction::kTrace;
    const std::size_t slot = expansion_.next_slot();
    if (expansion_.full()) {
      const std::span<double> v = kTrace ? std::span(old_v_) : std::span<double>();
      expansion_.Oldest(selves_[slot], old_f_, v, old_alpha_, old_beta_);
      for (std::size_t r = 0; r < old_set_.size(); ++r)
        old_set_[r] = old_alpha_[r] != 0 || old_beta_[r] != 0 ? 1 : 0;
      AddNewTerm(alpha_, old_f_);
      if constexpr (kTrace) AddNewTerm(beta_, old_v_);
      const auto products = expansion_.OutputProducts(old_alpha_, old_set_);
      squared_norm_ -= 2 * Dot(old_alpha_, old_f_) - selves_[slot] * Dot(old_alpha_, products);
      if constexpr (kTrace)
        step_size_.Drop(Dot(old_alpha_, old_v_) + Dot(old_beta_, old_f_) -
                        selves_[slot] * Dot(old_beta_, products));
    }
    if (slot == selves_.size()) selves_.push_back(0);
    selves_[slot] = self;
  }

  // values_r += k(x_t, x_oldest) (kappa coefficients)_r for outputs where the oldest term has a coefficient.
  void AddNewTerm(std::span<const double> coefficients, std::span<double> values) {
    const auto products = expansion_.OutputProducts(coefficients, old_set_);
    for (std::size_t r = 0; r < values.size(); ++r) values[r] += expansion_.OldestValue() * products[r];
  }

  double PredictingSquaredNorm() const {
    if constexpr (StepSize::kAuxiliary == AuxiliaryFunction::kAverage)
      return step_size_.average_squared_norm();
    else
      return squared_norm_;
  }

  // Calls visit(i, f(x_i, .), loss value) for the i-th of these rows, with the function that predicts.
  template <class Visit>
  void EvaluateLosses(const ExampleInputs<T>& inputs, std::span<const std::uint32_t> rows,
                      const Visit& visit) {
    std::vector<double> ignored(f_.size());
    const auto scores = [&](auto part, auto out) { EvaluateModel(inputs, part, out); };
    ForEachScored(rows, f_.size(), scores, [&](std::size_t i, std::span<double> f) {
      for (std::size_t r = 0; r < f.size(); ++r) f[r] += b_[r];
      finite_ = finite_ && AllFinite(f);
      visit(i, std::span<const double>(f),
            loss_->Evaluate(f, inputs.examples->target(rows[i]), margin_.value(), ignored));
    });
  }

  // Values of the function that predicts, without the offsets.
  void EvaluateModel(const ExampleInputs<T>& inputs, std::span<const std::uint32_t> rows,
                     std::span<double> out) {
    if constexpr (StepSize::kAuxiliary == AuxiliaryFunction::kAverage)
      expansion_.EvaluateTrace(inputs, rows, out);
    else
      expansion_.Evaluate(inputs, rows, out);
  }

  static bool AnyNonzero(std::span<const double> values) {
    return std::any_of(values.begin(), values.end(), [](double v) { return v != 0; });
  }

  KernelEngine<T> engine_;
  ExampleInputs<T> train_;
  ExampleInputs<T> test_;
  std::unique_ptr<Loss> loss_;
  AdaptiveMargin margin_;
  StepSize step_size_;
  PredictionLoss task_loss_;
  Expansion expansion_;
  double c_;
  bool offset_;
  bool subtract_dropped_;
  bool regression_, novelty_;
  bool finite_ = true;  // whether all scores of the last measurement were finite
  double squared_norm_ = 0;
  double risk_sum_ = 0;
  std::vector<double> f_, scores_, v_, xi_, chi_, alpha_, beta_, b_, all_;
  std::vector<double> old_f_, old_v_, old_alpha_, old_beta_;  // values of the dropped term
  std::vector<double> old_set_;                               // 1 where the dropped term has a coefficient
  std::vector<double> selves_;                                // [slot]: k(x, x)
};

template <class T, class StepSize, class Expansion>
AnyModel OnlineSvm<T, StepSize, Expansion>::CurrentModel() const {
  const std::size_t outputs = b_.size();
  const auto coefficient = [&](std::size_t slot, std::size_t r) {
    constexpr bool kAverage = StepSize::kAuxiliary == AuxiliaryFunction::kAverage;
    if constexpr (std::same_as<Expansion, PairExpansion<T>>)
      return expansion_.Share(slot, r) * expansion_.Coefficient(slot, kAverage);
    else
      return kAverage ? expansion_.beta(slot, r) : expansion_.alpha(slot, r);
  };
  std::vector<std::size_t> support;
  for (const std::size_t slot : expansion_.UsedSlots()) {
    bool any = false;
    for (std::size_t r = 0; r < outputs; ++r) any = any || coefficient(slot, r) != 0;
    if (any) support.push_back(slot);
  }
  Model<T> model{.kernel = engine_.kernel(), .outputs = outputs, .offsets = b_};
  for (std::size_t r = 0; r < outputs; ++r)
    for (const std::size_t slot : support) model.coefficients.push_back(coefficient(slot, r));
  model.vectors = std::make_shared<const Examples<T>>(expansion_.blocks().Rows(support));
  if (novelty_)  // f - margin < 0 is novel
    for (double& offset : model.offsets) offset -= margin_.value();
  return model;
}

/// Builds the online SVM with the expansion for the output kernel.
template <class T, class StepSize>
std::unique_ptr<OnlineSvmLearner> MakeOnlineSvm(const OnlineSvmOptions& options, StepSize step,
                                                const LearnerContext<T>& context) {
  // CircularExpansion is faster for few outputs (bench/trees.cpp). The two differ in the last bits of sums.
  constexpr int kManyOutputs = 32;
  const bool pairs = FindLoss(options.loss).pair_gradient;
  if (options.tree_kernel || (pairs && context.train->classes() > kManyOutputs))
    return std::make_unique<OnlineSvm<T, StepSize, PairExpansion<T>>>(options, std::move(step), context);
  return std::make_unique<OnlineSvm<T, StepSize>>(options, std::move(step), context);
}

}  // namespace okbench
