#include "learners/kernels/random_features.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "learners/core/math.h"
#include "learners/core/random.h"

namespace okbench {

template <class T>
std::shared_ptr<const Examples<T>> DrawComponents(const Kernel& kernel, std::size_t components,
                                                  ComponentFeatures features, std::uint64_t seed) {
  if (kernel.kind != KernelKind::kRbf || kernel.bias != 0)
    throw InvalidArgument("random Fourier features need the rbf kernel, without a bias");
  const double deviation = std::sqrt(2 * kernel.gamma);
  std::vector<T> values(components * features.all);
  const auto draw = [&](Random random, std::size_t begin, std::size_t end) {
    for (std::size_t d = 0; d < components; ++d)
      for (std::size_t j = begin; j < end; ++j)
        values[d * features.all + j] = static_cast<T>(deviation * random.Normal());
  };
  const std::size_t first = features.first > 0 ? features.first : features.all;
  draw(Random(seed), 0, first);
  for (std::size_t j = first; j < features.all; ++j)
    draw(Random(DeriveSeed({{"frequencies", std::to_string(seed)}, {"feature", std::to_string(j)}})), j,
         j + 1);
  return std::make_shared<const Examples<T>>(
      Examples<T>::Unlabelled(components, features.all, std::move(values)));
}

template <class T>
RandomFeatures<T>::RandomFeatures(std::shared_ptr<const Examples<T>> components, const RowSource<T>& stream,
                                  std::size_t lookahead)
    : components_(std::move(components)),
      engine_(Kernel::Linear()),
      stream_(engine_.Prepare(stream)),
      blocks_(components_->features(), Packing::kDense),
      stream_rows_(engine_, stream_, lookahead),
      scale_(1 / std::sqrt(static_cast<double>(components_->size()))) {
  const Inputs<T> inputs = engine_.Prepare(static_cast<const RowSource<T>&>(*components_));
  for (std::size_t d = 0; d < components_->size(); ++d) blocks_.Put(d, inputs, d);
  products_.resize(components_->size());
  z_.resize(2 * blocks_.slots(), 0.0);
}

template <class T>
const double* RandomFeatures<T>::Mapped(const T* products, Purpose purpose) {
  const std::size_t count = products_.size();
  double* const cos = z_.data();
  double* const sin = cos + blocks_.slots();
  for (std::size_t d = 0; d < count; ++d) products_[d] = static_cast<double>(products[d]);
  SinCos(products_, sin, cos);
  const double scale = scale_;
  for (std::size_t d = 0; d < count; ++d) cos[d] *= scale;
  for (std::size_t d = 0; d < count; ++d) sin[d] *= scale;
  counter_.Map(purpose, size());
  return z_.data();
}

template <class T>
const double* RandomFeatures<T>::Row(std::uint32_t example) {
  return Mapped(stream_rows_.Row(blocks_, example), Purpose::kLearning);
}

template <class T>
void RandomFeatures<T>::Project(const RowSource<T>& rows, std::span<const std::uint32_t> which) {
  projections_.resize(kTile * blocks_.slots());
  engine_.Rows(blocks_, engine_.Prepare(rows), which, Purpose::kMeasuring, false, projections_.data(),
               blocks_.slots());
}

template <class T>
void RandomFeatures<T>::Serialize(Archive& archive) {
  SerializeCounts(archive, counter_.mutable_counts());
}

template std::shared_ptr<const Examples<float>> DrawComponents<float>(const Kernel&, std::size_t,
                                                                      ComponentFeatures, std::uint64_t);
template std::shared_ptr<const Examples<double>> DrawComponents<double>(const Kernel&, std::size_t,
                                                                        ComponentFeatures, std::uint64_t);
template class RandomFeatures<float>;
template class RandomFeatures<double>;

}  // namespace okbench
