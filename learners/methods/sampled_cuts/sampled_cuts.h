#pragma once
// SampledCuts (Yu and Joachims 2008; sfd-2013 section 5.1.3): 1-slack cutting planes made of sampled
// violators, binary, no bias. Minimises lambda/2 ||f||^2 + mean hinge loss.
//
// A round classifies the whole training set of N examples under f. V are the m examples with a nonzero loss;
// when their mean loss over the set is within epsilon of the slack xi of the planes held, it is over. Else r
// of them are drawn without replacement, r = min(batch, m), and give the plane
//   offset m/N,   d = m/(N r) sum_{i drawn} y_i k(x_i, .),
// an unbiased estimate of the exact cutting plane, and the planes' quadratic program gives the new
// f = 1/lambda sum_p b_p d_p (bases/held_planes.h).
//
// Each plane's scores of the training set are held, so `computed` counts r N values a round. `requested`
// counts what a round asks for when it keeps no kernel values: N times the support vectors for classifying,
// then, for the inner products, the values between the drawn examples and all that the planes hold, the drawn
// ones among them; each pair of examples once.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learners/bases/binary_learner.h"
#include "learners/bases/cutting_plane_set.h"
#include "learners/core/random.h"

namespace okbench::sampled_cuts {

struct Options {
  double lambda = 1e-4;
  double epsilon = 1e-3;  ///< tolerance, in units of the loss
};

template <class T>
class SampledCuts final : public BinaryLearner<T> {
 public:
  /// d of a cutting plane: the examples drawn for it, and what each of them has in it.
  struct Plane {
    std::vector<std::uint32_t> examples;
    std::vector<double> coefficients;
    AlignedVector<double> scores;  ///< <d, k(x_i, .)> of the training examples x_i
  };

  /// context.batch examples are drawn a round, at least 1.
  SampledCuts(const Options& options, const LearnerContext<T>& context);

  RoundOutcome Round(std::span<const std::uint32_t> batch) override;
  TrainingOutcome MeasureTraining() override { return this->LossOf(scores_); }

  /// primal: lambda/2 ||f||^2 + mean hinge loss before the round's update.
  std::vector<std::string> Columns() const override { return {"primal", "slack", "planes", "drawn"}; }
  void Report(std::span<double> out) const override;
  std::size_t support_vectors() const override { return support_.size(); }

  double primal() const { return primal_; }
  double coefficient(std::uint32_t i) const { return coefficients_[i]; }
  /// The planes held, the oldest first, and the weight b_p of each.
  std::span<const Plane> planes() const { return model_.planes(); }
  double weight(std::size_t p) const { return model_.weight(p); }

 protected:
  std::span<const double> Coefficients() const override { return coefficients_; }

 private:
  void AddPlane(std::size_t violating);
  void Assemble();

  Options options_;
  std::size_t batch_;
  Random random_;
  SupportBlocks<T> blocks_;  // the whole training set
  CuttingPlaneSet<Plane> model_;
  std::vector<double> scores_;        // f of every training example
  std::vector<double> coefficients_;  // of f, by training example
  std::vector<std::uint32_t> violators_;
  std::vector<std::uint32_t> all_;      // training examples
  std::vector<std::uint32_t> support_;  // examples with a coefficient in f
  double squared_norm_ = 0, primal_ = 0;
  std::size_t drawn_ = 0;
};

extern template class SampledCuts<float>;
extern template class SampledCuts<double>;

}  // namespace okbench::sampled_cuts
