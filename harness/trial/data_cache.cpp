#include "harness/trial/data_cache.h"

#include "datasets/rows/delays.h"

namespace okbench {
namespace {

std::vector<std::string> Keys(const Trial& trial) {
  std::vector<std::string> keys;
  for (const DataRequest& request : RequestsOf(trial)) {
    keys.push_back(Key(request));
    if (Key(WithoutSubset(request)) != keys.back()) keys.push_back(Key(WithoutSubset(request)));
  }
  return keys;
}

}  // namespace

template <>
std::map<std::string, std::shared_ptr<DataCache::ColumnGroup<float>>>& DataCache::Slots<float>() {
  return float_slots_;
}
template <>
std::map<std::string, std::shared_ptr<DataCache::ColumnGroup<double>>>& DataCache::Slots<double>() {
  return double_slots_;
}

template <class T>
std::shared_ptr<const Examples<T>> DataCache::Get(const DataRequest& request) {
  std::shared_ptr<ColumnGroup<T>> slot;
  {
    const std::lock_guard lock(mutex_);
    auto& entry = Slots<T>()[Key(request)];
    if (!entry) entry = std::make_shared<ColumnGroup<T>>();
    slot = entry;
  }
  // Concurrent requests for the same set wait for one load. Different sets load in parallel.
  const std::lock_guard lock(slot->mutex);
  if (slot->examples) return slot->examples;
  const DataRequest whole = WithoutSubset(request);
  if (Key(whole) == Key(request))
    slot->examples =
        std::make_shared<const Examples<T>>(Load<T>(catalog_.Find(request.name), request, folders_));
  else
    slot->examples = std::make_shared<const Examples<T>>(Subset(*Get<T>(whole), request));
  return slot->examples;
}

bool DataCache::ComesInChunks(const Trial& trial) const {
  const DataRequest& request = trial.data->train;
  const DataSet& set = catalog_.Find(request.name);
  const bool is_generated = (set.generated() || request.force_synthetic) && !set.images && !set.documents();
  const bool once = trial.data->stream.order == Order::kFile && trial.data->stream.epochs == 1;
  const bool whole = request.part != "all" && !request.sample && !request.fold && request.first == 0;
  return is_generated && once && whole && trial.info->resumable &&
         trial.info->protocol == Protocol::kStream && trial.trace->outliers == 0 &&
         !Late(trial.data->stream) && !trial.data->stream.positive_share && trial.examples > kChunkRows;
}

std::vector<std::uint64_t> DataCache::Delays(const Trial& trial) const {
  if (!trial.data->stream.delays) return {};
  return LoadDelays(catalog_.Find(trial.data->train.name), trial.data->train.part, folders_);
}

template <class T>
Examples<T> DataCache::GetChunk(const DataRequest& request, std::uint64_t first, std::uint64_t count) const {
  DataRequest chunk = request;
  chunk.skip = first;
  chunk.rows = count;
  return Load<T>(catalog_.Find(request.name), chunk, folders_);
}

void DataCache::Expect(const Trial& trial) {
  const std::lock_guard lock(mutex_);
  for (const auto& key : Keys(trial)) ++expected_[key];
}

void DataCache::Done(const Trial& trial) {
  const std::lock_guard lock(mutex_);
  for (const auto& key : Keys(trial)) {
    if (--expected_[key] > 0) continue;
    float_slots_.erase(key);
    double_slots_.erase(key);
  }
}

template Examples<float> DataCache::GetChunk<float>(const DataRequest&, std::uint64_t, std::uint64_t) const;
template Examples<double> DataCache::GetChunk<double>(const DataRequest&, std::uint64_t, std::uint64_t) const;
template std::shared_ptr<const Examples<float>> DataCache::Get<float>(const DataRequest&);
template std::shared_ptr<const Examples<double>> DataCache::Get<double>(const DataRequest&);

}  // namespace okbench
