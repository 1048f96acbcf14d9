// Vector operations agree with plain loops, bit for bit, on every target of this machine.

#include "learners/kernels/vector_ops.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "learners/core/aligned.h"
#include "learners/core/random.h"
#include "learners/kernels/target.h"
#include "tests/catch.h"

namespace okbench {
namespace {

// Calls `check` on every target in turn.
template <class Check>
void OnEveryTarget(const Check& check) {
  for (const std::string& target : AvailableTargets()) {
    INFO(target);
    SelectTarget(target);
    check();
  }
  SelectTarget("best");
}

// Integers from a small range, so that ties occur, or normal variates.
template <class T>
std::vector<T> Draw(std::size_t n, bool few, Random& random) {
  std::vector<T> values(n);
  for (T& value : values)
    value = few ? static_cast<T>(static_cast<double>(random.Below(5)) - 2) : static_cast<T>(random.Normal());
  return values;
}

template <class T>
void CheckBoxStep(std::uint64_t seed) {
  Random random(seed);
  const std::size_t n = 1 + random.Below(70), padded = VectorOps<T>::Padded(n);
  const bool few = seed % 2 == 0;
  auto p = Draw<double>(n, few, random);
  const auto row = Draw<T>(n, few, random);
  const double cap = 0.5 + random.Uniform(), move = few ? 0.5 : random.Normal();
  std::vector<double> a(n), inverse(n), half(n);
  for (std::size_t i = 0; i < n; ++i) {
    a[i] = random.Below(3) == 0 ? cap * (few ? 0.5 : random.Uniform()) : 0.0;
    const double curvature = few ? 1.0 : random.Uniform();
    inverse[i] = 1 / curvature;
    half[i] = 0.5 * curvature;
  }
  std::vector<double> g = p;
  std::size_t best = 0;
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < n; ++i) {
    g[i] -= move * static_cast<double>(row[i]);
    const double step = std::min(std::max(a[i] + g[i] * inverse[i], 0.0), cap) - a[i];
    const double gain = step * (g[i] - half[i] * step);
    if (gain > most) {
      most = gain;
      best = i;
    }
  }
  for (auto* list : {&p, &a, &inverse, &half}) list->resize(padded, 0.0);
  OnEveryTarget([&] {
    std::vector<double> moved = p;
    const BoxProgram box{n, cap, inverse.data(), half.data(), a.data(), moved.data()};
    const std::size_t position = VectorOps<T>().BoxStep(box, row.data(), move);
    moved.resize(n);
    CHECK(moved == g);
    if (most > 0)
      CHECK(position == best);
    else
      CHECK(position < padded);
    // A step of zero leaves the gradients and the search result unchanged.
    moved.resize(padded, 0.0);
    CHECK(VectorOps<T>().BoxStep(box, nullptr, 0) == position);
    moved.resize(n);
    CHECK(moved == g);
  });
}

TEST_CASE("box program step equals a plain loop, and ties go to the first") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CheckBoxStep<float>(seed);
    CheckBoxStep<double>(seed);
  }
}

template <class T>
void CheckAddListed(std::uint64_t seed) {
  Random random(seed);
  const std::size_t n = 16 * (2 + random.Below(5)), count = random.Below(9);
  const auto values = Draw<T>(count * n, false, random);
  const auto amounts = Draw<double>(count, false, random), start = Draw<double>(n, false, random);
  std::vector<const T*> rows;
  for (std::size_t r = 0; r < count; ++r) rows.push_back(values.data() + r * n);
  OnEveryTarget([&] {
    const VectorOps<T> ops;
    auto sums = start, listed = start;
    for (std::size_t r = 0; r < count; ++r) ops.AddScaled(rows[r], n, amounts[r], sums.data());
    ops.AddListed(rows.data(), 0, count, 16, amounts.data(), listed.data());
    ops.AddListed(rows.data(), 16, count, n - 16, amounts.data(), listed.data() + 16);
    CHECK(sums == listed);
  });
}

TEST_CASE("adding several rows at once gives the bits of adding one by one") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CheckAddListed<float>(seed);
    CheckAddListed<double>(seed);
  }
}

template <class T>
void CheckCompact(std::uint64_t seed) {
  Random random(seed);
  const std::size_t n = 16 * (1 + random.Below(20)), shift = random.Below(20);
  const auto values = Draw<T>(n, false, random);
  std::vector<std::uint64_t> kept((n + 63) / 64);
  std::vector<T> expected;
  for (std::size_t i = 0; i < n; ++i) {
    if (random.Below(4) < seed % 5) continue;
    kept[i / 64] |= std::uint64_t{1} << (i % 64);
    expected.push_back(values[i]);
  }
  OnEveryTarget([&] {
    // In place, for source and destination that overlap.
    std::vector<T> memory(shift + n + 1, T(7));
    std::copy(values.begin(), values.end(), memory.begin() + static_cast<std::ptrdiff_t>(shift));
    CHECK(VectorOps<T>().Compact(memory.data() + shift, kept.data(), n, memory.data()) == expected.size());
    CHECK(std::equal(expected.begin(), expected.end(), memory.begin()));
    CHECK(memory.back() == T(7));
  });
}

TEST_CASE("compacted values keep their order") {
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    CheckCompact<float>(seed);
    CheckCompact<double>(seed);
  }
}

TEST_CASE("violations and slacks match their definition") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    const std::size_t n = 48, stride = 56, classes = 2 + random.Below(12);
    const double cap = 0.5;
    const auto scores = Draw<double>(classes * stride, seed % 2 == 0, random);
    std::vector<double> tau(classes * stride, 0.0), labels(n), violation(n), slack(n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t y = random.Below(classes), other = random.Below(classes);
      labels[i] = static_cast<double>(y);
      tau[y * stride + i] += i % 3 == 0 ? cap : 0.0;
      tau[other * stride + i] -= i % 3 == 0 ? cap : 0.0;
      double highest = -kInfinity, lowest = kInfinity, rival = -kInfinity;
      for (std::size_t r = 0; r < classes; ++r) {
        const double f = scores[r * stride + i], g = f - (r == y ? 1 : 0);
        highest = std::max(highest, g);
        if (tau[r * stride + i] < (r == y ? cap : 0)) lowest = std::min(lowest, g);
        if (r != y) rival = std::max(rival, f);
      }
      violation[i] = highest - lowest;
      slack[i] = 1 + rival - scores[y * stride + i];
    }
    OnEveryTarget([&] {
      std::vector<double> violations(n), slacks(n);
      const MulticlassDual dual{classes, stride, cap, scores.data(), tau.data(), labels.data()};
      VectorOps<double>().Violations(dual, 0, 16, violations.data(), slacks.data());
      VectorOps<double>().Violations(dual, 16, 32, violations.data(), slacks.data());
      CHECK(violations == violation);
      CHECK(slacks == slack);
    });
  }
}

TEST_CASE("largest margin without its own term matches its definition, ties go to the first") {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const std::size_t n = 16 * (1 + random.Below(6)), stride = n + 8,
                      outputs = seed % 4 == 0 ? 1 : 2 + random.Below(12);
    // Integers, so that ties occur.
    const auto scores = Draw<double>(outputs * stride, seed % 2 == 0, random);
    const auto tau = Draw<double>(outputs * stride, seed % 2 == 0, random),
               self = Draw<double>(n, false, random);
    std::vector<double> labels(n), vacant(n), margin(n, kNone);
    std::size_t best = 0;
    for (std::size_t i = 0; i < n; ++i) {
      vacant[i] = random.Below(3) == 0 || seed % 10 == 9 ? 1 : 0;
      labels[i] = outputs == 1 ? 2.0 * static_cast<double>(random.Below(2)) - 1
                               : static_cast<double>(random.Below(outputs));
      if (vacant[i] != 0) continue;
      const auto without = [&](std::size_t r) {
        return scores[r * stride + i] - tau[r * stride + i] * self[i];
      };
      double other = kNone;
      for (std::size_t r = 0; r < outputs; ++r)
        if (static_cast<double>(r) != labels[i]) other = std::max(other, without(r));
      margin[i] =
          outputs == 1 ? labels[i] * without(0) : without(static_cast<std::size_t>(labels[i])) - other;
      if (margin[i] > margin[best] || vacant[best] != 0) best = i;
    }
    if (margin[best] == kNone) best = 0;
    OnEveryTarget([&] {
      std::vector<double> margins(n);
      const ScoredMembers members{n,          outputs,     stride,        scores.data(),
                                  tau.data(), self.data(), labels.data(), vacant.data()};
      CHECK(VectorOps<float>().LargestMargin(members, margins.data()) == best);
      CHECK(margins == margin);
    });
  }
}

}  // namespace
}  // namespace okbench
