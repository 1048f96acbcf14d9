#include "python/native/session.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "learners/core/float_mode.h"
#include "learners/core/stop.h"
#include "python/native/request.h"

namespace okbench::python {

template <class T>
Session<T>::Session(nlohmann::json request, std::function<bool()> poll,
                    std::shared_ptr<const KernelFunction> function)
    : request_(std::move(request)),
      trial_(TrialOf(request_, std::move(function))),
      kind_(KindOf(request_)),
      lookahead_(Whole(request_, "lookahead", 48)) {
  stop_.poll = std::move(poll);
  trial_.double_precision = std::is_same_v<T, double>;
  if (Standardises(request_)) scaler_.emplace();
}

// The learner's model, for targets in their own units.
template <class T>
std::shared_ptr<const Model<T>> Session<T>::CopyModel() const {
  const auto& gives = dynamic_cast<const GivesModel&>(learning_->learner());
  auto model = std::get<Model<T>>(gives.CurrentModel());
  if (scaler_) scaler_->Restore(model);
  for (std::uint32_t& row : model.rows) row = places_.at(row);
  return std::make_shared<const Model<T>>(std::move(model));
}

template <class T>
void Session<T>::RequireFeatures(std::size_t features) const {
  if (features != features_)
    throw InvalidArgument("X has " + std::to_string(features) +
                          " features, but the learner was fitted with " + std::to_string(features_));
}

template <class T>
Examples<T> Session<T>::Labelled(const Examples<T>& rows, Labels labels) const {
  if (!labels.weights.empty() && !trial_.info->weights)
    throw InvalidArgument(trial_.info->name + " does not support weights of examples");
  auto labelled = kind_ == LabelKind::kReal
                      ? rows.WithTargets({std::move(labels.targets), {}})
                      : rows.WithLabels(std::move(labels.classes), kind_, ClassesOf(request_));
  return labels.weights.empty() ? labelled : labelled.WithWeights(std::move(labels.weights));
}

template <class T>
bool Session<T>::Fit(const Examples<T>& rows, Labels labels) {
  const FloatMode mode;
  const std::lock_guard lock(learning_mutex_);
  Trial trial = trial_;
  SetSize(trial, rows.size());
  std::optional<TargetScaler> scaler;
  if (scaler_) scaler.emplace().Apply(labels.targets, labels.weights);
  auto train = std::make_unique<Examples<T>>(Labelled(rows, std::move(labels)));
  auto learning = std::make_unique<TrialRunner<T>>(trial, *train, nullptr, stop_, lookahead_);
  ScoreWindow scores;
  if (kind_ != LabelKind::kReal && trial_.info->resumable)
    learning->OnStep(
        [&, seen = std::vector<bool>(train->size())](std::uint32_t row, const StepOutcome& outcome) mutable {
          if (!seen[row] && !outcome.scores.empty()) scores.Add(train->label(row), outcome.scores);
          seen[row] = true;
        });
  try {
    learning->Run();
  } catch (const TrialFailure& failure) {
    if (failure.kind() != "not-converged") throw;
  }
  learning->OnStep({});
  const bool converged = learning->converged();
  learning->clock().Pause();
  trial_ = std::move(trial);
  scaler_ = scaler;
  features_ = rows.features();
  learning_ = std::move(learning);
  train_ = std::move(train);
  scores_ = std::move(scores);
  rows_ = 0;
  places_.clear();
  AddPlaces(rows.size());
  streaming_ = false;
  PublishModel(nullptr);
  {
    const std::lock_guard predictors(predictor_mutex_);
    predicted_ = predicted_features_ = 0;
  }
  result_.reset();
  if (GoesOn()) {
    Settle();
    return converged;
  }
  // The training rows can be released: the model has copies of the support vectors.
  PublishModel(CopyModel());
  result_ = learning_->Result();
  counts_ = learning_->learner().counts();
  learning_.reset();
  train_.reset();
  return converged;
}

// Whether a fitted learner can continue with more rows. Some step size schedules and averages depend on the
// length of the stream; then only the model is retained.
template <class T>
bool Session<T>::GoesOn() const {
  if (!trial_.info->resumable) return false;
  Trial endless = trial_;
  try {
    SetEndless(endless);
    const std::vector<std::uint32_t> rows = {0};
    const Examples<T> like = train_->Subset(rows);
    const TrialRunner<T> opened(endless, like, nullptr, stop_, lookahead_, true);
    return true;
  } catch (const InvalidArgument&) {
    return false;
  }
}

// Replaces the learner by one for a stream of chunks whose rows are dense or sparse as in `like`. Copies the
// state of the previous learner, if any, to rows with more features.
template <class T>
void Session<T>::Open(const Examples<T>& like, const AddedFeatures& added) {
  if (!trial_.info->resumable)
    throw InvalidArgument(trial_.info->name +
                          " needs its whole training set at once; it does not support partial_fit");
  Trial trial = trial_;
  SetEndless(trial);
  const std::size_t features = features_ > 0 ? features_ + added.count : like.features();
  std::optional<Archive> state;
  std::unique_ptr<Examples<T>> train;
  if (learning_) {
    Archive written;
    learning_->Serialize(written);
    state.emplace(written.bytes());
    state->Add(added);
    train = std::make_unique<Examples<T>>(added.count > 0 ? train_->WithFeatures(added) : *train_);
  } else {
    train = std::make_unique<Examples<T>>(like);
  }
  auto learning = std::make_unique<TrialRunner<T>>(trial, *train, nullptr, stop_, lookahead_, true);
  if (state) {
    learning->Serialize(*state);
    state->Finish();
  }
  learning_ = std::move(learning);
  train_ = std::move(train);
  trial_ = std::move(trial);
  features_ = features;
  CollectScores();
}

// Appends a chunk to the rows that the learner retains, and tells the learner.
template <class T>
void Session<T>::Append(const Examples<T>& chunk) {
  *train_ = train_->size() == 0 ? chunk : Examples<T>::Join(*train_, chunk);
  AddPlaces(chunk.size());
}

template <class T>
void Session<T>::PartialFit(const Examples<T>& rows, Labels labels) {
  const std::lock_guard lock(learning_mutex_);
  LearnChunk(rows, std::move(labels));
}

template <class T>
bool Session<T>::TryPartialFit(const Examples<T>& rows, Labels& labels) {
  const std::unique_lock lock(learning_mutex_, std::try_to_lock);
  if (!lock) return false;
  LearnChunk(rows, std::move(labels));
  return true;
}

// PartialFit with learning_mutex_ held.
template <class T>
void Session<T>::LearnChunk(const Examples<T>& rows, Labels labels) {
  const FloatMode mode;
  if (features_ > 0) RequireFeatures(rows.features());
  std::optional<TargetScaler> scaler = scaler_;
  std::vector<double> targets;  // before scaling
  const std::vector<double> weights = labels.weights;
  if (scaler) {
    targets = labels.targets;
    scaler->Apply(labels.targets, weights);
  }
  const Examples<T> chunk = Labelled(rows, std::move(labels));
  if (!streaming_) {
    const bool fresh = learning_ == nullptr;
    Open(chunk);
    if (fresh) *train_ = chunk.Subset({});
  }
  const std::size_t first = train_->size();
  Append(chunk);
  result_.reset();
  learning_->clock().Resume();
  const std::uint64_t before = learning_->steps();
  try {
    learning_->RunChunk(first);
    scaler_ = scaler;
  } catch (...) {
    learning_->clock().Pause();
    // The targets of the rows that were learned.
    if (scaler_)
      for (std::uint64_t i = 0; i < std::min<std::uint64_t>(learning_->steps() - before, targets.size()); ++i)
        scaler_->Next(targets[i], weights.empty() ? 1 : weights[i]);
    Settle();
    PublishModel(nullptr);
    throw;
  }
  learning_->clock().Pause();
  Settle();
  PublishModel(nullptr);
}

// Prepares learning_, which takes chunks, to collect the scores of its steps.
template <class T>
void Session<T>::CollectScores() {
  streaming_ = true;
  learning_->clock().IgnoreCpu();
  learning_->clock().Pause();
  if (kind_ == LabelKind::kReal) return;
  learning_->OnStep([this](std::uint32_t row, const StepOutcome& outcome) {
    if (!outcome.scores.empty()) scores_.Add(train_->label(row), outcome.scores);
  });
}

template <class T>
ScoreWindow Session<T>::Scores() const {
  const std::lock_guard lock(learning_mutex_);
  return scores_;
}

void ScoreWindow::Add(std::int32_t label, std::span<const double> f) {
  if (labels.size() < kScoresKept) {
    labels.push_back(label);
    scores.insert(scores.end(), f.begin(), f.end());
    return;
  }
  labels[next] = label;
  std::copy(f.begin(), f.end(), scores.begin() + static_cast<std::ptrdiff_t>(next * f.size()));
  next = (next + 1) % kScoresKept;
}

// Numbers the rows that were appended to train_.
template <class T>
void Session<T>::AddPlaces(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) places_.push_back(rows_++);
}

template <class T>
void Session<T>::AddClass() {
  const std::lock_guard lock(learning_mutex_);
  if (learning_ == nullptr || !trial_.info->grows_classes || kind_ != LabelKind::kMulticlass)
    throw InvalidArgument("classes: " + trial_.info->name + " takes no new classes; name all of them first");
  if (!streaming_) Open(*train_);
  const int classes = train_->classes() + 1;
  request_["classes"] = classes;
  trial_.request = request_;
  *train_ =
      train_->WithLabels({train_->labels().begin(), train_->labels().end()}, LabelKind::kMulticlass, classes);
  dynamic_cast<GrowsClasses&>(learning_->learner()).AddClass();
  learning_->resumable().OnRowsAppended();
  scores_ = {};
  PublishModel(nullptr);
}

template <class T>
void Session<T>::AddFeatures(const AddedFeatures& added) {
  const std::lock_guard lock(learning_mutex_);
  if (learning_ == nullptr)
    throw InvalidArgument("X: " + trial_.info->name + " takes no new features: fit it with all of them");
  Trial before = trial_;
  nlohmann::json request = request_;
  if (trial_.first_features == 0) {
    request["first_features"] = trial_.first_features = features_.load();
    trial_.request = request;
  }
  try {
    Open(*train_, added);
  } catch (...) {
    trial_ = std::move(before);
    throw;
  }
  request_ = std::move(request);
  PublishModel(nullptr);
}

// Reduces the training set to copies of the rows that the learner retains (RetainedRows).
template <class T>
void Session<T>::Settle() {
  Resumable& learner = learning_->resumable();
  std::vector<std::uint32_t> places;
  for (const std::uint32_t row : learner.RetainedRows()) places.push_back(places_.at(row));
  places_ = std::move(places);
  *train_ = train_->Subset(learner.RetainedRows());
  learner.OnRowsAppended();
}

template <class T>
Trace Session<T>::Result() const {
  const std::lock_guard lock(learning_mutex_);
  return result_ ? *result_ : learning_->Result();
}

template <class T>
KernelCounts Session<T>::Counts() const {
  const std::lock_guard learning(learning_mutex_);
  const std::lock_guard lock(predictor_mutex_);
  KernelCounts counts = learning_ ? learning_->learner().counts() : counts_;
  counts.evaluation += predicted_;
  counts.measured_features += predicted_features_;
  return counts;
}

template class Session<float>;
template class Session<double>;

}  // namespace okbench::python
