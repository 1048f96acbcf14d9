#include "harness/store/statistics.h"

#include <cmath>

#include "learners/core/error.h"
#include "tests/catch.h"

namespace okbench {
namespace {

TEST_CASE("paired t test by hand") {
  // Mean 2, standard deviation 1, standard error 1/sqrt(3): t = 3.4641 with 2 degrees of freedom, for which p
  // = 1 - t / sqrt(t^2 + 2) = 0.0742 in closed form. The 97.5 % quantile is 4.3027.
  const PairedTest test = TestDifferences(std::vector{1.0, 2.0, 3.0});
  CHECK((test.n == 3 && test.mean == 2 && test.effect == 2));
  CHECK(test.p == Approx(1 - std::sqrt(12.0) / std::sqrt(14.0)).epsilon(1e-12));
  CHECK(test.low == Approx(2 - 4.302652729911 / std::sqrt(3.0)).epsilon(1e-8));
  CHECK(test.high == Approx(2 + 4.302652729911 / std::sqrt(3.0)).epsilon(1e-8));
  const PairedTest reversed = TestDifferences(std::vector{-1.0, -2.0, -3.0});
  CHECK((reversed.p == test.p && reversed.effect == -2 && reversed.low == -test.high));
}

TEST_CASE("paired tests of one difference, of equal differences and of none") {
  CHECK(TestDifferences(std::vector{0.5}).p == 1);
  CHECK(TestDifferences(std::vector{0.0, 0.0}).p == 1);
  const PairedTest shifted = TestDifferences(std::vector{0.25, 0.25, 0.25});
  CHECK((shifted.p == 0 && std::isinf(shifted.effect) && shifted.low == 0.25 && shifted.high == 0.25));
  CHECK_THROWS_AS(TestDifferences({}), InvalidArgument);
}

TEST_CASE("Holm's adjustment of p-values by hand") {
  CHECK(AdjustHolm(std::vector{0.01, 0.04, 0.03})[0] == Approx(0.03));
  CHECK(AdjustHolm(std::vector{0.01, 0.04, 0.03})[1] == Approx(0.06));
  CHECK(AdjustHolm(std::vector{0.01, 0.04, 0.03})[2] == Approx(0.06));
  CHECK(AdjustHolm(std::vector{0.9, 0.8}) == std::vector{1.0, 1.0});
  CHECK(AdjustHolm({}).empty());
}

}  // namespace
}  // namespace okbench
