// QKLMS: three steps by hand, the plain loop, and kafbox's error on the Lorenz series.

#include "learners/methods/qklms/qklms.h"

#include "tests/catch.h"
#include "tests/learners/filters.h"

namespace okbench::qklms {
namespace {

using Qklms = OneVsRest<double, qklms::Method>;
using qklms::Options;
using testing::FilterContext;

TEST_CASE("QKLMS: three steps by hand") {
  // k = exp(-(x - x')^2), eta = 1/2, epsilon = 1/2. x = 0, y = 2: a center with alpha 1. x = 0.1, y = 1 is
  // near: f = exp(-0.01), alpha = 1 + (1 - f) / 2. x = 3 is far: a center with (y - f) / 2.
  const auto rows = testing::Pairs({0, 0.1, 3}, {2, 1, -1});
  Qklms learner(Options{.eta = 0.5, .epsilon = 0.5}, FilterContext(rows, Kernel::RbfFromGamma(1)));
  CHECK(learner.Step(0).loss == 2);
  CHECK(learner.Step(1).prediction == Approx(std::exp(-0.01)));
  const double alpha = 1 + (1 - std::exp(-0.01)) / 2;
  CHECK(learner.set().alpha(0, 0) == Approx(alpha));
  const double f = alpha * std::exp(-9);
  CHECK(learner.Step(2).prediction == Approx(f));
  CHECK(learner.support_vectors() == 2);
  CHECK(learner.set().alpha(0, 1) == Approx((-1 - f) / 2));
  CHECK(learner.counts().requested == 0 + 1 + 1);
}

TEST_CASE("QKLMS equals the loop over distances of its paper, with and without a budget") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const auto rows = testing::RandomDense<double>(200, 3, LabelKind::kReal, 2, seed);
    const Options options{
        .eta = 0.4, .epsilon = 0.8, .budget = seed % 2 == 0 ? 12U : 0U, .ignore = seed % 4 == 0};
    Qklms learner(options, FilterContext(rows, Kernel::RbfFromGamma(0.3)));
    std::vector<std::uint32_t> centers;
    std::vector<double> alpha;
    const auto squared = [&](std::uint32_t i, std::uint32_t j) {
      double sum = 0;
      for (std::size_t f = 0; f < 3; ++f) sum += std::pow(rows.row(i).values[f] - rows.row(j).values[f], 2);
      return sum;
    };
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      double f = 0;
      std::size_t nearest = 0;
      for (std::size_t j = 0; j < centers.size(); ++j) {
        f += alpha[j] * std::exp(-0.3 * squared(i, centers[j]));
        if (squared(i, centers[j]) < squared(i, centers[nearest])) nearest = j;
      }
      CHECK(learner.Step(i).prediction == Approx(f).margin(1e-10));
      const double step = 0.4 * (rows.target(i) - f);
      const bool full = options.budget > 0 && centers.size() == options.budget;
      const bool near = !centers.empty() && squared(i, centers[nearest]) <= 0.64;
      if (near || (full && !options.ignore)) {
        alpha[nearest] += step;
      } else if (!full) {
        centers.push_back(i);
        alpha.push_back(step);
      }
    }
    CHECK(learner.support_vectors() == centers.size());
  }
}

TEST_CASE("QKLMS on the Lorenz series: kafbox prints -10.73 dB") {
  const auto rows = testing::LorenzRows();
  Qklms learner(Options{.eta = 0.6, .epsilon = 2}, FilterContext(rows, testing::kLorenzKernel));
  CHECK(testing::Decibel(learner, rows) == Approx(-10.73).margin(0.5));
}

TEST_CASE("QKLMS measures distances in feature space for other kernels, by hand") {
  // k = x x': ||x - s|| as for inputs. x = 1 and 1.2 are within 1/2, 3 is not. eta = 1/2, y = 1: alpha = 1/2,
  // then f = 0.6, alpha = 0.7; f(3) = 2.1, a center with -0.55.
  const auto rows = testing::Pairs({1, 1.2, 3}, {1, 1, 1});
  Qklms learner(Options{.eta = 0.5, .epsilon = 0.5}, FilterContext(rows, Kernel::Linear()));
  for (std::uint32_t i = 0; i < 3; ++i) learner.Step(i);
  CHECK(learner.set().alpha(0, 0) == Approx(0.7));
  CHECK(learner.set().alpha(0, 1) == Approx(-0.55));
  CHECK(learner.counts().requested == 0 + 1 + 1 + 3);  // and k(x, x) in each step
}

}  // namespace
}  // namespace okbench::qklms
