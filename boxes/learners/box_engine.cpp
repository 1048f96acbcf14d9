#include "boxes/learners/box_engine.h"

#include <limits>

#include "boxes/learners/bounds.h"

namespace okbench {

void BoxEngine::ScoreAll(BoxFunction& f, std::span<const ScoredImage> images, Purpose purpose) {
  for (const ScoredImage& scored_image : images) {
    counter_.Compute(purpose, scored_image.scores.size(), 1);
    if (purpose == Purpose::kLearning) boxes_scored_ += scored_image.scores.size();
  }
  f.ScoreAll(images);
}

double BoxEngine::Score(const BoxFunction& f, const BoxHistogram& box, Purpose purpose) {
  counter_.Compute(purpose, 1, 1);
  if (purpose == Purpose::kLearning) ++boxes_scored_;
  return f.Score(box);
}

FoundOutput BoxEngine::Best(const BoxFunction& f, const BoxImage& image, Purpose purpose) {
  if (!f.Fits(image.image().points.size()))
    return {.output = 0, .score = std::numeric_limits<double>::quiet_NaN(), .scored = 0};
  const FoundOutput best = BestBox(f, image);
  counter_.Compute(purpose, best.scored, 1);
  return best;
}

std::uint32_t SupportBoxes::Row(std::uint32_t image, std::size_t output) {
  const auto [place, added] =
      places_.try_emplace({image, output}, static_cast<std::uint32_t>(histograms_.size()));
  if (added)
    histograms_.push_back(
        HistogramOf(images_[image].image(), images_[image].lines(), words_, levels_, box(image, output)));
  return place->second;
}

void BoxModel::Set(std::uint32_t row, double value) {
  if (row >= coefficients_.size()) coefficients_.resize(row + 1, 0.0);
  double& coefficient = coefficients_[row];
  if (coefficient == value) return;
  size_ += (value != 0 ? 1 : 0) - (coefficient != 0 ? 1 : 0);
  f_.Move(boxes_->histogram(row), coefficient, value);
  coefficient = value;
}

}  // namespace okbench
