#pragma once
// BoxLearner: what the methods that learn where an object is share: images with their boxes, the oracle over
// boxes, the model, and how it is measured.
//
//   f(x, y) = <w, psi(x, y)>, psi the features of box y of image x (sfd-2013, section 5.2; Blaschko and
//   Lampert 2008: a restriction kernel), Delta(y, y') = 1 - area(y and y') / area(y or y').
//
// Outputs are the image's list of boxes and, of training images, the true box; the prediction is the best box
// of the list. A mistake is an overlap of at most 1/2. Of several objects in a test image the one that the
// box overlaps most counts.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "learners/api/output_learner.h"
#include "learners/api/cost_model.h"
#include "learners/api/learner.h"
#include "learners/boxes/box_engine.h"
#include "learners/boxes/box_outcome.h"
#include "learners/boxes/box_space.h"
#include "learners/outputs/task.h"

namespace okbench {

class BoxLearner : public OutputLearner, public ScoresBoxes {
 public:
  AnyModel CurrentModel() const override;
  const KernelCounts& counts() const override { return engine_.counts(); }
  std::uint64_t oracle_calls() const override { return oracle_.calls(); }
  std::uint64_t boxes_scored() const override { return engine_.boxes_scored(); }
  std::size_t support_vectors() const override { return model_.size(); }
  TestOutcome Test() override;
  /// Mean of max(0, max_y [Delta(y_i, y) + f(x_i, y) - f(x_i, y_i)]).
  TrainingOutcome MeasureTraining() override;

 protected:
  /// Throws InvalidArgument for other labels than boxes, other kernels than histogram intersection and
  /// linear, and a training image whose objects are not exactly one that is not difficult.
  template <class T>
  BoxLearner(const std::string& method, const LearnerContext<T>& context)
      : BoxLearner(method, context.kernel, OptionsOf(context),
                   ImagesOf(*context.train), context.test == nullptr ? nullptr : &ImagesOf(*context.test)) {}

  /// The options of the context, or the default ones.
  template <class T>
  static BoxOptions OptionsOf(const LearnerContext<T>& context) {
    const auto* options = dynamic_cast<const BoxOptions*>(context.outputs);
    return options == nullptr ? BoxOptions{} : *options;
  }

  std::size_t size() const { return train_.size(); }
  const BoxImage& image(std::uint32_t i) const { return train_[i]; }
  const Box& truth(std::uint32_t i) const { return support_.truth(i); }
  /// f and Delta of all outputs of some training images, side by side; an image's last output is the truth.
  struct ScoredOutputs {
    std::vector<std::size_t> starts;  // those of the i-th image are starts[i] .. starts[i + 1] - 1
    std::vector<double> f, deltas;
    std::span<double> Of(std::vector<double>& list, std::size_t i) const {
      return std::span(list).subspan(starts[i], starts[i + 1] - starts[i]);
    }
  };
  /// Fills f by the model, and the losses. Learning asks for each output against all support boxes.
  void ScoreByModel(std::span<const std::uint32_t> images, Purpose purpose, ScoredOutputs& scored);
  /// f of the outputs of these images, side by side in `out`.
  void ScoreBy(BoxFunction& f, std::span<const std::uint32_t> images, Purpose purpose, std::span<double> out);
  /// visit(image, f, deltas) for all training images, by the model, a few at a time.
  template <class Visit>
  void ForEachScored(Purpose purpose, const Visit& visit) {
    ScoredOutputs scored;
    for (std::size_t first = 0; first < size(); first += kAtOnce) {
      std::vector<std::uint32_t> images(std::min(kAtOnce, size() - first));
      std::iota(images.begin(), images.end(), static_cast<std::uint32_t>(first));
      ScoreByModel(images, purpose, scored);
      for (std::size_t i = 0; i < images.size(); ++i)
        visit(images[i], scored.Of(scored.f, i), scored.Of(scored.deltas, i));
    }
  }
  /// Adds the outcome of a training image, before it is learned from, to a round's. Gives the oracle's
  /// answer; its value is not a number where a score is not finite.
  Oracle::Violator CountScores(std::span<const double> deltas, std::span<const double> f,
                               RoundOutcome& outcome);
  /// Adds an image whose predicted box has this loss, and whose hinge loss is `bound`.
  static void CountLoss(double loss, double bound, RoundOutcome& outcome);
  /// Scores of test images' boxes by the model, counted as evaluation cost; the first one's place in the test
  /// set is `first`.
  virtual void PredictScores(std::span<const ScoredImage> images, std::size_t first);
  BoxKernel kernel() const { return zero_.kernel(); }
  BoxFunction NewFunction() const { return zero_; }

  BoxEngine engine_;
  Oracle oracle_;

 private:
  BoxLearner(const std::string& method, const Kernel& kernel, const BoxSettings& options,
             const WordImages& train, const WordImages* test);

  // An image counts as a mistake from this loss on: an overlap of at most one half.
  static constexpr double kWrong = 0.5;
  static constexpr std::size_t kAtOnce = 8;  // images that are scored together
  // Adds the outcome of a test image, by its boxes' scores.
  void TestImage(const BoxImage& image, std::span<const double> scores, TestOutcome& outcome,
                 BoxTestDetails& details);

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
/// Of methods that learn by counting alone: measured images have their boxes put in order.
Cost BoxOrderCost(const Workload& work);

}  // namespace okbench
