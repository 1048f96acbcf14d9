// Searches over many outputs: batches and branch and bound against a plain loop, including ties.

#include "learners/outputs/search.h"

#include <cmath>
#include <limits>
#include <vector>

#include "learners/core/random.h"
#include "tests/catch.h"

namespace okbench {
namespace {

std::size_t PlainArgMax(const std::vector<double>& scores) {
  std::size_t best = 0;
  for (std::size_t y = 0; y < scores.size(); ++y)
    if (scores[y] > scores[best]) best = y;
  return best;
}

// Intervals of a line of outputs. A bound exceeds the highest score by 0 to `slack`.
struct Intervals {
  struct Set {
    std::size_t first, last;  // inclusive
  };
  const std::vector<double>& scores;
  double slack;

  double Bound(const Set& set) const {
    double most = scores[set.first];
    for (std::size_t y = set.first; y <= set.last; ++y) most = std::max(most, scores[y]);
    return Single(set) ? most : most + slack * static_cast<double>((set.first * 7 + set.last) % 3);
  }
  static std::size_t Lowest(const Set& set) { return set.first; }
  static bool Single(const Set& set) { return set.first == set.last; }
  template <class Visit>
  void Split(const Set& set, const Visit& visit) const {
    const std::size_t middle = (set.first + set.last) / 2;
    visit(Set{middle + 1, set.last});
    visit(Set{set.first, middle});
  }
};

TEST_CASE("searches find the best output, ties go to the lowest") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    std::vector<double> scores(1 + random.Below(90));
    // Few distinct values, so ties occur, also for the maximum.
    for (double& score : scores) score = static_cast<double>(random.Below(seed % 2 == 0 ? 4 : 1000)) - 2;
    const std::size_t best = PlainArgMax(scores);
    for (const std::size_t batch : {std::size_t{1}, std::size_t{7}, scores.size(), scores.size() + 5}) {
      const FoundOutput optimum =
          SearchInBatches(scores.size(), batch, [&](std::size_t first, std::span<double> out) {
            for (std::size_t i = 0; i < out.size(); ++i) out[i] = scores[first + i];
          });
      REQUIRE(optimum.output == best);
      REQUIRE(optimum.score == scores[best]);
      REQUIRE(optimum.scored == scores.size());
    }
    for (const double slack : {0.0, 0.5, 3.0}) {
      Intervals space{scores, slack};
      const FoundOutput optimum = SearchByBounds(space, Intervals::Set{0, scores.size() - 1});
      REQUIRE(optimum.output == best);
      REQUIRE(optimum.score == scores[best]);
      REQUIRE(optimum.scored <= 2 * scores.size() - 1);
    }
  }
}

TEST_CASE("with tight bounds, branch and bound scores only the path to the best output") {
  std::vector<double> scores(1024, 0.0);
  scores[700] = 1;
  Intervals space{scores, 0};
  CHECK(SearchByBounds(space, Intervals::Set{0, 1023}).scored == 21);  // the root, and two halves ten times
}

TEST_CASE("searches reject empty ranges and scores that are not finite") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto of = [](double value) {
    return [value](std::size_t, std::span<double> out) { out[0] = value; };
  };
  CHECK_THROWS_AS(SearchInBatches(0, 1, of(1)), InvalidArgument);
  CHECK_THROWS_AS(SearchInBatches(1, 0, of(1)), InvalidArgument);
  for (const double bad : {nan, HUGE_VAL, -HUGE_VAL})
    CHECK_THROWS_WITH(SearchInBatches(1, 1, of(bad)),
                      Catch::Contains("output 0 has a score that is not finite"));
  std::vector<double> scores{nan};
  Intervals space{scores, 0};
  CHECK_THROWS_AS(SearchByBounds(space, Intervals::Set{0, 0}), InvalidArgument);
}

}  // namespace
}  // namespace okbench
