// Saves and loads sessions.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/sha256.h"
#include "harness/plan/revisions.h"
#include "harness/system/json_file.h"
#include "harness/system/provenance.h"
#include "learners/core/examples_archive.h"
#include "python/native/request.h"
#include "python/native/session.h"

namespace okbench::python {
namespace {

constexpr char kMagic[] = "okbench learner 6\n";  // includes the format version

template <class T>
void SerializeModel(Archive& archive, Model<T>& model, std::size_t features) {
  bool vectors = model.vectors != nullptr, components = model.components != nullptr;
  // A saved model contains its offsets, so that the size of the file limits the number of outputs.
  if (!archive.reading() && model.offsets.empty()) model.offsets.assign(model.outputs, 0.0);
  archive.Field("outputs", model.outputs);
  archive.Field("coefficients", model.coefficients);
  archive.Field("model_offsets", model.offsets);
  archive.Field("weights", model.weights);
  archive.Field("model_rows", model.rows);
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
  const LabelKind kind = KindOf(trial.request);
  if (kind == LabelKind::kReal) return kept.WithTargets({std::move(targets), {}});
  return kept.WithLabels(std::move(labels), kind, ClassesOf(trial.request));
}

}  // namespace

template <class T>
std::string Session<T>::Save(const std::string& estimator) {
  const std::lock_guard learning(learning_mutex_);
  const std::lock_guard lock(predictor_mutex_);
  nlohmann::json request = request_;
  for (const char* name : {"measures", "delay"}) request.erase(name);  // of one prequential evaluation
  nlohmann::json header = {{"request", std::move(request)},
                           {"estimator", estimator},
                           {"precision", double_precision() ? "float64" : "float32"},
                           {"features", features_.load()},
                           {"open", streaming_},
                           {"learning", learning_ != nullptr},
                           {"revisions", RevisionsOf(trial_)},
                           {"made_by", BuildProvenance()}};
  Archive archive;
  archive.Field("predicted", predicted_);
  archive.Field("predicted_features", predicted_features_);
  if (scaler_) scaler_->Serialize(archive);
  scores_.Serialize(archive);
  if (learning_) {
    SerializeLabelled(archive, *train_, trial_, features_);
    SerializePlaces(archive);
    learning_->Serialize(archive);
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
Session<T>::Session(const nlohmann::json& header, std::function<bool()> poll,
                    std::shared_ptr<const KernelFunction> function, Archive& archive)
    : Session(header.at("request"), std::move(poll), std::move(function)) {
  estimator_ = header.at("estimator").get<std::string>();
  features_ = Whole(header, "features", 0);
  if (features_ == 0) throw InvalidArgument("corrupt file: the number of features is 0");
  archive.Field("predicted", predicted_);
  archive.Field("predicted_features", predicted_features_);
  if (scaler_) scaler_->Serialize(archive);
  scores_.Serialize(archive);
  if (header.at("learning").get<bool>()) {
    if (!trial_.info->resumable)
      throw InvalidArgument("corrupt file: " + trial_.info->name + " does not support partial_fit");
    const auto none = Examples<T>::Unlabelled(0, features_, {});
    train_ = std::make_unique<Examples<T>>(SerializeLabelled(archive, none, trial_, features_));
    SerializePlaces(archive);
    SetEndless(trial_);
    learning_ = std::make_unique<TrialRunner<T>>(trial_, *train_, nullptr, stop_, lookahead_, true);
    learning_->Serialize(archive);
    CollectScores();
  } else {
    SerializeCounts(archive, counts_);
    Model<T> model{.kernel = trial_.kernel};
    SerializeModel(archive, model, features_);
    model_ = std::make_shared<const Model<T>>(std::move(model));
    result_.emplace();
  }
  archive.Finish();
}

void ScoreWindow::Serialize(Archive& archive) {
  archive.Field("window_labels", labels);
  archive.Field("window_scores", scores);
  archive.Field("window_next", next);
  if (labels.size() > kScoresKept || next >= kScoresKept ||
      scores.size() % std::max<std::size_t>(1, labels.size()) != 0 || labels.empty() != scores.empty())
    Archive::Fail("window_scores", "does not fit the labels");
}

template <class T>
void Session<T>::SerializePlaces(Archive& archive) {
  archive.Field("rows", rows_);
  archive.Field("places", places_);
  if (places_.size() != train_->size()) Archive::Fail("places", "does not fit the rows");
}

std::unique_ptr<AnySession> LoadSession(const std::string& bytes, std::function<bool()> poll,
                                        std::shared_ptr<const KernelFunction> function) try {
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
  const Trial trial = TrialOf(header.at("request"), function);
  if (header.at("revisions") != RevisionsOf(trial))
    throw InvalidArgument("the learner was saved by another revision of " + trial.info->name +
                          "; results would differ. Fit it again");
  if (header.at("precision") == "float64")
    return std::make_unique<Session<double>>(header, std::move(poll), std::move(function), state);
  return std::make_unique<Session<float>>(header, std::move(poll), std::move(function), state);
} catch (const nlohmann::json::exception&) {
  throw InvalidArgument("corrupt file: an entry is missing or has a wrong type");
}

template void Session<float>::SerializePlaces(Archive&);
template void Session<double>::SerializePlaces(Archive&);
template Session<float>::Session(const nlohmann::json&, std::function<bool()>,
                                 std::shared_ptr<const KernelFunction>, Archive&);
template Session<double>::Session(const nlohmann::json&, std::function<bool()>,
                                  std::shared_ptr<const KernelFunction>, Archive&);
template std::string Session<float>::Save(const std::string&);
template std::string Session<double>::Save(const std::string&);

}  // namespace okbench::python
