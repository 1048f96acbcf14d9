// Majority class: predicts the most frequent label so far, ties to the lowest class. No prediction before the
// first label.

#include "learners/bases/baseline.h"

namespace okbench::majority {
namespace {

class Rule {
 public:
  explicit Rule(std::size_t outputs) : counts_(outputs == 1 ? 2 : outputs) {}
  void Predict(std::span<double> f) const {
    std::fill(f.begin(), f.end(), 0.0);
    if (counts_[majority_] > 0) PredictClass(majority_, f);
  }
  void Learn(double y) {
    const std::size_t c = ClassOf(y, counts_.size() == 2 ? 1 : counts_.size());
    ++counts_[c];
    if (counts_[c] > counts_[majority_] || (counts_[c] == counts_[majority_] && c < majority_)) majority_ = c;
  }
  void Serialize(Archive& archive) {
    archive.Fixed("counts", counts_);
    archive.Field("majority", majority_);
    if (majority_ >= counts_.size()) Archive::Fail("majority", "is not a class");
  }

 private:
  std::vector<std::uint64_t> counts_;  // by class
  std::size_t majority_ = 0;
};

}  // namespace

LearnerInfo Describe() {
  return DefineBaseline<Rule>({.name = "majority",
                               .title = "Baseline: the most frequent label so far",
                               .paper = "Zliobaite et al. 2015",
                               .labels = {LabelKind::kBinary, LabelKind::kMulticlass},
                               .update = "predict arg max_c (number of labels c so far)"});
}

}  // namespace okbench::majority
