#pragma once
// Shared code of the replays in this folder: registration, construction of learners, and comparison.
//
// A replay runs a learner beside a plain implementation of the method's equations, with a CountingKernel
// instead of the engine. Before each step or round it copies the learner's public state (support set,
// coefficients, gradients). Afterwards the learner must report the outcome that the replay computed, which
// shows that the step needed exactly these values. Requested, computed and evaluation counts must equal those
// of the replay.

#include <cmath>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "learners/api/registry.h"
#include "tests/catch.h"
#include "tests/learners/counts/counting_kernel.h"

namespace okbench::testing {

/// The replays of all learners, by the learner's name.
std::map<std::string, void (*)()>& Replays();

/// Registers the replay of a learner.
struct RegisterReplay {
  RegisterReplay(const char* learner, void (*replay)()) { Replays().emplace(learner, replay); }
};

using Given = std::map<std::string, ParameterValue>;

/// Parameters of a learner by name, including defaults.
class Settings {
 public:
  Settings(const std::string& learner, const Given& given)
      : info_(FindLearner(learner)), values_(ParameterValues::Resolve(info_.parameters, given)) {}

  double Real(const char* name) const { return std::get<double>(values_.all().at(name)); }
  std::size_t Count(const char* name) const {
    return static_cast<std::size_t>(std::get<std::int64_t>(values_.all().at(name)));
  }
  bool Is(const char* name) const { return std::get<bool>(values_.all().at(name)); }
  const std::string& Text(const char* name) const { return std::get<std::string>(values_.all().at(name)); }

  /// The learner as the registry creates it. REQUIRES: it is a `Concrete`.
  template <class Concrete>
  std::unique_ptr<Concrete> Make(const LearnerContext<double>& context) const {
    std::unique_ptr<Learner> learner = info_.Make(values_, context);
    auto* concrete = dynamic_cast<Concrete*>(learner.get());
    REQUIRE(concrete != nullptr);
    static_cast<void>(learner.release());  // owned by the returned pointer
    return std::unique_ptr<Concrete>(concrete);
  }

 private:
  const LearnerInfo& info_;
  ParameterValues values_;
};

/// Equal within the rounding errors of sums in another order.
inline bool Agree(double a, double b) { return std::fabs(a - b) <= 1e-9 * (1 + std::fabs(b)); }

/// Each pair agrees.
inline bool Agree(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) { return Agree(x, y); });
}

/// Value of a trace column specific to this learner.
inline double Column(const Learner& learner, const std::string& name) {
  const auto names = learner.Columns();
  std::vector<double> values(names.size());
  learner.Report(values);
  return values.at(static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin()));
}

/// Checks the requested and computed counts. Evaluation counts are checked by Measured().
inline void RequireCounts(const Learner& learner, std::uint64_t requested, std::uint64_t computed) {
  REQUIRE(learner.counts().requested == requested);
  REQUIRE(learner.counts().computed == computed);
}

/// Outcome of a measurement. Checks that it costs this many evaluations, and none for learning.
template <class Measure>
auto Measured(const Learner& learner, std::uint64_t evaluations, const Measure& measure) {
  const KernelCounts before = learner.counts();
  auto outcome = measure();
  RequireCounts(learner, before.requested, before.computed);
  REQUIRE(learner.counts().evaluation - before.evaluation == evaluations);
  return outcome;
}

/// Whether a model with this score predicts another class than the label: f(x) > 0 predicts +1, else -1.
inline bool PredictsOtherClass(double score, double label) { return (score > 0) != (label > 0); }

/// Statistics of the scores of binary examples, computed plainly.
struct PlainOutcome {
  std::uint64_t examples = 0, mistakes = 0, margin_errors = 0;
  std::uint64_t wrong = 0;      ///< predictions of the other class, see PredictsOtherClass()
  std::uint64_t on_margin = 0;  ///< margins so close to the limit that rounding decides
  double losses = 0;

  void Count(double score, double label) {
    ++examples;
    mistakes += label * score > 0 ? 0 : 1;
    wrong += PredictsOtherClass(score, label) ? 1 : 0;
    on_margin += Agree(label * score, 1) ? 1 : 0;
    margin_errors += label * score < 1 && !Agree(label * score, 1) ? 1 : 0;
    losses += std::max(0.0, 1 - label * score);
  }
  double mean_loss() const { return losses / static_cast<double>(examples); }
};

/// Checks the statistics of a round, except `examples`, which depends on the method.
inline void RequireOutcome(const RoundOutcome& outcome, const PlainOutcome& expected) {
  REQUIRE(Agree(outcome.mean_loss, expected.mean_loss()));
  REQUIRE(outcome.mistakes == expected.mistakes);
  REQUIRE(outcome.margin_errors >= expected.margin_errors);
  REQUIRE(outcome.margin_errors <= expected.margin_errors + expected.on_margin);
}

/// All rows, then all of them again in another order. No row occurs twice in a row, since its margin could be
/// exactly the one set by the previous step.
inline std::vector<std::uint32_t> TwoPasses(std::size_t rows, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::uint32_t> order(2 * rows);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i % rows);
  Shuffle(std::span(order).first(rows), random);
  Shuffle(std::span(order).last(rows), random);
  if (order[rows] == order[rows - 1]) std::swap(order[rows], order.back());
  return order;
}

/// Two overlapping clouds of binary examples.
inline Examples<double> SmallCloud(std::size_t rows, std::uint64_t seed) {
  return RandomDense<double>(rows, 3, LabelKind::kBinary, 2, seed);
}

}  // namespace okbench::testing
