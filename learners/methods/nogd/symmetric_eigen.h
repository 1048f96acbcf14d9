#pragma once
// Eigenvectors of a dense symmetric matrix, with the same bits on every machine: Householder reduction to
// tridiagonal form, then the implicit QL method (Golub and Van Loan, Matrix Computations, sections 8.3.1 and
// 8.3.3; Bowdler, Martin, Reinsch and Wilkinson 1968). Long loops are elementwise; sums have a fixed order.

#include <cstddef>
#include <span>
#include <vector>

namespace okbench {

struct EigenSystem {
  std::vector<double> values;   ///< all eigenvalues, in descending order
  std::vector<double> vectors;  ///< [eigenvector][row], for the largest eigenvalues, of norm 1
};

/// Computes all eigenvalues of A, n x n, and the eigenvectors of the `count` largest ones, with about
/// 4/3 n^3 + 6 n^2 count multiply-adds and 32 n^2 bytes. Throws InvalidArgument if count > n, the size is
/// wrong, a value is not finite, or the QL method does not converge.
EigenSystem SymmetricEigen(std::span<const double> matrix, std::size_t n, std::size_t count);

}  // namespace okbench
