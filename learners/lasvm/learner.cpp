#include "learners/lasvm/lasvm.h"

namespace okbench::lasvm {
namespace {

Selection ReadSelection(const std::string& name) {
  if (name == "random") return Selection::kRandom;
  if (name == "active") return Selection::kActive;
  return name == "autoactive" ? Selection::kAutoActive : Selection::kGradient;
}

template <class T>
std::unique_ptr<Learner> Make(const ParameterValues& values, const LearnerContext<T>& context) {
  Options options;
  options.lambda = values.Real("lambda");
  options.tau = values.Real("tau");
  options.selection = ReadSelection(values.Choice("selection"));
  options.candidates = static_cast<std::size_t>(values.Integer("candidates"));
  options.finishing = values.Switch("finishing");
  options.cache_bytes = static_cast<std::size_t>(values.Integer("cache_mib")) << 20;
  return std::make_unique<Lasvm<T>>(options, context);
}

}  // namespace

LearnerInfo Describe() {
  LearnerInfo info;
  info.name = "lasvm";
  info.title = "LaSVM: online SMO with removal of non-support vectors";
  info.paper = "sfd-2013 sec. 5.1.3; Bordes et al. 2005";
  info.update =
      "PROCESS a selected example against the most violating member, then REPROCESS one violating pair";
  info.parameters = {
      RealParameter("lambda", "lambda", 1e-4, 0, 1e12, true, "", "regulariser; the box is C = 1/(lambda N)"),
      RealParameter("tau", "tau", 1e-3, 0, 1, true, "score", "tolerance of a violating pair"),
      ChoiceParameter("selection", {"gradient", "random", "active", "autoactive"},
                      "which of the unseen examples a round takes: the largest loss, any, the nearest to the "
                      "boundary of the candidates, or of those drawn until 5 lie within the margins"),
      IntegerParameter("candidates", "", 50, 1, 1e9, "examples",
                       "looked at in one selection, at most; autoactive: 100 in the paper"),
      SwitchParameter("finishing", true, "repeat REPROCESS at the end until no pair is violating"),
      IntegerParameter("cache_mib", "", 1024, 1, 1 << 20, "MiB", "bound of the kernel-row cache"),
  };
  info.protocol = Protocol::kSelection;
  info.measures_training = true;
  // Candidates and steps over a support set that grows to a quarter of the training set, say.
  info.cost_model = [](const ParameterValues& values, const Workload& work) {
    const auto candidates = values.Choice("selection") == "random"
                                ? std::uint64_t{1}
                                : static_cast<std::uint64_t>(values.Integer("candidates"));
    Cost cost;
    cost.requested = work.examples * (candidates + 3) * (work.training / 4);
    const auto training = static_cast<double>(work.training);
    cost.vectors = training / 4;
    // The rows of members, once each; two steps a round, each along two rows, with a gradient per example.
    cost.computed = 0.3 * training * training;
    cost.streamed_bytes =
        2 * static_cast<double>(work.examples) * training * 2 * static_cast<double>(work.value_bytes);
    cost.multiply_adds = 2 * static_cast<double>(work.examples) * training;
    cost.follows_scores = true;
    cost.changes = 1.5 * cost.vectors;
    const auto cache = static_cast<std::uint64_t>(values.Integer("cache_mib")) << 20;
    cost.bytes = std::min(cache, work.training * work.training * work.value_bytes) +
                 work.training * (work.row_bytes + 128);
    return cost;
  };
  info.make_float = Make<float>;
  info.make_double = Make<double>;
  return info;
}

}  // namespace okbench::lasvm
