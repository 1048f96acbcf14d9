#pragma once
// AsksOracle: what a learner of outputs costs beside kernel evaluations. OutputLearner: a learner of outputs
// from a training set, whatever the outputs are.

#include <cstdint>
#include <optional>

#include "learners/api/learner.h"
#include "learners/api/model.h"

namespace okbench {

class AsksOracle {
 public:
  virtual ~AsksOracle() = default;
  /// Loss-augmented arg maxes asked for learning, one an example (outputs/task.h).
  virtual std::uint64_t oracle_calls() const = 0;
  /// Boxes scored for learning, where outputs are boxes.
  virtual std::optional<std::uint64_t> boxes_scored() const { return std::nullopt; }
};

class OutputLearner : public RoundLearner, public MeasuresTraining, public AsksOracle, public GivesModel {};

}  // namespace okbench
