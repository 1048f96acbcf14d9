#include "harness/plan/expand.h"

#include "harness/plan/plan.h"

namespace okbench {
namespace {

std::vector<ParameterValue> BatchesFor(const Spec& spec, const LearnerEntry& entry) {
  const Protocol protocol = entry.info->protocol;
  std::vector<ParameterValue> none = {std::int64_t{0}};
  if (protocol != Protocol::kMiniBatches && protocol != Protocol::kSelection) return none;
  if (!spec.data.batches.empty()) return spec.data.batches;
  if (protocol == Protocol::kMiniBatches)
    FailLearner(spec, entry, "needs data.batch, the size of its mini-batches");
  return none;
}

std::vector<std::uint64_t> DelaysOf(const Spec& spec) {
  return spec.data.delays.empty() ? std::vector<std::uint64_t>{0} : spec.data.delays;
}

}  // namespace

void ForEachPoint(const std::vector<Axis>& axes, const std::function<void(const Point&)>& visit) {
  Point point;
  const std::function<void(std::size_t)> set_from = [&](std::size_t axis) {
    if (axis == axes.size()) return visit(point);
    for (const SpecValue& value : axes[axis].values) {
      point[axes[axis].name] = value;
      set_from(axis + 1);
    }
  };
  set_from(0);
}

ParameterValue ValueFor(const SpecValue& given, std::uint64_t n) {
  if (!given.divide_by_n) return given.value;
  return std::get<double>(given.value) / static_cast<double>(n);
}

std::string PointText(const std::vector<Axis>& axes, const Point& point, std::uint64_t n) {
  std::string text;
  for (const Axis& axis : axes)
    text += (text.empty() ? "" : ",") + axis.name + "=" + ToText(ValueFor(point.at(axis.name), n));
  return text;
}

Kernel KernelAt(Kernel kernel, const Point& point) {
  for (const auto& [name, given] : point)
    if (IsOfKernel(name)) kernel = WithValue(kernel, name, given.value);
  return kernel;
}

void ForEachCombination(const Spec& spec, const std::function<void(const Combination&)>& visit) {
  ForEachPoint(spec.kernel.grid, [&](const Point& kernel) {
    for (const LearnerEntry& entry : spec.learners)
      for (const ParameterValue& batch : BatchesFor(spec, entry))
        for (const std::uint64_t delay : DelaysOf(spec))
          ForEachPoint(entry.grid, [&](const Point& point) {
            visit({.entry = &entry, .kernel = kernel, .batch = batch, .delay = delay, .point = point});
          });
  });
}

namespace {

double Size(const std::vector<Axis>& axes) {
  double points = 1;
  for (const Axis& axis : axes) points *= static_cast<double>(axis.values.size());
  return points;
}

}  // namespace

double CountTrials(const Spec& spec) {
  double trials = 0;
  for (const LearnerEntry& entry : spec.learners) {
    const auto repetitions = static_cast<double>(spec.repetitions);
    const double candidates = Size(entry.tune) * Size(spec.kernel.tune);
    const auto folds = OnPrefixes(entry) || candidates == 1 ? 0 : static_cast<double>(spec.validation.folds);
    trials += static_cast<double>(BatchesFor(spec, entry).size()) * Size(entry.grid) *
              (repetitions + candidates * folds);
  }
  return trials * static_cast<double>(DelaysOf(spec).size()) * Size(spec.kernel.grid) *
         static_cast<double>(spec.data.names.size());
}

bool OnPrefixes(const LearnerEntry& entry) { return entry.info->protocol == Protocol::kStream; }

void FailLearner(const Spec& spec, const LearnerEntry& entry, const std::string& cause) {
  throw SpecError(spec.path + ": learner '" + entry.key + "' " + cause);
}

}  // namespace okbench
