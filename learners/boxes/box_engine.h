#pragma once
// BoxEngine: the one place where scores of boxes are evaluated for learners, and where every evaluation is
// counted. One kernel value is one support box against one box. `requested` counts those that a method asks
// for; a function over boxes holds all its support boxes in one table, so that a box's score is one value
// `computed`, however many they are.
//
// Not thread-safe: one engine a trial.

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "learners/core/evaluation_counter.h"
#include "learners/boxes/box_features.h"
#include "learners/outputs/search.h"

namespace okbench {

/// Part of the id of trials on boxes: raised with any change of learners/boxes, or of how methods learn
/// boxes, that may move a bit or a count.
inline constexpr int kBoxesRevision = 2;

class BoxEngine {
 public:
  const KernelCounts& counts() const { return counter_.counts(); }
  /// Boxes scored for learning, by whatever function.
  std::uint64_t boxes_scored() const { return boxes_scored_; }

  /// f of all boxes of images.
  void ScoreAll(BoxFunction& f, std::span<const ScoredImage> images, Purpose purpose);
  /// f of one box.
  double Score(const BoxFunction& f, const BoxHistogram& box, Purpose purpose);
  /// The best box of an image by branch and bound; each bound counts as a value.
  FoundOutput Best(const BoxFunction& f, const BoxImage& image, Purpose purpose);
  /// k of two support boxes.
  double Kernel(BoxKernel kernel, const BoxHistogram& a, const BoxHistogram& b) {
    counter_.Compute(Purpose::kLearning, 1, 1);
    return KernelOf(kernel, a, b);
  }
  /// Books kernel values that a method asks for.
  void CountRequested(std::uint64_t values) { counter_.Request(Purpose::kLearning, values); }
  /// The same between each of `rows` and each of `subset`, but for the `held` ones.
  void CountRequested(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> subset, std::uint64_t held) {
    CountRequested(std::uint64_t{rows.size()} * subset.size() - held);
  }

 private:
  EvaluationCounter counter_;
  std::uint64_t boxes_scored_ = 0;
};

/// Support boxes of training images: pairs of an image and one of its outputs, each with its histogram from
/// when it is first asked for. Output list.size() is the image's true box. Not thread-safe.
class SupportBoxes {
 public:
  /// `images` must outlive it; `truths` one a image.
  SupportBoxes(std::span<BoxImage> images, std::vector<Box> truths, std::size_t words, int levels)
      : images_(images), truths_(std::move(truths)), words_(words), levels_(levels) {}

  std::uint32_t Row(std::uint32_t image, std::size_t output);
  const BoxHistogram& histogram(std::uint32_t row) const { return histograms_[row]; }
  std::size_t size() const { return histograms_.size(); }
  const Box& box(std::uint32_t image, std::size_t output) const {
    const BoxList& list = images_[image].list();
    return output < list.size() ? list[output] : truths_[image];
  }
  const Box& truth(std::uint32_t image) const { return truths_[image]; }

 private:
  std::span<BoxImage> images_;
  std::vector<Box> truths_;
  std::size_t words_;
  int levels_;
  std::map<std::pair<std::uint32_t, std::size_t>, std::uint32_t> places_;
  std::deque<BoxHistogram> histograms_;  // stay where they are
};

/// f = sum over support boxes, with its coefficients. Not thread-safe.
class BoxModel {
 public:
  BoxModel(const SupportBoxes& boxes, const BoxFunction& zero) : boxes_(&boxes), f_(zero) {}
  double coefficient(std::uint32_t row) const { return row < coefficients_.size() ? coefficients_[row] : 0; }
  void Set(std::uint32_t row, double value);
  void Add(std::uint32_t row, double value) { Set(row, coefficient(row) + value); }
  /// Boxes with a coefficient.
  std::size_t size() const { return size_; }
  BoxFunction& f() { return f_; }

 private:
  const SupportBoxes* boxes_;
  BoxFunction f_;
  std::vector<double> coefficients_;
  std::size_t size_ = 0;
};

}  // namespace okbench
