#include "harness/plan/canonical.h"

#include <algorithm>
#include <string>

#include "base/sha256.h"
#include "harness/plan/data_json.h"
#include "harness/plan/revisions.h"
#include "harness/plan/stream_search.h"

namespace okbench {
namespace {

using nlohmann::json;

json UnbiasedJson(const Kernel& kernel) {
  switch (kernel.kind) {
    case KernelKind::kRbf:
      return {{"name", "rbf"}, {"gamma", kernel.gamma}};
    case KernelKind::kPolynomial:
      return {{"name", "polynomial"},
              {"degree", kernel.degree},
              {"scale", kernel.scale},
              {"offset", kernel.offset}};
    case KernelKind::kLinear:
      return {{"name", "linear"}};
    case KernelKind::kHistogramIntersection:
      return {{"name", "histogram-intersection"}};
    case KernelKind::kFunction:
      return {{"name", "function"}};
    case KernelKind::kSum: {
      json terms = json::array();
      for (const KernelTerm& term : kernel.terms) {
        json object = UnbiasedJson(term.kernel);
        object["weight"] = term.weight;
        object["features"] = {term.first, term.first + term.count - 1};
        terms.push_back(std::move(object));
      }
      return {{"name", "sum"}, {"terms", terms}};
    }
  }
  return {};
}

json KernelJson(const Kernel& kernel) {
  json out = UnbiasedJson(kernel);
  if (kernel.bias != 0) out["bias"] = kernel.bias;
  return out;
}

// Key in KernelJson() of a kernel axis. KernelJson() stores sigma as gamma.
std::string KernelKey(const std::string& axis) {
  const std::string key = axis.substr(std::string(kKernelAxis).size());
  return key == "sigma" ? "gamma" : key;
}

// Erases the values of a candidate, which vary.
void EraseKernel(json& kernel, const Candidate& candidate) {
  for (const auto& [name, value] : candidate.values.items())
    if (name.starts_with(kKernelAxis)) kernel.erase(KernelKey(name));
}

}  // namespace

json FixedParameters(const Trial& trial) {
  json parameters = json::object();
  for (const auto& [name, value] : trial.parameters->all()) parameters[name] = ToJson(value);
  for (const auto* values : {&*trial.candidates, &*trial.hedged})
    if (!values->empty())
      for (const auto& [name, value] : values->front().values.items()) parameters.erase(name);
  return parameters;
}

json TrialIdentity(const Trial& trial) {
  json out = {
      {"format", 1},
      {"experiment", trial.experiment},
      {"learner", trial.info->name},
      {"parameters", FixedParameters(trial)},
      {"kernel", KernelJson(trial.candidates->empty() ? trial.kernel : trial.candidates->front().kernel)},
      {"revisions", RevisionsOf(trial)},
      {"precision", trial.double_precision ? "float64" : "float32"},
      {"repetition", trial.repetition},
      {"data", DataJson(trial)},
      {"trace",
       {{"dense", trial.trace->record_all_until},
        {"per_decade", trial.trace->per_decade},
        {"from_end", trial.trace->from_end},
        {"checkpoints", trial.trace->checkpoints}}}};
  if (trial.seed != trial.experiment) out["seed"] = trial.seed;
  if (trial.trace->every > 0) out["trace"]["every"] = trial.trace->every;
  // Plugins and Python learners have no maintained revision, so the hash of their code identifies them.
  if (const LearnerCode& code = trial.info->code; !code.kind.empty())
    out["code"] = {{"kind", code.kind}, {"sha256", code.sha256}};
  if (!trial.trace->rounds.empty()) out["trace"]["rounds"] = trial.trace->rounds;
  if (trial.trace->training && trial.info->measures_training) out["trace"]["training"] = true;
  if (trial.trace->tolerance) out["trace"]["tolerance"] = *trial.trace->tolerance;
  if (trial.trace->outliers > 0 && trial.info->ranks_examples)
    out["trace"]["outliers"] = trial.trace->outliers;
  if (trial.trace->predictions && trial.info->protocol == Protocol::kStream)
    out["trace"]["predictions"] = true;
  for (const MeasureRequest& request : trial.measures) out["measures"].push_back(request.Name());
  if (trial.reaction > 0) out["reaction"] = {{"window", trial.reaction}, {"changes", trial.changes}};
  if (!trial.kernel_point.is_null()) out["kernel_point"] = trial.kernel_point;
  if (!trial.hedged->empty()) {
    out["hedge"] = {{"beta", trial.hedge.beta}, {"discounts", trial.hedge.discounts}};
    for (const TunedAxis& axis : TunedAxes(*trial.hedged)) out["hedge"]["axes"][axis.name] = axis.values;
    EraseKernel(out["kernel"], trial.hedged->front());
  }
  if (trial.candidates->empty()) return out;
  // The chosen values follow from the candidates and the data. They are unknown until the search has run, so
  // the id contains the candidates instead.
  const std::vector<Candidate>& candidates = *trial.candidates;
  if (trial.validation.search == Search::kCoordinates) {
    out["tuned"] = {{"search", "coordinates"}, {"revision", kSearchRevision}};
    for (const TunedAxis& axis : TunedAxes(candidates)) out["tuned"]["axes"][axis.name] = axis.values;
  } else {
    for (const Candidate& candidate : candidates) out["tuned"]["candidates"].push_back(candidate.values);
  }
  if (trial.info->protocol == Protocol::kStream)
    out["tuned"]["examples"] = trial.PrefixLength();
  else
    out["tuned"]["folds"] = candidates.front().ids.size();
  if (trial.validation.epochs > 0) out["tuned"]["epochs"] = trial.validation.epochs;
  if (trial.validation.tolerance) out["tuned"]["tolerance"] = *trial.validation.tolerance;
  EraseKernel(out["kernel"], candidates.front());
  return out;
}

namespace {

std::string IdOf(const std::string& text) { return Sha256Hex(text).substr(0, 16); }

json WithRepetition(const Trial& trial, int repetition) {
  json canonical = TrialIdentity(trial);
  canonical["repetition"] = repetition;
  return canonical;
}

}  // namespace

std::string TrialId(const json& canonical) { return IdOf(canonical.dump()); }

TextTemplate::TextTemplate(const std::string& zero, const std::string& unit) {
  const auto at = std::mismatch(zero.begin(), zero.end(), unit.begin()).first;
  before_.assign(zero.begin(), at);
  after_.assign(at + 1, zero.end());
}

RepetitionIds::RepetitionIds(const Trial& trial)
    : canonical_(WithRepetition(trial, 0).dump(), WithRepetition(trial, 1).dump()) {}

std::string RepetitionIds::Of(std::uint64_t repetition) const { return IdOf(canonical_.With(repetition)); }

}  // namespace okbench
