#include "learners/box_order/box_order.h"

#include <algorithm>

#include "learners/core/random.h"

namespace okbench::box_order {

// Nothing is learned: a round counts its examples as wrong by 1.
RoundOutcome BoxOrder::Round(std::span<const std::uint32_t> batch) {
  RoundOutcome outcome;
  outcome.examples = outcome.mistakes = batch.size();
  outcome.mean_loss = 1;
  outcome.task_loss = 1;
  return outcome;
}

void BoxOrder::PredictScores(BoxImage& image, std::size_t place, std::span<double> out) {
  const BoxList& list = image.list();
  Random random(DeriveSeed({{"seed", std::to_string(seed_)}, {"image", std::to_string(place)}}));
  for (std::size_t y = 0; y < out.size(); ++y) {
    if (order_ == Order::kRandom) out[y] = random.Uniform();
    if (order_ == Order::kLargest) out[y] = static_cast<double>(list[y].area());
    if (order_ != Order::kBest) continue;
    out[y] = 0;
    for (const auto& [box, difficult] : image.image().objects)
      if (!difficult) out[y] = std::max(out[y], Overlap(box, list[y]));
  }
}

}  // namespace okbench::box_order
