// Cholesky factor of a growing and shrinking kernel matrix: a case by hand, comparison with a direct
// factorisation over many seeds, and the conditions under which it rejects a vector.

#include "learners/solvers/gram_factor.h"

#include <Eigen/Cholesky>

#include "base/error.h"
#include "learners/core/eigen.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd Mapped(const std::vector<double>& v) {
  return Eigen::Map<const VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
}

// Points with kernel values rounded to T, as from an engine, and their incrementally updated factor.
template <class T>
struct Followed {
  explicit Followed(std::uint64_t seed) : random(seed) {}

  double Kernel(const VectorXd& a, const VectorXd& b) const {
    return static_cast<T>(std::exp(-0.3 * (a - b).squaredNorm()));
  }
  VectorXd Row(const VectorXd& x) const {
    VectorXd k(static_cast<Eigen::Index>(points.size()));
    for (std::size_t j = 0; j < points.size(); ++j) k[static_cast<Eigen::Index>(j)] = Kernel(points[j], x);
    return k;
  }
  MatrixXd Gram() const {
    MatrixXd gram(points.size(), points.size());
    for (std::size_t j = 0; j < points.size(); ++j) gram.col(static_cast<Eigen::Index>(j)) = Row(points[j]);
    return gram;
  }
  bool Grow(const VectorXd& x) {
    const VectorXd k = Row(x);
    const std::vector<double> row(k.begin(), k.end());
    std::vector<double> d;
    factor.Solve(row, d);
    const double self = Kernel(x, x), squared = factor.SquaredDistance(self);
    if (!points.empty()) {
      const VectorXd direct = Gram().ldlt().solve(k);
      CHECK((Gram() * Mapped(d) - k).norm() <= 1e-13 * (1 + direct.norm()));
      CHECK(squared ==
            Approx(std::max(0.0, self - k.dot(direct))).margin(1e-14 * (1 + direct.squaredNorm())));
    }
    if (!factor.Grow(d, self, kGramTolerance<T>)) return false;
    points.push_back(x);
    return true;
  }

  MatrixXd Factor() const {
    MatrixXd l = MatrixXd::Zero(points.size(), points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j)
        l(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = factor(i, j);
    return l;
  }
  // Largest difference between K and L L', relative to the largest kernel value.
  double Error() const { return (Factor() * Factor().transpose() - Gram()).cwiseAbs().maxCoeff(); }

  Random random;
  GramFactor factor;
  std::vector<VectorXd> points;
};

template <class T>
void RequireFollows(std::uint64_t seed, std::size_t features) {
  Followed<T> followed(seed);
  for (int step = 0; step < 150; ++step) {
    const std::size_t n = followed.points.size();
    if (n > 0 && followed.random.Below(3) == 0) {
      const auto p = static_cast<std::size_t>(followed.random.Below(n));
      const VectorXd removed = followed.points[p];
      std::vector<double> projection;
      followed.factor.Remove(p, projection);
      followed.points.erase(followed.points.begin() + static_cast<std::ptrdiff_t>(p));
      REQUIRE(projection.size() == n - 1);
      if (n == 1) continue;
      const VectorXd lost = followed.Gram() * Mapped(projection) - followed.Row(removed);
      REQUIRE(lost.norm() <= 1e-12 * (1 + Mapped(projection).norm()));
    } else {
      followed.Grow(VectorXd::NullaryExpr(static_cast<Eigen::Index>(features),
                                          [&] { return followed.random.Normal(); }));
    }
    REQUIRE(followed.factor.size() == followed.points.size());
    if (!followed.points.empty()) REQUIRE(followed.Error() <= 1e-14);
  }
}

TEST_CASE("Gram factor: growth and removal by hand", "[solvers]") {
  // K = [4], then [4 2; 2 2]: l = 2/2, delta^2 = 2 - 1, L = [2 0; 1 1], d = 2/4. Without the first vector
  // K = [2] and L = sqrt(1 + 1). Its projection onto the second has the coordinate k_12 / k_22 = 1.
  GramFactor factor;
  std::vector<double> d;
  factor.Solve({}, d);
  REQUIRE(factor.Grow(d, 4, kGramTolerance<double>));
  factor.Solve(std::vector<double>{2}, d);
  CHECK(d == std::vector<double>{0.5});
  CHECK(factor.SquaredDistance(2) == 1);
  REQUIRE(factor.Grow(d, 2, kGramTolerance<double>));
  CHECK(factor(0, 0) == 2);
  CHECK(factor(1, 0) == 1);
  CHECK(factor(1, 1) == 1);
  factor.Remove(0, d);
  CHECK(d == std::vector<double>{1});
  REQUIRE(factor.size() == 1);
  CHECK(factor(0, 0) == std::sqrt(2.0));
}

TEST_CASE("Gram factor: growth and removal in any order factor the kernel matrix", "[solvers]") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    RequireFollows<double>(seed, 4);
    RequireFollows<double>(seed, 2);  // few dimensions: some vectors are rejected
    RequireFollows<float>(seed, 4);
    RequireFollows<float>(seed, 2);
  }
}

TEST_CASE("Gram factor: vectors almost in the span are rejected without changes", "[solvers]") {
  Followed<float> followed(7);
  for (int i = 0; i < 20; ++i)
    followed.Grow(VectorXd::NullaryExpr(3, [&] { return followed.random.Normal(); }));
  const MatrixXd before = followed.Factor();
  CHECK_FALSE(followed.Grow(followed.points[3]));
  CHECK_FALSE(followed.Grow(followed.points[5] + VectorXd::Constant(3, 1e-4)));
  CHECK(followed.Factor() == before);
  // The zero of the feature space is rejected too.
  GramFactor empty;
  std::vector<double> d;
  empty.Solve({}, d);
  CHECK_FALSE(empty.Grow(d, 0, kGramTolerance<float>));
}

TEST_CASE("Gram factor: thousands of growths and removals do not drift", "[solvers]") {
  Followed<float> followed(8);
  std::vector<double> projection;
  for (int step = 0; step < 4000; ++step) {
    const VectorXd x = VectorXd::NullaryExpr(2, [&] { return followed.random.Normal(); });
    const VectorXd k = followed.Row(x);
    const std::vector<double> row(k.begin(), k.end());
    std::vector<double> d;
    followed.factor.Solve(row, d);
    const double self = followed.Kernel(x, x);
    if (followed.factor.Grow(d, self, kGramTolerance<float>)) followed.points.push_back(x);
    if (followed.points.size() <= 25) continue;
    const auto p = static_cast<std::size_t>(followed.random.Below(26));
    followed.factor.Remove(p, projection);
    followed.points.erase(followed.points.begin() + static_cast<std::ptrdiff_t>(p));
  }
  CHECK(followed.Error() <= 1e-14);
}

TEST_CASE("Gram factor: tolerances down to 1e-12 keep the distance from the span", "[solvers]") {
  // Points on a line, closer and closer: the distance is known to the precision of the kernel values.
  Followed<double> followed(9);
  std::vector<double> d;
  double smallest = 1;
  for (const double step : {1e-1, 1e-2, 1e-3, 1e-4}) {
    const VectorXd x = VectorXd::Constant(1, step);
    const VectorXd k = followed.Row(x);
    followed.factor.Solve(std::vector<double>(k.begin(), k.end()), d);
    if (!followed.points.empty()) {
      const MatrixXd gram = followed.Gram();
      const double direct = 1 - k.dot(gram.ldlt().solve(k));
      CHECK(followed.factor.SquaredDistance(1) == Approx(direct).margin(1e-15));
      smallest = std::min(smallest, direct);
    }
    if (followed.Grow(x)) CHECK(followed.Error() <= 1e-15);
  }
  CHECK(smallest < 1e-8);
  CHECK(followed.points.size() >= 3);
}

TEST_CASE("Gram factor: a saved factor continues with the same bits", "[solvers]") {
  Followed<double> followed(5);
  for (int i = 0; i < 30; ++i)
    followed.Grow(VectorXd::NullaryExpr(5, [&] { return followed.random.Normal(); }));
  Archive written;
  followed.factor.Serialize(written);
  Archive read(written.bytes());
  GramFactor other;
  other.Serialize(read);
  read.Finish();
  const std::vector<double> k(followed.factor.size(), 0.25);
  std::vector<double> a, b;
  followed.factor.Solve(k, a);
  other.Solve(k, b);
  CHECK(a == b);
  Archive cut(written.bytes().substr(0, written.bytes().size() / 2));
  CHECK_THROWS_AS(other.Serialize(cut), InvalidArgument);
}

}  // namespace
}  // namespace okbench
