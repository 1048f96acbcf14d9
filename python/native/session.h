#pragma once
// Session: one learner on rows in memory, as an estimator uses it: it learns, predicts, and can be kept.

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/plan/plan.h"
#include "harness/trial/learning.h"
#include "learners/api/model.h"
#include "learners/core/examples.h"

namespace okbench::python {

/// What is learned from, one a row: labels (-1 and 1, or a class from 0 on), or real targets.
struct Labels {
  std::vector<std::int32_t> classes;
  std::vector<double> targets;
};

/// Whatever the precision.
class AnySession {
 public:
  virtual ~AnySession() = default;
  virtual bool double_precision() const = 0;
  virtual std::size_t features() const = 0;
  /// The present trace, and the counts of learning.
  virtual Trace Result() const = 0;
  virtual KernelCounts Counts() const = 0;
  /// A versioned file with a digest: Load gives a session that goes on with the same bits.
  /// `estimator` is what the caller wants to find again.
  virtual std::string Save(const std::string& estimator) = 0;
  /// That, of a session that was loaded.
  virtual std::string estimator() const = 0;
};

template <class T>
class Session final : public AnySession {
 public:
  /// `poll`: see StopToken. Throws InvalidArgument for what cannot be asked for.
  Session(nlohmann::json request, std::function<bool()> poll);
  /// A session that Save has written, after its header.
  Session(const nlohmann::json& header, std::function<bool()> poll, Archive& archive);

  /// Learns from these rows, from nothing. Throws as Learning does; nothing has been learned then.
  /// False: the solver stopped at a limit before it reached its tolerance, and what it has is taken.
  bool Fit(const Examples<T>& rows, Labels labels);
  /// Goes on with these rows, in their order. When it throws, those before have been learned.
  void PartialFit(const Examples<T>& rows, Labels labels);
  /// out[i * outputs + r] = f_r(row i).
  void Predict(const Examples<T>& rows, std::vector<double>& out);
  const Model<T>& model();

  bool double_precision() const override { return std::is_same_v<T, double>; }
  std::size_t features() const override { return features_; }
  Trace Result() const override;
  KernelCounts Counts() const override;
  std::string Save(const std::string& estimator) override;
  std::string estimator() const override { return estimator_; }

 private:
  Examples<T> Labelled(const Examples<T>& rows, Labels labels) const;
  void Open(const Examples<T>& like);
  bool GoesOn() const;
  void Settle();
  void RequireFeatures(std::size_t features) const;
  Predictor<T>& predictor();

  nlohmann::json request_;
  std::string estimator_;
  Trial trial_;
  StopToken stop_;
  std::size_t lookahead_;
  std::size_t features_ = 0;
  std::unique_ptr<Examples<T>> train_;     // what the learner looks at
  std::unique_ptr<Learning<T>> learning_;  // of Resumable ones, and while it learns
  bool open_ = false;                      // it takes chunks of any rows
  std::optional<Trace> result_;            // of learning that is over, or was loaded
  KernelCounts counts_;                    // likewise
  std::optional<Predictor<T>> predictor_;  // of the present model
  std::uint64_t predicted_ = 0;            // kernel evaluations of those before
  std::uint64_t predicted_features_ = 0;   // likewise
};

extern template class Session<float>;
extern template class Session<double>;

/// Reads what Save has written. Throws InvalidArgument for anything else, or a digest that does not match.
std::unique_ptr<AnySession> LoadSession(const std::string& bytes, std::function<bool()> poll);

}  // namespace okbench::python
