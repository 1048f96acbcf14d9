// KAP: two steps by hand, KNLMS as its case p = 1, the plain recursion, and kafbox's error on the Lorenz
// series.

#include "learners/methods/kap/kap.h"

#include <Eigen/Cholesky>

#include "learners/methods/knlms/knlms.h"
#include "tests/catch.h"
#include "tests/learners/filters.h"

namespace okbench::kap {
namespace {

using Kap = OneVsRest<double, kap::Method>;
using kap::Options;
using testing::FilterContext;

TEST_CASE("KAP: two steps by hand") {
  // k = x x', p = 2, eta = 1/2, epsilon = 1. x = 1, y = 2 joins: H = [1], alpha = 1/2 1/(1 + 1) 2 = 1/2.
  // x = 2, y = 1 has coherence 1 and stays out: H = [1; 2], y - H alpha = [3/2; 0], I + H H' = [2 2; 2 5],
  // its inverse is 1/6 [5 -2; -2 2], so the solution is [5/4; -1/2] and alpha += 1/2 (5/4 - 1) = 1/8.
  const auto rows = testing::Pairs({1, 2}, {2, 1});
  Kap learner(Options{.mu0 = 0.9, .eta = 0.5, .epsilon = 1, .memory = 2},
              FilterContext(rows, Kernel::Linear()));
  learner.Step(0);
  CHECK(learner.set().alpha(0, 0) == Approx(0.5));
  CHECK(learner.Step(1).prediction == Approx(1));
  CHECK(learner.set().alpha(0, 0) == Approx(0.625));
  CHECK(learner.support_vectors() == 1);
  CHECK(learner.counts().requested == 1 + 2);
}

TEST_CASE("KAP with memory 1 is KNLMS") {
  const auto rows = testing::RandomDense<double>(150, 3, LabelKind::kReal, 2, 5);
  const Kernel kernel = Kernel::RbfFromGamma(0.3);
  Kap kap(Options{.mu0 = 0.7, .eta = 0.3, .epsilon = 0.1, .memory = 1}, FilterContext(rows, kernel));
  OneVsRest<double, knlms::Method> knlms(knlms::Options{.mu0 = 0.7, .eta = 0.3, .epsilon = 0.1},
                                         FilterContext(rows, kernel));
  for (std::uint32_t i = 0; i < rows.size(); ++i)
    REQUIRE(kap.Step(i).prediction == Approx(knlms.Step(i).prediction).margin(1e-12));
  CHECK(kap.counts().requested == knlms.counts().requested);
}

TEST_CASE("KAP equals the recursion of its paper") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const auto rows = testing::RandomDense<double>(120, 3, LabelKind::kReal, 2, seed);
    const Kernel kernel = seed % 2 == 0 ? Kernel::RbfFromGamma(0.3) : Kernel::Polynomial(2, 1, 1);
    const Options options{.mu0 = 0.7, .eta = 0.8, .epsilon = 0.01, .memory = 5};
    Kap learner(options, FilterContext(rows, kernel));
    std::vector<std::uint32_t> members;
    Eigen::VectorXd alpha(0);
    const auto k = [&](std::uint32_t i, std::uint32_t j) {
      return testing::PlainKernel(kernel, rows, i, rows, j);
    };
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      double coherence = 0, prediction = 0;
      for (std::size_t j = 0; j < members.size(); ++j) {
        const double value = k(i, members[j]);
        coherence = std::max(coherence, std::fabs(value) / std::sqrt(k(i, i) * k(members[j], members[j])));
        prediction += alpha[static_cast<Eigen::Index>(j)] * value;
      }
      REQUIRE(learner.Step(i).prediction == Approx(prediction).margin(1e-7));
      if (coherence <= options.mu0) {
        members.push_back(i);
        alpha.conservativeResize(alpha.size() + 1);
        alpha[alpha.size() - 1] = 0;
      }
      const std::uint32_t first = i < 4 ? 0 : i - 4;
      Eigen::MatrixXd h(i - first + 1, alpha.size());
      Eigen::VectorXd y(i - first + 1);
      for (std::uint32_t r = first; r <= i; ++r) {
        y[r - first] = rows.target(r);
        for (std::size_t j = 0; j < members.size(); ++j)
          h(r - first, static_cast<Eigen::Index>(j)) = k(r, members[j]);
      }
      Eigen::MatrixXd system = h * h.transpose();
      system.diagonal().array() += options.epsilon;
      alpha += options.eta * h.transpose() * system.ldlt().solve(y - h * alpha);
    }
    CHECK(learner.support_vectors() == members.size());
    CHECK(members.size() > 5);
  }
}

TEST_CASE("KAP on the Lorenz series: kafbox prints -40.40 dB") {
  const auto rows = testing::LorenzRows();
  Kap learner(Options{.mu0 = 0.995, .eta = 0.95, .epsilon = 1e-6, .memory = 8},
              FilterContext(rows, testing::kLorenzKernel));
  CHECK(testing::Decibel(learner, rows) == Approx(-40.40).margin(0.5));
}

}  // namespace
}  // namespace okbench::kap
