// A step of SVMD with the tree loss compared with the flat loss: 80 dense features (RBF) and wide sparse
// rows, a full buffer of 1024, and 20, 72 and 640 classes.

#include <benchmark/benchmark.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "learners/core/random.h"
#include "learners/methods/svmd/svmd.h"

namespace okbench::bench {
namespace {

constexpr std::size_t kBuffer = 1024;
constexpr std::size_t kSteps = 1024;  // timed steps, after the buffer is full

// Rows around one centre per class.
Examples<float> DenseRows(std::size_t classes) {
  Random random(1);
  std::vector<float> values;
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < kBuffer + kSteps; ++i) {
    const std::uint64_t y = random.Below(classes);
    labels.push_back(static_cast<std::int32_t>(y));
    for (std::size_t f = 0; f < 80; ++f)
      values.push_back(static_cast<float>(random.Normal() + static_cast<double>((y * 31 + f * 7) % 5)));
  }
  return Examples<float>::Dense(80, values, labels, LabelKind::kMulticlass, static_cast<int>(classes));
}

// Rows like documents: 150 of 60000 words, some words more frequent than others.
Examples<float> SparseRows(std::size_t classes) {
  Random random(2);
  std::vector<float> values;
  std::vector<std::uint32_t> indices;
  std::vector<std::size_t> offsets = {0};
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < kBuffer + kSteps; ++i) {
    std::vector<bool> has(60000, false);
    for (int w = 0; w < 150; ++w)
      has[static_cast<std::size_t>(std::pow(60000.0, random.Uniform())) - 1] = true;
    for (std::uint32_t f = 0; f < has.size(); ++f)
      if (has[f]) {
        indices.push_back(f);
        values.push_back(0.1F);
      }
    offsets.push_back(values.size());
    labels.push_back(static_cast<std::int32_t>(random.Below(classes)));
  }
  return Examples<float>::Sparse(60000, offsets, indices, values, labels, LabelKind::kMulticlass,
                                 static_cast<int>(classes));
}

// Groups of about sqrt(classes) leaves each.
LabelTree Groups(std::size_t classes) {
  std::vector<std::string> names;
  const auto group = static_cast<std::size_t>(std::sqrt(static_cast<double>(classes)));
  for (std::size_t y = 0; y < classes; ++y)
    names.push_back(std::to_string(y / group) + "." + std::to_string(y));
  return LabelTree::FromNames(names, '.', LabelTree::Shape::kFull);
}

void Steps(benchmark::State& state, bool sparse, bool tree_loss) {
  const auto classes = static_cast<std::size_t>(state.range(0));
  const Examples<float> data = sparse ? SparseRows(classes) : DenseRows(classes);
  const LabelTree tree = Groups(classes);
  const Kernel kernel = sparse ? Kernel::Linear() : Kernel::RbfFromGamma(0.01);
  OnlineSvmOptions options;
  options.loss = tree_loss ? "tree-hinge" : "multiclass-hinge";
  options.tree_kernel = tree_loss;
  options.c = 1e-5;
  options.buffer = kBuffer;
  std::vector<std::uint32_t> order(data.size());
  std::iota(order.begin(), order.end(), 0U);
  for (auto _ : state) {
    state.PauseTiming();
    const LearnerContext<float> context{
        .train = &data, .test = nullptr, .kernel = kernel, .tree = &tree, .lookahead = 48};
    const auto learner = MakeOnlineSvm<float>(options, svmd::MetaDescent(0.1, 0.001, 0.9, 1), context);
    learner->Announce(order);
    for (std::uint32_t i = 0; i < kBuffer; ++i) learner->Step(i);
    state.ResumeTiming();
    for (std::uint32_t i = kBuffer; i < data.size(); ++i) benchmark::DoNotOptimize(learner->Step(i));
  }
  state.counters["us_a_step"] = benchmark::Counter(
      kSteps * 1e-6, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void TreeStepDense(benchmark::State& state) { Steps(state, false, true); }
void FlatStepDense(benchmark::State& state) { Steps(state, false, false); }
void TreeStepSparse(benchmark::State& state) { Steps(state, true, true); }
void FlatStepSparse(benchmark::State& state) { Steps(state, true, false); }
BENCHMARK(FlatStepDense)->Arg(20)->Arg(72)->Arg(640)->Unit(benchmark::kMillisecond);
BENCHMARK(TreeStepDense)->Arg(20)->Arg(72)->Arg(640)->Unit(benchmark::kMillisecond);
BENCHMARK(FlatStepSparse)->Arg(20)->Arg(72)->Arg(640)->Unit(benchmark::kMillisecond);
BENCHMARK(TreeStepSparse)->Arg(20)->Arg(72)->Arg(640)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace okbench::bench
