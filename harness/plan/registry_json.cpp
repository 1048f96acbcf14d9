#include "harness/plan/registry_json.h"

#include <cmath>

#include "harness/plan/plan.h"
#include "learners/api/registry.h"
#include "learners/losses/loss.h"

namespace okbench {

using nlohmann::json;

const char* ProtocolName(Protocol protocol) {
  static const char* const kNames[] = {"stream", "mini-batches", "selection", "solver"};
  return kNames[static_cast<int>(protocol)];
}

namespace {

json LabelNames(const LearnerInfo& info) {
  json names = json::array();
  for (const LabelKind kind : info.labels) names.push_back(LabelKindName(kind));
  return names;
}

}  // namespace

json LearnersJson() {
  json out = json::array();
  for (const LearnerInfo& info : Learners()) {
    json parameters = json::array();
    for (const Parameter& p : info.parameters)
      parameters.push_back({{"name", p.name},
                            {"old_name", p.old_name},
                            {"symbol", p.symbol},
                            {"default", ToJson(p.default_value)},
                            {"allowed", p.Allowed()},
                            {"choices", p.choices},
                            {"unit", p.unit},
                            {"description", p.description}});
    out.push_back({{"name", info.name},
                   {"title", info.title},
                   {"paper", info.paper},
                   {"update", info.update},
                   {"protocol", ProtocolName(info.protocol)},
                   {"labels", LabelNames(info)},
                   {"linear", info.linear},
                   {"weights", info.weights},
                   {"library", info.library.empty() ? json() : json(info.library)},
                   {"estimator", info.gives_model ? json({{"name", info.estimator.name},
                                                          {"epochs", info.estimator.epochs},
                                                          {"batch", info.estimator.batch},
                                                          {"variance", info.estimator.variance}})
                                                  : json()},
                   {"resumable", info.resumable},
                   {"grows_classes", info.grows_classes},
                   {"tolerance", info.tolerance},
                   {"revision", info.revision},
                   {"parameters", parameters}});
  }
  return out;
}

json LossesJson() {
  json out = json::array();
  for (const LossInfo& info : Losses())
    out.push_back({{"name", info.name},
                   {"equation", info.equation},
                   {"paper", info.paper},
                   {"labels", info.labels},
                   {"parameter", info.parameter == LossParameter::kMargin ? "margin"
                                 : info.parameter == LossParameter::kTube ? "tube"
                                                                          : "none"},
                   {"slope", std::isfinite(info.slope) ? json(info.slope) : json()},
                   {"revision", info.revision}});
  return out;
}

}  // namespace okbench
