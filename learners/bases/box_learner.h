#pragma once
// BoxLearner: what the methods that learn where an object is share: images with their boxes, the oracle over
// boxes, the model, and how it is measured.
//
//   f(x, y) = <w, psi(x, y)>, psi the features of box y of image x (sfd-2013, section 5.2; Blaschko and
//   Lampert
//   2008: a restriction kernel), Delta(y, y') = 1 - area(y and y') / area(y or y').
//
// Outputs are the image's list of boxes and, of training images, the true box; the prediction is the best box
// of the list. A mistake is an overlap of at most 1/2. Of several objects in a test image the one that the
// box overlaps most counts.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "learners/api/asks_oracle.h"
#include "learners/api/cost_model.h"
#include "learners/api/learner.h"
#include "learners/outputs/boxes/box_engine.h"
#include "learners/outputs/task.h"

namespace okbench {

class BoxLearner : public OutputLearner {
 public:
  const KernelCounts& counts() const override { return engine_.counts(); }
  std::uint64_t oracle_calls() const override { return oracle_.calls(); }
  std::optional<std::uint64_t> boxes_scored() const override { return engine_.boxes_scored(); }
  std::size_t support_vectors() const override { return model_.size(); }
  TestOutcome Test() override;
  /// Mean of max(0, max_y [Delta(y_i, y) + f(x_i, y) - f(x_i, y_i)]).
  TrainingOutcome MeasureTraining() override;

 protected:
  /// Throws InvalidArgument for other labels than boxes, other kernels than histogram intersection and
  /// linear, and a training image whose objects are not exactly one that is not difficult.
  template <class T>
  BoxLearner(const std::string& method, const LearnerContext<T>& context);

  std::size_t size() const { return train_.size(); }
  BoxImage& image(std::uint32_t i) { return train_[i]; }
  /// Outputs of a training image; the last one is the truth.
  std::size_t outputs(std::uint32_t i) const { return train_[i].list().size() + 1; }
  /// f of all outputs of a training image.
  void Scores(BoxFunction& f, std::uint32_t i, Purpose purpose, std::span<double> out);
  /// Delta of all outputs of a training image.
  void Deltas(std::uint32_t i, std::span<double> out) const;
  /// Adds the outcome of a training image, before it is learned from, to a round's. Gives the oracle's
  /// answer; its value is not a number where a score is not finite.
  Oracle::Violator CountScores(std::span<const double> deltas, std::span<const double> f,
                               RoundOutcome& outcome);
  /// Scores of a test image's boxes by the model, counted as evaluation cost. `place` in the test set.
  virtual void PredictScores(BoxImage& image, std::size_t place, std::span<double> out);
  BoxKernel kernel() const { return zero_.kernel(); }
  BoxFunction NewFunction() const { return zero_; }

  BoxEngine engine_;
  Oracle oracle_;

 private:
  BoxSpace space_;
  BoxFunction zero_;
  std::vector<BoxImage> train_, test_;
  bool has_test_, recall_, bounds_;

 protected:
  SupportBoxes support_;
  BoxModel model_;
};

/// Cost of learning boxes: each example processed has all its boxes scored by about `functions` functions.
Cost BoxCost(const Workload& work, double functions);

/// The `make` of a method of listed outputs with its twin for boxes: the data says which it is.
template <template <class> class Listed, class Boxes>
auto ConstructsFor() {
  return []<class Options, class T>(const Options& options,
                                    const LearnerContext<T>& context) -> std::unique_ptr<OutputLearner> {
    if (context.train->label_kind() == LabelKind::kBoxes) return std::make_unique<Boxes>(options, context);
    return std::make_unique<Listed<T>>(options, context);
  };
}

}  // namespace okbench
