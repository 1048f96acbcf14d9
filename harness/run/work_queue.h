#pragma once
// WorkQueue: which trial runs next.

#include <atomic>
#include <condition_variable>
#include <list>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "harness/run/selection.h"

namespace okbench {

/// Thread-safe.
class WorkQueue {
 public:
  /// In the order of `todo`, which must outlive the queue, as far as what they need allows; needed trials
  /// that are not in it are over already. Nothing comes any more once `interrupted` is set.
  WorkQueue(const std::vector<Work>& todo, const std::atomic<bool>& interrupted);

  /// The next trial whose needs are over, waiting for one; null when there is none left or the run is
  /// interrupted.
  const Work* Next();

  /// Tells that a trial which came from Next is over.
  void Done(const Work& work);

  /// Nothing comes any more: a trial that came from Next will never be over.
  void Stop();

 private:
  bool Waits(const Work& work) const;

  const std::atomic<bool>& interrupted_;
  bool stopped_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<const Work*> waiting_;
  std::set<std::string> unfinished_;  // files: two entries may share a trial, but not its file
};

}  // namespace okbench
