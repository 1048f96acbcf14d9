#pragma once
// box-order: a baseline that orders boxes without learning, to calibrate measures of localisation. Orders:
// random, largest area first, or largest overlap with an object first. The last one uses the true boxes, so
// no method can do better with the same candidates.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "boxes/learners/box_learner.h"

namespace okbench::box_order {

enum class Order { kRandom, kLargest, kBest };

struct Options {
  Order order = Order::kRandom;
};

class BoxOrder final : public BoxLearner {
 public:
  template <class T>
  BoxOrder(const Options& options, const LearnerContext<T>& context)
      : BoxLearner("box-order", context), order_(options.order), seed_(context.seed) {
    if (OptionsOf(context).bounds)
      throw InvalidArgument("box-order cannot search by branch and bound: set bounds = false");
  }

  RoundOutcome Round(std::span<const std::uint32_t> batch) override;
  std::vector<std::string> Columns() const override { return {}; }
  void Report(std::span<double> /*out*/) const override {}

 protected:
  void PredictScores(std::span<const ScoredImage> images, std::size_t first) override;

 private:
  // Writes scores of an image's boxes. `place` is the image's index in `part`.
  void Put(const BoxImage& image, const char* part, std::size_t place, std::span<double> out) const;

  Order order_;
  std::uint64_t seed_;
};

}  // namespace okbench::box_order
