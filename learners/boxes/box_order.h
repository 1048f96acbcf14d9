#pragma once
// Boxes in an order that is not learned: what a measure of localisation gives for nothing. Random scores, the
// largest box first, or, which knows the answer, the box that overlaps an object most: no method can do
// better with these boxes.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learners/boxes/box_learner.h"
#include "learners/core/error.h"

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
    if (OptionsOf(context).bounds) throw InvalidArgument("box-order has no function that bounds could be of");
  }

  RoundOutcome Round(std::span<const std::uint32_t> batch) override;
  std::vector<std::string> Columns() const override { return {}; }
  void Report(std::span<double> /*out*/) const override {}

 protected:
  void PredictScores(std::span<const ScoredImage> images, std::size_t first) override;

 private:
  // Scores of an image's boxes; `place` in its part.
  void Put(const BoxImage& image, const char* part, std::size_t place, std::span<double> out) const;

  Order order_;
  std::uint64_t seed_;
};

}  // namespace okbench::box_order
