#include "learners/losses/loss.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/nearest.h"
#include "learners/losses/hinge.h"
#include "learners/losses/logistic.h"
#include "learners/losses/multiclass_hinge.h"
#include "learners/losses/multiclass_logistic.h"
#include "learners/losses/novelty.h"
#include "learners/losses/regression.h"

namespace okbench {

void Loss::Curvature(std::span<const double> /*f*/, double /*y*/, double /*margin*/,
                     std::span<const double> /*v*/, std::span<double> chi) const {
  std::fill(chi.begin(), chi.end(), 0.0);
}

const std::vector<LossInfo>& Losses() {
  using enum LossParameter;
  constexpr double kUnbounded = std::numeric_limits<double>::infinity();
  // The norm of xi of the multiclass losses is at most ||(1, -1)||.
  static const double kTwoClasses = std::sqrt(2.0);
  static const std::vector<LossInfo> list = {
      {.name = "hinge",
       .equation = "max(0, rho - y f)",
       .paper = "svmd-2006 eq. 17, norma-2001 sec. 3",
       .labels = "binary",
       .parameter = kMargin,
       .slope = 1},
      {.name = "logistic",
       .equation = "log(1 + exp(-y f))",
       .paper = "svmd-2006 eq. 21",
       .labels = "binary",
       .parameter = kNone,
       .slope = 1,
       .log_likelihood = true},
      {.name = "multiclass-hinge",
       .equation = "max(0, max_{r != y} [rho Delta(y,r) + f_r] - f_y), Delta = 1",
       .paper = "svmd-2006 eqs. 19, 28",
       .labels = "multiclass",
       .parameter = kMargin,
       .slope = kTwoClasses,
       .pair_gradient = true,
       .revision = 2},
      {.name = "tree-hinge",
       .equation = "max(0, max_{r != y} [rho Delta(y,r) + f_r] - f_y), Delta of the label tree",
       .paper = "svmd-2006 eqs. 28, 65",
       .labels = "multiclass",
       .parameter = kMargin,
       .slope = kTwoClasses,
       .pair_gradient = true,
       .revision = 2},
      {.name = "graph-hinge",
       .equation = "max(0, max_{r != y} [rho Delta(y,r) + f_r] - f_y), Delta of the label graph",
       .paper = "svmd-2006 eq. 28",
       .labels = "multiclass",
       .parameter = kMargin,
       .slope = kTwoClasses,
       .pair_gradient = true},
      {.name = "multiclass-logistic",
       .equation = "log sum_r exp(f_r) - f_y",
       .paper = "svmd-2006 eq. 23",
       .labels = "multiclass",
       .parameter = kNone,
       .slope = kTwoClasses,
       .log_likelihood = true},
      {.name = "novelty",
       .equation = "max(0, rho - f)",
       .paper = "svmd-2006 eq. 26, norma-2001 sec. 3",
       .labels = "any",
       .parameter = kMargin,
       .slope = 1,
       .one_class = true},
      {.name = "squared",
       .equation = "(y - f)^2 / 2",
       .paper = "norma-2001 eq. 17",
       .labels = "real",
       .parameter = kNone,
       .slope = kUnbounded},
      {.name = "eps-insensitive",
       .equation = "max(0, |y - f| - eps)",
       .paper = "norma-2001 eq. 18",
       .labels = "real",
       .parameter = kTube,
       .slope = 1},
      {.name = "huber",
       .equation = "|y - f| - sigma/2 where |y - f| > sigma, else (y - f)^2 / (2 sigma)",
       .paper = "norma-2001 eqs. 19 to 21",
       .labels = "real",
       .parameter = kTube,
       .slope = 1,
       .divides_by_tube = true},
  };
  return list;
}

const LossInfo& FindLoss(const std::string& name) {
  std::vector<std::string> names;
  for (const LossInfo& info : Losses()) {
    if (info.name == name) return info;
    names.push_back(info.name);
  }
  throw InvalidArgument("unknown loss '" + name + "'" + DidYouMean(name, names, "see okbench help losses"));
}

void RequireLossLabels(const std::string& name, LabelKind kind) {
  const LossInfo& info = FindLoss(name);
  const std::string have = LabelKindName(kind);
  const bool any = kind != LabelKind::kReal && kind != LabelKind::kStructured;
  const bool fits = info.labels == "any" ? any : info.labels == have;
  if (!fits)
    throw InvalidArgument("the loss '" + name + "' needs " +
                          (info.labels == "any" ? "binary or multiclass" : info.labels) +
                          " labels, but the data has " + have + " ones");
}

std::unique_ptr<Loss> MakeLoss(const std::string& name, LabelKind kind, int classes, const LabelTree* tree,
                               const LabelGraph* graph) {
  RequireLossLabels(name, kind);
  const auto count = static_cast<std::size_t>(classes);
  if (name == "hinge") return std::make_unique<HingeLoss>();
  if (name == "logistic") return std::make_unique<LogisticLoss>();
  if (name == "squared") return std::make_unique<SquaredLoss>();
  if (name == "eps-insensitive") return std::make_unique<EpsInsensitiveLoss>();
  if (name == "huber") return std::make_unique<HuberLoss>();
  if (name == "novelty") return std::make_unique<NoveltyLoss>();
  if (name == "tree-hinge") {
    if (tree == nullptr) throw InvalidArgument("the loss 'tree-hinge' needs a label tree: data.tree");
    return std::make_unique<MulticlassHingeLoss>(LabelDistance(count, tree->DeltaTable()));
  }
  if (name == "graph-hinge") {
    if (graph == nullptr) throw InvalidArgument("the loss 'graph-hinge' needs a label graph: data.graph");
    return std::make_unique<MulticlassHingeLoss>(LabelDistance(count, graph->DeltaTable()));
  }
  if (name == "multiclass-hinge") return std::make_unique<MulticlassHingeLoss>(LabelDistance::ZeroOne(count));
  return std::make_unique<MulticlassLogisticLoss>(count);
}

}  // namespace okbench
