#pragma once
// LearnerInfo: the registry entry of a method. DefineLearner makes it from the method's description, table of
// parameters, cost model and constructor, which the method's learner.cpp states once.

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "learners/api/cost_model.h"
#include "learners/api/learner.h"
#include "learners/api/model.h"
#include "learners/api/parameter_table.h"

namespace okbench {

/// How the harness passes examples to a learner.
enum class Protocol {
  kStream,       ///< StreamLearner: every example of a recorded stream
  kMiniBatches,  ///< RoundLearner: mini-batches drawn by the harness from the training set
  kSelection,    ///< RoundLearner: training examples selected by the learner
  kSolver,       ///< SolverLearner: the announced examples, until the learner has finished
};

/// Settings of the method's Python estimator that differ from the defaults.
struct EstimatorDescription {
  std::string name{};        ///< class name; empty: EstimatorName of the learner, e.g. SampledCuts
  std::uint64_t epochs = 1;  ///< default number of passes over the rows
  std::uint64_t batch = 0;   ///< default number of examples per round; 0: the method has no batches
  bool variance = false;     ///< learners are GivesVariance: predict() takes return_std
};

/// Description of a method.
struct LearnerDescription {
  std::string name;               ///< key in specs and the registry
  std::string title;              ///< one line
  std::string paper;              ///< short name of the paper and section
  bool weights = false;           ///< multiplies the loss of every example by Examples::weight
  std::vector<LabelKind> labels;  ///< supported label kinds; a loss may support fewer (LossInfo)
  std::string update;             ///< the update in one line
  bool linear = false;            ///< supports the linear kernel only
  bool random = false;            ///< draws random numbers (LearnerContext::seed)
  /// System library that computes the model, if any. Results may differ between CPU builds of that library.
  /// Empty: the method is computed by okbench and gives the same bits on every machine.
  std::string library{};
  EstimatorDescription estimator{};
  /// Whether the method has a stopping tolerance, its parameter "tolerance". A limit may stop it earlier.
  bool tolerance = false;
  /// Part of every trial id. Increment it with every change that may alter a trace of the method: results of
  /// older code are then stale.
  int revision = 1;
};

/// Origin of the code of a learner that is not part of the program. The program's revision does not cover it.
struct LearnerCode {
  std::string kind{};    ///< "plugin" or "python"; empty: part of the program
  std::string name{};    ///< name of the file or class
  std::string sha256{};  ///< SHA-256 of the file or of the class's source; part of its trial ids
  /// The learner receives a kernel function. Only evaluations through that function are counted.
  bool handed_kernel = false;
};

struct LearnerInfo {
  template <class T>
  using Maker = std::function<std::unique_ptr<Learner>(const ParameterValues&, const LearnerContext<T>&)>;

  std::string name;
  std::string title;
  std::string paper;
  bool weights;
  std::vector<LabelKind> labels;
  std::string update;
  bool linear;
  bool random;
  std::string library;
  EstimatorDescription estimator;
  bool tolerance;
  int revision;
  std::vector<Parameter> parameters;
  Protocol protocol;
  bool measures_training;  ///< implements MeasuresTraining
  bool ranks_examples;     ///< implements RanksExamples
  bool resumable;          ///< implements Resumable
  bool grows_classes;      ///< implements GrowsClasses
  bool gives_model;        ///< implements GivesModel: the model can be saved and used without the learner
  /// Predicts counts, memory and work. Throws InvalidArgument for contradictory parameters.
  std::function<Cost(const ParameterValues&, const Workload&)> cost_model;
  Maker<float> make_float;
  Maker<double> make_double;
  LearnerCode code{};

  /// Builds a learner. Throws InvalidArgument for values or data that the method does not support.
  template <class T>
  std::unique_ptr<Learner> Make(const ParameterValues& values, const LearnerContext<T>& context) const {
    if constexpr (std::is_same_v<T, float>)
      return make_float(values, context);
    else
      return make_double(values, context);
  }

  /// As Make(), as a StreamLearner, RoundLearner or SolverLearner. Throws InvalidArgument for another
  /// protocol.
  template <class Kind, class T>
  std::unique_ptr<Kind> MakeAs(const ParameterValues& values, const LearnerContext<T>& context) const {
    std::unique_ptr<Learner> learner = Make(values, context);
    auto* kind = dynamic_cast<Kind*>(learner.get());
    if (kind == nullptr) throw InvalidArgument(name + " does not implement the requested protocol");
    static_cast<void>(learner.release());  // the result owns it
    return std::unique_ptr<Kind>(kind);
  }
};

/// Calls describe() of a method's folder. Throws InvalidArgument, naming the folder, if it throws.
LearnerInfo Described(const char* folder, LearnerInfo (*describe)());

/// Class name of an estimator: "sampled-cuts" gives "SampledCuts".
std::string EstimatorName(const std::string& name);

/// Interface of the learners of a protocol.
template <Protocol kProtocol>
using LearnerOf =
    std::conditional_t<kProtocol == Protocol::kStream, StreamLearner,
                       std::conditional_t<kProtocol == Protocol::kSolver, SolverLearner, RoundLearner>>;

/// Defines a method. `cost(options, workload)` is its cost model. `make(options, context)` builds it, for
/// contexts of float and double, as a unique_ptr to the concrete class. The interfaces of that class set
/// measures_training, ranks_examples, resumable, gives_model and grows_classes. `Options` is the type that
/// the table reads.
template <Protocol kProtocol, class Options, class CostModel, class Make>
LearnerInfo DefineLearner(LearnerDescription about, ParameterTable<Options> parameters, const CostModel& cost,
                          const Make& make) {
  using Made =
      typename std::invoke_result_t<Make, const Options&, const LearnerContext<float>&>::element_type;
  static_assert(std::is_base_of_v<LearnerOf<kProtocol>, Made>, "the class does not fit the protocol");
  if (about.labels.empty()) throw InvalidArgument("its description has no .labels");
  const auto table = std::make_shared<const ParameterTable<Options>>(std::move(parameters));
  // The constructor may still reject the labels: a loss can support fewer kinds.
  const auto maker = [&, name = about.name, labels = about.labels]<class T>(std::type_identity<T>) {
    return [table, make, name, labels](const ParameterValues& values,
                                       const LearnerContext<T>& context) -> std::unique_ptr<Learner> {
      const Options options = table->ReadChecked(values);
      RequireLabels(name, labels, context.train->label_kind());
      return make(options, context);
    };
  };
  EstimatorDescription estimator = std::move(about.estimator);
  if (estimator.name.empty()) estimator.name = EstimatorName(about.name);
  return {
      .name = std::move(about.name),
      .title = std::move(about.title),
      .paper = std::move(about.paper),
      .weights = about.weights,
      .labels = std::move(about.labels),
      .update = std::move(about.update),
      .linear = about.linear,
      .random = about.random,
      .library = std::move(about.library),
      .estimator = std::move(estimator),
      .tolerance = about.tolerance,
      .revision = about.revision,
      .parameters = table->parameters(),
      .protocol = kProtocol,
      .measures_training = std::is_base_of_v<MeasuresTraining, Made>,
      .ranks_examples = std::is_base_of_v<RanksExamples, Made>,
      .resumable = std::is_base_of_v<Resumable, Made>,
      .grows_classes = std::is_base_of_v<GrowsClasses, Made>,
      .gives_model = std::is_base_of_v<GivesModel, Made>,
      .cost_model = [table, cost](const ParameterValues& values,
                                  const Workload& workload) { return cost(table->Read(values), workload); },
      .make_float = maker(std::type_identity<float>()),
      .make_double = maker(std::type_identity<double>()),
      .code = {}};
}

/// Adds structured examples to a registered method. For them, `cost` and `make` replace the method's
/// functions. REQUIRES: `parameters` is the method's table, and the new class implements the interfaces of
/// the old one.
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
                const ParameterValues& values, const LearnerContext<T>& context) -> std::unique_ptr<Learner> {
      if (context.train->label_kind() != LabelKind::kStructured) return plain(values, context);
      return make(table->ReadChecked(values), context);
    };
  };
  extend.template operator()<float>(info.make_float);
  extend.template operator()<double>(info.make_double);
}

/// Defines a method without a cost model: the cost is LargestCost().
template <Protocol kProtocol, class Options, class Make>
LearnerInfo DefineLearner(LearnerDescription about, ParameterTable<Options> parameters, const Make& make) {
  return DefineLearner<kProtocol>(
      std::move(about), std::move(parameters),
      [](const Options& /*options*/, const Workload& work) { return LargestCost(work); }, make);
}

/// Returns a `make` function for a class template with a constructor (options, context).
template <template <class> class Method>
auto Constructs() {
  return []<class Options, class T>(const Options& options, const LearnerContext<T>& context) {
    return std::make_unique<Method<T>>(options, context);
  };
}

}  // namespace okbench
