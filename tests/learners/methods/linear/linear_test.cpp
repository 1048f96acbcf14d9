// The linear online SVM: steps by hand, the plain recursion, and LIBLINEAR's optimum.

#include "learners/methods/linear/linear.h"

#include <numeric>

#include "base/error.h"
#include "learners/bases/linear_model.h"
#include "learners/core/eigen_examples.h"
#include "learners/methods/liblinear/liblinear.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench::linear {
namespace {

using liblinear::Liblinear;
using linear::LinearSvm;

template <class T>
LearnerContext<T> Context(const Examples<T>& train) {
  return {.train = &train, .test = &train, .kernel = Kernel::Linear()};
}

TEST_CASE("linear online SVM: three steps by hand, with projection and average") {
  // lambda = 1/4, so the ball has radius 2. x_1 = (1, 0), y = +1; x_2 = (0, 2), y = -1; x_3 = (1, 1), y = +1.
  //   t = 1: alpha = 4, w = (4, 0), projected to (2, 0).
  //   t = 2: w.x_2 = 0, alpha = 2: w = (1, 0) + 2 (0, -2) = (1, -4), projected: 2/sqrt(17) (1, -4).
  //   t = 3: y w.x_3 = -6/sqrt(17) < 1, alpha = 4/3: w = 2/3 * 2/sqrt(17) (1, -4) + 4/3 (1, 1),
  //          ||w||^2 = 2.74 < 4: not projected.
  const auto data = Examples<double>::Dense(2, {1, 0, 0, 2, 1, 1}, {1, -1, 1}, LabelKind::kBinary, 2);
  LinearSvm<double> learner({.lambda = 0.25, .projection = true, .average = true}, Context(data));
  const std::uint32_t rows[] = {0, 1, 2};
  RoundOutcome outcome = learner.Round(std::span(rows, 1));
  CHECK((outcome.examples == 1 && outcome.mistakes == 1 && outcome.mean_loss == 1));
  CHECK(learner.weights() == Eigen::Vector2d(2, 0));
  outcome = learner.Round(std::span(rows + 1, 1));
  CHECK((outcome.mistakes == 1 && outcome.mean_loss == 1));  // the average is (2, 0), its score 0
  const double f = 2 / std::sqrt(17.0);
  CHECK(learner.weights()[0] == Approx(f).epsilon(1e-14));
  CHECK(learner.weights()[1] == Approx(-4 * f).epsilon(1e-14));
  CHECK(learner.predicting()[0] == Approx((2 + f) / 2).epsilon(1e-14));
  CHECK(learner.predicting()[1] == Approx(-4 * f / 2).epsilon(1e-14));
  outcome = learner.Round(std::span(rows + 2, 1));
  CHECK(outcome.mean_loss == Approx(1 - (2 + f) / 2 + 4 * f / 2).epsilon(1e-14));
  const double w0 = 2 * f / 3 + 4.0 / 3, w1 = -8 * f / 3 + 4.0 / 3;
  CHECK(learner.weights()[0] == Approx(w0).epsilon(1e-14));
  CHECK(learner.weights()[1] == Approx(w1).epsilon(1e-14));
  CHECK(learner.predicting()[1] == Approx((-4 * f + w1) / 3).epsilon(1e-14));
}

TEST_CASE("linear online SVM: the recorded norm by hand, for any number of features") {
  // lambda = 1/4, x = (1, .., n) twice. t = 1: w = 4 x. t = 2: no margin violation, w = 2 x. The average is
  // 3 x.
  for (std::size_t n = 1; n <= 9; ++n) {
    std::vector<double> values;
    double squares = 0;
    for (std::size_t feature = 1; feature <= n; ++feature) {
      values.push_back(static_cast<double>(feature));
      squares += values.back() * values.back();
    }
    const auto data = Examples<double>::Dense(n, std::move(values), {1}, LabelKind::kBinary, 2);
    const std::uint32_t row = 0;
    for (const bool average : {false, true}) {
      LinearSvm<double> learner({.lambda = 0.25, .average = average}, Context(data));
      double report[3];
      learner.Report(report);
      CHECK(report[1] == 0);
      learner.Round(std::span(&row, 1));
      learner.Report(report);
      CHECK(report[1] == 16 * squares);
      learner.Round(std::span(&row, 1));
      learner.Report(report);
      CHECK(report[1] == (average ? 9 : 4) * squares);
    }
  }
}

TEST_CASE("linear online SVM: a decaying average of three steps by hand") {
  // lambda = 1/4, x = (1) three times: w = 4, 2, 4/3. At t = 3 the margin is violated by y = -1, so
  // w = 4/3 - 4/3 = 0. d = 1 gives the importance 1, 2, 3, and d = 2 gives 1, 3, 6.
  const auto data = Examples<double>::Dense(1, {1, 1, 1}, {1, 1, -1}, LabelKind::kBinary, 2);
  const std::uint32_t rows[] = {0, 1, 2};
  for (const double decay : {1.0, 2.0}) {
    LinearSvm<double> learner({.lambda = 0.25, .average = true, .decay = decay}, Context(data));
    for (const std::uint32_t& row : rows) {
      const RoundOutcome outcome = learner.Round(std::span(&row, 1));
      if (row == 0) CHECK(learner.predicting()[0] == 4);
      if (row == 1) CHECK(learner.predicting()[0] == Approx(decay == 1 ? 8.0 / 3 : 10.0 / 4).epsilon(1e-15));
      // The score of the third row is the average of two steps.
      if (row == 2) CHECK(outcome.mean_loss == Approx(1 + (decay == 1 ? 8.0 / 3 : 10.0 / 4)).epsilon(1e-15));
    }
    CHECK(learner.weights()[0] == Approx(0).margin(1e-15));
    CHECK(learner.predicting()[0] == Approx(decay == 1 ? 8.0 / 6 : 10.0 / 10).epsilon(1e-15));
  }
}

TEST_CASE("linear online SVM with steps eta0/sqrt(t), two steps by hand") {
  // lambda = 1/4. t = 1: alpha = 1, w = (1, 0). t = 2: w.x_2 = 0, alpha = 1/sqrt(2). With eta_0 = 100, alpha
  // is limited to 1/lambda = 4: t = 2 forgets the first step, w = 4 (0, -2).
  const auto data = Examples<double>::Dense(2, {1, 0, 0, 2}, {1, -1}, LabelKind::kBinary, 2);
  const std::uint32_t rows[] = {0, 1};
  for (const double eta0 : {1.0, 100.0}) {
    LinearSvm<double> learner({.lambda = 0.25, .schedule = linear::Schedule::kInverseRoot, .eta0 = eta0},
                              Context(data));
    for (const std::uint32_t& row : rows) learner.Round(std::span(&row, 1));
    const double alpha = eta0 == 1 ? 1 / std::sqrt(2.0) : 4;
    CHECK(learner.weights()[0] == Approx(eta0 == 1 ? 1 - 0.25 * alpha : 0).epsilon(1e-14));
    CHECK(learner.weights()[1] == Approx(-2 * alpha).epsilon(1e-14));
  }
}

// The algorithm of the note without lazy scaling: every step updates every weight.
struct Plain {
  Eigen::VectorXd w, average;
  double lambda;
  double decay;
  bool projection;
  std::uint64_t t = 0;

  void Step(const Examples<double>& data, std::span<const std::uint32_t> batch) {
    ++t;
    const double alpha = 1 / (lambda * static_cast<double>(t));
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(w.size());
    for (const std::uint32_t i : batch) {
      const Eigen::VectorXd x = MatrixOf(data).row(i).transpose();
      if (data.label(i) * w.dot(x) < 1) gradient += data.label(i) * x;
    }
    w = (1 - alpha * lambda) * w + alpha / static_cast<double>(batch.size()) * gradient;
    if (projection && w.norm() > 1 / std::sqrt(lambda)) w /= w.norm() * std::sqrt(lambda);
    const auto steps = static_cast<double>(t);
    const double rho = (decay + 1) / (steps + decay);
    average = (1 - rho) * average + rho * w;
  }
};

TEST_CASE("linear online SVM: lazy scaling equals the plain recursion, dense and sparse") {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const auto [dense, sparse] = testing::DenseAndSparse<double>(300, 20, 0.3, false, seed);
    for (const double lambda : {1e-8, 1e-4, 0.1})
      for (const bool projection : {false, true})
        for (const auto& [k, decay] : {std::pair(1U, 3.0), std::pair(7U, 0.0), std::pair(7U, 10.0)}) {
          Plain plain{.w = Eigen::VectorXd::Zero(20),
                      .average = Eigen::VectorXd::Zero(20),
                      .lambda = lambda,
                      .decay = decay,
                      .projection = projection};
          LinearSvm<double> last({.lambda = lambda, .projection = projection, .average = false},
                                 Context(dense));
          const linear::Options averaging{
              .lambda = lambda, .projection = projection, .average = true, .decay = decay};
          LinearSvm<double> average(averaging, Context(dense));
          LinearSvm<double> of_sparse(averaging, Context(sparse));
          std::vector<std::uint32_t> rows(300);
          std::iota(rows.begin(), rows.end(), 0U);
          for (int epoch = 0; epoch < 3; ++epoch)
            for (std::size_t first = 0; first < 300; first += k) {
              const auto batch = std::span(rows).subspan(first, std::min<std::size_t>(k, 300 - first));
              plain.Step(dense, batch);
              last.Round(batch);
              average.Round(batch);
              of_sparse.Round(batch);
            }
          INFO("seed " << seed << " lambda " << lambda << " projection " << projection << " k " << k
                       << " decay " << decay);
          const double size = plain.w.norm();
          for (Eigen::Index f = 0; f < 20; ++f) {
            CHECK(last.weights()[f] == Approx(plain.w[f]).margin(1e-9 * size));
            CHECK(average.predicting()[f] == Approx(plain.average[f]).margin(1e-9 * size));
          }
          CHECK(of_sparse.weights() == average.weights());
          double report[3], by_sparse[3];
          average.Report(report);
          of_sparse.Report(by_sparse);
          CHECK(report[1] == Approx(average.predicting().squaredNorm()).epsilon(1e-15));
          CHECK(by_sparse[2] < report[2]);  // touches nonzeros only
        }
  }
}

TEST_CASE("the online SVM's objective approaches LIBLINEAR's from above") {
  const auto data = testing::RandomDense<double>(2000, 10, LabelKind::kBinary, 2, 4);
  std::vector<std::uint32_t> rows(2000);
  std::iota(rows.begin(), rows.end(), 0U);
  Liblinear<double> best({.lambda = 0.01, .tolerance = 1e-3}, Context(data));
  best.Announce(rows);
  best.Round();
  const double optimum = best.MeasureTraining().objective.value();
  Random random(3);
  for (const bool projection : {false, true})
    for (const bool average : {false, true}) {
      LinearSvm<double> learner({.lambda = 0.01, .projection = projection, .average = average},
                                Context(data));
      for (int epoch = 0; epoch < 20; ++epoch) {
        Shuffle(std::span(rows), random);
        for (const std::uint32_t i : rows) learner.Round(std::span(&i, 1));
      }
      const double objective = learner.MeasureTraining().objective.value();
      CHECK(objective >= optimum * (1 - 1e-6));
      CHECK(objective < optimum * 1.01);
    }
}

TEST_CASE("the linear online SVM rejects other kernels and non-binary labels") {
  const auto classes = testing::RandomDense<float>(10, 2, LabelKind::kMulticlass, 3, 1);
  CHECK_THROWS_WITH(LinearSvm<float>({}, Context(classes)), Catch::Contains("needs binary labels"));
  const auto binary = testing::RandomDense<float>(10, 2, LabelKind::kBinary, 2, 1);
  LearnerContext<float> context = Context(binary);
  context.kernel = Kernel::RbfFromGamma(1);
  CHECK_THROWS_WITH(LinearSvm<float>({}, context), Catch::Contains("kernel.name must be linear"));
  context.kernel = Kernel::Linear();
  context.kernel.bias = 1;
  CHECK_THROWS_WITH(LinearSvm<float>({}, context), "linear has no intercept: kernel.bias must be 0");
}

}  // namespace
}  // namespace okbench::linear
