// PROS-N-KONS: three steps by hand, and invariants of the sampling.

#include "learners/methods/pros_n_kons/pros_n_kons.h"

#include "tests/catch.h"
#include "tests/learners/filters.h"

namespace okbench::pros_n_kons {
namespace {

using Learner = OneVsRest<double, pros_n_kons::Method>;
using pros_n_kons::Options;
using testing::FilterContext;

TEST_CASE("PROS-N-KONS: three steps by hand") {
  // k = x x', x = y = 1, alpha = gamma = C = 1; beta is so large that every example is sampled. The first
  // joins: A = 1, w = 0. The second is predicted as 0: g = -2, A = 1 + 1/16 4 = 5/4, w = 8/5. It adds nothing
  // to the span, so it does not join. The third score 8/5 is clipped to 1: no loss, and w is projected to 1.
  const auto rows = Examples<double>::Dense(1, {1, 1, 1}, {1, 1, 1}, LabelKind::kBinary, 2);
  Learner learner(Options{.beta = 100}, FilterContext(rows, Kernel::Linear()));
  CHECK(learner.Step(0).prediction == 0);
  CHECK(learner.set().alpha(0, 0) == 0);
  CHECK(learner.Step(1).prediction == 0);
  CHECK(learner.set().alpha(0, 0) == Approx(1.6));
  CHECK(learner.Predict(2).prediction == 1);
  CHECK(learner.Step(2).prediction == 1);
  CHECK(learner.set().alpha(0, 0) == Approx(1));
  CHECK(learner.support_vectors() == 1);
  CHECK(learner.counts().requested == 1 + 2 + 2);
}

TEST_CASE("PROS-N-KONS: smaller gamma and larger beta sample more, and predictions are bounded") {
  const auto rows = testing::RandomDense<double>(400, 3, LabelKind::kBinary, 2, 3);
  const auto sampled = [&](double gamma, double beta) {
    Learner learner(Options{.ridge = gamma, .beta = beta, .bound = 0.5},
                    FilterContext(rows, Kernel::RbfFromGamma(0.5)));
    for (std::uint32_t i = 0; i < rows.size(); ++i) REQUIRE(std::fabs(learner.Step(i).prediction) <= 0.5);
    return learner.support_vectors();
  };
  const std::size_t usual = sampled(1, 1);
  CHECK(sampled(30, 1) < usual);
  CHECK(sampled(1, 4) > usual);
  CHECK(sampled(1, 4) < rows.size());
}

TEST_CASE("PROS-N-KONS learns a curved border") {
  std::vector<double> x;
  std::vector<std::int32_t> y;
  Random random(4);
  for (int i = 0; i < 2000; ++i) {
    for (int f = 0; f < 2; ++f) x.push_back(2 * random.Uniform() - 1);
    const double radius = x[x.size() - 2] * x[x.size() - 2] + x.back() * x.back();
    y.push_back(radius < 0.6 ? 1 : -1);
  }
  const auto rows = Examples<double>::Dense(2, x, y, LabelKind::kBinary, 2);
  const auto context = FilterContext(rows, Kernel::RbfFromGamma(1));
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    auto seeded = context;
    seeded.seed = seed;
    Learner learner(Options{.ridge = 0.1, .budget = 8}, seeded);
    std::size_t mistakes = 0;
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      const bool mistake = learner.Step(i).mistake;
      mistakes += i >= 1500 && mistake ? 1 : 0;
    }
    CAPTURE(seed);
    CHECK(mistakes < 100);  // of 500; about half of them by chance
  }
}

}  // namespace
}  // namespace okbench::pros_n_kons
