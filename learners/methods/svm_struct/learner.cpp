#include "learners/api/learner_info.h"
#include "learners/methods/svm_struct/svm_struct.h"

namespace okbench::svm_struct {
namespace {

// Typical share of the allowed rounds needed to reach epsilon (ImageCLEF, 20 Newsgroups).
constexpr double kRounds = 0.25;

}  // namespace

ParameterTable<Options> Parameters() {
  ParameterTable<Options> table;
  AddTrainingRowsParameters(table)
      .Real(&Options::tolerance, "tolerance", "epsilon", {0, 1, true}, "loss",
            "excess of the loss over the planes' slack at which training stops")
      .Replaces("epsilon");
  return table;
}

LearnerInfo Describe() {
  return DefineLearner<Protocol::kSelection>(
      {.name = "svm-struct",
       .title = "SVMstruct: the structural SVM by 1-slack cutting planes",
       .paper = "sfd-2013 ch. 1, OP1; Joachims, Finley and Yu 2009",
       .weights = true,
       .labels = {LabelKind::kBinary, LabelKind::kMulticlass},
       .update = "the most violating output of every example makes a plane; solve the planes' program",
       .estimator = {.name = "SVMStruct", .epochs = 100},
       .tolerance = true},
      Parameters(),
      [](const Options& options, const Workload& work) {
        Cost cost = TrainingRowsCost(work, options.cache_mib, kRounds);
        const std::uint64_t rounds = work.training > 0 ? work.examples / work.training : 0;
        cost.bytes += (rounds + 2) * work.training * work.outputs * 8;
        return cost;
      },
      Constructs<SvmStruct>());
}

}  // namespace okbench::svm_struct
