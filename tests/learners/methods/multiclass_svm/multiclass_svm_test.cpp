// Batch multiclass SVM: a case by hand, comparison with a generic solver, and its invariants.

#include "learners/methods/multiclass_svm/multiclass_svm.h"

#include <numeric>

#include "tests/catch.h"
#include "tests/helpers.h"
#include "tests/learners/outputs/random_tree.h"

namespace okbench::multiclass_svm {
namespace {

using multiclass_svm::MulticlassSvm;
using multiclass_svm::Options;

template <class T>
std::unique_ptr<MulticlassSvm<T>> Train(const Examples<T>& data, const Kernel& kernel, const Options& options,
                                        RoundOutcome* last = nullptr) {
  auto svm = std::make_unique<MulticlassSvm<T>>(
      options, LearnerContext<T>{.train = &data, .test = nullptr, .kernel = kernel, .lookahead = 48});
  std::vector<std::uint32_t> order(data.size());
  std::iota(order.begin(), order.end(), 0U);
  svm->Announce(order);
  RoundOutcome outcome;
  while (!outcome.finished) outcome = svm->Round();
  if (last != nullptr) *last = outcome;
  return svm;
}

// Projected gradient ascent on the dual with plain kernels: slow, generic, independent of the solver. The
// feasible set is a product of { tau <= C [r = y], sum = 0 }. The projection finds its multiplier by
// bisection.
double DualByProjectedGradient(const Examples<double>& data, const Kernel& kernel, double c) {
  const std::size_t n = data.size();
  const auto classes = static_cast<std::size_t>(data.classes());
  std::vector<double> gram(n * n), tau(n * classes, 0.0);
  double trace = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      gram[i * n + j] = testing::PlainKernel(kernel, data, i, data, j);
      if (i == j) trace += gram[i * n + j];
    }
  double dual = 0;
  std::vector<double> momentum = tau;
  for (int iteration = 0; iteration < 20000; ++iteration) {
    std::vector<double> next(n * classes);
    for (std::size_t i = 0; i < n; ++i) {
      const auto y = static_cast<std::size_t>(data.label(i));
      std::vector<double> target(classes);
      for (std::size_t r = 0; r < classes; ++r) {
        double f = 0;
        for (std::size_t j = 0; j < n; ++j) f += gram[i * n + j] * momentum[j * classes + r];
        target[r] = momentum[i * classes + r] + ((r == y ? 1 : 0) - f) / trace;
      }
      double low = -1e3, high = 1e3;
      for (int bisection = 0; bisection < 80; ++bisection) {
        const double shift = 0.5 * (low + high);
        double sum = 0;
        for (std::size_t r = 0; r < classes; ++r) sum += std::min(target[r] - shift, r == y ? c : 0.0);
        (sum > 0 ? low : high) = shift;
      }
      for (std::size_t r = 0; r < classes; ++r)
        next[i * classes + r] = std::min(target[r] - low, r == y ? c : 0.0);
    }
    const double weight = iteration / (iteration + 3.0);  // Nesterov
    for (std::size_t k = 0; k < tau.size(); ++k) momentum[k] = next[k] + weight * (next[k] - tau[k]);
    tau = next;
  }
  for (std::size_t i = 0; i < n; ++i) {
    dual += tau[i * classes + static_cast<std::size_t>(data.label(i))];
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t r = 0; r < classes; ++r)
        dual -= 0.5 * gram[i * n + j] * tau[i * classes + r] * tau[j * classes + r];
  }
  return dual;
}

TEST_CASE("multiclass SVM: two points of two classes by hand") {
  // x = +1 (class 0), -1 (class 1), linear: M_0 = -M_1 = w. Both margins are 2w. 2 * 1/2 w^2 is minimal for
  // 2w = 1: w = 1/2, primal = dual = 1/4.
  const auto data = Examples<double>::Dense(1, {1, -1}, {0, 1}, LabelKind::kMulticlass, 2);
  const auto svm = Train(data, Kernel::Linear(), {.c = 10, .tolerance = 1e-12});
  CHECK(svm->primal() == Approx(0.25).epsilon(1e-10));
  CHECK(svm->dual() == Approx(0.25).epsilon(1e-10));
  CHECK(svm->tau(0, 0) - svm->tau(1, 0) == Approx(0.5).epsilon(1e-9));  // M_0
  CHECK(svm->tau(0, 1) - svm->tau(1, 1) == Approx(-0.5).epsilon(1e-9));
}

TEST_CASE("multiclass SVM: the objective agrees with a generic solver") {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const auto data = testing::RandomDense<double>(30, 3, LabelKind::kMulticlass, 3, seed);
    const Kernel kernel = Kernel::RbfFromGamma(0.3);
    for (const double c : {0.1, 1.0}) {
      const auto svm = Train(data, kernel, {.c = c, .tolerance = 1e-9});
      CHECK(svm->dual() == Approx(DualByProjectedGradient(data, kernel, c)).epsilon(1e-6));
      CHECK(svm->primal() == Approx(svm->dual()).epsilon(1e-8));
    }
  }
}

TEST_CASE("multiclass SVM: shrinking and a small row cache change the cost, not the optimum") {
  const auto data = testing::RandomDense<double>(400, 4, LabelKind::kMulticlass, 4, 11);
  const Kernel kernel = Kernel::RbfFromGamma(0.2);
  const double gap = 1e-8;
  const auto reference = Train(data, kernel, {.c = 1, .tolerance = gap, .shrinking = false});
  for (const bool shrinking : {false, true})
    for (const std::size_t mebibytes : {std::size_t{0}, std::size_t{1}, std::size_t{512}}) {
      RoundOutcome outcome;
      const auto svm = Train(
          data, kernel, {.c = 1, .tolerance = gap, .cache_mib = mebibytes, .shrinking = shrinking}, &outcome);
      CHECK(svm->dual() == Approx(reference->dual()).epsilon(1e-7));
      std::vector<double> report(4);
      svm->Report(report);
      CHECK(report[3] == 400);  // all examples are active again
      CHECK(report[2] <= gap);
    }
}

TEST_CASE("multiclass SVM: the result is feasible, and its counts equal those of its scores") {
  const auto data = testing::RandomDense<float>(300, 4, LabelKind::kMulticlass, 3, 21);
  const Kernel kernel = Kernel::RbfFromGamma(0.2);
  RoundOutcome outcome;
  const auto svm = Train(data, kernel, {.c = 0.5, .tolerance = 1e-4}, &outcome);
  std::uint64_t mistakes = 0, support = 0;
  double norm = 0, linear = 0, loss = 0;
  std::vector<double> f(3);
  for (std::size_t i = 0; i < 300; ++i) {
    double sum = 0;
    const auto y = static_cast<std::size_t>(data.label(i));
    std::fill(f.begin(), f.end(), 0.0);
    for (std::size_t r = 0; r < 3; ++r) {
      sum += svm->tau(i, r);
      REQUIRE(svm->tau(i, r) <= (r == y ? 0.5 : 0.0) + 1e-12);
      for (std::size_t j = 0; j < 300; ++j)
        f[r] += svm->tau(j, r) * testing::PlainKernel(kernel, data, j, data, i);
      norm += svm->tau(i, r) * f[r];
    }
    REQUIRE(sum == Approx(0).margin(1e-12));
    linear += svm->tau(i, y);
    double other = -1e300;
    for (std::size_t r = 0; r < 3; ++r)
      if (r != y) other = std::max(other, f[r]);
    loss += std::max(0.0, 1 + other - f[y]);
    mistakes += other >= f[y] ? 1 : 0;
    support += svm->tau(i, y) != 0 ? 1 : 0;
  }
  CHECK(svm->primal() == Approx(0.5 * norm + 0.5 * loss).epsilon(1e-5));
  CHECK(svm->dual() == Approx(linear - 0.5 * norm).epsilon(1e-5));
  CHECK(outcome.mistakes == mistakes);
  CHECK(svm->support_vectors() == support);
}

TEST_CASE("multiclass SVM: the task loss is the mean distance to the predicted class") {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Random random(seed);
    const LabelTree tree = testing::RandomTree(5, random);
    const PredictionLoss delta(&tree);
    const auto data = testing::RandomDense<double>(120, 2, LabelKind::kMulticlass, 5, seed);
    MulticlassSvm<double> svm(
        {.c = 0.05},
        LearnerContext<double>{
            .train = &data, .test = nullptr, .kernel = Kernel::RbfFromGamma(0.2), .tree = &tree});
    std::vector<std::uint32_t> order(data.size());
    std::iota(order.begin(), order.end(), 0U);
    svm.Announce(order);
    for (int round = 0; round < 3; ++round) {
      const RoundOutcome outcome = svm.Round();
      REQUIRE(svm.active().size() == data.size());
      double loss = 0;
      for (std::size_t i = 0; i < data.size(); ++i) {
        std::vector<double> f;
        for (std::size_t r = 0; r < 5; ++r) f.push_back(svm.score(i, r));
        loss += delta(f, static_cast<std::size_t>(data.label(i))).value_or(0);
      }
      CHECK(loss > 0);
      CHECK(outcome.task_loss.value_or(-1) == Approx(loss / 120));
    }
  }
}

TEST_CASE("multiclass SVM: a zero row gets no coefficient") {
  RoundOutcome outcome;
  const auto data = Examples<float>::Dense(2, {0, 0, 1, 0, 0, 1}, {0, 1, 0}, LabelKind::kMulticlass, 2);
  const auto svm = Train(data, Kernel::Polynomial(3, 1, 0), {.c = 1, .tolerance = 1e-6}, &outcome);
  CHECK(outcome.converged);
  CHECK(svm->primal() == Approx(svm->dual()).epsilon(1e-6));
  CHECK(svm->tau(0, 0) == 0);
  CHECK(svm->support_vectors() == 2);
}

}  // namespace
}  // namespace okbench::multiclass_svm
