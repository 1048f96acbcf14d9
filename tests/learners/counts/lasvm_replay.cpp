// Replays of LaSVM: every selection rule, gradients of the training set and of the support set, two epochs,
// finishing, and row caches of two rows, some rows and all rows.

#include "learners/methods/lasvm/lasvm.h"
#include "tests/learners/counts/member_rows.h"
#include "tests/learners/counts/replay.h"

namespace okbench::lasvm_replay {
namespace {

using lasvm::Gradients;
using lasvm::Lasvm;
using lasvm::Options;
using lasvm::Selection;
using testing::Agree;
using testing::CountingKernel;
using testing::FollowedReplay;
using testing::HeldValues;
using testing::Measured;
using testing::PlainOutcome;

constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);

// Rounds of LaSVM by PROCESS and REPROCESS. Caches the gradients of its members, the row of the selected
// candidate until its PROCESS ends, and the two rows of a step during that step.
class Replay {
 public:
  Replay(const Lasvm<double>& learner, const Options& options, const Examples<double>& data,
         const LearnerContext<double>& context)
      : learner_(learner),
        options_(options),
        data_(data),
        kernel_(context.kernel, data, data),
        kernel_values_(kernel_),
        random_(context.seed),
        lookahead_(context.lookahead),
        training_set_(options.gradients == Gradients::kTrainingSet),
        // At least two rows of whole blocks. Rows over members are shorter.
        bound_(std::max<std::size_t>(
            2, (options.cache_mib << 20) / (testing::Padded(data.size()) * sizeof(double)))),
        alpha_(data.size(), 0.0),
        score_(data.size()),
        public_score_(data.size()) {
    Read();
  }

  std::uint64_t asked() const { return kernel_.asked(); }
  std::uint64_t computed() const { return computed_; }
  std::uint64_t dropped() const { return dropped_; }
  const std::vector<double>& alpha() const { return alpha_; }
  double bias() const { return bias_; }

  /// Copies the learner's state before its round.
  void Read() {
    members_.assign(learner_.members().begin(), learner_.members().end());
    for (std::uint32_t i = 0; i < data_.size(); ++i) {
      alpha_[i] = learner_.alpha(i);
      if (training_set_ || IsMember(i)) score_[i] = public_score_[i] = learner_.score(i);
    }
    bias_ = learner_.bias();
    FindExtremes();
  }

  /// Replays the round, after the learner's.
  PlainOutcome Round() {
    PlainOutcome outcome;
    if (unseen_.empty() && upcoming_.empty())
      for (std::uint32_t i = 0; i < data_.size(); ++i) unseen_.push_back(i);
    if (members_.empty()) Seed(outcome);
    if (unseen_.empty() && upcoming_.empty()) return outcome;
    kernel_values_.Forget();
    const std::uint32_t example = Select();
    const bool is_member = IsMember(example);
    // Cached if the selection has requested it.
    if (!is_member) AskScore(example);
    outcome.Count(score_[example] + bias_, data_.label(example));
    if (!is_member) Process(example);
    Reprocess();
    if (!IsMember(example)) DropRow(example);
    return outcome;
  }

  void Finish() {
    while (Reprocess()) {
    }
  }

  void Compare() {
    const std::vector<std::uint32_t> members = members_;
    const std::vector<double> alpha = alpha_, score = score_;
    const double bias = bias_;
    Read();
    REQUIRE(members == members_);
    bool agree = Agree(alpha, alpha_);
    for (const std::uint32_t s : members_) agree = agree && Agree(score[s], score_[s]);
    REQUIRE(agree);
    REQUIRE(Agree(bias, bias_));
    REQUIRE(testing::Column(learner_, "delta") == Delta());
  }

 private:
  bool IsMember(std::uint32_t i) const {
    return std::find(members_.begin(), members_.end(), i) != members_.end();
  }
  double Gradient(std::uint32_t i) const { return data_.label(i) - score_[i]; }
  // -infinity if no example can increase, infinity if none can decrease. 0 for the free element that replaces
  // one end of each pair without the bias.
  double UpGradient() const { return up_ == kNone ? up_none_ : Gradient(up_); }
  double DownGradient() const { return down_ == kNone ? down_none_ : Gradient(down_); }
  double Delta() const { return UpGradient() - DownGradient(); }
  double Highest(std::uint32_t i) const { return std::max(0.0, learner_.c() * data_.label(i)); }
  double Lowest(std::uint32_t i) const { return std::min(0.0, learner_.c() * data_.label(i)); }

  // sum_s alpha_s k(x_s, x_i) over the members. If the learner's sum has other bits, the replay continues
  // with those bits, so that gradients that are equal for the learner are equal here.
  void AskScore(std::uint32_t i) {
    double sum = 0;
    for (const std::uint32_t s : members_) sum += alpha_[s] * kernel_values_(s, i);
    if (!training_set_) {
      ComputeRow(i);
      score_[i] = sum;
      return;
    }
    REQUIRE(Agree(sum, public_score_[i]));
    score_[i] = public_score_[i];
  }

  void FindExtremes() {
    up_ = down_ = kNone;
    up_none_ = -HUGE_VAL;
    down_none_ = HUGE_VAL;
    for (const std::uint32_t s : members_) {
      if (alpha_[s] < Highest(s) && Gradient(s) > UpGradient()) up_ = s;
      if (alpha_[s] > Lowest(s) && Gradient(s) < DownGradient()) down_ = s;
    }
    if (options_.bias) return;
    const bool upwards = UpGradient() >= -DownGradient();
    (upwards ? down_ : up_) = kNone;
    (upwards ? down_none_ : up_none_) = 0;
  }

  // A free step leaves two equal gradients, and rounding decides which is the extreme. The replay chooses the
  // one whose coefficient the learner has changed.
  void FollowTies() {
    const auto follow = [this](std::uint32_t& extreme, const auto& eligible) {
      if (extreme == kNone) return;
      const double g = Gradient(extreme);
      const auto moved = [&](std::uint32_t s) {
        return eligible(s) && std::fabs(Gradient(s) - g) < 1e-12 && !Agree(alpha_[s], learner_.alpha(s));
      };
      if (moved(extreme)) return;
      const auto member = std::find_if(members_.begin(), members_.end(), moved);
      if (member != members_.end()) extreme = *member;
    };
    follow(up_, [this](std::uint32_t s) { return alpha_[s] < Highest(s); });
    follow(down_, [this](std::uint32_t s) { return alpha_[s] > Lowest(s); });
  }

  std::uint32_t Take(std::size_t place) {
    std::swap(unseen_[place], unseen_.back());
    const std::uint32_t example = unseen_.back();
    unseen_.pop_back();
    return example;
  }

  void Seed(PlainOutcome& outcome) {
    int wanted[2] = {5, 5};
    Shuffle(std::span(unseen_), random_);
    for (std::size_t place = unseen_.size(); place-- > 0;) {
      const std::uint32_t i = unseen_[place];
      if (wanted[data_.label(i) > 0 ? 1 : 0]-- <= 0) continue;
      Enter(Take(place));
      score_[i] = 0;
      outcome.Count(0, data_.label(i));
    }
    NewBias();
  }

  void NewBias() {
    FindExtremes();
    if (options_.bias && up_ != kNone && down_ != kNone) bias_ = (Gradient(up_) + Gradient(down_)) / 2;
  }

  // If the selected example had to be scored, its values with the members are cached afterwards.
  std::uint32_t Select() {
    if (options_.selection == Selection::kRandom) {
      if (upcoming_.empty()) DrawAhead();
      const std::uint32_t example = upcoming_.front();
      upcoming_.erase(upcoming_.begin());
      return example;
    }
    const double margin = 1 + Delta() / 2;
    double lowest = HUGE_VAL;
    std::size_t best = 0, within = 0, looked = 0;
    while (looked < std::min(options_.candidates, unseen_.size()) && within < 5) {
      std::swap(unseen_[looked], unseen_[looked + random_.Below(unseen_.size() - looked)]);
      const std::uint32_t i = unseen_[looked];
      if (!IsMember(i)) AskScore(i);
      const double f = score_[i] + bias_;
      const double value = options_.selection == Selection::kGradient ? data_.label(i) * f : std::fabs(f);
      if (value < lowest) {
        lowest = value;
        best = looked;
      }
      if (options_.selection == Selection::kAutoActive && std::fabs(f) < margin) ++within;
      ++looked;
    }
    const std::uint32_t selected = unseen_[best];
    kernel_values_.Forget([&](std::uint32_t i, std::uint32_t j) { return i != selected && j != selected; });
    return Take(best);
  }

  // Random selection draws examples ahead. The rows of those that are not members are computed at once, if
  // the cache has space for them.
  void DrawAhead() {
    while (upcoming_.size() < lookahead_ && !unseen_.empty())
      upcoming_.push_back(Take(random_.Below(unseen_.size())));
    if (training_set_ || options_.cache_mib == 0) return;
    for (const std::uint32_t i : upcoming_)
      if (!IsMember(i) && !lru_.Touch(i)) {
        lru_.Add(i);
        computed_ += rows_.Row(i, false);
      }
  }

  void Process(std::uint32_t example) {
    const bool positive = data_.label(example) > 0;
    const std::uint32_t partner = !options_.bias ? kNone : positive ? down_ : up_;
    if (options_.bias && partner == kNone) return;
    const double of_partner = options_.bias ? Gradient(partner) : 0;
    const double violation = positive ? Gradient(example) - of_partner : of_partner - Gradient(example);
    if (violation <= options_.tolerance) return;
    Enter(example);
    StepAlong(positive ? example : partner, positive ? partner : example);
    NewBias();
    FollowTies();
  }

  // Returns false if no violating pair is left.
  bool Reprocess() {
    const bool pair = options_.bias ? up_ != kNone && down_ != kNone : up_ != down_;
    if (!pair || Delta() <= options_.tolerance) return false;
    kernel_values_.Forget();
    const bool moved = StepAlong(up_, down_);
    NewBias();
    std::erase_if(members_, [this](std::uint32_t s) {
      const double lowest = options_.bias ? Gradient(down_) : 0, highest = options_.bias ? Gradient(up_) : 0;
      const bool outside = data_.label(s) > 0 ? Gradient(s) <= lowest : Gradient(s) >= highest;
      const bool leaves = alpha_[s] == 0 && outside && s != up_ && s != down_;
      if (leaves) {
        rows_.Leave(s);
        DropRow(s);
      }
      return leaves;
    });
    return moved;
  }

  // Returns false if no coefficient has changed.
  bool StepAlong(std::uint32_t i, std::uint32_t j) {
    if (i == kNone || j == kNone) return StepAlone(i == kNone ? j : i);
    ComputeRow(i);
    ComputeRow(j);
    const double curvature =
        std::max(1e-12, kernel_values_(i, i) + kernel_values_(j, j) - 2 * kernel_values_(i, j));
    const double free = (Gradient(i) - Gradient(j)) / curvature;
    const double step = std::min({free, Highest(i) - alpha_[i], alpha_[j] - Lowest(j)});
    const double before_i = alpha_[i], before_j = alpha_[j];
    alpha_[i] = step == Highest(i) - before_i ? Highest(i) : before_i + step;
    alpha_[j] = step == before_j - Lowest(j) ? Lowest(j) : before_j - step;
    for (const std::uint32_t s : members_)
      score_[s] = std::fma(step, kernel_values_(i, s) - kernel_values_(j, s), score_[s]);
    return alpha_[i] != before_i || alpha_[j] != before_j;
  }

  bool StepAlone(std::uint32_t i) {
    ComputeRow(i);
    const double before = alpha_[i];
    const double step = Gradient(i) / std::max(1e-12, kernel_values_(i, i));
    alpha_[i] = std::clamp(before + step, Lowest(i), Highest(i));
    for (const std::uint32_t s : members_)
      score_[s] = std::fma(alpha_[i] - before, kernel_values_(i, s), score_[s]);
    return alpha_[i] != before;
  }

  void Enter(std::uint32_t example) {
    members_.push_back(example);
    rows_.Enter(example);
  }

  // A step, or the score of a candidate, computes rows over the training set or the members, except entries
  // in the cache.
  void ComputeRow(std::uint32_t i) {
    const bool is_cached = lru_.Touch(i);
    if (!is_cached) {
      dropped_ += lru_.MakeRoom(1, bound_);
      lru_.Add(i);
    }
    computed_ += training_set_ ? (is_cached ? 0 : data_.size()) : rows_.Row(i, is_cached);
  }

  // With random selection and the gradients of members, only the rows of members stay in the cache.
  void DropRow(std::uint32_t i) {
    if (!training_set_ && options_.selection == Selection::kRandom)
      lru_.Forget([&](std::uint32_t row) { return row == i; });
  }

  const Lasvm<double>& learner_;
  Options options_;
  const Examples<double>& data_;
  CountingKernel kernel_;
  HeldValues kernel_values_;
  Random random_;
  std::size_t lookahead_;
  testing::PlainLru lru_;
  testing::MemberRows rows_;
  bool training_set_;  // gradients of all examples are kept
  std::size_t bound_;
  std::uint64_t computed_ = 0, dropped_ = 0;
  std::vector<std::uint32_t> members_, unseen_, upcoming_;
  std::vector<double> alpha_, score_;  // by example; f_0 of members is kept
  std::vector<double> public_score_;   // the learner's scores before its round
  double bias_ = 0;
  std::uint32_t up_ = kNone, down_ = kNone;
  double up_none_ = 0, down_none_ = 0;
};

// Returns the number of rows that the cache evicted.
std::uint64_t Run(Lasvm<double>& learner, const Options& options, const LearnerContext<double>& context,
                  std::size_t epochs = 2) {
  const Examples<double>&train = *context.train, &test = *context.test;
  Replay replay(learner, options, train, context);
  FollowedReplay on_test(context.kernel, train, test), on_train(context.kernel, train, train);
  std::vector<double> measured(train.size(), 0.0);
  const auto compare = [&](bool measure) {
    replay.Compare();
    testing::RequireCounts(learner, replay.asked(), replay.computed());
    if (!measure) return;
    std::vector<bool> changed(train.size());
    for (std::size_t i = 0; i < train.size(); ++i) changed[i] = replay.alpha()[i] != measured[i];
    measured = replay.alpha();
    const std::uint64_t before = on_test.asked();
    PlainOutcome expected;
    const std::vector<double> scores = on_test.Scores(replay.alpha(), changed);
    for (std::size_t row = 0; row < test.size(); ++row)
      expected.Count(scores[row] + replay.bias(), test.label(row));
    const TestOutcome outcome = Measured(learner, on_test.asked() - before, [&] { return learner.Test(); });
    REQUIRE(outcome.mistakes == expected.mistakes);
    const std::uint64_t before_training = on_train.asked();
    PlainOutcome trained;
    const std::vector<double> fitted = on_train.Scores(replay.alpha(), changed);
    for (std::size_t i = 0; i < train.size(); ++i) trained.Count(fitted[i] + replay.bias(), train.label(i));
    const bool is_cached = options.gradients == Gradients::kTrainingSet;
    const TrainingOutcome training = Measured(learner, is_cached ? 0 : on_train.asked() - before_training,
                                              [&] { return learner.MeasureTraining(); });
    REQUIRE(Agree(training.mean_loss, trained.mean_loss()));
  };
  std::size_t done = 0;
  for (int round = 0; done < epochs * train.size(); ++round) {
    INFO("round " << round);
    const RoundOutcome outcome = learner.Round({});
    const PlainOutcome expected = replay.Round();
    REQUIRE(outcome.examples == expected.examples);
    testing::RequireOutcome(outcome, expected);
    compare(round % 10 == 0);
    done += outcome.examples;
  }
  if (options.finishing) replay.Finish();
  while (!learner.Finish()) {
  }
  compare(true);
  return replay.dropped();
}

// A cloud on a grid, where linear and polynomial kernels are exact.
Examples<double> OnGrid(std::size_t rows, std::uint64_t seed) {
  const auto data = testing::SmallCloud(rows, seed);
  std::vector<double> values(data.row(0).values, data.row(0).values + rows * data.features());
  for (double& value : values) value = std::round(8 * value) / 8;
  return Examples<double>::Dense(data.features(), std::move(values),
                                 {data.labels().begin(), data.labels().end()}, LabelKind::kBinary, 2);
}

void ReplayLasvm() {
  const Selection selections[] = {Selection::kRandom, Selection::kGradient, Selection::kActive,
                                  Selection::kAutoActive};
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const auto train = OnGrid(50, seed), test = OnGrid(9, seed + 100);
    const Kernel kernels[] = {Kernel::RbfFromGamma(0.3), Kernel::Polynomial(2, 0.25, 1), Kernel::Linear()};
    const LearnerContext<double> context{
        .train = &train, .test = &test, .kernel = kernels[seed], .seed = 17 + seed};
    for (const Gradients gradients : {Gradients::kTrainingSet, Gradients::kSupportSet})
      for (const Selection selection : selections)
        for (const int variant : {0, 1, 2}) {
          const std::size_t cache_mib = variant > 0 ? 1 : 0;  // two rows, or all
          // The state is visible only after finishing: one different bit on the way changes the final state.
          const Options options{.lambda = seed == 1 ? 0.5 : 0.005,
                                .selection = selection,
                                .candidates = seed == 2 ? std::size_t{100} : 8,
                                .bias = variant<2, .finishing = seed> 0,
                                .cache_mib = cache_mib,
                                .gradients = gradients};
          Lasvm<double> learner(options, context);
          INFO("gradients " << static_cast<int>(gradients) << ", selection " << static_cast<int>(selection)
                            << ", variant " << variant << ", seed " << seed);
          const std::uint64_t dropped = Run(learner, options, context);
          REQUIRE((dropped > 0) == (cache_mib == 0));
        }
    if (seed == 0) continue;
    const auto registered = testing::Settings("lasvm", {}).Make<Lasvm<double>>(context);
    Run(*registered, Options(), context);
  }
  // 1 MiB stores about 300 rows of 432 values.
  const auto train = OnGrid(430, 7), test = OnGrid(9, 107);
  const LearnerContext<double> context{
      .train = &train, .test = &test, .kernel = Kernel::RbfFromGamma(2), .seed = 3};
  const Options options{.lambda = 0.01, .selection = Selection::kRandom, .finishing = false, .cache_mib = 1};
  Lasvm<double> learner(options, context);
  REQUIRE(Run(learner, options, context, 1) > 0);
}

const testing::RegisterReplay kLasvm("lasvm", ReplayLasvm);

}  // namespace
}  // namespace okbench::lasvm_replay
