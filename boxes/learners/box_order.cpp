#include "boxes/learners/box_order.h"

#include <algorithm>

#include "learners/core/math.h"
#include "learners/core/random.h"

namespace okbench::box_order {

// Learns nothing. The loss is that of the first box.
RoundOutcome BoxOrder::Round(std::span<const std::uint32_t> batch) {
  RoundOutcome outcome;
  std::vector<double> scores;
  for (const std::uint32_t i : batch) {
    scores.resize(image(i).list().size());
    Put(image(i), "train", i, scores);
    const double loss = 1 - Overlap(truth(i), image(i).list()[ArgMax(scores)]);
    CountLoss(loss, loss, outcome);
  }
  return outcome;
}

void BoxOrder::PredictScores(std::span<const ScoredImage> images, std::size_t first) {
  for (const auto& [image, scores] : images) Put(*image, "test", first++, scores);
}

void BoxOrder::Put(const BoxImage& image, const char* part, std::size_t place, std::span<double> out) const {
  const BoxList& list = image.list();
  Random random(
      DeriveSeed({{"seed", std::to_string(seed_)}, {"part", part}, {"image", std::to_string(place)}}));
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
