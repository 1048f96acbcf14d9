#pragma once
// Prediction: what a learner predicted for one example, and what was true.

#include <cstdint>
#include <span>

namespace okbench {

/// A prediction, made before the learner used the label. Unused fields keep their defaults.
struct Prediction {
  std::uint32_t label = 0;  ///< position of the label among the classes; binary: -1 first
  std::int32_t predicted =
      -1;                ///< position of the predicted class; -1: no class (binary score 0 on a stream)
  bool flagged = false;  ///< novelty detectors: the example was called novel
  double target = 0;     ///< real targets
  double value = 0;      ///< real targets: f(x)
  std::span<const float> scores;  ///< f_r(x) of every output, rounded to single precision
};

/// What the scores of a learner are.
enum class ScoreKind {
  kMargins,   ///< the sign or the arg max predicts
  kLogOdds,   ///< one score: P(y = 1) = 1 / (1 + exp(-f))
  kSoftmax,   ///< one score per class: P(y = r) = exp(f_r) / sum_s exp(f_s)
  kOneClass,  ///< novelty detection: a low score is novel
  kReal,      ///< one score that predicts a real target
};

/// "margins", "log-odds", "softmax", "one-class" or "real", as in traces.
inline const char* ScoreKindName(ScoreKind kind) {
  switch (kind) {
    case ScoreKind::kMargins:
      return "margins";
    case ScoreKind::kLogOdds:
      return "log-odds";
    case ScoreKind::kSoftmax:
      return "softmax";
    case ScoreKind::kOneClass:
      return "one-class";
    case ScoreKind::kReal:
      return "real";
  }
  return "";
}

}  // namespace okbench
