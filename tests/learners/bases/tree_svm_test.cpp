// Online SVM with the loss and kernel of a label tree: one case by hand, products checked against direct sums
// over pairs of terms and outputs, and exact products after terms are dropped.

#include "base/error.h"
#include "learners/api/registry.h"
#include "learners/methods/norma/norma.h"
#include "learners/methods/svmd/svmd.h"
#include "tests/catch.h"
#include "tests/helpers.h"
#include "tests/learners/outputs/random_tree.h"

namespace okbench::tree_svm_test {
namespace {

using norma::ScheduledStep;
using svmd::MetaDescent;
template <class StepSize>
using TreeSvm = OnlineSvm<double, StepSize, PairExpansion<double>>;
template <class StepSize>
using FlatSvm = OnlineSvm<double, StepSize>;

const Kernel kRbf = Kernel::RbfFromGamma(0.05);

LearnerContext<double> Context(const Examples<double>& train, const Kernel& kernel, const LabelTree& tree) {
  return {.train = &train, .test = nullptr, .kernel = kernel, .tree = &tree, .lookahead = 16};
}

OnlineSvmOptions Options(double c, std::size_t buffer, const char* loss = "tree-hinge") {
  OnlineSvmOptions options;
  options.loss = loss;
  options.c = c;
  options.buffer = buffer;
  options.tree_kernel = true;
  return options;
}

ScheduledStep Constant(double eta) { return {norma::Schedule::kConstant, eta, 1, 1}; }

TEST_CASE("NORMA with the tree loss: two steps by hand") {
  // Leaves comp.a, comp.b, rec.c; x = 1 throughout, linear kernel, c = 0, eta = 1/2.
  // Step 1, y = a: f = 0, Delta = (0, 1, 2): y* = c, loss 2. alpha = 1/2 at a, -1/2 at c, ||f||^2 = 1/4 * 2
  // Delta = 1, f = 1/2 (kappa(a,.) - kappa(c,.)) = (1, 1/2, -1).
  // Step 2, y = b: (Delta + f) = (2, ., 1): y* = a, loss 2 - 1/2; the prediction a is Delta = 1 away. xi . f
  // = -1/2 + 1: ||f||^2 = 1 - 2 * 1/2 * 1/2 + 1/4 * 2 = 1.
  const std::vector<std::string> names = {"comp.a", "comp.b", "rec.c"};
  const LabelTree tree = LabelTree::FromNames(names, '.', LabelTree::Shape::kTwoLevels);
  const auto data = Examples<double>::Dense(1, {1, 1}, {0, 1}, LabelKind::kMulticlass, 3);
  TreeSvm<ScheduledStep> learner(Options(0, 10), Constant(0.5), Context(data, Kernel::Linear(), tree));
  StepOutcome outcome = learner.Step(0);
  CHECK((outcome.loss == 2 && outcome.margin_error && !outcome.mistake));
  CHECK(outcome.task_loss == 0);
  CHECK(learner.squared_norm() == 1);
  outcome = learner.Step(1);
  CHECK((outcome.loss == 1.5 && outcome.mistake));
  CHECK(outcome.task_loss == 1);
  CHECK(learner.squared_norm() == 1);
  CHECK(learner.counts().requested == 0 + 1 + 1 + 1);
  // f = (kappa(a,.) - kappa(c,.) + kappa(b,.) - kappa(a,.)) / 2 = (kappa(b,.) - kappa(c,.)) / 2.
  std::vector<double> f(3);
  const_cast<PairExpansion<double>&>(learner.expansion()).Values(0, f);
  CHECK(f == std::vector<double>{0.5, 1, -1});
}

// Products of f and v, computed directly from the terms with plain kernels.
template <class Learner>
double Direct(const Learner& learner, const Examples<double>& data, const LabelTree& tree, bool trace) {
  const auto& e = learner.expansion();
  double sum = 0;
  for (std::size_t i = 0; i < e.size(); ++i)
    for (std::size_t j = 0; j < e.size(); ++j) {
      const double k = testing::PlainKernel(kRbf, data, e.example(i), data, e.example(j));
      for (std::size_t r = 0; r < e.outputs(); ++r)
        for (std::size_t o = 0; o < e.outputs(); ++o)
          sum += e.alpha(i, r) * (trace ? e.beta(j, o) : e.alpha(j, o)) * k * tree.Kappa(r, o);
    }
  return sum;
}

TEST_CASE("tree kernel: losses, ||f||^2 and <f,v> equal sums over terms and outputs") {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Random random(seed);
    const LabelTree tree = testing::RandomTree(3 + random.Below(6), random);
    const auto n = static_cast<int>(tree.classes());
    const auto data = testing::RandomDense<double>(60, 4, LabelKind::kMulticlass, n, seed);
    const double lambda = seed % 3 == 0 ? 0.0 : 0.95;
    TreeSvm<MetaDescent> svmd(Options(0.05, 100), MetaDescent(0.4, 0.05, lambda, 1),
                              Context(data, kRbf, tree));
    TreeSvm<ScheduledStep> norma(Options(0.05, 100), Constant(0.3), Context(data, kRbf, tree));
    std::vector<double> f(tree.classes());
    std::vector<std::uint32_t> order(60);
    for (std::uint32_t i = 0; i < 60; ++i) order[i] = i;
    svmd.Announce(order);
    for (const std::uint32_t i : order) {
      const auto& e = norma.expansion();
      for (std::size_t y = 0; y < f.size(); ++y) {
        f[y] = 0;
        for (std::size_t s = 0; s < e.size(); ++s)
          for (std::size_t r = 0; r < f.size(); ++r)
            f[y] +=
                e.alpha(s, r) * tree.Kappa(r, y) * testing::PlainKernel(kRbf, data, e.example(s), data, i);
      }
      const auto label = static_cast<std::size_t>(data.label(i));
      double highest = -1e300;
      for (std::size_t r = 0; r < f.size(); ++r)
        if (r != label) highest = std::max(highest, tree.Delta(label, r) + f[r]);
      const std::uint64_t before = norma.counts().requested, vectors = norma.support_vectors();
      const StepOutcome outcome = norma.Step(i);
      REQUIRE(outcome.loss == Approx(std::max(0.0, highest - f[label])).margin(1e-10));
      REQUIRE(norma.counts().requested - before == vectors + (outcome.margin_error ? 1 : 0));
      svmd.Step(i);
    }
    CHECK(norma.squared_norm() == Approx(Direct(norma, data, tree, false)).epsilon(1e-9));
    CHECK(svmd.squared_norm() == Approx(Direct(svmd, data, tree, false)).epsilon(1e-8));
    CHECK(svmd.step_size().pi() == Approx(Direct(svmd, data, tree, true)).epsilon(1e-7).margin(1e-10));
  }
}

TEST_CASE("tree kernel: the identity for a flat tree, because the root cancels") {
  const LabelTree flat = LabelTree::Flat(5);
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const auto data = testing::RandomDense<double>(300, 6, LabelKind::kMulticlass, 5, seed);
    OnlineSvmOptions options = Options(0.01, 40, "multiclass-hinge");
    TreeSvm<MetaDescent> pairs(Options(0.01, 40), MetaDescent(0.3, 0.05, 0.9, 1), Context(data, kRbf, flat));
    FlatSvm<MetaDescent> columns(options, MetaDescent(0.3, 0.05, 0.9, 1), Context(data, kRbf, flat));
    for (std::uint32_t i = 0; i < 300; ++i) {
      const StepOutcome a = pairs.Step(i), b = columns.Step(i);
      REQUIRE(a.loss == Approx(b.loss).epsilon(1e-8).margin(1e-10));
      REQUIRE(a.mistake == b.mistake);
      REQUIRE(*b.task_loss == (b.mistake ? 1 : 0));
      REQUIRE(pairs.step_size().value() == Approx(columns.step_size().value()).epsilon(1e-8));
      REQUIRE(pairs.counts().requested == columns.counts().requested);
    }
    CHECK(pairs.support_vectors() == 40);
  }
}

TEST_CASE("many classes are stored as pairs: same learner as with one column per class") {
  const auto data = testing::RandomDense<double>(400, 6, LabelKind::kMulticlass, 40, 2);
  OnlineSvmOptions options = Options(0.01, 60, "multiclass-hinge");
  options.tree_kernel = false;
  const LabelTree flat = LabelTree::Flat(40);
  const auto context = Context(data, kRbf, flat);
  const auto pairs = MakeOnlineSvm<double>(options, MetaDescent(0.3, 0.05, 0.9, 1), context);
  REQUIRE(dynamic_cast<TreeSvm<MetaDescent>*>(pairs.get()) != nullptr);
  FlatSvm<MetaDescent> columns(options, MetaDescent(0.3, 0.05, 0.9, 1), context);
  for (std::uint32_t i = 0; i < 400; ++i) {
    const StepOutcome a = pairs->Step(i), b = columns.Step(i);
    REQUIRE(a.loss == Approx(b.loss).epsilon(1e-9).margin(1e-11));
    REQUIRE(a.mistake == b.mistake);
  }
}

// With a buffer that is too small: if dropped terms are ignored, the products drift. If they are subtracted,
// the products equal those of the remaining terms.
template <template <class> class Svm>
void CheckDropped(OnlineSvmOptions options, std::uint64_t seed) {
  Random random(seed);
  const LabelTree tree = options.tree_kernel ? testing::RandomTree(5, random) : LabelTree::Flat(5);
  const auto data = testing::RandomDense<double>(150, 4, LabelKind::kMulticlass, 5, seed);
  options.subtract_dropped = true;
  Svm<MetaDescent> exact(options, MetaDescent(0.2, 0.02, 0.9, 1), Context(data, kRbf, tree));
  options.subtract_dropped = false;
  Svm<MetaDescent> ignored(options, MetaDescent(0.2, 0.02, 0.9, 1), Context(data, kRbf, tree));
  for (std::uint32_t i = 0; i < 150; ++i) {
    exact.Step(i);
    ignored.Step(i);
    if (i % 10 != 9) continue;
    // The identity kernel between outputs equals the kernel of the flat tree without its root.
    const auto direct = [&](bool trace) {
      if (options.tree_kernel) return Direct(exact, data, tree, trace);
      double sum = 0;
      const auto& e = exact.expansion();
      for (std::size_t s = 0; s < e.size(); ++s)
        for (std::size_t t = 0; t < e.size(); ++t)
          for (std::size_t r = 0; r < 5; ++r)
            sum += e.alpha(s, r) * (trace ? e.beta(t, r) : e.alpha(t, r)) *
                   testing::PlainKernel(kRbf, data, e.example(s), data, e.example(t));
      return sum;
    };
    REQUIRE(exact.squared_norm() == Approx(direct(false)).epsilon(1e-8).margin(1e-12));
    REQUIRE(exact.step_size().pi() == Approx(direct(true)).epsilon(1e-7).margin(1e-10));
  }
  CHECK(exact.support_vectors() == 20);
  CHECK(ignored.squared_norm() != Approx(exact.squared_norm()).epsilon(0.01));
}

TEST_CASE("subtracting dropped terms keeps the products exact") {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    CheckDropped<TreeSvm>(Options(0.02, 20), seed);
    OnlineSvmOptions options = Options(0.02, 20, seed % 2 == 0 ? "multiclass-hinge" : "multiclass-logistic");
    options.tree_kernel = false;
    CheckDropped<FlatSvm>(options, seed);
  }
}

TEST_CASE("cached rows of dropped terms cost no kernel evaluation") {
  const LabelTree tree = LabelTree::Flat(4);
  const auto data = testing::RandomDense<double>(200, 4, LabelKind::kMulticlass, 4, 3);
  OnlineSvmOptions options = Options(0.02, 30);
  TreeSvm<ScheduledStep> ignored(options, Constant(0.1), Context(data, kRbf, tree));
  options.subtract_dropped = true;
  TreeSvm<ScheduledStep> exact(options, Constant(0.1), Context(data, kRbf, tree));
  for (std::uint32_t i = 0; i < 200; ++i) REQUIRE(ignored.Step(i).loss == exact.Step(i).loss);
  CHECK(ignored.counts().requested == exact.counts().requested);
  CHECK(ignored.counts().computed == exact.counts().computed);
}

TEST_CASE("tree kernels reject unsuitable losses and labels") {
  const auto data = testing::RandomDense<double>(10, 2, LabelKind::kMulticlass, 3, 1);
  const auto make = [&data](const std::map<std::string, ParameterValue>& asked, const LabelTree* tree) {
    const LearnerInfo& info = FindLearner("norma");
    LearnerContext<double> context{.train = &data, .test = nullptr, .kernel = kRbf, .tree = tree};
    info.MakeAs<StreamLearner>(ParameterValues::Resolve(info.parameters, asked), context);
  };
  const std::string tree = "tree", hinge = "tree-hinge";
  CHECK_THROWS_WITH(make({{"loss", hinge}}, nullptr), Catch::Contains("needs a label tree: data.tree"));
  CHECK_THROWS_WITH(make({{"loss", std::string("multiclass-hinge")}, {"output_kernel", tree}}, nullptr),
                    Catch::Contains("needs a label tree: data.tree"));
  const LabelTree flat = LabelTree::Flat(3);
  CHECK_THROWS_WITH(make({{"loss", std::string("multiclass-logistic")}, {"output_kernel", tree}}, &flat),
                    Catch::Contains("have two outputs"));
  CHECK_NOTHROW(make({{"loss", hinge}, {"output_kernel", tree}}, &flat));
}

}  // namespace
}  // namespace okbench::tree_svm_test
