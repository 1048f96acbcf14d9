#pragma once
// FunctionalDescent: rounds of stochastic functional descent (sfd-2013, algorithm 1) for any kind of outputs.
//
// Round t takes k examples and the model f. Residual margins rho bound the remaining loss. The update is
//   u = argmin  lambda_t/2 ||u||^2 + 1/k sum_i max(0, max_y [rho_iy + u(x_i, y) - u(x_i, y_i)]),  f <- f + u.
// Theorem 3: ||u||^2 <= 1/(lambda_t k) sum_i max(0, max_y rho_iy).

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "learners/api/learner.h"
#include "learners/bases/binary_learner.h"
#include "learners/bases/mini_batch.h"
#include "learners/bases/task_learner.h"
#include "learners/bases/update_schedule.h"
#include "learners/solvers/qp_result.h"
#include "learners/support/expansion.h"

namespace okbench {

struct DescentOptions {
  UpdateSchedule::Kind schedule = UpdateSchedule::Kind::kSfd1;
  double c = 1;               ///< constant of the schedule; 1 for kSfd1 and kSfd2
  double exponent = 1;        ///< exponent of kPower and kGeometric
  bool bounded_below = true;  ///< residual margins have a lower bound (section 3.3)
  bool planes = false;        ///< solve by algorithm 2 of the thesis instead of the dual
  double gap = 1e-6;          ///< relative duality gap of the dual
  double epsilon = 0.01;      ///< tolerance of the cutting planes, in units of the loss
  /// Throws InvalidArgument for c != 1 with kSfd1 or kSfd2.
  void Validate() const { UpdateSchedule{schedule, c, exponent}.Validate(); }
};

/// Adds the parameters of DescentOptions; `dual` is the name of the dual solver.
template <class Options>
ParameterTable<Options>& AddDescentParameters(ParameterTable<Options>& table, const char* dual) {
  return table.Choice(&Options::schedule, "schedule", ScheduleChoices(), kScheduleHelp)
      .Real(&Options::c, "schedule_c", "c", Positive(), "", "constant c of the schedule")
      .Replaces("c")
      .Real(&Options::exponent, "exponent", "a", {-100, 100}, "",
            "exponent of c*t^exponent and c*exp(exponent*t)")
      .Switch(&Options::bounded_below, "bounded_below", "bound residual margins from below (section 3.3)")
      .Choice(&Options::planes, "solver", {{dual, false}, {"cutting-planes", true}},
              "solve the update in the dual to `gap`, or by 1-slack cutting planes to `epsilon`")
      .Real(&Options::gap, "gap", "", {0, 1, true}, "share of the primal objective",
            "relative duality gap of the dual solver")
      .Real(&Options::epsilon, "epsilon", "epsilon", {0, 1, true}, "loss", "tolerance of the cutting planes");
}

/// The rounds. `Base` provides the outputs, and size(), the number of training examples.
template <class Base>
class DescentRounds : public Base {
 public:
  RoundOutcome Round(std::span<const std::uint32_t> batch) final;
  std::vector<std::string> Columns() const override {
    return {"lambda", "update_norm", "update_bound", "squared_norm", "relative_gap", "solver_steps"};
  }
  void Report(std::span<double> out) const override;
  /// ||f||^2, updated by ||f + u||^2 = ||f||^2 + 2 <f, u> + ||u||^2.
  double squared_norm() const { return squared_norm_; }

 protected:
  /// Further arguments are passed to Base.
  template <class... Arguments>
  explicit DescentRounds(const DescentOptions& options, Arguments&&... arguments)
      : Base(std::forward<Arguments>(arguments)...),
        options_(options),
        schedule_{options.schedule, options.c, options.exponent} {}

  void SerializeRounds(Archive& archive);

  struct Products {
    double along = 0;  ///< <f, u>
    double norm = 0;   ///< ||u||^2
  };

  /// Scores the examples of the batch and counts them in `outcome`. Returns false if a score is not finite;
  /// the loss in `outcome` is then NaN.
  virtual bool ScoreBatch(std::span<const std::uint32_t> batch, RoundOutcome& outcome) = 0;
  /// Computes the residual margins. Returns sum_i max(0, max_y rho_iy).
  virtual double Residuals() = 0;
  /// Prepares Solve(). Returns false if a kernel value is not finite.
  virtual bool Prepare() = 0;
  /// Computes u. `cap` = 1/(lambda k) is the largest weight of an example.
  virtual QpResult Solve(double lambda, double cap) = 0;
  /// Adds u to f. Returns <f, u> before the addition, and ||u||^2.
  virtual Products AddUpdate() = 0;

 private:
  DescentOptions options_;
  UpdateSchedule schedule_;
  std::uint64_t t_ = 0;
  double lambda_ = 0, update_norm_ = 0, bound_ = 0, relative_gap_ = 0, squared_norm_ = 0;
  std::size_t solver_steps_ = 0;
};

template <class Base>
RoundOutcome DescentRounds<Base>::Round(std::span<const std::uint32_t> batch) {
  ++t_;
  const std::size_t k = batch.size();
  RoundOutcome outcome;
  if (!ScoreBatch(batch, outcome)) return outcome;
  lambda_ = schedule_.At(t_, k, this->size());
  bound_ = Residuals() / static_cast<double>(k) / lambda_;
  if (!Prepare()) {
    outcome.mean_loss = std::numeric_limits<double>::quiet_NaN();  // the kernel overflows
    return outcome;
  }
  const QpResult result = Solve(lambda_, 1 / (lambda_ * static_cast<double>(k)));
  solver_steps_ = result.steps;
  relative_gap_ = result.objective + result.gap > 0 ? result.gap / (result.objective + result.gap) : 0;
  const Products products = AddUpdate();
  update_norm_ = products.norm;
  squared_norm_ += 2 * products.along + update_norm_;
  return outcome;
}

template <class Base>
void DescentRounds<Base>::SerializeRounds(Archive& archive) {
  archive.Field("t", t_);
  archive.Field("lambda", lambda_);
  archive.Field("update_norm", update_norm_);
  archive.Field("bound", bound_);
  archive.Field("relative_gap", relative_gap_);
  archive.Field("squared_norm", squared_norm_);
  archive.Field("solver_steps", solver_steps_);
}

template <class Base>
void DescentRounds<Base>::Report(std::span<double> out) const {
  out[0] = lambda_;
  out[1] = update_norm_;
  out[2] = bound_;
  out[3] = squared_norm_;
  out[4] = relative_gap_;
  out[5] = static_cast<double>(solver_steps_);
}

/// Functional descent on expansions over the training set. `Base` is BinaryLearner<T> or TaskLearner<T>.
template <class T, class Base>
class FunctionalDescent : public DescentRounds<Base> {
 public:
  std::size_t support_vectors() const final { return expansion_.members().size(); }
  const Expansion& expansion() const { return expansion_; }

 protected:
  /// `examples` is the size of the training set. Further arguments are passed to Base.
  template <class... Arguments>
  FunctionalDescent(const DescentOptions& options, std::size_t examples, Arguments&&... arguments)
      : DescentRounds<Base>(options, std::forward<Arguments>(arguments)...),
        batch_(this->engine_, this->train_),
        expansion_(examples, this->columns()) {}

  std::span<const double> Coefficients() const final { return expansion_.coefficients(); }
  bool ScoreBatch(std::span<const std::uint32_t> batch, RoundOutcome& outcome) override;
  bool Prepare() final;
  /// Counts the examples of the batch with their scores, scores_[column * k + i].
  virtual void CountBatch(RoundOutcome& outcome) = 0;
  /// Fills the kernel matrix of the batch. Returns false if a value is not finite.
  virtual bool FillGram(std::span<const std::uint32_t> all) = 0;

  MiniBatch<T> batch_;
  Expansion expansion_;
  std::vector<double> scores_;

 private:
  std::vector<std::uint32_t> all_;
};

extern template class FunctionalDescent<float, BinaryLearner<float>>;
extern template class FunctionalDescent<double, BinaryLearner<double>>;
extern template class FunctionalDescent<float, TaskLearner<float>>;
extern template class FunctionalDescent<double, TaskLearner<double>>;

}  // namespace okbench
