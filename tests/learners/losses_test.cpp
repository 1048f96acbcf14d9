#include <catch2/catch.hpp>

#include "learners/core/error.h"
#include "learners/losses/hinge.h"
#include "learners/losses/loss.h"
#include "learners/losses/multiclass_hinge.h"
#include "learners/losses/novelty.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

std::unique_ptr<Loss> Make(const LossInfo& info, int classes) {
  return MakeLoss(info.name, info.labels == "multiclass" ? LabelKind::kMulticlass : LabelKind::kBinary,
                  classes);
}

std::int32_t RandomLabel(const LossInfo& info, int classes, Random& random) {
  if (info.labels == "multiclass")
    return static_cast<std::int32_t>(random.Below(static_cast<std::uint64_t>(classes)));
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
      const std::int32_t y = RandomLabel(info, classes, random);
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
        if (!loss->curved() && at_up != at_down) continue;  // a kink lies between
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
      const std::int32_t y = RandomLabel(info, classes, random);
      loss->Curvature(f, y, v, chi);
      loss->Evaluate(up, y, 1, xi_up);
      loss->Evaluate(down, y, 1, xi_down);
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

TEST_CASE("multiclass hinge by hand: the lowest index among equals, and other label distances") {
  std::vector<double> xi(3);
  const MulticlassHingeLoss plain(LabelDistance::ZeroOne(3));
  auto value = plain.Evaluate(std::vector{0.5, 1.0, 0.5}, 1, 1, xi);
  CHECK(value.loss == 0.5);
  CHECK((!value.mistake && value.margin_error));
  CHECK(xi == std::vector<double>{1, -1, 0});
  value = plain.Evaluate(std::vector{0.0, 0.0, 0.0}, 2, 1, xi);  // arg max is class 0
  CHECK((value.mistake && value.loss == 1));
  CHECK(xi == std::vector<double>{1, 0, -1});
  // Class 2 is far from class 1: it must be beaten by a margin of 3.
  const MulticlassHingeLoss tree(LabelDistance(3, {0, 1, 2, 1, 0, 3, 2, 3, 0}));
  value = tree.Evaluate(std::vector{0.5, 1.0, 0.5}, 1, 1, xi);
  CHECK(value.loss == 2.5);
  CHECK(xi == std::vector<double>{0, -1, 1});
  CHECK_THROWS_AS(LabelDistance(2, {0, -1, 1, 0}), InvalidArgument);
  CHECK_THROWS_AS(LabelDistance(2, {1, 1, 1, 0}), InvalidArgument);
}

TEST_CASE("novelty by hand: labels are ignored, flagged means f < margin") {
  const NoveltyLoss loss;
  std::vector<double> xi(1);
  auto value = loss.Evaluate(std::vector{0.75}, 7, 1, xi);
  CHECK((value.loss == 0.25 && value.mistake && xi[0] == -1));
  value = loss.Evaluate(std::vector{1.0}, 7, 1, xi);
  CHECK((value.loss == 0 && !value.mistake && xi[0] == 0));
}

TEST_CASE("losses refuse labels of the wrong kind and unknown names") {
  CHECK_THROWS_WITH(MakeLoss("hinge", LabelKind::kMulticlass, 10), Catch::Contains("needs binary labels"));
  CHECK_THROWS_WITH(MakeLoss("multiclass-hinge", LabelKind::kBinary, 2),
                    Catch::Contains("needs multiclass labels"));
  CHECK_THROWS_WITH(MakeLoss("hinges", LabelKind::kBinary, 2), Catch::Contains("did you mean 'hinge'"));
}

}  // namespace
}  // namespace okbench
