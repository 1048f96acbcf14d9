#include "harness/store/statistics.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <numeric>

#include "learners/core/error.h"

namespace okbench {

PairedTest TestDifferences(std::span<const double> differences) {
  if (differences.empty()) throw InvalidArgument("there are no differences to test");
  PairedTest test;
  test.n = differences.size();
  const auto n = static_cast<double>(test.n);
  test.mean = std::accumulate(differences.begin(), differences.end(), 0.0) / n;
  test.low = test.high = test.mean;
  if (test.n < 2) return test;
  double squares = 0;
  for (const double d : differences) squares += (d - test.mean) * (d - test.mean);
  const double deviation = std::sqrt(squares / (n - 1));
  if (deviation == 0) {
    if (test.mean == 0) return test;
    test.effect = std::copysign(std::numeric_limits<double>::infinity(), test.mean);
    test.p = 0;
    return test;
  }
  const boost::math::students_t t(n - 1);
  const double error = deviation / std::sqrt(n);
  const double reach = boost::math::quantile(t, 0.975) * error;
  test.low = test.mean - reach;
  test.high = test.mean + reach;
  test.effect = test.mean / deviation;
  test.p = 2 * boost::math::cdf(boost::math::complement(t, std::fabs(test.mean) / error));
  return test;
}

std::vector<double> AdjustHolm(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<double> adjusted(p.size());
  double highest = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const double scaled = std::min(1.0, p[order[rank]] * static_cast<double>(p.size() - rank));
    highest = std::max(highest, scaled);
    adjusted[order[rank]] = highest;
  }
  return adjusted;
}

}  // namespace okbench
