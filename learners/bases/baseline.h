#pragma once
// Baseline: a stream learner that predicts from earlier labels alone. It ignores the rows and requests no
// kernel evaluations. A learner that is not better than its baselines has learned nothing.
//
// A baseline is a class
//
//   class Rule {
//     explicit Rule(std::size_t outputs);       // classes, or 1 for binary labels and real targets
//     void Predict(std::span<double> f) const;  // scores under the labels so far; 0 before the first
//     void Learn(double y);                     // label (-1 or 1), class index or target
//     void Serialize(Archive& archive);
//   };
//
// Loss: 0 or 1 for classes, (f - y)^2 for real targets.

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "learners/api/learner_info.h"
#include "learners/bases/test_set.h"
#include "learners/core/math.h"

namespace okbench {

/// The outcome of scores `f` for label or target y, with the loss of a baseline.
inline StepOutcome ZeroOneOutcome(LabelKind kind, std::span<const double> f, double y,
                                  const PredictionLoss& task_loss) {
  if (kind == LabelKind::kReal)
    return {.loss = (f[0] - y) * (f[0] - y), .prediction = f[0], .violation = 0, .scores = f};
  const bool right = f.size() == 1 ? y * f[0] > 0 : ArgMax(f) == static_cast<std::size_t>(y);
  StepOutcome outcome{.loss = right ? 0.0 : 1.0,
                      .mistake = !right,
                      .margin_error = !right,
                      .prediction = f[0],
                      .violation = right ? -1.0 : 1.0,
                      .scores = f};
  if (kind == LabelKind::kMulticlass) outcome.task_loss = task_loss(f, static_cast<std::size_t>(y));
  return outcome;
}

template <class T, class Rule>
class Baseline final : public StreamLearner, public Resumable {
 public:
  explicit Baseline(const LearnerContext<T>& context)
      : train_(*context.train),
        test_(context.test),
        kind_(train_.label_kind()),
        task_loss_(context.tree, context.graph),
        f_(kind_ == LabelKind::kMulticlass ? static_cast<std::size_t>(train_.classes()) : 1),
        rule_(f_.size()) {}

  void Announce(std::span<const std::uint32_t> /*order*/) override {}
  StepOutcome Predict(std::uint32_t example) override {
    rule_.Predict(f_);
    return ZeroOneOutcome(kind_, f_, train_.target(example), task_loss_);
  }
  StepOutcome Step(std::uint32_t example) override {
    const StepOutcome outcome = Predict(example);
    rule_.Learn(train_.target(example));
    return outcome;
  }

  std::vector<std::string> Columns() const override { return {}; }
  void Report(std::span<double> /*out*/) const override {}
  std::size_t support_vectors() const override { return 0; }
  const KernelCounts& counts() const override { return counts_; }
  TestOutcome Test() override {
    const auto scores = [this](auto rows, std::span<double> out) {
      for (std::size_t i = 0; i < rows.size(); ++i) rule_.Predict(out.subspan(i * f_.size(), f_.size()));
    };
    if (kind_ == LabelKind::kReal) return SumSquaredErrors(*test_, scores);
    return CountMistakes(*test_, f_.size(), scores, task_loss_);
  }

  std::span<const std::uint32_t> RetainedRows() const override { return {}; }
  void OnRowsAppended() override {}
  void Serialize(Archive& archive) override { rule_.Serialize(archive); }

 private:
  const Examples<T>& train_;
  const Examples<T>* test_;
  LabelKind kind_;
  PredictionLoss task_loss_;
  std::vector<double> f_;
  Rule rule_;
  KernelCounts counts_;
};

/// Writes scores that predict class `c` (binary: 0 is -1).
inline void PredictClass(std::size_t c, std::span<double> f) {
  if (f.size() == 1) {
    f[0] = c == 1 ? 1 : -1;
    return;
  }
  std::fill(f.begin(), f.end(), 0.0);
  f[c] = 1;
}

/// Position of a label among the classes (binary: -1 first).
inline std::size_t ClassOf(double y, std::size_t outputs) {
  return outputs == 1 ? (y > 0 ? 1 : 0) : static_cast<std::size_t>(y);
}

/// Defines a baseline.
template <class Rule>
LearnerInfo DefineBaseline(LearnerDescription about) {
  struct NoOptions {};
  return DefineLearner<Protocol::kStream>(
      std::move(about), ParameterTable<NoOptions>(), [](const NoOptions&, const Workload&) { return Cost{}; },
      []<class T>(const NoOptions&, const LearnerContext<T>& context) {
        return std::make_unique<Baseline<T, Rule>>(context);
      });
}

}  // namespace okbench
