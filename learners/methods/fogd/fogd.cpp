#include "learners/methods/fogd/fogd.h"

namespace okbench::fogd {

template <class T>
Fogd<T>::Fogd(const Options& options, const LearnerContext<T>& context)
    : RandomFeatureLearner<T>(
          options, context,
          DrawComponents<T>(context.kernel, options.features,
                            {.all = context.train->features(), .first = context.first_features},
                            context.seed)),
      eta_(options.eta),
      average_(options.average),
      weights_(this->outputs() * this->map().stride(), 0.0),
      step_weighted_(average_ ? weights_.size() : 0, 0.0) {}

template <class T>
StepOutcome Fogd<T>::Step(std::uint32_t example) {
  ++t_;
  return RandomFeatureLearner<T>::Step(example);
}

template <class T>
void Fogd<T>::ScoresOf(const AlignedVector<double>& weights, const double* z, std::span<double> f) const {
  const std::size_t stride = this->map().stride();
  ops_.WeightedSums(z, stride / SupportBlocks<T>::kBlock, weights.data(), stride, f.size(), nullptr,
                    f.data());
}

template <class T>
void Fogd<T>::Scores(const double* z, std::span<double> f) const {
  ScoresOf(weights_, z, f);
}

template <class T>
void Fogd<T>::ModelScores(const double* z, std::span<double> f) const {
  ScoresOf(average_ ? Predicting() : weights_, z, f);
}

template <class T>
void Fogd<T>::Learn(const double* z, std::size_t r, double /*y*/, double slope, double weight) {
  if (slope == 0) return;
  const std::size_t stride = this->map().stride();
  const double amount = -eta_ * slope * weight;
  ops_.AddScaled(z, stride, amount, weights_.data() + r * stride);
  if (average_)
    ops_.AddScaled(z, stride, static_cast<double>(t_) * amount, step_weighted_.data() + r * stride);
  ++updates_;
}

template <class T>
AlignedVector<double> Fogd<T>::Predicting() const {
  AlignedVector<double> predicting = weights_;
  if (average_ && t_ > 0)
    for (std::size_t i = 0; i < predicting.size(); ++i)
      predicting[i] -= step_weighted_[i] / static_cast<double>(t_);
  return predicting;
}

template <class T>
TestOutcome Fogd<T>::Test() {
  if (!average_) return RandomFeatureLearner<T>::Test();
  const AlignedVector<double> predicting = Predicting();
  return this->TestScores([&](const double* z, std::span<double> f) { ScoresOf(predicting, z, f); });
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
  if (!average_) return;
  archive.Fixed("step_weighted", step_weighted_);
  archive.Field("t", t_);
}

template <class T>
void Fogd<T>::AddClass() {
  RandomFeatureLearner<T>::AddClass();
  weights_.resize(this->outputs() * this->map().stride(), 0.0);
  if (average_) step_weighted_.resize(weights_.size(), 0.0);
}

template <class T>
AnyModel Fogd<T>::CurrentModel() const {
  const RandomFeatures<T>& map = this->map();
  Model<T> model{.kernel = this->kernel(), .outputs = this->outputs()};
  model.components = map.components();
  const AlignedVector<double> predicting = Predicting();
  for (std::size_t r = 0; r < this->outputs(); ++r)
    for (std::size_t c = 0; c < map.size(); ++c)
      model.weights.push_back(predicting[r * map.stride() + map.place(c)]);
  return model;
}

template class Fogd<float>;
template class Fogd<double>;

}  // namespace okbench::fogd
