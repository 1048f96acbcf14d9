// Replays of the methods that learn from mini-batches: SFD (bounded, unbounded, with cutting planes), Pegasos
// (with and without projection and average), and the linear SVM, which requests no kernel values.

#include "learners/api/learner.h"
#include "learners/methods/linear/linear.h"
#include "learners/methods/pegasos/pegasos.h"
#include "learners/methods/sfd/sfd.h"
#include "tests/learners/counts/replay.h"

namespace okbench::rounds_replay {
namespace {

using linear::LinearSvm;
using pegasos::Pegasos;
using sfd::Sfd;
using testing::Agree;
using testing::CountingKernel;
using testing::FollowedReplay;
using testing::Given;
using testing::HeldValues;
using testing::Measured;
using testing::PlainOutcome;
using testing::Settings;

using Batch = std::span<const std::uint32_t>;

constexpr std::size_t kRows = 42, kBatch = 10;  // the last batch of a pass is smaller

const Kernel kKernels[] = {Kernel::RbfFromGamma(0.3), Kernel::Polynomial(2, 0.3, 1), Kernel::Linear()};

LearnerContext<double> Context(const Examples<double>& train, const Examples<double>& test,
                               const Kernel& kernel) {
  return {.train = &train, .test = &test, .kernel = kernel, .batch = kBatch};
}

// Calls visit(batch) for two passes over the rows.
template <class Visit>
void ForEachBatch(std::uint64_t seed, const Visit& visit) {
  const std::vector<std::uint32_t> order = testing::TwoPasses(kRows, seed);
  for (std::size_t pass = 0; pass < 2; ++pass)
    for (std::size_t first = 0; first < kRows; first += kBatch)
      visit(Batch(order).subspan(pass * kRows + first, std::min(kBatch, kRows - first)));
}

std::vector<double> CoefficientsOf(std::size_t n, const auto& of) {
  std::vector<double> coefficients(n);
  for (std::size_t i = 0; i < n; ++i) coefficients[i] = of(static_cast<std::uint32_t>(i));
  return coefficients;
}

// Test and training measurements whose scores are updated incrementally.
class Measurements {
 public:
  Measurements(const Kernel& kernel, const Examples<double>& train, const Examples<double>& test)
      : train_(train), test_(test), on_train_(kernel, train, train), on_test_(kernel, train, test) {}

  template <class Method>
  void Compare(Method& learner, const std::vector<double>& coefficients, const std::vector<bool>& changed) {
    const PlainOutcome train = Outcome(on_train_, train_, coefficients, changed);
    const PlainOutcome test = Outcome(on_test_, test_, coefficients, changed);
    const auto count = static_cast<std::uint64_t>(std::count(changed.begin(), changed.end(), true));
    const TrainingOutcome on_train =
        Measured(learner, count * train_.size(), [&] { return learner.MeasureTraining(); });
    REQUIRE(Agree(on_train.mean_loss, train.mean_loss()));
    const TestOutcome on_test = Measured(learner, count * test_.size(), [&] { return learner.Test(); });
    REQUIRE(on_test.mistakes == test.wrong);
    // The coefficients are unchanged, so nothing is evaluated.
    Measured(learner, 0, [&] { return learner.Test(); });
    REQUIRE(learner.counts().evaluation == on_train_.asked() + on_test_.asked());
  }

 private:
  static PlainOutcome Outcome(FollowedReplay& followed, const Examples<double>& set,
                              const std::vector<double>& coefficients, const std::vector<bool>& changed) {
    PlainOutcome outcome;
    const std::vector<double> scores = followed.Scores(coefficients, changed);
    for (std::size_t i = 0; i < set.size(); ++i) outcome.Count(scores[i], set.label(i));
    return outcome;
  }

  const Examples<double>& train_;
  const Examples<double>& test_;
  FollowedReplay on_train_, on_test_;
};

// y_i y_j k_ij among some examples of a batch. k_ij = k_ji, so each pair is requested once.
std::vector<double> SignedGram(CountingKernel& kernel, const Examples<double>& data, Batch chosen) {
  HeldValues values(kernel);
  std::vector<double> gram;
  for (const std::uint32_t i : chosen)
    for (const std::uint32_t j : chosen) gram.push_back(data.label(i) * data.label(j) * values(i, j));
  return gram;
}

void RunSfd(const Given& values, const Kernel& kernel, std::uint64_t seed) {
  const auto train = testing::SmallCloud(kRows, seed), test = testing::SmallCloud(9, seed + 100);
  const Settings settings("sfd", values);
  const auto learner = settings.Make<Sfd<double>>(Context(train, test, kernel));
  CountingKernel k(kernel, train, train);
  Measurements measurements(kernel, train, test);
  std::vector<double> measured(kRows, 0.0);
  std::uint64_t computed = 0;
  int round = 0;
  ForEachBatch(seed, [&](Batch batch) {
    // Scores, whose values are not cached, and then the matrix of the batch.
    const std::vector<std::uint32_t> members(learner->expansion().members().begin(),
                                             learner->expansion().members().end());
    const auto coefficient = [&](std::uint32_t i) { return learner->expansion().coefficient(0, i); };
    const std::vector<double> before = CoefficientsOf(kRows, coefficient);
    const double norm = learner->squared_norm();
    const std::size_t size = batch.size();
    PlainOutcome expected;
    std::vector<double> scores;
    Eigen::ArrayXd rho(static_cast<Eigen::Index>(size)), a(static_cast<Eigen::Index>(size));
    for (std::size_t i = 0; i < size; ++i) {
      double f = 0;
      for (const std::uint32_t s : members) f += before[s] * k(s, batch[i]);
      scores.push_back(f);
      expected.Count(f, train.label(batch[i]));
      const double residual = 1 - train.label(batch[i]) * f;
      const double least = settings.Is("bounded_below") ? settings.Real("rho_min") : residual;
      rho[static_cast<Eigen::Index>(i)] = std::min(settings.Real("rho_max"), std::max(least, residual));
    }
    computed += members.size() * size + size * size;
    const std::vector<double> gram = SignedGram(k, train, batch);

    const RoundOutcome outcome = learner->Round(batch);
    REQUIRE(outcome.examples == size);
    testing::RequireOutcome(outcome, expected);
    testing::RequireCounts(*learner, k.asked(), computed);
    // The learner's dual variables. Norm and gap show which entries of the matrix it needed.
    double along = 0, update = 0, gap = 0, primal = 0;
    const double cap = 1 / (testing::Column(*learner, "lambda") * static_cast<double>(size));
    for (std::size_t i = 0; i < size; ++i)
      a[static_cast<Eigen::Index>(i)] = (coefficient(batch[i]) - before[batch[i]]) * train.label(batch[i]);
    for (std::size_t i = 0; i < size; ++i) {
      const double a_i = a[static_cast<Eigen::Index>(i)];
      double reached = 0;
      for (std::size_t j = 0; j < size; ++j) reached += gram[i * size + j] * a[static_cast<Eigen::Index>(j)];
      const double gradient = rho[static_cast<Eigen::Index>(i)] - reached;
      along += a_i * train.label(batch[i]) * scores[i];
      update += a_i * reached;
      gap += cap * std::max(0.0, gradient) - a_i * gradient;
      primal += cap * std::max(0.0, gradient) + 0.5 * a_i * reached;
    }
    REQUIRE(Agree(testing::Column(*learner, "update_norm"), update));
    REQUIRE(Agree(learner->squared_norm(), norm + 2 * along + update));
    if (settings.Text("solver") == "coordinate") {
      REQUIRE(Agree(testing::Column(*learner, "relative_gap"), primal > 0 ? gap / primal : 0));
      // The solver finds the same solution from the replay's matrix.
      const auto rows = static_cast<Eigen::Index>(size);
      Eigen::ArrayXd solved(rows);
      BoxQpSolver<double>().Solve({gram.data(), rows, rows, Eigen::OuterStride<>(rows)}, rho, cap,
                                  settings.Real("gap"), solved);
      REQUIRE((solved - a).abs().maxCoeff() < 1e-8);
    } else {
      REQUIRE(gap <= cap * static_cast<double>(size) * settings.Real("epsilon") * 1.02);
    }
    if (round++ % 4 != 0) return;
    const std::vector<double> now = CoefficientsOf(kRows, coefficient);
    std::vector<bool> changed(kRows);
    for (std::size_t i = 0; i < kRows; ++i) changed[i] = now[i] != measured[i];
    measurements.Compare(*learner, now, changed);
    measured = now;
  });
}

void ReplaySfd() {
  const Given planes = {{"solver", std::string("cutting-planes")}};
  const Given unbounded = {{"bounded_below", false}, {"gap", 1e-9}};
  const Given wide = {{"rho_min", -0.5}, {"rho_max", 2.0}, {"schedule", std::string("sfd2")}};
  for (std::uint64_t seed = 0; seed < 3; ++seed)
    for (const Kernel& kernel : kKernels)
      for (const Given& values : {Given{}, unbounded, wide, planes}) RunSfd(values, kernel, seed);
}

void RunPegasos(const Given& values, const Kernel& kernel, std::uint64_t seed) {
  const auto train = testing::SmallCloud(kRows, seed), test = testing::SmallCloud(9, seed + 100);
  const Settings settings("pegasos", values);
  const auto learner = settings.Make<Pegasos<double>>(Context(train, test, kernel));
  const bool average = settings.Text("average") != "none";
  const double lambda = settings.Real("lambda");
  CountingKernel k(kernel, train, train);
  Measurements measurements(kernel, train, test);
  std::vector<bool> member(kRows, false), changed(kRows, false);
  std::uint64_t computed = 0;
  double t = 0;
  ForEachBatch(seed, [&](Batch batch) {
    t += 1;
    // One kernel value serves f and its average.
    const auto coefficient = [&](std::uint32_t i) { return learner->coefficient(i); };
    const auto predicting = [&](std::uint32_t i) { return learner->predicting_coefficient(i); };
    std::vector<double> f = CoefficientsOf(kRows, coefficient), fbar = CoefficientsOf(kRows, predicting);
    const double norm = learner->squared_norm();
    const auto size = static_cast<double>(batch.size());
    PlainOutcome expected;
    std::vector<std::uint32_t> violators;
    double along = 0;
    for (const std::uint32_t i : batch) {
      double score = 0, predicted = 0;
      for (std::uint32_t s = 0; s < kRows; ++s) {
        if (!member[s]) continue;
        const double value = k(s, i);
        ++computed;
        score += f[s] * value;
        predicted += fbar[s] * value;
      }
      const double y = train.label(i);
      expected.Count(average ? predicted : score, y);
      if (y * score >= 1) continue;
      violators.push_back(i);
      along += y * score;
    }
    const double decay = 1 - 1 / t, weight = 1 / (lambda * t) / size;
    for (double& a : f) a *= decay;
    for (const std::uint32_t i : violators) {
      f[i] += weight * train.label(i);
      member[i] = changed[i] = true;
    }
    double expected_norm = 0;
    if (settings.Is("projection")) {
      double square = 0;
      for (const double value : SignedGram(k, train, violators)) square += value;
      computed += violators.size() * batch.size();
      expected_norm = decay * decay * norm + 2 * decay * weight * along + weight * weight * square;
      const double factor = std::min(1.0, 1 / std::sqrt(lambda * expected_norm));
      for (double& a : f) a *= factor;
      expected_norm *= factor * factor;
    }
    const double rho = t == 1 ? 1 : settings.Real("decay") / (t + settings.Real("decay") + 1);
    for (std::size_t i = 0; i < kRows; ++i) fbar[i] = average ? (1 - rho) * fbar[i] + rho * f[i] : f[i];

    const RoundOutcome outcome = learner->Round(batch);
    REQUIRE(outcome.examples == batch.size());
    testing::RequireOutcome(outcome, expected);
    testing::RequireCounts(*learner, k.asked(), computed);
    REQUIRE(Agree(CoefficientsOf(kRows, coefficient), f));
    REQUIRE(Agree(CoefficientsOf(kRows, predicting), fbar));
    if (settings.Is("projection")) REQUIRE(Agree(learner->squared_norm(), expected_norm));
    REQUIRE(learner->support_vectors() ==
            static_cast<std::size_t>(std::count(member.begin(), member.end(), true)));
    if (static_cast<int>(t) % 3 == 0) {
      measurements.Compare(*learner, CoefficientsOf(kRows, predicting), changed);
      changed.assign(kRows, false);
    }
  });
}

void ReplayPegasos() {
  for (std::uint64_t seed = 0; seed < 3; ++seed)
    for (const Kernel& kernel : kKernels)
      for (const bool projection : {false, true})
        for (const char* average : {"none", "polynomial-decay"})
          for (const double lambda : {1e-3, 0.1})
            RunPegasos({{"projection", projection}, {"average", std::string(average)}, {"lambda", lambda}},
                       kernel, seed);
}

void ReplayLinear() {
  const auto train = testing::SmallCloud(kRows, 1), test = testing::SmallCloud(9, 2);
  for (const bool average : {false, true}) {
    const Settings settings("linear", {{"average", average}, {"projection", true}, {"lambda", 0.01}});
    const auto learner = settings.Make<LinearSvm<double>>(Context(train, test, Kernel::Linear()));
    ForEachBatch(1, [&](Batch batch) {
      const Eigen::VectorXd w = learner->predicting();
      PlainOutcome expected;
      for (const std::uint32_t i : batch)
        expected.Count(w.dot(Eigen::Map<const Eigen::VectorXd>(train.row(i).values, 3)), train.label(i));
      testing::RequireOutcome(learner->Round(batch), expected);
      Measured(*learner, 0, [&] { return learner->Test(); });
      Measured(*learner, 0, [&] { return learner->MeasureTraining(); });
      testing::RequireCounts(*learner, 0, 0);
    });
  }
}

const testing::RegisterReplay kSfd("sfd", ReplaySfd), kPegasos("pegasos", ReplayPegasos),
    kLinear("linear", ReplayLinear);

}  // namespace
}  // namespace okbench::rounds_replay
