#pragma once
// DataCache: the data sets of trials, in memory.

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "harness/plan/data_requests.h"

namespace okbench {

/// Data sets in memory, each held once and shared by the trials that run side by side; thread-safe.
class DataCache {
 public:
  DataCache(const Catalog& catalog, DataFolders folders) : catalog_(catalog), folders_(std::move(folders)) {}
  /// Loads on first use; the cache keeps the set until its last expected user is done.
  template <class T>
  std::shared_ptr<const Examples<T>> Get(const DataRequest& request);

  /// Rows of a chunk.
  static constexpr std::uint64_t kChunkRows = 65536;
  /// Whether a trial's stream is made as it is shown: long, generated, and seen once, in order.
  bool ComesInChunks(const Trial& trial) const;
  /// `count` rows from one on of such a stream; not kept.
  template <class T>
  Examples<T> GetChunk(const DataRequest& request, std::uint64_t first, std::uint64_t count) const;

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
