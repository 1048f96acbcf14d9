#include "boxes/learners/box_learner.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "base/error.h"
#include "boxes/learners/recall.h"
#include "learners/core/math.h"

namespace okbench {
namespace {

// Cost of sorting one box of a measured image and computing its overlap, in multiply-adds.
constexpr double kOrderAdds = 500;

BoxKernel BoxKernelOf(const std::string& method, const Kernel& kernel, BoxSettings::Normalisation norm) {
  using Normalisation = BoxSettings::Normalisation;
  if (kernel.kind == KernelKind::kHistogramIntersection) {
    if (norm != Normalisation::kL2)
      throw InvalidArgument("normalisation needs the kernel linear; histogram-intersection compares counts");
    return BoxKernel::kIntersection;
  }
  if (kernel.kind == KernelKind::kLinear) {
    if (norm == Normalisation::kL2) return BoxKernel::kL2Linear;
    return norm == Normalisation::kL1 ? BoxKernel::kL1Linear : BoxKernel::kRawLinear;
  }
  throw InvalidArgument(method +
                        " learns boxes with the kernels histogram-intersection and linear, not with " +
                        kernel.Describe());
}

// Returns the true box of each training image.
std::vector<Box> TruthsOf(const WordImages& images) {
  std::vector<Box> truths;
  for (const auto& image : images.images) {
    const auto easy = [](const ImageObject& object) { return !object.difficult; };
    if (std::count_if(image->objects.begin(), image->objects.end(), easy) != 1)
      throw InvalidArgument("image " + image->name +
                            " has several objects; training images need exactly one that is not difficult");
    truths.push_back(std::find_if(image->objects.begin(), image->objects.end(), easy)->box);
  }
  return truths;
}

std::vector<BoxImage> BoxImagesOf(const WordImages& images, BoxSpace& space) {
  std::vector<BoxImage> boxes;
  for (const auto& image : images.images) boxes.emplace_back(*image, space.Of(image->width, image->height));
  return boxes;
}

}  // namespace

BoxLearner::BoxLearner(const std::string& method, const Kernel& kernel, const BoxSettings& options,
                       const WordImages& train, const WordImages* test)
    : space_(options, ClusterSizes(TruthsOf(train), options.sizes)),
      zero_(BoxKernelOf(method, kernel, options.normalisation), train.words, options.levels),
      train_(BoxImagesOf(train, space_)),
      has_test_(test != nullptr),
      suppression_(options.recall ? std::optional(options.suppression) : std::nullopt),
      bounds_(options.bounds),
      support_(train_, TruthsOf(train), zero_.words(), zero_.levels()),
      model_(support_, zero_) {
  if (!has_test_) return;
  if (test->words != zero_.words())
    throw InvalidArgument("training and test images have different visual words");
  test_ = BoxImagesOf(*test, space_);
}

Cost BoxOrderCost(const Workload& work) {
  Cost cost;
  cost.multiply_adds = static_cast<double>(work.examples);
  cost.measuring_adds = kOrderAdds * static_cast<double>(work.candidates);
  cost.bytes = 64 * (work.training + work.candidates);
  return cost;
}

Cost BoxCost(const Workload& work, double functions) {
  const auto boxes = static_cast<double>(work.candidates), examples = static_cast<double>(work.examples);
  Cost cost;
  cost.vectors = static_cast<double>(work.training);
  cost.requested = work.examples * work.candidates * work.training;
  cost.computed = examples * boxes * functions;
  // The boxes of a measured image are scored once, for any number of support boxes, and sorted.
  cost.changes = boxes;
  cost.measuring_adds = kOrderAdds * boxes;
  // Lists of a batch, and cached data of the training images and of as many test images.
  cost.bytes = (std::max<std::uint64_t>(work.batch, 8) * 8 * static_cast<std::uint64_t>(functions + 4) +
                2 * work.candidate_bytes * work.training) *
               work.candidates;
  return cost;
}

void BoxLearner::ScoreBy(BoxFunction& f, std::span<const std::uint32_t> images, Purpose purpose,
                         std::span<double> out) {
  std::vector<ScoredImage> scored;
  std::size_t at = 0;
  for (const std::uint32_t i : images) {
    const std::size_t boxes = train_[i].list().size();
    scored.push_back({&train_[i], out.subspan(at, boxes)});
    at += boxes;
    out[at++] = engine_.Score(f, support_.histogram(support_.Row(i, boxes)), purpose);
  }
  engine_.ScoreAll(f, scored, purpose);
}

void BoxLearner::ScoreByModel(std::span<const std::uint32_t> images, Purpose purpose, ScoredOutputs& scored) {
  scored.starts.assign(1, 0);
  for (const std::uint32_t i : images)
    scored.starts.push_back(scored.starts.back() + train_[i].list().size() + 1);
  scored.f.resize(scored.starts.back());
  scored.deltas.resize(scored.starts.back());
  if (purpose == Purpose::kLearning) engine_.CountRequested(std::uint64_t{scored.f.size()} * model_.size());
  ScoreBy(model_.f(), images, purpose, scored.f);
  for (std::size_t i = 0; i < images.size(); ++i) {
    const BoxList& list = train_[images[i]].list();
    const std::span<double> deltas = scored.Of(scored.deltas, i);
    for (std::size_t y = 0; y < list.size(); ++y) deltas[y] = 1 - Overlap(support_.truth(images[i]), list[y]);
    deltas.back() = 0;
  }
}

Oracle::Violator BoxLearner::CountScores(std::span<const double> deltas, std::span<const double> f,
                                         RoundOutcome& outcome) {
  const std::size_t truth = f.size() - 1;
  Oracle::Violator violator{.output = truth, .value = std::numeric_limits<double>::quiet_NaN()};
  if (AllFinite(f)) violator = oracle_.MostViolating(truth, deltas, f);
  CountLoss(deltas[ArgMax(f.first(truth))], violator.value, outcome);
  return violator;
}

void BoxLearner::CountLoss(double loss, double bound, RoundOutcome& outcome) {
  ++outcome.examples;
  const auto n = static_cast<double>(outcome.examples);
  outcome.mean_loss += (bound - outcome.mean_loss) / n;
  outcome.margin_errors += bound > 0 ? 1 : 0;
  outcome.mistakes += loss >= kWrong ? 1 : 0;
  const double before = outcome.task_loss.value_or(0);
  outcome.task_loss = before + (loss - before) / n;
}

void BoxLearner::PredictScores(std::span<const ScoredImage> images, std::size_t /*first*/) {
  engine_.ScoreAll(model_.f(), images, Purpose::kMeasuring);
}

void BoxLearner::TestImage(const BoxImage& image, std::span<const double> scores, TestOutcome& outcome,
                           BoxTestDetails& details) {
  const std::size_t predicted = ArgMax(scores);
  if (bounds_) {
    const FoundOutput best = engine_.Best(model_.f(), image, Purpose::kMeasuring);
    if (!details.bounds) details.bounds.emplace();
    details.bounds->bounded += best.scored;
    details.bounds->boxes += scores.size();
    details.bounds->missed += best.output == predicted ? 0 : 1;
  }
  LocalisedBox localised{.prediction = image.list()[predicted], .truth = {}, .number = image.image().number};
  double best = -1;
  for (const auto& [box, difficult] : image.image().objects) {
    if (difficult || Overlap(box, localised.prediction) <= best) continue;
    best = Overlap(box, localised.prediction);
    localised.truth = box;
  }
  outcome.mistakes += 1 - best >= kWrong ? 1 : 0;
  outcome.task_loss = outcome.task_loss.value_or(0) + (1 - best);
  details.localised.push_back(localised);
}

TestOutcome BoxLearner::Test() {
  if (!has_test_) throw InvalidArgument("Test() needs a test set");
  TestOutcome outcome;
  const auto details = std::make_shared<BoxTestDetails>();
  outcome.details = details;
  outcome.examples = test_.size();
  std::optional<RecallMeasure> recall;
  if (suppression_) recall.emplace(*suppression_);
  std::vector<std::vector<double>> scores(kAtOnce);
  for (std::size_t first = 0; first < test_.size(); first += kAtOnce) {
    std::vector<ScoredImage> images;
    for (std::size_t i = 0; i < std::min(kAtOnce, test_.size() - first); ++i) {
      scores[i].resize(test_[first + i].list().size());
      images.push_back({&test_[first + i], scores[i]});
    }
    PredictScores(images, first);
    for (const auto& [image, image_scores] : images) {
      outcome.finite = outcome.finite && AllFinite(image_scores);
      if (!outcome.finite) return outcome;
      TestImage(*image, image_scores, outcome, *details);
      if (recall) recall->Add(image->list(), image_scores, image->image().objects);
    }
  }
  outcome.task_loss = outcome.task_loss.value_or(0) / static_cast<double>(test_.size());
  if (recall) details->recall = recall->Curves();
  return outcome;
}

TrainingOutcome BoxLearner::MeasureTraining() {
  TrainingOutcome outcome;
  Oracle measuring;  // its calls are not counted as learning
  ForEachScored(Purpose::kMeasuring,
                [&](std::uint32_t /*i*/, std::span<const double> f, std::span<const double> deltas) {
                  const double loss = AllFinite(f) ? measuring.MostViolating(f.size() - 1, deltas, f).value
                                                   : std::numeric_limits<double>::quiet_NaN();
                  outcome.mean_loss += loss / static_cast<double>(size());
                  outcome.nonzero_loss += loss > 0 ? 1 : 0;
                });
  return outcome;
}

AnyModel BoxLearner::CurrentModel() const {
  throw InvalidArgument("box learners have no model that scores rows");
}

}  // namespace okbench
