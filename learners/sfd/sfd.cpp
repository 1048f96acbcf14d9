#include "learners/sfd/sfd.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "learners/core/error.h"
#include "learners/core/math.h"
#include "learners/core/sums.h"
#include "learners/solvers/cutting_planes.h"

namespace okbench::sfd {
namespace {

using Eigen::Index;

constexpr std::size_t kMostPlanes = 10000;

}  // namespace

void Options::Validate() const {
  UpdateSchedule{schedule, c, exponent}.Validate();
  if (bounded_below && rho_min >= rho_max) throw InvalidArgument("rho_min must be below rho_max");
}

template <class T>
Sfd<T>::Sfd(const Options& options, const LearnerContext<T>& context)
    : BinaryLearner<T>("sfd", context, 1),
      options_(options),
      schedule_{options.schedule, options.c, options.exponent},
      rho_min_(options.bounded_below ? options.rho_min : -std::numeric_limits<double>::infinity()),
      batch_(this->engine_, this->train_),
      expansion_(context.train->size(), 1) {}

template <class T>
RoundOutcome Sfd<T>::Round(std::span<const std::uint32_t> batch) {
  ++t_;
  const std::size_t k = batch.size();
  batch_.Load(batch);
  scores_.resize(k);
  batch_.Scores(expansion_.members(), expansion_.Gather(), 1, scores_);
  RoundOutcome outcome;
  for (std::size_t i = 0; i < k; ++i) CountScore(scores_[i], batch_.label(i), outcome);
  if (!AllFinite(scores_)) return outcome;  // the loss tells

  const auto n = static_cast<Index>(k);
  rho_.resize(n);
  a_ = Eigen::ArrayXd::Zero(n);
  all_.resize(k);
  std::iota(all_.begin(), all_.end(), 0U);
  double positive = 0;
  for (std::size_t i = 0; i < k; ++i) {
    double& rho = rho_[static_cast<Index>(i)];
    rho = std::clamp(1 - batch_.label(i) * scores_[i], rho_min_, options_.rho_max);
    positive += std::max(0.0, rho);
  }
  lambda_ = schedule_.At(t_, k, this->size());
  bound_ = positive / static_cast<double>(k) / lambda_;
  if (!batch_.SignedGram(all_)) {
    outcome.mean_loss = std::numeric_limits<double>::quiet_NaN();  // the kernel overflows
    return outcome;
  }
  const auto gram = batch_.gram();
  const QpResult result =
      options_.planes ? SolvePlanes(lambda_)
                      : solver_.Solve(gram, rho_, 1 / (lambda_ * static_cast<double>(k)), options_.gap, a_);
  solver_steps_ = result.steps;
  relative_gap_ = result.objective + result.gap > 0 ? result.gap / (result.objective + result.gap) : 0;

  double along = 0;
  update_norm_ = 0;
  for (std::size_t i = 0; i < k; ++i) {
    const double a = a_[static_cast<Index>(i)];
    if (a == 0) continue;
    update_norm_ += a * Dot(a_, gram.row(static_cast<Index>(i)).template cast<double>());
    along += a * batch_.label(i) * scores_[i];
    expansion_.Add(0, batch_.example(i), a * batch_.label(i));
  }
  squared_norm_ += 2 * along + update_norm_;
  return outcome;
}

// Algorithm 2 of the thesis. A plane is the mean of y_i k(x_i,.) over the violating examples; its inner
// products come from the kernel matrix of the batch.
template <class T>
QpResult Sfd<T>::SolvePlanes(double lambda) {
  const auto k = static_cast<Index>(batch_.size());
  const auto gram = batch_.gram();
  const double share = 1 / static_cast<double>(k);
  CuttingPlanes planes(lambda);
  // Of each plane: 1/k for its members, else 0; and its image, <plane, y_i k(x_i,.)> for all i.
  std::vector<Eigen::ArrayXd> members, images;
  Eigen::ArrayXd margins = Eigen::ArrayXd::Zero(k);  // y_i u(x_i)
  QpResult result;
  for (;; ++result.steps) {
    const Eigen::ArrayXd plane = (rho_ > margins).select(Eigen::ArrayXd::Constant(k, share), 0.0);
    const double offset = Dot(plane, rho_), reached = Dot(plane, margins);
    // offset - reached is the loss of u, lambda/2 ||u||^2 + it the primal; the planes bound it from below.
    result.gap = offset - reached - planes.slack();
    result.converged = result.gap <= options_.epsilon;
    if (result.converged || members.size() >= kMostPlanes) break;
    Eigen::ArrayXd image = Eigen::ArrayXd::Zero(k);
    for (Index j = 0; j < k; ++j)
      if (plane[j] != 0) image += share * gram.row(j).transpose().array().template cast<double>();
    images.push_back(image);
    members.push_back(plane);
    Eigen::VectorXd products(static_cast<Index>(images.size()));
    for (std::size_t p = 0; p < images.size(); ++p) products[static_cast<Index>(p)] = Dot(plane, images[p]);
    planes.Add(offset, products);
    result.objective = planes.Solve(options_.epsilon / 100).objective;
    margins.setZero();
    for (std::size_t p = 0; p < images.size(); ++p)
      if (planes.weight(p) != 0) margins += planes.weight(p) / lambda * images[p];
  }
  for (std::size_t p = 0; p < members.size(); ++p) a_ += planes.weight(p) * members[p] / lambda;
  return result;
}

template <class T>
std::vector<std::string> Sfd<T>::Columns() const {
  return {"lambda", "update_norm", "update_bound", "squared_norm", "relative_gap", "solver_steps"};
}

template <class T>
void Sfd<T>::Report(std::span<double> out) const {
  out[0] = lambda_;
  out[1] = update_norm_;
  out[2] = bound_;
  out[3] = squared_norm_;
  out[4] = relative_gap_;
  out[5] = static_cast<double>(solver_steps_);
}

template class Sfd<float>;
template class Sfd<double>;

}  // namespace okbench::sfd
