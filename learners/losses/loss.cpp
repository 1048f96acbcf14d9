#include "learners/losses/loss.h"

#include <algorithm>

#include "learners/core/error.h"
#include "learners/core/parameters.h"
#include "learners/losses/hinge.h"
#include "learners/losses/logistic.h"
#include "learners/losses/multiclass_hinge.h"
#include "learners/losses/multiclass_logistic.h"
#include "learners/losses/novelty.h"

namespace okbench {
namespace {

const LossInfo& FindLoss(const std::string& name) {
  std::vector<std::string> names;
  for (const LossInfo& info : Losses()) {
    if (info.name == name) return info;
    names.push_back(info.name);
  }
  const std::string nearest = Nearest(name, names);
  throw InvalidArgument(
      "unknown loss '" + name + "'" +
      (nearest.empty() ? "; see okbench list losses" : "; did you mean '" + nearest + "'?"));
}

}  // namespace

void Loss::Curvature(std::span<const double> /*f*/, std::int32_t /*y*/, std::span<const double> /*v*/,
                     std::span<double> chi) const {
  std::fill(chi.begin(), chi.end(), 0.0);
}

const std::vector<LossInfo>& Losses() {
  static const std::vector<LossInfo> list = {
      {"hinge", "max(0, rho - y f)", "svmd-2006 eq. 17, norma-2001 sec. 3", "binary", true},
      {"logistic", "log(1 + exp(-y f))", "svmd-2006 eq. 21", "binary", false},
      {"multiclass-hinge", "max(0, max_{r != y} [rho Delta(y,r) + f_r] - f_y), Delta = 1",
       "svmd-2006 eqs. 19, 28", "multiclass", true},
      {"multiclass-logistic", "log sum_r exp(f_r) - f_y", "svmd-2006 eq. 23", "multiclass", false},
      {"novelty", "max(0, rho - f)", "svmd-2006 eq. 26, norma-2001 sec. 3", "any", true},
  };
  return list;
}

bool LossHasMargin(const std::string& name) { return FindLoss(name).has_margin; }

std::unique_ptr<Loss> MakeLoss(const std::string& name, LabelKind kind, int classes) {
  const LossInfo& info = FindLoss(name);
  const std::string have = kind == LabelKind::kBinary ? "binary" : "multiclass";
  if (info.labels != "any" && info.labels != have)
    throw InvalidArgument("the loss '" + name + "' needs " + info.labels + " labels, but the data has " +
                          have + " ones");
  const auto count = static_cast<std::size_t>(classes);
  if (name == "hinge") return std::make_unique<HingeLoss>();
  if (name == "logistic") return std::make_unique<LogisticLoss>();
  if (name == "novelty") return std::make_unique<NoveltyLoss>();
  if (name == "multiclass-hinge") return std::make_unique<MulticlassHingeLoss>(LabelDistance::ZeroOne(count));
  return std::make_unique<MulticlassLogisticLoss>(count);
}

}  // namespace okbench
