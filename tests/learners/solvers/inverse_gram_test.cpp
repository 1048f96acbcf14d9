// Inverse of a growing and shrinking kernel matrix: a case by hand, comparison with a direct inverse over
// many seeds, and the conditions under which it rejects a vector.

#include "learners/solvers/inverse_gram.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <catch2/catch.hpp>

#include "learners/core/eigen.h"
#include "learners/core/error.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd Mapped(const std::vector<double>& v) {
  return Eigen::Map<const VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
}

// Points with kernel values rounded to T, as from an engine, and their incrementally updated inverse.
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
    inverse.Solve(row, d);
    const double self = Kernel(x, x), squared = InverseGram::SquaredDistance(row, d, self);
    if (!points.empty()) {
      const VectorXd direct = Gram().ldlt().solve(k);
      CHECK((Gram() * Mapped(d) - k).norm() <= 1e-8 * (1 + direct.norm()));
      CHECK(squared == Approx(std::max(0.0, self - k.dot(direct))).margin(1e-9));
    }
    if (!inverse.Grow(d, squared, self)) return false;
    points.push_back(x);
    return true;
  }

  Random random;
  InverseGram inverse;
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
      followed.inverse.Remove(p, projection);
      followed.points.erase(followed.points.begin() + static_cast<std::ptrdiff_t>(p));
      REQUIRE(projection.size() == n - 1);
      if (n == 1) continue;
      const VectorXd lost = followed.Gram() * Mapped(projection) - followed.Row(removed);
      REQUIRE(lost.norm() <= 1e-8 * (1 + Mapped(projection).norm()));
    } else {
      followed.Grow(VectorXd::NullaryExpr(static_cast<Eigen::Index>(features),
                                          [&] { return followed.random.Normal(); }));
    }
    const auto size = static_cast<Eigen::Index>(followed.points.size());
    REQUIRE(followed.inverse.size() == followed.points.size());
    MatrixXd held(size, size);
    for (Eigen::Index i = 0; i < size; ++i)
      for (Eigen::Index j = 0; j < size; ++j)
        held(i, j) = followed.inverse(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
    const MatrixXd gram = followed.Gram();
    if (size == 0) continue;
    const MatrixXd direct = gram.inverse();
    REQUIRE((held - direct).cwiseAbs().maxCoeff() <= 1e-5 * (1 + direct.cwiseAbs().maxCoeff()));
  }
}

TEST_CASE("inverse Gram matrix: growth and removal by hand", "[solvers]") {
  // K = [2], then [2 1; 1 1]: d = 1/2, delta^2 = 1 - 1/2, K^-1 = [1/2 + 1/2, -1; -1, 2]. Without the first
  // vector K = [1]. Its projection onto the second has the coordinate k_12 / k_22 = 1.
  InverseGram inverse;
  std::vector<double> d;
  inverse.Solve({}, d);
  REQUIRE(inverse.Grow(d, 2, 2));
  const std::vector<double> k = {1};
  inverse.Solve(k, d);
  CHECK(d == std::vector<double>{0.5});
  CHECK(InverseGram::SquaredDistance(k, d, 1) == 0.5);
  REQUIRE(inverse.Grow(d, 0.5, 1));
  CHECK(inverse(0, 0) == 1);
  CHECK(inverse(0, 1) == -1);
  CHECK(inverse(1, 0) == -1);
  CHECK(inverse(1, 1) == 2);
  inverse.Remove(0, d);
  CHECK(d == std::vector<double>{1});
  REQUIRE(inverse.size() == 1);
  CHECK(inverse(0, 0) == 1);
}

TEST_CASE("inverse Gram matrix: growth and removal in any order equal the direct inverse", "[solvers]") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    RequireFollows<double>(seed, 4);
    RequireFollows<double>(seed, 2);  // few dimensions: some vectors are rejected
    RequireFollows<float>(seed, 4);
    RequireFollows<float>(seed, 2);
  }
}

TEST_CASE("inverse Gram matrix: vectors almost in the span are rejected without changes", "[solvers]") {
  Followed<float> followed(7);
  for (int i = 0; i < 20; ++i)
    followed.Grow(VectorXd::NullaryExpr(3, [&] { return followed.random.Normal(); }));
  const std::size_t size = followed.points.size();
  const double entry = followed.inverse(3, 3);
  CHECK_FALSE(followed.Grow(followed.points[3]));
  CHECK_FALSE(followed.Grow(followed.points[5] + VectorXd::Constant(3, 1e-4)));
  CHECK(followed.inverse.size() == size);
  CHECK(followed.inverse(3, 3) == entry);
  // The zero of the feature space is rejected too.
  InverseGram empty;
  CHECK_FALSE(empty.Grow({}, 0, 0));
}

TEST_CASE("inverse Gram matrix: thousands of growths and removals do not drift", "[solvers]") {
  Followed<float> followed(8);
  std::vector<double> projection;
  for (int step = 0; step < 4000; ++step) {
    const VectorXd x = VectorXd::NullaryExpr(2, [&] { return followed.random.Normal(); });
    const VectorXd k = followed.Row(x);
    const std::vector<double> row(k.begin(), k.end());
    std::vector<double> d;
    followed.inverse.Solve(row, d);
    const double self = followed.Kernel(x, x);
    if (followed.inverse.Grow(d, InverseGram::SquaredDistance(row, d, self), self))
      followed.points.push_back(x);
    if (followed.points.size() <= 25) continue;
    const auto p = static_cast<std::size_t>(followed.random.Below(26));
    followed.inverse.Remove(p, projection);
    followed.points.erase(followed.points.begin() + static_cast<std::ptrdiff_t>(p));
  }
  const auto n = static_cast<Eigen::Index>(followed.points.size());
  MatrixXd held(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j)
      held(i, j) = followed.inverse(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
  const double error = (held * followed.Gram() - MatrixXd::Identity(n, n)).cwiseAbs().maxCoeff();
  CHECK(error <= 1e-4);
}

TEST_CASE("packed symmetric matrix: same operations as a full matrix", "[solvers]") {
  Random random(3);
  PackedSymmetric packed;
  MatrixXd full(0, 0);
  std::vector<double> out;
  for (int step = 0; step < 200; ++step) {
    const Eigen::Index n = full.rows();
    const VectorXd v = VectorXd::NullaryExpr(n, [&] { return random.Normal(); });
    const std::vector<double> values(v.begin(), v.end());
    const std::uint64_t what = random.Below(5);
    if (what < 2 || n == 0) {
      const double diagonal = random.Normal();
      packed.Append(values, diagonal);
      full.conservativeResize(n + 1, n + 1);
      full.row(n).head(n) = v.transpose();
      full.col(n).head(n) = v;
      full(n, n) = diagonal;
    } else if (what == 2) {
      const auto i = static_cast<Eigen::Index>(random.Below(static_cast<std::uint64_t>(n)));
      packed.Remove(static_cast<std::size_t>(i));
      std::vector<Eigen::Index> kept;
      for (Eigen::Index j = 0; j < n; ++j)
        if (j != i) kept.push_back(j);
      full = full(kept, kept).eval();
    } else {
      packed.AddOuter(0.3, values);
      full += 0.3 * v * v.transpose();
    }
    const VectorXd x = VectorXd::NullaryExpr(full.rows(), [&] { return random.Normal(); });
    packed.Product(std::vector<double>(x.begin(), x.end()), out);
    REQUIRE((Mapped(out) - full * x).norm() <= 1e-12 * (1 + full.norm() * x.norm()));
    if (full.rows() == 0) continue;
    packed.Row(packed.size() / 2, out);
    REQUIRE((Mapped(out) - full.row(full.rows() / 2).transpose()).norm() <= 1e-12 * (1 + full.norm()));
  }
}

TEST_CASE("inverse Gram matrix: a saved inverse continues with the same bits", "[solvers]") {
  Followed<double> followed(5);
  for (int i = 0; i < 30; ++i)
    followed.Grow(VectorXd::NullaryExpr(5, [&] { return followed.random.Normal(); }));
  Archive written;
  followed.inverse.Serialize(written);
  Archive read(written.bytes());
  InverseGram other;
  other.Serialize(read);
  read.Finish();
  const std::vector<double> k(followed.inverse.size(), 0.25);
  std::vector<double> a, b;
  followed.inverse.Solve(k, a);
  other.Solve(k, b);
  CHECK(a == b);
  Archive cut(written.bytes().substr(0, written.bytes().size() / 2));
  CHECK_THROWS_AS(other.Serialize(cut), InvalidArgument);
}

}  // namespace
}  // namespace okbench
