// Replays of the perceptron and MIRA under every cache policy, with removal rows recomputed and cached.
// Streams repeat their members. One example is the zero of the feature space.

#include "learners/bases/budget_learner.h"
#include "learners/methods/mira/mira.h"
#include "learners/methods/perceptron/perceptron.h"
#include "tests/learners/counts/replay.h"

namespace okbench::budget_replay {
namespace {

using mira::MiraUpdate;
using perceptron::PerceptronUpdate;
using testing::Agree;
using testing::CountingKernel;
using testing::Given;
using testing::HeldValues;
using testing::Measured;
using testing::Settings;

struct Member {
  std::uint32_t example;
  std::vector<double> tau, score;
};

// Sorts by example, then by coefficients: the same example may be a member twice.
void Sort(std::vector<Member>& members) {
  std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) {
    return std::tie(a.example, a.tau) < std::tie(b.example, b.tau);
  });
}

// Steps of a budget learner by figures 1 to 3 of budget-2003. Caches k(x, x) of its members and, if the
// learner does, the values between them.
template <class Update, class Policy>
class Replay {
 public:
  using Method = BudgetLearner<double, Update, Policy>;

  Replay(const Method& learner, const Settings& settings, const Examples<double>& data, Update update,
         const Kernel& kernel)
      : learner_(learner),
        data_(data),
        update_(std::move(update)),
        kernel_(kernel, data, data),
        between_members_(kernel_),
        beta_(settings.Real("beta")),
        limit_(settings.Count("budget")),
        hold_(settings.Text("removal_rows") == "cached") {}

  std::uint64_t asked() const { return kernel_.asked(); }
  std::uint64_t removals() const { return removals_; }

  StepOutcome Step(std::uint32_t x) {
    Read();
    const std::int32_t y = data_.label(x);
    row_.clear();
    std::vector<double> f(learner_.cache().outputs(), 0.0);
    for (const Member& member : members_) {
      const double k = kernel_(member.example, x);
      row_[member.example] = k;
      for (std::size_t r = 0; r < f.size(); ++r) f[r] += member.tau[r] * k;
    }
    const double margin = update_.Margin(f, y);
    const StepOutcome outcome{.loss = std::max(0.0, beta_ - margin),
                              .mistake = update_.Mistake(f, y),
                              .margin_error = margin <= beta_};
    if (!outcome.margin_error) return outcome;
    const double self = kernel_(x, x);
    if (self == 0) return outcome;
    if (std::is_same_v<Policy, FixedCache> && members_.size() >= limit_) Remove(Largest().first, &f);
    std::vector<double> tau(f.size());
    update_.Coefficients(f, y, self, tau);
    if (std::all_of(tau.begin(), tau.end(), [](double t) { return t == 0; })) return outcome;
    self_[x] = self;
    for (Member& member : members_) {
      if (hold_) between_members_.Hold(member.example, x, row_.at(member.example));
      for (std::size_t r = 0; r < f.size(); ++r) member.score[r] += tau[r] * row_.at(member.example);
    }
    for (std::size_t r = 0; r < f.size(); ++r) f[r] += tau[r] * self;
    members_.push_back({x, tau, f});
    if (std::is_same_v<Policy, DistilledCache>)
      while (!members_.empty() && Largest().second >= beta_) Remove(Largest().first, nullptr);
    return outcome;
  }

  void Compare() {
    std::vector<Member> expected = members_;
    Read();
    std::vector<Member> members = members_;
    REQUIRE(members.size() == expected.size());
    Sort(members);
    Sort(expected);
    bool agree = true;
    for (std::size_t i = 0; i < members.size(); ++i)
      agree = agree && members[i].example == expected[i].example && Agree(members[i].tau, expected[i].tau) &&
              (!Policy::kRemoves || Agree(members[i].score, expected[i].score));
    REQUIRE(agree);
  }

  bool Mistake(CountingKernel& kernel, std::size_t row, std::int32_t y) const {
    std::vector<double> f(learner_.cache().outputs(), 0.0);
    for (const Member& member : members_) {
      const double k = kernel(member.example, row);
      for (std::size_t r = 0; r < f.size(); ++r) f[r] += member.tau[r] * k;
    }
    return f.size() == 1 ? testing::PredictsOtherClass(f[0], y) : update_.Mistake(f, y);
  }

 private:
  void Read() {
    const auto& cache = learner_.cache();
    members_.clear();
    for (std::size_t slot = 0; slot < cache.slots(); ++slot) {
      if (!cache.in_use(slot)) continue;
      Member member{.example = cache.example(slot), .tau = {}, .score = {}};
      for (std::size_t r = 0; r < cache.outputs(); ++r) {
        member.tau.push_back(cache.tau(slot, r));
        member.score.push_back(Policy::kRemoves ? cache.score(slot, r) : 0);
      }
      members_.push_back(std::move(member));
    }
  }

  // The member with the largest margin without its own term, and this margin.
  std::pair<std::size_t, double> Largest() const {
    std::pair<std::size_t, double> largest{0, -std::numeric_limits<double>::infinity()};
    for (std::size_t i = 0; i < members_.size(); ++i) {
      std::vector<double> without = members_[i].score;
      for (std::size_t r = 0; r < without.size(); ++r)
        without[r] -= members_[i].tau[r] * self_.at(members_[i].example);
      const double margin = update_.Margin(without, data_.label(members_[i].example));
      if (margin > largest.second) largest = {i, margin};
    }
    return largest;
  }

  // A removal needs the member's row over the current cache. When removal rows are recomputed, the whole row
  // is requested. When they are cached, only the missing values are. `f`: scores of the example that is not
  // yet a member.
  void Remove(std::size_t place, std::vector<double>* f) {
    ++removals_;
    const Member gone = members_[place];
    if (!hold_) static_cast<void>(kernel_(gone.example, gone.example));
    members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(place));
    for (Member& member : members_) {
      const double k =
          hold_ ? between_members_(gone.example, member.example) : kernel_(gone.example, member.example);
      for (std::size_t r = 0; r < gone.tau.size(); ++r) member.score[r] -= gone.tau[r] * k;
    }
    if (f != nullptr)
      for (std::size_t r = 0; r < gone.tau.size(); ++r) (*f)[r] -= gone.tau[r] * row_.at(gone.example);
    const auto left = [this](std::uint32_t example) {
      return std::none_of(members_.begin(), members_.end(), [&](auto& m) { return m.example == example; });
    };
    between_members_.Forget([&](std::uint32_t i, std::uint32_t j) { return left(i) || left(j); });
  }

  const Method& learner_;
  const Examples<double>& data_;
  Update update_;
  CountingKernel kernel_;
  HeldValues between_members_;
  double beta_;
  std::size_t limit_;
  bool hold_;
  std::vector<Member> members_;
  std::map<std::uint32_t, double> row_;   // row of the step's example, cached for the step
  std::map<std::uint32_t, double> self_;  // k(x, x), cached from the insertion on
  std::uint64_t removals_ = 0;
};

// Random rows, one of them zero: its kernel value with every row is 0.
Examples<double> WithZero(std::size_t rows, LabelKind kind, int classes, std::uint64_t seed) {
  const auto data = testing::RandomDense<double>(rows, 3, kind, classes, seed);
  std::vector<double> values(data.row(0).values, data.row(0).values + 3 * rows);
  std::fill_n(values.begin() + 3 * 5, 3, 0.0);
  return Examples<double>::Dense(3, std::move(values), {data.labels().begin(), data.labels().end()}, kind,
                                 classes);
}

template <class Update, class Policy>
void Run(const std::string& name, const Update& update, const Examples<double>& train,
         const Examples<double>& test, const Kernel& kernel, Given values, std::uint64_t seed) {
  LearnerContext<double> context{.train = &train, .test = &test, .kernel = kernel, .lookahead = 1};
  values["cache"] = std::string(std::is_same_v<Policy, FixedCache>       ? "fixed"
                                : std::is_same_v<Policy, DistilledCache> ? "adaptive"
                                                                         : "none");
  using Method = BudgetLearner<double, Update, Policy>;
  const Settings settings(name, values);
  const auto learner = settings.Make<Method>(context);
  // Look-ahead changes only `computed`.
  context.lookahead = seed % 2 == 0 ? 7 : 48;
  const auto ahead = settings.Make<Method>(context);
  Replay<Update, Policy> replay(*learner, settings, train, update, kernel);
  const std::vector<std::uint32_t> order = testing::TwoPasses(train.size(), seed);
  learner->Announce(order);
  ahead->Announce(order);
  for (std::size_t step = 0; step < order.size(); ++step) {
    INFO(name << ", " << std::get<std::string>(values.at("cache")) << ", step " << step);
    const StepOutcome expected = replay.Step(order[step]);
    const StepOutcome outcome = learner->Step(order[step]);
    REQUIRE(Agree(outcome.loss, expected.loss));
    REQUIRE((outcome.mistake == expected.mistake && outcome.margin_error == expected.margin_error));
    replay.Compare();
    testing::RequireCounts(*learner, replay.asked(), replay.asked());
    REQUIRE(ahead->Step(order[step]).loss == outcome.loss);
    REQUIRE(ahead->counts().requested == replay.asked());
    REQUIRE(ahead->counts().computed >= replay.asked());
    if (step % 13 != 0) continue;
    CountingKernel on_test(kernel, train, test);
    std::size_t mistakes = 0;
    for (std::size_t row = 0; row < test.size(); ++row)
      mistakes += replay.Mistake(on_test, row, test.label(row)) ? 1 : 0;
    REQUIRE(on_test.asked() == test.size() * learner->support_vectors());
    REQUIRE(Measured(*learner, on_test.asked(), [&] { return learner->Test(); }).mistakes == mistakes);
  }
  REQUIRE(replay.removals() == static_cast<std::uint64_t>(testing::Column(*learner, "deletions")));
  if (Policy::kRemoves) REQUIRE(replay.removals() > 0);
}

template <class Update>
void RunAll(const std::string& name, LabelKind kind, int classes, const std::vector<double>& betas,
            const auto& make_update) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const auto train = WithZero(40, kind, classes, seed);
    const auto test = testing::RandomDense<double>(11, 3, kind, classes, seed + 100);
    for (const Kernel& kernel : {Kernel::RbfFromGamma(0.3), Kernel::Polynomial(2, 0.2, 0)})
      for (const double beta : betas) {
        const Update update = make_update(beta);
        Run<Update, UnboundedCache>(name, update, train, test, kernel, {{"beta", beta}}, seed);
        for (const char* row : {"recompute", "cached"}) {
          Given values = {{"beta", beta}, {"removal_rows", std::string(row)}};
          if (beta > 0) Run<Update, DistilledCache>(name, update, train, test, kernel, values, seed);
          // Two members have equal margins without their own terms, so rounding would decide which is
          // removed.
          for (const std::int64_t size : {3, 12}) {
            values["budget"] = size;
            Run<Update, FixedCache>(name, update, train, test, kernel, values, seed);
          }
        }
      }
  }
}

void ReplayPerceptron() {
  RunAll<PerceptronUpdate>("perceptron", LabelKind::kBinary, 2, {0, 0.4},
                           [](double) { return PerceptronUpdate(); });
}

void ReplayMira() {
  RunAll<MiraUpdate>("mira", LabelKind::kMulticlass, 4, {0.01, 0.5},
                     [](double beta) { return MiraUpdate(4, beta); });
}

const testing::RegisterReplay kPerceptron("perceptron", ReplayPerceptron), kMira("mira", ReplayMira);

}  // namespace
}  // namespace okbench::budget_replay
