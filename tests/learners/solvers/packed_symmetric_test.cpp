// PackedSymmetric: the operations of a full matrix, over many steps.

#include "learners/solvers/packed_symmetric.h"

#include "learners/core/eigen.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

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
    REQUIRE((VectorXd::Map(out.data(), full.rows()) - full * x).norm() <=
            1e-12 * (1 + full.norm() * x.norm()));
    if (full.rows() == 0) continue;
    packed.Row(packed.size() / 2, out);
    REQUIRE((VectorXd::Map(out.data(), full.rows()) - full.row(full.rows() / 2).transpose()).norm() <=
            1e-12 * (1 + full.norm()));
  }
}

}  // namespace
}  // namespace okbench
