#include "learners/outputs/task.h"

#include <algorithm>
#include <string>

#include "base/error.h"
#include "learners/core/math.h"

namespace okbench {

void BinaryTask::OutputProducts(std::span<const double> g, std::span<double> f) const {
  const double half = 0.25 * (g[1] - g[0]);
  f[0] = -half;
  f[1] = half;
}

ClassTask::ClassTask(std::size_t classes, const LabelTree* distances, const LabelTree* kernel)
    : delta_(distances == nullptr ? LabelDistance::ZeroOne(classes)
                                  : LabelDistance(distances->classes(), distances->DeltaTable())),
      largest_(distances == nullptr ? 1 : distances->LargestDelta()),
      kernel_(kernel == nullptr ? std::nullopt : std::make_optional(*kernel)) {
  for (const LabelTree* tree : {distances, kernel})
    if (tree != nullptr && tree->classes() != classes)
      throw InvalidArgument("the label tree has " + std::to_string(tree->classes()) +
                            " classes, but the data has " + std::to_string(classes));
}

double ClassTask::Kappa(std::size_t output, std::size_t other) const {
  if (kernel_) return kernel_->Kappa(output, other);
  return output == other ? 1 : 0;
}

void ClassTask::OutputProducts(std::span<const double> g, std::span<double> f) const {
  if (!kernel_) {
    if (f.data() != g.data()) std::copy(g.begin(), g.end(), f.begin());
    return;
  }
  std::vector<double> totals(kernel_->nodes(), 0.0);
  for (std::size_t y = 0; y < g.size(); ++y) totals[kernel_->leaf(y)] = g[y];
  kernel_->SumUp(totals);
  kernel_->SumDown(totals, f);
}

std::unique_ptr<Task> MakeTask(LabelKind kind, int classes, const LabelTree* distances,
                               const LabelTree* kernel) {
  if (kind != LabelKind::kBinary && kind != LabelKind::kMulticlass)
    throw InvalidArgument(std::string("a task needs binary or multiclass labels, but the data has ") +
                          LabelKindName(kind) + (kind == LabelKind::kReal ? " ones" : ""));
  if (kind == LabelKind::kMulticlass)
    return std::make_unique<ClassTask>(static_cast<std::size_t>(classes), distances, kernel);
  if (distances != nullptr || kernel != nullptr)
    throw InvalidArgument("a label tree needs multiclass labels, but the data has binary ones");
  return std::make_unique<BinaryTask>();
}

bool Task::Mistake(std::size_t truth, std::span<const double> f) const { return ArgMax(f) != truth; }

Oracle::Violator Oracle::MostViolating(std::size_t truth, std::span<const double> rho,
                                       std::span<const double> f) {
  ++calls_;
  Violator most{.output = truth, .value = 0};
  for (std::size_t y = 0; y < f.size(); ++y) {
    if (y == truth) continue;
    const double value = rho[y] + f[y] - f[truth];
    if (value > most.value) most = {y, value};
  }
  return most;
}

}  // namespace okbench
