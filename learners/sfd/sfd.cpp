#include "learners/sfd/sfd.h"

#include <algorithm>
#include <limits>

#include "learners/core/error.h"
#include "learners/core/sums.h"
#include "learners/solvers/plane_update.h"

namespace okbench::sfd {
namespace {

using Eigen::Index;

// A plane is the mean of y_i k(x_i,.) over the examples with rho_i > y_i u(x_i): 1/k for these, else 0.
// Scores are y_i u(x_i).
template <class T>
class Planes : public KeptImages<Planes<T>, Eigen::ArrayXd> {
 public:
  using Vector = Eigen::ArrayXd;
  Planes(const RowMatrixView<T>& gram, const Vector& rho)
      : gram_(gram), rho_(rho), share_(1 / static_cast<double>(rho.size())) {}

  Vector NoPlane() const { return NoScores(); }
  Vector NoScores() const { return Vector::Zero(rho_.size()); }
  PlaneSums Find(const Vector& margins, Vector& plane) const {
    plane = (rho_ > margins).select(Vector::Constant(rho_.size(), share_), 0.0);
    return {.offset = Dot(plane, rho_), .reached = Dot(plane, margins)};
  }
  Vector Image(const Vector& plane) const {
    Vector image = NoScores();
    for (Index j = 0; j < plane.size(); ++j)
      if (plane[j] != 0) image += share_ * gram_.row(j).transpose().array().template cast<double>();
    return image;
  }
  double Product(const Vector& plane, const Vector& image) const { return Dot(plane, image); }

 private:
  const RowMatrixView<T>& gram_;
  const Vector& rho_;
  double share_;
};

}  // namespace

void Options::Validate() const {
  DescentOptions::Validate();
  if (bounded_below && rho_min >= rho_max) throw InvalidArgument("rho_min must be below rho_max");
}

template <class T>
Sfd<T>::Sfd(const Options& options, const LearnerContext<T>& context)
    : FunctionalDescent<T, BinaryLearner<T>>(options, context.train->size(), "sfd", context, 1),
      options_(options),
      rho_min_(options.bounded_below ? options.rho_min : -std::numeric_limits<double>::infinity()) {}

template <class T>
void Sfd<T>::CountBatch(RoundOutcome& outcome) {
  for (std::size_t i = 0; i < this->scores_.size(); ++i)
    CountScore(this->scores_[i], this->batch_.label(i), outcome);
}

template <class T>
double Sfd<T>::Residuals() {
  rho_.resize(static_cast<Index>(this->scores_.size()));
  double positive = 0;
  for (std::size_t i = 0; i < this->scores_.size(); ++i) {
    double& rho = rho_[static_cast<Index>(i)];
    rho = std::clamp(1 - this->batch_.label(i) * this->scores_[i], rho_min_, options_.rho_max);
    positive += std::max(0.0, rho);
  }
  return positive;
}

template <class T>
QpResult Sfd<T>::Solve(double lambda, double cap) {
  const auto gram = this->batch_.gram();
  a_ = Eigen::ArrayXd::Zero(rho_.size());
  if (!options_.planes) return solver_.Solve(gram, rho_, cap, options_.gap, a_);
  Planes<T> problem(gram, rho_);
  Eigen::ArrayXd margins;
  return SolveByPlanes(problem, lambda, options_.epsilon, a_, margins);
}

template <class T>
typename Sfd<T>::Products Sfd<T>::AddUpdate() {
  const auto gram = this->batch_.gram();
  Products products;
  for (std::size_t i = 0; i < this->scores_.size(); ++i) {
    const double a = a_[static_cast<Index>(i)];
    if (a == 0) continue;
    products.norm += a * Dot(a_, gram.row(static_cast<Index>(i)).template cast<double>());
    products.along += a * this->batch_.label(i) * this->scores_[i];
    this->expansion_.Add(0, this->batch_.example(i), a * this->batch_.label(i));
  }
  return products;
}

template class Sfd<float>;
template class Sfd<double>;

}  // namespace okbench::sfd
