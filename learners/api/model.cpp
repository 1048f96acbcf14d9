#include "learners/api/model.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "base/error.h"
#include "learners/core/math.h"

namespace okbench {
namespace {

constexpr std::size_t kPiece = 512;  // rows packed together

// The weight of the row's feature j is weights[j].
template <class T>
double InnerProduct(const RowView<T>& row, const double* weights) {
  double sum = 0;
  for (std::size_t j = 0; j < row.count; ++j)
    sum += weights[row.indices ? row.indices[j] : j] * static_cast<double>(row.values[j]);
  return sum;
}

}  // namespace

void CombineScores(std::span<const double> weights, std::span<const double> scores, bool averages,
                   std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    const auto f = scores.subspan(i * out.size(), out.size());
    sum += weights[i];
    if (averages)
      out[0] += weights[i] * f[0];
    else if (out.size() > 1)
      out[ArgMax(f)] += weights[i];
    else if (f[0] != 0)
      out[0] += f[0] > 0 ? weights[i] : -weights[i];
  }
  if (sum > 0)
    for (double& score : out) score /= sum;
}

template <class T>
Predictor<T>::Predictor(Model<T> model) : model_(std::move(model)), engine_(model_.kernel) {
  for (Model<T>& part : model_.parts) parts_.push_back(std::make_unique<Predictor>(std::move(part)));
  if (!parts_.empty()) return;
  if (model_.offsets.empty()) model_.offsets.assign(model_.outputs, 0.0);
  if (model_.offsets.size() != model_.outputs ||
      model_.coefficients.size() != model_.outputs * support_vectors() ||
      (model_.components ? model_.weights.size() != 2 * model_.outputs * model_.components->size()
                         : model_.weights.size() % model_.outputs != 0))
    throw InvalidArgument("model: numbers of support vectors, coefficients and offsets disagree");
  if (model_.components) map_ = std::make_unique<RandomFeatures<T>>(model_.components, *model_.components);
  if (support_vectors() == 0) return;
  vectors_ = engine_.Prepare(static_cast<const RowSource<T>&>(*model_.vectors));
  all_ = AllRows(*model_.vectors);
}

template <class T>
void Predictor<T>::Score(const Inputs<T>& rows, std::size_t first, std::size_t count, SupportBlocks<T> piece,
                         std::span<double> out) {
  for (std::size_t i = 0; i < count; ++i) piece.Put(i, rows, first + i);
  const std::size_t stride = piece.slots();
  sums_.assign(model_.outputs * stride, 0.0);
  engine_.Accumulate(piece, vectors_, all_, model_.coefficients.data(), model_.outputs, Purpose::kMeasuring,
                     true, sums_.data(), stride);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t r = 0; r < model_.outputs; ++r)
      out[(first + i) * model_.outputs + r] = sums_[r * stride + i] + model_.offsets[r];
}

template <class T>
void Predictor<T>::MapRows(const RowSource<T>& rows, std::size_t first, std::size_t count,
                           std::span<double> out) {
  const std::size_t coordinates = map_->size();
  std::vector<std::uint32_t> which(count);
  std::iota(which.begin(), which.end(), static_cast<std::uint32_t>(first));
  map_->ForEach(rows, which, [&](std::size_t i, const double* z) {
    for (std::size_t r = 0; r < model_.outputs; ++r) {
      double sum = model_.offsets[r];
      for (std::size_t c = 0; c < coordinates; ++c)
        sum += model_.weights[r * coordinates + c] * z[map_->place(c)];
      out[(first + i) * model_.outputs + r] = sum;
    }
  });
}

template <class T>
void Predictor<T>::CombineParts(const RowSource<T>& rows, std::size_t first, std::size_t count,
                                std::span<double> out) {
  const std::size_t outputs = model_.outputs;
  std::vector<std::vector<double>> scores(parts_.size(), std::vector<double>(out.size()));
  counts_ = {};
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    parts_[p]->PredictRange(rows, first, count, scores[p]);
    counts_.evaluation += parts_[p]->counts().evaluation;
    counts_.measured_features += parts_[p]->counts().measured_features;
  }
  std::vector<double> of_row(parts_.size() * outputs);
  for (std::size_t i = first; i < first + count; ++i) {
    for (std::size_t p = 0; p < parts_.size(); ++p)
      for (std::size_t r = 0; r < outputs; ++r)
        of_row[p * outputs + r] = model_.averages ? std::clamp(scores[p][i], model_.lowest, model_.highest)
                                                  : scores[p][i * outputs + r];
    CombineScores(model_.votes, of_row, model_.averages, out.subspan(i * outputs, outputs));
  }
}

template <class T>
void Predictor<T>::PredictRange(const RowSource<T>& rows, std::size_t first, std::size_t count,
                                std::span<double> out) {
  if (!parts_.empty()) return CombineParts(rows, first, count, out);
  const std::size_t features = map_                      ? model_.components->features()
                               : !model_.weights.empty() ? model_.weights.size() / model_.outputs
                               : support_vectors() > 0   ? model_.vectors->features()
                                                         : rows.features();
  if (rows.features() != features)
    throw InvalidArgument("the rows have " + std::to_string(rows.features()) +
                          " features, but the model has " + std::to_string(features));
  if (map_) {
    MapRows(rows, first, count, out);
    return;
  }
  if (!model_.weights.empty()) {
    for (std::size_t i = first; i < first + count; ++i)
      for (std::size_t r = 0; r < model_.outputs; ++r)
        out[i * model_.outputs + r] =
            InnerProduct(rows.row(i), model_.weights.data() + r * features) + model_.offsets[r];
    return;
  }
  for (std::size_t i = first; i < first + count; ++i)
    std::copy(model_.offsets.begin(), model_.offsets.end(),
              out.begin() + static_cast<std::ptrdiff_t>(i * model_.outputs));
  if (support_vectors() == 0 || count == 0) return;
  const Inputs<T> inputs = engine_.Prepare(rows);
  // Packs the rows in pieces; the support vectors are then scored against each piece.
  const SupportBlocks<T> empty = engine_.MakeBlocks(rows, model_.vectors.get());
  for (std::size_t done = 0; done < count; done += kPiece)
    Score(inputs, first + done, std::min(kPiece, count - done), empty, out);
}

template <class T>
Model<T> ModelOf(const Kernel& kernel, const Examples<T>& training, std::span<const double> coefficients) {
  const std::size_t n = training.size(), outputs = n > 0 ? coefficients.size() / n : 1;
  std::vector<std::uint32_t> support;
  for (std::uint32_t i = 0; i < n; ++i) {
    bool any = false;
    for (std::size_t r = 0; r < outputs; ++r) any = any || coefficients[r * n + i] != 0;
    if (any) support.push_back(i);
  }
  Model<T> model{.kernel = kernel, .outputs = outputs};
  for (std::size_t r = 0; r < outputs; ++r)
    for (const std::uint32_t i : support) model.coefficients.push_back(coefficients[r * n + i]);
  model.vectors = std::make_shared<const Examples<T>>(training.Subset(support));
  model.offsets.assign(outputs, 0.0);
  model.rows = std::move(support);
  return model;
}

template class Predictor<float>;
template class Predictor<double>;
template Model<float> ModelOf(const Kernel&, const Examples<float>&, std::span<const double>);
template Model<double> ModelOf(const Kernel&, const Examples<double>&, std::span<const double>);

}  // namespace okbench
