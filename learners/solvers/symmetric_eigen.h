#pragma once
// Eigenvectors of a dense symmetric matrix, with the same bits on every machine: Householder's reduction to
// tridiagonal form and the implicit QL method (Golub and Van Loan, Matrix Computations, sections 8.3.1 and
// 8.3.3; Bowdler, Martin, Reinsch and Wilkinson 1968). All long loops are element by element, sums in order.

#include <cstddef>
#include <span>
#include <vector>

namespace okbench {

struct EigenSystem {
  std::vector<double> values;   ///< all of them, the largest first
  std::vector<double> vectors;  ///< [eigenvector][row], of the largest ones, of norm 1
};

/// The eigenvalues of A, n x n, and the eigenvectors of the `count` largest ones (count <= n). About 6 n^3
/// multiply-adds, count or not. Throws InvalidArgument when the sizes disagree or a value is not finite.
EigenSystem SymmetricEigen(std::span<const double> matrix, std::size_t n, std::size_t count);

}  // namespace okbench
