#pragma once
// BoxEngine: evaluates all scores of boxes for learners and counts every evaluation. One kernel value is one
// support box against one box. `requested` counts the values that a method needs. A BoxFunction merges its
// support boxes into one table, so `computed` counts one value per scored box, whatever their number.
//
// Not thread-safe: one engine per trial.

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "boxes/learners/box_features.h"
#include "learners/core/evaluation_counter.h"
#include "learners/outputs/search.h"

namespace okbench {

/// Part of the id of trials on boxes. Increment it with every change of learners/boxes, or of how methods
/// learn boxes, that may alter a bit or a count of a result.
inline constexpr int kBoxesRevision = 2;

class BoxEngine {
 public:
  const KernelCounts& counts() const { return counter_.counts(); }
  /// Boxes scored for learning, by all functions.
  std::uint64_t boxes_scored() const { return boxes_scored_; }

  /// Writes f of all boxes of each image.
  void ScoreAll(BoxFunction& f, std::span<const ScoredImage> images, Purpose purpose);
  /// Returns f of one box.
  double Score(const BoxFunction& f, const BoxHistogram& box, Purpose purpose);
  /// Returns the best box of an image by branch and bound; the score is NaN if f is not exact. Counts each
  /// bound as one value.
  FoundOutput Best(const BoxFunction& f, const BoxImage& image, Purpose purpose);
  /// Returns k(a, b) of two support boxes, counted for learning.
  double Kernel(BoxKernel kernel, const BoxHistogram& a, const BoxHistogram& b) {
    counter_.Compute(Purpose::kLearning, 1, 1);
    return KernelOf(kernel, a, b);
  }
  /// Counts kernel values that a method requests.
  void CountRequested(std::uint64_t values) { counter_.Request(Purpose::kLearning, values); }
  /// Counts the values between `rows` and `subset`, except `hits` values that the method already has.
  void CountRequested(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> subset,
                      std::uint64_t hits) {
    CountRequested(std::uint64_t{rows.size()} * subset.size() - hits);
  }

 private:
  EvaluationCounter counter_;
  std::uint64_t boxes_scored_ = 0;
};

/// Support boxes of training images: pairs of an image and one of its outputs. The histogram of a pair is
/// computed on first use. Output list.size() is the image's true box. Not thread-safe.
class SupportBoxes {
 public:
  /// `truths` has one box per image. REQUIRES: `images` outlives this object.
  SupportBoxes(std::span<BoxImage> images, std::vector<Box> truths, std::size_t words, int levels)
      : images_(images), truths_(std::move(truths)), words_(words), levels_(levels) {}

  /// Returns the row number of a pair, and adds the pair on first use.
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
  std::deque<BoxHistogram> histograms_;  // a deque keeps references valid
};

/// f as a sum over support boxes, with its coefficients. REQUIRES: `boxes` outlives it. Not thread-safe.
class BoxModel {
 public:
  BoxModel(const SupportBoxes& boxes, const BoxFunction& zero) : boxes_(&boxes), f_(zero) {}
  double coefficient(std::uint32_t row) const { return row < coefficients_.size() ? coefficients_[row] : 0; }
  void Set(std::uint32_t row, double value);
  void Add(std::uint32_t row, double value) { Set(row, coefficient(row) + value); }
  /// Number of boxes with a nonzero coefficient.
  std::size_t size() const { return size_; }
  BoxFunction& f() { return f_; }

 private:
  const SupportBoxes* boxes_;
  BoxFunction f_;
  std::vector<double> coefficients_;
  std::size_t size_ = 0;
};

}  // namespace okbench
