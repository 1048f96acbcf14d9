// One pass that takes a step along a pair of kernel rows and finds the highest and lowest gradients after it.
//
// Highway conventions: see ops.cpp.
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

// Maximum and minimum that ignore a NaN gradient on every target: x86 returns the second operand in that
// case.
HWY_INLINE Shape<double>::V Higher(Shape<double>::V g, Shape<double>::V highest) {
#if HWY_ARCH_X86
  return hn::Max(g, highest);
#else
  return hn::IfThenElse(hn::Gt(g, highest), g, highest);
#endif
}
HWY_INLINE Shape<double>::V Lower(Shape<double>::V g, Shape<double>::V lowest) {
#if HWY_ARCH_X86
  return hn::Min(g, lowest);
#else
  return hn::IfThenElse(hn::Lt(g, lowest), g, lowest);
#endif
}

// The slot with the lowest rank among `at` and the slots of blocks first .. end - 1 that have this gradient.
HWY_INLINE std::size_t FirstAt(double gradient, const double* y, const float* labels,
                               const Contenders& contenders, std::size_t first, std::size_t end,
                               std::size_t at) {
  using S = Shape<double>;
  const typename S::D d;
  for (std::size_t i = first * kLanes; i < end * kLanes; i += S::kWidth) {
    const auto g = hn::Sub(LoadWide(labels + i), hn::LoadU(d, y + i));
    if (HWY_LIKELY(hn::AllFalse(d, hn::Eq(g, hn::Set(d, gradient))))) continue;
    for (std::size_t slot = i; slot < i + S::kWidth; ++slot)
      if (labels[slot] - y[slot] == gradient &&
          (at == Extremes::kNone || contenders.rank(slot) < contenders.rank(at)))
        at = slot;
  }
  return at;
}

// Blocks per part. The search records in which part the extreme is. It looks for the slot only at the end, or
// when another part has the same extreme.
constexpr std::size_t kPartBlocks = 16;

// The highest or the lowest gradient so far.
struct Search {
  const double* y;
  const float* labels;
  const Contenders& contenders;
  double best;
  std::size_t part = Extremes::kNone, at = Extremes::kNone;

  void Within(std::size_t some_part) {
    const std::size_t first = some_part * kPartBlocks;
    const std::size_t end = HWY_MIN(contenders.slots() / kLanes, first + kPartBlocks);
    at = FirstAt(best, y, labels, contenders, first, end, at);
  }
  void Improve(double gradient, std::size_t in) {
    best = gradient;
    part = in;
    at = Extremes::kNone;
  }
  void Equal(std::size_t in) {
    if (at == Extremes::kNone) Within(part);
    Within(in);
  }
  void End(double& gradient, std::size_t& slot) {
    if (part == Extremes::kNone) return;
    if (at == Extremes::kNone) Within(part);
    gradient = best;
    slot = at;
  }
};

template <class T, bool kStep>
HWY_INLINE void StepAndSearch(const T* k, const T* l, double a, double* y, const Contenders& contenders,
                              Extremes& extremes) {
  using S = Shape<double>;
  const typename S::D d;
  const auto factor = hn::Set(d, a);
  const std::size_t blocks = contenders.slots() / kLanes;
  const float* const highest_of = contenders.highest();
  const float* const lowest_of = contenders.lowest();
  Search up{y, highest_of, contenders, extremes.highest};
  Search down{y, lowest_of, contenders, extremes.lowest};
  for (std::size_t part = 0; part * kPartBlocks < blocks; ++part) {
    const std::size_t first = part * kPartBlocks;
    const std::size_t end = HWY_MIN(blocks, first + kPartBlocks);
    typename S::V high[S::kVectors], low[S::kVectors];
    OKBENCH_UNROLL
    for (std::size_t v = 0; v < S::kVectors; ++v) {
      high[v] = hn::Set(d, -std::numeric_limits<double>::infinity());
      low[v] = hn::Set(d, std::numeric_limits<double>::infinity());
    }
    for (std::size_t b = first; b < end; ++b) {
      if constexpr (kStep) {
        hwy::Prefetch(k + b * kLanes + kAhead);
        hwy::Prefetch(l + b * kLanes + kAhead);
      }
      OKBENCH_UNROLL
      for (std::size_t v = 0; v < S::kVectors; ++v) {
        const std::size_t i = b * kLanes + v * S::kWidth;
        auto value = hn::LoadU(d, y + i);
        if constexpr (kStep) {
          value = hn::MulAdd(factor, hn::Sub(LoadWide(k + i), LoadWide(l + i)), value);
          hn::StoreU(value, d, y + i);
        }
        high[v] = Higher(hn::Sub(LoadWide(highest_of + i), value), high[v]);
        low[v] = Lower(hn::Sub(LoadWide(lowest_of + i), value), low[v]);
      }
    }
    OKBENCH_UNROLL
    for (std::size_t v = 1; v < S::kVectors; ++v) {
      high[0] = hn::Max(high[0], high[v]);
      low[0] = hn::Min(low[0], low[v]);
    }
    const double highest = hn::GetLane(hn::MaxOfLanes(d, high[0]));
    const double lowest = hn::GetLane(hn::MinOfLanes(d, low[0]));
    if (highest > up.best)
      up.Improve(highest, part);
    else if (highest == up.best && up.part != Extremes::kNone)
      up.Equal(part);
    if (lowest < down.best)
      down.Improve(lowest, part);
    else if (lowest == down.best && down.part != Extremes::kNone)
      down.Equal(part);
  }
  up.End(extremes.highest, extremes.highest_at);
  down.End(extremes.lowest, extremes.lowest_at);
}

template <class T>
void StepExtremes(const T* k, const T* l, double a, double* y, const Contenders& contenders,
                  Extremes* extremes) {
  *extremes = {};
  if (k != nullptr)
    StepAndSearch<T, true>(k, l, a, y, contenders, *extremes);
  else
    StepAndSearch<T, false>(k, l, a, y, contenders, *extremes);
}

#endif  // OKBENCH_TARGET_HAS_FMA
}  // namespace HWY_NAMESPACE
}  // namespace okbench::internal
HWY_AFTER_NAMESPACE();

#endif  // OKBENCH_EXTREMES_INL_H
