#include "learners/methods/bcfw/bcfw.h"

#include <algorithm>

#include "learners/core/math.h"
#include "learners/core/stop.h"
#include "learners/core/sums.h"

namespace okbench::bcfw {

template <class T>
Bcfw<T>::Bcfw(const Options& options, const LearnerContext<T>& context)
    : TrainingRows<T>(options, context),
      options_(options),
      cap_(1 / (options.lambda * static_cast<double>(context.train->size()))),
      random_(context.seed),
      order_(this->all().begin(), this->all().end()),
      f_(this->outputs()),
      g_(this->outputs()),
      d_(this->outputs()),
      products_(this->outputs()) {}

template <class T>
void Bcfw<T>::Step(std::uint32_t i, RoundOutcome& outcome) {
  const std::size_t y = this->truth(i);
  this->engine_.CountRequested(std::span(&i, 1), this->support());
  this->Scores(i, f_);
  const std::size_t wanted = this->CountScores(y, f_, outcome).output;
  if (!AllFinite(f_)) return;  // CountScores has made the loss NaN
  const std::span<const double> deltas = this->DeltasOf(y);
  const double cap = cap_ * this->weight(i);
  // a_i = C e_y - tau_i, d = C e_wanted - a_i, and g is 0 at the true output.
  double along = 0;
  for (std::size_t r = 0; r < f_.size(); ++r) {
    const double a = (r == y ? cap : 0) - this->coefficient(r, i);
    d_[r] = (r == wanted ? cap : 0) - a;
    along += d_[r] * (deltas[r] + f_[r] - f_[y]);
  }
  if (!(along > 0)) return;
  this->task_->OutputProducts(d_, products_);
  // If x_i is a support vector, k(x_i, x_i) was already requested with the scores.
  this->engine_.CountRequested(std::span(&i, 1), std::span(&i, 1), this->holds(i) ? 1 : 0);
  const double curvature = static_cast<double>(this->Row(i)[i]) * Dot(d_, products_);
  const double gamma = curvature > along ? along / curvature : 1;
  for (std::size_t r = 0; r < f_.size(); ++r) {
    // A full step (gamma = 1) ends exactly at the vertex.
    const double vertex = (r == y ? cap : 0) - (r == wanted ? cap : 0);
    g_[r] = gamma == 1 ? vertex : this->coefficient(r, i) - gamma * d_[r];
  }
  this->SetCoefficients(i, g_);
}

// Primal and dual objectives of the model, divided by lambda.
template <class T>
void Bcfw<T>::Measure() {
  this->engine_.CountRequested(this->all(), this->support());
  double norm = 0, loss = 0, linear = 0;
  for (const std::uint32_t i : this->all()) {
    CheckStop();
    const std::size_t y = this->truth(i);
    this->Scores(i, f_);
    const std::span<const double> deltas = this->DeltasOf(y);
    loss += this->weight(i) * this->oracle_.MostViolating(y, deltas, f_).value;
    for (std::size_t r = 0; r < f_.size(); ++r) {
      const double tau = this->coefficient(r, i);
      norm += tau * f_[r];
      linear -= tau * deltas[r];  // Delta is 0 at the true output
    }
  }
  primal_ = 0.5 * norm + cap_ * loss;
  dual_ = linear - 0.5 * norm;
}

template <class T>
RoundOutcome Bcfw<T>::Round(std::span<const std::uint32_t> /*batch*/) {
  RoundOutcome outcome;
  Shuffle(std::span(order_), random_);
  for (const std::uint32_t i : order_) {
    CheckStop();
    Step(i, outcome);
  }
  Measure();
  outcome.converged = primal_ - dual_ <= options_.tolerance * primal_;
  outcome.finished = outcome.converged;
  return outcome;
}

template <class T>
void Bcfw<T>::Report(std::span<double> out) const {
  out[0] = primal();
  out[1] = dual();
  out[2] = primal_ > 0 ? (primal_ - dual_) / primal_ : 0;
  out[3] = static_cast<double>(this->oracle_calls());
}

template class Bcfw<float>;
template class Bcfw<double>;

}  // namespace okbench::bcfw
