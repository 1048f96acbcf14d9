// Steps of quadratic programs over kernel rows, in double precision. Products and sums are rounded
// separately. hn::MulAdd occurs only in exact index arithmetic.
//
// Highway conventions: see ops.cpp.
#if defined(OKBENCH_QUADRATIC_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef OKBENCH_QUADRATIC_INL_H
#undef OKBENCH_QUADRATIC_INL_H
#else
#define OKBENCH_QUADRATIC_INL_H
#endif

#include <limits>

#include "learners/kernels/internal/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace okbench::internal {
namespace HWY_NAMESPACE {
#if OKBENCH_TARGET_HAS_FMA

// The largest value of each lane so far and the block where it occurs, the first on ties.
struct BestGains {
  using S = Shape<double>;
  typename S::V gain[S::kVectors], block[S::kVectors], here;

  // Defined explicitly; see ops.cpp.
  HWY_INLINE BestGains() {
    const typename S::D d;
    here = hn::Zero(d);
    OKBENCH_UNROLL
    for (std::size_t v = 0; v < S::kVectors; ++v) {
      gain[v] = hn::Set(d, -std::numeric_limits<double>::infinity());
      block[v] = here;
    }
  }
  HWY_INLINE void Look(std::size_t v, typename S::V seen) {
    const auto larger = hn::Gt(seen, gain[v]);
    gain[v] = hn::IfThenElse(larger, seen, gain[v]);
    block[v] = hn::IfThenElse(larger, here, block[v]);
  }
  HWY_INLINE void NextBlock() { here = hn::Add(here, hn::Set(typename S::D(), 1)); }
  // The lowest slot with the largest value of all lanes.
  HWY_INLINE std::size_t Place() const {
    const typename S::D d;
    auto most = gain[0];
    OKBENCH_UNROLL
    for (std::size_t v = 1; v < S::kVectors; ++v) most = hn::Max(most, gain[v]);
    most = hn::MaxOfLanes(d, most);
    auto place = hn::Set(d, std::numeric_limits<double>::infinity());
    OKBENCH_UNROLL
    for (std::size_t v = 0; v < S::kVectors; ++v) {
      const auto lane = hn::Iota(d, static_cast<double>(v * S::kWidth));
      const auto first = hn::MulAdd(block[v], hn::Set(d, static_cast<double>(kLanes)), lane);
      place = hn::IfThenElse(hn::Eq(gain[v], most), hn::Min(place, first), place);
    }
    return static_cast<std::size_t>(hn::GetLane(hn::MinOfLanes(d, place)));
  }
};

// One block: updates the gradient, then compares the gains of all steps from there.
template <class T>
HWY_INLINE void BoxBlock(const BoxProgram& box, std::size_t i, const T* row, double move, BestGains& best) {
  using S = Shape<double>;
  const typename S::D d;
  const auto zero = hn::Zero(d), cap = hn::Set(d, box.cap), factor = hn::Set(d, move);
  OKBENCH_UNROLL
  for (std::size_t v = 0; v < S::kVectors; ++v) {
    const std::size_t at = i + v * S::kWidth;
    auto gradient = hn::LoadU(d, box.gradient + at);
    if (row != nullptr) {
      gradient = hn::Sub(gradient, hn::Mul(factor, LoadWide(row + v * S::kWidth)));
      hn::StoreU(gradient, d, box.gradient + at);
    }
    const auto a = hn::LoadU(d, box.a + at);
    const auto free = hn::Add(a, hn::Mul(gradient, hn::LoadU(d, box.inverse + at)));
    const auto step = hn::Sub(hn::Min(hn::Max(free, zero), cap), a);
    best.Look(v, hn::Mul(step, hn::Sub(gradient, hn::Mul(hn::LoadU(d, box.half + at), step))));
  }
  best.NextBlock();
}

template <class T>
std::size_t BoxStep(const BoxProgram& box, const T* row, double move) {
  BestGains best;
  const std::size_t whole = box.n / kLanes * kLanes;
  if (row == nullptr) {
    for (std::size_t i = 0; i < box.n; i += kLanes) BoxBlock<T>(box, i, nullptr, 0, best);
    return best.Place();
  }
  for (std::size_t i = 0; i < whole; i += kLanes) BoxBlock(box, i, row + i, move, best);
  if (whole < box.n) {
    // The lists are padded to whole blocks, the row is not.
    T rest[kLanes] = {};
    for (std::size_t i = whole; i < box.n; ++i) rest[i - whole] = row[i];
    BoxBlock(box, whole, rest, move, best);
  }
  return best.Place();
}

// Per vector of examples: `other` is the largest score of a wrong class, `own` the score of the right class,
// and `lowest` the lowest gradient of a coefficient below its bound.
inline void Violations(const MulticlassDual& dual, std::size_t first, std::size_t n, double* violation,
                       double* slack) {
  const hn::CappedTag<double, kLanes> d;
  const auto zero = hn::Zero(d), margin = hn::Set(d, 1), cap = hn::Set(d, dual.cap);
  const auto infinity = hn::Set(d, std::numeric_limits<double>::infinity());
  for (std::size_t i = first; i < first + n; i += hn::Lanes(d)) {
    const auto label = hn::LoadU(d, dual.labels + i);
    auto other = hn::Neg(infinity), own = zero, lowest = infinity;
    for (std::size_t r = 0; r < dual.classes; ++r) {
      const auto right = hn::Eq(label, hn::Set(d, static_cast<double>(r)));
      const auto score = hn::LoadU(d, dual.scores + r * dual.stride + i);
      const auto tau = hn::LoadU(d, dual.tau + r * dual.stride + i);
      const auto gradient = hn::Sub(score, hn::IfThenElseZero(right, margin));
      const auto below = hn::Lt(tau, hn::IfThenElseZero(right, cap));
      lowest = hn::IfThenElse(hn::And(below, hn::Lt(gradient, lowest)), gradient, lowest);
      other = hn::IfThenElse(hn::AndNot(right, hn::Lt(other, score)), score, other);
      own = hn::IfThenElse(right, score, own);
    }
    const auto highest = hn::Max(other, hn::Sub(own, margin));
    hn::StoreU(hn::Sub(highest, lowest), d, violation + i);
    hn::StoreU(hn::Sub(hn::Add(margin, other), own), d, slack + i);
  }
}

// NaN behaves as in scalar comparisons: a new score replaces the best one unless it is <= the best.
inline std::size_t LargestMargin(const ScoredMembers& members, double* margins) {
  using S = Shape<double>;
  const typename S::D d;
  const auto zero = hn::Zero(d), none = hn::Set(d, -std::numeric_limits<double>::infinity());
  BestGains best;
  for (std::size_t block = 0; block < members.slots; block += kLanes) {
    OKBENCH_UNROLL
    for (std::size_t v = 0; v < S::kVectors; ++v) {
      const std::size_t i = block + v * S::kWidth;
      const auto label = hn::LoadU(d, members.labels + i), self = hn::LoadU(d, members.self + i);
      auto own = zero, other = none;
      for (std::size_t r = 0; r < members.outputs; ++r) {
        const std::size_t at = r * members.stride + i;
        const auto without =
            hn::Sub(hn::LoadU(d, members.scores + at), hn::Mul(hn::LoadU(d, members.tau + at), self));
        if (members.outputs == 1) {
          own = hn::Mul(label, without);
          other = zero;
          continue;
        }
        const auto right = hn::Eq(label, hn::Set(d, static_cast<double>(r)));
        own = hn::IfThenElse(right, without, own);
        other = hn::IfThenElse(hn::Or(right, hn::Le(without, other)), other, without);
      }
      const auto here = hn::Eq(hn::LoadU(d, members.vacant + i), zero);
      const auto margin = hn::IfThenElse(here, hn::Sub(own, other), none);
      hn::StoreU(margin, d, margins + i);
      best.Look(v, margin);
    }
    best.NextBlock();
  }
  return members.slots == 0 ? 0 : best.Place();
}

#endif  // OKBENCH_TARGET_HAS_FMA
}  // namespace HWY_NAMESPACE
}  // namespace okbench::internal
HWY_AFTER_NAMESPACE();

#endif  // OKBENCH_QUADRATIC_INL_H
