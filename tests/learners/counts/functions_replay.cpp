// Replays of the methods whose step needs at most the row of the example, k(x, x) and the row of one member:
// passive-aggressive, OGD, RBP, Forgetron, BPA-S and KT, with two and with three classes.

#include "learners/methods/bpas/bpas.h"
#include "learners/methods/forgetron/forgetron.h"
#include "learners/methods/kt/kt.h"
#include "learners/methods/ogd/ogd.h"
#include "learners/methods/passive_aggressive/passive_aggressive.h"
#include "learners/methods/rbp/rbp.h"
#include "tests/learners/counts/replay.h"

namespace okbench::functions_replay {
namespace {

using testing::Agree;
using testing::CountingKernel;
using testing::Given;
using testing::Settings;

// A term of a function, identified by the step that added it. Each step adds a separate support vector.
struct Term {
  std::size_t step;
  std::uint32_t example;
  double alpha;
};

// State of one function in the method's equations.
struct Function {
  std::vector<Term> terms;
  std::map<std::size_t, double> selves;  // k(x, x) of support vectors, by step
  std::size_t t = 0, mistakes = 0, removals = 0;
  double wealth = 1, spent = 0;
  bool unit = false;  // k(x, x) = 1 is known
  Random random{0};
};

// Kernel values of one step, cached or requested, and the steps of the methods that use them.
class Values {
 public:
  Values(CountingKernel& kernel, const std::vector<std::uint32_t>& order) : kernel_(kernel), order_(order) {}

  void Start(std::size_t step, const std::set<std::size_t>& support) {
    step_ = step;
    row_.clear();
    for (const std::size_t s : support) row_[s] = kernel_(order_[s], order_[step]);
    computed_ += support.size();
  }
  double Row(std::size_t s) {
    if (s == step_) Self();
    return row_.at(s);
  }
  double Self() {
    if (!row_.contains(step_)) {
      row_[step_] = kernel_(order_[step_], order_[step_]);
      ++computed_;
    }
    return row_.at(step_);
  }
  // A value between two support vectors. The learner evaluates the whole row over all `support` vectors for
  // it.
  double Between(std::size_t s, std::size_t other) { return kernel_(order_[s], order_[other]); }
  void Evaluated(std::size_t support) { computed_ += support; }

  std::uint64_t asked() const { return kernel_.asked(); }
  std::uint64_t computed() const { return computed_; }
  std::size_t step() const { return step_; }
  Term Added(double alpha) const { return {step_, order_[step_], alpha}; }

 private:
  CountingKernel& kernel_;
  const std::vector<std::uint32_t>& order_;
  std::size_t step_ = 0;
  std::map<std::size_t, double> row_;  // over the support vectors, and k(x, x) once requested
  std::uint64_t computed_ = 0;
};

void Drop(Function& function, std::size_t place) {
  function.terms.erase(function.terms.begin() + static_cast<std::ptrdiff_t>(place));
  ++function.removals;
}

void PassiveAggressive(Function& function, Values& values, const Settings& settings, double f, double y,
                       std::size_t /*support*/) {
  if (y * f >= 1 || values.Self() == 0) return;
  function.terms.push_back(values.Added(y * std::min(settings.Real("C"), (1 - y * f) / values.Self())));
}

void Ogd(Function& function, Values& values, const Settings& settings, double f, double y,
         std::size_t /*support*/) {
  if (y * f < 1) function.terms.push_back(values.Added(settings.Real("eta") * y));
}

void Rbp(Function& function, Values& values, const Settings& settings, double f, double y,
         std::size_t /*support*/) {
  if (y * f > 0) return;
  if (function.terms.size() == settings.Count("budget"))
    Drop(function, function.random.Below(function.terms.size()));
  function.terms.push_back(values.Added(y));
}

// phi by bisection instead of the closed form.
void Forgetron(Function& function, Values& values, const Settings& settings, double f, double y,
               std::size_t support) {
  if (y * f > 0) return;
  ++function.mistakes;
  double phi = 1;
  if (function.terms.size() == settings.Count("budget")) {
    const Term oldest = function.terms.front();
    double score = y * values.Row(oldest.step);
    for (const Term& term : function.terms) score += term.alpha * values.Between(oldest.step, term.step);
    values.Evaluated(support);
    const double sigma = std::fabs(oldest.alpha), m = score * (oldest.alpha > 0 ? 1 : -1);
    const auto left = [&](double p) { return p * p * (sigma * sigma - 2 * sigma * m) + 2 * sigma * p; };
    const double limit = 15.0 / 32 * static_cast<double>(function.mistakes) - function.spent;
    if (left(1) > limit) {
      double low = 0, high = 1;
      for (int i = 0; i < 60; ++i) (left((low + high) / 2) <= limit ? low : high) = (low + high) / 2;
      phi = low;
    }
    function.spent += left(phi);
    for (Term& term : function.terms) term.alpha *= phi;
    Drop(function, 0);
  }
  function.terms.push_back(values.Added(phi * y));
}

void BpaS(Function& function, Values& values, const Settings& settings, double f, double y,
          std::size_t /*support*/) {
  if (y * f >= 1 || values.Self() == 0) return;
  const double self = values.Self(), c = settings.Real("C");
  double alpha = y * std::min(c, (1 - y * f) / self);
  if (function.terms.size() == settings.Count("budget")) {
    // The full objective, for each member that may be removed.
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity(), chosen = 0;
    for (std::size_t r = 0; r < function.terms.size(); ++r) {
      const Term& term = function.terms[r];
      const double k = values.Row(term.step), a = term.alpha;
      const double beta = alpha + a * k / self;
      const double change = a * a * function.selves.at(term.step) - 2 * a * beta * k + beta * beta * self;
      const double objective = change / 2 + c * std::max(0.0, 1 - y * (f - a * k + beta * self));
      if (objective >= least) continue;
      least = objective;
      best = r;
      chosen = beta;
    }
    alpha = chosen;
    Drop(function, best);
  }
  function.terms.push_back(values.Added(alpha));
  function.selves[values.step()] = self;
}

void Kt(Function& function, Values& values, const Settings& /*settings*/, double f, double y,
        std::size_t /*support*/) {
  if (y * f < 1 && !function.unit) REQUIRE(values.Self() <= 1);
  const double before = function.wealth / static_cast<double>(++function.t);
  if (y * f < 1) function.wealth += y * f;
  const double after = function.wealth / static_cast<double>(function.t + 1);
  for (Term& term : function.terms) term.alpha *= after / before;
  if (y * f < 1) function.terms.push_back(values.Added(y * after));
}

using StepOf = void (*)(Function&, Values&, const Settings&, double, double, std::size_t);

// Support vectors of all functions.
std::set<std::size_t> Union(const std::vector<Function>& functions) {
  std::set<std::size_t> all;
  for (const Function& function : functions)
    for (const Term& term : function.terms) all.insert(term.step);
  return all;
}

template <template <class> class Method>
void Compare(const OneVsRest<double, Method>& learner, const std::vector<Function>& functions) {
  bool agree = learner.support_vectors() == Union(functions).size();
  for (std::size_t r = 0; r < functions.size(); ++r) {
    const auto members = learner.set().members(r);
    REQUIRE(members.size() == functions[r].terms.size());
    for (std::size_t place = 0; place < members.size(); ++place) {
      const Term& term = functions[r].terms[place];
      agree = agree && learner.set().example(members[place]) == term.example &&
              Agree(learner.set().alpha(r, members[place]), term.alpha);
    }
  }
  REQUIRE(agree);
}

template <template <class> class Method>
void Run(const char* name, StepOf step_of, const Given& given, const Kernel& kernel, LabelKind kind,
         std::uint64_t seed) {
  INFO(name << (kind == LabelKind::kBinary ? ", binary" : ", three classes") << ", seed " << seed);
  const int classes = kind == LabelKind::kBinary ? 2 : 3;
  const auto train = testing::RandomDense<double>(40, 3, kind, classes, seed);
  const auto test = testing::RandomDense<double>(9, 3, kind, classes, seed + 100);
  const Settings settings(name, given);
  LearnerContext<double> context{.train = &train, .test = &test, .kernel = kernel, .lookahead = 1};
  context.seed = seed;
  const auto learner = settings.Make<OneVsRest<double, Method>>(context);
  context.lookahead = 5;  // look-ahead changes only `computed`
  const auto ahead = settings.Make<OneVsRest<double, Method>>(context);
  const std::vector<std::uint32_t> order = testing::TwoPasses(train.size(), seed);
  learner->Announce(order);
  ahead->Announce(order);
  CountingKernel counting(kernel, train, train), on_test(kernel, train, test);
  Values values(counting, order);
  std::vector<Function> functions(kind == LabelKind::kBinary ? 1 : 3);
  for (std::size_t r = 0; r < functions.size(); ++r) {
    functions[r].random = Random(rbp::Method<double>::Seed(seed, r));
    functions[r].unit = kernel.kind == KernelKind::kRbf;
  }
  for (std::size_t step = 0; step < order.size(); ++step) {
    INFO("step " << step);
    values.Start(step, Union(functions));
    std::vector<double> f(functions.size(), 0.0), y(functions.size());
    for (std::size_t r = 0; r < f.size(); ++r) {
      const auto label = train.label(order[step]);
      y[r] = kind == LabelKind::kBinary ? label : static_cast<std::size_t>(label) == r ? 1 : -1;
      for (const Term& term : functions[r].terms) f[r] += term.alpha * values.Row(term.step);
    }
    for (std::size_t r = 0; r < f.size(); ++r)
      step_of(functions[r], values, settings, f[r], y[r], Union(functions).size());
    const StepOutcome outcome = learner->Step(order[step]);
    double violation = 0;
    const double margin = learner->method(0).Evaluate(0, 1).loss;  // the margin of the method's hinge
    for (std::size_t r = 0; r < f.size(); ++r) violation += std::max(0.0, margin - y[r] * f[r]);
    REQUIRE(Agree(outcome.loss, violation));
    Compare(*learner, functions);
    testing::RequireCounts(*learner, values.asked(), values.computed());
    REQUIRE(ahead->Step(order[step]).loss == outcome.loss);
    REQUIRE(ahead->counts().requested == values.asked());
    if (step % 19 != 0) continue;
    std::size_t mistakes = 0;
    const std::uint64_t before = on_test.asked();
    for (std::size_t row = 0; row < test.size(); ++row) {
      std::map<std::size_t, double> k;
      for (const std::size_t s : Union(functions)) k[s] = on_test(order[s], row);
      std::vector<double> g(functions.size(), 0.0);
      for (std::size_t r = 0; r < g.size(); ++r)
        for (const Term& term : functions[r].terms) g[r] += term.alpha * k.at(term.step);
      mistakes += kind == LabelKind::kBinary
                      ? (testing::PredictsOtherClass(g[0], test.label(row)) ? 1 : 0)
                      : (std::max_element(g.begin(), g.end()) - g.begin() != test.label(row) ? 1 : 0);
    }
    REQUIRE(testing::Measured(*learner, on_test.asked() - before, [&] { return learner->Test(); }).mistakes ==
            mistakes);
  }
  std::size_t removals = 0;
  for (const Function& function : functions) removals += function.removals;
  if (!given.contains("budget")) return;
  REQUIRE(removals > 0);
  REQUIRE(testing::Column(*learner, "removals") == static_cast<double>(removals));
}

template <template <class> class Method>
void RunAll(const char* name, StepOf step_of, const std::vector<Given>& given, const Kernel& other) {
  for (std::uint64_t seed = 0; seed < 4; ++seed)
    for (const Given& parameters : given)
      for (const LabelKind kind : {LabelKind::kBinary, LabelKind::kMulticlass})
        for (const Kernel& kernel : {Kernel::RbfFromGamma(seed % 2 == 0 ? 0.2 : 2), other})
          Run<Method>(name, step_of, parameters, kernel, kind, seed);
}

ParameterValue Count(std::int64_t count) { return count; }

const testing::RegisterReplay kAll[] = {
    {"passive-aggressive",
     [] {
       RunAll<passive_aggressive::Method>("passive-aggressive", PassiveAggressive, {{}, {{"C", 0.1}}},
                                          Kernel::Linear());
     }},
    {"ogd",
     [] {
       RunAll<ogd::Method>("ogd", Ogd, {{}, {{"eta", 0.05}}}, Kernel::Polynomial(2, 0.5, 1));
     }},
    {"rbp",
     [] {
       RunAll<rbp::Method>("rbp", Rbp, {{{"budget", Count(1)}}, {{"budget", Count(4)}}},
                           Kernel::Polynomial(2, 0.5, 1));
     }},
    {"forgetron",
     [] {
       RunAll<forgetron::Method>("forgetron", Forgetron, {{{"budget", Count(1)}}, {{"budget", Count(4)}}},
                                 Kernel::Linear());
     }},
    {"bpas",
     [] {
       RunAll<bpas::Method>(
           "bpas", BpaS, {{{"budget", Count(1)}}, {{"budget", Count(5)}}, {{"budget", Count(9)}, {"C", 0.1}}},
           Kernel::Polynomial(2, 0.5, 1));
     }},
    {"kt", [] { RunAll<kt::Method>("kt", Kt, {{}}, Kernel::Polynomial(1, 0.001, 0.2)); }}};

}  // namespace
}  // namespace okbench::functions_replay
