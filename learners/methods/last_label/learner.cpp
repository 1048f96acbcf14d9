// Last label (no change): predicts the label of the example before.

#include "learners/bases/baseline.h"

namespace okbench::last_label {
namespace {

class Rule {
 public:
  explicit Rule(std::size_t outputs) : outputs_(outputs) {}
  void Predict(std::span<double> f) const {
    std::fill(f.begin(), f.end(), 0.0);
    if (seen_) PredictClass(last_, f);
  }
  void Learn(double y) {
    seen_ = true;
    last_ = ClassOf(y, outputs_);
  }
  void Serialize(Archive& archive) {
    archive.Field("seen", seen_);
    archive.Field("last", last_);
    if (last_ >= std::max<std::size_t>(2, outputs_)) Archive::Fail("last", "is not a class");
  }

 private:
  std::size_t outputs_;
  bool seen_ = false;
  std::size_t last_ = 0;  // class
};

}  // namespace

LearnerInfo Describe() {
  return DefineBaseline<Rule>({.name = "last-label",
                               .title = "Baseline: the label of the example before",
                               .paper = "Zliobaite et al. 2015",
                               .labels = {LabelKind::kBinary, LabelKind::kMulticlass},
                               .update = "predict y_(t-1)"});
}

}  // namespace okbench::last_label
