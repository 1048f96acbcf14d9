#include "boxes/learners/learners.h"

#include <algorithm>
#include <string>

#include "boxes/learners/box_bcfw.h"
#include "boxes/learners/box_learner.h"
#include "boxes/learners/box_order.h"
#include "boxes/learners/box_sfd.h"
#include "boxes/learners/box_svm_struct.h"
#include "learners/methods/bcfw/bcfw.h"
#include "learners/methods/structural_sfd/structural_sfd.h"
#include "learners/methods/svm_struct/svm_struct.h"

namespace okbench::boxes {
namespace {

// Mean number of functions that score all boxes of an image (cows, faces, VOC 2007): for BCFW, for a cutting
// plane of SVMstruct as a share of the rounds, and for the planes of an SFD update.
constexpr double kBcfwFunctions = 2, kSvmStructFunctions = 0.04, kSfdFunctions = 50;

LearnerInfo BoxOrderInfo() {
  using box_order::BoxOrder, box_order::Options, box_order::Order;
  ParameterTable<Options> table;
  table.Choice(&Options::order, "order",
               {{"random", Order::kRandom}, {"largest", Order::kLargest}, {"best", Order::kBest}},
               "order of an image's boxes: random, by area, or by overlap with the objects");
  return DefineLearner<Protocol::kMiniBatches>(
      {.name = "box-order",
       .title = "Boxes in a fixed order: chance, the largest, the best possible",
       .paper = "none; lower and upper bounds for section 5.3 of sfd-2013",
       .labels = {LabelKind::kStructured},
       .update = "none",
       .random = true},
      std::move(table), [](const Options& /*options*/, const Workload& work) { return BoxOrderCost(work); },
      []<class T>(const Options& options, const LearnerContext<T>& context) {
        return std::make_unique<BoxOrder>(options, context);
      });
}

LearnerInfo& Find(std::list<LearnerInfo>& learners, const std::string& name) {
  return *std::find_if(learners.begin(), learners.end(),
                       [&](const LearnerInfo& info) { return info.name == name; });
}

// Extends the method `name` to boxes, by BoxMethod.
template <class BoxMethod, class Options>
void Extend(std::list<LearnerInfo>& learners, const char* name, ParameterTable<Options> parameters,
            double functions) {
  ExtendToStructured(
      Find(learners, name), std::move(parameters),
      [functions](const Options& /*options*/, const Workload& work) { return BoxCost(work, functions); },
      []<class T>(const Options& options, const LearnerContext<T>& context) {
        return std::make_unique<BoxMethod>(options, context);
      });
}

}  // namespace

void Register(std::list<LearnerInfo>& learners) {
  Extend<bcfw::BoxBcfw>(learners, "bcfw", bcfw::Parameters(), kBcfwFunctions);
  Extend<svm_struct::BoxSvmStruct>(learners, "svm-struct", svm_struct::Parameters(), kSvmStructFunctions);
  Extend<structural_sfd::BoxSfd>(learners, "structural-sfd", structural_sfd::Parameters(), kSfdFunctions);
  learners.push_back(BoxOrderInfo());
}

}  // namespace okbench::boxes
