#pragma once
// ParallelPredict: scores a batch of rows on several cores.

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "learners/api/model.h"

namespace okbench::python {

/// Threads for a prediction that costs this many kernel values or products: one per core that this process
/// may use, as far as each has about 10 ms of work. At most OMP_NUM_THREADS, which programs set to limit the
/// threads of their workers.
std::size_t PredictionThreads(double values);

/// Predictor::Predict of all rows, one range of rows per predictor, each in a thread. The scores do not
/// depend on the number of predictors. Only the calling thread calls `poll`, which throws to stop all.
/// Rethrows the first exception of a thread.
template <class T>
void ParallelPredict(const std::vector<std::unique_ptr<Predictor<T>>>& predictors, const Examples<T>& rows,
                     const std::function<void()>& poll, std::span<double> out);

}  // namespace okbench::python
