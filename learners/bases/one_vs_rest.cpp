#include "learners/bases/one_vs_rest.h"

namespace okbench {

LossValue HingeOf(double f, double y, double margin) {
  const double violation = margin - y * f;
  return {.loss = std::max(0.0, violation),
          .mistake = y * f <= 0,
          .margin_error = margin > 0 ? violation > 0 : violation >= 0,
          .violation = violation};
}

Cost FunctionSetCost(const Workload& work, double share, std::size_t budget, double passes, double rows,
                     bool joint) {
  const std::uint64_t n = work.examples;
  // Each step requests a row over the union of the functions' members, and k(x, x).
  const std::uint64_t most =
      budget == 0 ? n : std::min<std::uint64_t>(n, budget * (joint ? 1 : work.outputs));
  const std::uint64_t filled = most * (most - (most > 0 ? 1 : 0)) / 2 + (n - most) * most;
  Cost cost;
  cost.requested = filled + n + static_cast<std::uint64_t>(rows * static_cast<double>(filled));
  const auto steps = static_cast<double>(n), limit = static_cast<double>(most);
  cost.vectors = std::min(share * steps, limit);
  const double sizes = GrowingRows(steps, share, limit);
  cost.computed = sizes * (1 + share * rows) + steps;
  cost.multiply_adds = sizes * (static_cast<double>(work.outputs) - 1 + share * passes);
  cost.bytes = most * (work.row_bytes + work.lookahead * work.value_bytes + (work.outputs + 4) * 8);
  return cost;
}

namespace {

template <class T>
std::size_t FunctionsOf(const Examples<T>& train) {
  return train.label_kind() == LabelKind::kMulticlass ? static_cast<std::size_t>(train.classes()) : 1;
}

}  // namespace

template <class T>
FunctionLearner<T>::FunctionLearner(const LearnerContext<T>& context, bool vectors, bool recent)
    : engine_(context.kernel),
      train_(engine_.Prepare(*context.train)),
      test_(context.test ? engine_.Prepare(*context.test) : ExampleInputs<T>{}),
      task_loss_(context.tree, context.graph),
      kind_(context.train->label_kind()),
      set_(engine_, train_, engine_.MakeBlocks(*context.train, context.test, context.streaming, vectors),
           FunctionsOf(*context.train), context.lookahead),
      f_(set_.functions()) {
  if (recent) set_.KeepRecent(engine_.MakeBlocks(*context.train, context.test, context.streaming, vectors));
}

template <class T>
FunctionLearner<T>::~FunctionLearner() = default;

template <class T>
void FunctionLearner<T>::Announce(std::span<const std::uint32_t> order) {
  set_.Announce(order);
}

template <class T>
void FunctionLearner<T>::OnRowsAppended() {
  train_ = engine_.Prepare(*train_.examples);
  set_.OnRowsAppended();
}

template <class T>
AnyModel FunctionLearner<T>::CurrentModel() const {
  const std::vector<std::size_t> used = set_.UsedSlots();
  Model<T> model{.kernel = engine_.kernel(), .outputs = set_.functions()};
  for (std::size_t r = 0; r < set_.functions(); ++r)
    for (const std::size_t slot : used) model.coefficients.push_back(set_.alpha(r, slot));
  model.vectors = std::make_shared<const Examples<T>>(set_.blocks().Rows(used));
  return model;
}

template class FunctionLearner<float>;
template class FunctionLearner<double>;

}  // namespace okbench
