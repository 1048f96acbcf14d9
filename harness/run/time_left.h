#pragma once
// TimeLeft: the remaining time of a run, from the expected and the measured seconds of its trials.

#include <cstdint>
#include <map>
#include <string>

namespace okbench {

/// Corrects expected times by the measured times of finished trials. For a trial of group g with n examples
/// and e expected seconds, the prediction is r_g w. Here w = (e + o)^p, p = 0.6, and the overhead o is
/// 3 ms + 0.5 us * n. r_g = (sum of measured seconds) / (sum of w) over the finished trials of the group, or
/// of all groups if it has none. Recent trials weigh most. p < 1, because e overstates large trials most.
/// Predictions for the default tier are mostly within a factor of two. Before the first trial finishes, the
/// prediction is e.
class TimeLeft {
 public:
  /// Adds a trial to do. `group`: trials that take about the same multiple of their expected seconds.
  void Add(const std::string& group, double expected, std::uint64_t examples);
  /// Records that a trial to do has taken `seconds`.
  void Finish(const std::string& group, double expected, std::uint64_t examples, double seconds);
  /// The predicted seconds of one trial.
  double Predicted(const std::string& group, double expected, std::uint64_t examples) const;
  /// The predicted seconds of all trials to do, one after another.
  double Seconds() const;

 private:
  struct Sums {
    double left = 0;      // powers of the trials to do
    double first = 0;     // expected seconds of the trials to do, used while nothing is known
    double expected = 0;  // powers of finished trials, the latest with most weight
    double seconds = 0;   // their measured seconds
    void Finish(double power, double taken, double decay);
  };
  double Ratio(const Sums& group) const;

  std::map<std::string, Sums> groups_;
  Sums all_;
};

}  // namespace okbench
