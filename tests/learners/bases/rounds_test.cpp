// Binary methods that learn in rounds: invalid input, batches and folds.

#include "base/error.h"
#include "datasets/rows/stream.h"
#include "learners/api/registry.h"
#include "tests/catch.h"
#include "tests/learners/round_learners.h"

namespace okbench::rounds_test {
namespace {

using Catch::Contains;
using testing::kRbf;
using testing::RoundContext;

TEST_CASE("round learners reject data with one class or more than two, with a one-line error") {
  const auto single_class = Examples<double>::Dense(1, {1, 2}, {1, 1}, LabelKind::kBinary, 2);
  const auto many = testing::RandomDense<double>(9, 2, LabelKind::kMulticlass, 3, 1);
  for (const char* name : {"sfd", "pegasos", "lasvm", "sampled-cuts"}) {
    const LearnerInfo& info = FindLearner(name);
    const auto values = ParameterValues::Resolve(info.parameters, {});
    CHECK_THROWS_WITH(info.Make(values, RoundContext(single_class, kRbf)),
                      Contains(name) && Contains("both classes"));
    CHECK_THROWS_WITH(info.Make(values, RoundContext(many, kRbf)),
                      Contains(name) && Contains("binary labels"));
    if (std::string(name) != "sfd")
      CHECK_THROWS_WITH(ParameterValues::Resolve(info.parameters, {{"lambda", 0.0}}),
                        Contains("lambda = 0 must be"));
  }
}

TEST_CASE("sizes and contents of batches and folds") {
  const Batches uniform = MakeBatches({Order::kUniform, 2, 0}, 100, 30, 4);
  CHECK(uniform.size() == 7);  // 200/30 to the nearest
  CHECK(BatchesLength({Order::kUniform, 2, 0}, 100, 30) == uniform.rows.size());
  const Batches passes = MakeBatches({Order::kPermutation, 2, 0}, 100, 30, 4);
  CHECK(passes.size() == 8);
  CHECK(passes[3].size() == 10);
  for (const Batches* batches : {&uniform, &passes})
    for (std::size_t b = 0; b < batches->size(); ++b) {
      std::vector<std::uint32_t> rows((*batches)[b].begin(), (*batches)[b].end());
      std::sort(rows.begin(), rows.end());
      CHECK(std::adjacent_find(rows.begin(), rows.end()) == rows.end());
      CHECK(rows.back() < 100);
    }
  CHECK_THROWS_WITH(MakeBatches({Order::kUniform, 1, 0}, 10, 11, 0), Contains("mini-batch of 11"));

  std::vector<int> counts(23, 0);
  for (std::uint64_t fold = 0; fold < 5; ++fold) {
    const auto out = FoldRows(23, 5, fold, true, 7), in = FoldRows(23, 5, fold, false, 7);
    CHECK(out.size() == (fold < 3 ? 5U : 4U));
    CHECK(in.size() == 23 - out.size());
    for (const auto row : out) {
      ++counts[row];
      CHECK(!std::binary_search(in.begin(), in.end(), row));
    }
  }
  CHECK(std::count(counts.begin(), counts.end(), 1) == 23);
  CHECK_THROWS_WITH(FoldRows(3, 4, 0, true, 1), Contains("cannot be split"));
}

}  // namespace
}  // namespace okbench::rounds_test
