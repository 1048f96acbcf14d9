// The function tables of ops.h, one per instruction set, and the selection of a target.
//
// Highway conventions used by this file and by every *-inl.h in this folder:
// - foreach_target.h includes this file once per target and sets HWY_TARGET. HWY_BEFORE_NAMESPACE and
//   HWY_AFTER_NAMESPACE enclose code compiled for that instruction set. HWY_NAMESPACE is a different
//   namespace for each target (N_AVX2, ...), so the definitions do not clash.
// - The include guard of an *-inl.h compares with HWY_TARGET_TOGGLE, which flips for every target. The header
//   is therefore included once per target, not once per program.
// - Code under HWY_ONCE is compiled once, after all targets.
// - hn::CappedTag<T, n> is a vector type with at most n lanes. hn::Rebind gives the vector of another lane
//   type with as many lanes. hn::Load needs aligned addresses, hn::LoadU does not.
// - Compiler-generated functions have no target attributes. A struct of vectors therefore defines its
//   constructor explicitly, with HWY_INLINE.
// - OKBENCH_UNROLL (shape-inl.h) unrolls loops over arrays of vectors, so that the arrays stay in registers.
// - Targets without fused multiply-add get an empty table (OKBENCH_TARGET_HAS_FMA). SSSE3 and SSE4 lack it
//   and are not compiled.
// - hn::MulAdd is fused on all remaining targets. -ffp-contract=off keeps hn::Mul and hn::Add separate.
#define HWY_WANT_AVX3_DL 1
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "learners/kernels/internal/ops.cpp"
#include "hwy/foreach_target.h"
// Must follow foreach_target.h.
#include "hwy/highway.h"
#include "learners/kernels/internal/dot-inl.h"
#include "learners/kernels/internal/extremes-inl.h"
#include "learners/kernels/internal/finish-inl.h"
#include "learners/kernels/internal/integers-inl.h"
#include "learners/kernels/internal/ops.h"
#include "learners/kernels/internal/quadratic-inl.h"
#include "learners/kernels/internal/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace okbench::internal {
namespace HWY_NAMESPACE {

#if HWY_TARGET != HWY_AVX3_DL  // whose table is made of that of AVX3, below
#if OKBENCH_TARGET_HAS_FMA

template <class T>
const KernelOps<T>* Table() {
  static constexpr KernelOps<T> kOps = {Shape<T>::kTileBlocks,
                                        Dense<T, FmaCombine>,
                                        Dense<T, MinCombine>,
                                        Dense<T, DistanceCombine>,
                                        Sparse<T, FmaCombine>,
                                        Sparse<T, MinCombine>,
                                        Postings<T, FmaCombine>,
                                        Postings<T, MinCombine>,
                                        DotBits<T>,
                                        IntegerTable<T>(),
                                        Finish<T>,
                                        HasInexact<T>,
                                        ReplaceInexact<T>,
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
#endif  // HWY_TARGET

}  // namespace HWY_NAMESPACE
}  // namespace okbench::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <atomic>

#include "base/error.h"
#include "learners/kernels/target.h"

namespace okbench {
namespace internal {

#if HWY_TARGETS & HWY_AVX3_DL
namespace N_AVX3_DL {

// AVX3_DL adds instructions that count bits and multiply integers. The other operations are those of AVX3.
template <class T>
const KernelOps<T>* WithAvx3(const KernelOps<T>& avx3) {
  static const KernelOps<T> ops = [&avx3] {
    KernelOps<T> changed = avx3;
    changed.dot_bits = DotBits<T>;
    changed.integers = IntegerTable<T>();
    return changed;
  }();
  return &ops;
}
const KernelOps<float>* FloatTable() { return WithAvx3(*N_AVX3::FloatTable()); }
const KernelOps<double>* DoubleTable() { return WithAvx3(*N_AVX3::DoubleTable()); }

}  // namespace N_AVX3_DL
#endif

namespace {

// Targets are selected by name rather than by Highway's global dispatch, so that one program can compare
// them.
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
      "this processor has no fused multiply-add; okbench needs AVX2 with FMA, AVX-512 or 64-bit NEON");
}

const Candidate& Active() {
  if (const Candidate* chosen = selected.load()) return *chosen;
  // Determined once: detecting the features of a virtual processor is slow.
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
