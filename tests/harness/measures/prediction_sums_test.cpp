// Sums of predictions: by hand, and equal to sums made anew from the rows of the window.

#include "harness/measures/prediction_sums.h"

#include <deque>
#include <vector>

#include "base/error.h"
#include "harness/measures/prediction_measure.h"
#include "learners/core/random.h"
#include "tests/catch.h"

namespace okbench {
namespace {

TEST_CASE("the AUC of four scores by hand") {
  RankCounts ranks(2, 1);
  const auto add = [&](std::size_t label, float score) { ranks.Add(label, std::span(&score, 1)); };
  add(1, 0.5F);
  CHECK(std::isnan(ranks.Auc()));
  add(0, 0.5F);
  CHECK(ranks.Auc() == 0.5);
  add(0, -1);
  CHECK(ranks.Auc() == 0.75);
  add(1, -2);
  // Pairs in order: (0.5, -1); a tie: (0.5, 0.5); none for -2.
  CHECK(ranks.Auc() == 1.5 / 4);
  const float tied = 0.5F;
  ranks.Remove(0, std::span(&tied, 1));
  CHECK(ranks.Auc() == 0.5);
}

TEST_CASE("rank counts equal those of all pairs, with ties and removals") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const std::size_t classes = 2 + seed % 3, outputs = classes == 2 ? 1 : classes;
    RankCounts ranks(classes, outputs);
    std::deque<std::pair<std::size_t, std::vector<float>>> rows;
    for (int t = 0; t < 3000; ++t) {
      const std::size_t label = random.Below(classes);
      std::vector<float> scores(outputs);
      // Few values make many ties; many values make several blocks.
      for (float& score : scores) score = static_cast<float>(random.Below(seed % 2 == 0 ? 7 : 100000)) - 3;
      ranks.Add(label, scores);
      rows.emplace_back(label, scores);
      if (random.Below(10) == 0 || rows.size() > 2000) {
        ranks.Remove(rows.front().first, rows.front().second);
        rows.pop_front();
      }
    }
    while (rows.size() > 150) {
      ranks.Remove(rows.front().first, rows.front().second);
      rows.pop_front();
    }
    double sum = 0, pairs = 0;
    for (std::size_t a = 0; a < classes; ++a)
      for (std::size_t b = 0; b < classes; ++b) {
        if (a == b || (outputs == 1 && a == 0)) continue;
        double right = 0, all = 0;
        for (const auto& [of_positive, positive] : rows)
          for (const auto& [of_other, other] : rows) {
            const std::size_t r = outputs == 1 ? 0 : a;
            if (of_positive != a || of_other != b) continue;
            right += positive[r] > other[r] ? 1 : positive[r] == other[r] ? 0.5 : 0;
            ++all;
          }
        if (all == 0) continue;
        sum += right / all;
        ++pairs;
      }
    CHECK(ranks.Auc() == Approx(sum / pairs).epsilon(1e-12));
  }
}

TEST_CASE("large errors do not spoil the moments of later windows") {
  SlidingMoments moments(3);
  for (const double target : {1e12, -1e12, 3e11, 1.0, 2.0, 3.0})
    moments.Add({.count = 1, .mean = target, .squared = target * target});
  CHECK(moments.value().count == 3);
  CHECK(moments.value().mean == 2);
  CHECK(moments.value().squares == 2);
  CHECK(moments.value().squared == 14);
}

TEST_CASE("windowed measures drop old steps, but use the labels before the window") {
  PredictionMeter meter({}, {{"accuracy", 0}, {"accuracy", 2}, {"kappa-temporal", 2}, {"kappa-m", 0}});
  const float score = 1;
  // Labels 1 1 0 1, predictions 1 0 0 1: the issue of each step by hand.
  const std::pair<std::uint32_t, std::int32_t> steps[] = {{1, 1}, {1, 0}, {0, 0}, {1, 1}};
  std::vector<double> last;
  for (const auto& [label, predicted] : steps) {
    meter.Add({.label = label, .predicted = predicted, .scores = std::span(&score, 1)});
    last.clear();
    meter.ForEach([&](const MeasureRequest&, double value) { last.push_back(value); });
  }
  CHECK(last[0] == 0.75);
  CHECK(last[1] == 1);
  // The last label is wrong in both steps: p_e = 0.
  CHECK(last[2] == 1);
  // The majority class before each step (none, 1, 1, 1) is right twice: (0.75 - 0.5) / 0.5.
  CHECK(last[3] == 0.5);
}

TEST_CASE("requests are parsed") {
  CHECK(ParseMeasureRequest("auc@500") == MeasureRequest{"auc", 500});
  CHECK(ParseMeasureRequest("auc").Name() == "auc");
  for (const char* bad :
       {"auc@", "auc@0", "auc@-1", "auc@1e3", "auc@1 ", "acu", "", "auc@99999999999999999999"})
    CHECK_THROWS_AS(ParseMeasureRequest(bad), InvalidArgument);
}

}  // namespace
}  // namespace okbench
