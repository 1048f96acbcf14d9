#pragma once
// OneVsRest: stream learner built from a method with a single function. Binary labels and real targets use
// one function. Multiclass data use one function per class, which separates the class (+1) from the rest
// (-1). The largest score predicts; ties go to the lowest class. The functions share their support set
// (function_set.h): a kernel value that several functions need is requested once. Each function has a budget.
//
// A method may also offer a step on all classes together, Method<T>::Joint. Options::joint selects it for
// multiclass data. Its loss is that of Crammer and Singer (JMLR 2, 2001), and its functions have the same
// members, so that a budget is the total number of support vectors:
//
//   l = max(0, 1 - f_y(x) + f_s(x)),  s = argmax_{r != y} f_r(x)
//
// A method is a class template
//
//   template <class T> class Method {
//     Method(const Options&, const FunctionContext&);
//     LossValue Evaluate(double f, double y) const;                  // before the step; y: label or target
//     void Learn(SupportFunction<T> f, double score, double y);      // the step, from the score f(x_t)
//     double Predict(SupportFunction<T> f, double score);            // optional: score that replaces f(x_t),
//                                                                    // called before Learn(); no change
//     static auto State();                                           // optional: state other than the
//                                                                    // function, with trace columns, which
//                                                                    // are summed over functions (state.h)
//     bool Fits(std::size_t members) const;                          // optional: whether the state read
//                                                                    // matches the size of the function
//     static constexpr bool kKeepsRecent = true;                     // optional: uses Remember(); REQUIRES:
//                                                                    // real targets
//     class Joint {                                                  // optional, with Options::joint
//       explicit Joint(const Options&);
//       void Learn(FunctionSet<T>& set, const JointLoss& loss);      // the step, when loss.loss > 0
//       static auto State();                                         // as above, with the same columns
//     };
//   };

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "learners/api/learner_info.h"
#include "learners/bases/test_set.h"
#include "learners/core/math.h"
#include "learners/core/state.h"
#include "learners/losses/loss.h"
#include "learners/support/function_set.h"

namespace okbench {

/// Data and settings that one function of a method is built from.
struct FunctionContext {
  std::uint64_t seed = 0;     ///< seed of the method's random draws
  std::size_t function = 0;   ///< index of the function, < functions
  std::size_t functions = 1;  ///< number of functions
  Kernel kernel{};            ///< kernel between examples
};

/// Hinge loss max(0, margin - y f). Margin error: a loss above 0, or y f = margin = 0 as in the perceptron.
LossValue HingeOf(double f, double y, double margin);

/// What function r compares its score with: for several classes +1 or -1, else the label or target itself.
inline double TargetOf(std::size_t r, double target, LabelKind kind) {
  if (kind != LabelKind::kMulticlass) return target;
  return static_cast<std::size_t>(target) == r ? 1 : -1;
}

/// Outcome of the scores `f` of one function, or of one per class, learned one against the rest.
/// `loss_of(r, y)` returns the LossValue of function r against y = TargetOf(r, ...). The loss is NaN if a
/// score is not finite.
template <class LossOf>
StepOutcome OneVsRestOutcome(std::span<const double> f, double target, LabelKind kind,
                             const PredictionLoss& task_loss, const LossOf& loss_of) {
  if (!AllFinite(f)) return {.loss = std::numeric_limits<double>::quiet_NaN(), .mistake = true};
  StepOutcome outcome{.prediction = f[0], .violation = -std::numeric_limits<double>::infinity(), .scores = f};
  for (std::size_t r = 0; r < f.size(); ++r) {
    const LossValue value = loss_of(r, TargetOf(r, target, kind));
    outcome.loss += value.loss;
    outcome.mistake = outcome.mistake || value.mistake;
    outcome.margin_error = outcome.margin_error || value.margin_error;
    outcome.violation = std::max(outcome.violation, value.violation);
  }
  if (kind == LabelKind::kMulticlass) {
    outcome.mistake = ArgMax(f) != static_cast<std::size_t>(target);
    outcome.task_loss = task_loss(f, static_cast<std::size_t>(target));
  }
  return outcome;
}

/// Options of methods with a budget.
struct BudgetedOptions {
  std::size_t budget = 1000;  ///< maximum number of support vectors per function
};

/// Terms of the multiclass hinge loss on (x_t, y_t).
struct JointLoss {
  double loss;         ///< 1 - f_y + f_s, not clipped at 0; > 0 in calls of Joint::Learn()
  std::size_t y;       ///< class of the example
  std::size_t second;  ///< s: the best other class
};

/// Parameter "multiclass" of methods with a Joint step.
template <class Options>
void AddJoint(ParameterTable<Options>& table) {
  table.Choice(&Options::joint, "multiclass", {{"one-vs-rest", false}, {"joint", true}},
               "multiclass data: a function per class, each with a budget (one-vs-rest), or one loss and one "
               "budget for all classes (joint)");
}

/// Cost of a stream learner over a FunctionSet.
///   share    estimated share of the examples that become support vectors of some function
///   budget   support vectors per function; 0: no limit
///   passes   passes over the members of a function per addition
///   rows     kernel rows over the members requested per addition
///   joint    the budget is that of all functions together
Cost FunctionSetCost(const Workload& work, double share, std::size_t budget, double passes, double rows,
                     bool joint = false);

/// The part of a OneVsRest learner that does not depend on its method. Compiled once per precision.
template <class T>
class FunctionLearner : public StreamLearner, public Resumable, public GrowsClasses, public GivesModel {
 public:
  void Announce(std::span<const std::uint32_t> order) override;
  std::size_t support_vectors() const override { return set_.size(); }
  const KernelCounts& counts() const override { return engine_.counts(); }
  /// Empty: members are copied into the support set.
  std::span<const std::uint32_t> RetainedRows() const override { return {}; }
  void OnRowsAppended() override;
  AnyModel CurrentModel() const override;
  bool ScoreRow(std::uint32_t example, std::span<double> out) override {
    set_.Evaluate(train_, std::span(&example, 1), out);
    return true;
  }

  const FunctionSet<T>& set() const { return set_; }

 protected:
  /// `vectors`: the support set also accepts vectors that are not data rows. `recent`: see
  /// FunctionSet::KeepRecent().
  FunctionLearner(const LearnerContext<T>& context, bool vectors, bool recent);
  ~FunctionLearner() override;

  KernelEngine<T> engine_;
  ExampleInputs<T> train_;
  ExampleInputs<T> test_;
  PredictionLoss task_loss_;
  LabelKind kind_;
  FunctionSet<T> set_;
  std::vector<double> f_;  ///< scores of the current example, one per function
};
extern template class FunctionLearner<float>;
extern template class FunctionLearner<double>;

template <class T, template <class> class Method>
class OneVsRest : public FunctionLearner<T> {
 public:
  /// `vectors`: the support set also accepts vectors that are not data rows.
  template <class Options>
  OneVsRest(const Options& options, const LearnerContext<T>& context, bool vectors = false)
      : FunctionLearner<T>(
            context, vectors, requires { Method<T>::kKeepsRecent; }),
        make_([options, seed = context.seed, kernel = context.kernel](std::size_t r, std::size_t functions) {
          return Method<T>(options, {.seed = seed, .function = r, .functions = functions, .kernel = kernel});
        }) {
    while (methods_.size() < set_.functions()) methods_.push_back(make_(methods_.size(), set_.functions()));
    if constexpr (kOffersJoint)
      if (options.joint && kind_ == LabelKind::kMulticlass) joint_.emplace(options);
  }

  StepOutcome Predict(std::uint32_t example) override {
    if constexpr (kPredicts) {
      set_.Fetch(example, f_, Purpose::kMeasuring);
      PredictAll();
    } else {
      set_.Evaluate(train_, std::span(&example, 1), f_);
    }
    return Outcome(train_.examples->target(example));
  }

  StepOutcome Step(std::uint32_t example) override {
    set_.Fetch(example, f_);
    if constexpr (kPredicts) PredictAll();
    const double target = train_.examples->target(example);
    const StepOutcome outcome = Outcome(target);
    if (!AllFinite(f_)) return outcome;
    if constexpr (kOffersJoint)
      if (joint_) {
        if (outcome.margin_error) joint_->Learn(set_, JointLossOf(static_cast<std::size_t>(target)));
        return outcome;
      }
    for (std::size_t r = 0; r < f_.size(); ++r)
      methods_[r].Learn(set_.function(r), f_[r], TargetOf(r, target, kind_));
    return outcome;
  }

  std::vector<std::string> Columns() const override {
    static_assert(
        !requires { &Method<T>::Columns; }, "list the trace columns in State(), see state.h");
    return state::Columns<Method<T>>();
  }
  void Report(std::span<double> out) const override {
    double* next = out.data();
    if constexpr (kOffersJoint)
      if (joint_) return state::Report(*joint_, next);
    std::fill(out.begin(), out.end(), 0.0);
    std::vector<double> own(out.size());
    for (const Method<T>& method : methods_) {
      next = own.data();
      state::Report(method, next);
      for (std::size_t c = 0; c < own.size(); ++c) out[c] += own[c];
    }
  }

  TestOutcome Test() override {
    const Examples<T>& set = *test_.examples;
    const auto scores = [this](auto rows, auto out) { set_.Evaluate(test_, rows, out); };
    if (kind_ != LabelKind::kReal) return CountMistakes(set, f_.size(), scores, task_loss_);
    return SumSquaredErrors(set, scores);
  }

  void Serialize(Archive& archive) override {
    engine_.Serialize(archive);
    set_.Serialize(archive);
    if constexpr (kOffersJoint)
      if (joint_) return state::Serialize(*joint_, archive);
    for (std::size_t r = 0; r < methods_.size(); ++r) {
      state::Serialize(methods_[r], archive);
      if constexpr (requires { methods_[r].Fits(0); })
        if (!methods_[r].Fits(set_.members(r).size()))
          Archive::Fail("diagonal", "does not fit the number of support vectors");
    }
  }
  void AddClass() override {
    set_.AddFunction(joint_.has_value());
    methods_.push_back(make_(methods_.size(), set_.functions()));
    f_.resize(set_.functions());
  }
  const Method<T>& method(std::size_t r) const { return methods_[r]; }

 protected:
  using FunctionLearner<T>::engine_, FunctionLearner<T>::train_, FunctionLearner<T>::test_;
  using FunctionLearner<T>::task_loss_, FunctionLearner<T>::kind_, FunctionLearner<T>::set_,
      FunctionLearner<T>::f_;

  Method<T>& mutable_method(std::size_t r) { return methods_[r]; }

 private:
  static constexpr bool kPredicts = requires(Method<T> method, SupportFunction<T> f) {
    method.Predict(f, 0.0);
  };

  static constexpr bool kOffersJoint = requires { typename Method<T>::Joint; };
  struct NoJoint {};
  template <class M>
  struct JointOf {
    using Type = NoJoint;
  };
  template <class M>
  requires requires { typename M::Joint; }
  struct JointOf<M> {
    using Type = typename M::Joint;
  };

  // Replaces the scores f_ of the example of the last Fetch() by the predictions of the methods.
  void PredictAll() {
    for (std::size_t r = 0; r < f_.size(); ++r) f_[r] = methods_[r].Predict(set_.function(r), f_[r]);
  }

  // The outcome of the scores f_.
  StepOutcome Outcome(double target) const {
    StepOutcome outcome = OneVsRestOutcome(f_, target, kind_, task_loss_, [this](std::size_t r, double y) {
      return methods_[r].Evaluate(f_[r], y);
    });
    if (!joint_ || !AllFinite(f_)) return outcome;
    outcome.violation = JointLossOf(static_cast<std::size_t>(target)).loss;
    outcome.loss = std::max(0.0, outcome.violation);
    outcome.margin_error = outcome.violation > 0;
    return outcome;
  }

  // 1 - f_y + f_s, not clipped at 0.
  JointLoss JointLossOf(std::size_t y) const {
    std::size_t second = y == 0 ? 1 : 0;
    for (std::size_t r = second + 1; r < f_.size(); ++r)
      if (r != y && f_[r] > f_[second]) second = r;
    return {.loss = 1 - f_[y] + f_[second], .y = y, .second = second};
  }

  std::function<Method<T>(std::size_t, std::size_t)> make_;  // function, number of functions
  std::vector<Method<T>> methods_;
  std::optional<typename JointOf<Method<T>>::Type> joint_;  // replaces the steps of the methods
};

/// Defines a OneVsRest method. If about.labels is empty, it supports binary and multiclass labels; methods
/// for real targets set it. `cost(options, workload)` is its cost model. `vectors`: see OneVsRest.
template <template <class> class Method, class Options, class CostModel>
LearnerInfo DefineOneVsRest(LearnerDescription about, ParameterTable<Options> table, const CostModel& cost,
                            bool vectors = false) {
  if (about.labels.empty()) about.labels = {LabelKind::kBinary, LabelKind::kMulticlass};
  return DefineLearner<Protocol::kStream>(
      std::move(about), std::move(table), cost,
      [vectors]<class T>(const Options& options, const LearnerContext<T>& context) {
        return std::make_unique<OneVsRest<T, Method>>(options, context, vectors);
      });
}

}  // namespace okbench
