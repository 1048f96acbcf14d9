// Selection of examples for a round: sliding window, resampling of the counter examples, and SFD's importance
// sampling, each checked against plain formulas. Also the share of the training loss due to the worst
// examples.

#include <algorithm>
#include <set>
#include <vector>

#include "base/error.h"
#include "datasets/rows/stream.h"
#include "learners/methods/sfd/sfd.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench::draws_test {
namespace {

using Catch::Contains;

TEST_CASE("sliding window: moves by half its length over successive permutations") {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const StreamSpec spec{Order::kSliding, 2, 0};
    const Batches batches = MakeBatches(spec, 100, 10, seed);
    REQUIRE(batches.size() == 20);  // 200 examples, as with uniform draws
    CHECK(BatchesLength(spec, 100, 10) == batches.rows.size());
    for (std::size_t b = 0; b < batches.size(); ++b) {
      const auto batch = batches[b];
      CHECK(std::set<std::uint32_t>(batch.begin(), batch.end()).size() == 10);
      // A permutation holds 19 windows. The 20th begins a new permutation.
      if (b > 0 && b < 19) CHECK(std::equal(batch.begin(), batch.begin() + 5, batches[b - 1].begin() + 5));
    }
    std::set<std::uint32_t> first;
    for (std::size_t b = 0; b < 19; ++b) first.insert(batches[b].begin(), batches[b].end());
    CHECK(first.size() == 100);
  }
  // A window of one example moves by one.
  CHECK(MakeBatches({Order::kSliding, 1, 0}, 7, 1, 3).size() == 7);
  CHECK_THROWS_WITH(MakeStream({Order::kSliding, 1, 0}, std::vector<std::int32_t>{1, 2}, 1),
                    Contains("mini-batches"));
}

TEST_CASE("counter examples can be resampled each round") {
  std::vector<std::int32_t> classes;
  for (int i = 0; i < 7000; ++i) classes.push_back(i * 7 % 10);
  const StreamSpec drawn{Order::kCountingDrawn, 1, 0};
  const auto file = MakeStream({Order::kCounting, 1, 0}, classes, 1);
  const auto stream = MakeStream(drawn, classes, 1), two = MakeStream(drawn, classes, 2);
  REQUIRE(stream.size() == file.size());
  CHECK((stream != two && stream == MakeStream(drawn, classes, 1)));
  CHECK(std::set<std::uint32_t>(stream.begin(), stream.end()).size() == stream.size());
  for (std::size_t t = 0; t < file.size(); ++t) REQUIRE(classes[stream[t]] == classes[file[t]]);
  CHECK_THROWS_AS(MakeBatches(drawn, 7000, 10, 1), DataError);
}

Examples<double> Cloud(std::uint64_t seed) {
  return testing::RandomDense<double>(80, 4, LabelKind::kBinary, 2, seed);
}

LearnerContext<double> Context(const Examples<double>& data, std::uint64_t seed) {
  return {.train = &data, .test = &data, .kernel = Kernel::RbfFromGamma(0.2), .batch = 8, .seed = seed};
}

// y_i f(x_i) for all examples, by the plain formula.
std::vector<double> Margins(const Examples<double>& data, const sfd::Sfd<double>& learner) {
  std::vector<double> margins;
  for (std::size_t i = 0; i < data.size(); ++i) {
    double f = 0;
    for (std::size_t j = 0; j < data.size(); ++j) {
      double distance = 0;
      for (std::size_t d = 0; d < data.features(); ++d) {
        const double difference = data.row(i).values[d] - data.row(j).values[d];
        distance += difference * difference;
      }
      f += learner.expansion().coefficient(0, static_cast<std::uint32_t>(j)) * std::exp(-0.2 * distance);
    }
    margins.push_back(data.label(i) * f);
  }
  return margins;
}

TEST_CASE("importance sampling selects examples with a residual margin, and learns as from a given batch") {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const auto data = Cloud(seed);
    sfd::Options options;
    options.importance = true;
    sfd::Sfd<double> learner(options, Context(data, seed));
    std::vector<std::uint32_t> asked(8);
    for (std::uint32_t i = 0; i < 8; ++i) asked[i] = i;
    std::uint64_t rows = 0;
    double terms = 0;
    for (int round = 0; round < 12; ++round) {
      const auto before = Margins(data, learner);
      const std::uint64_t requested = learner.counts().requested;
      const RoundOutcome outcome = learner.Round(asked);
      CHECK(outcome.examples == 8);
      std::vector<double> report(learner.Columns().size());
      learner.Report(report);
      const double added = report.back() - terms;
      terms = report.back();
      // Kernel evaluations: rows of the added terms over all examples, and the matrix of the batch. Scores
      // are kept up to date, so they cost none.
      CHECK(learner.counts().requested - requested == static_cast<std::uint64_t>(added) * 80 + 8 * 9 / 2);
      rows += static_cast<std::uint64_t>(added);
      // While enough examples have a residual margin, only those are drawn: every one is a margin error.
      if (std::count_if(before.begin(), before.end(), [](double m) { return m < 1; }) >= 8)
        CHECK(outcome.margin_errors == 8);
    }
    CHECK(rows > 0);
    CHECK(learner.squared_norm() >= 0);
  }
}

TEST_CASE("importance sampling draws in proportion to the residual margins") {
  // A first round on all examples gives the same model for every seed. The second round draws one example,
  // whose coefficient grows. Over many seeds, each example is drawn as often as its share of the residual
  // margins.
  const auto data = Cloud(7);
  sfd::Options options;
  options.importance = true;
  options.schedule = UpdateSchedule::Kind::kOverBatch;
  options.c = 40;  // strong regularisation: every example keeps a residual margin
  std::vector<std::uint32_t> all(data.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  std::vector<double> drawn(data.size(), 0.0), shares;
  constexpr int kRuns = 3000;
  for (int run = 0; run < kRuns; ++run) {
    sfd::Sfd<double> learner(options, Context(data, static_cast<std::uint64_t>(run)));
    learner.Round(all);
    std::vector<double> before;
    for (const std::uint32_t i : all) before.push_back(learner.expansion().coefficient(0, i));
    if (run == 0)
      for (const double m : Margins(data, learner)) shares.push_back(std::clamp(1 - m, 0.0, 1.0));
    learner.Round(std::span(all).first(1));
    for (const std::uint32_t i : all) drawn[i] += learner.expansion().coefficient(0, i) != before[i] ? 1 : 0;
  }
  double sum = 0;
  for (const double share : shares) sum += share;
  CHECK(*std::min_element(shares.begin(), shares.end()) <
        0.9 * *std::max_element(shares.begin(), shares.end()));
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const double expected = kRuns * shares[i] / sum;
    CHECK(std::abs(drawn[i] - expected) < 5 * std::sqrt(expected + 1));
  }
}

TEST_CASE("share of the training loss due to the worst 1 % of examples") {
  // The worst 1 % of 200 examples are two examples.
  const auto data = testing::RandomDense<double>(200, 4, LabelKind::kBinary, 2, 5);
  sfd::Sfd<double> learner({}, Context(data, 1));
  std::vector<std::uint32_t> batch(40);
  for (std::uint32_t i = 0; i < 40; ++i) batch[i] = i;
  CHECK(learner.MeasureTraining().worst_share == Approx(0.01));  // all losses are 1
  learner.Round(batch);
  auto margins = Margins(data, learner);
  std::vector<double> losses;
  for (const double m : margins) losses.push_back(std::max(0.0, 1 - m));
  std::sort(losses.rbegin(), losses.rend());
  double sum = 0;
  for (const double loss : losses) sum += loss;
  CHECK(learner.MeasureTraining().worst_share == Approx((losses[0] + losses[1]) / sum));
}

}  // namespace
}  // namespace okbench::draws_test
