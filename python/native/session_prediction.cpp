// Predictions of sessions.

#include <memory>
#include <utility>
#include <vector>

#include "base/error.h"
#include "learners/core/float_mode.h"
#include "python/native/parallel_prediction.h"
#include "python/native/request.h"
#include "python/native/session.h"

namespace okbench::python {

// Replaces the model that predictions use. Null: the next prediction copies it from the learner.
template <class T>
void Session<T>::PublishModel(std::shared_ptr<const Model<T>> model) {
  const std::lock_guard lock(predictor_mutex_);
  model_ = std::move(model);
  idle_.clear();
}

template <class T>
std::shared_ptr<const Model<T>> Session<T>::model() {
  {
    const std::lock_guard lock(predictor_mutex_);
    if (model_) return model_;
  }
  const std::lock_guard learning(learning_mutex_);
  {
    // Another thread may have copied it while this one waited.
    const std::lock_guard lock(predictor_mutex_);
    if (model_) return model_;
  }
  auto copy = CopyModel();
  PublishModel(copy);
  return copy;
}

template <class T>
void Session<T>::Predict(const Examples<T>& rows, std::vector<double>& out) {
  RequireFeatures(rows.features());
  const std::shared_ptr<const Model<T>> used = model();
  const std::size_t columns = used->components ? used->components->size()
                              : used->vectors  ? used->vectors->size()
                                               : 0;
  // A predictor has scratch memory, so each thread takes its own.
  // Only the calling thread may call a kernel function of Python.
  const bool function = used->kernel.kind == KernelKind::kFunction;
  std::vector<std::unique_ptr<Predictor<T>>> predictors(
      function ? 1 : PredictionThreads(static_cast<double>(rows.size()) * static_cast<double>(columns)));
  {
    const std::lock_guard lock(predictor_mutex_);
    for (auto& predictor : predictors)
      if (used == model_ && !idle_.empty()) {
        predictor = std::move(idle_.back());
        idle_.pop_back();
      }
  }
  std::uint64_t values = 0, features = 0;  // before this prediction
  for (auto& predictor : predictors) {
    if (!predictor) predictor = std::make_unique<Predictor<T>>(*used);
    values += predictor->counts().evaluation;
    features += predictor->counts().measured_features;
  }
  out.resize(rows.size() * used->outputs);
  const auto check = [poll = stop_.poll] {
    if (poll && poll()) throw Interrupted();
  };
  ParallelPredict<T>(predictors, rows, check, out);
  const std::lock_guard lock(predictor_mutex_);
  for (auto& predictor : predictors) {
    predicted_ += predictor->counts().evaluation;
    predicted_features_ += predictor->counts().measured_features;
    if (used == model_) idle_.push_back(std::move(predictor));
  }
  predicted_ -= values;
  predicted_features_ -= features;
}

template <class T>
void Session<T>::Variances(const Examples<T>& rows, std::vector<double>& out) {
  const FloatMode mode;
  RequireFeatures(rows.features());
  const std::lock_guard lock(learning_mutex_);
  auto* const learner =
      learning_ == nullptr ? nullptr : dynamic_cast<GivesVariance<T>*>(&learning_->learner());
  if (learner == nullptr) throw InvalidArgument(trial_.info->name + " has no predictive variance");
  out.resize(rows.size());
  learner->Variances(rows, out);
  const double deviation = scaler_ ? scaler_->deviation() : 1;
  for (double& variance : out) variance *= deviation * deviation;
}

template <class T>
bool Session<T>::TryPredictRow(const Examples<T>& row, std::vector<double>& out) {
  RequireFeatures(row.features());
  const std::unique_lock lock(learning_mutex_, std::try_to_lock);
  if (!lock || !streaming_ || trial_.info->protocol != Protocol::kStream) return false;
  if (row.sparse() != train_->sparse()) return false;  // the learner's rows have one layout
  const FloatMode mode;
  bool scored = false;
  const std::uint32_t rows = rows_;
  const auto last = static_cast<std::uint32_t>(train_->size());
  Labels any;  // of the row; its loss is ignored
  if (kind_ == LabelKind::kReal)
    any.targets = {0};
  else
    any.classes = {kind_ == LabelKind::kBinary ? 1 : 0};
  Append(Labelled(row, std::move(any)));
  const auto remove = [&] {
    Settle();
    rows_ = rows;
  };
  try {
    learning_->resumable().OnRowsAppended();
    out.resize(kind_ == LabelKind::kMulticlass ? static_cast<std::size_t>(ClassesOf(request_)) : 1);
    scored = learning_->ScoreRow(last, out);
  } catch (...) {
    remove();
    throw;
  }
  remove();
  if (scaler_)
    for (double& score : out) score = scaler_->Restored(score);
  return scored;
}

template bool Session<float>::TryPredictRow(const Examples<float>&, std::vector<double>&);
template void Session<float>::PublishModel(std::shared_ptr<const Model<float>>);
template std::shared_ptr<const Model<float>> Session<float>::model();
template void Session<float>::Predict(const Examples<float>&, std::vector<double>&);
template void Session<float>::Variances(const Examples<float>&, std::vector<double>&);
template bool Session<double>::TryPredictRow(const Examples<double>&, std::vector<double>&);
template void Session<double>::PublishModel(std::shared_ptr<const Model<double>>);
template std::shared_ptr<const Model<double>> Session<double>::model();
template void Session<double>::Predict(const Examples<double>&, std::vector<double>&);
template void Session<double>::Variances(const Examples<double>&, std::vector<double>&);

}  // namespace okbench::python
