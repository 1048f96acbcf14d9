#pragma once
// SampledCuts (Yu and Joachims 2008; sfd-2013 section 5.1.3): 1-slack cutting planes from sampled violators,
// binary, no bias. Minimises lambda/2 ||f||^2 + mean hinge loss.
//
// A round classifies all N training examples with f. m of them have a nonzero loss. If the mean loss over the
// set is within `tolerance` of the slack xi of the current planes, the method finishes. Otherwise it draws
// r = min(batch, m) of the m examples without replacement. They give the plane
//
//   offset m/N,   d = m/(N r) sum_{i drawn} y_i k(x_i, .),
//
// an unbiased estimate of the exact cutting plane. The quadratic program over the planes gives the new
// f = 1/lambda sum_p b_p d_p (bases/cutting_plane_set.h).
//
// Cost per round: `computed` counts r N values, because the scores of each plane on the training set are
// stored. `requested` counts what an implementation that stores no kernel values needs: N |S| for
// classifying, then the values between the drawn examples and all examples of the planes, including the drawn
// ones, each pair once.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learners/bases/binary_learner.h"
#include "learners/bases/cutting_plane_set.h"
#include "learners/core/random.h"

namespace okbench::sampled_cuts {

struct Options {
  double lambda = 1e-4;     ///< regulariser, > 0
  double tolerance = 1e-3;  ///< epsilon in the paper, in units of the loss, > 0
};

template <class T>
class SampledCuts final : public BinaryLearner<T> {
 public:
  /// Vector d of a cutting plane: the drawn examples and their coefficients.
  struct Plane {
    std::vector<std::uint32_t> examples;
    std::vector<double> coefficients;
    AlignedVector<double> scores;  ///< <d, k(x_i, .)> for each training example x_i
  };

  /// Draws context.batch examples per round, at least 1.
  SampledCuts(const Options& options, const LearnerContext<T>& context);

  RoundOutcome Round(std::span<const std::uint32_t> batch) override;
  TrainingOutcome MeasureTraining() override { return this->LossOf(scores_); }

  /// primal: lambda/2 ||f||^2 + mean hinge loss before the round's update.
  std::vector<std::string> Columns() const override { return {"primal", "slack", "planes", "drawn"}; }
  void Report(std::span<double> out) const override;
  std::size_t support_vectors() const override { return support_.size(); }

  double primal() const { return primal_; }
  double coefficient(std::uint32_t i) const { return coefficients_[i]; }
  /// Current planes, oldest first. weight(p): b_p of plane p.
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
  std::vector<double> scores_;        // f(x_i) for every training example
  std::vector<double> coefficients_;  // coefficients of f, by training example
  std::vector<std::uint32_t> violators_;
  std::vector<std::uint32_t> all_;      // all training examples
  std::vector<std::uint32_t> support_;  // examples with a nonzero coefficient in f
  double squared_norm_ = 0, primal_ = 0;
  std::size_t drawn_ = 0;
};

extern template class SampledCuts<float>;
extern template class SampledCuts<double>;

}  // namespace okbench::sampled_cuts
