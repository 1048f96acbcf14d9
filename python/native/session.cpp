#include "python/native/session.h"

#include <algorithm>
#include <utility>

#include "datasets/sha256.h"
#include "harness/plan/revisions.h"
#include "harness/store/json_file.h"
#include "harness/system/provenance.h"
#include "learners/core/error.h"
#include "learners/core/examples_archive.h"
#include "learners/core/float_mode.h"
#include "python/native/request.h"

namespace okbench::python {
namespace {

constexpr char kMagic[] = "okbench learner 4\n";  // includes the format version

template <class T>
void SerializeModel(Archive& archive, Model<T>& model, std::size_t features) {
  bool vectors = model.vectors != nullptr, components = model.components != nullptr;
  // A saved model contains its offsets, so that the size of the file limits the number of outputs.
  if (!archive.reading() && model.offsets.empty()) model.offsets.assign(model.outputs, 0.0);
  archive.Field("outputs", model.outputs);
  archive.Field("coefficients", model.coefficients);
  archive.Field("model_offsets", model.offsets);
  archive.Field("weights", model.weights);
  const std::size_t numbers = model.offsets.size() + model.coefficients.size() + model.weights.size();
  if (model.outputs == 0 || model.outputs > std::max<std::size_t>(1, numbers))
    Archive::Fail("outputs", "does not match the numbers of offsets, coefficients and weights");
  archive.Field("vectors", vectors);
  archive.Field("components", components);
  const auto none = Examples<T>::Unlabelled(0, features, {});
  const auto keep = [&](bool there, std::shared_ptr<const Examples<T>>& rows) {
    if (there)
      rows = std::make_shared<const Examples<T>>(SerializeRows(archive, rows ? *rows : none, features));
  };
  keep(vectors, model.vectors);
  keep(components, model.components);
}

// Serializes the rows that a learner retains, with their labels.
template <class T>
Examples<T> SerializeLabelled(Archive& archive, const Examples<T>& rows, const Trial& trial,
                              std::size_t features) {
  std::vector<std::int32_t> labels(rows.labels().begin(), rows.labels().end());
  std::vector<double> targets = rows.real_targets().targets;
  Examples<T> kept = SerializeRows(archive, rows, features);
  archive.Field("row_labels", labels);
  archive.Field("row_targets", targets);
  if (!archive.reading()) return kept;
  const LabelKind kind = KindOf(trial.canonical);
  if (kind == LabelKind::kReal) return kept.WithTargets({std::move(targets), {}});
  return kept.WithLabels(std::move(labels), kind, ClassesOf(trial.canonical));
}

}  // namespace

template <class T>
Session<T>::Session(nlohmann::json request, std::function<bool()> poll)
    : request_(std::move(request)), trial_(TrialOf(request_)), lookahead_(Whole(request_, "lookahead", 48)) {
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
  const LabelKind kind = KindOf(request_);
  if (kind == LabelKind::kReal) return rows.WithTargets({std::move(labels.targets), {}});
  return rows.WithLabels(std::move(labels.classes), kind, ClassesOf(request_));
}

template <class T>
bool Session<T>::Fit(const Examples<T>& rows, Labels labels) {
  const FloatMode mode;
  const std::lock_guard lock(learning_mutex_);
  Trial trial = trial_;
  SetSize(trial, rows.size());
  std::optional<TargetScaler> scaler;
  if (scaler_) scaler.emplace().Apply(labels.targets);
  auto train = std::make_unique<Examples<T>>(Labelled(rows, std::move(labels)));
  auto learning = std::make_unique<Learning<T>>(trial, *train, nullptr, stop_, lookahead_);
  try {
    learning->Run();
  } catch (const TrialFailure& failure) {
    if (failure.kind() != "not-converged") throw;
  }
  const bool converged = learning->converged();
  learning->clock().Stop();
  trial_ = std::move(trial);
  scaler_ = scaler;
  features_ = rows.features();
  learning_ = std::move(learning);
  train_ = std::move(train);
  open_ = false;
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
    const std::vector<std::uint32_t> one = {0};
    const Examples<T> like = train_->Subset(one);
    const Learning<T> opened(endless, like, nullptr, stop_, lookahead_, true);
    return true;
  } catch (const InvalidArgument&) {
    return false;
  }
}

// Replaces the learner by one for a stream of chunks whose rows are dense or sparse as in `like`. Copies the
// state of the previous learner, if any.
template <class T>
void Session<T>::Open(const Examples<T>& like) {
  if (!trial_.info->resumable)
    throw InvalidArgument(trial_.info->name +
                          " needs its whole training set at once; it does not support partial_fit");
  Trial trial = trial_;
  SetEndless(trial);
  const std::size_t features = features_ > 0 ? features_.load() : like.features();
  std::optional<Archive> state;
  std::unique_ptr<Examples<T>> train;
  if (learning_) {
    Archive written;
    dynamic_cast<Resumable&>(learning_->learner()).Serialize(written);
    state.emplace(written.bytes());
    train = std::make_unique<Examples<T>>(*train_);
  } else {
    train = std::make_unique<Examples<T>>(like);
  }
  auto learning = std::make_unique<Learning<T>>(trial, *train, nullptr, stop_, lookahead_, true);
  if (state) {
    dynamic_cast<Resumable&>(learning->learner()).Serialize(*state);
    state->Finish();
  }
  learning->clock().Stop();
  learning_ = std::move(learning);
  train_ = std::move(train);
  trial_ = std::move(trial);
  features_ = features;
  open_ = true;
}

template <class T>
void Session<T>::PartialFit(const Examples<T>& rows, Labels labels) {
  const FloatMode mode;
  const std::lock_guard lock(learning_mutex_);
  if (features_ > 0) RequireFeatures(rows.features());
  std::optional<TargetScaler> scaler = scaler_;
  std::vector<double> targets;  // before scaling
  if (scaler) {
    targets = labels.targets;
    scaler->Apply(labels.targets);
  }
  const Examples<T> chunk = Labelled(rows, std::move(labels));
  if (!open_) {
    const bool fresh = learning_ == nullptr;
    Open(chunk);
    if (fresh) *train_ = chunk.Subset({});
  }
  const std::size_t held = train_->size();
  *train_ = held == 0 ? chunk : Examples<T>::Join(*train_, chunk);
  result_.reset();
  learning_->clock().Go();
  const std::uint64_t before = learning_->steps();
  try {
    learning_->RunChunk(held);
    scaler_ = scaler;
  } catch (...) {
    learning_->clock().Stop();
    // The targets of the rows that were learned.
    if (scaler_)
      for (std::uint64_t i = 0; i < std::min<std::uint64_t>(learning_->steps() - before, targets.size()); ++i)
        scaler_->Next(targets[i]);
    Settle();
    PublishModel(nullptr);
    throw;
  }
  learning_->clock().Stop();
  Settle();
  PublishModel(nullptr);
}

// Reduces the training set to copies of the rows that the learner retains (RetainedRows).
template <class T>
void Session<T>::Settle() {
  auto& learner = dynamic_cast<Resumable&>(learning_->learner());
  *train_ = train_->Subset(learner.RetainedRows());
  learner.OnRowsAppended();
}

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
  const FloatMode mode;
  RequireFeatures(rows.features());
  // A predictor has scratch memory, so each thread takes its own.
  const std::shared_ptr<const Model<T>> used = model();
  std::unique_ptr<Predictor<T>> scores;
  {
    const std::lock_guard lock(predictor_mutex_);
    if (used == model_ && !idle_.empty()) {
      scores = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (!scores) scores = std::make_unique<Predictor<T>>(*used);
  const KernelCounts before = scores->counts();
  out.resize(rows.size() * used->outputs);
  scores->Predict(rows, out);
  const std::lock_guard lock(predictor_mutex_);
  predicted_ += scores->counts().evaluation - before.evaluation;
  predicted_features_ += scores->counts().measured_features - before.measured_features;
  if (used == model_) idle_.push_back(std::move(scores));
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

template <class T>
std::string Session<T>::Save(const std::string& estimator) {
  const std::lock_guard learning(learning_mutex_);
  const std::lock_guard lock(predictor_mutex_);
  nlohmann::json header = {{"request", request_},
                           {"estimator", estimator},
                           {"precision", double_precision() ? "float64" : "float32"},
                           {"features", features_.load()},
                           {"open", open_},
                           {"learning", learning_ != nullptr},
                           {"revisions", RevisionsOf(trial_)},
                           {"made_by", BuildProvenance()}};
  Archive archive;
  archive.Field("predicted", predicted_);
  archive.Field("predicted_features", predicted_features_);
  if (scaler_) scaler_->Serialize(archive);
  if (learning_) {
    SerializeLabelled(archive, *train_, trial_, features_);
    dynamic_cast<Resumable&>(learning_->learner()).Serialize(archive);
  } else {
    Model<T> model = *model_;
    KernelCounts counts = counts_;
    SerializeCounts(archive, counts);
    SerializeModel(archive, model, features_);
  }
  header["state"] = nlohmann::json::binary({archive.bytes().begin(), archive.bytes().end()});
  const std::vector<std::uint8_t> content = nlohmann::json::to_cbor(header);
  std::string bytes = kMagic;
  bytes.append(content.begin(), content.end());
  return bytes + Sha256Hex(bytes);
}

template <class T>
Session<T>::Session(const nlohmann::json& header, std::function<bool()> poll, Archive& archive)
    : Session(header.at("request"), std::move(poll)) {
  estimator_ = header.at("estimator").get<std::string>();
  features_ = Whole(header, "features", 0);
  if (features_ == 0) throw InvalidArgument("corrupt file: the number of features is 0");
  archive.Field("predicted", predicted_);
  archive.Field("predicted_features", predicted_features_);
  if (scaler_) scaler_->Serialize(archive);
  if (header.at("learning").get<bool>()) {
    if (!trial_.info->resumable)
      throw InvalidArgument("corrupt file: " + trial_.info->name + " does not support partial_fit");
    const auto none = Examples<T>::Unlabelled(0, features_, {});
    train_ = std::make_unique<Examples<T>>(SerializeLabelled(archive, none, trial_, features_));
    SetEndless(trial_);
    learning_ = std::make_unique<Learning<T>>(trial_, *train_, nullptr, stop_, lookahead_, true);
    dynamic_cast<Resumable&>(learning_->learner()).Serialize(archive);
    learning_->clock().Stop();
    open_ = true;
  } else {
    SerializeCounts(archive, counts_);
    Model<T> model{.kernel = trial_.kernel};
    SerializeModel(archive, model, features_);
    model_ = std::make_shared<const Model<T>>(std::move(model));
    result_.emplace();
  }
  archive.Finish();
}

std::unique_ptr<AnySession> LoadSession(const std::string& bytes, std::function<bool()> poll) try {
  constexpr std::size_t kDigest = 64;
  const std::string magic = kMagic;
  if (bytes.compare(0, magic.size(), magic) != 0 || bytes.size() < magic.size() + kDigest)
    throw InvalidArgument("not a learner saved by okbench, or saved in another format version");
  const std::string content = bytes.substr(0, bytes.size() - kDigest);
  if (Sha256Hex(content) != bytes.substr(content.size()))
    throw InvalidArgument("corrupt file: the digest does not match");
  const nlohmann::json header = ParseCbor(std::string_view(content).substr(magic.size()));
  const auto& binary = header.at("state").get_binary();
  Archive state(std::string(binary.begin(), binary.end()));
  const Trial trial = TrialOf(header.at("request"));
  if (header.at("revisions") != RevisionsOf(trial))
    throw InvalidArgument("the learner was saved by another revision of " + trial.info->name +
                          "; results would differ. Fit it again");
  if (header.at("precision") == "float64")
    return std::make_unique<Session<double>>(header, std::move(poll), state);
  return std::make_unique<Session<float>>(header, std::move(poll), state);
} catch (const nlohmann::json::exception&) {
  throw InvalidArgument("corrupt file: an entry is missing or has a wrong type");
}

template class Session<float>;
template class Session<double>;

}  // namespace okbench::python
