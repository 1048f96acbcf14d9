// Running mean: predicts the mean of the targets so far, 0 before the first.

#include "learners/bases/baseline.h"

namespace okbench::running_mean {
namespace {

class Rule {
 public:
  explicit Rule(std::size_t /*outputs*/) {}
  void Predict(std::span<double> f) const { f[0] = mean_; }
  void Learn(double y) {
    ++count_;
    mean_ += (y - mean_) / static_cast<double>(count_);
  }
  void Serialize(Archive& archive) {
    archive.Field("count", count_);
    archive.Field("mean", mean_);
  }

 private:
  std::uint64_t count_ = 0;
  double mean_ = 0;
};

}  // namespace

LearnerInfo Describe() {
  return DefineBaseline<Rule>({.name = "running-mean",
                               .title = "Baseline: the mean of the targets so far",
                               .paper = "common baseline",
                               .labels = {LabelKind::kReal},
                               .update = "predict (y_1 + ... + y_(t-1)) / (t - 1)"});
}

}  // namespace okbench::running_mean
