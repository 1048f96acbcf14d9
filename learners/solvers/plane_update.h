#pragma once
// SFD's update by 1-slack cutting planes (sfd-2013, algorithm 2).

#include <cstddef>
#include <utility>
#include <vector>

#include "learners/solvers/cutting_planes.h"

namespace okbench {

/// r and <d, u> of a cutting plane d under an update u. The loss of u is r - <d, u>.
struct PlaneSums {
  double offset = 0;   ///< r
  double reached = 0;  ///< <d, u>
};

/// Solves min_u lambda/2 ||u||^2 + loss(u) until the newest plane is violated by at most `epsilon` beyond the
/// slack. Writes u's coefficients and scores. `problem` defines the loss of a batch. Problem::Plane is a list
/// of coefficients of a function, Problem::Scores its scores on the batch:
///   Plane NoPlane(), Scores NoScores()                    zero
///   PlaneSums Find(const Scores& scores, Plane& plane)    finds the most violated plane under the u with
///                                                         these scores; fills `plane`, which is 0
///   Eigen::VectorXd Products(const std::vector<Plane>&)   inner products of the last plane, which is new,
///                                                         with all planes
///   void Combine(planes, shares, Scores& scores)          scores of u = sum_p shares[p] planes[p]
template <class Problem>
QpResult SolveByPlanes(Problem& problem, double lambda, double epsilon, typename Problem::Plane& coefficients,
                       typename Problem::Scores& scores) {
  constexpr std::size_t kMaxPlanes = 10000;
  CuttingPlanes model(lambda);
  std::vector<typename Problem::Plane> planes;
  std::vector<double> shares;
  scores = problem.NoScores();
  QpResult result;
  for (;; ++result.steps) {
    typename Problem::Plane plane = problem.NoPlane();
    const PlaneSums sums = problem.Find(scores, plane);
    // The primal is lambda/2 ||u||^2 + offset - reached. The planes give the lower bound lambda/2 ||u||^2 +
    // slack.
    result.gap = sums.offset - sums.reached - model.slack();
    result.converged = result.gap <= epsilon;
    if (result.converged || planes.size() >= kMaxPlanes) break;
    planes.push_back(std::move(plane));
    model.Add(sums.offset, problem.Products(planes));
    result.objective = model.Solve(epsilon / 100).objective;
    shares.resize(planes.size());
    for (std::size_t p = 0; p < planes.size(); ++p) shares[p] = model.weight(p) / lambda;
    problem.Combine(planes, shares, scores);
  }
  coefficients = problem.NoPlane();
  for (std::size_t p = 0; p < planes.size(); ++p) coefficients += model.weight(p) * planes[p] / lambda;
  return result;
}

/// Base of problems that cache the scores of their planes, so that each plane is evaluated once. `List`
/// stores the coefficients of a plane, and its scores. The problem has
///   Vector Image(const Vector& plane)                            scores of a plane
///   double Product(const Vector& plane, const Vector& image)     inner product with the plane of `image`
template <class Problem, class List>
class KeptImages {
 public:
  using Vector = List;
  using Plane = List;
  using Scores = List;

  Eigen::VectorXd Products(const std::vector<List>& planes) {
    images_.push_back(problem().Image(planes.back()));
    Eigen::VectorXd products(static_cast<Eigen::Index>(images_.size()));
    for (std::size_t p = 0; p < images_.size(); ++p)
      products[static_cast<Eigen::Index>(p)] = problem().Product(planes.back(), images_[p]);
    return products;
  }
  void Combine(const std::vector<List>& /*planes*/, const std::vector<double>& shares, List& scores) const {
    scores.setZero();
    for (std::size_t p = 0; p < shares.size(); ++p)
      if (shares[p] != 0) scores += shares[p] * images_[p];
  }

 private:
  Problem& problem() { return static_cast<Problem&>(*this); }
  std::vector<List> images_;
};

}  // namespace okbench
