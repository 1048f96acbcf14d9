// Replays of the batch solvers: the multiclass SVM with and without shrinking and with row caches of every
// size, LIBLINEAR, which requests no kernel values, and hindsight, which solves before its stream begins.

#include "learners/methods/hindsight/hindsight.h"
#include "learners/methods/liblinear/liblinear.h"
#include "learners/methods/multiclass_svm/multiclass_svm.h"
#include "tests/learners/counts/replay.h"

namespace okbench::solvers_replay {
namespace {

using hindsight::Hindsight;
using liblinear::Liblinear;
using multiclass_svm::MulticlassSvm;
using multiclass_svm::Options;
using testing::Agree;
using testing::CountingKernel;
using testing::HeldValues;
using testing::Measured;
using testing::PlainOutcome;
using testing::Settings;

constexpr std::size_t kWorkingSet = 48;  // maximum number of examples of a round

// Rounds of the multiclass SVM. Keeps k(x, x) and the scores F of the active examples, but no kernel row:
// each row of a working set is requested in full, over the active examples. Places index the announced order.
class Replay {
 public:
  Replay(const MulticlassSvm<double>& svm, const Options& options, const Examples<double>& data,
         std::vector<std::uint32_t> order, const Kernel& kernel)
      : svm_(svm),
        options_(options),
        data_(data),
        order_(std::move(order)),
        classes_(static_cast<std::size_t>(data.classes())),
        kernel_(kernel, data, data),
        solver_(classes_),
        f_(order_.size(), Row(classes_, 0.0)),
        tau_(f_) {
    for (const std::uint32_t example : order_) self_.push_back(kernel_(example, example));
    computed_ = order_.size();
    ActivateAll();
  }

  std::uint64_t asked() const { return kernel_.asked(); }
  std::uint64_t computed() const { return computed_; }
  bool finished() const { return finished_; }
  bool shrunk() const { return shrunk_; }
  bool asked_again() const { return asked_again_; }
  bool dropped() const { return dropped_; }

  RoundOutcome Round() {
    ++round_;
    Read();
    double largest = 0;
    const std::vector<std::uint32_t> set = WorkingSet(&largest);
    bool progress = false;
    if (!set.empty()) {
      const auto rows = AskRows(set);
      for (int pass = 0; pass < 8; ++pass) {
        bool changed = false;
        for (const std::uint32_t place : set)
          if (Violation(place) > 0.2 * largest) changed = Solve(place, rows.at(place)) || changed;
        if (!changed) break;
        progress = true;
      }
    }
    RoundOutcome outcome = Measure();
    const bool whole = active_.size() == order_.size();
    const bool last = round_ >= options_.max_rounds;
    if (gap_ <= options_.tolerance || !progress || last) {
      if (!whole) {
        AskFreshScores();
        outcome = Measure();
      }
      finished_ = gap_ <= options_.tolerance || (whole && !progress) || last;
    } else if (options_.shrinking && round_ % 10 == 0) {
      Shrink(largest);
    }
    return outcome;
  }

  void Compare() {
    const std::vector<Row> f = f_, tau = tau_;
    const std::vector<std::uint32_t> active = active_;
    Read();
    REQUIRE(active == active_);
    for (std::size_t place = 0; place < order_.size(); ++place) REQUIRE(Agree(tau_[place], tau[place]));
    for (const std::uint32_t place : active_) REQUIRE(Agree(f_[place], f[place]));
    REQUIRE(Agree(svm_.primal(), primal_));
    REQUIRE(Agree(svm_.dual(), dual_));
  }

 private:
  using Row = std::vector<double>;

  // Copies the learner's state exactly, since its last bits decide which examples violate at all.
  void Read() {
    active_.assign(svm_.active().begin(), svm_.active().end());
    for (std::size_t r = 0; r < classes_; ++r) {
      for (std::size_t place = 0; place < order_.size(); ++place) tau_[place][r] = svm_.tau(place, r);
      for (std::size_t p = 0; p < active_.size(); ++p) f_[active_[p]][r] = svm_.score(p, r);
    }
  }
  std::size_t Label(std::uint32_t place) const {
    return static_cast<std::size_t>(data_.label(order_[place]));
  }
  bool Supports(std::uint32_t place) const {
    return std::any_of(tau_[place].begin(), tau_[place].end(), [](double t) { return t != 0; });
  }
  void ActivateAll() {
    active_.clear();
    for (std::uint32_t place = 0; place < order_.size(); ++place) active_.push_back(place);
  }

  double Violation(std::uint32_t place) const {
    double highest = -HUGE_VAL, lowest = HUGE_VAL;
    for (std::size_t r = 0; r < classes_; ++r) {
      const bool own = r == Label(place);
      const double g = f_[place][r] - (own ? 1 : 0);
      highest = std::max(highest, g);
      if (tau_[place][r] < (own ? options_.c : 0)) lowest = std::min(lowest, g);
    }
    return highest - lowest;
  }

  // max_{r != y} (1 + F_r) - F_y.
  double Slack(std::uint32_t place) const {
    double other = -HUGE_VAL;
    for (std::size_t r = 0; r < classes_; ++r)
      if (r != Label(place)) other = std::max(other, f_[place][r]);
    return 1 + other - f_[place][Label(place)];
  }

  std::vector<std::uint32_t> WorkingSet(double* largest) const {
    std::vector<std::pair<double, std::uint32_t>> violators;
    for (const std::uint32_t place : active_)
      if (Violation(place) > 0) violators.emplace_back(-Violation(place), place);
    std::sort(violators.begin(), violators.end());
    if (violators.size() > kWorkingSet) violators.resize(kWorkingSet);
    if (!violators.empty()) *largest = -violators[0].first;
    std::vector<std::uint32_t> set;
    for (const auto& [violation, place] : violators) set.push_back(place);
    return set;
  }

  std::map<std::uint32_t, Row> AskRows(const std::vector<std::uint32_t>& set) {
    std::map<std::uint32_t, Row> rows;
    std::vector<std::uint32_t> missing;
    for (const std::uint32_t place : set) {
      for (const std::uint32_t other : active_) rows[place].push_back(kernel_(order_[place], order_[other]));
      if (!lru_.Touch(place)) missing.push_back(place);
    }
    // Computes the rows that are not cached. The cache stores at least the rows of one working set.
    const std::size_t width = testing::Padded(active_.size()) * sizeof(double);
    const std::size_t bound = std::max((options_.cache_mib << 20) / width, set.size());
    dropped_ = lru_.MakeRoom(missing.size(), bound) > 0 || dropped_;
    for (const std::uint32_t place : missing) lru_.Add(place);
    computed_ += missing.size() * active_.size();
    return rows;
  }

  bool Solve(std::uint32_t place, const Row& row) {
    Row b(classes_), tau(classes_);
    for (std::size_t r = 0; r < classes_; ++r)
      b[r] = f_[place][r] - self_[place] * tau_[place][r] - (r == Label(place) ? 1 : 0);
    solver_.Solve(self_[place], b, Label(place), options_.c, tau);
    bool changed = false;
    for (std::size_t r = 0; r < classes_; ++r) {
      const double change = tau[r] - tau_[place][r];
      changed = changed || change != 0;
      for (std::size_t p = 0; p < active_.size(); ++p) f_[active_[p]][r] += change * row[p];
    }
    tau_[place] = tau;
    return changed;
  }

  RoundOutcome Measure() {
    RoundOutcome outcome;
    double squared_norm = 0, linear = 0, loss = 0;
    for (const std::uint32_t place : active_) {
      const Row& f = f_[place];
      for (std::size_t r = 0; r < classes_; ++r) squared_norm += tau_[place][r] * f[r];
      linear += tau_[place][Label(place)];
      loss += std::max(0.0, Slack(place));
      const auto best = static_cast<std::size_t>(std::max_element(f.begin(), f.end()) - f.begin());
      outcome.mistakes += best != Label(place) ? 1 : 0;
    }
    outcome.mean_loss = loss / static_cast<double>(order_.size());
    primal_ = 0.5 * squared_norm + options_.c * loss;
    dual_ = linear - 0.5 * squared_norm;
    gap_ = (primal_ - dual_) / primal_;
    return outcome;
  }

  void Shrink(double largest) {
    std::vector<std::uint32_t> kept;
    for (const std::uint32_t place : active_)
      if (Supports(place) || Slack(place) > -largest) kept.push_back(place);
    if (kept.size() * 10 > active_.size() * 9) return;
    active_ = kept;
    shrunk_ = true;
    lru_.Forget([&](std::uint32_t place) { return !std::binary_search(kept.begin(), kept.end(), place); });
  }

  // Shrunk examples return with scores computed from the support vectors.
  void AskFreshScores() {
    std::vector<bool> known(order_.size(), false);
    for (const std::uint32_t place : active_) known[place] = true;
    ActivateAll();
    lru_.Forget([](std::uint32_t) { return true; });
    asked_again_ = true;
    for (const std::uint32_t place : active_) {
      if (known[place]) continue;
      f_[place].assign(classes_, 0.0);
      for (const std::uint32_t other : active_) {
        if (!Supports(other)) continue;
        const double k = kernel_(order_[other], order_[place]);
        ++computed_;
        for (std::size_t r = 0; r < classes_; ++r) f_[place][r] += tau_[other][r] * k;
      }
    }
  }

  const MulticlassSvm<double>& svm_;
  Options options_;
  const Examples<double>& data_;
  std::vector<std::uint32_t> order_;
  std::size_t classes_;
  CountingKernel kernel_;
  CappedSimplexSolver solver_;
  testing::PlainLru lru_;
  std::vector<Row> f_, tau_;  // [place][class]
  std::vector<double> self_;
  std::vector<std::uint32_t> active_;
  std::uint64_t computed_ = 0;
  std::size_t round_ = 0;
  double primal_ = 0, dual_ = 0, gap_ = 0;
  bool finished_ = false, shrunk_ = false, asked_again_ = false, dropped_ = false;
};

// Classes far enough apart that some examples are shrunk.
Examples<double> Classes(std::size_t rows, std::uint64_t seed) {
  return testing::RandomDense<double>(rows, 4, LabelKind::kMulticlass, 3, seed);
}

Replay Run(MulticlassSvm<double>& svm, const Options& options, const LearnerContext<double>& context,
           const std::vector<std::uint32_t>& order) {
  const Examples<double>&train = *context.train, &test = *context.test;
  testing::RequireCounts(svm, 0, 0);
  svm.Announce(order);
  Replay replay(svm, options, train, order, context.kernel);
  testing::RequireCounts(svm, replay.asked(), replay.computed());
  for (int round = 0; !replay.finished(); ++round) {
    INFO("round " << round << ", " << train.size() << " examples");
    const RoundOutcome expected = replay.Round();
    const RoundOutcome outcome = svm.Round();
    REQUIRE(Agree(outcome.mean_loss, expected.mean_loss));
    REQUIRE(outcome.mistakes == expected.mistakes);
    REQUIRE(outcome.finished == replay.finished());
    replay.Compare();
    testing::RequireCounts(svm, replay.asked(), replay.computed());
    if (round % 7 == 0) Measured(svm, test.size() * svm.support_vectors(), [&] { return svm.Test(); });
  }
  CountingKernel on_test(context.kernel, train, test);
  std::size_t mistakes = 0;
  for (std::size_t row = 0; row < test.size(); ++row) {
    std::vector<double> f(3, 0.0);
    for (std::size_t place = 0; place < order.size(); ++place) {
      if (svm.tau(place, static_cast<std::size_t>(train.label(order[place]))) == 0) continue;
      const double k = on_test(order[place], row);
      for (std::size_t r = 0; r < 3; ++r) f[r] += svm.tau(place, r) * k;
    }
    mistakes += std::max_element(f.begin(), f.end()) - f.begin() != test.label(row) ? 1 : 0;
  }
  REQUIRE(Measured(svm, on_test.asked(), [&] { return svm.Test(); }).mistakes == mistakes);
  return replay;
}

void ReplayMulticlassSvm() {
  bool shrunk = false, asked_again = false, dropped = false;
  const auto run = [&](std::size_t rows, const Options& options, std::uint64_t seed, const Kernel& kernel) {
    const auto train = Classes(rows, seed), test = Classes(9, seed + 100);
    const LearnerContext<double> context{.train = &train, .test = &test, .kernel = kernel};
    // Part of the training set, in another order.
    std::vector<std::uint32_t> order = testing::TwoPasses(rows, seed);
    order.resize(rows - 3);
    MulticlassSvm<double> svm(options, context);
    INFO("cache " << options.cache_mib << ", shrinking " << options.shrinking << ", seed " << seed);
    const Replay replay = Run(svm, options, context, order);
    shrunk = shrunk || replay.shrunk();
    asked_again = asked_again || replay.asked_again();
    dropped = dropped || replay.dropped();
  };
  for (std::uint64_t seed = 0; seed < 2; ++seed)
    for (const Kernel& kernel : {Kernel::RbfFromGamma(0.2), Kernel::Polynomial(2, 0.2, 1)})
      for (const bool shrinking : {false, true})
        for (const std::size_t cache_mib : {0, 1}) {
          const Options options{.c = 0.5, .tolerance = 1e-3, .cache_mib = cache_mib, .shrinking = shrinking};
          run(90, options, seed, kernel);
        }
  // Stops at max_rounds while examples are still shrunk.
  run(90, {.c = 0.5, .tolerance = 1e-6, .max_rounds = 15}, 3, Kernel::RbfFromGamma(0.2));
  REQUIRE((shrunk && asked_again && dropped));
  // 1 MiB stores about 300 rows of 416 values.
  dropped = false;
  run(410, {.c = 2, .tolerance = 1e-2, .cache_mib = 1}, 1, Kernel::RbfFromGamma(1));
  REQUIRE(dropped);
  const auto train = Classes(60, 5), test = Classes(9, 105);
  const LearnerContext<double> context{.train = &train, .test = &test, .kernel = Kernel::Linear()};
  const auto registered = Settings("multiclass-svm", {}).Make<MulticlassSvm<double>>(context);
  Run(*registered, Options(), context, AllRows(train));
}

void ReplayLiblinear() {
  const auto train = testing::SmallCloud(40, 1), test = testing::SmallCloud(9, 2);
  const auto learner =
      Settings("liblinear", {})
          .Make<Liblinear<double>>({.train = &train, .test = &test, .kernel = Kernel::Linear()});
  learner->Announce(AllRows(train));
  testing::RequireCounts(*learner, 0, 0);
  const RoundOutcome outcome = learner->Round();
  PlainOutcome expected;
  for (std::size_t i = 0; i < train.size(); ++i)
    expected.Count(learner->weights().dot(Eigen::Map<const Eigen::VectorXd>(train.row(i).values, 3)),
                   train.label(i));
  testing::RequireOutcome(outcome, expected);
  Measured(*learner, 0, [&] { return learner->Test(); });
  Measured(*learner, 0, [&] { return learner->MeasureTraining(); });
  testing::RequireCounts(*learner, 0, 0);
}

// Requests the whole matrix of the training part before the first step, k_ij = k_ji, and nothing afterwards.
void ReplayHindsight() {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const std::size_t n = 30;
    const auto train = testing::SmallCloud(n, seed), test = testing::SmallCloud(9, seed + 100);
    const Kernel kernel = Kernel::RbfFromGamma(0.3);
    const Settings settings("hindsight", {{"c", 0.1}});
    const auto learner =
        settings.Make<Hindsight<double>>({.train = &train, .test = &test, .kernel = kernel, .lookahead = 1});
    testing::RequireCounts(*learner, 0, 0);
    learner->Announce(AllRows(train));
    CountingKernel k(kernel, train, train), on_test(kernel, train, test);
    HeldValues values(k);
    std::vector<double> score(n, 0.0);
    double norm = 0, risk_sum = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      for (std::uint32_t j = 0; j < n; ++j) score[i] += learner->coefficient(j) * values(i, j);
      REQUIRE(Agree(learner->score(i), score[i]));
      norm += learner->coefficient(i) * score[i];
    }
    REQUIRE(Agree(learner->squared_norm(), norm));
    testing::RequireCounts(*learner, k.asked(), n * n);
    std::size_t mistakes = 0;
    for (std::size_t row = 0; row < test.size(); ++row) {
      double f = 0;
      for (std::uint32_t i = 0; i < n; ++i) f += learner->coefficient(i) * on_test(i, row);
      mistakes += testing::PredictsOtherClass(f, test.label(row)) ? 1 : 0;
    }
    for (const std::uint32_t i : testing::TwoPasses(n, seed)) {
      const StepOutcome outcome = learner->Step(i);
      const double loss = std::max(0.0, 1 - train.label(i) * score[i]);
      risk_sum += loss + 0.05 * norm;
      REQUIRE(Agree(outcome.loss, loss));
      REQUIRE(outcome.mistake == (train.label(i) * score[i] <= 0));
      REQUIRE(Agree(testing::Column(*learner, "risk_sum"), risk_sum));
      testing::RequireCounts(*learner, k.asked(), n * n);
    }
    // Predictions pack the whole training part, including examples with zero coefficient.
    REQUIRE(Measured(*learner, on_test.asked(), [&] { return learner->Test(); }).mistakes == mistakes);
  }
}

const testing::RegisterReplay kMulticlassSvm("multiclass-svm", ReplayMulticlassSvm),
    kLiblinear("liblinear", ReplayLiblinear), kHindsight("hindsight", ReplayHindsight);

}  // namespace
}  // namespace okbench::solvers_replay
