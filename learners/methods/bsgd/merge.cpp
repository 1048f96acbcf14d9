#include "learners/methods/bsgd/merge.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "learners/core/math.h"
#include "learners/core/vectorised.h"
#include "learners/methods/bsgd/merge_bounds.h"

namespace okbench::bsgd {
namespace {

constexpr double kGolden = 0x1.3c6ef372fe95p-1;  // (sqrt(5) - 1) / 2
constexpr std::size_t kLanes = 16;               // VectorOps needs multiples of this
constexpr std::size_t kFew = 4 * kLanes;         // pairs for which bounds save no time

}  // namespace

void Merger::Resize(std::size_t pairs) {
  const std::size_t padded = (pairs + kLanes - 1) / kLanes * kLanes;
  for (auto* list :
       {&share_, &log_, &low_, &high_, &left_, &right_, &at_left_, &at_right_, &point_, &at_point_, &other_})
    list->assign(padded, 0.0);
  merges_.resize(pairs);
}

OKBENCH_VECTORISED void Merger::Values(const AlignedVector<double>& h, AlignedVector<double>& out) {
  const std::size_t n = h.size();
  for (std::size_t i = 0; i < n; ++i) {
    out[i] = (1 - h[i]) * (1 - h[i]) * log_[i];
    other_[i] = h[i] * h[i] * log_[i];
  }
  ops_.Exponentials(n, out.data());
  ops_.Exponentials(n, other_.data());
  for (std::size_t i = 0; i < n; ++i) out[i] = share_[i] * out[i] + (1 - share_[i]) * other_[i];
}

OKBENCH_VECTORISED std::span<const Merge> Merger::Pairs(double p, std::span<const double> q,
                                                        std::span<const double> kappa) {
  Resize(q.size());
  const std::size_t n = log_.size();
  for (std::size_t i = 0; i < q.size(); ++i) {
    share_[i] = p / (p + q[i]);
    log_[i] = kappa[i] > 0 ? Log(kappa[i]) : 0;
  }
  for (std::size_t i = 0; i < n; ++i) {
    high_[i] = 1;
    left_[i] = 1 - kGolden;
    right_[i] = kGolden;
  }
  Values(left_, at_left_);
  Values(right_, at_right_);
  for (int step = 0; step < kGoldenSteps; ++step) {
    // The half that is kept already has one inner point; only the second one is evaluated.
    for (std::size_t i = 0; i < n; ++i) {
      const bool up = at_right_[i] > at_left_[i] + kTie;
      low_[i] = up ? left_[i] : low_[i];
      high_[i] = up ? high_[i] : right_[i];
      const double golden = kGolden * (high_[i] - low_[i]);
      point_[i] = up ? low_[i] + golden : high_[i] - golden;
    }
    Values(point_, at_point_);
    for (std::size_t i = 0; i < n; ++i) {
      const bool up = at_right_[i] > at_left_[i] + kTie;
      const double kept = up ? right_[i] : left_[i], at_kept = up ? at_right_[i] : at_left_[i];
      left_[i] = up ? kept : point_[i];
      at_left_[i] = up ? at_kept : at_point_[i];
      right_[i] = up ? point_[i] : kept;
      at_right_[i] = up ? at_point_[i] : at_kept;
    }
  }
  for (std::size_t i = 0; i < n; ++i) point_[i] = (low_[i] + high_[i]) / 2;
  Values(point_, at_point_);
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double squares = p * p + q[i] * q[i] + 2 * p * q[i] * kappa[i];
    const double alpha = (p + q[i]) * at_point_[i];
    merges_[i] = {.h = point_[i], .alpha = alpha, .loss = squares - alpha * alpha};
    if (kappa[i] > 0) continue;
    // kappa = 0: the terms are orthogonal. Keep the larger one and drop the other.
    const bool first = std::fabs(p) > std::fabs(q[i]);
    const double kept = first ? p : q[i];
    merges_[i] = {.h = first ? 1.0 : 0.0, .alpha = kept, .loss = squares - kept * kept};
  }
  return merges_;
}

std::size_t Merger::Best(std::span<const Merge> merges) {
  std::size_t best = 0;
  for (std::size_t j = 1; j < merges.size(); ++j)
    if (merges[j].loss < merges[best].loss - kTie * (1 + merges[best].loss)) best = j;
  return best;
}

// A pair whose lower bound exceeds the loss of another pair by more than a tie cannot be the result of
// Best(), so its merge is not computed.
std::pair<std::size_t, Merge> Merger::Least(double p, std::span<const double> q,
                                            std::span<const double> kappa) {
  if (q.size() < kFew) {
    const std::size_t best = Best(Pairs(p, q, kappa));
    return {best, merges_[best]};
  }
  const MergeBounds& table = MergeBounds::Table();
  bounds_.resize(q.size());
  std::size_t first = 0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double sum = p + q[i], smaller = std::min(std::fabs(p), std::fabs(q[i]));
    bounds_[i] =
        kappa[i] > 0 ? sum * sum * table.Loss(p / sum, kappa[i]) : smaller * smaller - kTie * sum * sum;
    if (bounds_[i] < bounds_[first]) first = i;
  }
  const double loss = Pairs(p, q.subspan(first, 1), kappa.subspan(first, 1))[0].loss;
  const double limit = loss + 4 * kTie * (1 + std::fabs(loss));
  kept_.clear();
  kept_q_.clear();
  kept_kappa_.clear();
  for (std::size_t i = 0; i < q.size(); ++i) {
    if (bounds_[i] > limit) continue;
    kept_.push_back(i);
    kept_q_.push_back(q[i]);
    kept_kappa_.push_back(kappa[i]);
  }
  const std::size_t best = Best(Pairs(p, kept_q_, kept_kappa_));
  return {kept_[best], merges_[best]};
}

}  // namespace okbench::bsgd
