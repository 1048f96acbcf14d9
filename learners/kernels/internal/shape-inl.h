// Capabilities of a target, and the shapes of its micro-kernels.
//
// Highway conventions: see ops.cpp.
#if defined(OKBENCH_SHAPE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef OKBENCH_SHAPE_INL_H
#undef OKBENCH_SHAPE_INL_H
#else
#define OKBENCH_SHAPE_INL_H
#endif

#include "hwy/highway.h"
#include "learners/kernels/internal/ops.h"

// Whether the target has fused multiply-add, which bit reproducibility needs.
#undef OKBENCH_TARGET_HAS_FMA
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || \
    (HWY_TARGET == HWY_NEON && HWY_ARCH_ARM_A64)
#define OKBENCH_TARGET_HAS_FMA 1
#else
#define OKBENCH_TARGET_HAS_FMA 0
#endif

#undef OKBENCH_UNROLL
#if HWY_COMPILER_CLANG
#define OKBENCH_UNROLL _Pragma("clang loop unroll(full)")
#else
#define OKBENCH_UNROLL _Pragma("GCC unroll 32")
#endif

HWY_BEFORE_NAMESPACE();
namespace okbench::internal {
namespace HWY_NAMESPACE {
#if OKBENCH_TARGET_HAS_FMA

namespace hn = hwy::HWY_NAMESPACE;

// Vectors per block, and shapes of the micro-kernels. The accumulators fill the registers without spilling
// (32 registers with AVX-512, 16 with AVX2). There are enough of them to hide the latency of a fused
// multiply-add.
template <class T>
struct Shape {
  using D = hn::CappedTag<T, kLanes>;
  using V = hn::Vec<D>;
  static constexpr std::size_t kWidth = hn::MaxLanes(D());
  static constexpr std::size_t kVectors = kLanes / kWidth;
  static constexpr bool kWide = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL;
  // Several queries: a micro-kernel handles kTileQueries queries times kTileBlocks blocks.
  static constexpr std::size_t kTileQueries = kWide ? 6 : (sizeof(T) == 4 ? 6 : 2);
  static constexpr std::size_t kTileBlocks = kWide ? 4 / kVectors : 1;
  // One query: blocks per micro-kernel.
  static constexpr std::size_t kRowBlocks = kWide ? 8 / kVectors : (sizeof(T) == 4 ? 4 : 2);
};

#endif  // OKBENCH_TARGET_HAS_FMA
}  // namespace HWY_NAMESPACE
}  // namespace okbench::internal
HWY_AFTER_NAMESPACE();

#endif  // OKBENCH_SHAPE_INL_H
