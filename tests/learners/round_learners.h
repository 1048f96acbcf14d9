#pragma once
// Shared code of the tests of binary methods that learn in rounds: data, direct sums over the kernel matrix,
// and reported columns.

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "learners/api/learner.h"
#include "tests/helpers.h"

namespace okbench::testing {

inline const Kernel kRbf = Kernel::RbfFromGamma(0.2);

template <class T>
LearnerContext<T> RoundContext(const Examples<T>& train, const Kernel& kernel, std::uint64_t seed = 1) {
  return {.train = &train, .test = &train, .kernel = kernel, .batch = 10, .seed = seed};
}

inline Examples<double> Cloud(std::size_t rows, std::uint64_t seed) {
  return RandomDense<double>(rows, 4, LabelKind::kBinary, 2, seed);
}

// k(x_i, x_j) for all pairs, by the plain formula.
inline std::vector<double> KernelMatrix(const Examples<double>& data, double gamma) {
  const std::size_t n = data.size();
  std::vector<double> k(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      double d = 0;
      for (std::size_t f = 0; f < data.features(); ++f) {
        const double difference = data.row(i).values[f] - data.row(j).values[f];
        d += difference * difference;
      }
      k[i * n + j] = std::exp(-gamma * d);
    }
  return k;
}

inline double Score(const std::vector<double>& k, const std::vector<double>& a, std::size_t i) {
  double f = 0;
  for (std::size_t j = 0; j < a.size(); ++j) f += a[j] * k[j * a.size() + i];
  return f;
}

inline double SquaredNorm(const std::vector<double>& k, const std::vector<double>& a) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * Score(k, a, i);
  return sum;
}

inline std::vector<double> Coefficients(std::size_t n, const std::function<double(std::uint32_t)>& of) {
  std::vector<double> a(n);
  for (std::size_t i = 0; i < n; ++i) a[i] = of(static_cast<std::uint32_t>(i));
  return a;
}

inline Examples<double> Two() { return Examples<double>::Dense(1, {2, -1}, {1, -1}, LabelKind::kBinary, 2); }

inline double LastReport(const Learner& learner, const std::string& column) {
  const auto names = learner.Columns();
  std::vector<double> values(names.size());
  learner.Report(values);
  return values[static_cast<std::size_t>(std::find(names.begin(), names.end(), column) - names.begin())];
}

}  // namespace okbench::testing
