#pragma once
// OracleUser: counts oracle calls, the second cost of learners of structured outputs beside kernel
// evaluations. OutputLearner: a learner of outputs in rounds, for every kind of output.

#include <cstdint>

#include "learners/api/learner.h"
#include "learners/api/model.h"

namespace okbench {

class OracleUser {
 public:
  virtual ~OracleUser() = default;
  /// Return the number of loss-augmented arg max computations for learning, one per example (outputs/task.h).
  virtual std::uint64_t oracle_calls() const = 0;
};

class OutputLearner : public RoundLearner, public MeasuresTraining, public OracleUser, public GivesModel {};

}  // namespace okbench
