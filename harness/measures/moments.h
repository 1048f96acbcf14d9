#pragma once
// Moments: sums of real numbers over the last examples. Nothing is subtracted when an example leaves the
// window, so that a few large errors do not round away later small ones.

#include <cmath>
#include <cstddef>
#include <vector>

namespace okbench {

/// Moments of targets, and sums of errors. Merge() is associative up to rounding.
struct Moments {
  double count = 0;
  double mean = 0;      ///< of the targets
  double squares = 0;   ///< sum of (target - mean)^2
  double squared = 0;   ///< sum of (prediction - target)^2
  double absolute = 0;  ///< sum of |prediction - target|
  double log_loss = 0;  ///< sum of -log P(label)

  /// Moments of both sets of examples. Chan, Golub and LeVeque 1979.
  Moments Merge(const Moments& other) const {
    if (count == 0) return other;
    if (other.count == 0) return *this;
    const double n = count + other.count, shift = other.mean - mean;
    return {.count = n,
            .mean = mean + shift * (other.count / n),
            .squares = squares + other.squares + shift * shift * (count * (other.count / n)),
            .squared = squared + other.squared,
            .absolute = absolute + other.absolute,
            .log_loss = log_loss + other.log_loss};
  }
};

/// Moments of the last `window` examples, or of all. Amortised O(1) a step, O(window) memory.
class SlidingMoments {
 public:
  /// `window`: number of examples; 0: all.
  explicit SlidingMoments(std::size_t window) : window_(window) {}

  void Add(const Moments& moments) {
    if (window_ > 0 && front_.size() + back_.size() == window_) {
      if (front_.empty()) {
        // front_[i]: the sum from the i-th newest example to the newest one.
        for (auto it = back_.rbegin(); it != back_.rend(); ++it)
          front_.push_back(front_.empty() ? *it : it->Merge(front_.back()));
        back_.clear();
        back_sum_ = {};
      }
      front_.pop_back();
    }
    if (window_ > 0) back_.push_back(moments);
    back_sum_ = back_sum_.Merge(moments);
  }
  Moments value() const { return front_.empty() ? back_sum_ : front_.back().Merge(back_sum_); }

 private:
  std::size_t window_;
  std::vector<Moments> front_;  // suffix sums of the older examples, the oldest last
  std::vector<Moments> back_;   // the newer examples
  Moments back_sum_;
};

}  // namespace okbench
