// Learners of boxes: rounds by hand, and runs checked against a plain program that stores every list.

#include <algorithm>
#include <deque>
#include <map>

#include "base/error.h"
#include "boxes/learners/box_bcfw.h"
#include "boxes/learners/box_order.h"
#include "boxes/learners/box_sfd.h"
#include "boxes/learners/box_svm_struct.h"
#include "learners/methods/bcfw/bcfw.h"
#include "learners/methods/svm_struct/svm_struct.h"
#include "learners/solvers/cutting_planes.h"
#include "tests/boxes/learners/word_images.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

using Catch::Contains;
using structural_sfd::BoxSfd;
using testing::HandImage;
using testing::MakeImageExamples;
using testing::PlainBoxes;
using testing::RandomWordImage;

Kernel KernelFor(BoxKernel kernel) {
  return kernel == BoxKernel::kIntersection ? Kernel::HistogramIntersection() : Kernel::Linear();
}

// Options that live until the tests end.
const OutputOptions* Kept(const BoxSettings& settings) {
  static std::deque<BoxOptions> kept;
  BoxOptions options;
  static_cast<BoxSettings&>(options) = settings;
  return &kept.emplace_back(options);
}

const BoxTestDetails& Details(const TestOutcome& outcome) {
  return dynamic_cast<const BoxTestDetails&>(*outcome.details);
}

LearnerContext<double> BoxContext(const Examples<double>& train, BoxKernel kernel, const BoxSettings& boxes) {
  return {.train = &train,
          .test = nullptr,
          .kernel = KernelFor(kernel),
          .tree = nullptr,
          .outputs = Kept(boxes),
          .seed = 3};
}

double ReportOf(const Learner& learner, const std::string& column) {
  const auto names = learner.Columns();
  std::vector<double> values(names.size());
  learner.Report(values);
  const auto place = std::find(names.begin(), names.end(), column);
  REQUIRE(place != names.end());
  return values[static_cast<std::size_t>(place - names.begin())];
}

template <class Learner>
RoundOutcome TrainBoxes(Learner& learner, int most) {
  RoundOutcome outcome;
  for (int round = 0; round < most && !outcome.finished; ++round) outcome = learner.Round({});
  return outcome;
}

// One image of 16 x 16 pixels. The only box is the whole image. Its object is the top left quarter:
//   0 0 1 1
//   0 1 1 1      words (3, 1) in the object, (3, 13) in the image
//   1 1 1 1
//   1 1 1 1      Delta = 1 - 64/256 = 3/4
// With the intersection kernel 1024 ||psi(y_i) - psi(y)||^2 = 4 + 16 - 2 * (3 + 1) = 12.
const BoxSettings kOneBox{.stride = 32, .levels = 1};
constexpr double kDistance = 12.0 / 1024;

Examples<double> OneImage() {
  return MakeImageExamples(
      2, {HandImage(4, 4, {0, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {{{0, 0, 8, 8}, false}})});
}

DescentOptions OverBatch(double c) {
  DescentOptions options;
  options.schedule = UpdateSchedule::Kind::kOverBatch;
  options.c = c;
  options.epsilon = 1e-9;
  return options;
}

TEST_CASE("SFD on boxes: one round by hand") {
  // One example and one plane, r = rho = 3/4, d = psi(y_i) - psi(y): the dual over b in [0, 1] is
  //   b r - b^2 ||d||^2 / (2 lambda),   b = min(1, lambda r / ||d||^2),   u = b d / lambda,
  // that is u = min(1/lambda, rho / ||d||^2) d. rho / ||d||^2 = 64.
  const auto data = OneImage();
  const std::uint32_t batch[] = {0};
  SECTION("lambda = 1: u = d") {
    BoxSfd learner(OverBatch(1), BoxContext(data, BoxKernel::kIntersection, kOneBox));
    RoundOutcome outcome = learner.Round(batch);
    CHECK((outcome.examples == 1 && outcome.mean_loss == 0.75 && outcome.margin_errors == 1));
    CHECK((outcome.mistakes == 1 && outcome.task_loss == 0.75));  // an overlap of 1/4
    CHECK(ReportOf(learner, "update_norm") == Approx(kDistance));
    CHECK(ReportOf(learner, "update_bound") == 0.75);
    CHECK(learner.squared_norm() == Approx(kDistance));
    CHECK(learner.support_vectors() == 2);
    CHECK(ReportOf(learner, "solver_steps") == 1);
    // No support at first. Then the two support boxes of the plane, each evaluated on two boxes.
    CHECK(learner.counts().requested == 0 + 2 * 2);
    // All boxes of the image, the plane on its own two boxes, and u on all boxes.
    CHECK(learner.counts().computed == 2 + 2 + 2);
    CHECK(learner.boxes_scored() == 6);
    CHECK(ReportOf(learner, "boxes_scored") == 6);
    // One call for the round's outcome, two calls to search for planes.
    CHECK(learner.oracle_calls() == 3);
    CHECK(learner.MeasureTraining().mean_loss == Approx(0.75 - kDistance));
    CHECK(learner.counts().evaluation == 2);
    // f(y_i) - f(y) = ||d||^2, so rho = 3/4 - ||d||^2. The bound 1/lambda still limits the step: u = d, f = 2
    // d.
    outcome = learner.Round(batch);
    CHECK(outcome.mean_loss == Approx(0.75 - kDistance));
    CHECK(learner.squared_norm() == Approx(4 * kDistance));
    CHECK(learner.counts().requested == 4 + 2 * 2 + 2 * 2);
    CHECK(learner.support_vectors() == 2);
  }
  SECTION("lambda = 1/128: u = 64 d, and the loss is zero afterwards") {
    BoxSfd learner(OverBatch(1.0 / 128), BoxContext(data, BoxKernel::kIntersection, kOneBox));
    learner.Round(batch);
    CHECK(learner.squared_norm() == Approx(64 * 64 * kDistance));  // 48
    CHECK(ReportOf(learner, "update_norm") == Approx(48));
    CHECK(ReportOf(learner, "update_bound") == Approx(96));
    CHECK(learner.MeasureTraining().mean_loss == Approx(0).margin(1e-9));
    const RoundOutcome outcome = learner.Round(batch);
    CHECK(outcome.mean_loss == Approx(0).margin(1e-9));
    CHECK(learner.squared_norm() == Approx(48));
  }
  SECTION("the linear kernel: ||d||^2 = 2 - 2 <(3, 1), (3, 13)> / sqrt(10 * 178)") {
    const double distance = 2 - 2 * 22 / std::sqrt(1780.0);
    BoxSfd learner(OverBatch(1), BoxContext(data, BoxKernel::kL2Linear, kOneBox));
    learner.Round(batch);
    CHECK(learner.squared_norm() == Approx(std::min(1.0, std::pow(0.75 / distance, 2)) * distance));
    CHECK(ReportOf(learner, "update_bound") == 0.75);
  }
}

TEST_CASE("SVMstruct and BCFW on boxes by hand") {
  // lambda/2 ||f||^2 + max(0, 3/4 - f(y_i) + f(y)) with lambda = 1: f = d, 12/2048 + 3/4 - 12/1024.
  const auto data = OneImage();
  const double best = 0.75 - kDistance / 2;
  const auto context = BoxContext(data, BoxKernel::kIntersection, kOneBox);
  svm_struct::BoxSvmStruct svm({{{}, 1.0}, 1e-6}, context);
  RoundOutcome outcome = svm.Round({});
  CHECK((outcome.whole_set && outcome.mean_loss == 0.75 && outcome.mistakes == 1 && !outcome.finished));
  CHECK(svm.support_vectors() == 2);
  CHECK(svm.counts().requested == 0 + 3);  // the plane's two boxes, each pair once
  CHECK(svm.counts().computed == 2 + 2);
  CHECK(svm.oracle_calls() == 1);
  outcome = svm.Round({});
  CHECK((outcome.converged && outcome.finished));
  CHECK(outcome.mean_loss == Approx(0.75 - kDistance));
  CHECK(ReportOf(svm, "primal") == Approx(best));
  CHECK(ReportOf(svm, "slack") == Approx(0.75 - kDistance));
  CHECK(ReportOf(svm, "planes") == 1);
  CHECK(svm.counts().requested == 3 + 2 * 2);
  CHECK(svm.boxes_scored() == 4 + 2);

  // C = 1: d = (C, -C) on the box and the truth, target 3/4, curvature 12/1024: a full step.
  bcfw::BoxBcfw bcfw({{{}, 1.0}, 1e-6}, context);
  outcome = bcfw.Round({});
  CHECK((outcome.converged && outcome.examples == 1 && outcome.mean_loss == 0.75));
  CHECK(ReportOf(bcfw, "primal") == Approx(best));
  CHECK(ReportOf(bcfw, "dual") == Approx(best));
  CHECK(ReportOf(bcfw, "relative_gap") == Approx(0).margin(1e-9));
  CHECK(bcfw.support_vectors() == 2);
  // Step: no support, and two boxes with each other. Gap: two boxes against two.
  CHECK(bcfw.counts().requested == 0 + 3 + 2 * 2);
  CHECK(bcfw.counts().computed == 2 + 3 + 2);
  CHECK(bcfw.oracle_calls() == 2);
  CHECK(bcfw.boxes_scored() == 4);
}

// A few images with one to nine boxes each, and a true box that is not in the list.
Examples<double> SmallSet(std::uint64_t seed, std::size_t images) {
  Random random(seed);
  std::vector<WordImage> list;
  for (std::size_t i = 0; i < images; ++i) {
    WordImage image = RandomWordImage(20 + static_cast<int>(random.Below(9)), 20, 1, 2, 2, 6, random);
    const int left = static_cast<int>(random.Below(8)), top = static_cast<int>(random.Below(8));
    image.objects = {{{left, top, left + 9, top + 11}, false}, {{0, 0, 3, 3}, true}};
    list.push_back(std::move(image));
  }
  return MakeImageExamples(6, std::move(list));
}

const BoxSettings kSmall{.stride = 8, .levels = 2};

// min_f lambda/2 ||f||^2 + mean_i max_y [Delta + f(x_i, y) - f(x_i, y_i)], by projected gradients on its
// dual,
//   max_a sum a Delta - ||sum a d||^2 / (2 lambda) with a_i >= 0, sum_y a_iy <= 1/n.
// Returns a lower bound.
double DualByGradients(const PlainBoxes& plain, double lambda, int steps) {
  std::vector<std::pair<std::size_t, std::size_t>> places;
  for (std::size_t i = 0; i < plain.deltas.size(); ++i)
    for (std::size_t y = 0; y < plain.truth(i); ++y) places.emplace_back(i, y);
  const auto n = static_cast<Eigen::Index>(places.size());
  Eigen::MatrixXd gram(n, n);
  Eigen::VectorXd delta(n), a = Eigen::VectorXd::Zero(n);
  for (Eigen::Index p = 0; p < n; ++p) {
    const auto [i, y] = places[static_cast<std::size_t>(p)];
    delta[p] = plain.deltas[i][y];
    for (Eigen::Index q = 0; q < n; ++q) {
      const auto [j, o] = places[static_cast<std::size_t>(q)];
      const std::size_t t = plain.truth(i), s = plain.truth(j);
      gram(p, q) = plain.K(i, t, j, s) - plain.K(i, t, j, o) - plain.K(i, y, j, s) + plain.K(i, y, j, o);
    }
  }
  const double cap = 1 / static_cast<double>(plain.deltas.size()), pace = lambda / gram.trace();
  for (int step = 0; step < steps; ++step) {
    a += pace * (delta - gram * a / lambda);
    // Projects onto a >= 0, sum <= cap for each image: subtracts a threshold, found by sorting.
    for (Eigen::Index first = 0; first < n;) {
      std::vector<double> values;
      Eigen::Index end = first;
      for (; end < n &&
             places[static_cast<std::size_t>(end)].first == places[static_cast<std::size_t>(first)].first;
           ++end)
        values.push_back(a[end]);
      std::sort(values.rbegin(), values.rend());
      double sum = 0, threshold = 0;
      for (std::size_t v = 0; v < values.size(); ++v) {
        sum += values[v];
        threshold = std::max(threshold, (sum - cap) / static_cast<double>(v + 1));
      }
      for (; first < end; ++first) a[first] = std::max(0.0, a[first] - threshold);
    }
  }
  return a.dot(delta) - a.dot(gram * a) / (2 * lambda);
}

TEST_CASE("SFD's first update, SVMstruct and BCFW reach the optimum of the dual within their gaps") {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const BoxKernel kernel = seed % 2 == 0 ? BoxKernel::kIntersection : BoxKernel::kL2Linear;
    const double lambda = kernel == BoxKernel::kIntersection ? 0.01 : 0.2;
    const auto data = SmallSet(seed, 4);
    auto context = BoxContext(data, kernel, kSmall);
    const double dual = DualByGradients(PlainBoxes(data, kernel, kSmall), lambda, 20000);
    INFO("seed " << seed << " dual " << dual);
    // All examples in the first round: SFD's update solves the whole problem.
    BoxSfd sfd(OverBatch(lambda * 4), context);
    sfd.Round(std::vector<std::uint32_t>{0, 1, 2, 3});
    const double update = lambda / 2 * sfd.squared_norm() + sfd.MeasureTraining().mean_loss;
    CHECK(update >= dual - 1e-9);
    CHECK(update <= dual + 1e-5);
    svm_struct::BoxSvmStruct svm({{{}, lambda}, 1e-6}, context);
    REQUIRE(TrainBoxes(svm, 2000).converged);
    CHECK(ReportOf(svm, "primal") >= dual - 1e-9);
    CHECK(ReportOf(svm, "primal") <= dual + 1e-5);
    bcfw::BoxBcfw bcfw({{{}, lambda}, 1e-3}, context);
    REQUIRE(TrainBoxes(bcfw, 3000).converged);
    CHECK(ReportOf(bcfw, "primal") >= dual - 1e-9);
    CHECK(ReportOf(bcfw, "dual") <= ReportOf(svm, "primal") + 1e-9);
    CHECK(ReportOf(bcfw, "primal") - ReportOf(bcfw, "dual") <= 1.0001e-3 * ReportOf(bcfw, "primal"));
    CHECK(svm.MeasureTraining().mean_loss == Approx(bcfw.MeasureTraining().mean_loss).margin(0.05));
  }
}

// SFD with plain lists: coefficients by image and output, scores and norms by sums over all support boxes.
class PlainSfd {
 public:
  PlainSfd(const PlainBoxes& plain, double lambda, double epsilon)
      : plain_(plain), lambda_(lambda), epsilon_(epsilon) {}

  using Coefficients = std::map<std::pair<std::size_t, std::size_t>, double>;

  double Score(const Coefficients& tau, std::size_t i, std::size_t y) const {
    double sum = 0;
    for (const auto& [place, value] : tau) sum += value * plain_.K(place.first, place.second, i, y);
    return sum;
  }
  double Product(const Coefficients& a, const Coefficients& b) const {
    double sum = 0;
    for (const auto& [place, value] : a) sum += value * Score(b, place.first, place.second);
    return sum;
  }
  double SquaredNorm() const { return Product(f_, f_); }
  std::size_t support() const {
    return static_cast<std::size_t>(
        std::count_if(f_.begin(), f_.end(), [](const auto& term) { return term.second != 0; }));
  }

  // Returns the number of requested kernel values. Sets `norm` and `bound` of the update.
  std::uint64_t Round(std::span<const std::uint32_t> batch, double& norm, double& bound) {
    const double share = 1 / static_cast<double>(batch.size());
    std::uint64_t boxes = 0, asked = 0;
    bound = 0;
    std::vector<std::vector<double>> rho;
    for (const std::uint32_t i : batch) {
      const std::size_t truth = plain_.truth(i);
      boxes += truth + 1;
      auto& list = rho.emplace_back();
      double most = 0;
      for (std::size_t y = 0; y < truth; ++y) {
        list.push_back(std::clamp(plain_.deltas[i][y] - Score(f_, i, truth) + Score(f_, i, y), 0.0, 1.0));
        most = std::max(most, list.back());
      }
      bound += share * most / lambda_;
    }
    asked += boxes * support();
    CuttingPlanes model(lambda_);
    std::vector<Coefficients> planes;
    Coefficients u;
    for (;;) {
      Coefficients plane;
      double loss = 0, offset = 0;
      for (std::size_t b = 0; b < batch.size(); ++b) {
        const std::size_t i = batch[b], truth = plain_.truth(i);
        std::size_t violator = truth;
        double worst = 0;
        for (std::size_t y = 0; y < truth; ++y) {
          const double value = rho[b][y] + Score(u, i, y) - Score(u, i, truth);
          if (value > worst) {
            worst = value;
            violator = y;
          }
        }
        loss += share * worst;
        if (violator == truth) continue;
        offset += share * rho[b][violator];
        plane[{i, truth}] = share;
        plane[{i, violator}] = -share;
      }
      if (loss - model.slack() <= epsilon_) break;
      planes.push_back(plane);
      asked += boxes * plane.size();
      Eigen::VectorXd products(static_cast<Eigen::Index>(planes.size()));
      for (std::size_t p = 0; p < planes.size(); ++p)
        products[static_cast<Eigen::Index>(p)] = Product(plane, planes[p]);
      model.Add(offset, products);
      model.Solve(epsilon_ / 100);
      u.clear();
      for (std::size_t p = 0; p < planes.size(); ++p)
        for (const auto& [place, value] : planes[p]) u[place] += model.weight(p) / lambda_ * value;
    }
    norm = Product(u, u);
    for (const auto& [place, value] : u) f_[place] += value;
    return asked;
  }

 private:
  const PlainBoxes& plain_;
  double lambda_, epsilon_;
  Coefficients f_;
};

TEST_CASE("SFD on boxes agrees with a plain implementation: norms, support, counts, theorem 3") {
  for (std::uint64_t seed = 0; seed < 6; ++seed)
    for (const double epsilon : {0.01, 1e-9}) {
      // With a coarse epsilon both take the same first steps: planes with a weight have equal gradients, and
      // later rounding decides which is dropped first. With a fine epsilon both end at the same update.
      const bool coarse = epsilon == 0.01;
      const double tolerance = coarse ? 1e-3 : 1e-6;
      const BoxKernel kernel = seed % 2 == 0 ? BoxKernel::kIntersection : BoxKernel::kL2Linear;
      BoxSettings boxes = kSmall;
      if (seed % 3 == 0)
        boxes = {.candidates = BoxSettings::Candidates::kSizes, .stride = 4, .sizes = 2, .levels = 3};
      const double lambda = kernel == BoxKernel::kIntersection ? 0.02 : 0.3;
      const auto data = SmallSet(seed + 50, 8);
      const PlainBoxes lists(data, kernel, boxes);
      DescentOptions options = OverBatch(4 * lambda);
      options.epsilon = epsilon;
      BoxSfd learner(options, BoxContext(data, kernel, boxes));
      PlainSfd plain(lists, lambda, epsilon);
      std::uint64_t asked = 0;
      for (std::uint32_t round = 0; round < (coarse ? 1 : 5); ++round) {
        const std::uint32_t first = round % 2 * 4;
        const std::vector<std::uint32_t> batch = {first + 2, first, first + 3, first + 1};
        double norm = 0, bound = 0;
        const RoundOutcome outcome = learner.Round(batch);
        asked += plain.Round(batch, norm, bound);
        INFO("seed " << seed << " epsilon " << epsilon << " round " << round);
        REQUIRE(outcome.examples == 4);
        REQUIRE(ReportOf(learner, "update_bound") == Approx(bound).epsilon(tolerance).margin(1e-6));
        REQUIRE(ReportOf(learner, "update_norm") == Approx(norm).epsilon(tolerance).margin(1e-6));
        REQUIRE(ReportOf(learner, "update_norm") <= ReportOf(learner, "update_bound") * (1 + 1e-9));
        REQUIRE(learner.squared_norm() == Approx(plain.SquaredNorm()).epsilon(tolerance));
        if (!coarse) continue;
        REQUIRE(learner.support_vectors() == plain.support());
        REQUIRE(learner.counts().requested == asked);
      }
    }
}

TEST_CASE("without a lower bound residual margins may be negative, and the updates differ") {
  const auto data = SmallSet(3, 6);
  DescentOptions options = OverBatch(0.02);
  BoxSfd bounded(options, BoxContext(data, BoxKernel::kL2Linear, kSmall));
  options.bounded_below = false;
  BoxSfd free(options, BoxContext(data, BoxKernel::kL2Linear, kSmall));
  bool same = true;
  for (std::uint32_t round = 0; round < 6; ++round) {
    const std::vector<std::uint32_t> batch = {round, (round + 1) % 6};
    bounded.Round(batch);
    free.Round(batch);
    same = same && bounded.squared_norm() == free.squared_norm();
    if (round == 0) CHECK(same);  // no residual margin is negative yet
    CHECK(ReportOf(free, "update_norm") <= ReportOf(free, "update_bound") * (1 + 1e-9));
    CHECK(ReportOf(bounded, "update_norm") <= ReportOf(bounded, "update_bound") * (1 + 1e-9));
  }
  CHECK(!same);
}

TEST_CASE("box learners are deterministic and count evaluation separately") {
  const auto data = SmallSet(9, 5), test = SmallSet(10, 3);
  for (const BoxKernel kernel : {BoxKernel::kIntersection, BoxKernel::kL2Linear}) {
    auto context = BoxContext(data, kernel, kSmall);
    context.test = &test;
    const auto check = [&](auto make, auto learn) {
      auto a = make(), b = make();
      learn(*a);
      learn(*b);
      const KernelCounts before = a->counts();
      const TestOutcome x = a->Test(), y = b->Test();
      CHECK(x.task_loss == y.task_loss);
      CHECK(a->MeasureTraining().mean_loss == b->MeasureTraining().mean_loss);
      CHECK(a->counts().requested == before.requested);
      CHECK(a->counts().computed == before.computed);
      CHECK(a->oracle_calls() == b->oracle_calls());
      std::uint64_t boxes = 0;
      for (const auto* set : {&data, &test})
        for (const auto& image : ImagesOf(*set).images)
          boxes += BoxList(kSmall, {}, image->width, image->height).size();
      CHECK(a->counts().evaluation == before.evaluation + boxes + data.size());  // and the truths
      REQUIRE(Details(x).localised.size() == 3);
      double loss = 0;
      std::size_t mistakes = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        CHECK(Details(x).localised[i].truth ==
              ImagesOf(test).images[i]->objects[0].box);  // never the difficult one
        loss += (1 - Overlap(Details(x).localised[i].truth, Details(x).localised[i].prediction)) / 3;
        mistakes += Overlap(Details(x).localised[i].truth, Details(x).localised[i].prediction) <= 0.5 ? 1 : 0;
      }
      CHECK(*x.task_loss == Approx(loss));
      CHECK(x.mistakes == mistakes);
      CHECK(Details(x).recall.empty());
    };
    check([&] { return std::make_unique<BoxSfd>(OverBatch(0.2), context); },
          [](auto& learner) {
            learner.Round(std::vector<std::uint32_t>{4, 0, 2});
            learner.Round(std::vector<std::uint32_t>{1, 3});
          });
    check(
        [&] {
          return std::make_unique<svm_struct::BoxSvmStruct>(svm_struct::Options{{{}, 0.05}, 1e-3}, context);
        },
        [](auto& learner) { TrainBoxes(learner, 8); });
    check(
        [&] {
          return std::make_unique<bcfw::BoxBcfw>(bcfw::Options{{{}, 0.05}, 1e-3}, context);
        },
        [](auto& learner) { TrainBoxes(learner, 8); });
  }
}

TEST_CASE("box-order: fixed and random orders of boxes, without learning") {
  const auto data = OneImage();
  // Lines at 0, 8, 16 in both directions: nine boxes. Two objects, and a difficult one that equals the
  // largest box.
  const auto test = MakeImageExamples(
      2, {HandImage(4, 4, std::vector<std::uint16_t>(16, 0),
                    {{{0, 0, 16, 16}, true}, {{8, 8, 16, 16}, false}, {{0, 0, 8, 6}, false}})});
  auto context = BoxContext(data, BoxKernel::kIntersection, {.stride = 8, .levels = 1, .recall = true});
  context.test = &test;
  box_order::BoxOrder largest({box_order::Order::kLargest}, context),
      best({box_order::Order::kBest}, context);
  TestOutcome outcome = largest.Test();
  REQUIRE(Details(outcome).localised.size() == 1);
  CHECK(Details(outcome).localised[0].prediction == Box{0, 0, 16, 16});
  CHECK(Details(outcome).localised[0].truth == Box{8, 8, 16, 16});  // 64 pixels of 256, against 48
  CHECK((outcome.mistakes == 1 && outcome.task_loss == 0.75 && outcome.examples == 1));
  outcome = best.Test();
  CHECK(Details(outcome).localised[0].prediction == Box{8, 8, 16, 16});
  CHECK((outcome.mistakes == 0 && outcome.task_loss == 0));
  // The other object: 48 pixels of 64. Both are among the best ten, the best one is one of them.
  REQUIRE(Details(outcome).recall.size() == 4);
  CHECK(Details(outcome).recall[1].area == Approx((1 + 0.75) / 2));
  CHECK(Details(outcome).recall[0].area == Approx(0.5));
  CHECK(Details(outcome).recall[0].recall[75] == 0.5);
  CHECK(Details(outcome).recall[1].recall[75] == 1);
  CHECK(Details(outcome).recall[1].recall[76] == 0.5);
  // Random: the same for a seed, another one for others; over many seeds each of the nine.
  std::map<int, int> frequencies;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    context.seed = seed;
    box_order::BoxOrder a({box_order::Order::kRandom}, context), b({box_order::Order::kRandom}, context);
    const Box box = Details(a.Test()).localised[0].prediction;
    CHECK(box == Details(b.Test()).localised[0].prediction);
    ++frequencies[box.left + 100 * box.top + 10000 * box.right + 1000000 * box.bottom];
  }
  CHECK(frequencies.size() == 9);
  CHECK((best.support_vectors() == 0 && best.counts().evaluation == 0 && best.counts().requested == 0));
  // The training image's object is a box of the list, and a quarter of the largest.
  const RoundOutcome right = best.Round(std::vector<std::uint32_t>{0});
  CHECK((right.examples == 1 && right.mistakes == 0 && right.task_loss == 0 && !right.finished));
  const RoundOutcome wrong = largest.Round(std::vector<std::uint32_t>{0});
  CHECK((wrong.mistakes == 1 && wrong.margin_errors == 1 && wrong.task_loss == 0.75 &&
         wrong.mean_loss == 0.75));
  context.outputs = Kept({.stride = 8, .levels = 1, .bounds = true});
  CHECK_THROWS_WITH(box_order::BoxOrder({}, context), Contains("cannot search by branch and bound"));
}

TEST_CASE("tests can also search by bounds, and report both searches") {
  const auto data = SmallSet(3, 4);
  auto context = BoxContext(data, BoxKernel::kIntersection, {.stride = 4, .levels = 2});
  context.test = &data;
  const std::uint32_t batch[] = {0, 1, 2, 3};
  BoxSfd plain(OverBatch(0.1), context);
  plain.Round(batch);
  const TestOutcome all = plain.Test();
  CHECK(!Details(all).bounds);
  context.outputs = Kept({.stride = 4, .levels = 2, .bounds = true});
  BoxSfd both(OverBatch(0.1), context);
  both.Round(batch);
  const TestOutcome outcome = both.Test();
  REQUIRE(Details(outcome).bounds);
  CHECK((Details(outcome).bounds->missed == 0 && Details(outcome).bounds->bounded > 0));
  CHECK(Details(outcome).bounds->boxes == plain.counts().evaluation);  // every box of the test images, once
  CHECK(both.counts().evaluation == Details(outcome).bounds->boxes + Details(outcome).bounds->bounded);
  CHECK((outcome.task_loss == all.task_loss && outcome.mistakes == all.mistakes));
}

TEST_CASE("box learners reject invalid parameters and data") {
  const auto data = SmallSet(1, 3);
  auto context = BoxContext(data, BoxKernel::kIntersection, kSmall);
  const auto making = [&] { BoxSfd learner(OverBatch(1), context); };
  const auto binary = testing::RandomDense<double>(6, 3, LabelKind::kBinary, 2, 1);
  context.train = &binary;
  CHECK_THROWS_WITH(making(), Contains("the examples are not images"));
  context.train = &data;
  context.test = &binary;
  CHECK_THROWS_WITH(making(), Contains("the examples are not images"));
  context.test = nullptr;
  context.kernel = Kernel::RbfFromGamma(1);
  CHECK_THROWS_WITH(making(), Contains("histogram-intersection and linear"));
  context.kernel = Kernel::Linear();
  const ImageObject object{{0, 0, 8, 8}, false};
  const std::vector<std::uint16_t> words(16, 1);
  const auto several = MakeImageExamples(6, {HandImage(4, 4, words, {object, object})});
  context.train = &several;
  CHECK_THROWS_WITH(making(), Contains("image hand has several objects"));
  context.train = &data;
  const auto others = MakeImageExamples(7, {HandImage(4, 4, words, {object, object})});
  context.test = &others;
  CHECK_THROWS_WITH(making(), Contains("different visual words"));
  const auto fits = MakeImageExamples(6, {HandImage(4, 4, words, {object, object})});
  context.test = &fits;  // test images may have several objects
  BoxSfd learner(OverBatch(1), context);
  CHECK(learner.Test().examples == 1);
  context.test = nullptr;
  BoxSfd untested(OverBatch(1), context);
  CHECK_THROWS_AS(untested.Test(), InvalidArgument);
  const auto none = MakeImageExamples(6, {});
  context.train = &none;
  CHECK_THROWS_AS(making(), InvalidArgument);
}

TEST_CASE("images as examples: labels, subsets and validation") {
  const ImageObject object{{0, 0, 8, 8}, false};
  const std::vector<std::uint16_t> words(16, 1);
  const auto examples_of = [&](std::vector<ImageObject> objects, std::size_t count) {
    return MakeImageExamples(count, {HandImage(4, 4, words, std::move(objects))});
  };
  const auto data = SmallSet(1, 3);
  CHECK((data.size() == 3 && data.features() == 0 && data.label_kind() == LabelKind::kStructured));
  CHECK((data.classes() == 0 && data.bytes() > 0));
  CHECK(std::string(LabelKindName(LabelKind::kStructured)) == "structured");
  const auto subset = data.Subset(std::vector<std::uint32_t>{2, 0, 2});
  CHECK((subset.size() == 3 && ImagesOf(subset).words == 6));
  CHECK(ImagesOf(subset).images[0] == ImagesOf(data).images[2]);  // shared, not copied
  CHECK(ImagesOf(subset).images[1] == ImagesOf(data).images[0]);
  CHECK_THROWS_AS(data.Subset(std::vector<std::uint32_t>{3}), InvalidArgument);
  CHECK_NOTHROW(examples_of({object}, 2));
  CHECK_THROWS_WITH(examples_of({object}, 1), Contains("image hand has a word outside the vocabulary"));
  CHECK_THROWS_WITH(examples_of({}, 2), Contains("no object that is not difficult"));
  CHECK_THROWS_WITH(examples_of({{{0, 0, 8, 8}, true}}, 2), Contains("no object that is not difficult"));
  CHECK_THROWS_WITH(examples_of({{{0, 0, 17, 8}, false}}, 2), Contains("outside"));
  CHECK_THROWS_WITH(examples_of({object, {{-1, 0, 8, 8}, true}}, 2), Contains("outside"));
  CHECK_THROWS_WITH(examples_of({{{8, 0, 8, 8}, false}}, 2), Contains("empty or outside the image"));
}

}  // namespace
}  // namespace okbench
