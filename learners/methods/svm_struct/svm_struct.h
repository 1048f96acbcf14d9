#pragma once
// SVMstruct (Joachims, Finley and Yu 2009; sfd-2013, OP1 and section 1.2): the structural SVM by 1-slack
// cutting planes, over any task whose outputs can be enumerated. Minimises
//
//   lambda/2 ||f||^2 + 1/N sum_i max_y [Delta(y_i, y) + f(x_i, y) - f(x_i, y_i)].
//
// A round calls the oracle for the most violating output y^_i of every training example under f. If the mean
// loss is within `tolerance` of the slack xi of the current planes, the method finishes. Otherwise the
// violating examples give the plane
//
//   offset 1/N sum_i Delta(y_i, y^_i),   d = 1/N sum_i [Psi(x_i, y_i) - Psi(x_i, y^_i)],
//
// and the quadratic program over the planes gives the new f = 1/lambda sum_p b_p d_p
// (bases/cutting_plane_set.h).
//
// Cost per round: N oracle calls. `computed` counts each kernel row once while it stays in the row cache; the
// scores of each plane on the training set are stored. `requested` counts what an implementation that stores
// no kernel values needs, as for SampledCuts: N |S|, then the values between the plane's examples and all
// examples of the planes, each pair once.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learners/api/parameter_table.h"
#include "learners/bases/cutting_plane_set.h"
#include "learners/bases/training_rows.h"

namespace okbench::svm_struct {

struct Options : TrainingRowsOptions {
  double tolerance = 1e-3;  ///< epsilon in the paper, in units of the loss, > 0
};

/// Parameter table of the learner.
ParameterTable<Options> Parameters();

template <class T>
class SvmStruct final : public TrainingRows<T> {
 public:
  SvmStruct(const Options& options, const LearnerContext<T>& context);

  RoundOutcome Round(std::span<const std::uint32_t> batch) override;
  /// primal: the objective before the round's update.
  std::vector<std::string> Columns() const override { return {"primal", "slack", "planes", "oracle_calls"}; }
  void Report(std::span<double> out) const override;

  double primal() const { return primal_; }

 private:
  struct Plane {
    std::vector<std::uint32_t> examples;
    std::vector<std::uint32_t> violators;  // y^ of each example
    RowMatrix<double> scores;              // <d, Psi(x_j, y)>, [training example][output]
  };

  void AddPlane(Plane plane, double offset);
  void Assemble();

  Options options_;
  CuttingPlaneSet<Plane> model_;
  RowMatrix<double> f_;  // f(x_j, y), [training example][output]
  AlignedVector<double> images_;
  double squared_norm_ = 0, primal_ = 0;
};

extern template class SvmStruct<float>;
extern template class SvmStruct<double>;

}  // namespace okbench::svm_struct
