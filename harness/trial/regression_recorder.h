#pragma once
// RegressionRecorder: what a trace holds beside the table's other columns when targets are real.
// docs/trace-format.md describes them.

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "harness/trial/trace.h"
#include "learners/core/examples.h"

namespace okbench {

template <class T>
class RegressionRecorder {
 public:
  /// The training part; must outlive this object.
  explicit RegressionRecorder(const Examples<T>& train) : train_(train) {}

  /// A step of the stream; `record`: it has a row in the table.
  void Step(std::uint32_t example, double prediction, bool record) {
    const double truth = train_.truth(example);
    ++steps_;
    squares_ += (prediction - truth) * (prediction - truth);
    const double seen = train_.target(example);
    seen_squares_ += (prediction - seen) * (prediction - seen);
    const bool narrow = train_.features() == 1;
    last_ = {.prediction = prediction,
             .target = train_.target(example),
             .truth = truth,
             .input = narrow ? static_cast<double>(train_.row(example).values[0]) : 0};
    recorded_ = false;
    if (record) RecordLast();
  }

  /// Gives the last step a row, unless it has one.
  void RecordLast() {
    if (recorded_) return;
    recorded_ = true;
    prediction_.push_back(last_.prediction);
    target_.push_back(last_.target);
    truth_.push_back(last_.truth);
    squared_error_sum_.push_back(squares_);
    if (train_.features() == 1) input_.push_back(last_.input);
  }

  /// Sum of squared errors against the targets that the learner sees: what parameters may be chosen by.
  double seen_squares() const { return seen_squares_; }

  /// Root mean squared error of the predictions, against targets without noise where those are known.
  double error() const { return std::sqrt(squares_ / static_cast<double>(steps_)); }

  /// Appends the columns.
  void Finish(Table& table) {
    const auto put = [&table](const char* name, std::vector<double>& values) {
      table.columns.push_back({name, true, std::move(values)});
    };
    put("prediction", prediction_);
    put("target", target_);
    put("truth", truth_);
    put("squared_error_sum", squared_error_sum_);
    if (train_.features() == 1) put("input", input_);
  }

 private:
  const Examples<T>& train_;
  std::uint64_t steps_ = 0;
  double squares_ = 0, seen_squares_ = 0;
  struct {
    double prediction = 0, target = 0, truth = 0, input = 0;
  } last_;
  bool recorded_ = true;
  std::vector<double> prediction_, target_, truth_, squared_error_sum_, input_;
};

}  // namespace okbench
