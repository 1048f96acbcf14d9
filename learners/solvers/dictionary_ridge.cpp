#include "learners/solvers/dictionary_ridge.h"

#include <cmath>

#include "learners/core/sums.h"

namespace okbench {

void DictionaryRidge::Project(std::span<const double> k) {
  gram_.Solve(k, solution_);
  phi_.assign(gram_.coordinates().begin(), gram_.coordinates().end());
}

double DictionaryRidge::Leverage(double self, bool joins) {
  const double known = SquaredNorm(system_.Project(phi_));
  return known + (joins ? SquaredDistance(self) / ridge_ : 0);
}

void DictionaryRidge::Join(double self, double tolerance) {
  const double delta = SquaredDistance(self);
  gram_.Grow(solution_, self, tolerance);
  scratch_.assign(system_.size(), 0.0);
  system_.Project(scratch_);
  system_.Grow(scratch_, ridge_, 0);
  phi_.push_back(std::sqrt(delta));
  b_.push_back(0);
}

void DictionaryRidge::Add(double weight, double c) {
  scratch_.resize(phi_.size());
  for (std::size_t j = 0; j < phi_.size(); ++j) {
    scratch_[j] = std::sqrt(weight) * phi_[j];
    b_[j] += c * phi_[j];
  }
  system_.AddOuter(scratch_);
}

void DictionaryRidge::Coefficients(std::vector<double>& alpha) {
  system_.Solve(b_, weights_);
  gram_.Combine(weights_, alpha);
}

void DictionaryRidge::Serialize(Archive& archive) {
  gram_.Serialize(archive);
  system_.Serialize(archive);
  archive.Field("b", b_);
  if (system_.size() != gram_.size() || b_.size() != gram_.size())
    Archive::Fail("b", "does not fit the dictionary");
}

}  // namespace okbench
