// Replays of SampledCuts: planes of all violators and of some, run to the end or until planes are dropped.

#include "learners/methods/sampled_cuts/sampled_cuts.h"
#include "tests/learners/counts/replay.h"

namespace okbench::sampled_cuts_replay {
namespace {

using sampled_cuts::SampledCuts;
using testing::Agree;
using testing::CountingKernel;
using testing::FollowedReplay;
using testing::Given;
using testing::HeldValues;
using testing::Measured;
using testing::PlainOutcome;
using testing::Settings;

// Rounds of SampledCuts. Keeps planes with their inner products, but no kernel values between rounds.
class Replay {
 public:
  Replay(const SampledCuts<double>& learner, const Settings& settings, const LearnerContext<double>& context)
      : learner_(learner),
        lambda_(settings.Real("lambda")),
        epsilon_(settings.Real("tolerance")),
        data_(*context.train),
        kernel_(context.kernel, data_, data_),
        batch_(context.batch),
        random_(context.seed),
        coefficients_(data_.size(), 0.0) {}

  std::uint64_t asked() const { return kernel_.asked(); }
  std::uint64_t computed() const { return computed_; }
  std::size_t drawn() const { return drawn_; }
  bool dropped() const { return dropped_; }
  double primal() const { return primal_; }
  bool finished() const { return finished_; }
  const std::vector<double>& coefficients() const { return coefficients_; }

  PlainOutcome Round() {
    PlainOutcome outcome;
    std::vector<std::uint32_t> violators;
    double norm = 0;
    for (std::uint32_t i = 0; i < data_.size(); ++i) {
      double f = 0;
      for (std::uint32_t s = 0; s < data_.size(); ++s)
        if (coefficients_[s] != 0) f += coefficients_[s] * kernel_(s, i);
      outcome.Count(f, data_.label(i));
      norm += coefficients_[i] * f;
      if (data_.label(i) * f < 1) violators.push_back(i);
    }
    primal_ = lambda_ / 2 * norm + outcome.mean_loss();
    drawn_ = 0;
    const double slack = testing::Column(learner_, "slack");
    finished_ = violators.empty() || (!planes_.empty() && outcome.mean_loss() <= slack + epsilon_);
    if (!finished_) AddPlane(std::move(violators));
    return outcome;
  }

  /// Compares with the learner after its round. Its planes are the previous ones and the new one, except
  /// planes without weight in the last 50 solutions. Its weights solve the program over the planes. Its
  /// coefficients are those of the planes.
  void Compare() {
    if (!finished_) {
      TakeWeights();
      double largest = 0, along = 0, slack = 0;  // of the program's gradient; 0 for the zero plane
      for (const Plane& plane : planes_) {
        double gradient = plane.offset;
        for (std::size_t p = 0; p < planes_.size(); ++p)
          gradient -= planes_[p].weight / lambda_ * Product(plane, planes_[p]);
        largest = std::max(largest, gradient);
        along += plane.weight * gradient;
        slack = std::max(slack, gradient);
      }
      REQUIRE(largest - along <= 0.011 * epsilon_);
      REQUIRE(Agree(testing::Column(learner_, "slack"), slack));
    }
    dropped_ = std::erase_if(planes_, [](const Plane& plane) { return plane.idle >= 50; }) > 0 || dropped_;
    REQUIRE(planes_.size() == learner_.planes().size());
    std::vector<double> expected(data_.size(), 0.0);
    for (const Plane& plane : planes_)
      for (const std::uint32_t i : plane.examples)
        expected[i] += plane.weight / lambda_ * plane.share * data_.label(i);
    for (std::uint32_t i = 0; i < data_.size(); ++i) coefficients_[i] = learner_.coefficient(i);
    REQUIRE(Agree(coefficients_, expected));
  }

 private:
  struct Plane {
    std::vector<std::uint32_t> examples;
    double offset;
    double share;  // weight of each example, times its label
    double weight = 0;
    int idle = 0;                       // consecutive solutions without weight
    std::vector<double> products = {};  // by plane number: with itself and earlier planes
    std::size_t number = 0;
  };

  static double Product(const Plane& a, const Plane& b) {
    const Plane &newer = a.number > b.number ? a : b, &older = a.number > b.number ? b : a;
    return newer.products.at(older.number);
  }

  void AddPlane(std::vector<std::uint32_t> violators) {
    const double offset = static_cast<double>(violators.size()) / static_cast<double>(data_.size());
    drawn_ = std::min(batch_, violators.size());
    DrawToFront(std::span(violators), drawn_, random_);
    violators.resize(drawn_);
    Plane added{.examples = violators, .offset = offset, .share = offset / static_cast<double>(drawn_)};
    added.number = added_++;
    planes_.push_back(std::move(added));
    computed_ += drawn_ * data_.size();
    // Each pair of examples once, whichever planes contain it.
    HeldValues values(kernel_);
    Plane& plane = planes_.back();
    plane.products.resize(added_);
    for (const Plane& other : planes_) {
      double product = 0;
      for (const std::uint32_t i : violators)
        for (const std::uint32_t j : other.examples)
          product += data_.label(i) * data_.label(j) * values(i, j);
      plane.products[other.number] = plane.share * other.share * product;
    }
  }

  // Copies the learner's weights of the planes. It may drop only planes without weight.
  void TakeWeights() {
    std::size_t place = 0;
    for (Plane& plane : planes_) {
      const bool is_member =
          place < learner_.planes().size() && learner_.planes()[place].examples == plane.examples &&
          Agree(learner_.planes()[place].coefficients[0], plane.share * data_.label(plane.examples[0]));
      plane.weight = is_member ? learner_.weight(place++) : 0;
      plane.idle = plane.weight > 0 ? 0 : plane.idle + 1;
    }
    REQUIRE(place == learner_.planes().size());
  }

  const SampledCuts<double>& learner_;
  double lambda_, epsilon_;
  const Examples<double>& data_;
  CountingKernel kernel_;
  std::size_t batch_;
  Random random_;
  std::vector<Plane> planes_;
  std::vector<double> coefficients_;
  std::uint64_t computed_ = 0;
  std::size_t drawn_ = 0, added_ = 0;
  double primal_ = 0;
  bool finished_ = false, dropped_ = false;
};

struct Seen {
  bool dropped = false, finished = false, some_drawn = false;
};

Seen Run(const Given& values, const LearnerContext<double>& context, int rounds) {
  const Examples<double>&train = *context.train, &test = *context.test;
  const Settings settings("sampled-cuts", values);
  const auto learner = settings.Make<SampledCuts<double>>(context);
  Replay replay(*learner, settings, context);
  FollowedReplay on_test(context.kernel, train, test);
  std::vector<double> measured(train.size(), 0.0);
  Seen seen;
  for (int round = 0; round < rounds && !seen.finished; ++round) {
    INFO("round " << round << ", batch " << context.batch << ", " << train.size() << " examples");
    const PlainOutcome expected = replay.Round();
    const RoundOutcome outcome = learner->Round({});
    testing::RequireOutcome(outcome, expected);
    REQUIRE(outcome.examples == replay.drawn());
    REQUIRE(outcome.finished == replay.finished());
    REQUIRE(Agree(learner->primal(), replay.primal()));
    replay.Compare();
    testing::RequireCounts(*learner, replay.asked(), replay.computed());
    seen.finished = outcome.finished;
    seen.some_drawn = seen.some_drawn || replay.drawn() < outcome.margin_errors;
    if (round % 9 != 0) continue;
    std::vector<bool> changed(train.size());
    for (std::size_t i = 0; i < train.size(); ++i) changed[i] = replay.coefficients()[i] != measured[i];
    measured = replay.coefficients();
    const std::uint64_t before = on_test.asked();
    PlainOutcome expected_test;
    const std::vector<double> scores = on_test.Scores(measured, changed);
    for (std::size_t row = 0; row < test.size(); ++row) expected_test.Count(scores[row], test.label(row));
    const auto on = Measured(*learner, on_test.asked() - before, [&] { return learner->Test(); });
    REQUIRE(on.mistakes == expected_test.wrong);
    // The training scores are cached.
    Measured(*learner, 0, [&] { return learner->MeasureTraining(); });
  }
  seen.dropped = replay.dropped();
  return seen;
}

void ReplaySampledCuts() {
  bool finished = false, some_drawn = false;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const auto train = testing::SmallCloud(36, seed), test = testing::SmallCloud(9, seed + 100);
    for (const Kernel& kernel : {Kernel::RbfFromGamma(0.3), Kernel::Polynomial(2, 0.3, 1)})
      // A plane of one or two examples can end with these exactly on the margin. Rounding would then decide
      // whether they violate it.
      for (const std::size_t batch : {3, 5, 100}) {
        const LearnerContext<double> context{
            .train = &train, .test = &test, .kernel = kernel, .batch = batch, .seed = seed};
        const Seen seen = Run({{"lambda", 0.01}, {"tolerance", 2e-3}}, context, 60);
        finished = finished || seen.finished;
        some_drawn = some_drawn || seen.some_drawn;
      }
  }
  REQUIRE((finished && some_drawn));
  const auto train = testing::SmallCloud(90, 5), test = testing::SmallCloud(9, 105);
  const LearnerContext<double> context{
      .train = &train, .test = &test, .kernel = Kernel::RbfFromGamma(0.3), .batch = 8, .seed = 5};
  REQUIRE(Run({{"lambda", 0.001}, {"tolerance", 1e-3}}, context, 120).dropped);
}

const testing::RegisterReplay kSampledCuts("sampled-cuts", ReplaySampledCuts);

}  // namespace
}  // namespace okbench::sampled_cuts_replay
