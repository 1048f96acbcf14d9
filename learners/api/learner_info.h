#pragma once
// LearnerInfo: a method as the registry knows it, made by DefineLearner from what its folder says once: what
// it is, its table of parameters, its cost model, and how to build it.

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "learners/api/cost_model.h"
#include "learners/api/learner.h"
#include "learners/api/model.h"
#include "learners/api/parameter_table.h"
#include "learners/core/error.h"

namespace okbench {

/// What shows a learner its examples.
enum class Protocol {
  kStream,       ///< StreamLearner: every example of a recorded stream
  kMiniBatches,  ///< RoundLearner: mini-batches that the harness draws from the training set
  kSelection,    ///< RoundLearner: examples that the learner selects from the training set itself
  kSolver,       ///< SolverLearner: the announced examples, until it has finished
};

/// What its estimator in Python is like, where that does not follow from the rest.
struct EstimatorAbout {
  std::string name{};        ///< of the class; empty: made of the learner's (SampledCuts)
  std::uint64_t epochs = 1;  ///< passes over the rows unless asked otherwise
  std::uint64_t batch = 0;   ///< examples of a round unless asked otherwise; 0: the method has none
};

/// What a method is, for people.
struct LearnerAbout {
  std::string name;
  std::string title;
  std::string paper;              ///< short name of the paper and section
  std::vector<LabelKind> labels;  ///< that it learns from; those of a loss may be fewer (LossInfo)
  std::string update;             ///< the step in one line
  bool linear = false;            ///< learns with the linear kernel alone
  /// Of the system, that computes the model: its package rounds as it was compiled for a kind of processor,
  /// contracting multiplications and additions or not. Empty: all of it is ours, the same bits everywhere.
  std::string library{};
  EstimatorAbout estimator{};
  /// Part of every trial's id. Raised with any change that may move a trace of the method, so that results of
  /// the code before cannot pass for results of the code after.
  int revision = 1;
};

/// Where the code of a learner comes from that is not of the program, and so of none of its commits.
struct LearnerCode {
  std::string kind{};    ///< "plugin" or "python"; empty: the program's own
  std::string name{};    ///< of the file, or the class
  std::string sha256{};  ///< of the file, or the class's source; part of the ids of its trials
  /// It evaluates no kernel by itself as far as anybody knows: counted is the kernel that it was handed.
  bool handed_kernel = false;
};

struct LearnerInfo {
  template <class T>
  using Maker = std::function<std::unique_ptr<Learner>(const ParameterValues&, const LearnerContext<T>&)>;

  std::string name;
  std::string title;
  std::string paper;
  std::vector<LabelKind> labels;
  std::string update;
  bool linear;
  std::string library;
  EstimatorAbout estimator;
  int revision;
  std::vector<Parameter> parameters;
  Protocol protocol;
  bool measures_training;  ///< is a MeasuresTraining
  bool ranks_examples;     ///< is a RanksExamples
  bool resumable;          ///< is a Resumable
  bool gives_model;        ///< is a GivesModel: what it has learned can predict elsewhere
  /// Counts, memory and other work to expect. Throws InvalidArgument where parameters contradict each other.
  std::function<Cost(const ParameterValues&, const Workload&)> cost_model;
  Maker<float> make_float;
  Maker<double> make_double;
  LearnerCode code{};

  /// A learner for these values. Throws InvalidArgument for values or data that it cannot take.
  template <class T>
  std::unique_ptr<Learner> Make(const ParameterValues& values, const LearnerContext<T>& context) const {
    if constexpr (std::is_same_v<T, float>)
      return make_float(values, context);
    else
      return make_double(values, context);
  }

  /// The same as a StreamLearner, a RoundLearner or a SolverLearner. Throws InvalidArgument when it is none.
  template <class Kind, class T>
  std::unique_ptr<Kind> MakeAs(const ParameterValues& values, const LearnerContext<T>& context) const {
    std::unique_ptr<Learner> learner = Make(values, context);
    auto* kind = dynamic_cast<Kind*>(learner.get());
    if (kind == nullptr) throw InvalidArgument(name + " is not shown its examples in this way");
    static_cast<void>(learner.release());  // it is the returned one's
    return std::unique_ptr<Kind>(kind);
  }
};

/// What Describe() of this folder gives; what goes wrong there is told with the folder's name.
LearnerInfo Described(const char* folder, LearnerInfo (*describe)());

/// "sampled-cuts" as a class is called: SampledCuts.
std::string EstimatorName(const std::string& name);

/// The interface that goes with a protocol.
template <Protocol kProtocol>
using LearnerOf =
    std::conditional_t<kProtocol == Protocol::kStream, StreamLearner,
                       std::conditional_t<kProtocol == Protocol::kSolver, SolverLearner, RoundLearner>>;

/// A method. `cost(options, workload)` is its cost model; `make(options, context)` builds it, for contexts of
/// float and of double, as a unique_ptr to a class that tells what it can do. `Options` are what the table
/// gives.
template <Protocol kProtocol, class Options, class CostModel, class Make>
LearnerInfo DefineLearner(LearnerAbout about, ParameterTable<Options> parameters, const CostModel& cost,
                          const Make& make) {
  using Made =
      typename std::invoke_result_t<Make, const Options&, const LearnerContext<float>&>::element_type;
  static_assert(std::is_base_of_v<LearnerOf<kProtocol>, Made>, "the class does not fit the protocol");
  if (about.labels.empty()) throw InvalidArgument("its description has no .labels");
  const auto table = std::make_shared<const ParameterTable<Options>>(std::move(parameters));
  // What passes here may still be refused: a loss can learn from fewer kinds.
  const auto maker = [&, name = about.name, labels = about.labels]<class T>(std::type_identity<T>) {
    return [table, make, name, labels](const ParameterValues& values,
                                       const LearnerContext<T>& context) -> std::unique_ptr<Learner> {
      const Options options = table->ReadChecked(values);
      RequireLabels(name, labels, context.train->label_kind());
      return make(options, context);
    };
  };
  EstimatorAbout estimator = std::move(about.estimator);
  if (estimator.name.empty()) estimator.name = EstimatorName(about.name);
  return {
      .name = std::move(about.name),
      .title = std::move(about.title),
      .paper = std::move(about.paper),
      .labels = std::move(about.labels),
      .update = std::move(about.update),
      .linear = about.linear,
      .library = std::move(about.library),
      .estimator = std::move(estimator),
      .revision = about.revision,
      .parameters = table->parameters(),
      .protocol = kProtocol,
      .measures_training = std::is_base_of_v<MeasuresTraining, Made>,
      .ranks_examples = std::is_base_of_v<RanksExamples, Made>,
      .resumable = std::is_base_of_v<Resumable, Made>,
      .gives_model = std::is_base_of_v<GivesModel, Made>,
      .cost_model = [table, cost](const ParameterValues& values,
                                  const Workload& workload) { return cost(table->Read(values), workload); },
      .make_float = maker(std::type_identity<float>()),
      .make_double = maker(std::type_identity<double>()),
      .code = {}};
}

/// Extends a registered method to structured examples: for them, `cost` and `make` replace its own.
/// REQUIRES: `parameters` is the method's table, and the class has the interfaces of the method's class.
template <class Options, class CostModel, class Make>
void ExtendToStructured(LearnerInfo& info, ParameterTable<Options> parameters, const CostModel& cost,
                        const Make& make) {
  const auto table = std::make_shared<const ParameterTable<Options>>(std::move(parameters));
  info.labels.push_back(LabelKind::kStructured);
  info.cost_model = [table, cost, plain = std::move(info.cost_model)](const ParameterValues& values,
                                                                      const Workload& work) {
    return work.candidates > 0 ? cost(table->Read(values), work) : plain(values, work);
  };
  const auto extend = [&]<class T>(LearnerInfo::Maker<T>& maker) {
    maker = [table, make, plain = std::move(maker)](
                const ParameterValues& values,
                const LearnerContext<T>& context) -> std::unique_ptr<Learner> {
      if (context.train->label_kind() != LabelKind::kStructured) return plain(values, context);
      return make(table->ReadChecked(values), context);
    };
  };
  extend.template operator()<float>(info.make_float);
  extend.template operator()<double>(info.make_double);
}

/// The same without a cost model of its own: every example becomes a support vector.
template <Protocol kProtocol, class Options, class Make>
LearnerInfo DefineLearner(LearnerAbout about, ParameterTable<Options> parameters, const Make& make) {
  return DefineLearner<kProtocol>(
      std::move(about), std::move(parameters),
      [](const Options& /*options*/, const Workload& work) { return LargestCost(work); }, make);
}

/// The `make` of a class template with a constructor (options, context).
template <template <class> class Method>
auto Constructs() {
  return []<class Options, class T>(const Options& options, const LearnerContext<T>& context) {
    return std::make_unique<Method<T>>(options, context);
  };
}

}  // namespace okbench
