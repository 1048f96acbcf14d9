// The kernel engine compared with external libraries and with the limits of the machine. Checks every result,
// since a fast wrong result is an error. bench/report.py converts the rates to ratios.

#include <benchmark/benchmark.h>
#include <cblas.h>
#include <svm.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bench/limits.h"
#include "learners/core/random.h"
#include "learners/kernels/engine.h"

// libsvm's inner loop. Its library exports this class, but no header declares it.
class Kernel {
 public:
  static double k_function(const svm_node* x, const svm_node* y, const svm_parameter& param);
};

namespace okbench::bench {
namespace {

constexpr double kGamma = 1.0 / 128;

Examples<float> Dense(std::size_t rows, std::size_t features) {
  Random random(1);
  std::vector<float> values(rows * features);
  for (float& v : values) v = static_cast<float>(2 * random.Uniform() - 1);
  return Examples<float>::Dense(features, std::move(values), std::vector<std::int32_t>(rows, 1),
                                LabelKind::kBinary, 2);
}

// Rows like Adult: 14 of 123 features, with values 1 or real.
Examples<float> Sparse(std::size_t rows, bool zero_one) {
  constexpr std::size_t kFeatures = 123, kActive = 14;
  Random random(2);
  std::vector<std::size_t> offsets = {0};
  std::vector<std::uint32_t> indices;
  std::vector<float> values;
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<std::uint32_t> all(kFeatures);
    std::iota(all.begin(), all.end(), 0U);
    Shuffle(std::span(all), random);
    std::sort(all.begin(), all.begin() + kActive);
    indices.insert(indices.end(), all.begin(), all.begin() + kActive);
    for (std::size_t j = 0; j < kActive; ++j)
      values.push_back(zero_one ? 1.0F : static_cast<float>(random.Uniform() + 0.1));
    offsets.push_back(indices.size());
  }
  return Examples<float>::Sparse(kFeatures, offsets, indices, values, std::vector<std::int32_t>(rows, 1),
                                 LabelKind::kBinary, 2);
}

struct Setting {
  Examples<float> support, queries;
  KernelEngine<float> engine;
  Inputs<float> support_inputs, query_inputs;
  SupportBlocks<float> set;
  Setting(Examples<float> s, Examples<float> q, const okbench::Kernel& kernel)
      : support(std::move(s)),
        queries(std::move(q)),
        engine(kernel),
        support_inputs(engine.Prepare(support)),
        query_inputs(engine.Prepare(queries)),
        set(engine.MakeBlocks(support)) {
    for (std::size_t i = 0; i < support.size(); ++i) set.Put(i, support_inputs, i);
  }
};

double PlainRbf(const Examples<float>& a, std::size_t i, const Examples<float>& b, std::size_t j,
                double gamma) {
  std::vector<double> difference(a.features(), 0.0);
  const auto add = [&](const RowView<float>& row, double sign) {
    for (std::size_t k = 0; k < row.count; ++k)
      difference[row.indices ? row.indices[k] : k] += sign * static_cast<double>(row.values[k]);
  };
  add(a.row(i), 1);
  add(b.row(j), -1);
  return std::exp(-gamma * std::inner_product(difference.begin(), difference.end(), difference.begin(), 0.0));
}

void Check(benchmark::State& state, double got, double expected) {
  if (std::fabs(got - expected) > 2e-5) state.SkipWithError("wrong result");
}

void Values(benchmark::State& state, double values_per_iteration, std::size_t features) {
  state.counters["values"] =
      benchmark::Counter(values_per_iteration, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["flops"] = benchmark::Counter(2 * values_per_iteration * static_cast<double>(features),
                                               benchmark::Counter::kIsIterationInvariantRate);
}

// One query at a time. Checks the last result.
void SingleQueries(benchmark::State& state, Setting& s) {
  AlignedVector<float> row(s.set.slots());
  std::size_t q = 0;
  for (auto _ : state) {
    s.engine.Row(s.set, s.query_inputs, q++ % 64, Purpose::kLearning, row.data());
    benchmark::DoNotOptimize(row.data());
  }
  s.engine.Row(s.set, s.query_inputs, 3, Purpose::kLearning, row.data());
  Check(state, row[7], PlainRbf(s.queries, 3, s.support, 7, s.engine.kernel().gamma));
}

// Machine limits.

void LimitFma(benchmark::State& state) {
  float sink = 0;
  std::size_t operations = 0;
  for (auto _ : state) operations += FmaPass(&sink);
  benchmark::DoNotOptimize(sink);
  state.counters["flops"] = benchmark::Counter(static_cast<double>(operations), benchmark::Counter::kIsRate);
}
BENCHMARK(LimitFma);

void LimitRead(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0)) * 256;
  const AlignedVector<float> data(count, 1.0F);
  for (auto _ : state) benchmark::DoNotOptimize(ReadPass(data.data(), count));
  state.counters["bytes"] = benchmark::Counter(static_cast<double>(count * sizeof(float)),
                                               benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(LimitRead)->ArgName("vectors")->Arg(512)->Arg(4096)->Arg(65536);

void LimitExp(benchmark::State& state) {
  AlignedVector<float> data(4096);
  for (auto _ : state) {
    std::fill(data.begin(), data.end(), -1.5F);
    ExpPass(data.data(), data.size());
    benchmark::DoNotOptimize(data.data());
  }
  state.counters["values"] = benchmark::Counter(4096, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(LimitExp);

// One dense query.

void OneQuery(benchmark::State& state) {
  const auto vectors = static_cast<std::size_t>(state.range(0));
  Setting s(Dense(vectors, 256), Dense(64, 256), okbench::Kernel::RbfFromGamma(kGamma));
  SingleQueries(state, s);
  Values(state, static_cast<double>(vectors), 256);
  state.counters["bytes"] = benchmark::Counter(static_cast<double>(vectors * 256 * sizeof(float)),
                                               benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(OneQuery)->ArgName("vectors")->Arg(512)->Arg(4096);

// A hundred dense queries.

void HundredQueries(benchmark::State& state) {
  const auto vectors = static_cast<std::size_t>(state.range(0));
  const auto features = static_cast<std::size_t>(state.range(1));
  Setting s(Dense(vectors, features), Dense(100, features), okbench::Kernel::RbfFromGamma(kGamma));
  std::vector<std::uint32_t> rows(100);
  std::iota(rows.begin(), rows.end(), 0U);
  AlignedVector<float> out(100 * s.set.slots());
  for (auto _ : state) {
    s.engine.Rows(s.set, s.query_inputs, rows, Purpose::kLearning, true, out.data(), s.set.slots());
    benchmark::DoNotOptimize(out.data());
  }
  Check(state, out[99 * s.set.slots() + 11], PlainRbf(s.queries, 99, s.support, 11, kGamma));
  Values(state, 100.0 * static_cast<double>(vectors), features);
}
BENCHMARK(HundredQueries)
    ->ArgNames({"vectors", "features"})
    ->Args({512, 256})
    ->Args({4096, 256})
    ->Args({4096, 784})
    ->Args({4096, 16})
    ->Args({4096, 22})
    ->Args({4096, 39});

void ExternalSgemmExp(benchmark::State& state) {
  const auto vectors = static_cast<int>(state.range(0));
  const auto features = static_cast<int>(state.range(1));
  openblas_set_num_threads(1);
  const auto support = Dense(static_cast<std::size_t>(vectors), static_cast<std::size_t>(features));
  const auto queries = Dense(100, static_cast<std::size_t>(features));
  const auto norm = [](const Examples<float>& e, int i) {
    const auto row = e.row(static_cast<std::size_t>(i));
    return std::inner_product(row.values, row.values + row.count, row.values, 0.0F);
  };
  std::vector<float> support_norms, query_norms;
  for (int i = 0; i < vectors; ++i) support_norms.push_back(norm(support, i));
  for (int i = 0; i < 100; ++i) query_norms.push_back(norm(queries, i));
  AlignedVector<float> out(100 * static_cast<std::size_t>(vectors));
  const auto run = [&] {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, 100, vectors, features, 1, queries.row(0).values,
                features, support.row(0).values, features, 0, out.data(), vectors);
    for (int q = 0; q < 100; ++q) {
      float* __restrict row = out.data() + static_cast<std::ptrdiff_t>(q) * vectors;
      const float* __restrict norms = support_norms.data();
      const float query_norm = query_norms[static_cast<std::size_t>(q)];
      for (int i = 0; i < vectors; ++i)
        row[i] = -static_cast<float>(kGamma) * std::max(0.0F, query_norm + norms[i] - 2 * row[i]);
      ExpPass(row, static_cast<std::size_t>(vectors));
    }
  };
  for (auto _ : state) {
    run();
    benchmark::DoNotOptimize(out.data());
  }
  Check(state, out[99 * static_cast<std::size_t>(vectors) + 11], PlainRbf(queries, 99, support, 11, kGamma));
  Values(state, 100.0 * vectors, static_cast<std::size_t>(features));
}
BENCHMARK(ExternalSgemmExp)
    ->ArgNames({"vectors", "features"})
    ->Args({512, 256})
    ->Args({4096, 256})
    ->Args({4096, 784});

// Sparse queries, like Adult.

void SparseQuery(benchmark::State& state) {
  const bool zero_one = state.range(0) != 0;
  Setting s(Sparse(4096, zero_one), Sparse(64, zero_one), okbench::Kernel::RbfFromGamma(0.05));
  SingleQueries(state, s);
  Values(state, 4096, 14);
}
BENCHMARK(SparseQuery)->ArgName("zero_one")->Arg(0)->Arg(1);

void ExternalLibsvm(benchmark::State& state) {
  const auto support = Sparse(4096, state.range(0) != 0);
  const auto queries = Sparse(64, state.range(0) != 0);
  const auto nodes = [](const Examples<float>& e) {
    std::vector<std::vector<svm_node>> rows;
    for (std::size_t i = 0; i < e.size(); ++i) {
      std::vector<svm_node> row;
      for (std::size_t j = 0; j < e.row(i).count; ++j)
        row.push_back({static_cast<int>(e.row(i).indices[j]) + 1, e.row(i).values[j]});
      row.push_back({-1, 0});
      rows.push_back(std::move(row));
    }
    return rows;
  };
  const auto support_nodes = nodes(support), query_nodes = nodes(queries);
  svm_parameter parameter{};
  parameter.kernel_type = RBF;
  parameter.gamma = 0.05;
  std::vector<double> row(4096);
  std::size_t q = 0;
  for (auto _ : state) {
    const auto& query = query_nodes[q++ % 64];
    for (std::size_t i = 0; i < 4096; ++i)
      row[i] = ::Kernel::k_function(query.data(), support_nodes[i].data(), parameter);
    benchmark::DoNotOptimize(row.data());
  }
  Check(state, ::Kernel::k_function(query_nodes[3].data(), support_nodes[7].data(), parameter),
        PlainRbf(queries, 3, support, 7, 0.05));
  Values(state, 4096, 14);
}
BENCHMARK(ExternalLibsvm)->ArgName("zero_one")->Arg(0)->Arg(1);

}  // namespace
}  // namespace okbench::bench
