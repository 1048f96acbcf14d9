#include "harness/run/time_left.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/catch.h"

namespace okbench {
namespace {

// Expected seconds for which (expected + overhead)^0.6 is `power`, for a trial without examples.
double ExpectedFor(double power) { return std::pow(power, 1 / 0.6) - 3e-3; }

TEST_CASE("a group has the ratio of its finished trials") {
  TimeLeft left;
  for (int i = 0; i < 3; ++i) left.Add("a", ExpectedFor(10), 0);
  left.Add("b", ExpectedFor(5), 0);
  CHECK(left.Seconds() == Approx(3 * ExpectedFor(10) + ExpectedFor(5)));  // nothing is known
  left.Finish("a", ExpectedFor(10), 0, 30);
  CHECK(left.Predicted("a", ExpectedFor(10), 0) == Approx(30));
  CHECK(left.Seconds() == Approx(2 * 30 + 15));  // b has the ratio of all
  left.Add("b", ExpectedFor(1), 0);
  left.Finish("b", ExpectedFor(1), 0, 0.5);
  CHECK(left.Seconds() == Approx(2 * 30 + 2.5));
  // Of two finished trials, the earlier one has the weight 0.9.
  left.Finish("a", ExpectedFor(10), 0, 10);
  CHECK(left.Predicted("a", ExpectedFor(10), 0) == Approx(10 * (0.9 * 30 + 10) / (0.9 * 10 + 10)));
  left.Finish("a", ExpectedFor(10), 0, 30);
  left.Finish("b", ExpectedFor(5), 0, 2.5);
  CHECK(left.Seconds() == Approx(0).margin(1e-9));
}

TEST_CASE("the time left is right once each group has a finished trial") {
  // Four groups that take 0.2 to 5 times as long as expected, the longest trials first.
  const double ratios[] = {0.2, 1, 2.5, 5};
  const std::string names[] = {"a", "b", "c", "d"};
  TimeLeft left;
  std::vector<std::pair<std::size_t, double>> trials;
  for (std::size_t i = 0; i < 400; ++i) trials.emplace_back(i % 4, 10.0 / (1 + static_cast<double>(i) / 20));
  double truth = 0;
  for (const auto& [group, power] : trials) {
    left.Add(names[group], ExpectedFor(power), 0);
    truth += ratios[group] * power;
  }
  std::size_t done = 0;
  for (const auto& [group, power] : trials) {
    left.Finish(names[group], ExpectedFor(power), 0, ratios[group] * power);
    truth -= ratios[group] * power;
    if (++done >= 4) CHECK(left.Seconds() == Approx(truth).epsilon(1e-6).margin(1e-6));
  }
}

TEST_CASE("examples take time without kernel values") {
  TimeLeft left;
  left.Add("a", 0, 1000000);
  left.Add("a", 0, 0);
  left.Finish("a", 0, 0, std::pow(0.003, 0.6));  // so that the ratio is 1
  CHECK(left.Predicted("a", 0, 1000000) == Approx(std::pow(0.503, 0.6)));
  CHECK(left.Predicted("a", 0, 0) == Approx(std::pow(0.003, 0.6)));
}

}  // namespace
}  // namespace okbench
