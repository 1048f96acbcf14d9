#pragma once
// DataCache: loads data sets and shares them among concurrent trials.

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "harness/plan/data_requests.h"

namespace okbench {

/// Data sets in memory. Each set is stored once and shared by all concurrent trials. Thread-safe.
class DataCache {
 public:
  /// `catalog` must outlive the cache.
  DataCache(const Catalog& catalog, DataFolders folders) : catalog_(catalog), folders_(std::move(folders)) {}
  /// Returns the data set, and loads it on first use. The cache keeps it until Done() was called for the last
  /// trial announced by Expect(). Throws what Load throws.
  template <class T>
  std::shared_ptr<const Examples<T>> Get(const DataRequest& request);

  /// Rows per chunk of a generated stream.
  static constexpr std::uint64_t kChunkRows = 65536;
  /// Whether the training stream is generated in chunks while the trial runs. True for a resumable stream
  /// learner without outlier tables, delay and positive_share, on more than kChunkRows rows of one generated
  /// part, read once in order.
  bool ComesInChunks(const Trial& trial) const;
  /// The delays of the labels of a trial that reads them from the data; else empty. Throws DataError.
  std::vector<std::uint64_t> Delays(const Trial& trial) const;

  /// Generates rows `first` .. `first + count - 1` of such a stream. The result is not cached.
  template <class T>
  Examples<T> GetChunk(const DataRequest& request, std::uint64_t first, std::uint64_t count) const;

  /// Announces a trial that will call Get() for its data sets.
  void Expect(const Trial& trial);
  /// Ends a trial announced by Expect(). Releases every data set that no other announced trial needs.
  void Done(const Trial& trial);

 private:
  template <class T>
  struct ColumnGroup {
    std::mutex mutex;
    std::shared_ptr<const Examples<T>> examples;
  };
  template <class T>
  std::map<std::string, std::shared_ptr<ColumnGroup<T>>>& Slots();

  const Catalog& catalog_;
  DataFolders folders_;
  std::mutex mutex_;
  std::map<std::string, std::uint64_t> expected_;
  std::map<std::string, std::shared_ptr<ColumnGroup<float>>> float_slots_;
  std::map<std::string, std::shared_ptr<ColumnGroup<double>>> double_slots_;
};

}  // namespace okbench
