#pragma once
// Session: one learner on rows in memory. It implements fit, partial_fit, predict, save and load of the
// Python estimators.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/plan/plan.h"
#include "harness/trial/trial_runner.h"
#include "learners/api/model.h"
#include "learners/core/examples.h"
#include "python/native/target_scaler.h"

namespace okbench::python {

/// Labels of rows, one per row: classes or targets, and weights.
struct Labels {
  std::vector<std::int32_t> classes;  ///< -1 and 1, or classes 0, 1, ...
  std::vector<double> targets;        ///< real targets
  std::vector<double> weights{};      ///< weights of the losses; empty: all are 1
};

inline constexpr std::size_t kScoresKept = 1000;

/// Labels with scores f_r(x), [example][output], in a ring that starts anywhere.
struct ScoreWindow {
  std::vector<std::int32_t> labels{};
  std::vector<double> scores{};
  std::size_t next = 0;  ///< example that the next one replaces, if there are kScoresKept

  void Add(std::int32_t label, std::span<const double> f);
  /// Throws InvalidArgument for sizes that do not fit.
  void Serialize(Archive& archive);
};

/// Interface for both precisions. Thread-safe: one call learns at a time, and predictions run in parallel.
/// Predict uses the model after the last completed call of Fit or PartialFit. It waits for a call that is
/// learning only if no prediction has used that model before. All other members wait for learning.
class AnySession {
 public:
  virtual ~AnySession() = default;
  virtual bool double_precision() const = 0;
  virtual std::size_t features() const = 0;
  /// Number of rows that have come since learning started.
  virtual std::size_t rows() const = 0;
  /// Adds a class, whose function is 0, after all others. Throws InvalidArgument if the method does not
  /// support it, or the session has not learned with multiclass labels.
  virtual void AddClass() = 0;
  /// Adds features, which are 0 in every row so far. Throws InvalidArgument if the method cannot continue, or
  /// `added.at` is beyond the last feature.
  virtual void AddFeatures(const AddedFeatures& added) = 0;
  /// The trace so far. Empty for a loaded session that does not support PartialFit.
  virtual Trace Result() const = 0;
  /// Counts of learning and of completed predictions so far.
  virtual KernelCounts Counts() const = 0;
  /// Serializes the session to a versioned format with a digest. LoadSession restores a session that produces
  /// bit-identical results. `estimator` is a text for the caller, stored with it.
  virtual std::string Save(const std::string& estimator) = 0;
  /// The text passed to Save, for a loaded session; otherwise empty.
  virtual std::string estimator() const = 0;
};

/// A session on rows of type T. REQUIRES for all members except Fit, PartialFit and the getters: the session
/// has been fitted or loaded.
template <class T>
class Session final : public AnySession {
 public:
  /// `poll`: see StopToken. `function`: see TrialOf. Throws InvalidArgument for an invalid request.
  Session(nlohmann::json request, std::function<bool()> poll,
          std::shared_ptr<const KernelFunction> function = nullptr);
  /// Loads a session whose header has been parsed; `archive` contains its state. Throws InvalidArgument.
  Session(const nlohmann::json& header, std::function<bool()> poll,
          std::shared_ptr<const KernelFunction> function, Archive& archive);

  /// Fits a new learner to these rows. Throws as Learning does, and then leaves the session unchanged.
  /// Returns false if a solver stopped at a limit before it reached its tolerance; its model is used.
  bool Fit(const Examples<T>& rows, Labels labels);
  /// Continues learning with these rows, in order. If it throws, the rows before the failure have been
  /// learned.
  void PartialFit(const Examples<T>& rows, Labels labels);
  /// PartialFit, unless another call is learning: then returns false. Does not wait, so the caller may hold
  /// the GIL, which costs more than to learn one row.
  bool TryPartialFit(const Examples<T>& rows, Labels& labels);
  void AddClass() override;
  void AddFeatures(const AddedFeatures& added) override;
  /// Predicts: out[i * outputs + r] = f_r(row i). Throws InvalidArgument if the number of features differs.
  void Predict(const Examples<T>& rows, std::vector<double>& out);
  /// Predicts one row by the learner itself, for which no copy of the model is made. Its scores may differ
  /// from those of Predict() by rounding. Returns false, without scores, for rows of another layout, if the
  /// learner cannot (GivesModel::ScoreRow), or another call is learning. Does not wait. Throws as Predict
  /// does.
  bool TryPredictRow(const Examples<T>& row, std::vector<double>& out);
  /// Predictive variances of the targets of the rows. Throws InvalidArgument if the number of features
  /// differs or the method has none.
  void Variances(const Examples<T>& rows, std::vector<double>& out);
  /// The last kScoresKept labelled examples of a stream learner, with their scores before they were learned:
  /// their first scores, if `fit` passes over the rows several times. Empty for other methods and real
  /// targets.
  ScoreWindow Scores() const;
  /// The model after the last completed call of Fit or PartialFit.
  std::shared_ptr<const Model<T>> model();

  bool double_precision() const override { return std::is_same_v<T, double>; }
  std::size_t features() const override { return features_; }
  std::size_t rows() const override { return rows_; }
  /// Whether it learns real targets.
  bool real() const { return kind_ == LabelKind::kReal; }
  Trace Result() const override;
  KernelCounts Counts() const override;
  std::string Save(const std::string& estimator) override;
  std::string estimator() const override { return estimator_; }

 private:
  Examples<T> Labelled(const Examples<T>& rows, Labels labels) const;
  std::shared_ptr<const Model<T>> CopyModel() const;
  void Open(const Examples<T>& like, const AddedFeatures& added = {});
  void Append(const Examples<T>& chunk);
  void LearnChunk(const Examples<T>& rows, Labels labels);
  void CollectScores();
  bool GoesOn() const;
  void Settle();
  void AddPlaces(std::size_t count);
  void SerializePlaces(Archive& archive);
  void RequireFeatures(std::size_t features) const;
  void PublishModel(std::shared_ptr<const Model<T>> model);

  nlohmann::json request_;
  std::string estimator_;
  Trial trial_;
  LabelKind kind_;
  StopToken stop_;
  std::size_t lookahead_;
  std::atomic<std::size_t> features_ = 0;
  mutable std::mutex learning_mutex_;         // guards everything but the members after predictor_mutex_
  std::unique_ptr<Examples<T>> train_;        // training set of learning_
  std::unique_ptr<TrialRunner<T>> learning_;  // null if the learner cannot continue
  std::vector<std::uint32_t> places_;         // places of the rows of train_ among all rows so far
  std::uint32_t rows_ = 0;                    // number of rows so far
  bool streaming_ = false;                    // learning_ accepts chunks of rows
  std::optional<TargetScaler> scaler_;        // of the targets, if the request standardises them
  ScoreWindow scores_;
  std::optional<Trace> result_;  // trace, if learning_ is null
  KernelCounts counts_;          // counts of learning, if learning_ is null

  // Acquired after learning_mutex_ when both are needed. Guards the members below, never held for long.
  mutable std::mutex predictor_mutex_;
  std::shared_ptr<const Model<T>> model_;            // null: the learner has changed since the last copy
  std::vector<std::unique_ptr<Predictor<T>>> idle_;  // predictors of model_ that no thread uses
  std::uint64_t predicted_ = 0;                      // kernel evaluations of all predictions
  std::uint64_t predicted_features_ = 0;             // feature evaluations of all predictions
};

extern template class Session<float>;
extern template class Session<double>;

/// Restores a session from the bytes of Save. Throws InvalidArgument for anything else, for a digest that
/// does not match, and for another revision of the learner.
std::unique_ptr<AnySession> LoadSession(const std::string& bytes, std::function<bool()> poll,
                                        std::shared_ptr<const KernelFunction> function = nullptr);

}  // namespace okbench::python
