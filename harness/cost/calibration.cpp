#include "harness/cost/calibration.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <numeric>
#include <valarray>

#include "harness/plan/data_requests.h"
#include "harness/system/cores.h"
#include "learners/kernels/engine.h"
#include "learners/kernels/vector_ops.h"

namespace okbench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kVectors = 2048;  // size of the timed support set
constexpr std::size_t kQueries = 48;    // rows per call, as with the default look-ahead
constexpr std::size_t kBatch = 256;     // rows whose scores are updated incrementally, as for a mini-batch
constexpr int kRepetitions = 9;         // uses the third fastest, since other processes may run
constexpr int kCounted = 2;
constexpr int kMaxCores = 16;                 // timed at once, to limit memory on large machines
constexpr double kMinSeconds = 2e-3;          // minimum duration of one repetition
constexpr std::size_t kStreamed = 32U << 20;  // bytes; larger than typical caches

// Seconds per call. Each repetition makes as many calls as kMinSeconds requires.
template <class Call>
double SecondsOf(const Call& call) {
  std::vector<double> seconds;
  call();  // warm up
  for (int r = 0; r < kRepetitions; ++r) {
    int calls = 0;
    double passed = 0;
    const Clock::time_point start = Clock::now();
    do {
      call();
      ++calls;
      passed = std::chrono::duration<double>(Clock::now() - start).count();
    } while (passed < kMinSeconds);
    seconds.push_back(passed / calls);
  }
  std::nth_element(seconds.begin(), seconds.begin() + kCounted, seconds.end());
  return seconds[kCounted];
}

// Mean of a measurement taken on all cores at once (at most kMaxCores). Trials run in parallel, and cores
// share caches, memory and often arithmetic units.
template <class Measure>
auto OnAllCores(const Measure& measure) {
  std::vector<std::future<decltype(measure())>> results;
  const int cores = std::min(CoresToUse(0), kMaxCores);
  for (int core = 0; core < cores; ++core) results.push_back(std::async(std::launch::async, measure));
  auto sum = results.front().get();
  for (std::size_t core = 1; core < results.size(); ++core) sum += results[core].get();
  sum /= static_cast<double>(cores);
  return sum;
}

// Seconds per kernel value: evaluation alone, and with the addition to incrementally updated scores.
template <class T>
std::valarray<double> TimeKernel(const Kernel& kernel, const Examples<T>& examples) {
  KernelEngine<T> engine(kernel);
  const auto inputs = engine.Prepare(examples);
  const std::size_t rows = examples.size();
  std::vector<std::uint32_t> queries(kVectors);
  for (std::size_t q = 0; q < kVectors; ++q) queries[q] = static_cast<std::uint32_t>((q * 31) % rows);
  const auto set_of = [&](std::size_t vectors) {
    SupportBlocks<T> set = engine.MakeBlocks(examples);
    for (std::size_t s = 0; s < vectors; ++s) set.Put(s, inputs, s % rows);
    return set;
  };
  const SupportBlocks<T> support = set_of(kVectors), batch = set_of(kBatch);
  AlignedVector<T> out(kQueries * support.slots());
  const double value = SecondsOf([&] {
    engine.Rows(support, inputs, std::span(queries).first(kQueries), Purpose::kMeasuring, false, out.data(),
                support.slots());
  });
  AlignedVector<double> sums(batch.slots());
  const std::vector<double> coefficients(kVectors, 1e-3);
  const double incremental = SecondsOf([&] {
    engine.Accumulate(batch, inputs, queries, coefficients.data(), 1, Purpose::kMeasuring, false, sums.data(),
                      batch.slots());
  });
  return {value / static_cast<double>(kQueries * kVectors),
          incremental / static_cast<double>(kBatch * kVectors)};
}

// Seconds to add one kernel value to the scores of `outputs` outputs, with the support set in cache.
double SumSeconds(std::size_t outputs) {
  constexpr std::size_t kBlocks = 256, kSlots = kBlocks * SupportBlocks<float>::kBlock;
  const AlignedVector<float> row(kSlots, 0.5F);
  const AlignedVector<double> columns(kSlots * outputs, 0.25);
  AlignedVector<double> scratch(kSlots);
  std::vector<double> sums(outputs);
  const VectorOps<float> ops;
  return SecondsOf([&] {
           ops.WeightedSums(row.data(), kBlocks, columns.data(), kSlots, outputs, scratch.data(),
                            sums.data());
         }) /
         static_cast<double>(kSlots);
}

// Seconds per byte of kernel rows read from memory to update scores.
double StreamedByteSeconds() {
  constexpr std::size_t kRow = 1U << 15, kRows = kStreamed / sizeof(float) / kRow;
  const AlignedVector<float> rows(kRow * kRows, 0.5F);
  AlignedVector<double> scores(kRow);
  const VectorOps<float> ops;
  return SecondsOf([&] {
           for (std::size_t r = 0; r < kRows; ++r)
             ops.AddScaled(rows.data() + r * kRow, kRow, 1e-3, scores.data());
         }) /
         static_cast<double>(kStreamed);
}

// Key of the whole data set of a request, in one precision.
std::string SetKey(const DataRequest& request, bool double_precision) {
  return Key(WithoutSubset(request)) + (double_precision ? "|float64" : "|float32");
}

// Number of rows that a request selects from its whole set of `whole` rows.
double RowsLeft(const DataRequest& request, std::size_t whole) {
  const auto rows = static_cast<double>(request.first > 0 ? std::min(request.first, whole) : whole);
  if (!request.fold) return rows;
  const auto folds = static_cast<double>(request.fold->folds);
  return request.fold->held_out ? rows / folds : rows - rows / folds;
}

}  // namespace

Calibration::Calibration(const std::vector<const Trial*>& trials, const Catalog& catalog,
                         const DataFolders& folders) {
  constexpr std::size_t kOutputs = 10;
  scored_value_ = OnAllCores([&] { return SumSeconds(1); });
  multiply_add_ = (OnAllCores([&] { return SumSeconds(kOutputs); }) - scored_value_) / (kOutputs - 1);
  streamed_byte_ = OnAllCores([&] { return StreamedByteSeconds(); });
  // For each data set: a request for the whole set, and the trials that use it.
  std::map<std::string, std::pair<DataRequest, std::vector<const Trial*>>> users;
  for (const Trial* trial : trials)
    for (const DataRequest& request : RequestsOf(*trial)) {
      auto& [whole, of] = users[SetKey(request, trial->double_precision)];
      whole = WithoutSubset(request);
      of.push_back(trial);
    }
  for (const auto& [key, user] : users) {
    if (user.second.front()->double_precision)
      Visit<double>(key, user.first, user.second, catalog, folders);
    else
      Visit<float>(key, user.first, user.second, catalog, folders);
  }
}

template <class T>
void Calibration::Visit(const std::string& key, const DataRequest& request,
                        const std::vector<const Trial*>& trials, const Catalog& catalog,
                        const DataFolders& folders) {
  const Clock::time_point start = Clock::now();
  const Examples<T> examples = Load<T>(catalog.Find(request.name), request, folders);
  Rows& set = sets_[key];
  set.load_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  set.rows = examples.size();
  set.bytes = examples.bytes();
  std::size_t entries = 0;
  for (std::size_t i = 0; i < examples.size(); ++i) entries += examples.row(i).count;
  set.entries = static_cast<double>(entries) / static_cast<double>(std::max<std::size_t>(examples.size(), 1));
  set.packed_bytes =
      examples.zero_one() ? examples.bit_words() * sizeof(std::uint32_t) : examples.features() * sizeof(T);
  if (examples.integers() != nullptr) set.packed_bytes += examples.integers()->stride();
  std::vector<std::uint32_t> sample(std::min(examples.size(), kVectors));
  std::iota(sample.begin(), sample.end(), 0U);
  const Examples<T> rows = examples.Subset(sample);
  for (const Trial* trial : trials) {
    const std::string kernel = trial->kernel.Describe();
    const bool trains = SetKey(trial->data->train, trial->double_precision) == key;
    if (!trains || set.kernels.contains(kernel)) continue;
    if (const OutputTable* outputs = trial->data->outputs.table) {
      set.kernels[kernel] = {.value = outputs->candidate_seconds, .incremental = outputs->candidate_seconds};
      continue;
    }
    const std::valarray<double> seconds = OnAllCores([&] { return TimeKernel<T>(trial->kernel, rows); });
    set.kernels[kernel] = {.value = seconds[0], .incremental = seconds[1]};
  }
}

const Calibration::Rows& Calibration::RowsOf(const Trial& trial, const DataRequest& request) const {
  return sets_.at(SetKey(request, trial.double_precision));
}

Rates Calibration::RatesOf(const Trial& trial) const {
  const KernelSeconds& kernel = RowsOf(trial, trial.data->train).kernels.at(trial.kernel.Describe());
  return {.kernel_value = kernel.value,
          .incremental_value = kernel.incremental,
          .scored_value = scored_value_,
          .multiply_add = multiply_add_,
          .streamed_byte = streamed_byte_};
}

TrialEstimate Calibration::EstimateTrial(const Trial& trial) const {
  const Rows& set = RowsOf(trial, trial.data->train);
  Workload workload = trial.workload;
  workload.entries = set.entries;
  workload.row_bytes = set.packed_bytes;
  return Estimate(trial, workload, RatesOf(trial));
}

std::vector<LoadedData> Calibration::DataOf(const Trial& trial) const {
  std::map<std::string, std::uint64_t> sizes;
  const std::string precision = trial.double_precision ? "|float64" : "|float32";
  for (const DataRequest& request : RequestsOf(trial)) {
    const Rows& set = RowsOf(trial, request);
    sizes[Key(WithoutSubset(request)) + precision] = set.bytes;
    if (Key(request) == Key(WithoutSubset(request))) continue;
    const double share = RowsLeft(request, set.rows) / static_cast<double>(set.rows);
    sizes[Key(request) + precision] = static_cast<std::uint64_t>(share * static_cast<double>(set.bytes));
  }
  std::vector<LoadedData> list;
  for (const auto& [key, bytes] : sizes) list.push_back({.key = key, .bytes = bytes});
  return list;
}

double Calibration::LoadSeconds(const Trial& trial) const {
  double seconds = 0;
  std::string last;
  for (const DataRequest& request : RequestsOf(trial)) {
    const std::string key = SetKey(request, trial.double_precision);
    if (key != last) seconds += sets_.at(key).load_seconds;
    last = key;
  }
  return seconds;
}

}  // namespace okbench
