#pragma once
// Helpers shared by the C++ tests.

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "learners/core/examples.h"
#include "learners/core/random.h"
#include "learners/kernels/kernel.h"

namespace okbench::testing {

/// Rows of dense normal features with labels 0 .. classes-1 (or -1/+1 for binary), or with noisy real
/// targets.
template <class T>
Examples<T> RandomDense(std::size_t rows, std::size_t features, LabelKind kind, int classes,
                        std::uint64_t seed) {
  Random random(seed);
  std::vector<T> values;
  std::vector<std::int32_t> labels;
  RealTargets real;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto label = static_cast<std::int32_t>(random.Below(static_cast<std::uint64_t>(classes)));
    labels.push_back(kind == LabelKind::kBinary ? 2 * label - 1 : label);
    for (std::size_t f = 0; f < features; ++f)
      values.push_back(static_cast<T>(random.Normal() + 0.5 * label));
    real.truth.push_back(std::sin(static_cast<double>(values.back())) + label);
    real.targets.push_back(real.truth.back() + 0.3 * random.Normal());
  }
  if (kind == LabelKind::kReal) return Examples<T>::Regression(features, std::move(values), std::move(real));
  return Examples<T>::Dense(features, std::move(values), std::move(labels), kind, classes);
}

/// The same rows twice: dense, and with the zeros left out. `zero_one` makes every value 0 or 1.
template <class T>
std::pair<Examples<T>, Examples<T>> DenseAndSparse(std::size_t rows, std::size_t features, double share,
                                                   bool zero_one, std::uint64_t seed) {
  Random random(seed);
  std::vector<T> dense, values;
  std::vector<std::uint32_t> indices;
  std::vector<std::size_t> offsets = {0};
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < rows; ++i) {
    labels.push_back(random.Below(2) == 0 ? -1 : 1);
    for (std::size_t f = 0; f < features; ++f) {
      const bool set = random.Uniform() < share;
      const T value = !set ? T(0) : zero_one ? T(1) : static_cast<T>(random.Uniform() + 0.01);
      dense.push_back(value);
      if (!set) continue;
      values.push_back(value);
      indices.push_back(static_cast<std::uint32_t>(f));
    }
    offsets.push_back(values.size());
  }
  return {Examples<T>::Dense(features, dense, labels, LabelKind::kBinary, 2),
          Examples<T>::Sparse(features, offsets, indices, values, labels, LabelKind::kBinary, 2)};
}

template <class T>
std::vector<double> DenseRow(const RowSource<T>& rows, std::size_t i) {
  std::vector<double> x(rows.features(), 0.0);
  const RowView<T> r = rows.row(i);
  for (std::size_t k = 0; k < r.count; ++k)
    x[r.indices ? r.indices[k] : k] = static_cast<double>(r.values[k]);
  return x;
}

/// A kernel value the plain way, in double precision.
inline double PlainKernel(const Kernel& kernel, std::span<const double> x, std::span<const double> z) {
  if (kernel.bias != 0) {
    Kernel plain = kernel;
    plain.bias = 0;
    return PlainKernel(plain, x, z) + kernel.bias;
  }
  double dot = 0, distance = 0, least = 0;
  for (std::size_t f = 0; f < x.size(); ++f) {
    dot += x[f] * z[f];
    distance += (x[f] - z[f]) * (x[f] - z[f]);
    least += std::min(x[f], z[f]);
  }
  switch (kernel.kind) {
    case KernelKind::kLinear:
      return dot;
    case KernelKind::kPolynomial:
      return std::pow(kernel.scale * dot + kernel.offset, kernel.degree);
    case KernelKind::kRbf:
      return std::exp(-kernel.gamma * distance);
    case KernelKind::kHistogramIntersection:
      return least;
    case KernelKind::kFunction: {
      double value = 0;
      kernel.function->Values(x.data(), 1, z.data(), 1, x.size(), &value);
      return value;
    }
    case KernelKind::kSum: {
      double sum = 0;
      for (const KernelTerm& term : kernel.terms)
        sum += term.weight *
               PlainKernel(term.kernel, x.subspan(term.first, term.count), z.subspan(term.first, term.count));
      return sum;
    }
  }
  return 0;
}

template <class T>
double PlainKernel(const Kernel& kernel, const RowSource<T>& a, std::size_t i, const RowSource<T>& b,
                   std::size_t j) {
  return PlainKernel(kernel, DenseRow(a, i), DenseRow(b, j));
}

/// A folder of its own for one test, removed afterwards.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    static int count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("okbench-test-" + std::to_string(getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string File(const std::string& name) const { return (path_ / name).string(); }
  std::string Write(const std::string& name, const std::string& content) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(File(name), std::ios::binary) << content;
    return File(name);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace okbench::testing
