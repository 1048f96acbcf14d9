#pragma once
// OracleUser: what a learner of outputs costs beside kernel evaluations. OutputLearner: a learner of outputs
// from a training set, whatever the outputs are.

#include <cstdint>

#include "learners/api/learner.h"
#include "learners/api/model.h"

namespace okbench {

class OracleUser {
 public:
  virtual ~OracleUser() = default;
  /// Loss-augmented arg maxes asked for learning, one an example (outputs/task.h).
  virtual std::uint64_t oracle_calls() const = 0;
};

class OutputLearner : public RoundLearner, public MeasuresTraining, public OracleUser, public GivesModel {};

}  // namespace okbench
