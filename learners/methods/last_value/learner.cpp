// Last value: predicts the target of the example before, 0 before the first.

#include "learners/bases/baseline.h"

namespace okbench::last_value {
namespace {

class Rule {
 public:
  explicit Rule(std::size_t /*outputs*/) {}
  void Predict(std::span<double> f) const { f[0] = last_; }
  void Learn(double y) { last_ = y; }
  void Serialize(Archive& archive) { archive.Field("last", last_); }

 private:
  double last_ = 0;
};

}  // namespace

LearnerInfo Describe() {
  return DefineBaseline<Rule>({.name = "last-value",
                               .title = "Baseline: the target of the example before",
                               .paper = "common baseline",
                               .labels = {LabelKind::kReal},
                               .update = "predict y_(t-1)"});
}

}  // namespace okbench::last_value
