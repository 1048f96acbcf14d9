#pragma once
// DataCache: the data sets of trials, in memory.

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "harness/plan/plan.h"

namespace okbench {

/// What a trial measures its test error on: the test part, or what its fold holds out. Not for trials without
/// one.
DataRequest TestRequest(const Trial& trial);

/// What a trial learns from and, where it measures, what it measures on.
std::vector<DataRequest> RequestsOf(const Trial& trial);

/// Data sets in memory, each held once and shared by the trials that run side by side; thread-safe.
class DataCache {
 public:
  DataCache(const Catalog& catalog, DataFolders folders) : catalog_(catalog), folders_(std::move(folders)) {}
  /// Loads on first use; the cache keeps the set until its last expected user is done.
  template <class T>
  std::shared_ptr<const Examples<T>> Get(const DataRequest& request);

  /// Announces a trial that will ask for its data sets, and tells that it is over: sets that no trial is
  /// expected to ask for any more are let go.
  void Expect(const Trial& trial);
  void Done(const Trial& trial);

 private:
  template <class T>
  struct Slot {
    std::mutex mutex;
    std::shared_ptr<const Examples<T>> examples;
  };
  template <class T>
  std::map<std::string, std::shared_ptr<Slot<T>>>& Slots();

  const Catalog& catalog_;
  DataFolders folders_;
  std::mutex mutex_;
  std::map<std::string, std::uint64_t> expected_;
  std::map<std::string, std::shared_ptr<Slot<float>>> float_slots_;
  std::map<std::string, std::shared_ptr<Slot<double>>> double_slots_;
};

}  // namespace okbench
