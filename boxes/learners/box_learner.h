#pragma once
// BoxLearner: base of the methods that learn where an object is. Holds images with their boxes, the oracle
// over boxes and the model, and measures it.
//
//   f(x, y) = <w, psi(x, y)>, psi the features of box y of image x (sfd-2013, section 5.2; restriction
//   kernel of Blaschko and Lampert 2008),   Delta(y, y') = 1 - area(y and y') / area(y or y').
//
// Outputs are the image's list of boxes and, for training images, the true box. The prediction is the best
// box of the list. An overlap of at most 1/2 is a mistake. In a test image with several objects, the object
// that the predicted box overlaps most counts.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "boxes/learners/box_engine.h"
#include "boxes/learners/box_outcome.h"
#include "boxes/learners/box_space.h"
#include "learners/api/cost_model.h"
#include "learners/api/learner.h"
#include "learners/api/output_learner.h"
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
  /// Throws InvalidArgument if the examples are not images, if the kernel is neither histogram intersection
  /// nor linear, or if a training image does not have exactly one object that is not difficult.
  template <class T>
  BoxLearner(const std::string& method, const LearnerContext<T>& context)
      : BoxLearner(method, context.kernel, OptionsOf(context), ImagesOf(*context.train),
                   context.test == nullptr ? nullptr : &ImagesOf(*context.test)) {}

  /// Options of the context, or the defaults.
  template <class T>
  static BoxOptions OptionsOf(const LearnerContext<T>& context) {
    const auto* options = dynamic_cast<const BoxOptions*>(context.outputs);
    return options == nullptr ? BoxOptions{} : *options;
  }

  std::size_t size() const { return train_.size(); }
  const BoxImage& image(std::uint32_t i) const { return train_[i]; }
  const Box& truth(std::uint32_t i) const { return support_.truth(i); }
  /// f and Delta of all outputs of several training images, concatenated. The last output of an image is the
  /// truth.
  struct ScoredOutputs {
    std::vector<std::size_t> starts;  // the i-th image has entries starts[i] .. starts[i + 1] - 1
    std::vector<double> f, deltas;
    std::span<double> Of(std::vector<double>& list, std::size_t i) const {
      return std::span(list).subspan(starts[i], starts[i + 1] - starts[i]);
    }
  };
  /// Computes f under the model, and Delta. For learning, requests each output against all support boxes.
  void ScoreByModel(std::span<const std::uint32_t> images, Purpose purpose, ScoredOutputs& scored);
  /// Writes f of the outputs of these images to `out`, concatenated.
  void ScoreBy(BoxFunction& f, std::span<const std::uint32_t> images, Purpose purpose, std::span<double> out);
  /// Calls visit(image, f, deltas) for all training images under the model, in groups of kAtOnce.
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
  /// Adds one training image to `outcome`. Call it before the method learns from the image. Returns the most
  /// violating output; its value is NaN if a score is not finite.
  Oracle::Violator CountScores(std::span<const double> deltas, std::span<const double> f,
                               RoundOutcome& outcome);
  /// Adds one image to `outcome`. `loss` is Delta of the predicted box, `bound` the hinge loss.
  static void CountLoss(double loss, double bound, RoundOutcome& outcome);
  /// Writes the scores of test images' boxes under the model. Counts them as Purpose::kMeasuring. `first` is
  /// the index of the first image in the test set.
  virtual void PredictScores(std::span<const ScoredImage> images, std::size_t first);
  BoxKernel kernel() const { return zero_.kernel(); }
  BoxFunction NewFunction() const { return zero_; }

  BoxEngine engine_;
  Oracle oracle_;

 private:
  BoxLearner(const std::string& method, const Kernel& kernel, const BoxSettings& options,
             const WordImages& train, const WordImages* test);

  // Smallest loss that counts as a mistake: an overlap of at most one half.
  static constexpr double kWrong = 0.5;
  static constexpr std::size_t kAtOnce = 8;  // images scored together
  // Adds a test image with the scores of its boxes.
  void TestImage(const BoxImage& image, std::span<const double> scores, TestOutcome& outcome,
                 BoxTestDetails& details);

  BoxSpace space_;
  BoxFunction zero_;
  std::vector<BoxImage> train_, test_;
  bool has_test_;
  std::optional<double> suppression_;  // set if recall is measured
  bool bounds_;

 protected:
  SupportBoxes support_;
  BoxModel model_;
};

/// Cost of learning boxes. Each processed example has all its boxes scored by about `functions` functions.
Cost BoxCost(const Workload& work, double functions);
/// Cost of box-order, which learns nothing: it only sorts the boxes of measured images.
Cost BoxOrderCost(const Workload& work);

}  // namespace okbench
