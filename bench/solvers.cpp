// Solvers on precomputed kernel rows, compared with the same steps written plainly with Eigen: the box
// program of a mini-batch (SFD on IJCNN has 350 examples per round), a round of the batch multiclass SVM, the
// product with a symmetric matrix of KRLS, and the two triangular solves of a projection.

#include <benchmark/benchmark.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "learners/core/random.h"
#include "learners/methods/multiclass_svm/working_set.h"
#include "learners/solvers/box_qp.h"
#include "learners/solvers/gram_factor.h"
#include "learners/solvers/packed_symmetric.h"

namespace okbench::bench {
namespace {

// A kernel matrix: RBF between random points in three dimensions.
RowMatrix<float> RandomGram(Eigen::Index rows, Eigen::Index columns) {
  Random random(1);
  const RowMatrix<double> x = RowMatrix<double>::NullaryExpr(columns, 3, [&] { return random.Normal(); });
  RowMatrix<float> gram(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i)
    for (Eigen::Index j = 0; j < columns; ++j)
      gram(i, j) = static_cast<float>(std::exp(-(x.row(i) - x.row(j)).squaredNorm()));
  return gram;
}

constexpr Eigen::Index kBatch = 350;
constexpr double kCap = 1, kTolerance = 1e-6;

struct BoxCase {
  RowMatrix<float> gram = RandomGram(kBatch, kBatch);
  Eigen::ArrayXd p = Eigen::ArrayXd::Constant(kBatch, 1);
  BoxCase() {
    for (Eigen::Index i = 0; i < kBatch; ++i)
      for (Eigen::Index j = 0; j < kBatch; ++j)
        if (i % 2 != j % 2) gram(i, j) = -gram(i, j);  // two classes
  }
  QpResult Ours(Eigen::ArrayXd& a) {
    return solver_.Solve({gram.data(), kBatch, kBatch, Eigen::OuterStride<>(kBatch)}, p, kCap, kTolerance, a);
  }
  // The same number of steps, written plainly.
  void Plainly(std::size_t steps, Eigen::ArrayXd& a) const {
    const Eigen::ArrayXd diagonal = gram.diagonal().cast<double>(), inverse = 1 / diagonal;
    Eigen::ArrayXd gradient = p, moves, gains;
    a.setZero(kBatch);
    for (std::size_t s = 0; s < steps; ++s) {
      moves = (a + gradient * inverse).max(0.0).min(kCap) - a;
      gains = moves * (gradient - 0.5 * diagonal * moves);
      Eigen::Index best = 0;
      gains.maxCoeff(&best);
      a[best] += moves[best];
      gradient -= moves[best] * gram.row(best).transpose().array().cast<double>();
    }
  }

 private:
  BoxQpSolver<float> solver_;
};

void BoxProgramStep(benchmark::State& state, bool plainly) {
  BoxCase box;
  Eigen::ArrayXd a(kBatch), plain(kBatch);
  const std::size_t steps = box.Ours(a).steps;
  box.Plainly(steps, plain);
  if ((a != plain).any()) state.SkipWithError("wrong result");
  for (auto _ : state) {
    if (plainly)
      box.Plainly(steps, plain);
    else
      box.Ours(a);
    benchmark::DoNotOptimize(a.data());
    benchmark::DoNotOptimize(plain.data());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(steps * state.iterations()));
}
BENCHMARK_CAPTURE(BoxProgramStep, ours, false);
BENCHMARK_CAPTURE(BoxProgramStep, eigen, true);

constexpr std::size_t kExamples = 16384, kClasses = 10, kMembers = 48;

struct MulticlassCase {
  using Set = multiclass_svm::WorkingSet<float>;

  RowMatrix<float> rows = RandomGram(kMembers, kExamples);
  AlignedVector<double> start = AlignedVector<double>(kClasses * kExamples);
  AlignedVector<double> scores = start, tau = start, labels = AlignedVector<double>(kExamples);
  AlignedVector<double> violations = labels, slacks = labels;
  std::vector<Set::Member> members;
  Set set{kClasses, 1.0};

  MulticlassCase() {
    Random random(2);
    for (double& label : labels) label = static_cast<double>(random.Below(kClasses));
    for (double& score : start) score = 0.1 * random.Normal();
    for (std::uint32_t m = 0; m < kMembers; ++m)
      members.push_back({m, static_cast<std::size_t>(labels[m]), 1.0, 1.0, rows.data() + m * kExamples});
    Begin();
  }
  MulticlassDual Dual() const { return {kClasses, kExamples, 1.0, scores.data(), tau.data(), labels.data()}; }
  void Begin() {
    scores = start;
    set.Load(members, Dual());
    set.Solve(0.2);
  }
  void Ours() {
    constexpr std::size_t kTogether = 512;
    const VectorOps<double> ops;
    for (std::size_t first = 0; first < kExamples; first += kTogether) {
      set.AddChanges(first, kTogether, kExamples, scores.data());
      ops.Violations(Dual(), first, kTogether, violations.data(), slacks.data());
    }
  }
  // Applies one change after another to all examples, then computes the violation of each example.
  void Plainly() {
    for (std::size_t r = 0; r < kClasses; ++r) {
      const auto& [listed, amounts] = set.changes(r);
      Eigen::Map<Eigen::ArrayXd> column(scores.data() + r * kExamples, kExamples);
      for (std::size_t c = 0; c < listed.size(); ++c)
        column += amounts[c] * Eigen::Map<const Eigen::ArrayXf>(listed[c], kExamples).cast<double>();
    }
    for (std::size_t i = 0; i < kExamples; ++i) {
      const auto y = static_cast<std::size_t>(labels[i]);
      double highest = -std::numeric_limits<double>::infinity(), lowest = -highest, other = highest;
      for (std::size_t r = 0; r < kClasses; ++r) {
        const double f = scores[r * kExamples + i], g = f - (r == y ? 1 : 0);
        highest = std::max(highest, g);
        if (tau[r * kExamples + i] < (r == y ? 1 : 0)) lowest = std::min(lowest, g);
        if (r != y) other = std::max(other, f);
      }
      violations[i] = highest - lowest;
      slacks[i] = 1 + other - scores[y * kExamples + i];
    }
  }
};

void MulticlassRound(benchmark::State& state, bool plainly) {
  MulticlassCase round;
  round.Plainly();
  const AlignedVector<double> expected = round.violations;
  round.scores = round.start;
  round.Ours();
  for (std::size_t i = 0; i < kExamples; ++i)
    if (std::fabs(round.violations[i] - expected[i]) > 1e-9) state.SkipWithError("wrong result");
  for (auto _ : state) {
    if (plainly)
      round.Plainly();
    else
      round.Ours();
    benchmark::DoNotOptimize(round.violations.data());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(kExamples * state.iterations()));
}
BENCHMARK_CAPTURE(MulticlassRound, ours, false);
BENCHMARK_CAPTURE(MulticlassRound, eigen, true);

// The product of KRLS's matrix P with a vector.
void SymmetricProduct(benchmark::State& state, bool plainly) {
  constexpr Eigen::Index kSize = 800;
  const Eigen::MatrixXd gram = RandomGram(kSize, kSize).cast<double>();
  PackedSymmetric packed;
  for (Eigen::Index i = 0; i < kSize; ++i) {
    const Eigen::VectorXd row = gram.row(i).head(i);
    packed.Append({row.data(), static_cast<std::size_t>(i)}, gram(i, i));
  }
  const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(kSize, -1, 1);
  const std::span<const double> entries(x.data(), static_cast<std::size_t>(kSize));
  std::vector<double> product;
  packed.Product(entries, product);
  Eigen::VectorXd plain = gram.selfadjointView<Eigen::Lower>() * x;
  if (!Eigen::VectorXd::Map(product.data(), kSize).isApprox(plain)) state.SkipWithError("wrong result");
  for (auto _ : state) {
    if (plainly)
      plain.noalias() = gram.selfadjointView<Eigen::Lower>() * x;
    else
      packed.Product(entries, product);
    benchmark::DoNotOptimize(plain.data());
    benchmark::DoNotOptimize(product.data());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(kSize * kSize * state.iterations()));
}
BENCHMARK_CAPTURE(SymmetricProduct, ours, false);
BENCHMARK_CAPTURE(SymmetricProduct, eigen, true);

// d = K^-1 k by the Cholesky factor of K.
void GramSolve(benchmark::State& state, bool plainly) {
  const Eigen::Index size = state.range(0);
  const Eigen::MatrixXd gram = RandomGram(size, size).cast<double>() + Eigen::MatrixXd::Identity(size, size);
  GramFactor factor;
  std::vector<double> d;
  for (Eigen::Index i = 0; i < size; ++i) {
    const Eigen::VectorXd row = gram.row(i).head(i);
    factor.Solve({row.data(), static_cast<std::size_t>(i)}, d);
    factor.Grow(d, gram(i, i), 0);
  }
  const Eigen::LLT<Eigen::MatrixXd> plain_factor(gram);
  const Eigen::VectorXd k = Eigen::VectorXd::LinSpaced(size, -1, 1);
  const std::span<const double> entries(k.data(), static_cast<std::size_t>(size));
  factor.Solve(entries, d);
  Eigen::VectorXd plain = plain_factor.solve(k);
  if (!Eigen::VectorXd::Map(d.data(), size).isApprox(plain)) state.SkipWithError("wrong result");
  for (auto _ : state) {
    if (plainly)
      plain = plain_factor.solve(k);
    else
      factor.Solve(entries, d);
    benchmark::DoNotOptimize(plain.data());
    benchmark::DoNotOptimize(d.data());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(size * size * state.iterations()));
}
BENCHMARK_CAPTURE(GramSolve, ours, false)->Arg(60)->Arg(250)->Arg(1000);
BENCHMARK_CAPTURE(GramSolve, eigen, true)->Arg(60)->Arg(250)->Arg(1000);

}  // namespace
}  // namespace okbench::bench
