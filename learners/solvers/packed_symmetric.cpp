#include "learners/solvers/packed_symmetric.h"

#include <algorithm>
#include <array>

#include "learners/core/vectorised.h"

namespace okbench {

double PackedSymmetric::operator()(std::size_t i, std::size_t j) const {
  return i == j ? diagonal_[i] : rows_[Offset(std::max(i, j)) + std::min(i, j)];
}

void PackedSymmetric::Row(std::size_t i, std::vector<double>& out) const {
  out.resize(size());
  const double* row = rows_.data() + Offset(i);
  std::copy(row, row + i, out.begin());
  out[i] = diagonal_[i];
  for (std::size_t j = i + 1; j < size(); ++j) out[j] = rows_[Offset(j) + i];
}

void PackedSymmetric::Pad(std::span<const double> x) {
  x_.assign(Padded(x.size()), 0.0);
  std::copy(x.begin(), x.end(), x_.begin());
}

OKBENCH_VECTORISED void PackedSymmetric::Product(std::span<const double> x, std::vector<double>& out) {
  Pad(x);
  sums_.assign(x_.size(), 0.0);
  const double* const all = x_.data();
  double* const sums = sums_.data();
  for (std::size_t i = 0; i < size(); ++i) {
    const double* const row = rows_.data() + Offset(i);
    const double xi = all[i];
    std::array<double, kLanes> lanes{};
    // Two inner loops: GCC uses no vectors for one loop with both sums.
    for (std::size_t j = 0; j < Padded(i); j += kLanes) {
      for (std::size_t l = 0; l < kLanes; ++l) sums[j + l] += xi * row[j + l];
      for (std::size_t l = 0; l < kLanes; ++l) lanes[l] += row[j + l] * all[j + l];
    }
    const double left = (lanes[0] + lanes[4]) + (lanes[2] + lanes[6]);
    const double right = (lanes[1] + lanes[5]) + (lanes[3] + lanes[7]);
    sums[i] += diagonal_[i] * xi + (left + right);
  }
  out.assign(sums_.begin(), sums_.begin() + static_cast<std::ptrdiff_t>(size()));
}

OKBENCH_VECTORISED void PackedSymmetric::AddOuter(double factor, std::span<const double> v) {
  Pad(v);
  const double* const all = x_.data();
  for (std::size_t i = 0; i < size(); ++i) {
    double* const row = rows_.data() + Offset(i);
    const double scaled = factor * all[i];
    // The padding stays 0.
    for (std::size_t j = 0; j < i; ++j) row[j] += scaled * all[j];
    diagonal_[i] += scaled * all[i];
  }
}

OKBENCH_VECTORISED void PackedSymmetric::Scale(double factor) {
  for (double& entry : rows_) entry *= factor;
  for (double& entry : diagonal_) entry *= factor;
}

OKBENCH_VECTORISED void PackedSymmetric::Add(double factor, const PackedSymmetric& b) {
  for (std::size_t e = 0; e < rows_.size(); ++e) rows_[e] += factor * b.rows_[e];
  for (std::size_t i = 0; i < size(); ++i) diagonal_[i] += factor * b.diagonal_[i];
}

void PackedSymmetric::Append(std::span<const double> row, double diagonal) {
  const std::size_t n = size();
  const std::size_t begin = Offset(n);
  rows_.resize(begin + Padded(n), 0.0);
  std::fill(rows_.begin() + static_cast<std::ptrdiff_t>(begin), rows_.end(), 0.0);
  std::copy(row.begin(), row.end(), rows_.begin() + static_cast<std::ptrdiff_t>(begin));
  diagonal_.push_back(diagonal);
}

void PackedSymmetric::Remove(std::size_t i) {
  const std::size_t n = size();
  // Moves each row after i to the offset of the row before it. The ranges do not overlap.
  for (std::size_t r = i + 1; r < n; ++r) {
    const double* const from = rows_.data() + Offset(r);
    double* const to = rows_.data() + Offset(r - 1);
    std::copy(from, from + i, to);
    std::copy(from + i + 1, from + r, to + i);
    std::fill(to + r - 1, to + Padded(r - 1), 0.0);
  }
  diagonal_.erase(diagonal_.begin() + static_cast<std::ptrdiff_t>(i));
  rows_.resize(Offset(n - 1));
}

void PackedSymmetric::Serialize(Archive& archive) {
  archive.Field("diagonal", diagonal_);
  archive.Field("rows", rows_);
  if (rows_.size() != Offset(size())) Archive::Fail("rows", "does not fit the diagonal");
}

}  // namespace okbench
