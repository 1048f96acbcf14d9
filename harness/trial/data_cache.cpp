#include "harness/trial/data_cache.h"

namespace okbench {
namespace {

std::vector<std::string> Keys(const Trial& trial) {
  std::vector<std::string> keys;
  for (const DataRequest& request : RequestsOf(trial)) {
    keys.push_back(Key(request));
    if (Key(Whole(request)) != keys.back()) keys.push_back(Key(Whole(request)));
  }
  return keys;
}

}  // namespace

std::vector<DataRequest> RequestsOf(const Trial& trial) {
  std::vector<DataRequest> requests = {trial.data.train};
  if (!trial.data.test_part.empty()) requests.push_back(TestRequest(trial));
  return requests;
}

DataRequest TestRequest(const Trial& trial) {
  DataRequest request = trial.data.train;
  request.part = trial.data.test_part;
  if (trial.fold())
    request.fold->held_out = true;
  else
    request.first = 0;
  return request;
}

template <>
std::map<std::string, std::shared_ptr<DataCache::Slot<float>>>& DataCache::Slots<float>() {
  return float_slots_;
}
template <>
std::map<std::string, std::shared_ptr<DataCache::Slot<double>>>& DataCache::Slots<double>() {
  return double_slots_;
}

template <class T>
std::shared_ptr<const Examples<T>> DataCache::Get(const DataRequest& request) {
  std::shared_ptr<Slot<T>> slot;
  {
    const std::lock_guard lock(mutex_);
    auto& entry = Slots<T>()[Key(request)];
    if (!entry) entry = std::make_shared<Slot<T>>();
    slot = entry;
  }
  // Two trials that want the same set wait for one load; different sets load side by side.
  const std::lock_guard lock(slot->mutex);
  if (slot->examples) return slot->examples;
  const DataRequest whole = Whole(request);
  if (Key(whole) == Key(request))
    slot->examples =
        std::make_shared<const Examples<T>>(Load<T>(catalog_.Find(request.name), request, folders_));
  else
    slot->examples = std::make_shared<const Examples<T>>(Subset(*Get<T>(whole), request));
  return slot->examples;
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

template std::shared_ptr<const Examples<float>> DataCache::Get<float>(const DataRequest&);
template std::shared_ptr<const Examples<double>> DataCache::Get<double>(const DataRequest&);

}  // namespace okbench
