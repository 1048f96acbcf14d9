// Nystroem online gradient descent (NOGD).

#include "learners/methods/nogd/nogd.h"

#include <cmath>

#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench::nogd {
namespace {

using nogd::Nogd;

TEST_CASE("NOGD: three steps by hand", "[nogd]") {
  // <x, x'>, eta = 1/2, B = 2, r = 1. x_1 = (2, 0), y = +1; x_2 = (0, 1), y = -1: f = 0 at both, so that both
  // are members, alpha = (1/2, -1/2). K = (4 0; 0 1): D = 4, V = (1, 0)', z(x) = k(x_1, x) / 2; w = 2 alpha_1
  // = 1, alpha = (1/2, 0). x_3 = (1/2, 3), y = +1: z = 1/2, f = 1/2, w = 1 + 1/4: alpha_1 = w / 2 = 5/8.
  // Starting at 0, f = 0, w = 1/4, alpha_1 = 1/8.
  const auto data = Examples<double>::Dense(2, {2, 0, 0, 1, 0.5, 3}, {1, -1, 1}, LabelKind::kBinary, 2);
  const LearnerContext<double> context{.train = &data, .test = &data, .kernel = Kernel::Linear()};
  for (const bool zero : {false, true}) {
    nogd::Options options;
    options.budget = 2;
    options.rank = 0.5;
    options.zero = zero;
    Nogd<double> learner(options, context);
    const auto alpha = [&](std::size_t place) {
      return learner.set().alpha(0, learner.set().members(0)[place]);
    };
    CHECK(learner.Step(0).loss == 1);
    CHECK(alpha(0) == 0.5);
    CHECK(learner.method(0).map().coordinates == 0);
    CHECK(learner.Step(1).loss == 1);
    CHECK(learner.method(0).map().coordinates == 1);
    CHECK(alpha(0) == Approx(zero ? 0 : 0.5).margin(1e-15));
    CHECK(alpha(1) == Approx(0).margin(1e-15));
    CHECK(learner.feature_evaluations() == 0);
    CHECK(learner.Step(2).loss == Approx(zero ? 1 : 0.5).epsilon(1e-14));
    CHECK(alpha(0) == Approx(zero ? 0.125 : 0.625).epsilon(1e-14));
    CHECK(learner.support_vectors() == 2);
    CHECK(learner.feature_evaluations() == 1);
    // k(x_2, x_1), two values for x_3, and k(x, x) of both members.
    CHECK(learner.counts().requested == 5);
  }
}

TEST_CASE("NOGD: with full rank, inner products of features equal the kernel between members", "[nogd]") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    constexpr std::size_t kMembers = 37;
    const auto rows = testing::RandomDense<double>(kMembers, 4, LabelKind::kBinary, 2, seed);
    const Kernel kernel = Kernel::RbfFromGamma(0.8);
    std::vector<double> matrix(kMembers * kMembers);
    for (std::size_t i = 0; i < kMembers; ++i)
      for (std::size_t j = 0; j < kMembers; ++j)
        matrix[i * kMembers + j] = testing::PlainKernel<double>(kernel, rows, i, rows, j);
    const KernelMap map = nogd::NystroemMap(matrix, kMembers, kMembers);
    REQUIRE(map.coordinates == kMembers);
    std::vector<std::vector<double>> z(kMembers, std::vector<double>(kMembers, 0.0));
    for (std::size_t i = 0; i < kMembers; ++i)
      for (std::size_t c = 0; c < kMembers; ++c)
        for (std::size_t j = 0; j < kMembers; ++j)
          z[i][c] += map.columns[c * map.stride + j] * matrix[j * kMembers + i];
    double largest = 0;
    for (std::size_t i = 0; i < kMembers; ++i)
      for (std::size_t j = 0; j < kMembers; ++j) {
        double product = 0;
        for (std::size_t c = 0; c < kMembers; ++c) product += z[i][c] * z[j][c];
        largest = std::max(largest, std::fabs(product - matrix[i * kMembers + j]));
      }
    CHECK(largest < 1e-11);
  }
}

TEST_CASE("NOGD: repeated members add no coordinates", "[nogd]") {
  const std::vector<double> ones(9, 1.0);
  CHECK(nogd::NystroemMap(ones, 3, 3).coordinates == 1);
  const std::vector<double> zeros(9, 0.0);
  CHECK(nogd::NystroemMap(zeros, 3, 3).coordinates == 0);
  const std::vector<double> far = {1, 0, 0, 0, 1e-6, 0, 0, 0, 1e-8};
  CHECK(nogd::NystroemMap(far, 3, 3).coordinates == 2);
}

TEST_CASE("NOGD: the rank is a fraction of the budget", "[nogd]") {
  const auto rank = [](std::size_t budget, double share) {
    nogd::Options options;
    options.budget = budget;
    options.rank = share;
    return nogd::RankOf(options);
  };
  CHECK(rank(1000, 0.2) == 200);
  CHECK(rank(1, 0.2) == 1);
  CHECK(rank(7, 0.5) == 4);
  CHECK(rank(7, 1) == 7);
}

}  // namespace
}  // namespace okbench::nogd
