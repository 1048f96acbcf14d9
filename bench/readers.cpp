// Reading of LIBSVM text into rows, and one epoch of the linear online SVM on them. Bytes per second refer to
// the decompressed text.

#include <benchmark/benchmark.h>

#include "bench/digits.h"
#include "datasets/catalog/catalog.h"
#include "datasets/files/archive.h"
#include "datasets/formats/format.h"
#include "datasets/rows/load.h"
#include "datasets/rows/stream.h"
#include "learners/methods/linear/linear.h"

namespace okbench::bench {
namespace {

// Text of a data set's training part, or of its synthetic fallback if the file is missing.
std::string TextOf(const DataSet& set) {
  const auto location = Locate(set.parts.at("train").files[0], DataFolders::FromEnvironment());
  if (location) return ReadContent(location->path);
  DataRequest request{.name = set.name};
  request.force_synthetic = true;
  const auto examples = Load<double>(set, request, DataFolders::FromEnvironment());
  std::string text;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const std::int32_t label = examples.label(i);
    text += set.labels[static_cast<std::size_t>(set.kind == LabelKind::kBinary ? label > 0 : label)];
    const auto row = examples.row(i);
    for (std::size_t j = 0; j < row.count; ++j)
      text +=
          " " + std::to_string((row.indices ? row.indices[j] : j) + 1) + ":" + std::to_string(row.values[j]);
    text += '\n';
  }
  return text;
}

void ReadText(benchmark::State& state, const char* name) {
  const DataSet set = Catalogued(name);
  const std::string text = TextOf(set);
  const LabelMap labels(set.labels);
  const Format& format = *FindFormat("libsvm");
  const std::vector<FileText> files = {{"text", text}};
  for (auto _ : state)
    benchmark::DoNotOptimize(
        format.Read<float>({.files = files, .features = set.features, .labels = labels}).labels.data());
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}

void LinearEpoch(benchmark::State& state, const char* name, bool projection, bool average, std::size_t k) {
  const auto train = LoadCatalogued({.name = name, .unit_norm = true});
  const Batches batches = MakeBatches({Order::kPermutation, 1, 0}, train.size(), k, 1);
  for (auto _ : state) {
    linear::LinearSvm<float> learner({.lambda = 1e-4, .projection = projection, .average = average},
                                     {.train = &train, .test = nullptr, .kernel = Kernel::Linear()});
    for (std::size_t b = 0; b < batches.size(); ++b)
      benchmark::DoNotOptimize(learner.Round(batches[b]).mean_loss);
  }
  std::size_t values = 0;
  for (std::size_t i = 0; i < train.size(); ++i) values += train.row(i).count;
  const double bytes =
      static_cast<double>(values) * (sizeof(float) + (train.sparse() ? sizeof(std::uint32_t) : 0));
  using benchmark::Counter;
  state.counters["seconds"] = Counter(1, Counter::kIsIterationInvariantRate | Counter::kInvert);
  state.counters["bytes"] = Counter(bytes, Counter::kIsIterationInvariantRate);
}

BENCHMARK_CAPTURE(ReadText, w8a, "w8a")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ReadText, a9a, "a9a")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ReadText, ijcnn1, "ijcnn1")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ReadText, usps, "usps")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(LinearEpoch, w8a, "w8a", false, false, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(LinearEpoch, w8a_projected_averaged, "w8a", true, true, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(LinearEpoch, w8a_batches_of_100, "w8a", false, false, 100)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(LinearEpoch, ijcnn1, "ijcnn1", false, false, 1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace okbench::bench
