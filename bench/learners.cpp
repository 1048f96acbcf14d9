// Steps and whole trials of the learners compared with a plain Eigen implementation. Uses real data from
// OKBENCH_MIRROR or the cache, otherwise synthetic fallbacks.

#include <benchmark/benchmark.h>

#include <Eigen/Dense>
#include <numeric>
#include <vector>

#include "bench/digits.h"
#include "datasets/rows/load.h"
#include "learners/api/registry.h"
#include "learners/methods/multiclass_svm/multiclass_svm.h"
#include "learners/solvers/capped_simplex.h"

namespace okbench::bench {

const Examples<float>& Data(const std::string& name) {
  static std::map<std::string, Examples<float>> loaded;
  const auto entry = loaded.find(name);
  if (entry != loaded.end()) return entry->second;
  DataRequest request;
  request.name = name;
  request.unit_norm = name != "usps";
  if (request.unit_norm) request.scale = Range{};
  return loaded.emplace(name, LoadCatalogued(request)).first->second;
}

DataSet Catalogued(const std::string& name) {
  Catalog catalog;
  catalog.Read(OKBENCH_SOURCE_FOLDER "/datasets/catalog.toml");
  return catalog.Find(name);
}

Examples<float> LoadCatalogued(DataRequest request) {
  const DataSet set = Catalogued(request.name);
  const auto folders = DataFolders::FromEnvironment();
  request.force_synthetic = PlanData(set, request, folders).synthetic;
  return Load<float>(set, request, folders);
}

std::uint64_t RunOnline(const std::string& data, const std::string& learner, const Kernel& kernel,
                        const std::map<std::string, ParameterValue>& parameters, std::size_t limit,
                        std::uint64_t* requested) {
  const auto& train = Data(data);
  const LearnerInfo& info = FindLearner(learner);
  const auto values = ParameterValues::Resolve(info.parameters, parameters);
  std::vector<std::uint32_t> order(limit > 0 ? std::min(limit, train.size()) : train.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto trial = info.MakeAs<StreamLearner>(
      values, LearnerContext<float>{.train = &train, .test = nullptr, .kernel = kernel, .lookahead = 48});
  trial->Announce(order);
  std::uint64_t mistakes = 0;
  for (const std::uint32_t i : order) mistakes += trial->Step(i).mistake ? 1 : 0;
  *requested = trial->counts().requested;
  return mistakes;
}

namespace {

void Seconds(benchmark::State& state) {
  state.counters["seconds"] =
      benchmark::Counter(1, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void Trial(benchmark::State& state, const std::string& data, const std::string& learner, const Kernel& kernel,
           const std::map<std::string, ParameterValue>& parameters, std::size_t limit = 0) {
  Data(data);
  std::uint64_t requested = 0;
  for (auto _ : state)
    state.counters["mistakes"] =
        static_cast<double>(RunOnline(data, learner, kernel, parameters, limit, &requested));
  Seconds(state);
  state.counters["requested"] = static_cast<double>(requested);
}

// With mu = 0 and a constant step, NORMA and SVMD are the same method, so their support sets are equal and
// the ratio is fair.
const std::map<std::string, ParameterValue> kUsps = {
    {"loss", std::string("multiclass-hinge")}, {"c", 0.002 / 7291}, {"eta0", 0.1}};

void NormaUsps(benchmark::State& state) {
  auto parameters = kUsps;
  parameters["schedule"] = std::string("constant");
  Trial(state, "usps", "norma", Kernel::RbfFromSigma(8), parameters);
}
BENCHMARK(NormaUsps)->Unit(benchmark::kMillisecond);

void SvmdUsps(benchmark::State& state) {
  auto parameters = kUsps;
  parameters["mu"] = 0.0;
  parameters["trace_decay"] = 0.99;
  Trial(state, "usps", "svmd", Kernel::RbfFromSigma(8), parameters);
}
BENCHMARK(SvmdUsps)->Unit(benchmark::kMillisecond);

void SvmdMnist4096(benchmark::State& state) {
  Trial(state, "mnist", "svmd", Kernel::Polynomial(9, 1, 0),
        {{"loss", std::string("multiclass-hinge")},
         {"c", 0.002 / 60000},
         {"eta0", 1.0},
         {"mu", 0.01},
         {"trace_decay", 1.0},
         {"buffer", std::int64_t{4096}}});
}
BENCHMARK(SvmdMnist4096)->Unit(benchmark::kMillisecond)->Iterations(1);

const Kernel kPolynomial = Kernel::Polynomial(9, 1, 0);

void MiraUspsFixed(benchmark::State& state) {
  Trial(state, "usps-esl", "mira", kPolynomial,
        {{"cache", std::string("fixed")}, {"budget", std::int64_t{1500}}});
}
BENCHMARK(MiraUspsFixed)->Unit(benchmark::kMillisecond);

void MiraMnist(benchmark::State& state) {
  Trial(state, "mnist", "mira", kPolynomial, {}, static_cast<std::size_t>(state.range(0)));
}
BENCHMARK(MiraMnist)->Arg(10000)->Arg(60000)->Unit(benchmark::kMillisecond)->Iterations(1);

// MIRA with a fixed cache of `size` members (0: unbounded), written plainly with Eigen: one matrix-vector
// product per step.
std::uint64_t EigenMira(const Examples<float>& train, std::size_t limit, std::size_t size) {
  using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  constexpr double kBeta = 0.01;
  const auto classes = static_cast<Eigen::Index>(train.classes());
  const auto capacity = static_cast<Eigen::Index>(size > 0 ? size : limit);
  const auto features = static_cast<Eigen::Index>(train.features());
  RowMajor x(capacity, features);
  Eigen::MatrixXd tau(capacity, classes), scores(capacity, classes);
  std::vector<std::int32_t> labels;
  CappedSimplexSolver solver(static_cast<std::size_t>(classes));
  std::uint64_t mistakes = 0;
  Eigen::Index n = 0;
  const auto kernel_row = [&](const Eigen::VectorXf& z) -> Eigen::VectorXd {
    const Eigen::ArrayXf dot = (x.topRows(n) * z).array();
    return dot.cube().cube().matrix().cast<double>();
  };
  for (std::size_t t = 0; t < limit; ++t) {
    const Eigen::VectorXf z = Eigen::Map<const Eigen::VectorXf>(train.row(t).values, features);
    const std::int32_t y = train.label(t);
    const Eigen::VectorXd k = kernel_row(z);
    Eigen::VectorXd f = tau.topRows(n).transpose() * k;
    Eigen::Index best = 0;
    f.maxCoeff(&best);
    mistakes += best != y ? 1 : 0;
    Eigen::VectorXd others = f;
    others[y] = -1e300;
    if (f[y] - others.maxCoeff() > kBeta) continue;
    Eigen::Index slot = n;
    if (size > 0 && n == capacity) {
      double largest = -1e300;
      for (Eigen::Index i = 0; i < n; ++i) {
        const double self = std::pow(static_cast<double>(x.row(i).squaredNorm()), 9);
        Eigen::VectorXd without = scores.row(i) - self * tau.row(i);
        const double own = without[labels[static_cast<std::size_t>(i)]];
        without[labels[static_cast<std::size_t>(i)]] = -1e300;
        if (own - without.maxCoeff() <= largest) continue;
        largest = own - without.maxCoeff();
        slot = i;
      }
      const Eigen::VectorXd row = kernel_row(x.row(slot).transpose());
      scores.topRows(n) -= row * tau.row(slot);
      f -= k[slot] * tau.row(slot).transpose();
      tau.row(slot).setZero();
    }
    const double self = std::pow(static_cast<double>(z.squaredNorm()), 9);
    Eigen::VectorXd b = f, step(classes);
    b[y] -= kBeta;
    solver.Solve(self, {b.data(), static_cast<std::size_t>(classes)}, static_cast<std::size_t>(y), 1,
                 {step.data(), static_cast<std::size_t>(classes)});
    if (size > 0) scores.topRows(n) += k * step.transpose();
    x.row(slot) = z.transpose();
    tau.row(slot) = step.transpose();
    scores.row(slot) = (f + self * step).transpose();
    labels.resize(static_cast<std::size_t>(std::max(n, slot + 1)));
    labels[static_cast<std::size_t>(slot)] = y;
    n = std::max(n, slot + 1);
  }
  return mistakes;
}

// Requires the same result as okbench, except for a few mistakes caused by rounding.
void ExternalEigen(benchmark::State& state, const std::string& data, std::size_t limit, std::size_t size) {
  const auto& train = Data(data);
  limit = limit > 0 ? std::min(limit, train.size()) : train.size();
  std::uint64_t mistakes = 0, requested = 0;
  for (auto _ : state) mistakes = EigenMira(train, limit, size);
  std::map<std::string, ParameterValue> parameters;
  if (size > 0) parameters = {{"cache", std::string("fixed")}, {"budget", static_cast<std::int64_t>(size)}};
  const auto ours = static_cast<double>(RunOnline(data, "mira", kPolynomial, parameters, limit, &requested));
  if (std::fabs(static_cast<double>(mistakes) - ours) > 5 + 0.02 * ours) state.SkipWithError("wrong result");
  Seconds(state);
}

void ExternalEigenUspsFixed(benchmark::State& state) { ExternalEigen(state, "usps-esl", 0, 1500); }
BENCHMARK(ExternalEigenUspsFixed)->Unit(benchmark::kMillisecond)->Iterations(1);

void ExternalEigenMnist(benchmark::State& state) { ExternalEigen(state, "mnist", 10000, 0); }
BENCHMARK(ExternalEigenMnist)->Unit(benchmark::kMillisecond)->Iterations(1);

void BatchSvmUsps(benchmark::State& state) {
  const auto& train = Data("usps-esl");
  std::vector<std::uint32_t> order(train.size());
  std::iota(order.begin(), order.end(), 0U);
  for (auto _ : state) {
    multiclass_svm::MulticlassSvm<float> svm(
        {}, LearnerContext<float>{.train = &train, .test = nullptr, .kernel = kPolynomial});
    svm.Announce(order);
    while (!svm.Round().finished) {
    }
    state.counters["relative_gap"] = (svm.primal() - svm.dual()) / svm.primal();
  }
  Seconds(state);
}
BENCHMARK(BatchSvmUsps)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace okbench::bench
