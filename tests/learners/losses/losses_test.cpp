#include "base/error.h"
#include "learners/losses/hinge.h"
#include "learners/losses/loss.h"
#include "learners/losses/multiclass_hinge.h"
#include "learners/losses/novelty.h"
#include "learners/losses/regression.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

std::unique_ptr<Loss> Make(const LossInfo& info, int classes) {
  const LabelKind kind = info.labels == "multiclass" ? LabelKind::kMulticlass
                         : info.labels == "real"     ? LabelKind::kReal
                                                     : LabelKind::kBinary;
  const LabelTree tree = LabelTree::Flat(static_cast<std::size_t>(classes));
  std::vector<std::string> names, star;
  for (int y = 0; y < classes; ++y) {
    names.push_back(std::to_string(y));
    star.push_back("root " + names.back() + " 0.5");
  }
  const LabelGraph graph(star, names);
  return MakeLoss(info.name, kind, classes, &tree, &graph);
}

double RandomTarget(const LossInfo& info, int classes, Random& random) {
  if (info.labels == "multiclass")
    return static_cast<double>(random.Below(static_cast<std::uint64_t>(classes)));
  if (info.labels == "real") return 2 * random.Normal();
  return random.Below(2) == 0 ? -1 : 1;
}

TEST_CASE("gradient coefficients equal numerical derivatives away from kinks") {
  constexpr double kStep = 1e-6;
  for (const LossInfo& info : Losses()) {
    const int classes = info.labels == "multiclass" ? 5 : 2;
    const auto loss = Make(info, classes);
    Random random(17);
    for (int trial = 0; trial < 300; ++trial) {
      const std::size_t n = loss->outputs();
      std::vector<double> f(n), xi(n), ignored(n);
      for (double& score : f) score = 2 * random.Normal();
      const double y = RandomTarget(info, classes, random);
      const double margin = 0.1 + random.Uniform();
      loss->Evaluate(f, y, margin, xi);
      for (std::size_t r = 0; r < n; ++r) {
        auto up = f, down = f;
        up[r] += kStep;
        down[r] -= kStep;
        const double slope =
            (loss->Evaluate(up, y, margin, ignored).loss - loss->Evaluate(down, y, margin, ignored).loss) /
            (2 * kStep);
        std::vector<double> at_up(n), at_down(n);
        loss->Evaluate(up, y, margin, at_up);
        loss->Evaluate(down, y, margin, at_down);
        // Skip if a kink of xi, or of its slope (Huber), lies in between.
        if (!loss->curved() && at_up != at_down) continue;
        if (std::fabs(loss->Evaluate(f, y, margin, ignored).violation) < 2 * kStep) continue;
        INFO(info.name);
        REQUIRE(xi[r] == Approx(slope).margin(1e-8).epsilon(1e-6));
      }
    }
  }
}

TEST_CASE("curvature coefficients equal the derivative of the gradient along v") {
  constexpr double kStep = 1e-6;
  for (const LossInfo& info : Losses()) {
    const int classes = info.labels == "multiclass" ? 4 : 2;
    const auto loss = Make(info, classes);
    if (!loss->curved()) continue;
    Random random(23);
    for (int trial = 0; trial < 300; ++trial) {
      const std::size_t n = loss->outputs();
      std::vector<double> f(n), v(n), chi(n), up(n), down(n), xi_up(n), xi_down(n);
      for (std::size_t r = 0; r < n; ++r) {
        f[r] = 3 * random.Normal();
        v[r] = random.Normal();
        up[r] = f[r] + kStep * v[r];
        down[r] = f[r] - kStep * v[r];
      }
      const double y = RandomTarget(info, classes, random);
      const double margin = 0.1 + random.Uniform();
      loss->Curvature(f, y, margin, v, chi);
      if (loss->Evaluate(up, y, margin, xi_up).margin_error !=
          loss->Evaluate(down, y, margin, xi_down).margin_error)
        continue;  // Huber's kink lies in between
      for (std::size_t r = 0; r < n; ++r)
        REQUIRE(chi[r] == Approx((xi_up[r] - xi_down[r]) / (2 * kStep)).margin(1e-8).epsilon(1e-5));
    }
  }
}

TEST_CASE("binary hinge by hand") {
  const HingeLoss loss;
  std::vector<double> xi(1);
  auto value = loss.Evaluate(std::vector{0.25}, -1, 1, xi);
  CHECK(value.loss == 1.25);
  CHECK((value.mistake && value.margin_error));
  CHECK(xi[0] == 1);
  value =
      loss.Evaluate(std::vector{0.0}, 1, 0, xi);  // f(x) = 0 is a mistake, and the perceptron learns from it
  CHECK((value.mistake && value.margin_error));
  CHECK(xi[0] == -1);
  value = loss.Evaluate(std::vector{2.0}, 1, 1, xi);
  CHECK((value.loss == 0 && !value.mistake && !value.margin_error && xi[0] == 0));
}

TEST_CASE("multiclass hinge by hand: ties go to the lowest index, and other label distances") {
  std::vector<double> xi(3);
  const MulticlassHingeLoss plain(LabelDistance::ZeroOne(3));
  auto value = plain.Evaluate(std::vector{0.5, 1.0, 0.5}, 1, 1, xi);
  CHECK(value.loss == 0.5);
  CHECK((!value.mistake && value.margin_error));
  CHECK(xi == std::vector<double>{1, -1, 0});
  value = plain.Evaluate(std::vector{0.0, 0.0, 0.0}, 2, 1, xi);  // arg max is class 0
  CHECK((value.mistake && value.loss == 1));
  CHECK(xi == std::vector<double>{1, 0, -1});
  // Class 2 has distance 3 from class 1, so the margin to it must be 3.
  const MulticlassHingeLoss tree(LabelDistance(3, {0, 1, 2, 1, 0, 3, 2, 3, 0}));
  value = tree.Evaluate(std::vector{0.5, 1.0, 0.5}, 1, 1, xi);
  CHECK(value.loss == 2.5);
  CHECK(xi == std::vector<double>{0, -1, 1});
  // The derivative with respect to the margin, used by the nu-trick, is e = Delta(y, y*).
  std::vector<double> ignored(3);
  const std::vector<double> f = {0.3, 0.1, -0.2};
  for (const double y : {0.0, 1.0, 2.0}) {
    const auto loss = [&](double margin) { return tree.Evaluate(f, y, margin, ignored).loss; };
    CHECK(tree.Evaluate(f, y, 0.7, ignored).e() == Approx((loss(0.7 + 1e-6) - loss(0.7 - 1e-6)) / 2e-6));
    CHECK(tree.Evaluate(f, y, 0.7, ignored).e() > 1);
  }
  CHECK_THROWS_AS(LabelDistance(2, {0, -1, 1, 0}), InvalidArgument);
  CHECK_THROWS_AS(LabelDistance(2, {1, 1, 1, 0}), InvalidArgument);
}

TEST_CASE("novelty loss by hand: labels are ignored, a mistake means f < margin") {
  const NoveltyLoss loss;
  std::vector<double> xi(1);
  auto value = loss.Evaluate(std::vector{0.75}, 7, 1, xi);
  CHECK((value.loss == 0.25 && value.mistake && xi[0] == -1));
  value = loss.Evaluate(std::vector{1.0}, 7, 1, xi);
  CHECK((value.loss == 0 && !value.mistake && xi[0] == 0));
}

TEST_CASE("derivatives of every loss are bounded by the slope in the registry") {
  for (const LossInfo& info : Losses()) {
    const auto loss = Make(info, info.labels == "multiclass" ? 5 : 2);
    Random random(31);
    double largest = 0;
    for (int trial = 0; trial < 2000; ++trial) {
      std::vector<double> f(loss->outputs()), xi(loss->outputs());
      for (double& score : f) score = 20 * random.Normal();
      loss->Evaluate(f, RandomTarget(info, 5, random), 0.1 + random.Uniform(), xi);
      double square = 0;
      for (const double x : xi) square += x * x;
      largest = std::max(largest, std::sqrt(square));
    }
    INFO(info.name);
    CHECK(largest <= info.slope * (1 + 1e-12));
    if (std::isfinite(info.slope)) CHECK(largest > 0.9 * info.slope);
  }
}

TEST_CASE("regression losses by hand") {
  std::vector<double> xi(1);
  // y = 2, f = 0.5: d = 1.5.
  auto value = SquaredLoss().Evaluate(std::vector{0.5}, 2, 0, xi);
  CHECK((value.loss == 1.125 && xi[0] == -1.5 && !value.mistake && !value.margin_error));
  value = EpsInsensitiveLoss().Evaluate(std::vector{0.5}, 2, 0.25, xi);
  CHECK((value.loss == 1.25 && xi[0] == -1 && value.margin_error && value.violation == 1.25));
  value = EpsInsensitiveLoss().Evaluate(std::vector{2.25}, 2, 0.25, xi);  // the edge counts as inside
  CHECK((value.loss == 0 && xi[0] == 0 && !value.margin_error && value.violation == 0));
  value = HuberLoss().Evaluate(std::vector{0.5}, 2, 0.5, xi);
  CHECK((value.loss == 1.25 && xi[0] == -1 && value.margin_error && value.violation == 1));
  value = HuberLoss().Evaluate(std::vector{2.25}, 2, 0.5, xi);  // d = -0.25
  CHECK((value.loss == 0.0625 && xi[0] == 0.5 && !value.margin_error));
  std::vector<double> chi(1);
  HuberLoss().Curvature(std::vector{2.25}, 2, 0.5, std::vector{3.0}, chi);
  CHECK(chi[0] == 6);
  HuberLoss().Curvature(std::vector{0.5}, 2, 0.5, std::vector{3.0}, chi);
  CHECK(chi[0] == 0);
}

TEST_CASE("losses reject labels of the wrong kind and unknown names") {
  CHECK_THROWS_WITH(MakeLoss("hinge", LabelKind::kMulticlass, 10), Catch::Contains("needs binary labels"));
  CHECK_THROWS_WITH(MakeLoss("multiclass-hinge", LabelKind::kBinary, 2),
                    Catch::Contains("needs multiclass labels"));
  CHECK_THROWS_WITH(MakeLoss("huber", LabelKind::kBinary, 2), Catch::Contains("needs real labels"));
  CHECK_THROWS_WITH(MakeLoss("hinge", LabelKind::kReal, 0), Catch::Contains("needs binary labels"));
  CHECK_THROWS_WITH(MakeLoss("hinges", LabelKind::kBinary, 2), Catch::Contains("did you mean hinge"));
}

}  // namespace
}  // namespace okbench
