#include "learners/methods/fogd/fogd.h"

namespace okbench::fogd {

template <class T>
Fogd<T>::Fogd(const Options& options, const LearnerContext<T>& context)
    : RandomFeatureLearner<T>(
          options, context,
          DrawComponents<T>(context.kernel, options.features, context.train->features(), context.seed)),
      eta_(options.eta),
      weights_(this->outputs() * this->map().stride(), 0.0) {}

template <class T>
void Fogd<T>::Scores(const double* z, std::span<double> f) const {
  const std::size_t stride = this->map().stride();
  ops_.WeightedSums(z, stride / SupportBlocks<T>::kBlock, weights_.data(), stride, f.size(), nullptr,
                    f.data());
}

template <class T>
void Fogd<T>::Learn(const double* z, std::size_t r, double /*y*/, double slope, double weight) {
  if (slope == 0) return;
  const std::size_t stride = this->map().stride();
  ops_.AddScaled(z, stride, -eta_ * slope * weight, weights_.data() + r * stride);
  ++updates_;
}

template <class T>
void Fogd<T>::Report(std::span<double> out) const {
  out[0] = static_cast<double>(this->map().size());
  out[1] = static_cast<double>(this->feature_evaluations());
  out[2] = static_cast<double>(updates_);
}

template <class T>
void Fogd<T>::Serialize(Archive& archive) {
  this->SerializeMap(archive);
  archive.Fixed("weights", weights_);
  archive.Field("updates", updates_);
}

template <class T>
void Fogd<T>::AddClass() {
  RandomFeatureLearner<T>::AddClass();
  weights_.resize(this->outputs() * this->map().stride(), 0.0);
}

template <class T>
AnyModel Fogd<T>::CurrentModel() const {
  const RandomFeatures<T>& map = this->map();
  Model<T> model{.kernel = this->kernel(), .outputs = this->outputs()};
  model.components = map.components();
  for (std::size_t r = 0; r < this->outputs(); ++r)
    for (std::size_t c = 0; c < map.size(); ++c) model.weights.push_back(weights(r)[map.place(c)]);
  return model;
}

template class Fogd<float>;
template class Fogd<double>;

}  // namespace okbench::fogd
