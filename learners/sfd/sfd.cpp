#include "learners/sfd/sfd.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "learners/core/math.h"
#include "learners/solvers/cutting_planes.h"

namespace okbench::sfd {
namespace {

constexpr std::size_t kMostPlanes = 10000;

}  // namespace

double Schedule::At(std::uint64_t t, std::size_t k, std::size_t n) const {
  switch (kind) {
    case Kind::kOverBatch:
      return c / static_cast<double>(k);
    case Kind::kOverSet:
      return c * static_cast<double>(t) / static_cast<double>(n);
    case Kind::kPower:
      return c * Exp(exponent * Log(static_cast<double>(t)));
  }
  return c;
}

template <class T>
Sfd<T>::Sfd(const Options& options, const LearnerContext<T>& context)
    : BinaryLearner<T>("sfd", context, 1),
      options_(options),
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

  rho_.resize(k);
  a_.assign(k, 0.0);
  all_.resize(k);
  std::iota(all_.begin(), all_.end(), 0U);
  double positive = 0;
  for (std::size_t i = 0; i < k; ++i) {
    rho_[i] = std::clamp(1 - batch_.label(i) * scores_[i], options_.rho_min, options_.rho_max);
    positive += std::max(0.0, rho_[i]);
  }
  lambda_ = options_.schedule.At(t_, k, this->size());
  bound_ = positive / static_cast<double>(k) / lambda_;
  if (!batch_.SignedGram(all_)) {
    outcome.mean_loss = std::numeric_limits<double>::quiet_NaN();  // the kernel overflows
    return outcome;
  }
  const QpResult result = options_.planes
                              ? SolvePlanes(lambda_)
                              : solver_.Solve(batch_.gram_row(0), batch_.stride(), rho_,
                                              1 / (lambda_ * static_cast<double>(k)), options_.gap, a_);
  solver_steps_ = result.steps;
  relative_gap_ = result.objective + result.gap > 0 ? result.gap / (result.objective + result.gap) : 0;

  double along = 0;
  update_norm_ = 0;
  for (std::size_t i = 0; i < k; ++i) {
    if (a_[i] == 0) continue;
    const T* row = batch_.gram_row(i);
    double sum = 0;
    for (std::size_t j = 0; j < k; ++j) sum += a_[j] * static_cast<double>(row[j]);
    update_norm_ += a_[i] * sum;
    along += a_[i] * batch_.label(i) * scores_[i];
    expansion_.Add(0, batch_.example(i), a_[i] * batch_.label(i));
  }
  squared_norm_ += 2 * along + update_norm_;
  return outcome;
}

// Algorithm 2 of the thesis. A plane is the mean of y_i k(x_i,.) over the violating examples; its inner
// products come from the kernel matrix of the batch.
template <class T>
QpResult Sfd<T>::SolvePlanes(double lambda) {
  const std::size_t k = batch_.size();
  const double share = 1 / static_cast<double>(k);
  CuttingPlanes planes(lambda);
  std::vector<std::vector<bool>> members;   // of each plane
  std::vector<std::vector<double>> images;  // sum_j Q_ij [j in plane] / k for all i
  std::vector<double> margins(k, 0.0);      // y_i u(x_i)
  QpResult result;
  for (;; ++result.steps) {
    double offset = 0, reached = 0;
    std::vector<bool> violating(k);
    for (std::size_t i = 0; i < k; ++i) {
      violating[i] = rho_[i] > margins[i];
      if (!violating[i]) continue;
      offset += share * rho_[i];
      reached += share * margins[i];
    }
    // offset - reached is the loss of u, lambda/2 ||u||^2 + it the primal; the planes bound it from below.
    result.gap = offset - reached - planes.slack();
    result.converged = result.gap <= options_.epsilon;
    if (result.converged || members.size() >= kMostPlanes) break;
    std::vector<double> image(k, 0.0), products;
    for (std::size_t j = 0; j < k; ++j) {
      if (!violating[j]) continue;
      const T* row = batch_.gram_row(j);
      for (std::size_t i = 0; i < k; ++i) image[i] += share * static_cast<double>(row[i]);
    }
    images.push_back(image);
    for (const auto& other : images) {
      double product = 0;
      for (std::size_t i = 0; i < k; ++i) product += violating[i] ? share * other[i] : 0.0;
      products.push_back(product);
    }
    members.push_back(violating);
    planes.Add(offset, products);
    result.objective = planes.Solve(options_.epsilon / 100).objective;
    std::fill(margins.begin(), margins.end(), 0.0);
    for (std::size_t p = 0; p < members.size(); ++p) {
      if (planes.weight(p) == 0) continue;
      for (std::size_t i = 0; i < k; ++i) margins[i] += planes.weight(p) / lambda * images[p][i];
    }
  }
  for (std::size_t p = 0; p < members.size(); ++p)
    for (std::size_t i = 0; i < k; ++i)
      if (members[p][i]) a_[i] += planes.weight(p) * share / lambda;
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
