#include "harness/recording/measure.h"

#include "base/error.h"

namespace okbench {

MeasureSet::MeasureSet(const MeasureContext& context) {
  for (const MeasureInfo& info : Measures())
    if (info.applies(context)) measures_.push_back(info.make(context));
}

void MeasureSet::OnStep(const StepOutcome& outcome, const RealStep* real, const Prediction* prediction) {
  for (const auto& measure : measures_) measure->OnStep(outcome, real, prediction);
}

void MeasureSet::OnRound(const RoundOutcome& outcome, std::uint64_t training) {
  for (const auto& measure : measures_) measure->OnRound(outcome, training);
}

void MeasureSet::OnTest(const TestOutcome& outcome, std::uint64_t t, std::uint64_t examples) {
  for (const auto& measure : measures_) measure->OnTest(outcome, t, examples);
}

void MeasureSet::OnTraining(const TrainingOutcome& outcome) {
  for (const auto& measure : measures_) measure->OnTraining(outcome);
}

void MeasureSet::Write(TableWriter& row, ColumnGroup group) const {
  for (const auto& measure : measures_) measure->Write(row, group);
}

void MeasureSet::AddTables(std::vector<Table>& tables) const {
  for (const auto& measure : measures_) measure->AddTables(tables);
}

void MeasureSet::Summarize(nlohmann::json& summary, const Progress& progress, const Learner& learner) const {
  for (const auto& measure : measures_) measure->Summarize(summary, progress, learner);
}

void MeasureSet::Serialize(Archive& archive) {
  for (const auto& measure : measures_) measure->Serialize(archive);
}

double MeasureSet::test_error() const {
  for (const auto& measure : measures_)
    if (const auto error = measure->test_error()) return *error;
  throw TrialFailure("internal", "no measure defines the test error");
}

nlohmann::json OrNull(bool present, double value) {
  return present ? nlohmann::json(value) : nlohmann::json();
}

}  // namespace okbench
