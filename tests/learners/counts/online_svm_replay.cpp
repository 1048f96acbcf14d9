// Replays of the online SVMs, NORMA and SVMD: every loss, buffers smaller and larger than the stream,
// offsets, the nu-trick, averages, and streams that repeat their support vectors.

#include "learners/bases/online_svm.h"
#include "learners/methods/norma/norma.h"
#include "learners/methods/svmd/svmd.h"
#include "tests/learners/counts/replay.h"

namespace okbench::online_svm_replay {
namespace {

using norma::AveragedStep;
using norma::ScheduledStep;
using svmd::MetaDescent;
using testing::Agree;
using testing::CountingKernel;
using testing::Given;
using testing::Measured;
using testing::Settings;

struct Case {
  LabelKind kind;
  int classes;
  Given values;
};

// One term of f and of its auxiliary function.
struct Term {
  std::uint32_t example;
  std::vector<double> alpha, beta;
};

double PlainDot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t r = 0; r < a.size(); ++r) sum += a[r] * b[r];
  return sum;
}

// Steps of an online SVM by its equations. Caches one kernel row for the duration of a step.
template <class StepSize>
class Replay {
 public:
  using Svm = OnlineSvm<double, StepSize>;

  Replay(const Svm& svm, const Settings& settings, const Examples<double>& data, const Kernel& kernel,
         std::size_t buffer, testing::LookAheadReplay ahead)
      : svm_(svm),
        settings_(settings),
        data_(data),
        kernel_(kernel, data, data),
        loss_(MakeLoss(settings.Text("loss"), data.label_kind(), data.classes())),
        buffer_(buffer),
        ahead_(std::move(ahead)) {}

  std::uint64_t asked() const { return kernel_.asked(); }
  /// Evaluations of a learner with look-ahead.
  std::uint64_t computed_ahead() const { return ahead_.computed(); }

  /// Expected outcome of the learner's step on x, computed from its state before the step.
  StepOutcome Step(std::uint32_t x) {
    ++t_;
    Read();
    ahead_.Row(x, terms_.size());
    const std::size_t n = loss_->outputs();
    std::vector<double> f(n, 0.0), v(n, 0.0), scores(n), xi(n), chi(n, 0.0);
    for (const Term& term : terms_) {
      const double k = kernel_(term.example, x);
      for (std::size_t r = 0; r < n; ++r) {
        f[r] += term.alpha[r] * k;
        v[r] += term.beta[r] * k;
      }
    }
    for (std::size_t r = 0; r < n; ++r) scores[r] = f[r] + svm_.offsets()[r];
    const LossValue value = loss_->Evaluate(scores, data_.target(x), svm_.margin(), xi);
    if (kTrace) loss_->Curvature(scores, data_.target(x), svm_.margin(), v, chi);
    const auto nonzero = [](double coefficient) { return coefficient != 0; };
    const bool moves =
        std::any_of(xi.begin(), xi.end(), nonzero) || std::any_of(chi.begin(), chi.end(), nonzero);
    const double self = moves ? kernel_(x, x) : 0;
    if (moves) ahead_.One();
    Update(x, moves, self, f, v, xi, chi);
    return {.loss = value.loss + NuTerm(),
            .mistake = value.mistake,
            .margin_error = value.margin_error,
            .prediction = scores[0],
            .violation = value.violation};
  }

  /// Compares with the learner after its step.
  void Compare() {
    const std::vector<Term> expected = terms_;
    Read();
    REQUIRE(terms_.size() == expected.size());
    bool agree = true;
    for (std::size_t i = 0; i < terms_.size(); ++i)
      agree = agree && terms_[i].example == expected[i].example &&
              Agree(terms_[i].alpha, expected[i].alpha) && Agree(terms_[i].beta, expected[i].beta);
    REQUIRE(agree);
    REQUIRE(Agree(svm_.step_size().value(), eta_));
    REQUIRE(Agree(svm_.squared_norm(), squared_norm_));
    if constexpr (kTrace) REQUIRE(Agree(svm_.step_size().pi(), pi_));
    if constexpr (kAverage) REQUIRE(Agree(svm_.step_size().average_squared_norm(), average_norm_));
  }

  /// Score of the first output under the function used for predictions.
  double Predict(CountingKernel& kernel, std::size_t row) const {
    double f = svm_.offsets()[0];
    for (const Term& term : terms_) f += (kAverage ? term.beta : term.alpha)[0] * kernel(term.example, row);
    return f;
  }

 private:
  static constexpr bool kTrace = StepSize::kAuxiliary == AuxiliaryFunction::kTrace;
  static constexpr bool kAverage = StepSize::kAuxiliary == AuxiliaryFunction::kAverage;

  void Read() {
    const auto& expansion = svm_.expansion();
    terms_.clear();
    for (std::size_t slot = 0; slot < expansion.size(); ++slot) {
      Term term{.example = expansion.example(slot), .alpha = {}, .beta = {}};
      for (std::size_t r = 0; r < expansion.outputs(); ++r) {
        term.alpha.push_back(expansion.alpha(slot, r));
        term.beta.push_back(kTrace || kAverage ? expansion.beta(slot, r) : 0);
      }
      terms_.push_back(std::move(term));
    }
  }

  double NuTerm() const {
    const double nu = settings_.Real("nu");
    const double sign = FindLoss(settings_.Text("loss")).parameter == LossParameter::kTube ? 1 : -1;
    return nu > 0 ? sign * nu * margin_ : 0;
  }

  double Eta(double gv) const {
    const double eta0 = settings_.Real("eta0");
    if constexpr (kTrace) {
      const double before = t_ == 1 ? eta0 : svm_.step_size().value();
      return before * std::max(0.5, 1 - settings_.Real("mu") * gv);
    } else {
      const auto t = static_cast<double>(t_);
      const std::string& schedule = settings_.Text("schedule");
      const double tau = settings_.Real("tau");
      return schedule == "constant"     ? eta0
             : schedule == "sqrt-decay" ? eta0 * std::sqrt(tau / (tau + t))
                                        : eta0 / std::sqrt(t);
    }
  }

  // Updates f, the auxiliary function and their products.
  void Update(std::uint32_t x, bool moves, double self, const std::vector<double>& f,
              const std::vector<double>& v, const std::vector<double>& xi, const std::vector<double>& chi) {
    const double c = settings_.Real("c");
    const double norm = svm_.squared_norm();
    margin_ = svm_.margin();
    if constexpr (kTrace) pi_ = svm_.step_size().pi();
    eta_ = Eta(c * pi_ + PlainDot(xi, v));
    const double decay = 1 - eta_ * c;
    const double lambda = kTrace ? settings_.Real("trace_decay") : 0;
    const double w = 1 / static_cast<double>(t_);
    Term added{.example = x, .alpha = xi, .beta = std::vector<double>(xi.size(), 0.0)};
    std::vector<double> v_new = v;
    for (std::size_t r = 0; r < xi.size(); ++r) {
      added.alpha[r] *= -eta_;
      if (kTrace) added.beta[r] = -eta_ * (xi[r] + lambda * chi[r]);
      v_new[r] = decay * lambda * v[r] - eta_ * c * f[r] + added.beta[r] * self;
    }
    for (Term& term : terms_)
      for (std::size_t r = 0; r < xi.size(); ++r) {
        double& beta = term.beta[r];
        if (kTrace) beta = decay * lambda * beta - eta_ * c * term.alpha[r];
        if (kAverage) beta = (1 - w) * beta + w * term.alpha[r];
        term.alpha[r] *= decay;
      }
    const double fg = c * norm + PlainDot(xi, f);
    const double fv = decay * lambda * pi_ - eta_ * fg - eta_ * lambda * PlainDot(chi, f);
    pi_ = kTrace ? decay * fv - eta_ * PlainDot(xi, v_new) : 0;
    average_norm_ = (1 - w) * (1 - w) * average_norm_ + 2 * w * (1 - w) * product_ + w * w * norm;
    product_ =
        decay * ((1 - w) * product_ + w * norm) - eta_ * ((1 - w) * PlainDot(xi, v) + w * PlainDot(xi, f));
    squared_norm_ =
        decay * decay * norm - 2 * eta_ * decay * PlainDot(xi, f) + eta_ * eta_ * self * PlainDot(xi, xi);
    if (!moves) return;
    const std::size_t slot = inserted_++ % buffer_;
    ahead_.Put(slot);
    if (slot == terms_.size())
      terms_.push_back(added);
    else
      terms_[slot] = added;
  }

  const Svm& svm_;
  const Settings& settings_;
  const Examples<double>& data_;
  CountingKernel kernel_;
  std::unique_ptr<Loss> loss_;
  std::size_t buffer_;
  testing::LookAheadReplay ahead_;
  std::vector<Term> terms_;
  std::size_t t_ = 0, inserted_ = 0;
  double eta_ = 0, margin_ = 0, squared_norm_ = 0, pi_ = 0;
  double average_norm_ = 0, product_ = 0;  // ||fbar||^2 and <fbar_t, f_{t+1}>
};

// Measures on a test set, and ranks some rows of both sets.
template <class StepSize>
void CompareMeasured(OnlineSvm<double, StepSize>& svm, const Replay<StepSize>& replay, const Case& test_case,
                     const Kernel& kernel, const Examples<double>& train, const Examples<double>& test) {
  CountingKernel on_test(kernel, train, test), on_train(kernel, train, train);
  std::vector<double> scores;
  for (std::size_t row = 0; row < test.size(); ++row) scores.push_back(replay.Predict(on_test, row));
  const TestOutcome outcome = Measured(svm, on_test.asked(), [&] { return svm.Test(); });
  REQUIRE(on_test.asked() == test.size() * svm.support_vectors());
  double squared = 0;
  std::size_t mistakes = 0;
  for (std::size_t row = 0; row < test.size(); ++row) {
    squared += (scores[row] - test.truth(row)) * (scores[row] - test.truth(row));
    mistakes += testing::PredictsOtherClass(scores[row], test.label(row)) ? 1 : 0;
  }
  if (test_case.kind == LabelKind::kReal) REQUIRE(Agree(outcome.squared_error, squared));
  if (test_case.kind == LabelKind::kBinary && std::get<std::string>(test_case.values.at("loss")) != "novelty")
    REQUIRE(outcome.mistakes == mistakes);
  const std::vector<std::uint32_t> rows = {3, 1, 3};
  std::vector<double> out(rows.size());
  for (const RankedPart part : {RankedPart::kTraining, RankedPart::kTest})
    Measured(svm, rows.size() * svm.support_vectors(), [&] {
      svm.Violations(part, rows, out);
      return 0;
    });
}

template <class StepSize>
void Run(const std::string& learner, const Case& test_case, std::uint64_t seed) {
  const std::size_t rows = 40;
  const auto train = testing::RandomDense<double>(rows, 3, test_case.kind, test_case.classes, seed);
  const auto test = testing::RandomDense<double>(9, 3, test_case.kind, test_case.classes, seed + 100);
  const Kernel kernel = seed % 2 == 0 ? Kernel::RbfFromGamma(0.2) : Kernel::RbfFromGamma(2);
  const Settings settings(learner, test_case.values);
  LearnerContext<double> context{.train = &train, .test = &test, .kernel = kernel, .lookahead = 1};
  context.steps = 2 * rows;
  using Svm = OnlineSvm<double, StepSize>;
  const auto svm = settings.Make<Svm>(context);
  // Look-ahead changes only `computed`.
  context.lookahead = seed % 2 == 0 ? 5 : 48;
  const auto ahead = settings.Make<Svm>(context);
  std::size_t buffer = settings.Count("buffer");
  if (learner == "norma" && settings.Real("truncation_error") > 0)
    buffer = norma::TruncationBuffer(norma::Schedule::kSqrtDecay, settings.Real("eta0"), settings.Real("tau"),
                                     settings.Real("c"), 1, context.steps, settings.Real("truncation_error"));
  const std::vector<std::uint32_t> order = testing::TwoPasses(rows, seed);
  std::vector<std::uint32_t> announced;
  for (std::size_t step = 0; step < order.size(); ++step)
    if (step != 20) announced.push_back(order[step]);  // one step is not announced
  Replay<StepSize> replay(*svm, settings, train, kernel, buffer, {context.lookahead, announced});
  svm->Announce(announced);
  ahead->Announce(announced);
  for (std::size_t step = 0; step < order.size(); ++step) {
    const StepOutcome expected = replay.Step(order[step]);
    const StepOutcome outcome = svm->Step(order[step]);
    INFO("step " << step);
    REQUIRE(Agree(outcome.loss, expected.loss));
    REQUIRE(Agree(outcome.prediction, expected.prediction));
    REQUIRE(Agree(outcome.violation, expected.violation));
    REQUIRE((outcome.mistake == expected.mistake && outcome.margin_error == expected.margin_error));
    replay.Compare();
    testing::RequireCounts(*svm, replay.asked(), replay.asked());
    REQUIRE(ahead->Step(order[step]).loss == outcome.loss);
    testing::RequireCounts(*ahead, replay.asked(), replay.computed_ahead());
    REQUIRE(replay.computed_ahead() >= replay.asked());
    if (step % 19 == 0) CompareMeasured(*svm, replay, test_case, kernel, train, test);
  }
}

ParameterValue Text(const char* text) { return std::string(text); }
ParameterValue Count(std::int64_t count) { return count; }

std::vector<Case> Cases() {
  const ParameterValue additive = Text("additive");
  return {
      {LabelKind::kBinary, 2, {{"loss", Text("hinge")}, {"c", 0.05}, {"eta0", 0.5}}},
      {LabelKind::kBinary, 2, {{"loss", Text("hinge")}, {"c", 0.0}, {"eta0", 0.2}, {"buffer", Count(1)}}},
      {LabelKind::kBinary, 2, {{"loss", Text("hinge")}, {"c", 0.1}, {"buffer", Count(17)}, {"offset", true}}},
      {LabelKind::kBinary, 2, {{"loss", Text("hinge")}, {"nu", 0.3}, {"margin", 0.5}, {"buffer", Count(16)}}},
      {LabelKind::kBinary, 2, {{"loss", Text("hinge")}, {"nu", 0.3}, {"margin_update", additive}}},
      {LabelKind::kBinary, 2, {{"loss", Text("logistic")}, {"c", 0.02}, {"buffer", Count(30)}}},
      {LabelKind::kMulticlass, 4, {{"loss", Text("multiclass-hinge")}, {"c", 0.1}, {"eta0", 0.3}}},
      {LabelKind::kMulticlass, 3, {{"loss", Text("multiclass-logistic")}, {"buffer", Count(9)}}},
      {LabelKind::kBinary, 2, {{"loss", Text("novelty")}, {"nu", 0.2}, {"c", 0.01}, {"eta0", 0.1}}},
      {LabelKind::kReal, 2, {{"loss", Text("squared")}, {"c", 0.01}, {"eta0", 0.1}, {"offset", true}}},
      {LabelKind::kReal, 2, {{"loss", Text("eps-insensitive")}, {"margin", 0.4}, {"eta0", 0.3}}},
      {LabelKind::kReal,
       2,
       {{"loss", Text("huber")},
        {"nu", 0.3},
        {"margin_update", additive},
        {"eta0", 0.2},
        {"buffer", Count(11)}}},
  };
}

void ReplayNorma() {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const char* schedules[] = {"sqrt-decay", "constant", "inverse-sqrt"};
    for (Case test_case : Cases()) {
      INFO(std::get<std::string>(test_case.values.at("loss")) << ", seed " << seed);
      test_case.values["schedule"] = Text(schedules[seed]);
      Run<ScheduledStep>("norma", test_case, seed);
      if (test_case.values.contains("offset")) continue;
      test_case.values["average"] = true;
      test_case.values["buffer"] = Count(80);  // all terms fit
      Run<AveragedStep>("norma", test_case, seed);
    }
    const Given truncated = {{"loss", Text("hinge")}, {"c", 0.5}, {"eta0", 0.9}, {"truncation_error", 0.1}};
    Run<ScheduledStep>("norma", {LabelKind::kBinary, 2, truncated}, seed);
  }
}

void ReplaySvmd() {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const double lambdas[] = {0.95, 0, 1};
    for (Case test_case : Cases()) {
      INFO(std::get<std::string>(test_case.values.at("loss")) << ", seed " << seed);
      test_case.values["trace_decay"] = lambdas[seed];
      Run<MetaDescent>("svmd", test_case, seed);
    }
  }
}

const testing::RegisterReplay kNorma("norma", ReplayNorma), kSvmd("svmd", ReplaySvmd);

}  // namespace
}  // namespace okbench::online_svm_replay
