// KNLMS: two steps by hand, the plain recursion, and kafbox's error on the Lorenz series.

#include "learners/methods/knlms/knlms.h"

#include "tests/catch.h"
#include "tests/learners/filters.h"

namespace okbench::knlms {
namespace {

using Knlms = OneVsRest<double, knlms::Method>;
using knlms::Options;
using testing::FilterContext;

TEST_CASE("KNLMS: two steps by hand") {
  // k = x x', eta = 1/2, epsilon = 16. x = 2, y = 2 joins an empty dictionary: h = 4, alpha = 1/2 / (16 + 16)
  // 2 4 = 1/8. x = 1, y = 4: coherence 2 / (1 2) = 1, so it does not join; f = 1/4, h = 2, alpha += 1/2 / (16
  // + 4) 15/4 2 = 3/16.
  const auto rows = testing::Pairs({2, 1}, {2, 4});
  Knlms learner(Options{.mu0 = 0.9, .eta = 0.5, .epsilon = 16}, FilterContext(rows, Kernel::Linear()));
  learner.Step(0);
  CHECK(learner.set().alpha(0, 0) == 0.125);
  CHECK(learner.Step(1).prediction == 0.25);
  CHECK(learner.set().alpha(0, 0) == Approx(0.125 + 0.1875));
  CHECK(learner.support_vectors() == 1);
  CHECK(learner.counts().requested == 1 + 2);
  Knlms full(Options{.mu0 = 1, .budget = 1}, FilterContext(rows, Kernel::Linear()));
  for (std::uint32_t i = 0; i < 2; ++i) full.Step(i);
  CHECK(full.support_vectors() == 1);
  CHECK(full.counts().requested == 1 + 1);  // a full dictionary needs no k(x, x)
}

TEST_CASE("KNLMS equals the recursion of its paper for kernels of any norm") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const auto rows = testing::RandomDense<double>(120, 3, LabelKind::kReal, 2, seed);
    const Kernel kernel = seed % 2 == 0 ? Kernel::RbfFromGamma(0.3) : Kernel::Polynomial(2, 1, 1);
    const Options options{.mu0 = 0.7, .eta = 0.8, .epsilon = 0.01};
    Knlms learner(options, FilterContext(rows, kernel));
    std::vector<std::uint32_t> members;
    std::vector<double> alpha;
    const auto k = [&](std::uint32_t i, std::uint32_t j) {
      return testing::PlainKernel(kernel, rows, i, rows, j);
    };
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      double coherence = 0;
      for (const std::uint32_t s : members)
        coherence = std::max(coherence, std::fabs(k(i, s)) / std::sqrt(k(i, i) * k(s, s)));
      double f = 0;
      for (std::size_t j = 0; j < members.size(); ++j) f += alpha[j] * k(i, members[j]);
      REQUIRE(learner.Step(i).prediction == Approx(f).margin(1e-9));
      if (coherence <= 0.7) {
        members.push_back(i);
        alpha.push_back(0);
      }
      double norm = 0;
      for (const std::uint32_t s : members) norm += k(i, s) * k(i, s);
      for (std::size_t j = 0; j < members.size(); ++j)
        alpha[j] += 0.8 / (0.01 + norm) * (rows.target(i) - f) * k(i, members[j]);
    }
    CHECK(learner.support_vectors() == members.size());
    CHECK(members.size() > 5);
  }
}

TEST_CASE("KNLMS on the Lorenz series: kafbox prints -1.32 dB") {
  const auto rows = testing::LorenzRows();
  Knlms learner(Options{}, FilterContext(rows, testing::kLorenzKernel));
  CHECK(testing::Decibel(learner, rows) == Approx(-1.32).margin(0.5));
}

}  // namespace
}  // namespace okbench::knlms
