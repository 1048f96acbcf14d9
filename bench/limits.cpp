#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/limits.cpp"
#include "hwy/foreach_target.h"
// Must follow foreach_target.h.
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace okbench::bench::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The speed history measures benchmarks in multiples of this kernel, so it must not change.
std::size_t Fma(float* sink) {
  const hn::ScalableTag<float> d;
  constexpr std::size_t kPasses = 4096;
  // Twelve independent chains hide the latency.
  auto a = hn::Set(d, 0.1F), b = a, c = a, e = a, f = a, g = a, h = a, i = a, j = a, k = a, l = a, m = a;
  const auto x = hn::Set(d, 0.999F), y = hn::Set(d, 0.001F);
  for (std::size_t pass = 0; pass < kPasses; ++pass) {
    a = hn::MulAdd(a, x, y);
    b = hn::MulAdd(b, x, y);
    c = hn::MulAdd(c, x, y);
    e = hn::MulAdd(e, x, y);
    f = hn::MulAdd(f, x, y);
    g = hn::MulAdd(g, x, y);
    h = hn::MulAdd(h, x, y);
    i = hn::MulAdd(i, x, y);
    j = hn::MulAdd(j, x, y);
    k = hn::MulAdd(k, x, y);
    l = hn::MulAdd(l, x, y);
    m = hn::MulAdd(m, x, y);
    // All chains have equal start values. Without a barrier the compiler would compute one and copy it.
    asm volatile("" : "+v"(a.raw), "+v"(b.raw), "+v"(c.raw), "+v"(e.raw), "+v"(f.raw), "+v"(g.raw));
    asm volatile("" : "+v"(h.raw), "+v"(i.raw), "+v"(j.raw), "+v"(k.raw), "+v"(l.raw), "+v"(m.raw));
  }
  const auto sum = hn::Add(hn::Add(hn::Add(a, b), hn::Add(c, e)), hn::Add(hn::Add(f, g), hn::Add(h, i)));
  *sink = hn::GetLane(hn::Add(sum, hn::Add(hn::Add(j, k), hn::Add(l, m))));
  return kPasses * 12 * 2 * hn::Lanes(d);
}

float Read(const float* data, std::size_t count) {
  const hn::ScalableTag<float> d;
  const std::size_t n = hn::Lanes(d);
  auto a = hn::Zero(d), b = a, c = a, e = a, f = a, g = a, h = a, k = a;
  for (std::size_t i = 0; i + 8 * n <= count; i += 8 * n) {
    a = hn::Add(a, hn::Load(d, data + i));
    b = hn::Add(b, hn::Load(d, data + i + n));
    c = hn::Add(c, hn::Load(d, data + i + 2 * n));
    e = hn::Add(e, hn::Load(d, data + i + 3 * n));
    f = hn::Add(f, hn::Load(d, data + i + 4 * n));
    g = hn::Add(g, hn::Load(d, data + i + 5 * n));
    h = hn::Add(h, hn::Load(d, data + i + 6 * n));
    k = hn::Add(k, hn::Load(d, data + i + 7 * n));
  }
  return hn::GetLane(hn::Add(hn::Add(hn::Add(a, b), hn::Add(c, e)), hn::Add(hn::Add(f, g), hn::Add(h, k))));
}

void ExpAll(float* data, std::size_t count) {
  const hn::ScalableTag<float> d;
  for (std::size_t i = 0; i + hn::Lanes(d) <= count; i += hn::Lanes(d))
    hn::Store(hn::Exp(d, hn::Load(d, data + i)), d, data + i);
}

}  // namespace okbench::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "bench/limits.h"

namespace okbench::bench {
HWY_EXPORT(Fma);
HWY_EXPORT(Read);
HWY_EXPORT(ExpAll);
std::size_t FmaPass(float* sink) { return HWY_DYNAMIC_DISPATCH(Fma)(sink); }
float ReadPass(const float* data, std::size_t count) { return HWY_DYNAMIC_DISPATCH(Read)(data, count); }
void ExpPass(float* data, std::size_t count) { HWY_DYNAMIC_DISPATCH(ExpAll)(data, count); }
}  // namespace okbench::bench
#endif
