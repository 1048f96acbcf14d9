// A step along a pair of rows, and where the gradients that it leaves are highest and lowest, in one pass.
//
// Compiled once per instruction set: included by ops.cpp under Highway's foreach_target.
#if defined(OKBENCH_EXTREMES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef OKBENCH_EXTREMES_INL_H
#undef OKBENCH_EXTREMES_INL_H
#else
#define OKBENCH_EXTREMES_INL_H
#endif

#include "learners/kernels/extremes.h"
#include "learners/kernels/internal/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace okbench::internal {
namespace HWY_NAMESPACE {
#if OKBENCH_TARGET_HAS_FMA

// Some of a block's marks, tested for the lanes of vector v of the block.
template <int kFirstBit>
HWY_INLINE hn::Mask<Shape<double>::D> Marked(std::uint64_t marks, std::size_t v) {
  const typename Shape<double>::D d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const auto bits = hn::Shl(hn::Set(du, std::uint64_t{1} << kFirstBit),
                            hn::Iota(du, static_cast<std::uint64_t>(v * Shape<double>::kWidth)));
  return hn::RebindMask(d, hn::TestBit(hn::Set(du, marks), bits));
}

HWY_INLINE Shape<double>::V GradientOf(std::uint64_t marks, std::size_t v, Shape<double>::V y) {
  const typename Shape<double>::D d;
  const auto label =
      hn::IfThenElse(Marked<Contenders::kPositive>(marks, v), hn::Set(d, 1.0), hn::Set(d, -1.0));
  return hn::Sub(label, y);
}

// Of the slots of these blocks that take part and have this gradient, and of `at`, the one of lowest rank.
template <int kFirstBit>
std::size_t FirstAt(double gradient, const double* y, const Contenders& contenders, std::size_t first,
                    std::size_t end, std::size_t at) {
  using S = Shape<double>;
  const typename S::D d;
  for (std::size_t b = first; b < end; ++b) {
    const std::uint64_t marks = contenders.marks()[b];
    for (std::size_t v = 0; v < S::kVectors; ++v) {
      const std::size_t slot = b * kLanes + v * S::kWidth;
      const auto equal = hn::Eq(GradientOf(marks, v, hn::LoadU(d, y + slot)), hn::Set(d, gradient));
      const auto found = hn::And(equal, Marked<kFirstBit>(marks, v));
      if (hn::AllFalse(d, found)) continue;
      HWY_ALIGN double lanes[S::kWidth];
      hn::Store(hn::IfThenElseZero(found, hn::Set(d, 1.0)), d, lanes);
      for (std::size_t i = 0; i < S::kWidth; ++i)
        if (lanes[i] != 0 && (at == Extremes::kNone || contenders.rank(slot + i) < contenders.rank(at)))
          at = slot + i;
    }
  }
  return at;
}

// Blocks after which the extremes found so far are looked at: their scores are then still in the first cache.
constexpr std::size_t kSearchedBlocks = 32;

template <class T, bool kStep>
HWY_INLINE void StepAndSearch(const T* k, const T* l, double a, double* y, const Contenders& contenders,
                              Extremes& found) {
  using S = Shape<double>;
  const typename S::D d;
  const auto factor = hn::Set(d, a);
  const std::size_t blocks = contenders.slots() / kLanes;
  for (std::size_t first = 0; first < blocks; first += kSearchedBlocks) {
    const std::size_t end = HWY_MIN(blocks, first + kSearchedBlocks);
    typename S::V high[S::kVectors], low[S::kVectors];
    OKBENCH_UNROLL
    for (std::size_t v = 0; v < S::kVectors; ++v) {
      high[v] = hn::Set(d, -std::numeric_limits<double>::infinity());
      low[v] = hn::Set(d, std::numeric_limits<double>::infinity());
    }
    for (std::size_t b = first; b < end; ++b) {
      const std::uint64_t marks = contenders.marks()[b];
      OKBENCH_UNROLL
      for (std::size_t v = 0; v < S::kVectors; ++v) {
        const std::size_t i = b * kLanes + v * S::kWidth;
        auto value = hn::LoadU(d, y + i);
        if constexpr (kStep) {
          value = hn::MulAdd(factor, hn::Sub(LoadWide(k + i), LoadWide(l + i)), value);
          hn::StoreU(value, d, y + i);
        }
        // By comparisons, so that what is not a number is passed over on all targets.
        const auto g = GradientOf(marks, v, value);
        const auto higher = hn::And(Marked<Contenders::kHighest>(marks, v), hn::Gt(g, high[v]));
        const auto lower = hn::And(Marked<Contenders::kLowest>(marks, v), hn::Lt(g, low[v]));
        high[v] = hn::IfThenElse(higher, g, high[v]);
        low[v] = hn::IfThenElse(lower, g, low[v]);
      }
    }
    OKBENCH_UNROLL
    for (std::size_t v = 1; v < S::kVectors; ++v) {
      high[0] = hn::Max(high[0], high[v]);
      low[0] = hn::Min(low[0], low[v]);
    }
    const double highest = hn::GetLane(hn::MaxOfLanes(d, high[0]));
    const double lowest = hn::GetLane(hn::MinOfLanes(d, low[0]));
    if (highest > found.highest || (highest == found.highest && found.highest_at != Extremes::kNone)) {
      const std::size_t at = highest > found.highest ? Extremes::kNone : found.highest_at;
      found.highest_at = FirstAt<Contenders::kHighest>(highest, y, contenders, first, end, at);
      found.highest = highest;
    }
    if (lowest < found.lowest || (lowest == found.lowest && found.lowest_at != Extremes::kNone)) {
      const std::size_t at = lowest < found.lowest ? Extremes::kNone : found.lowest_at;
      found.lowest_at = FirstAt<Contenders::kLowest>(lowest, y, contenders, first, end, at);
      found.lowest = lowest;
    }
  }
}

template <class T>
void StepExtremes(const T* k, const T* l, double a, double* y, const Contenders& contenders,
                  Extremes* found) {
  *found = {};
  if (k != nullptr)
    StepAndSearch<T, true>(k, l, a, y, contenders, *found);
  else
    StepAndSearch<T, false>(k, l, a, y, contenders, *found);
}

#endif  // OKBENCH_TARGET_HAS_FMA
}  // namespace HWY_NAMESPACE
}  // namespace okbench::internal
HWY_AFTER_NAMESPACE();

#endif  // OKBENCH_EXTREMES_INL_H
