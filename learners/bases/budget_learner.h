#pragma once
// BudgetLearner: conservative online classification with a cache of support patterns; base of the aggressive
// perceptron and of MIRA on a budget (figures 1 and 3 of budget-2003).
//
//   when the margin of (x_t, y_t) is at most beta: insert x_t with the coefficients that `Update` computes
//
// `Policy` selects the members to remove (cache_policies.h). `Update` is the method:
//   static std::size_t Outputs(const Examples<T>&)   number of scores; InvalidArgument for other labels
//   double Margin(f, y) const                        y f, or f_y - max_{r != y} f_r
//   bool Mistake(f, y) const                         whether the prediction is wrong
//   void Coefficients(f, y, self, tau)               writes the coefficients tau of the new example
// An example with k(x, x) = 0 is the zero of the feature space: it can be a mistake, but is never inserted.
// Not thread-safe.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "learners/api/learner_info.h"
#include "learners/bases/cache_policies.h"
#include "learners/bases/test_set.h"
#include "learners/core/math.h"

namespace okbench {

/// Cache policy.
enum class CachePolicy { kNone, kFixed, kAdaptive };

struct BudgetOptions {
  double beta = 0;  ///< learns from examples with a margin <= beta; >= 0
  CachePolicy cache = CachePolicy::kNone;
  std::size_t budget = 1000;  ///< capacity of a fixed cache, in support patterns, >= 2
  bool hold_rows = false;     ///< cache kernel rows at insertion for removals; else evaluate them again
  /// Throws InvalidArgument for an adaptive cache with beta = 0, which removes each new example.
  void Validate() const;
};

/// A budget learner, independent of its update and policy.
class BudgetStreamLearner : public StreamLearner, public Resumable, public GivesModel {};

template <class T, class Update, class Policy>
class BudgetLearner final : public BudgetStreamLearner {
 public:
  BudgetLearner(Update update, Policy policy, const BudgetOptions& options, const LearnerContext<T>& context)
      : engine_(context.kernel),
        train_(engine_.Prepare(*context.train)),
        test_(context.test ? engine_.Prepare(*context.test) : ExampleInputs<T>{}),
        task_loss_(context.tree, context.graph),
        update_(std::move(update)),
        policy_(policy),
        beta_(options.beta),
        cache_(engine_, train_, engine_.MakeBlocks(*context.train, context.test, context.streaming),
               Update::Outputs(*context.train),
               {.keep_scores = Policy::kRemoves, .hold_rows = Policy::kRemoves && options.hold_rows},
               context.lookahead),
        f_(cache_.outputs()),
        tau_(cache_.outputs()) {}

  void Announce(std::span<const std::uint32_t> order) override { cache_.Announce(order); }

  StepOutcome Predict(std::uint32_t example) override {
    cache_.Evaluate(train_, std::span(&example, 1), f_);
    return Outcome(train_.examples->label(example));
  }

  StepOutcome Step(std::uint32_t example) override {
    const std::int32_t y = train_.examples->label(example);
    cache_.Scores(example, f_);
    const StepOutcome outcome = Outcome(y);
    if (!outcome.margin_error) return outcome;
    const double self = engine_.Self(train_, example, Purpose::kLearning);
    if (!std::isfinite(self)) return {.loss = kNan, .mistake = outcome.mistake};
    if (self <= 0) return outcome;
    deletions_ += policy_.BeforeInsert(cache_, f_);
    // With tau = w t, the weighted problem is the unweighted problem for t, with w k(x, x) for k(x, x).
    const double weight = train_.examples->weight(example);
    update_.Coefficients(f_, y, self * weight, tau_);
    for (double& tau : tau_) tau *= weight;
    // Removals may have repaired the margin. An example with zero coefficients is not inserted.
    if (std::all_of(tau_.begin(), tau_.end(), [](double tau) { return tau == 0; })) return outcome;
    cache_.Insert(tau_, f_, self);
    ++insertions_;
    deletions_ += policy_.AfterInsert(cache_);
    return outcome;
  }

  std::vector<std::string> Columns() const override { return {"insertions", "deletions"}; }
  void Report(std::span<double> out) const override {
    out[0] = static_cast<double>(insertions_);
    out[1] = static_cast<double>(deletions_);
  }
  std::size_t support_vectors() const override { return cache_.size(); }
  const KernelCounts& counts() const override { return engine_.counts(); }

  TestOutcome Test() override {
    return CountMistakes(
        *test_.examples, f_.size(), [this](auto rows, auto out) { cache_.Evaluate(test_, rows, out); },
        task_loss_);
  }

  /// Empty: members are copied into the cache.
  std::span<const std::uint32_t> RetainedRows() const override { return {}; }
  void OnRowsAppended() override {
    train_ = engine_.Prepare(*train_.examples);
    cache_.OnRowsAppended();
  }
  void Serialize(Archive& archive) override {
    engine_.Serialize(archive);
    cache_.Serialize(archive);
    archive.Field("insertions", insertions_);
    archive.Field("deletions", deletions_);
  }
  bool ScoreRow(std::uint32_t example, std::span<double> out) override {
    cache_.Evaluate(train_, std::span(&example, 1), out);
    return true;
  }
  AnyModel CurrentModel() const override {
    std::vector<std::size_t> members;
    for (std::size_t slot = 0; slot < cache_.slots(); ++slot)
      if (cache_.in_use(slot)) members.push_back(slot);
    Model<T> model{.kernel = engine_.kernel(), .outputs = cache_.outputs()};
    for (std::size_t r = 0; r < cache_.outputs(); ++r)
      for (const std::size_t slot : members) model.coefficients.push_back(cache_.tau(slot, r));
    model.vectors = std::make_shared<const Examples<T>>(cache_.blocks().Rows(members));
    return model;
  }

  const ScoredCache<T>& cache() const { return cache_; }

 private:
  static constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

  // The outcome of the scores f_.
  StepOutcome Outcome(std::int32_t y) {
    if (!AllFinite(f_)) return {.loss = kNan, .mistake = true};
    before_ = f_;  // removals change f_
    const double margin = update_.Margin(f_, y);
    return {.loss = std::max(0.0, beta_ - margin),
            .mistake = update_.Mistake(f_, y),
            .margin_error = margin <= beta_,
            .task_loss = task_loss_(f_, static_cast<std::size_t>(y)),
            .scores = before_};
  }

  KernelEngine<T> engine_;
  ExampleInputs<T> train_;
  ExampleInputs<T> test_;
  PredictionLoss task_loss_;
  Update update_;
  Policy policy_;
  double beta_;
  ScoredCache<T> cache_;
  std::vector<double> f_, before_, tau_;
  std::uint64_t insertions_ = 0, deletions_ = 0;
};

/// Parameters of all budget learners. beta = 0 is allowed only if defaults.beta is 0.
ParameterTable<BudgetOptions> BudgetParameters(const BudgetOptions& defaults);
/// Cost model. `requested` is an upper bound; the rest are estimates for typical shares of support patterns.
Cost BudgetCost(const BudgetOptions& options, const Workload& work);

/// Builds the learner with the policy options.cache.
template <class T, class Update>
std::unique_ptr<BudgetStreamLearner> MakeBudgetLearner(const Update& update, const BudgetOptions& options,
                                                       const LearnerContext<T>& context) {
  const auto make = [&](auto policy) -> std::unique_ptr<BudgetStreamLearner> {
    return std::make_unique<BudgetLearner<T, Update, decltype(policy)>>(update, policy, options, context);
  };
  switch (options.cache) {
    case CachePolicy::kFixed:
      return make(FixedCache{options.budget});
    case CachePolicy::kAdaptive:
      return make(DistilledCache{options.beta});
    case CachePolicy::kNone:
      break;
  }
  return make(UnboundedCache{});
}

/// Defines a budget method. `make_update(options, training examples)` returns its update.
template <class MakeUpdate>
LearnerInfo DefineBudgetLearner(LearnerDescription about, const BudgetOptions& defaults,
                                const MakeUpdate& make_update) {
  return DefineLearner<Protocol::kStream>(
      std::move(about), BudgetParameters(defaults), BudgetCost,
      [make_update]<class T>(const BudgetOptions& options, const LearnerContext<T>& context) {
        return MakeBudgetLearner<T>(make_update(options, *context.train), options, context);
      });
}

}  // namespace okbench
