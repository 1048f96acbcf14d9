#include "harness/measures/prediction_measure.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>

#include "base/error.h"
#include "base/nearest.h"

namespace okbench {
namespace {

constexpr std::size_t kLargestWindow = 100'000'000;

}  // namespace

const PredictionMeasureInfo& FindPredictionMeasure(const std::string& name) {
  std::vector<std::string> names;
  for (const PredictionMeasureInfo& info : PredictionMeasures()) {
    if (info.name == name) return info;
    names.push_back(info.name);
  }
  throw InvalidArgument("unknown measure '" + name + "'" +
                        DidYouMean(name, names, "see okbench help measures"));
}

std::string UnfitFor(const PredictionMeasureInfo& measure, const PredictionShape& shape) {
  const bool classes = shape.classes > 0;
  const bool one_class = shape.kind == ScoreKind::kOneClass;
  switch (measure.needs) {
    case MeasureNeeds::kTargets:
      return shape.kind == ScoreKind::kReal ? "" : measure.name + " needs real targets";
    case MeasureNeeds::kNovelty:
      return one_class ? "" : measure.name + " needs a novelty detector";
    case MeasureNeeds::kProbabilities:
      return shape.kind == ScoreKind::kLogOdds || shape.kind == ScoreKind::kSoftmax
                 ? ""
                 : measure.name + " needs probabilities, that is a logistic loss";
    case MeasureNeeds::kClasses:
    case MeasureNeeds::kRanks:
      if (!classes) return measure.name + " needs classes";
      return one_class && shape.classes > 2 ? measure.name + " of a novelty detector needs binary labels"
                                            : "";
  }
  return "";
}

double KappaAgainst(const PredictionSums& sums, double chance_right) {
  const double chance = chance_right / sums.size();
  return chance < 1 ? (sums.right() / sums.size() - chance) / (1 - chance) : 0;
}

MeasureRequest ParseMeasureRequest(const std::string& text) {
  const std::size_t at = text.find('@');
  MeasureRequest request{.measure = FindPredictionMeasure(text.substr(0, at)).name};
  if (at == std::string::npos) return request;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + at + 1, end, request.window);
  if (error != std::errc() || rest != end || request.window < 1 || request.window > kLargestWindow)
    throw InvalidArgument("'" + text + "': the window must be a number of examples from 1 to " +
                          std::to_string(kLargestWindow) + ", as in " + request.measure + "@1000");
  return request;
}

PredictionMeter::PredictionMeter(const PredictionShape& shape, const std::vector<MeasureRequest>& requests)
    : sequence_(shape) {
  std::map<std::size_t, bool> ranks;  // by window
  for (const MeasureRequest& request : requests) {
    const PredictionMeasureInfo& info = FindPredictionMeasure(request.measure);
    if (!UnfitFor(info, shape).empty()) continue;
    wanted_.push_back({request, &info, 0});
    ranks[request.window] = ranks[request.window] || info.needs == MeasureNeeds::kRanks;
  }
  for (const auto& [window, ranked] : ranks) {
    for (RequestedMeasure& measure : wanted_)
      if (measure.request.window == window) measure.sums = sums_.size();
    sums_.emplace_back(shape, window, ranked);
  }
}

void PredictionMeter::Add(const Prediction& prediction) {
  const SequencedPrediction next = sequence_.Next(prediction);
  for (PredictionSums& sums : sums_) sums.Add(next);
}

void PredictionMeter::ForEach(const std::function<void(const MeasureRequest&, double)>& visit) const {
  for (const RequestedMeasure& measure : wanted_) {
    const PredictionSums& sums = sums_[measure.sums];
    visit(measure.request,
          sums.size() > 0 ? measure.info->value(sums) : std::numeric_limits<double>::quiet_NaN());
  }
}

}  // namespace okbench
