#include "python/native/parallel_prediction.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <exception>
#include <optional>
#include <string>
#include <system_error>
#include <thread>

#include "base/environment.h"
#include "harness/system/cores.h"
#include "learners/core/float_mode.h"
#include "learners/core/stop.h"

namespace okbench::python {
namespace {

constexpr double kValuesPerThread = 4e6;
constexpr std::size_t kAlignment = 512;  // rows that a predictor packs together

// The positive number in an environment variable, if it has one.
std::optional<std::size_t> NumberIn(const char* name) {
  const std::string text = Environment(name);
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0) return std::nullopt;
  return number;
}

}  // namespace

std::size_t PredictionThreads(double values) {
  const auto useful = static_cast<std::size_t>(std::min(values / kValuesPerThread, 4096.0));
  if (useful < 2) return 1;
  const auto cores = static_cast<std::size_t>(CoresToUse(0));
  return std::min({useful, cores, NumberIn("OMP_NUM_THREADS").value_or(cores)});
}

template <class T>
void ParallelPredict(const std::vector<std::unique_ptr<Predictor<T>>>& predictors, const Examples<T>& rows,
                     const std::function<void()>& poll, std::span<double> out) {
  std::size_t share = (rows.size() + predictors.size() - 1) / predictors.size();
  share = (share + kAlignment - 1) / kAlignment * kAlignment;
  std::vector<std::exception_ptr> errors(predictors.size());
  std::atomic<bool> stopped{false};
  const auto run = [&](std::size_t k, const std::function<void()>& check) {
    try {
      const FloatMode mode;
      const StopScope scope(check);
      const std::size_t first = std::min(rows.size(), k * share);
      predictors[k]->PredictRange(rows, first, std::min(share, rows.size() - first), out);
    } catch (...) {
      errors[k] = std::current_exception();
      stopped = true;
    }
  };
  struct Stopped {};  // thrown in the other threads; never the first exception
  const std::function<void()> stop_with_others = [&] {
    if (stopped) throw Stopped();
  };
  const std::function<void()> own_check = [&] {
    stop_with_others();
    poll();
  };
  std::vector<std::thread> threads;
  std::size_t started = 1;
  for (; started < predictors.size(); ++started) try {
      threads.emplace_back(run, started, std::cref(stop_with_others));
    } catch (const std::system_error&) {  // no thread available: this thread does its work
      break;
    }
  run(0, own_check);
  for (std::size_t k = started; k < predictors.size(); ++k) run(k, own_check);
  for (std::thread& thread : threads) thread.join();
  std::exception_ptr first;
  for (const std::exception_ptr& error : errors) try {
      if (error) std::rethrow_exception(error);
    } catch (const Stopped&) {
    } catch (...) {
      if (!first) first = error;
    }
  if (first) std::rethrow_exception(first);
}

template void ParallelPredict(const std::vector<std::unique_ptr<Predictor<float>>>&, const Examples<float>&,
                              const std::function<void()>&, std::span<double>);
template void ParallelPredict(const std::vector<std::unique_ptr<Predictor<double>>>&, const Examples<double>&,
                              const std::function<void()>&, std::span<double>);

}  // namespace okbench::python
