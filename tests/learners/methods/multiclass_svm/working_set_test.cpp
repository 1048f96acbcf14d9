// Working set and row cache of the batch multiclass SVM.

#include "learners/methods/multiclass_svm/working_set.h"

#include <algorithm>

#include "learners/core/random.h"
#include "learners/methods/multiclass_svm/active_rows.h"
#include "tests/catch.h"

namespace okbench::multiclass_svm {
namespace {

using multiclass_svm::ActiveRows;
using Set = multiclass_svm::WorkingSet<float>;

// A value that identifies its row and position.
float ValueOf(std::uint32_t of, std::size_t with) { return static_cast<float>(1000 * of + with); }

// A row cache whose positions have the given names.
struct CountedRows {
  CountedRows(std::size_t bytes, std::size_t width) : rows(bytes, 4), names(width) {
    for (std::uint32_t p = 0; p < width; ++p) names[p] = p;
    rows.Restart(width);
  }
  std::vector<std::uint32_t> Bring(const std::vector<std::uint32_t>& wanted) {
    std::vector<std::uint32_t> evaluated;
    rows.Bring(wanted, [&](std::span<const std::uint32_t> missing, float* out) {
      for (const std::uint32_t p : missing) {
        evaluated.push_back(p);
        for (const std::uint32_t name : names) *out++ = ValueOf(names[p], name);
      }
    });
    for (const std::uint32_t p : wanted) Check(p);
    return evaluated;
  }
  void Check(std::uint32_t p) const {
    for (std::size_t s = 0; s < names.size(); ++s) REQUIRE(rows.Row(p)[s] == ValueOf(names[p], names[s]));
  }
  ActiveRows<float> rows;
  std::vector<std::uint32_t> names;
};

using Positions = std::vector<std::uint32_t>;

TEST_CASE("row cache: the least recently used rows are evicted first") {
  CountedRows cache(4 * 32 * sizeof(float), 32);  // four rows
  CHECK(cache.Bring({3, 1}) == Positions{3, 1});
  CHECK(cache.Bring({5, 3}) == Positions{5});
  CHECK(cache.Bring({7}) == Positions{7});
  CHECK(cache.Bring({9, 3}) == Positions{9});  // 1 is evicted
  CHECK(cache.rows.Row(1) == nullptr);
  CHECK(cache.Bring({1, 9, 7}) == Positions{1});  // 5 is evicted
  CHECK(cache.rows.Row(5) == nullptr);
  for (const std::uint32_t p : {1U, 9U, 7U, 3U}) cache.Check(p);
  CHECK(cache.Bring({10, 11, 12, 13}) == Positions{10, 11, 12, 13});
}

TEST_CASE("row cache: a cache that is too small still stores the rows of the current set") {
  CountedRows cache(1, 16);
  CHECK(cache.Bring({3, 1, 4, 2}) == Positions{3, 1, 4, 2});
  CHECK(cache.Bring({5, 1}) == Positions{5});
  CHECK(cache.rows.Row(3) == nullptr);
  CHECK(cache.Bring({1, 6, 7}) == Positions{6, 7});
}

TEST_CASE("row cache: rows survive shrinking, with renumbered positions") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    CountedRows cache(40 * 160 * sizeof(float), 160);
    for (int round = 0; round < 30; ++round) {
      Positions wanted;
      for (std::uint32_t p = 0; p < 160; ++p)
        if (random.Below(80) == 0 && wanted.size() < 4) wanted.push_back(p);
      cache.Bring(wanted);
    }
    std::vector<std::uint64_t> kept(3);
    std::vector<std::uint32_t> names;
    std::vector<bool> flags;
    for (std::uint32_t p = 0; p < 160; ++p) {
      if (random.Below(3) == 0 || names.size() == 96) continue;
      kept[p / 64] |= std::uint64_t{1} << (p % 64);
      names.push_back(p);
      flags.push_back(cache.rows.Row(p) != nullptr);
    }
    cache.names = names;
    const std::size_t width = (names.size() + 15) / 16 * 16;
    cache.rows.Keep(kept, names.size(), width);
    for (std::uint32_t p = 0; p < names.size(); ++p) {
      CHECK((cache.rows.Row(p) != nullptr) == flags[p]);
      if (flags[p]) cache.Check(p);
    }
    if (names.size() == width) CHECK(cache.Bring({0, 5, 11}).size() <= 3);
  }
}

TEST_CASE("working set: changes update all scores as if added one by one") {
  constexpr std::size_t kExamples = 96, kStride = 104, kClasses = 4;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random(seed);
    // A linear kernel in three dimensions.
    std::vector<double> x(kExamples * 3);
    for (double& value : x) value = random.Normal();
    std::vector<AlignedVector<float>> gram(kExamples, AlignedVector<float>(kExamples));
    for (std::size_t i = 0; i < kExamples; ++i)
      for (std::size_t j = 0; j < kExamples; ++j)
        for (std::size_t d = 0; d < 3; ++d) gram[i][j] += static_cast<float>(x[3 * i + d] * x[3 * j + d]);
    AlignedVector<double> scores(kClasses * kStride), tau(kClasses * kStride), labels(kExamples);
    for (double& score : scores) score = 0.1 * random.Normal();
    std::vector<Set::Member> members;
    for (std::uint32_t p = 0; p < kExamples; p += 3) {
      labels[p] = static_cast<double>(random.Below(kClasses));
      members.push_back({p, static_cast<std::size_t>(labels[p]), gram[p][p], 1, gram[p].data()});
    }
    Set set(kClasses, 1.0);
    set.Load(members, {kClasses, kStride, 1.0, scores.data(), tau.data(), labels.data()});
    REQUIRE(set.Solve(1e-3));
    const AlignedVector<double> before = scores;
    for (std::size_t first = 0; first < kExamples; first += 32)
      set.AddChanges(first, 32, kStride, scores.data());
    // The scores follow from the coefficients, and have exactly the bits that the working set used.
    for (std::size_t p = 0; p < kExamples; ++p)
      for (std::size_t r = 0; r < kClasses; ++r) {
        double expected = before[r * kStride + p];
        for (std::size_t m = 0; m < members.size(); ++m)
          expected += set.tau(m, r) * static_cast<double>(members[m].row[p]);
        CHECK(scores[r * kStride + p] == Approx(expected).margin(1e-12));
      }
    for (std::size_t m = 0; m < members.size(); ++m)
      for (std::size_t r = 0; r < kClasses; ++r) {
        CHECK(scores[r * kStride + members[m].position] == set.score(m, r));
        CHECK(set.tau(m, r) <= (r == members[m].label ? 1.0 : 0.0));
      }
  }
}

}  // namespace
}  // namespace okbench::multiclass_svm
