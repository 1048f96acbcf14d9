#include "learners/bases/hedge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/error.h"
#include "learners/api/uses_features.h"
#include "learners/bases/baseline.h"
#include "learners/core/math.h"

namespace okbench {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class T>
class Hedge : public StreamLearner, public Resumable, public GivesModel, public GrowsClasses {
 public:
  Hedge(std::vector<std::unique_ptr<StreamLearner>> learners, const HedgeOptions& options,
        const LearnerContext<T>& context)
      : learners_(std::move(learners)),
        beta_(options.beta),
        train_(*context.train),
        test_(context.test),
        kind_(train_.label_kind()),
        task_loss_(context.tree, context.graph),
        f_(kind_ == LabelKind::kMulticlass ? static_cast<std::size_t>(train_.classes()) : 1) {
    for (const auto& learner : learners_) {
      resumable_.push_back(dynamic_cast<Resumable*>(learner.get()));
      if (resumable_.back() == nullptr || !resumable_.back()->RetainedRows().empty())
        throw InvalidArgument("the method cannot be hedged: its learners keep rows of the training set");
    }
    if (!(beta_ > 0 && beta_ < 1)) throw InvalidArgument("beta: must be > 0 and < 1");
    const auto valid = [](double discount) { return discount >= 0 && discount < 1; };
    if (options.discounts.empty() || !std::ranges::all_of(options.discounts, valid))
      throw InvalidArgument("discounts: must be numbers >= 0 and < 1");
    slowest_ = *std::ranges::min_element(options.discounts);
    for (const double discount : options.discounts)
      rates_.push_back({.discount = discount,
                        .log_weights = std::vector<double>(learners_.size()),
                        .shares = std::vector<double>(learners_.size()),
                        .log_weight = 0});
    SetWeights();
    scores_.resize(learners_.size() * f_.size());
    losses_.resize(learners_.size());
    AddCounts();
  }

  void Announce(std::span<const std::uint32_t> order) override {
    for (const auto& learner : learners_) learner->Announce(order);
  }
  StepOutcome Predict(std::uint32_t example) override {
    return Outcome(example, [example](StreamLearner& learner) { return learner.Predict(example); });
  }
  StepOutcome Step(std::uint32_t example) override {
    const StepOutcome outcome =
        Outcome(example, [example](StreamLearner& learner) { return learner.Step(example); });
    Reweight(train_.target(example));
    return outcome;
  }

  std::vector<std::string> Columns() const override { return {"leader", "leader_weight"}; }
  void Report(std::span<double> out) const override {
    const std::size_t leader = ArgMax(weights_);
    double sum = 0;
    for (const double weight : weights_) sum += weight;
    out[0] = static_cast<double>(leader);
    out[1] = weights_[leader] / sum;
  }
  std::size_t support_vectors() const override {
    std::size_t sum = 0;
    for (const auto& learner : learners_) sum += learner->support_vectors();
    return sum;
  }
  const KernelCounts& counts() const override { return counts_; }
  TestOutcome Test() override {
    std::vector<TestOutcome> outcomes;
    for (const auto& learner : learners_) {
      outcomes.push_back(learner->Test());
      if (outcomes.back().scores.size() != test_->size() * f_.size())
        throw InvalidArgument("the hedged method reports no scores of the test part");
    }
    AddCounts();
    const auto combine = [&](std::span<const std::uint32_t> rows, std::span<double> out) {
      const std::size_t outputs = f_.size();
      for (const std::uint32_t row : rows) {
        for (std::size_t i = 0; i < learners_.size(); ++i)
          Take(i, std::span(outcomes[i].scores).subspan(row * outputs, outputs));
        CombineScores(weights_, scores_, kind_ == LabelKind::kReal, out.subspan(row * outputs, outputs));
      }
    };
    if (kind_ == LabelKind::kReal) return SumSquaredErrors(*test_, combine);
    return CountMistakes(*test_, f_.size(), combine, task_loss_);
  }

  std::span<const std::uint32_t> RetainedRows() const override { return {}; }
  void OnRowsAppended() override {
    for (Resumable* const learner : resumable_) learner->OnRowsAppended();
  }
  void AddClass() override {
    for (const auto& learner : learners_) dynamic_cast<GrowsClasses&>(*learner).AddClass();
    f_.push_back(0);
    scores_.resize(learners_.size() * f_.size());
  }
  void Serialize(Archive& archive) override {
    for (Rate& rate : rates_) archive.Fixed("log_weights", rate.log_weights);
    if (rates_.size() > 1)
      for (Rate& rate : rates_) archive.Field("log_weight", rate.log_weight);
    archive.Field("largest_loss", largest_loss_);
    archive.Field("lowest_target", lowest_);
    archive.Field("highest_target", highest_);
    for (Resumable* const learner : resumable_) learner->Serialize(archive);
    for (const Rate& rate : rates_) {
      for (const double weight : rate.log_weights)
        if (!(weight <= 0)) Archive::Fail("log_weights", "must be at most 0");
      if (!(rate.log_weight <= 0 && std::isfinite(rate.log_weight)))
        Archive::Fail("log_weight", "must be at most 0");
    }
    if (!(largest_loss_ >= 0)) Archive::Fail("largest_loss", "must be at least 0");
    const bool none = lowest_ == kInfinity && highest_ == -kInfinity;
    if (!none && !(lowest_ <= highest_ && std::isfinite(highest_ - lowest_)))
      Archive::Fail("lowest_target", "and the highest are no range");
    SetWeights();
    AddCounts();
  }

  AnyModel CurrentModel() const override {
    Model<T> model;
    model.outputs = f_.size();
    model.votes = weights_;
    model.averages = kind_ == LabelKind::kReal;
    if (const double range = highest_ - lowest_; range >= 0) {
      model.lowest = lowest_ - range;
      model.highest = highest_ + range;
    }
    for (const auto& learner : learners_) {
      const auto* const gives = dynamic_cast<const GivesModel*>(learner.get());
      if (gives == nullptr) throw InvalidArgument("the hedged method gives no model");
      model.parts.push_back(std::get<Model<T>>(gives->CurrentModel()));
    }
    return model;
  }
  bool ScoreRow(std::uint32_t example, std::span<double> out) override {
    for (std::size_t i = 0; i < learners_.size(); ++i) {
      auto* const gives = dynamic_cast<GivesModel*>(learners_[i].get());
      if (gives == nullptr || !gives->ScoreRow(example, f_)) return false;
      Take(i, f_);
    }
    AddCounts();
    CombineScores(weights_, scores_, kind_ == LabelKind::kReal, out);
    return true;
  }

 private:
  // The learners' weights with one discount of old losses.
  struct Rate {
    double discount;
    std::vector<double> log_weights;  // the largest is 0; minus infinity: dropped
    std::vector<double> shares;       // e^log_weights, divided by their sum
    double log_weight;                // of the rate; the largest is 0
  };

  bool dropped(std::size_t i) const { return std::isinf(rates_.front().log_weights[i]); }

  // Stores the scores of a learner; those of real targets are clipped.
  void Take(std::size_t i, std::span<const double> f) {
    std::copy(f.begin(), f.end(), scores_.begin() + static_cast<std::ptrdiff_t>(i * f_.size()));
    if (kind_ != LabelKind::kReal) return;
    const double range = highest_ - lowest_;
    if (range >= 0) scores_[i] = std::clamp(scores_[i], lowest_ - range, highest_ + range);
  }

  template <class Act>
  StepOutcome Outcome(std::uint32_t example, const Act& act) {
    for (std::size_t i = 0; i < learners_.size(); ++i) {
      if (dropped(i)) continue;
      const StepOutcome result = act(*learners_[i]);
      losses_[i] = kind_ == LabelKind::kReal ? 0 : static_cast<double>(result.mistake);
      const double prediction = result.prediction;
      const std::span<const double> f = result.scores.empty() ? std::span(&prediction, 1) : result.scores;
      if (f.size() != f_.size()) throw InvalidArgument("the hedged method reports no scores");
      if (!std::isfinite(result.loss) || !AllFinite(f)) {
        for (Rate& rate : rates_) rate.log_weights[i] = -kInfinity;
        SetWeights();
        continue;
      }
      Take(i, f);
      if (kind_ == LabelKind::kReal) {
        const double distance = scores_[i] - train_.target(example);
        losses_[i] = distance * distance;
      }
    }
    AddCounts();
    CombineScores(weights_, scores_, kind_ == LabelKind::kReal, f_);
    StepOutcome outcome = ZeroOneOutcome(kind_, f_, train_.target(example), task_loss_);
    if (std::ranges::all_of(weights_, [](double weight) { return weight == 0; }))
      outcome.loss = std::numeric_limits<double>::quiet_NaN();
    return outcome;
  }

  void Reweight(double y) {
    if (kind_ == LabelKind::kReal) {
      lowest_ = std::min(lowest_, y);
      highest_ = std::max(highest_, y);
      for (std::size_t i = 0; i < learners_.size(); ++i)
        if (!dropped(i)) largest_loss_ = std::max(largest_loss_, losses_[i]);
    }
    const double unit = Log(beta_) / (kind_ == LabelKind::kReal && largest_loss_ > 0 ? largest_loss_ : 1);
    for (Rate& rate : rates_) {
      if (rates_.size() > 1) rate.log_weight = (1 - slowest_) * rate.log_weight + unit * LossOf(rate, y);
      for (std::size_t i = 0; i < learners_.size(); ++i)
        if (!dropped(i)) rate.log_weights[i] = (1 - rate.discount) * rate.log_weights[i] + unit * losses_[i];
    }
    const double most = std::ranges::max_element(rates_, {}, &Rate::log_weight)->log_weight;
    for (Rate& rate : rates_) rate.log_weight -= most;
    SetWeights();
  }

  // The loss of the vote, or mean, with the weights of one rate, for the scores of the last step.
  double LossOf(const Rate& rate, double y) {
    vote_.resize(f_.size());
    CombineScores(rate.shares, scores_, kind_ == LabelKind::kReal, vote_);
    if (kind_ == LabelKind::kReal) return (vote_[0] - y) * (vote_[0] - y);
    return static_cast<double>(ZeroOneOutcome(kind_, vote_, y, task_loss_).mistake);
  }

  // Sets the largest of a rate's log_weights to 0, its shares, and weights_: the mean of the shares by the
  // rates' weights, divided by the largest.
  void SetWeights() {
    weights_.assign(learners_.size(), 0.0);
    for (Rate& rate : rates_) {
      const double most = *std::ranges::max_element(rate.log_weights);
      if (std::isinf(most)) return;
      double sum = 0;
      for (std::size_t i = 0; i < learners_.size(); ++i) {
        rate.log_weights[i] -= most;
        sum += rate.shares[i] = dropped(i) ? 0 : Exp(rate.log_weights[i]);
      }
      const double weight = Exp(rate.log_weight);
      for (std::size_t i = 0; i < learners_.size(); ++i) weights_[i] += weight * (rate.shares[i] /= sum);
    }
    const double most = *std::ranges::max_element(weights_);
    for (double& weight : weights_) weight /= most;
  }

  void AddCounts() {
    counts_ = {};
    for (const auto& learner : learners_) {
      const KernelCounts& learner_counts = learner->counts();
      counts_.requested += learner_counts.requested;
      counts_.computed += learner_counts.computed;
      counts_.evaluation += learner_counts.evaluation;
      counts_.terms += learner_counts.terms;
      counts_.features += learner_counts.features;
      counts_.measured_features += learner_counts.measured_features;
    }
  }

  std::vector<std::unique_ptr<StreamLearner>> learners_;
  double beta_;
  const Examples<T>& train_;
  const Examples<T>* test_;
  LabelKind kind_;
  PredictionLoss task_loss_;
  std::vector<double> f_;
  std::vector<Resumable*> resumable_;
  std::vector<Rate> rates_;
  double slowest_;               // the smallest discount
  std::vector<double> weights_;  // by learner; the largest is 1
  std::vector<double> scores_;   // [learner][output]
  std::vector<double> losses_;   // of the last step, by learner
  std::vector<double> vote_;     // scratch
  double largest_loss_ = 0;
  double lowest_ = kInfinity, highest_ = -kInfinity;  // targets so far
  KernelCounts counts_;
};

// Of learners with an explicit feature map.
template <class T>
class HedgeOfFeatures final : public Hedge<T>, public UsesFeatures {
 public:
  using Hedge<T>::Hedge;
  std::uint64_t feature_evaluations() const override { return this->counts().features; }
};

}  // namespace

template <class T>
std::unique_ptr<Learner> MakeHedge(const LearnerInfo& info, std::span<const HedgedLearner> learners,
                                   const HedgeOptions& options, const LearnerContext<T>& context) {
  std::vector<std::unique_ptr<StreamLearner>> experts;
  for (const HedgedLearner& learner : learners) {
    LearnerContext<T> own = context;
    own.kernel = learner.kernel;
    experts.push_back(info.MakeAs<StreamLearner>(learner.parameters, own));
  }
  if (dynamic_cast<const UsesFeatures*>(experts.front().get()) != nullptr)
    return std::make_unique<HedgeOfFeatures<T>>(std::move(experts), options, context);
  return std::make_unique<Hedge<T>>(std::move(experts), options, context);
}

template std::unique_ptr<Learner> MakeHedge(const LearnerInfo&, std::span<const HedgedLearner>,
                                            const HedgeOptions&, const LearnerContext<float>&);
template std::unique_ptr<Learner> MakeHedge(const LearnerInfo&, std::span<const HedgedLearner>,
                                            const HedgeOptions&, const LearnerContext<double>&);

}  // namespace okbench
