// BPA-S: a case by hand, and its removal checked against a search of the objective that defines it.

#include "learners/methods/bpas/bpas.h"

#include "tests/learners/function_learners.h"

namespace okbench::bpas {
namespace {

using testing::Alphas;
using testing::MembersOf;
using testing::PlainKernel;

ParameterValue Count(std::int64_t count) { return count; }

TEST_CASE("BPA-S: two insertions and a removal by hand") {
  // Linear kernel, C = 1, B = 2. (1, 0) and (0, 2), both +1: f(x) = x_1 + x_2 / 2, alpha = 1 and 1/4. (1, 1)
  // with label -1 has f = 3/2, l = 5/2, k = 2, tau = 1. Removing r costs 1/2 alpha^2 (k_rr - k_rt^2 / k_tt)
  // in addition: 1/2 (1 - 1/2) = 1/4 for (1, 0), and 1/2 1/16 (4 - 4/2) = 1/16 for (0, 2). So (0, 2) is
  // removed, and beta = -1 + 1/4 2/2 = -3/4.
  const auto data = testing::Binary(2, {1, 0, 0, 2, 1, 1, 0, 0}, {1, 1, -1, 1});
  const auto learner =
      testing::MakeFunctions<bpas::Method>("bpas", {{"budget", Count(2)}}, data, Kernel::Linear());
  learner->Step(0);
  learner->Step(1);
  CHECK(Alphas(*learner) == std::vector<double>{1, 0.25});
  const StepOutcome outcome = learner->Step(2);
  CHECK((outcome.loss == 2.5 && outcome.mistake));
  CHECK(MembersOf(*learner) == std::vector<std::uint32_t>{0, 2});
  CHECK(Alphas(*learner) == std::vector<double>{1, -0.75});
  learner->Step(3);  // the zero of the feature space
  CHECK(MembersOf(*learner) == std::vector<std::uint32_t>{0, 2});
  // Rows over 0, 1, 2 and 2 members, and k(x, x) four times. Values of members are cached.
  CHECK(learner->counts().requested == 5 + 4);
}

// 1/2 ||f_r - f||^2 + C max(0, 1 - y f_r(x)) without member r and with beta k(x, .).
struct Objective {
  double f, y, c, alpha, rr, rt, tt;
  double operator()(double beta) const {
    const double change = alpha * alpha * rr - 2 * alpha * beta * rt + beta * beta * tt;
    return change / 2 + c * std::max(0.0, 1 - y * (f - alpha * rt + beta * tt));
  }
};

// Minimum of a convex function, by golden section search.
template <class Function>
double Least(const Function& function, double low, double high) {
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  for (int i = 0; i < 120; ++i) {
    const double a = high - ratio * (high - low), b = low + ratio * (high - low);
    (function(a) < function(b) ? high : low) = function(a) < function(b) ? b : a;
  }
  return (low + high) / 2;
}

TEST_CASE("BPA-S: the removed member and the new coefficient minimise the objective") {
  std::size_t removals = 0, capped = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const auto data = testing::NoisyClouds(150, 0.3, 0.15, seed);
    const Kernel kernel = seed % 2 == 0 ? Kernel::RbfFromGamma(1) : Kernel::Polynomial(2, 1, 0.5);
    const double c = seed % 3 == 0 ? 0.1 : 1;
    const std::size_t budget = 2 + seed;
    const auto learner = testing::MakeFunctions<bpas::Method>(
        "bpas", {{"budget", Count(static_cast<std::int64_t>(budget))}, {"C", c}}, data, kernel);
    for (std::uint32_t i = 0; i < data.size(); ++i) {
      const auto members = MembersOf(*learner);
      const auto alphas = Alphas(*learner);
      const StepOutcome outcome = learner->Step(i);
      if (!outcome.margin_error || members.size() < budget) continue;
      ++removals;
      const double f = outcome.prediction, y = data.label(i), tt = PlainKernel(kernel, data, i, data, i);
      std::size_t best = 0;
      double least = std::numeric_limits<double>::infinity(), beta = 0;
      std::vector<double> objectives;
      for (std::size_t r = 0; r < members.size(); ++r) {
        const Objective objective{f,
                                  y,
                                  c,
                                  alphas[r],
                                  PlainKernel(kernel, data, members[r], data, members[r]),
                                  PlainKernel(kernel, data, members[r], data, i),
                                  tt};
        const double minimiser = Least(objective, -20, 20);
        objectives.push_back(objective(minimiser));
        if (objectives.back() >= least) continue;
        least = objectives.back();
        best = r;
        beta = minimiser;
      }
      const auto left = MembersOf(*learner);
      REQUIRE((left.size() == budget && left.back() == i));
      std::size_t gone = 0;
      while (gone + 1 < budget && left[gone] == members[gone]) ++gone;
      INFO("seed " << seed << ", step " << i);
      CHECK(objectives[gone] <= least + 1e-10);
      if (gone != best) continue;  // equal except for rounding
      CHECK(Alphas(*learner).back() == Approx(beta).margin(1e-6));
      capped += (1 - y * f) / tt > c ? 1 : 0;
    }
  }
  CHECK((removals > 300 && capped > 30 && capped < removals));
}

TEST_CASE("BPA-S within its budget equals passive-aggressive") {
  const auto data = testing::NoisyClouds(200, 0.3, 0.1, 3);
  const Kernel kernel = Kernel::RbfFromGamma(1);
  const auto learner = testing::MakeFunctions<bpas::Method>("bpas", {{"C", 0.5}}, data, kernel);
  const LearnerInfo& info = FindLearner("passive-aggressive");
  const auto other = info.MakeAs<StreamLearner>(ParameterValues::Resolve(info.parameters, {{"C", 0.5}}),
                                                LearnerContext<double>{.train = &data, .kernel = kernel});
  for (std::uint32_t i = 0; i < data.size(); ++i) REQUIRE(learner->Step(i).loss == other->Step(i).loss);
  CHECK(learner->counts().requested == other->counts().requested);
}

}  // namespace
}  // namespace okbench::bpas
