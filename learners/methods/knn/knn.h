#pragma once
// k nearest neighbours in a sliding window: a baseline without a kernel. Of the last w rows, the k with the
// smallest Euclidean distance to x vote. Equal distances: the newer row first.
//
//   classes:       predict arg max_c #{neighbours of class c}; ties: the class of the nearest of these
//   real targets:  f(x) = mean of the neighbours' targets
//
// Scores: f_c = votes of c / k, for two classes votes of +1 minus votes of -1; a tie adds half a vote to its
// winner. f = 0 before the first row. Loss: 0 or 1 for classes, (f - y)^2 for real targets.
//
// Cost per step: min(w, rows so far) distances, counted as kernel evaluations.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learners/bases/baseline.h"
#include "learners/kernels/engine.h"

namespace okbench::knn {

struct Options {
  std::uint64_t k = 10;
  std::uint64_t window = 1000;
};

template <class T>
class Knn final : public StreamLearner, public Resumable {
 public:
  Knn(const Options& options, const LearnerContext<T>& context)
      : options_(options),
        train_(*context.train),
        test_(context.test),
        kind_(train_.label_kind()),
        task_loss_(context.tree, context.graph),
        engine_(Kernel::Linear()),
        inputs_(engine_.Prepare(train_)),
        set_(engine_.MakeBlocks(train_, test_, context.streaming, true)),
        f_(kind_ == LabelKind::kMulticlass ? static_cast<std::size_t>(train_.classes()) : 1) {}

  void Announce(std::span<const std::uint32_t> /*order*/) override {}
  StepOutcome Predict(std::uint32_t example) override {
    Score(inputs_, example, Purpose::kMeasuring, f_);
    return OutcomeOf(train_.target(example));
  }
  StepOutcome Step(std::uint32_t example) override {
    Score(inputs_, example, Purpose::kLearning, f_);
    const double y = train_.target(example);
    const StepOutcome outcome = OutcomeOf(y);
    const std::size_t slot = steps_ % options_.window;
    set_.Put(slot, inputs_, example);
    if (slot == targets_.size()) targets_.push_back(0);
    targets_[slot] = y;
    ++steps_;
    return outcome;
  }

  std::vector<std::string> Columns() const override { return {}; }
  void Report(std::span<double> /*out*/) const override {}
  std::size_t support_vectors() const override { return set_.size(); }
  const KernelCounts& counts() const override { return engine_.counts(); }
  TestOutcome Test() override {
    const ExampleInputs<T> rows = engine_.Prepare(*test_);
    const auto scores = [&](std::span<const std::uint32_t> examples, std::span<double> out) {
      for (std::size_t i = 0; i < examples.size(); ++i)
        Score(rows, examples[i], Purpose::kMeasuring, out.subspan(i * f_.size(), f_.size()));
    };
    if (kind_ == LabelKind::kReal) return SumSquaredErrors(*test_, scores);
    return CountMistakes(*test_, f_.size(), scores, task_loss_);
  }

  std::span<const std::uint32_t> RetainedRows() const override { return {}; }
  void OnRowsAppended() override { engine_.Extend(inputs_); }
  void Serialize(Archive& archive) override {
    engine_.Serialize(archive);
    engine_.Serialize(archive, set_);
    archive.Field("targets", targets_);
    archive.Field("steps", steps_);
    if (targets_.size() != set_.size() || targets_.size() != std::min(steps_, options_.window))
      Archive::Fail("targets", "do not fit the window");
    for (const double y : targets_) {
      const bool known = kind_ == LabelKind::kReal     ? std::isfinite(y)
                         : kind_ == LabelKind::kBinary ? std::fabs(y) == 1
                                                       : y >= 0 && y < static_cast<double>(f_.size());
      if (!known) Archive::Fail("targets", "hold a label that is none");
    }
  }

 private:
  struct Neighbour {
    T distance;
    std::uint64_t age;
    std::size_t slot;
    bool operator<(const Neighbour& other) const {
      return distance != other.distance ? distance < other.distance : age < other.age;
    }
  };

  // The nearest first.
  void FindNeighbours(const Inputs<T>& rows, std::uint32_t i, Purpose purpose) {
    distances_.resize(set_.slots());
    engine_.SquaredDistances(set_, rows, i, purpose, distances_.data());
    nearest_.clear();
    for (std::size_t slot = 0; slot < targets_.size(); ++slot)
      nearest_.push_back({distances_[slot], (steps_ - 1 - slot) % options_.window, slot});
    const std::size_t k = std::min<std::size_t>(options_.k, nearest_.size());
    std::partial_sort(nearest_.begin(), nearest_.begin() + static_cast<std::ptrdiff_t>(k), nearest_.end());
    nearest_.resize(k);
  }

  void Score(const Inputs<T>& rows, std::uint32_t i, Purpose purpose, std::span<double> f) {
    FindNeighbours(rows, i, purpose);
    std::fill(f.begin(), f.end(), 0.0);
    if (nearest_.empty()) return;
    const auto k = static_cast<double>(nearest_.size());
    if (kind_ == LabelKind::kReal) {
      for (const Neighbour& neighbour : nearest_) f[0] += targets_[neighbour.slot];
      f[0] /= k;
      return;
    }
    votes_.assign(kind_ == LabelKind::kBinary ? 2 : f.size(), 0.0);
    for (const Neighbour& neighbour : nearest_) ++votes_[ClassOf(targets_[neighbour.slot], f.size())];
    const double most = *std::max_element(votes_.begin(), votes_.end());
    if (std::count(votes_.begin(), votes_.end(), most) > 1)
      for (const Neighbour& neighbour : nearest_)
        if (double& votes = votes_[ClassOf(targets_[neighbour.slot], f.size())]; votes == most) {
          votes += 0.5;
          break;
        }
    if (kind_ == LabelKind::kBinary)
      f[0] = (votes_[1] - votes_[0]) / k;
    else
      for (std::size_t c = 0; c < f.size(); ++c) f[c] = votes_[c] / k;
  }

  StepOutcome OutcomeOf(double y) const { return ZeroOneOutcome(kind_, f_, y, task_loss_); }

  Options options_;
  const Examples<T>& train_;
  const Examples<T>* test_;
  LabelKind kind_;
  PredictionLoss task_loss_;
  KernelEngine<T> engine_;
  ExampleInputs<T> inputs_;
  SupportBlocks<T> set_;         // slot: step modulo the window
  std::vector<double> targets_;  // by slot
  std::uint64_t steps_ = 0;
  std::vector<double> f_, votes_;
  std::vector<T> distances_;
  std::vector<Neighbour> nearest_;
};

}  // namespace okbench::knn
