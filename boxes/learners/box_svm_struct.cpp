#include "boxes/learners/box_svm_struct.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "learners/methods/svm_struct/svm_struct.h"

namespace okbench::svm_struct {

template <class T>
BoxSvmStruct::BoxSvmStruct(const Options& options, const LearnerContext<T>& context)
    : BoxLearner("svm-struct", context),
      lambda_(options.lambda),
      planes_(options.lambda, options.tolerance, 0),
      scratch_(NewFunction()) {}

template BoxSvmStruct::BoxSvmStruct(const Options&, const LearnerContext<float>&);
template BoxSvmStruct::BoxSvmStruct(const Options&, const LearnerContext<double>&);

RoundOutcome BoxSvmStruct::Round(std::span<const std::uint32_t> /*batch*/) {
  RoundOutcome outcome;
  outcome.whole_set = true;
  const double share = 1 / static_cast<double>(size());
  Plane plane;
  double offset = 0;
  ForEachScored(Purpose::kLearning,
                [&](std::uint32_t i, std::span<const double> f, std::span<const double> deltas) {
                  const std::size_t truth = f.size() - 1;
                  const auto violator = CountScores(deltas, f, outcome);
                  if (violator.output == truth) return;
                  plane.examples.push_back(support_.Row(i, truth));
                  plane.values.push_back(share);
                  plane.examples.push_back(support_.Row(i, violator.output));
                  plane.values.push_back(-share);
                  offset += share * deltas[violator.output];
                });
  primal_ = lambda_ / 2 * squared_norm_ + outcome.mean_loss;
  if (!std::isfinite(outcome.mean_loss)) return outcome;
  if (plane.examples.empty() || planes_.Converged(outcome.mean_loss)) {
    outcome.finished = outcome.converged = true;
    return outcome;
  }
  AddPlane(std::move(plane), offset);
  planes_.Solve();
  Assemble();
  return outcome;
}

void BoxSvmStruct::AddPlane(Plane plane, double offset) {
  scratch_.Clear();
  for (std::size_t v = 0; v < plane.examples.size(); ++v)
    scratch_.Move(support_.histogram(plane.examples[v]), 0, plane.values[v]);
  // Planes share support boxes: each is scored once.
  std::vector<std::optional<double>> scores(support_.size());
  planes_.Add(std::move(plane), offset, engine_, [&](const Plane& /*added*/, const Plane& member) {
    double product = 0;
    for (std::size_t v = 0; v < member.examples.size(); ++v) {
      const std::uint32_t row = member.examples[v];
      if (!scores[row]) scores[row] = engine_.Score(scratch_, support_.histogram(row), Purpose::kLearning);
      product += member.values[v] * *scores[row];
    }
    return product;
  });
}

// Computes the coefficients for the new weights, and ||f||^2.
void BoxSvmStruct::Assemble() {
  coefficients_.assign(support_.size(), 0.0);
  planes_.ForEachPlane([&](const Plane& plane, double weight) {
    for (std::size_t v = 0; v < plane.examples.size(); ++v)
      coefficients_[plane.examples[v]] += weight * plane.values[v];
  });
  for (std::uint32_t row = 0; row < coefficients_.size(); ++row) model_.Set(row, coefficients_[row]);
  squared_norm_ = planes_.SquaredNorm();
}

void BoxSvmStruct::Report(std::span<double> out) const {
  out[0] = primal_;
  out[1] = planes_.slack();
  out[2] = static_cast<double>(planes_.planes().size());
  out[3] = static_cast<double>(oracle_calls());
  out[4] = static_cast<double>(engine_.boxes_scored());
}

}  // namespace okbench::svm_struct
