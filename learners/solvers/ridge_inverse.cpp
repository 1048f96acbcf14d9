#include "learners/solvers/ridge_inverse.h"

#include <cmath>

namespace okbench {
namespace {

constexpr std::uint64_t kChanges = 1000;  // between two computations of the diagonal from the factor
constexpr double kErrorTie = 1e-9;        // errors whose relative difference is below this are equal

}  // namespace

bool RidgeInverse::Grow(std::span<const double> d, double diagonal, double tolerance) {
  const double g = Schur(diagonal);
  if (!factor_.Grow(d, diagonal, tolerance)) return false;
  for (std::size_t j = 0; j < d.size(); ++j) diagonal_[j] += d[j] * d[j] / g;
  diagonal_.push_back(1 / g);
  CountChange();
  return true;
}

void RidgeInverse::Remove(std::size_t p) {
  const double pivot = diagonal_[p];
  diagonal_.erase(diagonal_.begin() + static_cast<std::ptrdiff_t>(p));
  factor_.Remove(p, scratch_);  // -w_j / w_p
  for (std::size_t j = 0; j < diagonal_.size(); ++j) diagonal_[j] -= scratch_[j] * scratch_[j] * pivot;
  CountChange();
}

std::size_t RidgeInverse::LeastError(std::span<const double> alpha) const {
  const auto error = [&](std::size_t j) { return std::fabs(alpha[j]) / diagonal_[j]; };
  std::size_t least = 0;
  for (std::size_t j = 1; j < size(); ++j)
    if (error(j) < (1 - kErrorTie) * error(least)) least = j;
  return least;
}

void RidgeInverse::CountChange() {
  if (++changes_ % kChanges != 0) return;
  std::vector<double> unit(size(), 0.0);
  for (std::size_t i = 0; i < size(); ++i) {
    unit[i] = 1;
    factor_.Solve(unit, scratch_);
    diagonal_[i] = scratch_[i];
    unit[i] = 0;
  }
}

void RidgeInverse::Serialize(Archive& archive) {
  factor_.Serialize(archive);
  archive.Field("inverse_diagonal", diagonal_);
  archive.Field("changes", changes_);
  if (diagonal_.size() != factor_.size()) Archive::Fail("inverse_diagonal", "does not fit the factor");
}

}  // namespace okbench
