#include "learners/core/math.h"

#include <cmath>
#include <limits>
#include <vector>

#include "learners/core/random.h"
#include "tests/catch.h"

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

TEST_CASE("Sin and Cos are within 2.5 units in the last place") {
  Random random(3);
  for (const double range : {1.0, 10.0, 1e3, 1e5, 1e6})
    for (int i = 0; i < 100000; ++i) {
      const double x = range * (2 * random.Uniform() - 1);
      REQUIRE(UlpError(Sin(x), static_cast<double>(std::sin(static_cast<long double>(x)))) < 2.5);
      REQUIRE(UlpError(Cos(x), static_cast<double>(std::cos(static_cast<long double>(x)))) < 2.5);
    }
  // Near multiples of pi/2, where nearly all of x cancels.
  for (int n = -600000; n <= 600000; n += 77) {
    const double x = n * std::acos(0.0);
    REQUIRE(UlpError(Sin(x), static_cast<double>(std::sin(static_cast<long double>(x)))) < 2.5);
    REQUIRE(UlpError(Cos(x), static_cast<double>(std::cos(static_cast<long double>(x)))) < 2.5);
  }
  CHECK(Sin(0) == 0);
  CHECK(Cos(0) == 1);
  for (const double x : {1e7, -1e9, 3e12})
    CHECK(std::fabs(Cos(x) - std::cos(x)) < 1e-15 + 4e-17 * std::fabs(x));
  CHECK(std::isnan(Sin(std::numeric_limits<double>::infinity())));
  CHECK(std::isnan(Cos(std::numeric_limits<double>::quiet_NaN())));
}

TEST_CASE("SinCos of an array gives the same bits as one angle at a time") {
  Random random(4);
  for (const double range : {3.0, 1e8}) {
    std::vector<double> x(101), sin(101), cos(101);
    for (double& angle : x) angle = range * random.Normal();
    SinCos(x, sin.data(), cos.data());
    for (std::size_t i = 0; i < x.size(); ++i) {
      REQUIRE(sin[i] == Sin(x[i]));
      REQUIRE(cos[i] == Cos(x[i]));
    }
  }
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
