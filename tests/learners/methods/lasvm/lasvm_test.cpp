// LaSVM: cases by hand, gradients against direct sums, optimality, and the variant that keeps only gradients
// of the support set.

#include "learners/methods/lasvm/lasvm.h"

#include <algorithm>
#include <cmath>

#include "learners/solvers/box_qp.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench::lasvm {
namespace {

const Kernel kRbf = Kernel::RbfFromGamma(0.2);
constexpr Selection kSelections[] = {Selection::kRandom, Selection::kGradient, Selection::kActive,
                                     Selection::kAutoActive};

LearnerContext<double> Context(const Examples<double>& train, const Kernel& kernel, std::uint64_t seed = 1) {
  return {.train = &train, .test = &train, .kernel = kernel, .seed = seed};
}

Examples<double> Cloud(std::size_t rows, std::uint64_t seed) {
  return testing::RandomDense<double>(rows, 4, LabelKind::kBinary, 2, seed);
}

double Score(const Examples<double>& data, const std::vector<double>& a, std::size_t i) {
  double f = 0;
  for (std::size_t j = 0; j < a.size(); ++j) f += a[j] * testing::PlainKernel(kRbf, data, j, data, i);
  return f;
}

// Runs epochs of LaSVM and finishes.
void Train(Lasvm<double>& learner, std::size_t examples) {
  for (std::size_t done = 0; done < examples;) done += learner.Round({}).examples;
  while (!learner.Finish()) {
  }
}

TEST_CASE("LaSVM: two seeds and one finishing step by hand") {
  // Linear kernel, x_0 = 1 (+1), x_1 = -1 (-1): both are seeds. No unseen example is left, so the rounds do
  // nothing, and finishing takes one step: g = (1, -1), curvature 1 + 1 + 2 = 4, step 2/4: alpha = (1/2,
  // -1/2), f(x) = x, b = 0.
  const auto data = Examples<double>::Dense(1, {1, -1}, {1, -1}, LabelKind::kBinary, 2);
  for (const auto gradients : {Gradients::kTrainingSet, Gradients::kSupportSet}) {
    Lasvm<double> learner({.lambda = 0.1, .gradients = gradients}, Context(data, Kernel::Linear()));
    const RoundOutcome outcome = learner.Round({});
    CHECK(outcome.examples == 2);
    CHECK(learner.Finish());
    CHECK(learner.alpha(0) == 0.5);
    CHECK(learner.alpha(1) == -0.5);
    CHECK(learner.bias() == 0);
    CHECK(learner.dual() == 0.5);
    CHECK(learner.support_vectors() == 2);
    CHECK(learner.counts().computed == 4);
  }
}

TEST_CASE("LaSVM: the dual of a step between equal examples by hand") {
  // x_0 = x_1 = 1, y = (1, -1), C = 1/(0.1 2) = 5. The curvature is 0, so the step is clipped to 5. Then
  // f = 0, and the dual is 5 + 5.
  const auto data = Examples<double>::Dense(1, {1, 1}, {1, -1}, LabelKind::kBinary, 2);
  Lasvm<double> learner({.lambda = 0.1}, Context(data, Kernel::Linear()));
  learner.Round({});
  CHECK(learner.Finish());
  CHECK(learner.alpha(0) == 5);
  CHECK(learner.dual() == 10);
}

TEST_CASE("LaSVM: one PROCESS step of a candidate by hand") {
  // Linear kernel. 5 examples x = 1 (+1) and 5 examples x = -1 (-1) are seeds. An 11th example is left. In
  // its round all coefficients are 0, f = 0 and g = y. PROCESS pairs it with the first seed of the other
  // class: curvature 4, step 2/4, f(x) = x. Then all gradients are 0, REPROCESS does nothing, and b = 0.
  std::vector<double> x;
  std::vector<std::int32_t> y;
  for (int i = 0; i < 11; ++i) {
    y.push_back(i % 2 == 0 ? 1 : -1);
    x.push_back(y.back());
  }
  const auto data = Examples<double>::Dense(1, std::move(x), std::move(y), LabelKind::kBinary, 2);
  for (const auto gradients : {Gradients::kTrainingSet, Gradients::kSupportSet}) {
    Lasvm<double> learner({.lambda = 0.1, .gradients = gradients}, Context(data, Kernel::Linear()));
    const RoundOutcome outcome = learner.Round({});
    CHECK(outcome.examples == 11);
    CHECK(outcome.mean_loss == 1);
    CHECK(learner.members().size() == 11);
    const auto members = learner.members();
    CHECK(learner.alpha(members.back()) == 0.5);
    // Among equal gradients, the member that entered first is chosen.
    const auto other = [&](std::uint32_t s) { return data.label(s) != data.label(members.back()); };
    CHECK(learner.alpha(*std::find_if(members.begin(), members.end(), other)) == -0.5);
    CHECK(learner.support_vectors() == 2);
    CHECK(learner.dual() == 0.5);
    CHECK(learner.bias() == 0);
    for (const std::uint32_t s : learner.members()) CHECK(learner.gradient(s) == 0);
    // 10 for the candidate, then k(new, new) and the partner's 10 values with the earlier members.
    CHECK(learner.counts().requested == 10 + 1 + 10);
    // Over the training set: two rows. Over S: its 10 values, all 11 of the block again with its own, and the
    // other row.
    CHECK(learner.counts().computed == (gradients == Gradients::kTrainingSet ? 22 : 10 + 11 + 11));
  }
}

TEST_CASE("LaSVM: gradients equal direct sums, coefficients stay in the box, no violating pair is left") {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const auto data = Cloud(150, 70 + seed);
    const std::size_t n = data.size();
    Options options{.lambda = 0.005, .selection = kSelections[seed % 4]};
    options.cache_mib = seed < 4 ? 1 : 0;  // smallest cache: two rows
    Lasvm<double> learner(options, Context(data, kRbf, seed));
    Train(learner, 2 * n);
    std::vector<double> a(n);
    for (std::uint32_t i = 0; i < n; ++i) a[i] = learner.alpha(i);
    double highest = -1e300, lowest = 1e300, sum = 0, dual = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      dual += a[i] * (data.label(i) - Score(data, a, i) / 2);
      CHECK(learner.gradient(i) == Approx(data.label(i) - Score(data, a, i)).margin(1e-9));
      CHECK(a[i] * data.label(i) >= 0);
      CHECK(a[i] * data.label(i) <= learner.c());
      sum += a[i];
    }
    CHECK(sum == Approx(0).margin(1e-9));
    CHECK(learner.dual() == Approx(dual).epsilon(1e-10));
    for (const std::uint32_t i : learner.members()) {
      if (a[i] < std::max(0.0, learner.c() * data.label(i))) highest = std::max(highest, learner.gradient(i));
      if (a[i] > std::min(0.0, learner.c() * data.label(i))) lowest = std::min(lowest, learner.gradient(i));
    }
    CHECK(highest - lowest <= options.tolerance);
    CHECK(learner.bias() == Approx((highest + lowest) / 2));
    // Two epochs visit every example twice, so the remaining distance to the optimum is small. Upper bound:
    // the same learner with all examples as members.
    Lasvm<double> longer(options, Context(data, kRbf, seed + 1));
    Train(longer, 20 * n);
    CHECK(learner.dual() <= longer.dual() * (1 + 1e-3));
    CHECK(learner.dual() >= longer.dual() * 0.99);
  }
}

TEST_CASE("LaSVM without a bias: one finishing step by hand") {
  // Linear kernel, x_0 = 1 (+1), x_1 = -2 (-1): both are seeds, g = (1, -1). Both violate equally; the
  // positive one moves: alpha_0 = 1/1, f(x) = x, g = (0, 1). Then x_1 cannot move (alpha_1 may only fall) and
  // leaves S.
  const auto data = Examples<double>::Dense(1, {1, -2}, {1, -1}, LabelKind::kBinary, 2);
  for (const auto gradients : {Gradients::kTrainingSet, Gradients::kSupportSet}) {
    Lasvm<double> learner({.lambda = 0.1, .bias = false, .gradients = gradients},
                          Context(data, Kernel::Linear()));
    learner.Round({});
    CHECK(learner.Finish());
    CHECK(learner.alpha(0) == 1);
    CHECK(learner.alpha(1) == 0);
    CHECK(learner.bias() == 0);
    CHECK(learner.dual() == 0.5);
    CHECK(learner.members().size() == 1);
    CHECK(learner.counts().requested == 2);
  }
}

TEST_CASE("LaSVM without a bias reaches the optimum of the dual without an equality constraint") {
  const Kernel kernel = Kernel::RbfFromGamma(1);
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    INFO("seed " << seed);
    const auto data = Cloud(120, 370 + seed);
    const std::size_t n = data.size();
    const Options options{.lambda = 0.002,
                          .tolerance = 1e-8,
                          .selection = kSelections[seed % 4],
                          .candidates = 20,
                          .bias = false,
                          .gradients = seed < 4 ? Gradients::kTrainingSet : Gradients::kSupportSet};
    Lasvm<double> learner(options, Context(data, kernel, seed));
    Train(learner, 20 * n);
    // The solver of SFD's updates on all examples: a_i = y_i alpha_i in [0, C].
    const auto rows = static_cast<Eigen::Index>(n);
    RowMatrix<double> gram(rows, rows);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        gram(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
            data.label(i) * data.label(j) * testing::PlainKernel(kernel, data, i, data, j);
    BoxQpSolver<double> solver;
    Eigen::ArrayXd a = Eigen::ArrayXd::Zero(rows);
    solver.Solve({gram.data(), rows, rows, Eigen::OuterStride<>(rows)}, Eigen::ArrayXd::Ones(rows),
                 learner.c(), 1e-12, a);
    double dual = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      CHECK(learner.alpha(i) * data.label(i) == Approx(a[static_cast<Eigen::Index>(i)]).margin(1e-5));
      double score = 0;
      for (std::uint32_t j = 0; j < n; ++j)
        score += learner.alpha(j) * testing::PlainKernel(kernel, data, j, data, i);
      dual += learner.alpha(i) * (data.label(i) - score / 2);
    }
    CHECK(learner.dual() == Approx(dual).epsilon(1e-10));
    for (const std::uint32_t s : learner.members()) {
      const double g = learner.gradient(s) * data.label(s), coefficient = learner.alpha(s) * data.label(s);
      if (coefficient < learner.c()) CHECK(g <= options.tolerance);
      if (coefficient > 0) CHECK(-g <= options.tolerance);
    }
    CHECK(learner.bias() == 0);
  }
}

TEST_CASE("LaSVM takes the same steps with gradients of its support set only") {
  // Features on a grid in [-1, 1], C = 1/32, and tau = 1/2. A step of C changes the difference of two
  // gradients by at most 1/2 (curvature 16). So every step ends at a bound, all sums are exact, and rounding
  // never decides between equal gradients.
  std::size_t most = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    INFO("seed " << seed);
    const std::size_t n = 256;
    const auto cloud = Cloud(n, 170 + seed);
    std::vector<double> values(cloud.row(0).values, cloud.row(0).values + n * cloud.features());
    for (double& value : values) value = std::clamp(std::round(8 * value) / 8, -1.0, 1.0);
    const auto data =
        Examples<double>::Dense(cloud.features(), std::move(values),
                                {cloud.labels().begin(), cloud.labels().end()}, LabelKind::kBinary, 2);
    Options options{.lambda = 0.125, .tolerance = 0.5, .selection = kSelections[seed % 4], .candidates = 20};
    Lasvm<double> all(options, Context(data, Kernel::Linear(), seed));
    options.gradients = Gradients::kSupportSet;
    Lasvm<double> members(options, Context(data, Kernel::Linear(), seed));
    const auto compare = [&] {
      REQUIRE(std::vector(members.members().begin(), members.members().end()) ==
              std::vector(all.members().begin(), all.members().end()));
      for (std::uint32_t i = 0; i < n; ++i) REQUIRE(members.alpha(i) == all.alpha(i));
      for (const std::uint32_t s : all.members()) REQUIRE(members.gradient(s) == all.gradient(s));
      REQUIRE(members.bias() == all.bias());
      REQUIRE(members.dual() == all.dual());
      REQUIRE(members.counts().requested == all.counts().requested);
    };
    std::uint64_t done = 0;
    while (done < 3 * n) {
      const RoundOutcome outcome = members.Round({});
      CHECK(outcome.mean_loss == all.Round({}).mean_loss);
      done += outcome.examples;
      compare();
      most = std::max(most, members.members().size());
    }
    Train(all, 0);
    Train(members, 0);
    compare();
    CHECK(members.Test().mistakes == all.Test().mistakes);
    CHECK(members.MeasureTraining().mean_loss == Approx(all.MeasureTraining().mean_loss).epsilon(1e-12));
  }
  CHECK(most > 100);  // otherwise the test compares too little
}

TEST_CASE("LaSVM reaches the same optimum with gradients of its support set only") {
  // After a free step two gradients are equal except for rounding, so the runs may diverge. After many epochs
  // no violating pair is left, and both reach the unique optimum.
  const Kernel kernel = Kernel::RbfFromGamma(1);
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    INFO("seed " << seed);
    const auto data = Cloud(150, 270 + seed);
    const std::size_t n = data.size();
    Options options{
        .lambda = 0.002, .tolerance = 1e-10, .selection = kSelections[seed % 4], .candidates = 20};
    Lasvm<double> all(options, Context(data, kernel, seed));
    options.gradients = Gradients::kSupportSet;
    Lasvm<double> members(options, Context(data, kernel, seed));
    Train(all, 20 * n);
    Train(members, 20 * n);
    std::vector<std::uint32_t> of_all(all.members().begin(), all.members().end());
    std::vector<std::uint32_t> of_members(members.members().begin(), members.members().end());
    std::sort(of_all.begin(), of_all.end());
    std::sort(of_members.begin(), of_members.end());
    CHECK(of_members == of_all);
    for (std::uint32_t i = 0; i < n; ++i) CHECK(members.alpha(i) == Approx(all.alpha(i)).margin(1e-6));
    CHECK(members.bias() == Approx(all.bias()).margin(1e-6));
    CHECK(members.dual() == Approx(all.dual()).epsilon(1e-6));
  }
}

TEST_CASE("a small row cache changes the evaluations of LaSVM, not its result") {
  // 1500 rows over several hundred members exceed 1 MiB.
  const auto data = Cloud(1500, 3);
  Options options{.lambda = 1e-4, .cache_mib = 1024, .gradients = Gradients::kSupportSet};
  Lasvm<double> wide(options, Context(data, kRbf));
  options.cache_mib = 1;
  Lasvm<double> narrow(options, Context(data, kRbf));
  Train(wide, data.size());
  Train(narrow, data.size());
  CHECK(narrow.counts().requested == wide.counts().requested);
  CHECK(narrow.counts().computed > wide.counts().computed);
  CHECK(narrow.dual() == wide.dual());
  CHECK(narrow.bias() == wide.bias());
  for (std::uint32_t i = 0; i < data.size(); ++i) CHECK(narrow.alpha(i) == wide.alpha(i));
}

TEST_CASE("look-ahead changes the evaluations of LaSVM, not its result") {
  // 4 features are evaluated, 80 are copied by symmetry.
  for (const std::size_t features : {4, 80}) {
    const auto data = testing::RandomDense<double>(600, features, LabelKind::kBinary, 2, features);
    const Options options{
        .lambda = 1e-3, .selection = Selection::kRandom, .gradients = Gradients::kSupportSet};
    auto context = Context(data, Kernel::RbfFromGamma(0.8 / static_cast<double>(features)));
    Lasvm<double> ahead(options, context);
    context.lookahead = 1;
    Lasvm<double> single(options, context);
    Train(ahead, 2 * data.size());
    Train(single, 2 * data.size());
    CHECK(ahead.counts().requested == single.counts().requested);
    CHECK(ahead.counts().computed > single.counts().computed);
    CHECK(ahead.dual() == single.dual());
    for (std::uint32_t i = 0; i < data.size(); ++i) CHECK(ahead.alpha(i) == single.alpha(i));
  }
}

TEST_CASE("LaSVM requests exactly the evaluations that its steps need") {
  // Random selection: |S| for a candidate outside S, then 1 + |S| for a PROCESS step and 2 |S| - 1 for a
  // REPROCESS step. The row cache changes only `computed`.
  const auto data = Cloud(100, 5);
  Options wide{.lambda = 0.01, .selection = Selection::kGradient}, narrow = wide;
  narrow.cache_mib = 0;
  Lasvm<double> a(wide, Context(data, kRbf)), b(narrow, Context(data, kRbf));
  Train(a, data.size());
  Train(b, data.size());
  CHECK(a.counts().requested == b.counts().requested);
  CHECK(a.counts().computed < b.counts().computed);
  CHECK(a.counts().computed % data.size() == 0);
  CHECK(a.dual() == b.dual());
}

}  // namespace
}  // namespace okbench::lasvm
