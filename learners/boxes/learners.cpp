#include "learners/api/learner_info.h"
#include "learners/boxes/box_order.h"

namespace okbench::box_order {

LearnerInfo Describe() {
  ParameterTable<Options> table;
  table.Choice(
      &Options::order, "order",
      {{"random", Order::kRandom}, {"largest", Order::kLargest}, {"best", Order::kBest}},
      "of an image's boxes: random scores, by area, or by overlap with the objects that are looked for");
  return DefineLearner<Protocol::kMiniBatches>(
      {.name = "box-order",
       .title = "Boxes in an order that is not learned: chance, the largest, the best there are",
       .paper = "none; a floor and a ceiling for section 5.3 of sfd-2013",
       .labels = {LabelKind::kBoxes},
       .update = "none"},
      std::move(table), [](const Options& /*options*/, const Workload& work) { return BoxOrderCost(work); },
      []<class T>(const Options& options, const LearnerContext<T>& context) {
        return std::make_unique<BoxOrder>(options, context);
      });
}

}  // namespace okbench::box_order
