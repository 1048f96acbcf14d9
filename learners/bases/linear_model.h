#pragma once
// What linear models w share: products with a row, and their errors and losses over a set of binary examples.
// Sums run in the order of the features, in double precision.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "learners/api/learner.h"

namespace okbench {

/// lambda of eq. 1 of linear-2010.
Parameter RegulariserParameter();

/// Cost of methods without a kernel that look at every example `passes` times.
Cost LinearCost(const Workload& work, double passes);

/// <w, x>.
template <class T>
double Product(const RowView<T>& row, std::span<const double> w) {
  double sum = 0;
  for (std::size_t j = 0; j < row.count; ++j)
    sum += w[row.indices ? row.indices[j] : j] * static_cast<double>(row.values[j]);
  return sum;
}

/// ||w||^2.
double SquaredNorm(std::span<const double> w);

/// Throws InvalidArgument, naming `method`, unless the kernel is linear and the labels are binary.
template <class T>
void RequireLinearBinary(const char* method, const LearnerContext<T>& context);

/// f(x) = <w, x> > 0 predicts +1; 0 is a mistake for either label.
template <class T>
TestOutcome TestLinear(const Examples<T>& set, std::span<const double> w);

/// Mean hinge loss over these rows of a set, and the objective lambda/2 ||w||^2 + mean hinge loss (eq. 1 of linear-2010).
template <class T>
TrainingOutcome MeasureLinear(const Examples<T>& set, std::span<const std::uint32_t> rows,
                              std::span<const double> w, double lambda);

extern template void RequireLinearBinary(const char*, const LearnerContext<float>&);
extern template void RequireLinearBinary(const char*, const LearnerContext<double>&);
extern template TestOutcome TestLinear(const Examples<float>&, std::span<const double>);
extern template TestOutcome TestLinear(const Examples<double>&, std::span<const double>);
extern template TrainingOutcome MeasureLinear(const Examples<float>&, std::span<const std::uint32_t>,
                                              std::span<const double>, double);
extern template TrainingOutcome MeasureLinear(const Examples<double>&, std::span<const std::uint32_t>,
                                              std::span<const double>, double);

}  // namespace okbench
