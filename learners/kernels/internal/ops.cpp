// Compiled once per instruction set by Highway's foreach_target.
#define HWY_WANT_AVX3_DL 1
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "learners/kernels/internal/ops.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.
#include "hwy/highway.h"
#include "learners/kernels/internal/dot-inl.h"
#include "learners/kernels/internal/extremes-inl.h"
#include "learners/kernels/internal/finish-inl.h"
#include "learners/kernels/internal/ops.h"
#include "learners/kernels/internal/quadratic-inl.h"
#include "learners/kernels/internal/vectors-inl.h"
#include "learners/kernels/internal/integers-inl.h"

HWY_BEFORE_NAMESPACE();
namespace okbench::internal {
namespace HWY_NAMESPACE {

#if OKBENCH_TARGET_HAS_FMA

template <class T>
const KernelOps<T>* Table() {
  static constexpr KernelOps<T> kOps = {Shape<T>::kTileBlocks,
                                        Dense<T, FmaCombine>,
                                        Dense<T, MinCombine>,
                                        Sparse<T, FmaCombine>,
                                        Sparse<T, MinCombine>,
                                        Postings<T, FmaCombine>,
                                        Postings<T, MinCombine>,
                                        DotBits<T>,
                                        IntegerTable<T>(),
                                        Finish<T>,
                                        FinishDistances<T>,
                                        ScaleDots<T>,
                                        SquaredNorm<T>,
                                        SquaredNorms<T>,
                                        WeightedSums<T>,
                                        AddScaled<T>,
                                        AddRows<T>,
                                        AddListed<T>,
                                        Compact<T>,
                                        BoxStep<T>,
                                        Violations,
                                        LargestMargin,
                                        Exponentials,
                                        StepExtremes<T>};
  return &kOps;
}

#else  // no fused multiply-add

template <class T>
const KernelOps<T>* Table() {
  return nullptr;
}

#endif  // OKBENCH_TARGET_HAS_FMA

const KernelOps<float>* FloatTable() { return Table<float>(); }
const KernelOps<double>* DoubleTable() { return Table<double>(); }

}  // namespace HWY_NAMESPACE
}  // namespace okbench::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <atomic>

#include "learners/core/error.h"
#include "learners/kernels/target.h"

namespace okbench {
namespace internal {
namespace {

// We pick a target by name instead of through Highway's global dispatch state, so that one program can
// compare targets.
struct Candidate {
  const char* name;
  std::int64_t bit;
  const KernelOps<float>* (*float_table)();
  const KernelOps<double>* (*double_table)();
};

#define OKBENCH_CANDIDATE(label, target) \
  Candidate { label, HWY_##target, &N_##target::FloatTable, &N_##target::DoubleTable }

const std::vector<Candidate>& Compiled() {
  static const std::vector<Candidate> list = {
#if HWY_TARGETS & HWY_AVX3_DL
    OKBENCH_CANDIDATE("avx512-dl", AVX3_DL),
#endif
#if HWY_TARGETS & HWY_AVX3
    OKBENCH_CANDIDATE("avx512", AVX3),
#endif
#if HWY_TARGETS & HWY_AVX2
    OKBENCH_CANDIDATE("avx2", AVX2),
#endif
#if HWY_TARGETS & HWY_NEON
    OKBENCH_CANDIDATE("neon", NEON),
#endif
  };
  return list;
}

bool Runs(const Candidate& candidate) { return (hwy::SupportedTargets() & candidate.bit) != 0; }

std::atomic<const Candidate*> selected{nullptr};

const Candidate& Best() {
  for (const Candidate& candidate : Compiled())
    if (Runs(candidate)) return candidate;
  throw UnsupportedMachine(
      "this processor has no fused multiply-add (AVX2 with FMA, AVX-512 or 64-bit NEON), which "
      "bit-reproducible results need");
}

const Candidate& Active() {
  if (const Candidate* chosen = selected.load()) return *chosen;
  // Asked once: virtual processors take their time to tell what they can do.
  static const Candidate& best = Best();
  return best;
}

}  // namespace

template <>
const KernelOps<float>& Ops<float>() {
  return *Active().float_table();
}
template <>
const KernelOps<double>& Ops<double>() {
  return *Active().double_table();
}

}  // namespace internal

std::vector<std::string> AvailableTargets() {
  std::vector<std::string> names;
  for (const auto& candidate : internal::Compiled())
    if (internal::Runs(candidate)) names.emplace_back(candidate.name);
  return names;
}

std::string ActiveTarget() { return internal::Active().name; }

void SelectTarget(std::string_view name) {
  if (name == "best") {
    internal::selected = nullptr;
    return;
  }
  for (const auto& candidate : internal::Compiled()) {
    if (candidate.name != name || !internal::Runs(candidate)) continue;
    internal::selected = &candidate;
    return;
  }
  std::string allowed = "best";
  for (const auto& available : AvailableTargets()) allowed += ", " + available;
  throw InvalidArgument("target '" + std::string(name) + "' is not available here; choose one of " + allowed);
}

}  // namespace okbench
#endif  // HWY_ONCE
