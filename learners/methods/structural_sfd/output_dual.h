#pragma once
// Dual of a structured hinge loss on a few examples with enumerable outputs (OP3 of sfd-2013 and its
// multiclass case OP5), solved by block coordinate ascent.

#include <cstddef>
#include <span>
#include <vector>

#include "learners/core/eigen.h"
#include "learners/solvers/capped_simplex.h"
#include "learners/solvers/qp_result.h"

namespace okbench {

/// min_u  1/2 ||u||^2 + C sum_i max(0, max_y [rho_iy + u(x_i, y) - u(x_i, y_i)])
///
/// over u(x, y) = sum_i k(x_i, x) (kappa tau_i)_y. With a_iy >= 0, sum_y a_iy = C, tau_i = C e_{y_i} - a_i:
///
///   max_a  sum_iy a_iy rho_iy - 1/2 sum_ij K_ij tau_i' kappa tau_j,       rho_{i,y_i} = 0,
///   gradient g_iy = rho_iy + U_iy - U_{i,y_i},  U = K tau kappa,   gap = sum_i (C max_y g_iy - a_i . g_i).
///
/// A block is one example. With kappa the identity it is solved exactly (CappedSimplexSolver). Otherwise mass
/// moves between the outputs with the lowest and the highest gradient. Not thread-safe: uses scratch lists.
template <class T>
class OutputDualSolver {
 public:
  /// Writes tau, one row per example, with gap <= relative_gap * primal if result.converged. `gram` is K,
  /// truth[i] is the output y_i, `rho` has one row per example. `kappa` is empty for the identity. REQUIRES:
  /// rho(i, y_i) = 0.
  QpResult Solve(const RowMatrixView<T>& gram, std::span<const std::size_t> truth,
                 const RowMatrix<double>& rho, const Eigen::MatrixXd& kappa, double cap, double relative_gap,
                 RowMatrix<double>& tau);
  /// U of the last solution.
  const RowMatrix<double>& scores() const { return u_; }

 private:
  double BlockGap(Eigen::Index i, double* slack) const;
  void SolveBlock(Eigen::Index i);
  void MoveMass(Eigen::Index i);

  const RowMatrixView<T>* gram_ = nullptr;
  std::span<const std::size_t> truth_;
  const RowMatrix<double>* rho_ = nullptr;
  const Eigen::MatrixXd* kappa_ = nullptr;
  double cap_ = 0;
  RowMatrix<double>* tau_ = nullptr;
  RowMatrix<double> u_;
  Eigen::RowVectorXd change_, gradient_;
  std::vector<double> b_, solved_;
};

extern template class OutputDualSolver<float>;
extern template class OutputDualSolver<double>;

}  // namespace okbench
