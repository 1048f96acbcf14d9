// Joint multiclass steps of BPA-S and NOGD: cases by hand, and plain versions of the authors' formulas, which
// choose the removed support vector by the whole objective and keep w instead of coefficients.

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "learners/methods/bpas/bpas.h"
#include "learners/methods/nogd/nogd.h"
#include "tests/catch.h"
#include "tests/learners/counts/replay.h"
#include "tests/learners/function_learners.h"

namespace okbench::joint_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::Agree;
using testing::Alphas;
using testing::CountingKernel;
using testing::MembersOf;

ParameterValue Count(std::int64_t count) { return count; }
const ParameterValue kJoint = std::string("joint");

TEST_CASE("BPA-S, joint: two insertions and a removal by hand") {
  // Linear kernel, C = 1, B = 2, three classes. (1, 0) of class 0: f = 0, s = 1, l = 1, k = 1, tau = 1/2.
  // (0, 2) of class 1: f = 0, s = 0, l = 1, k = 4, tau = 1/8. (1, 1) of class 2: f = (1/2 - 1/4, -1/2 + 1/4,
  // 0), s = 0, l = 5/4, k = 2, tau = 5/16. ||alpha||^2 (k_rr - k_rt^2 / k_tt) is 1/2 (1 - 1/2) for (1, 0) and
  // 1/32 (4 - 4/2) for (0, 2), which is removed. alpha k_rt / k_tt = (-1/8, 1/8, 0), so that the new
  // coefficients are (-1/8 - 5/16, 1/8, 5/16).
  const auto data = Examples<double>::Dense(2, {1, 0, 0, 2, 1, 1}, {0, 1, 2}, LabelKind::kMulticlass, 3);
  const auto learner = testing::MakeFunctions<bpas::Method>(
      "bpas", {{"budget", Count(2)}, {"multiclass", kJoint}}, data, Kernel::Linear());
  CHECK(learner->Step(0).loss == 1);
  CHECK(learner->Step(1).loss == 1);
  const StepOutcome outcome = learner->Step(2);
  CHECK((outcome.loss == 1.25 && outcome.mistake && outcome.margin_error));
  CHECK(MembersOf(*learner) == std::vector<std::uint32_t>{0, 2});
  CHECK(Alphas(*learner, 0) == std::vector<double>{0.5, -0.4375});
  CHECK(Alphas(*learner, 1) == std::vector<double>{-0.5, 0.125});
  CHECK(Alphas(*learner, 2) == std::vector<double>{0, 0.3125});
  CHECK(learner->support_vectors() == 2);
  CHECK(learner->counts().requested == 3 + 3);
}

TEST_CASE("NOGD, joint: the switch by hand") {
  // Linear kernel, eta = 1/2, B = 2, r = 1. (2, 0) of class 0 and (0, 1) of class 1 join with coefficients
  // (1/2, -1/2, 0) and (-1/2, 1/2, 0). (1/2, 3) of class 0: f = (1/2 - 3/2, -1/2 + 3/2, 0), l = 3, s = 1. Now
  // D = 4, V = (1, 0)': of the coefficients only those of (2, 0) stay. z = k(x_1, x) / 2 = 1/2, and the
  // change of w by 1/2 z = 1/4 adds 1/8 to the coefficient of class 0 and takes it from that of class 1.
  const auto data = Examples<double>::Dense(2, {2, 0, 0, 1, 0.5, 3}, {0, 1, 0}, LabelKind::kMulticlass, 3);
  nogd::Options options;
  options.budget = 2;
  options.rank = 0.5;
  options.joint = true;
  nogd::Nogd<double> learner(options, {.train = &data, .test = nullptr, .kernel = Kernel::Linear()});
  learner.Step(0);
  learner.Step(1);
  CHECK(learner.feature_evaluations() == 0);
  CHECK(learner.Step(2).loss == 3);
  CHECK(learner.feature_evaluations() == 1);
  const std::vector<std::vector<double>> expected = {{0.625, 0}, {-0.625, 0}, {0, 0}};
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t j = 0; j < 2; ++j) CHECK(Alphas(learner, r)[j] == Approx(expected[r][j]).margin(1e-14));
}

// Scores, loss and second class of an example, as both plain versions compute them.
struct Scored {
  VectorXd k, v;
  Eigen::Index y = 0, s = 0;
  double loss = 0;
};

Scored Score(CountingKernel& kernel, const Examples<double>& data, const std::vector<std::uint32_t>& members,
             const MatrixXd& alpha, std::uint32_t x) {
  Scored out;
  out.k.resize(static_cast<Eigen::Index>(members.size()));
  for (std::size_t j = 0; j < members.size(); ++j)
    out.k[static_cast<Eigen::Index>(j)] = kernel(members[j], x);
  out.v = alpha * out.k;
  out.y = data.label(x);
  VectorXd others = out.v;
  others[out.y] = -std::numeric_limits<double>::infinity();
  const double second = others.maxCoeff(&out.s);
  out.loss = std::max(0.0, 1 - out.v[out.y] + second);
  return out;
}

// max(0, 1 - v_y + max_{r != y} v_r)
double HingeOf(VectorXd v, Eigen::Index y) {
  const double own = v[y];
  v[y] = -std::numeric_limits<double>::infinity();
  return std::max(0.0, 1 - own + v.maxCoeff());
}

void AppendColumn(MatrixXd& alpha, const VectorXd& column) {
  alpha.conservativeResize(column.size(), alpha.cols() + 1);
  alpha.col(alpha.cols() - 1) = column;
}

template <class Learner>
void RequireCoefficients(const Learner& learner, const MatrixXd& alpha) {
  for (Eigen::Index r = 0; r < alpha.rows(); ++r) {
    const auto coefficients = Alphas(learner, static_cast<std::size_t>(r));
    REQUIRE(coefficients.size() == static_cast<std::size_t>(alpha.cols()));
    for (Eigen::Index j = 0; j < alpha.cols(); ++j)
      REQUIRE(Agree(coefficients[static_cast<std::size_t>(j)], alpha(r, j)));
  }
}

TEST_CASE("BPA-S, joint: steps minimise the authors' objective, and counts equal those of the formulas") {
  std::size_t removals = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const auto data = testing::RandomDense<double>(90, 3, LabelKind::kMulticlass, 4, seed);
    const Kernel kernel = seed % 2 == 0 ? Kernel::RbfFromGamma(1) : Kernel::Polynomial(2, 1, 0.5);
    const double c = seed % 3 == 0 ? 0.1 : 1;
    const auto budget = 3 + seed;
    const auto learner = testing::MakeFunctions<bpas::Method>(
        "bpas", {{"budget", Count(static_cast<std::int64_t>(budget))}, {"C", c}, {"multiclass", kJoint}},
        data, kernel);
    CountingKernel plain(kernel, data, data);
    std::vector<std::uint32_t> members;
    MatrixXd alpha(4, 0);
    for (const std::uint32_t x : testing::TwoPasses(data.size(), seed)) {
      const Scored now = Score(plain, data, members, alpha, x);
      REQUIRE(Agree(learner->Step(x).loss, now.loss));
      if (now.loss > 0) {
        const double self = plain(x, x);
        VectorXd step = VectorXd::Zero(4);
        step[now.y] = std::min(c, now.loss / (2 * self));
        step[now.s] = -step[now.y];
        if (members.size() == budget) {
          double least = std::numeric_limits<double>::infinity();
          Eigen::Index gone = 0;
          for (Eigen::Index r = 0; r < alpha.cols(); ++r) {
            const VectorXd old = alpha.col(r), beta = old * now.k[r] / self + step;
            const double rr = testing::PlainKernel(kernel, data, members[static_cast<std::size_t>(r)], data,
                                                   members[static_cast<std::size_t>(r)]);
            const double distance =
                old.squaredNorm() * rr + beta.squaredNorm() * self - 2 * old.dot(beta) * now.k[r];
            const double objective = distance / 2 + c * HingeOf(now.v - old * now.k[r] + beta * self, now.y);
            if (objective >= least - 1e-12) continue;
            least = objective;
            gone = r;
          }
          step += alpha.col(gone) * now.k[gone] / self;
          MatrixXd kept(4, alpha.cols() - 1);
          kept << alpha.leftCols(gone), alpha.rightCols(alpha.cols() - gone - 1);
          alpha = kept;
          members.erase(members.begin() + gone);
          ++removals;
        }
        members.push_back(x);
        AppendColumn(alpha, step);
      }
      REQUIRE(MembersOf(*learner) == members);
      RequireCoefficients(*learner, alpha);
      REQUIRE(learner->counts().requested == plain.asked());
      REQUIRE(learner->support_vectors() == members.size());
    }
  }
  CHECK(removals > 300);
}

TEST_CASE("NOGD, joint: steps equal those of w, and counts equal those of the formulas") {
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    for (const bool zero : {false, true}) {
      const auto data = testing::RandomDense<double>(80, 3, LabelKind::kMulticlass, 3, seed);
      const Kernel kernel = Kernel::RbfFromGamma(0.7);
      nogd::Options options;
      options.budget = 12;
      options.rank = 0.5;
      options.eta = 0.3;
      options.zero = zero;
      options.joint = true;
      nogd::Nogd<double> learner(options, {.train = &data, .test = nullptr, .kernel = kernel});
      CountingKernel plain(kernel, data, data);
      std::vector<std::uint32_t> members;
      MatrixXd alpha(3, 0), w, map, gram(12, 12);
      std::uint64_t features = 0;
      for (const std::uint32_t x : testing::TwoPasses(data.size(), seed)) {
        Scored now = Score(plain, data, members, map.size() > 0 ? MatrixXd(w * map) : alpha, x);
        REQUIRE(Agree(learner.Step(x).loss, now.loss));
        if (now.loss <= 0) continue;
        VectorXd step = VectorXd::Zero(3);
        step[now.y] = 0.3;
        step[now.s] = -0.3;
        if (members.size() < 12) {
          const auto place = static_cast<Eigen::Index>(members.size());
          gram.row(place).head(place) = now.k.transpose();
          gram.col(place).head(place) = now.k;
          gram(place, place) = plain(x, x);
          members.push_back(x);
          AppendColumn(alpha, step);
        } else {
          if (map.size() == 0) {
            const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(gram);
            const MatrixXd v = solver.eigenvectors().rightCols(6);
            const VectorXd root = solver.eigenvalues().tail(6).cwiseSqrt();
            map = root.cwiseInverse().asDiagonal() * v.transpose();
            w = zero ? MatrixXd::Zero(3, 6) : MatrixXd(alpha * v * root.asDiagonal());
          }
          w += step * (map * now.k).transpose();
          features += 6;
        }
        RequireCoefficients(learner, map.size() > 0 ? MatrixXd(w * map) : alpha);
        REQUIRE(learner.counts().requested == plain.asked());
        REQUIRE(learner.feature_evaluations() == features);
        REQUIRE(learner.support_vectors() == members.size());
      }
      CHECK(features > 60);
    }
}

TEST_CASE("joint steps: binary labels have one function") {
  const auto binary = testing::NoisyClouds(150, 0.3, 0.15, 1);
  for (const char* name : {"bpas", "nogd"}) {
    const LearnerInfo& info = FindLearner(name);
    const auto make = [&](const Examples<double>& data, std::map<std::string, ParameterValue> given) {
      given.emplace("budget", Count(20));
      return info.MakeAs<StreamLearner>(
          ParameterValues::Resolve(info.parameters, given),
          LearnerContext<double>{.train = &data, .kernel = Kernel::RbfFromGamma(1)});
    };
    const auto joint = make(binary, {{"multiclass", kJoint}}), usual = make(binary, {});
    for (std::uint32_t i = 0; i < binary.size(); ++i) REQUIRE(joint->Step(i).loss == usual->Step(i).loss);
  }
}

}  // namespace
}  // namespace okbench::joint_test
