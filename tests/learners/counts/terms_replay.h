#pragma once
// Replays of methods over one support set whose step is stated in terms of the function's members: their rows
// and coefficients, the row of the example over them, and the values that the step requests in addition.

#include <Eigen/Cholesky>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "learners/bases/one_vs_rest.h"
#include "learners/core/eigen.h"
#include "tests/learners/counts/replay.h"

namespace okbench::testing {

using Row = std::vector<double>;

constexpr std::size_t kTile = 5;

// Terms of a function, oldest first.
struct Terms {
  std::vector<Row> rows;
  std::vector<double> alpha;

  void Add(const Row& row, double coefficient) {
    rows.push_back(row);
    alpha.push_back(coefficient);
  }
  void Remove(std::size_t place) {
    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(place));
    alpha.erase(alpha.begin() + static_cast<std::ptrdiff_t>(place));
  }
  void Move(const Eigen::VectorXd& direction, double factor) {
    for (std::size_t j = 0; j < alpha.size(); ++j)
      alpha[j] += factor * direction[static_cast<Eigen::Index>(j)];
  }
};

// Inputs of a step of one function: k, its row over the members, and the values it requests in addition.
struct Sight {
  const Row& x;
  std::vector<double> k;
  std::function<double()> self;                       // requests k(x, x), once for all functions
  std::function<double(const Row&, const Row&)> ask;  // requests a value that is not cached
  std::function<double(const Row&, const Row&)> lookup;
  std::function<void()> evaluates_row;  // the engine computes a row over all support vectors
  std::function<void()> computes_one;   // the engine computes one value
  double score, y;                      // the step sets the score to the prediction if they differ

  Eigen::VectorXd K() const {
    return Eigen::Map<const Eigen::VectorXd>(k.data(), static_cast<Eigen::Index>(k.size()));
  }
  // Solves K d = k.
  Eigen::VectorXd Solve(const Terms& terms) const { return Solve(terms, K()); }
  Eigen::VectorXd Solve(const Terms& terms, const Eigen::VectorXd& side) const {
    const auto n = static_cast<Eigen::Index>(terms.rows.size());
    if (n == 0) return Eigen::VectorXd(0);
    Eigen::MatrixXd gram(n, n);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j)
        gram(i, j) = lookup(terms.rows[static_cast<std::size_t>(i)], terms.rows[static_cast<std::size_t>(j)]);
    return gram.ldlt().solve(side);
  }
};

// One function's step by the method's equations.
using Step = std::function<void(Terms&, Sight&)>;

using MakeStep = std::function<Step(const Settings&)>;

template <template <class> class Method>
void RequireReplay(const std::string& name, const Given& given, const Kernel& kernel, LabelKind kind,
                   int classes, std::uint64_t seed, const MakeStep& make_step) {
  using Learner = OneVsRest<double, Method>;
  const auto data = RandomDense<double>(45, 3, kind, classes, seed);
  const auto test = RandomDense<double>(20, 3, kind, classes, seed + 100);
  const Settings settings(name, given);
  // Removed support vectors leave empty slots, which the look-ahead replay does not model.
  const bool leave = name != "projectron" && name != "krls" && name != "qklms" && name != "knlms" &&
                     name != "kap" && name != "pkawv" && name != "aioli" && name != "pros-n-kons";
  const auto learner = settings.Make<Learner>({.train = &data,
                                               .test = &test,
                                               .kernel = kernel,
                                               .lookahead = leave ? std::size_t{1} : kTile,
                                               .seed = seed});
  const auto order = TwoPasses(data.size(), seed);
  learner->Announce(order);
  const FunctionSet<double>& set = learner->set();
  LookAheadReplay ahead(kTile, order);
  std::vector<Step> steps;
  for (std::size_t r = 0; r < set.functions(); ++r) steps.push_back(make_step(settings));
  std::uint64_t asked = 0, computed = 0;
  const auto value = [&](const Row& a, const Row& b) { return PlainKernel(kernel, a, b); };
  const auto row_of = [&](std::size_t slot) {
    return DenseRow(set.blocks().Rows(std::vector<std::size_t>{slot}), 0);
  };
  for (const std::uint32_t i : order) {
    const Row x = DenseRow(data, i);
    const std::size_t vectors = set.size();
    std::map<std::size_t, double> row;
    for (std::size_t slot = 0; slot < set.blocks().slots(); ++slot)
      if (set.blocks().in_use(slot)) {
        row[slot] = value(row_of(slot), x);
        ++asked;
      }
    REQUIRE(row.size() == vectors);
    computed += vectors;
    ahead.Row(i, vectors);
    std::vector<Terms> expected(set.functions());
    std::vector<Sight> sights;
    std::size_t now = vectors;
    bool self_known = false;
    std::vector<double> f(set.functions(), 0.0);
    for (std::size_t r = 0; r < set.functions(); ++r) {
      Sight sight{.x = x,
                  .k = {},
                  .self = {},
                  .ask = {},
                  .lookup = value,
                  .evaluates_row = {},
                  .computes_one = {},
                  .score = 0,
                  .y = 0};
      for (const std::uint32_t slot : set.members(r)) {
        expected[r].Add(row_of(slot), set.alpha(r, slot));
        sight.k.push_back(row.at(slot));
        f[r] += set.alpha(r, slot) * row.at(slot);
      }
      sight.self = [&] {
        asked += self_known ? 0 : 1;
        computed += self_known ? 0 : 1;
        if (!self_known) ahead.One();
        self_known = true;
        return value(x, x);
      };
      sight.ask = [&](const Row& a, const Row& b) {
        ++asked;
        return value(a, b);
      };
      sight.evaluates_row = [&] { computed += now; };
      sight.computes_one = [&] {
        ++computed;
        ahead.One();
      };
      sight.score = f[r];
      sight.y = kind == LabelKind::kMulticlass ? (data.label(i) == static_cast<int>(r) ? 1.0 : -1.0)
                                               : data.target(i);
      sights.push_back(sight);
    }
    // With several classes the support set changes between functions, and only the first function determines
    // the cost of a row over it. Therefore merging is replayed with one function.
    now = vectors + 1;
    for (std::size_t r = 0; r < set.functions(); ++r) steps[r](expected[r], sights[r]);
    const StepOutcome outcome = learner->Step(i);
    REQUIRE(Agree(outcome.prediction, sights[0].score));
    for (std::size_t r = 0; r < set.functions(); ++r) {
      const auto members = set.members(r);
      REQUIRE(members.size() == expected[r].rows.size());
      bool agree = true;
      for (std::size_t j = 0; j < members.size(); ++j)
        agree = agree &&
                std::fabs(set.alpha(r, members[j]) - expected[r].alpha[j]) <=
                    1e-6 * (1 + std::fabs(expected[r].alpha[j])) &&
                Agree(row_of(members[j]), expected[r].rows[j]);
      REQUIRE(agree);
    }
    if (set.size() > vectors) ahead.Put(vectors);
    INFO(name << " asks for " << asked);
    RequireCounts(*learner, asked, leave ? computed : ahead.computed());
  }
  const TestOutcome outcome = Measured(*learner, test.size() * set.size(), [&] { return learner->Test(); });
  std::uint64_t mistakes = 0;
  double squares = 0;
  for (std::size_t i = 0; i < test.size(); ++i) {
    std::vector<double> f(set.functions(), 0.0);
    for (std::size_t r = 0; r < set.functions(); ++r)
      for (const std::uint32_t slot : set.members(r))
        f[r] += set.alpha(r, slot) * value(row_of(slot), DenseRow(test, i));
    if (kind == LabelKind::kReal) squares += (f[0] - test.truth(i)) * (f[0] - test.truth(i));
    if (kind == LabelKind::kBinary) mistakes += PredictsOtherClass(f[0], test.label(i)) ? 1 : 0;
    if (kind == LabelKind::kMulticlass)
      mistakes += ArgMax(f) != static_cast<std::size_t>(test.label(i)) ? 1 : 0;
  }
  REQUIRE(outcome.mistakes == mistakes);
  REQUIRE(Agree(outcome.squared_error, squares));
}

}  // namespace okbench::testing
