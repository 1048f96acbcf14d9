#include "learners/core/math.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "learners/core/random.h"

namespace okbench {
namespace {

double UlpError(double got, double exact) {
  return std::fabs(got - exact) / (std::nextafter(std::fabs(exact), INFINITY) - std::fabs(exact));
}

TEST_CASE("Exp is within 1.5 units in the last place") {
  Random random(1);
  for (int i = 0; i < 200000; ++i) {
    const double x = 1400 * random.Uniform() - 700;
    REQUIRE(UlpError(Exp(x), static_cast<double>(std::exp(static_cast<long double>(x)))) < 1.5);
  }
  CHECK(Exp(0) == 1);
  CHECK(Exp(-709) == 0);
  CHECK(Exp(710) == std::numeric_limits<double>::infinity());
  CHECK(UlpError(Exp(709), static_cast<double>(std::exp(709.0L))) < 1.5);
}

TEST_CASE("Log is within 2.5 units in the last place") {
  Random random(2);
  for (int i = 0; i < 200000; ++i) {
    const double x = Exp(1400 * random.Uniform() - 700);
    REQUIRE(UlpError(Log(x), static_cast<double>(std::log(static_cast<long double>(x)))) < 2.5);
  }
  for (int i = 0; i < 200000; ++i) {
    const double x = 0.5 + random.Uniform();
    REQUIRE(UlpError(Log(x), static_cast<double>(std::log(static_cast<long double>(x)))) < 2.5);
  }
  CHECK(Log(1) == 0);
}

TEST_CASE("LogOnePlusExp does not overflow") {
  CHECK(LogOnePlusExp(800) == 800);
  CHECK(LogOnePlusExp(-800) == 0);
  CHECK(LogOnePlusExp(0) == Approx(std::log(2.0)).epsilon(1e-15));
  for (double x = -50; x < 50; x += 0.37)
    CHECK(LogOnePlusExp(x) == Approx(std::log1p(std::exp(x))).epsilon(1e-13));
}

}  // namespace
}  // namespace okbench
