// Replays of the structured methods over classes and label trees: structural SFD by its dual and by cutting
// planes, BCFW and SVMstruct.

#include "learners/methods/bcfw/bcfw.h"
#include "learners/methods/structural_sfd/structural_sfd.h"
#include "learners/methods/svm_struct/svm_struct.h"
#include "tests/learners/counts/replay.h"
#include "tests/learners/outputs/random_tree.h"

namespace okbench::task_replay {
namespace {

using bcfw::Bcfw;
using structural_sfd::StructuralSfd;
using svm_struct::SvmStruct;
using testing::Agree;
using testing::CountingKernel;
using testing::Given;
using testing::HeldValues;
using testing::PlainLru;
using testing::Settings;

using Scores = std::vector<double>;

constexpr std::size_t kRows = 30, kBatch = 8;  // the last batch of a pass is smaller
constexpr std::size_t kClasses = 4;
const Kernel kRbf = Kernel::RbfFromGamma(0.3);

Examples<double> Data(std::uint64_t seed) {
  return testing::RandomDense<double>(kRows, 3, LabelKind::kMulticlass, kClasses, seed);
}

LabelTree Tree(std::uint64_t seed) {
  Random random(seed);
  return testing::RandomTree(kClasses, random);
}

TaskOptions TaskOptionsOf(std::uint64_t seed) {
  return {.tree_distances = seed % 2 == 0, .tree_kernel = seed % 3 == 0};
}

// Task losses of the scores of examples, computed plainly.
struct PlainTaskOutcome {
  const LabelTree& tree;
  std::uint64_t examples = 0, mistakes = 0, margin_errors = 0;
  double losses = 0, distances = 0;

  void Count(const Task& task, const Scores& f, std::size_t truth) {
    std::size_t best = 0;
    double highest = 0;
    for (std::size_t y = 0; y < f.size(); ++y) {
      if (f[y] > f[best]) best = y;
      if (y != truth) highest = std::max(highest, task.Delta(truth, y) + f[y] - f[truth]);
    }
    ++examples;
    mistakes += best != truth ? 1 : 0;
    margin_errors += highest > 0 ? 1 : 0;
    losses += highest;
    distances += tree.Delta(truth, best);
  }
  void Require(const RoundOutcome& outcome) const {
    const auto n = static_cast<double>(examples);
    REQUIRE(outcome.examples == examples);
    REQUIRE(Agree(outcome.mean_loss, losses / n));
    REQUIRE(outcome.mistakes == mistakes);
    REQUIRE(outcome.margin_errors == margin_errors);
    REQUIRE(outcome.task_loss.has_value());  // by the tree of the data, whatever loss is learned
    REQUIRE(Agree(*outcome.task_loss, distances / n));
  }
};

// f(x_i, .) of coefficients [example][output], with values from `k`.
template <class Values>
Scores ScoresOf(const Task& task, const std::vector<Scores>& tau, std::uint32_t i, Values& k) {
  Scores g(kClasses, 0.0), f(kClasses, 0.0);
  for (std::uint32_t s = 0; s < tau.size(); ++s) {
    if (std::all_of(tau[s].begin(), tau[s].end(), [](double t) { return t == 0; })) continue;
    const double value = k(s, i);
    for (std::size_t r = 0; r < kClasses; ++r) g[r] += tau[s][r] * value;
  }
  for (std::size_t y = 0; y < kClasses; ++y)
    for (std::size_t r = 0; r < kClasses; ++r) f[y] += task.Kappa(y, r) * g[r];
  return f;
}

template <class Method>
std::vector<Scores> CoefficientsOf(const Method& learner) {
  std::vector<Scores> tau(kRows, Scores(kClasses));
  for (std::uint32_t i = 0; i < kRows; ++i)
    for (std::size_t r = 0; r < kClasses; ++r) tau[i][r] = learner.coefficient(r, i);
  return tau;
}

void ReplaySfd(bool planes, std::uint64_t seed) {
  const Examples<double> data = Data(seed), test = Data(seed + 50);
  const LabelTree tree = Tree(seed);
  const TaskOptions task = TaskOptionsOf(seed);
  Given given = {{"distance", std::string(task.tree_distances ? "tree" : "zero-one")},
                 {"output_kernel", std::string(task.tree_kernel ? "tree" : "identity")}};
  given["bounded_below"] = seed % 4 < 2;
  given["solver"] = std::string(planes ? "cutting-planes" : "dual");
  const auto learner =
      Settings("structural-sfd", given)
          .Make<StructuralSfd<double>>({.train = &data, .test = &test, .kernel = kRbf, .tree = &tree});
  CountingKernel kernel(kRbf, data, data);
  std::uint64_t computed = 0;
  std::vector<Scores> tau(kRows, Scores(kClasses, 0.0));
  std::vector<bool> member(kRows, false);
  const std::vector<std::uint32_t> order = testing::TwoPasses(kRows, seed);
  for (std::size_t pass = 0; pass < 2; ++pass)
    for (std::size_t first = 0; first < kRows; first += kBatch) {
      const auto batch = std::span(order).subspan(pass * kRows + first, std::min(kBatch, kRows - first));
      PlainTaskOutcome plain{.tree = tree};
      computed += batch.size() * static_cast<std::size_t>(std::count(member.begin(), member.end(), true));
      for (const std::uint32_t i : batch)
        plain.Count(learner->task(), ScoresOf(learner->task(), tau, i, kernel),
                    static_cast<std::size_t>(data.label(i)));
      // The matrix of the batch, k_ij = k_ji, each pair once.
      HeldValues values(kernel);
      for (const std::uint32_t i : batch)
        for (const std::uint32_t j : batch) values(i, j);
      computed += batch.size() * batch.size();
      plain.Require(learner->Round(batch));
      for (const std::uint32_t i : batch)
        for (std::size_t r = 0; r < kClasses; ++r) {
          const double now = learner->expansion().coefficient(r, i);
          member[i] = member[i] || now != 0;
          tau[i][r] = now;
        }
      testing::RequireCounts(*learner, kernel.asked(), computed);
      REQUIRE(learner->support_vectors() ==
              static_cast<std::size_t>(std::count(member.begin(), member.end(), true)));
    }
  testing::Measured(*learner, learner->support_vectors() * kRows, [&] { return learner->Test(); });
  testing::Measured(*learner, 0, [&] { return learner->Test(); });
}

// Kernel rows over the training set, with the eviction rule of the method's cache.
class CachedRows {
 public:
  explicit CachedRows(std::size_t mib)
      : bound_(std::max<std::size_t>(2, (mib << 20) / (testing::Padded(kRows) * sizeof(double)))) {}
  void Row(std::uint32_t i) {
    if (lru_.Touch(i)) return;
    lru_.MakeRoom(1, bound_);
    lru_.Add(i);
    computed_ += kRows;
  }
  std::uint64_t computed() const { return computed_; }

 private:
  std::size_t bound_;
  PlainLru lru_;
  std::uint64_t computed_ = 0;
};

void ReplayBcfw(std::size_t mib, std::uint64_t seed) {
  const Examples<double> data = Data(seed);
  const LabelTree tree = Tree(seed);
  const LearnerContext<double> context{
      .train = &data, .test = &data, .kernel = kRbf, .tree = &tree, .seed = seed};
  const auto learner =
      std::make_unique<Bcfw<double>>(bcfw::Options{{TaskOptionsOf(seed), 0.02, mib}, 1e-3}, context);
  const Task& task = learner->task();
  const double cap = 1 / (0.02 * kRows);
  CountingKernel kernel(kRbf, data, data);
  CachedRows rows(mib);
  Random random(seed);
  std::vector<std::uint32_t> order(kRows);
  for (std::uint32_t i = 0; i < kRows; ++i) order[i] = i;
  std::vector<Scores> tau(kRows, Scores(kClasses, 0.0));
  for (int round = 0; round < 4; ++round) {
    PlainTaskOutcome plain{.tree = tree};
    Shuffle(std::span(order), random);
    for (const std::uint32_t i : order) {
      const auto truth = static_cast<std::size_t>(data.label(i));
      rows.Row(i);
      const Scores f = ScoresOf(task, tau, i, kernel);
      plain.Count(task, f, truth);
      std::size_t wanted = truth;
      double highest = 0;
      for (std::size_t y = 0; y < kClasses; ++y)
        if (y != truth && task.Delta(truth, y) + f[y] - f[truth] > highest) {
          highest = task.Delta(truth, y) + f[y] - f[truth];
          wanted = y;
        }
      Scores d(kClasses);
      double along = 0, curvature = 0;
      for (std::size_t y = 0; y < kClasses; ++y) {
        d[y] = (y == wanted ? cap : 0) - ((y == truth ? cap : 0) - tau[i][y]);
        along += d[y] * (task.Delta(truth, y) + f[y] - f[truth]);
      }
      if (!(along > 0)) continue;
      const bool is_member = std::any_of(tau[i].begin(), tau[i].end(), [](double t) { return t != 0; });
      const double self = is_member ? testing::PlainKernel(kRbf, data, i, data, i) : kernel(i, i);
      rows.Row(i);
      for (std::size_t y = 0; y < kClasses; ++y)
        for (std::size_t r = 0; r < kClasses; ++r) curvature += self * d[y] * task.Kappa(y, r) * d[r];
      const double gamma = curvature > along ? along / curvature : 1;
      for (std::size_t y = 0; y < kClasses; ++y) tau[i][y] -= gamma * d[y];
      if (gamma == 1)
        for (std::size_t y = 0; y < kClasses; ++y)
          tau[i][y] = (y == truth ? cap : 0) - (y == wanted ? cap : 0);
    }
    // The gap: scores of all examples, recomputed.
    for (std::uint32_t i = 0; i < kRows; ++i) {
      rows.Row(i);
      ScoresOf(task, tau, i, kernel);
    }
    plain.Require(learner->Round({}));
    const std::vector<Scores> now = CoefficientsOf(*learner);
    for (std::uint32_t i = 0; i < kRows; ++i) REQUIRE(Agree(now[i], tau[i]));
    tau = now;
    testing::RequireCounts(*learner, kernel.asked(), rows.computed());
  }
}

void ReplayStruct(std::size_t mib, std::uint64_t seed) {
  const Examples<double> data = Data(seed);
  const LabelTree tree = Tree(seed);
  const LearnerContext<double> context{.train = &data, .test = &data, .kernel = kRbf, .tree = &tree};
  const auto learner = std::make_unique<SvmStruct<double>>(
      svm_struct::Options{{TaskOptionsOf(seed), 0.02, mib}, 1e-3}, context);
  const Task& task = learner->task();
  CountingKernel kernel(kRbf, data, data);
  CachedRows rows(mib);
  std::vector<std::vector<std::uint32_t>> planes;  // fewer rounds than the idle limit: no plane is dropped
  for (int round = 0; round < 12; ++round) {
    PlainTaskOutcome plain{.tree = tree};
    std::vector<std::uint32_t> violating;
    const std::vector<Scores> tau = CoefficientsOf(*learner);
    for (std::uint32_t i = 0; i < kRows; ++i) {
      const std::uint64_t before = plain.margin_errors;
      plain.Count(task, ScoresOf(task, tau, i, kernel), static_cast<std::size_t>(data.label(i)));
      if (plain.margin_errors > before) violating.push_back(i);
    }
    const RoundOutcome outcome = learner->Round({});
    plain.Require(outcome);
    if (!outcome.finished) {
      planes.push_back(violating);
      HeldValues values(kernel);
      for (const std::uint32_t i : violating) {
        rows.Row(i);
        for (const auto& plane : planes)
          for (const std::uint32_t j : plane) values(i, j);
      }
    }
    testing::RequireCounts(*learner, kernel.asked(), rows.computed());
    if (outcome.finished) break;
  }
}

const testing::RegisterReplay kSfd("structural-sfd", [] {
  for (std::uint64_t seed = 0; seed < 6; ++seed)
    for (const bool planes : {false, true}) ReplaySfd(planes, seed);
});

const testing::RegisterReplay kBcfw("bcfw", [] {
  for (std::uint64_t seed = 0; seed < 6; ++seed)
    for (const std::size_t mib : {0, 1}) ReplayBcfw(mib, seed);
});

const testing::RegisterReplay kStruct("svm-struct", [] {
  for (std::uint64_t seed = 0; seed < 6; ++seed)
    for (const std::size_t mib : {0, 1}) ReplayStruct(mib, seed);
});

}  // namespace
}  // namespace okbench::task_replay
