#pragma once
// SVMstruct: the structural SVM by 1-slack cutting planes (Joachims, Finley and Yu 2009; sfd-2013, OP1 and
// section 1.4), over any task whose outputs can be listed. Minimises
//
//   lambda/2 ||f||^2 + 1/N sum_i max_y [Delta(y_i, y) + f(x_i, y) - f(x_i, y_i)].
//
// A round asks the oracle for the most violating output y^_i of every training example under f. When their
// mean loss is within epsilon of the slack xi of the planes held, it is over. Else the violating examples
// give the plane
//   offset 1/N sum_i Delta(y_i, y^_i),   d = 1/N sum_i [Psi(x_i, y_i) - Psi(x_i, y^_i)],
// and the planes' quadratic program the new f = 1/lambda sum_p b_p d_p (bases/held_planes.h).
//
// Kernel rows are cached, and each plane's scores of the training set are held: `computed` counts each row
// once while it is in the cache. `requested` counts what a round asks for when it keeps no kernel values, as
// SampledCuts' does: N times the support vectors, then the values between the plane's examples and all that
// the planes hold, each pair once.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learners/api/parameter_table.h"
#include "learners/bases/cutting_plane_set.h"
#include "learners/bases/training_rows.h"

namespace okbench::svm_struct {

struct Options : TrainingRowsOptions {
  double epsilon = 1e-3;  ///< tolerance, in units of the loss
};

/// The method's parameters.
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
    std::vector<std::uint32_t> violators;  // y^ of each
    RowMatrix<double> scores;              // <d, Psi(x_j, y)>: a row a training example
  };

  void AddPlane(Plane plane, double offset);
  void Assemble();

  Options options_;
  CuttingPlaneSet<Plane> model_;
  RowMatrix<double> f_;  // f(x_j, y): a row a training example
  AlignedVector<double> images_;
  double squared_norm_ = 0, primal_ = 0;
};

extern template class SvmStruct<float>;
extern template class SvmStruct<double>;

}  // namespace okbench::svm_struct
