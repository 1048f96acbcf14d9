// FunctionSet against plain lists of terms: members are added, removed and shared by several functions.
// Checks values and requested evaluations.

#include "learners/support/function_set.h"

#include <memory>
#include <set>

#include "base/error.h"
#include "learners/api/model.h"
#include "tests/catch.h"
#include "tests/helpers.h"

namespace okbench {
namespace {

using testing::PlainKernel;

// A set and the objects that it refers to.
template <class T>
struct Fixture {
  Fixture(const Examples<T>& rows, const Kernel& k, std::size_t functions, bool streaming = false,
          std::size_t tile = 5)
      : data(rows),
        kernel(k),
        engine(k),
        inputs(engine.Prepare(data)),
        set(engine, inputs, engine.MakeBlocks(data, nullptr, streaming), functions, tile) {}

  double K(std::uint32_t i, std::uint32_t j) const { return PlainKernel(kernel, data, i, data, j); }
  std::vector<double> Fetch(std::uint32_t i) {
    std::vector<double> f(set.functions());
    set.Fetch(i, f);
    return f;
  }

  Examples<T> data;
  Kernel kernel;
  KernelEngine<T> engine;
  ExampleInputs<T> inputs;
  FunctionSet<T> set;
};

// A member, identified by the step that added it: one support vector for all functions.
struct Term {
  std::size_t step;
  std::uint32_t example;
  double alpha;
};
using Functions = std::vector<std::vector<Term>>;

std::set<std::size_t> Union(const Functions& functions) {
  std::set<std::size_t> all;
  for (const auto& terms : functions)
    for (const Term& term : terms) all.insert(term.step);
  return all;
}

// Random operations that a method may apply to function r in a step, and the number of requests made.
class Steps {
 public:
  Steps(Fixture<double>& fixture, std::uint64_t seed) : fixture_(fixture), random_(seed), plain_(3) {}

  void Step(std::size_t step) {
    const auto x = static_cast<std::uint32_t>(random_.Below(fixture_.data.size()));
    requested_ += Union(plain_).size();
    const std::vector<double> f = fixture_.Fetch(x);
    self_asked_ = false;
    for (std::size_t r = 0; r < plain_.size(); ++r) {
      double expected = 0;
      for (const Term& term : plain_[r]) expected += term.alpha * fixture_.K(term.example, x);
      REQUIRE(f[r] == Approx(expected).margin(1e-9));
    }
    for (std::size_t r = 0; r < plain_.size(); ++r) Change(step, x, r);
    Compare();
  }

 private:
  void Change(std::size_t step, std::uint32_t x, std::size_t r) {
    auto f = fixture_.set.function(r);
    auto& terms = plain_[r];
    if (random_.Below(3) == 0) {
      CHECK(f.Self() == Approx(fixture_.K(x, x)));
      AskSelf();
    }
    while (!terms.empty() && (terms.size() > 20 || random_.Below(4) == 0)) {
      const std::size_t place = random_.Below(terms.size());
      CHECK(f.Value(place) == Approx(fixture_.K(terms[place].example, x)));
      f.Remove(place);
      terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(place));
    }
    if (!terms.empty() && random_.Below(3) == 0) {
      const std::size_t place = random_.Below(terms.size());
      f.SetAlpha(place, terms[place].alpha = random_.Normal());
    }
    if (random_.Below(3) == 0) {
      const double factor = random_.Below(20) == 0 ? 0 : 2 * random_.Uniform() - 0.5;
      f.Multiply(factor);
      for (Term& term : terms) term.alpha *= factor;
      if (factor == 0) terms.clear();
    }
    const bool adds = random_.Below(3) > 0;
    if (adds) {
      terms.push_back({step, x, random_.Normal()});
      f.Add(terms.back().alpha);
    }
    if (!terms.empty() && random_.Below(3) == 0) CheckRow(step, r, random_.Below(terms.size()));
    if (adds && random_.Below(5) == 0) {
      f.Remove(terms.size() - 1);
      terms.pop_back();
    }
  }

  // If x_t is a member, one value is cached. The row of x_t itself is cached, except k(x_t, x_t).
  void CheckRow(std::size_t step, std::size_t r, std::size_t place) {
    const auto& terms = plain_[r];
    std::vector<double> row;
    fixture_.set.function(r).MemberRow(place, row);
    REQUIRE(row.size() == terms.size());
    for (std::size_t j = 0; j < row.size(); ++j)
      REQUIRE(row[j] == Approx(fixture_.K(terms[place].example, terms[j].example)));
    if (terms[place].step == step)
      AskSelf();
    else
      requested_ += terms.size() - (terms.back().step == step ? 1 : 0);
  }

  void AskSelf() {
    requested_ += self_asked_ ? 0 : 1;
    self_asked_ = true;
  }

  void Compare() const {
    const FunctionSet<double>& set = fixture_.set;
    REQUIRE(set.size() == Union(plain_).size());
    REQUIRE(fixture_.engine.counts().requested == requested_);
    for (std::size_t r = 0; r < plain_.size(); ++r) {
      const auto members = set.members(r);
      REQUIRE(members.size() == plain_[r].size());
      for (std::size_t j = 0; j < members.size(); ++j) {
        REQUIRE(set.example(members[j]) == plain_[r][j].example);
        REQUIRE(set.alpha(r, members[j]) == Approx(plain_[r][j].alpha).margin(1e-12));
        for (std::size_t other = 0; other < r; ++other)  // shared only if added by the same step
          for (std::size_t k = 0; k < plain_[other].size(); ++k)
            REQUIRE((set.members(other)[k] == members[j]) == (plain_[other][k].step == plain_[r][j].step));
      }
    }
  }

  Fixture<double>& fixture_;
  Random random_;
  Functions plain_;
  std::uint64_t requested_ = 0;
  bool self_asked_ = false;
};

TEST_CASE("FunctionSet: several functions over one support set equal plain lists of terms") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const auto [dense, sparse] = testing::DenseAndSparse<double>(60, 30, 0.2, seed % 3 == 0, seed);
    const auto [unused, wide] = testing::DenseAndSparse<double>(60, 5000, 0.01, false, seed);
    const Kernel kernel = seed % 2 == 0 ? Kernel::RbfFromGamma(0.2) : Kernel::Polynomial(2, 0.1, 1);
    for (const Examples<double>* data : {&dense, &sparse, &wide}) {
      Fixture<double> fixture(*data, kernel, 3);
      Steps steps(fixture, seed);
      for (std::size_t step = 0; step < 200; ++step) {
        INFO("seed " << seed << ", step " << step);
        steps.Step(step);
      }
    }
  }
}

TEST_CASE("FunctionSet: two functions share a vector until both have dropped it, by hand") {
  Fixture<double> fixture(Examples<double>::Dense(1, {2, 3, 5}, {1, 1, -1}, LabelKind::kBinary, 2),
                          Kernel::Linear(), 2, false, 1);
  auto& set = fixture.set;
  fixture.Fetch(0);
  set.function(0).Add(1);
  set.function(1).Add(-2);
  CHECK(set.size() == 1);
  CHECK(fixture.Fetch(1) == std::vector<double>{6, -12});  // one value for both
  CHECK(fixture.engine.counts().requested == 1);
  set.function(1).Add(0.5);
  CHECK(set.function(1).Value(1) == 9);  // k(x, x), requested once
  CHECK(set.function(1).Self() == 9);
  CHECK(fixture.engine.counts().requested == 2);
  CHECK(set.size() == 2);
  set.function(0).Remove(0);
  CHECK(set.size() == 2);
  set.function(1).Remove(0);
  CHECK(set.size() == 1);
  CHECK(fixture.Fetch(2) == std::vector<double>{0, 7.5});
  std::vector<double> row;
  set.function(0).Add(1);  // into the free slot
  CHECK(set.blocks().slots() == 16);
  CHECK((set.members(0)[0] == 0 && set.members(1)[0] == 1));
  set.function(1).MemberRow(0, row);
  CHECK(row == std::vector<double>{9});
  CHECK(fixture.engine.counts().requested == 2 + 1 + 1);
}

TEST_CASE("FunctionSet: members that are not data rows, dense and sparse") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const auto [dense, sparse] = testing::DenseAndSparse<double>(20, 12, 0.4, seed == 2, seed);
    const auto [unused, wide] = testing::DenseAndSparse<double>(20, 3000, 0.01, false, seed);
    for (const Examples<double>* data : {&dense, &sparse, &wide}) {
      Fixture<double> fixture(*data, Kernel::RbfFromGamma(0.1), 2, true);
      Random random(seed);
      std::vector<std::vector<double>> vectors;
      const std::size_t features = data->features();
      for (std::uint32_t i = 0; i < 20; ++i) {
        const std::vector<double> f = fixture.Fetch(i), x = testing::DenseRow(*data, i);
        double expected = 0;
        for (std::size_t v = 0; v < vectors.size(); ++v)
          expected += static_cast<double>(v + 1) * PlainKernel(fixture.kernel, vectors[v], x);
        REQUIRE(f[1] == Approx(expected).margin(1e-9));
        REQUIRE(f[0] == 0);
        std::vector<double> vector(features, 0.0);
        for (std::size_t j = 0; j < features; ++j)
          if (random.Uniform() < 0.3) vector[j] = random.Normal();
        auto function = fixture.set.function(1);
        REQUIRE(function.features() == features);
        function.AddVector(vector, static_cast<double>(vectors.size() + 1));
        vectors.push_back(vector);
        std::vector<double> back(features, -1.0);
        function.Vector(vectors.size() - 1, back);
        REQUIRE(back == vector);
        REQUIRE(fixture.set.example(fixture.set.members(1).back()) == FunctionSet<double>::kNoExample);
      }
      std::vector<double> row;
      fixture.set.function(1).MemberRow(3, row);
      for (std::size_t v = 0; v < vectors.size(); ++v)
        REQUIRE(row[v] == Approx(PlainKernel(fixture.kernel, vectors[3], vectors[v])).margin(1e-12));
      REQUIRE(fixture.engine.counts().requested == 19 * 20 / 2 + 20);
    }
  }
}

TEST_CASE("FunctionSet: multiplying a whole function, also by very small factors") {
  Fixture<double> fixture(testing::RandomDense<double>(8, 3, LabelKind::kBinary, 2, 1),
                          Kernel::RbfFromGamma(0.5), 2);
  auto hypothesis = fixture.set.function(0), other = fixture.set.function(1);
  fixture.Fetch(0);
  hypothesis.Add(1);
  other.Add(3);
  // 2^-1000, then back up: the coefficient stays exact, and the factor stays in its range.
  for (int i = 0; i < 250; ++i) {
    hypothesis.Multiply(0x1p-4);
    REQUIRE((hypothesis.scale() > 0x1p-301 && hypothesis.scale() <= 1));
  }
  CHECK(hypothesis.alpha(0) == 0x1p-1000);
  fixture.Fetch(1);
  hypothesis.Add(0x1p-1000);
  for (int i = 0; i < 500; ++i) hypothesis.Multiply(-0x1p2);
  CHECK((hypothesis.alpha(0) == 1 && hypothesis.alpha(1) == 1));
  CHECK(other.alpha(0) == 3);
  const double f = fixture.K(0, 2) + fixture.K(1, 2);
  CHECK(fixture.Fetch(2)[0] == Approx(f));
  // Changes only the factor: stored values stay, and added values are stored as 1 or -1.
  hypothesis.SetScale(hypothesis.scale() / 3);
  CHECK((hypothesis.alpha(0) == Approx(1.0 / 3) && hypothesis.alpha(1) == hypothesis.alpha(0)));
  Fixture<double> bets(fixture.data, fixture.kernel, 1);
  auto bet = bets.set.function(0);
  for (std::uint32_t i = 0; i < 8; ++i) {
    bets.Fetch(i);
    bet.SetScale(1 / (i + 3.0));
    bet.Add(i % 2 == 0 ? bet.scale() : -bet.scale());
  }
  bet.SetScale(1);
  for (std::size_t place = 0; place < 8; ++place) CHECK(bet.alpha(place) == (place % 2 == 0 ? 1 : -1));
  other.Multiply(0);
  CHECK((other.size() == 0 && fixture.set.size() == 2));
  hypothesis.Multiply(0);
  CHECK((fixture.set.size() == 0 && hypothesis.scale() == 1));
}

TEST_CASE("FunctionSet: scores on another set, and of the saved model, equal those of the functions") {
  Fixture<double> fixture(testing::RandomDense<double>(30, 3, LabelKind::kBinary, 2, 1),
                          Kernel::RbfFromGamma(0.5), 2);
  for (std::uint32_t i = 0; i < 12; ++i) {
    fixture.Fetch(i);
    fixture.set.function(i % 2).Add(i + 1.0);
    if (i % 4 == 0) fixture.set.function(1).Add(-1.5);  // a vector shared by both
    fixture.set.function(0).Multiply(-0.7);
    if (i == 6) fixture.set.function(0).Remove(1);
  }
  const std::vector<std::uint32_t> rows = {20, 3, 29};
  std::vector<double> scores(6), modelled(60);
  const auto before = fixture.engine.counts();
  fixture.set.Evaluate(fixture.inputs, rows, scores);
  CHECK(fixture.engine.counts().evaluation - before.evaluation == 3 * fixture.set.size());
  CHECK(fixture.engine.counts().requested == before.requested);
  Model<double> model{.kernel = fixture.engine.kernel(), .outputs = 2};
  for (std::size_t r = 0; r < 2; ++r)
    for (const std::size_t slot : fixture.set.UsedSlots())
      model.coefficients.push_back(fixture.set.alpha(r, slot));
  model.vectors =
      std::make_shared<const Examples<double>>(fixture.set.blocks().Rows(fixture.set.UsedSlots()));
  Predictor<double>(std::move(model)).Predict(fixture.data, modelled);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t r = 0; r < 2; ++r) {
      double f = 0;
      for (const std::uint32_t slot : fixture.set.members(r))
        f += fixture.set.alpha(r, slot) * fixture.K(fixture.set.example(slot), rows[i]);
      CHECK(scores[i * 2 + r] == Approx(f).margin(1e-12));
      CHECK(modelled[rows[i] * 2 + r] == Approx(f).margin(1e-12));
    }
}

// Steps that depend on the whole state: scores, coefficients and a row of members.
void Course(Fixture<double>& fixture, std::uint32_t first, std::uint32_t last, std::vector<double>& scores) {
  for (std::uint32_t i = first; i < last; ++i) {
    const auto f = fixture.Fetch(i);
    scores.insert(scores.end(), f.begin(), f.end());
    for (std::size_t r = 0; r < 2; ++r) {
      auto function = fixture.set.function(r);
      if (function.size() > 5 + r) {
        std::vector<double> row;
        function.MemberRow(1, row);
        scores.insert(scores.end(), row.begin(), row.end());
        function.Remove(r);
      }
      function.Multiply(0.9);
      if ((i + r) % 3 != 0) function.Add(1 + f[r]);
    }
  }
}

TEST_CASE("FunctionSet: a restored set continues with the same bits, without the original rows") {
  const auto [dense, sparse] = testing::DenseAndSparse<double>(60, 40, 0.2, false, 4);
  for (const Examples<double>* data : {&dense, &sparse}) {
    Fixture<double> whole(*data, Kernel::RbfFromGamma(0.1), 2, true),
        first(*data, Kernel::RbfFromGamma(0.1), 2, true);
    std::vector<double> expected, scores;
    Course(whole, 0, 60, expected);
    Course(first, 0, 30, scores);
    Archive written;
    first.engine.Serialize(written);
    first.set.Serialize(written);
    Fixture<double> next(*data, Kernel::RbfFromGamma(0.1), 2, true);
    Archive read(written.bytes());
    next.engine.Serialize(read);
    next.set.Serialize(read);
    read.Finish();
    CHECK(next.set.example(next.set.members(0)[0]) == FunctionSet<double>::kNoExample);
    Archive again;
    next.engine.Serialize(again);
    next.set.Serialize(again);
    CHECK(again.bytes() == written.bytes());
    Course(next, 30, 60, scores);
    CHECK(scores == expected);
    CHECK(next.engine.counts().requested == whole.engine.counts().requested);
    // A set with another number of functions is rejected.
    Fixture<double> three(*data, Kernel::RbfFromGamma(0.1), 3, true);
    Archive other(written.bytes());
    three.engine.Serialize(other);
    CHECK_THROWS_AS((three.set.Serialize(other), other.Finish()), InvalidArgument);
  }
}

}  // namespace
}  // namespace okbench
