#include "learners/api/learner_info.h"

#include <functional>

#include "learners/api/registry.h"
#include "tests/catch.h"

namespace okbench {
namespace {

struct Options {
  double eta = 1;
};

ParameterTable<Options> Parameters() {
  ParameterTable<Options> table;
  table.Real(&Options::eta, "eta", "eta", Positive(), "", "step size");
  return table;
}

template <class T>
class Idle final : public StreamLearner {
 public:
  Idle(const Options& /*options*/, const LearnerContext<T>& /*context*/) {}
  std::vector<std::string> Columns() const override { return {}; }
  void Report(std::span<double> /*out*/) const override {}
  std::size_t support_vectors() const override { return 0; }
  const KernelCounts& counts() const override { return counts_; }
  TestOutcome Test() override { return {}; }
  void Announce(std::span<const std::uint32_t> /*order*/) override {}
  StepOutcome Step(std::uint32_t /*example*/) override { return {}; }

 private:
  KernelCounts counts_;
};

TEST_CASE("a learner without a cost model is assumed to keep every example") {
  const LearnerInfo info = DefineLearner<Protocol::kStream>(
      {.name = "idle", .title = "", .paper = "", .labels = {LabelKind::kBinary}, .update = ""}, Parameters(),
      Constructs<Idle>());
  const auto values = ParameterValues::Resolve(info.parameters, {});
  const Workload stream{.examples = 100, .training = 100, .row_bytes = 40};
  const Cost cost = info.cost_model(values, stream);
  CHECK(cost.vectors == 100);
  CHECK(cost.requested == 100 * 100 / 2 + 100);
  CHECK(cost.bytes >= 100 * 40);
  // A second pass evaluates all of them again.
  CHECK(info.cost_model(values, {.examples = 200, .training = 100}).requested >= 100 * 100 / 2 + 100 * 100);
  // No method of the registry expects a higher cost for its stream.
  for (const LearnerInfo& other : Learners()) {
    INFO(other.name);
    if (other.protocol == Protocol::kStream && other.name != "mira" && other.name != "perceptron")
      CHECK(other.cost_model(ParameterValues::Resolve(other.parameters, {}), stream).requested <=
            cost.requested);
  }
}

LearnerInfo Nothing() {
  return DefineLearner<Protocol::kStream>(
      {.name = "nothing", .title = "", .paper = "", .labels = {}, .update = ""}, Parameters(),
      Constructs<Idle>());
}

LearnerInfo Broken() { throw std::bad_function_call(); }

TEST_CASE("errors during registration of a learner name its folder") {
  CHECK_THROWS_WITH(Described("nothing", Nothing),
                    "learner folder 'nothing': Describe() failed: its description has no .labels");
  CHECK_THROWS_WITH(Described("broken", Broken),
                    Catch::Contains("learner folder 'broken': Describe() failed: "));
}

}  // namespace
}  // namespace okbench
