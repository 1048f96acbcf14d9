#include "learners/methods/bsgd/merge_bounds.h"

#include <algorithm>
#include <cmath>

#include "learners/core/vectorised.h"

namespace okbench::bsgd {
namespace {

constexpr std::size_t kPoints = 512;  // intervals of h
constexpr double kRounding = 1e-12;   // of a sum of a few numbers of at most 1
using Powers = std::array<double, kPoints + 1>;

// max_h m forwards[h] + (1-m) backwards[h]
OKBENCH_VECTORISED double Largest(double m, const Powers& forwards, const Powers& backwards) {
  constexpr std::size_t kWidth = 8;
  std::array<double, kWidth> lanes{};
  for (std::size_t h = 0; h < kPoints; h += kWidth)
    for (std::size_t l = 0; l < kWidth; ++l) {
      const double value = m * forwards[h + l] + (1 - m) * backwards[h + l];
      lanes[l] = value > lanes[l] ? value : lanes[l];
    }
  return std::max(*std::max_element(lanes.begin(), lanes.end()),
                  m * forwards[kPoints] + (1 - m) * backwards[kPoints]);
}

}  // namespace

const MergeBounds& MergeBounds::Table() {
  static const MergeBounds table;
  return table;
}

// Between points of h, the maximum exceeds the largest value by at most dh^2 / 8 times the largest second
// derivative, |kappa^(h^2) (4 h^2 L^2 + 2 L)| <= 4 L^2 + 2 |L| with L = log kappa.
MergeBounds::MergeBounds() {
  for (std::size_t m = 0; m <= kShares; ++m) {
    const double share = static_cast<double>(m) / kShares;
    scale_[0][m] = std::max(share, 1 - share);
  }
  Powers forwards, backwards;  // kappa^((1-h)^2), kappa^(h^2)
  for (std::size_t k = 1; k <= kKappas; ++k) {
    const double log = std::log(static_cast<double>(k) / kKappas);
    for (std::size_t h = 0; h <= kPoints; ++h) {
      const double at = static_cast<double>(h) / kPoints;
      backwards[h] = forwards[kPoints - h] = std::exp(at * at * log);
    }
    const double curvature = 4 * log * log - 2 * log;
    const double missed = curvature / (8.0 * kPoints * kPoints) + kRounding;
    for (std::size_t m = 0; m <= kShares; ++m)
      scale_[k][m] = Largest(static_cast<double>(m) / kShares, forwards, backwards) + missed;
  }
}

double MergeBounds::Loss(double m, double kappa) const {
  const double x = m * kShares, y = std::min(kappa, 1.0) * kKappas;
  const std::size_t a = std::min(static_cast<std::size_t>(x), kShares - 1),
                    b = std::min(static_cast<std::size_t>(y), kKappas - 1);
  const double u = x - static_cast<double>(a), v = y - static_cast<double>(b);
  const auto along = [&](std::size_t k) { return (1 - u) * scale_[k][a] + u * scale_[k][a + 1]; };
  const double node = static_cast<double>(b);  // the node of kappa in units of the interval
  const double scale =
      b < kSmall ? along(b + 1) : (1 - v) * along(b) + v * along(b + 1) + 1 / (32 * node * node);
  return m * m + (1 - m) * (1 - m) + 2 * m * (1 - m) * kappa - scale * scale - kRounding;
}

}  // namespace okbench::bsgd
