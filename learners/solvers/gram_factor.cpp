#include "learners/solvers/gram_factor.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "learners/core/sums.h"
#include "learners/core/vectorised.h"

namespace okbench {

void GramFactor::Solve(std::span<const double> k, std::vector<double>& d) { Combine(Project(k), d); }

OKBENCH_VECTORISED std::span<const double> GramFactor::Project(std::span<const double> k) {
  const std::size_t n = size();
  projected_.assign(Padded(n), 0.0);
  double* const l = projected_.data();
  // Eight lanes, combined by a fixed tree: the order does not depend on the vector width.
  for (std::size_t i = 0; i < n; ++i) {
    const double* const row = rows_[i].data();
    std::array<double, kLanes> lanes{};
    for (std::size_t j = 0; j < Padded(i); j += kLanes)
      for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += row[j + lane] * l[j + lane];
    const double left = (lanes[0] + lanes[4]) + (lanes[2] + lanes[6]);
    const double right = (lanes[1] + lanes[5]) + (lanes[3] + lanes[7]);
    l[i] = (k[i] - (left + right)) / diagonal_[i];
  }
  return coordinates();
}

OKBENCH_VECTORISED void GramFactor::Combine(std::span<const double> l, std::vector<double>& d) {
  const std::size_t n = size();
  d.assign(l.begin(), l.end());
  double* const rest = d.data();
  for (std::size_t i = n; i-- > 0;) {
    const double* const row = rows_[i].data();
    rest[i] /= diagonal_[i];
    const double value = rest[i];
    for (std::size_t j = 0; j < i; ++j) rest[j] -= value * row[j];
  }
}

double GramFactor::SquaredDistance(double self) const {
  return std::max(0.0, self - SquaredNorm(projected_));
}

bool GramFactor::CanGrow(std::span<const double> d, double self, double tolerance) const {
  return SquaredDistance(self) > tolerance * self * (1 + SquaredNorm(d));
}

bool GramFactor::Grow(std::span<const double> d, double self, double tolerance) {
  if (!CanGrow(d, self, tolerance)) return false;
  rows_.push_back(projected_);
  diagonal_.push_back(std::sqrt(SquaredDistance(self)));
  return true;
}

void GramFactor::Remove(std::size_t p, std::vector<double>& projection) {
  const std::size_t n = size();
  std::vector<double> unit(n, 0.0);
  unit[p] = 1;
  Solve(unit, projection);
  const double pivot = projection[p];
  projection.erase(projection.begin() + static_cast<std::ptrdiff_t>(p));
  for (double& coordinate : projection) coordinate /= -pivot;
  Remove(p);
}

void GramFactor::Remove(std::size_t p) {
  const std::size_t n = size();
  std::vector<double> column;  // of the rows below p
  for (std::size_t i = p + 1; i < n; ++i) {
    AlignedVector<double>& row = rows_[i];
    column.push_back(row[p]);
    std::copy(row.begin() + static_cast<std::ptrdiff_t>(p) + 1, row.end(),
              row.begin() + static_cast<std::ptrdiff_t>(p));
    row.back() = 0;
    row.resize(Padded(i - 1));
  }
  rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(p));
  diagonal_.erase(diagonal_.begin() + static_cast<std::ptrdiff_t>(p));
  Rotate(p, column);
}

// Givens rotations of each row and its entry of c make that entry zero. Row i undergoes the rotations of the
// rows before it, then defines its own. Each rotation of a row needs the one before, so eight rows advance
// together.
OKBENCH_VECTORISED void GramFactor::Rotate(std::size_t first, const std::vector<double>& column) {
  std::vector<double> cosines, sines;  // of the rows from `first` on
  for (std::size_t begin = first; begin < size(); begin += kLanes) {
    const std::size_t count = std::min(kLanes, size() - begin);
    std::array<double*, kLanes> rows;
    std::array<double, kLanes> rest{};
    for (std::size_t r = 0; r < kLanes; ++r) {
      rows[r] = rows_[begin + std::min(r, count - 1)].data() + first;  // a missing row repeats the last one
      rest[r] = column[begin - first + std::min(r, count - 1)];
    }
    for (std::size_t j = 0; j < begin - first; j += kLanes) {
      double tile[kLanes][kLanes];  // [column][row]
      for (std::size_t r = 0; r < kLanes; ++r)
        for (std::size_t c = 0; c < kLanes; ++c) tile[c][r] = rows[r][j + c];
      for (std::size_t c = 0; c < kLanes; ++c) {
        const double cosine = cosines[j + c], sine = sines[j + c];
        for (std::size_t r = 0; r < kLanes; ++r) {
          const double entry = tile[c][r];
          tile[c][r] = cosine * entry + sine * rest[r];
          rest[r] = cosine * rest[r] - sine * entry;
        }
      }
      for (std::size_t r = 0; r < count; ++r)
        for (std::size_t c = 0; c < kLanes; ++c) rows[r][j + c] = tile[c][r];
    }
    for (std::size_t r = 0; r < count; ++r) {
      for (std::size_t j = begin - first; j < begin - first + r; ++j) {
        const double entry = rows[r][j];
        rows[r][j] = cosines[j] * entry + sines[j] * rest[r];
        rest[r] = cosines[j] * rest[r] - sines[j] * entry;
      }
      double& diagonal = diagonal_[begin + r];
      const double length = std::sqrt(diagonal * diagonal + rest[r] * rest[r]);
      cosines.push_back(diagonal / length);
      sines.push_back(rest[r] / length);
      diagonal = length;
    }
  }
}

void GramFactor::Serialize(Archive& archive) {
  archive.Field("diagonal", diagonal_);
  AlignedVector<double> entries;
  for (const AlignedVector<double>& row : rows_) entries.insert(entries.end(), row.begin(), row.end());
  archive.Field("rows", entries);
  rows_.clear();
  std::size_t from = 0;
  for (std::size_t i = 0; i < size(); from += Padded(i), ++i) {
    if (entries.size() - from < Padded(i)) Archive::Fail("rows", "does not fit the diagonal");
    const auto begin = entries.begin() + static_cast<std::ptrdiff_t>(from);
    rows_.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(Padded(i)));
  }
  if (from != entries.size()) Archive::Fail("rows", "does not fit the diagonal");
}

double GramFactor::Work(double n, double share, double capacity) {
  const double filling = share > 0 ? std::min(n, capacity / share) : n;
  const double last = filling * share;
  return share * (filling * last * last / 3 + (n - filling) * last * last);
}

}  // namespace okbench
