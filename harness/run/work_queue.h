#pragma once
// WorkQueue: the trials left to run, with their dependencies.

#include <atomic>
#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "harness/run/selection.h"

namespace okbench {

/// Hands out trials in a given order; a trial waits until the search trials it needs are done. Thread-safe.
class WorkQueue {
 public:
  /// Hands out `todo` in order, as far as dependencies allow. Trials not in `todo` count as done.
  /// Hands out nothing once `interrupted` is set. Both arguments must outlive the queue.
  WorkQueue(const std::vector<Work>& todo, const std::atomic<bool>& interrupted);

  /// The next trial whose dependencies are done. Blocks until there is one, and calls `before_waiting` from
  /// time to time meanwhile, which may call Done(). Returns null if no trial is left, the run is interrupted,
  /// or Stop() was called.
  const Work* Next(const std::function<void()>& before_waiting = [] {});

  /// Marks a trial returned by Next() as done, successful or not.
  void Done(const Work& work);

  /// Ends the queue: Next() returns null from then on. Call it if a trial will never be Done().
  void Stop();

 private:
  // True if a search trial that the trial needs is not done.
  bool Waits(const Work& work) const;

  const std::atomic<bool>& interrupted_;
  bool stopped_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<const Work*> waiting_;
  std::set<std::string> unfinished_;  // trace files of search trials
};

}  // namespace okbench
