#include "harness/plan/size.h"

#include <algorithm>
#include <cmath>

#include "harness/plan/expand.h"
#include "harness/plan/stream_search.h"

namespace okbench {
namespace {

std::uint64_t BatchRows(const ParameterValue& batch, std::uint64_t training) {
  const auto* share = std::get_if<double>(&batch);
  if (share == nullptr) return static_cast<std::uint64_t>(std::get<std::int64_t>(batch));
  const double rows = *share * static_cast<double>(training);
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(rows)));
}

Trial WithBatches(Trial trial, const Spec& spec, const LearnerEntry& entry, const ParameterValue& batch) {
  const StreamSpec& stream = trial.data->stream;
  trial.batch = BatchRows(batch, trial.training);
  if (trial.batch > trial.training)
    FailLearner(spec, entry,
                "cannot draw mini-batches of " + std::to_string(trial.batch) + " (data.batch) from " +
                    std::to_string(trial.training) + " training examples of " + trial.data->train.name);
  trial.examples = entry.info->protocol == Protocol::kMiniBatches
                       ? BatchesLength(stream, trial.training, trial.batch)
                       : stream.epochs * trial.training;
  return trial;
}

void CheckStream(const Spec& spec, const LearnerEntry& entry, std::uint64_t rows) {
  const StreamSpec& stream = spec.data.stream;
  if (stream.order == Order::kSliding)
    FailLearner(spec, entry,
                "processes single examples; data.order = \"sliding\" needs a mini-batch learner");
  if (entry.info->protocol == Protocol::kSolver && (stream.epochs != 1 || stream.order == Order::kUniform))
    FailLearner(spec, entry,
                "is a batch method; it needs data.epochs = 1 and an order other than \"uniform\"");
  if (stream.order == Order::kPermutation && stream.epochs > 1 && stream.limit > 0 && stream.limit < rows)
    FailLearner(spec, entry,
                "would see other rows in every epoch, because data.max_examples cuts each permutation; use "
                "data.sample");
}

void CheckRounds(const Spec& spec, const LearnerEntry& entry) {
  const Order order = spec.data.stream.order;
  if (IsCounting(order))
    FailLearner(spec, entry, "learns in rounds; the counting sequence needs a stream learner");
  if (order == Order::kSliding && entry.info->protocol != Protocol::kMiniBatches)
    FailLearner(spec, entry, "selects its examples; data.order = \"sliding\" needs a mini-batch learner");
}

}  // namespace

Trial Sized(Trial trial, const Spec& spec, const LearnerEntry& entry, const PlannedData& data,
            const ParameterValue& batch) {
  const StreamSpec& stream = spec.data.stream;
  const std::uint64_t rows = trial.train_plan->rows;
  if (data.grouped_by_class && stream.limit > 0 && stream.limit < rows &&
      (trial.rounds() || stream.order == Order::kFile))
    FailLearner(spec, entry,
                "would see only the first classes: the rows of '" + trial.data->train.name +
                    "' are grouped by class; replace data.max_examples by data.sample");
  if (!trial.rounds()) {
    CheckStream(spec, entry, rows);
    trial.examples = StreamLength(stream, rows);
    trial.training = trial.examples / stream.epochs;
    return trial;
  }
  CheckRounds(spec, entry);
  trial.data.Edit().train.first = stream.limit;
  trial.training = stream.limit > 0 ? std::min(stream.limit, rows) : rows;
  return WithBatches(std::move(trial), spec, entry, batch);
}

Trial SizedFold(const Trial& of, std::uint64_t fold, const Spec& spec, const LearnerEntry& entry,
                const ParameterValue& batch) {
  const Validation& validation = spec.validation;
  if (validation.folds > of.training)
    FailLearner(spec, entry,
                "cannot be tuned on " + std::to_string(validation.folds) + " folds of " +
                    std::to_string(of.training) + " training examples");
  Trial trial = of;
  if (validation.epochs > 0) trial.data.Edit().stream.epochs = validation.epochs;
  if (validation.tolerance) {
    if (!trial.rounds())
      FailLearner(spec, entry, "does not learn in rounds; remove cross_validation.tolerance");
    trial.trace.Edit().tolerance = validation.tolerance;
    trial.trace.Edit().checkpoints = trial.data->stream.epochs;
  }
  trial.test_plan = trial.train_plan;
  DataSpec& data = trial.data.Edit();
  data.test_part = data.train.part;
  data.train.fold = Fold{.folds = validation.folds, .fold = fold};
  trial.training = of.training - (of.training + validation.folds - 1 - fold) / validation.folds;
  return WithBatches(std::move(trial), spec, entry, batch);
}

void SetCost(Trial& trial, const PlannedData& data) {
  const std::uint64_t value_bytes = trial.double_precision ? sizeof(double) : sizeof(float);
  const bool stream = trial.info->protocol == Protocol::kStream;
  trial.workload = {.examples = trial.examples,
                    .training = stream ? trial.train_plan->rows : trial.training,
                    .batch = trial.batch,
                    .outputs = data.outputs,
                    .candidates = data.candidates,
                    .candidate_bytes = data.candidate_bytes,
                    .entries = static_cast<double>(data.entries),
                    .row_bytes = data.features * value_bytes,
                    .value_bytes = value_bytes};
  trial.cost = CostOf(trial, trial.workload);
}

}  // namespace okbench
