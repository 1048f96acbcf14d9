// A step along a pair of rows, and where the gradients that it leaves are highest and lowest, in one pass.
//
// Compiled once per instruction set: included by ops.cpp under Highway's foreach_target.
#if defined(OKBENCH_EXTREMES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef OKBENCH_EXTREMES_INL_H
#undef OKBENCH_EXTREMES_INL_H
#else
#define OKBENCH_EXTREMES_INL_H
#endif

#include "hwy/cache_control.h"
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
    OKBENCH_UNROLL
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

// The extreme of one kind so far, found in parts of so many blocks: the first part that has it is searched for
// its slot only at the end, or when another part has the same.
constexpr std::size_t kPartBlocks = 16;
// How far ahead rows are fetched: the processor itself starts anew on each page.
constexpr std::size_t kAheadBlocks = 24;

template <int kFirstBit>
struct Search {
  const double* y;
  const Contenders& contenders;
  double best = 0;
  std::size_t part = Extremes::kNone, at = Extremes::kNone;

  void Within(std::size_t some_part) {
    const std::size_t first = some_part * kPartBlocks;
    const std::size_t end = HWY_MIN(contenders.slots() / kLanes, first + kPartBlocks);
    at = FirstAt<kFirstBit>(best, y, contenders, first, end, at);
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
                              Extremes& found) {
  using S = Shape<double>;
  const typename S::D d;
  const auto factor = hn::Set(d, a);
  const std::size_t blocks = contenders.slots() / kLanes;
  Search<Contenders::kHighest> up{y, contenders, found.highest};
  Search<Contenders::kLowest> down{y, contenders, found.lowest};
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
      const std::uint64_t marks = contenders.marks()[b];
      if constexpr (kStep) {
        hwy::Prefetch(k + (b + kAheadBlocks) * kLanes);
        hwy::Prefetch(l + (b + kAheadBlocks) * kLanes);
      }
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
    if (highest > up.best)
      up.Improve(highest, part);
    else if (highest == up.best && up.part != Extremes::kNone)
      up.Equal(part);
    if (lowest < down.best)
      down.Improve(lowest, part);
    else if (lowest == down.best && down.part != Extremes::kNone)
      down.Equal(part);
  }
  up.End(found.highest, found.highest_at);
  down.End(found.lowest, found.lowest_at);
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
