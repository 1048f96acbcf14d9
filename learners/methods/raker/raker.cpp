#include "learners/methods/raker/raker.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "learners/core/math.h"
#include "learners/core/random.h"
#include "learners/core/sums.h"

namespace okbench::raker {
namespace {

template <class T>
std::shared_ptr<const Examples<T>> Components(const Options& options, const LearnerContext<T>& context) {
  std::shared_ptr<const Examples<T>> all;
  for (std::size_t p = 0; p < options.kernels; ++p) {
    Kernel kernel = context.kernel;
    const double exponent = static_cast<double>(p) - (static_cast<double>(options.kernels) - 1) / 2;
    kernel.gamma *= Exp(exponent * Log(options.ratio));
    const std::uint64_t seed =
        DeriveSeed({{"frequencies", std::to_string(context.seed)}, {"kernel", std::to_string(p)}});
    const ComponentFeatures features{.all = context.train->features(), .first = context.first_features};
    const auto components = DrawComponents<T>(kernel, options.features, features, seed);
    all = all == nullptr ? components
                         : std::make_shared<const Examples<T>>(Examples<T>::Join(*all, *components));
  }
  return all;
}

}  // namespace

template <class T>
Raker<T>::Raker(const Options& options, const LearnerContext<T>& context)
    : RandomFeatureLearner<T>(options, context, Components(options, context)),
      options_(options),
      scale_(std::sqrt(static_cast<double>(options.kernels))) {
  Resize();
}

template <class T>
void Raker<T>::Resize() {
  theta_.resize(Place(this->outputs(), 0), 0.0);
  log_weight_.resize(this->outputs() * options_.kernels, 0.0);
}

template <class T>
double Raker<T>::weight(std::size_t r, std::size_t p) const {
  double sum = 0;
  for (std::size_t q = 0; q < options_.kernels; ++q) sum += Exp(log_weight_[r * options_.kernels + q]);
  return Exp(log_weight_[r * options_.kernels + p]) / sum;
}

template <class T>
double Raker<T>::ScoreOf(const double* z, std::size_t r, std::size_t p) const {
  const std::size_t d = options_.features, half = this->map().stride() / 2;
  const auto theta = std::span(theta_).subspan(Place(r, p), 2 * d);
  return scale_ *
         (Dot(theta.first(d), std::span(z + p * d, d)) + Dot(theta.last(d), std::span(z + half + p * d, d)));
}

template <class T>
void Raker<T>::Scores(const double* z, std::span<double> f) const {
  for (std::size_t r = 0; r < f.size(); ++r) {
    f[r] = 0;
    for (std::size_t p = 0; p < options_.kernels; ++p) f[r] += weight(r, p) * ScoreOf(z, r, p);
  }
}

template <class T>
void Raker<T>::Learn(const double* z, std::size_t r, double y, double /*slope*/, double weight) {
  const std::size_t d = options_.features, half = this->map().stride() / 2;
  const auto logs = std::span(log_weight_).subspan(r * options_.kernels, options_.kernels);
  for (std::size_t p = 0; p < options_.kernels; ++p) {
    double slope = 0;
    const double loss = this->LossOf(ScoreOf(z, r, p), y, slope).loss;
    const auto theta = std::span(theta_).subspan(Place(r, p), 2 * d);
    logs[p] -= options_.eta * (weight * loss + options_.lambda * SquaredNorm(theta));
    const double shrink = 1 - 2 * options_.eta * options_.lambda,
                 step = -options_.eta * weight * slope * scale_;
    for (std::size_t j = 0; j < d; ++j) {
      theta[j] = shrink * theta[j] + step * z[p * d + j];
      theta[d + j] = shrink * theta[d + j] + step * z[half + p * d + j];
    }
  }
  const double largest = *std::max_element(logs.begin(), logs.end());
  for (double& log : logs) log -= largest;
}

template <class T>
void Raker<T>::Report(std::span<double> out) const {
  out[0] = static_cast<double>(this->map().size());
  out[1] = static_cast<double>(this->feature_evaluations());
  out[2] = 0;
  for (std::size_t p = 0; p < options_.kernels; ++p) out[2] = std::max(out[2], weight(0, p));
}

template <class T>
void Raker<T>::Serialize(Archive& archive) {
  this->SerializeMap(archive);
  archive.Fixed("theta", theta_);
  archive.Fixed("log_weight", log_weight_);
}

template <class T>
void Raker<T>::AddClass() {
  RandomFeatureLearner<T>::AddClass();
  Resize();
}

template <class T>
AnyModel Raker<T>::CurrentModel() const {
  const std::size_t d = options_.features;
  Model<T> model{.kernel = this->kernel(), .outputs = this->outputs()};
  model.components = this->map().components();
  for (std::size_t r = 0; r < this->outputs(); ++r)
    for (const std::size_t part : {std::size_t{0}, d})  // cosines of all kernels, then sines
      for (std::size_t p = 0; p < options_.kernels; ++p)
        for (std::size_t j = 0; j < d; ++j)
          model.weights.push_back(weight(r, p) * scale_ * theta_[Place(r, p) + part + j]);
  return model;
}

template class Raker<float>;
template class Raker<double>;

}  // namespace okbench::raker
