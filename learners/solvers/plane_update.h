#pragma once
// SFD's update by 1-slack cutting planes (sfd-2013, algorithm 2).

#include <cstddef>
#include <utility>
#include <vector>

#include "learners/solvers/cutting_planes.h"

namespace okbench {

/// r and <d, u> of a cutting plane d under an update u: u's loss is their difference.
struct PlaneSums {
  double offset = 0;
  double reached = 0;
};

/// min_u  lambda/2 ||u||^2 + loss(u), until the newest plane is violated by no more than `epsilon` beyond the
/// slack. `problem` knows the loss of a batch; its functions and updates are lists of numbers,
/// Problem::Vector:
///   Vector Zero()
///   PlaneSums Find(const Vector& scores, Vector& plane)   the most violated plane under the u with these
///                                                         scores: fills the coefficients, zero before
///   Vector Image(const Vector& plane)                     the scores of a plane, as Find takes them
///   double Product(const Vector& plane, const Vector& image)
/// Fills u's coefficients and its scores.
template <class Problem>
QpResult SolveByPlanes(Problem& problem, double lambda, double epsilon,
                       typename Problem::Vector& coefficients, typename Problem::Vector& scores) {
  constexpr std::size_t kMostPlanes = 10000;
  CuttingPlanes model(lambda);
  std::vector<typename Problem::Vector> planes, images;
  scores = problem.Zero();
  QpResult result;
  for (;; ++result.steps) {
    typename Problem::Vector plane = problem.Zero();
    const PlaneSums sums = problem.Find(scores, plane);
    // offset - reached is the loss of u, lambda/2 ||u||^2 + it the primal; the planes bound it from below.
    result.gap = sums.offset - sums.reached - model.slack();
    result.converged = result.gap <= epsilon;
    if (result.converged || planes.size() >= kMostPlanes) break;
    images.push_back(problem.Image(plane));
    planes.push_back(std::move(plane));
    Eigen::VectorXd products(static_cast<Eigen::Index>(images.size()));
    for (std::size_t p = 0; p < images.size(); ++p)
      products[static_cast<Eigen::Index>(p)] = problem.Product(planes.back(), images[p]);
    model.Add(sums.offset, products);
    result.objective = model.Solve(epsilon / 100).objective;
    scores.setZero();
    for (std::size_t p = 0; p < images.size(); ++p)
      if (model.weight(p) != 0) scores += model.weight(p) / lambda * images[p];
  }
  coefficients = problem.Zero();
  for (std::size_t p = 0; p < planes.size(); ++p) coefficients += model.weight(p) * planes[p] / lambda;
  return result;
}

}  // namespace okbench
